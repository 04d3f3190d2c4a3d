"""Completion: what may follow on a command line."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli.choices import BEHIND, KINDS, kind_of
from app.cli.completion import SCRIPTS
from app.cli.main import main
from app.tests.cli.conftest import Run, all_commands

ROOT = Path(__file__).parents[3]

Complete = Callable[..., list[str]]


@pytest.fixture
def complete(garden: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Complete:
    """Complete words in the folder of an indexed vault, as a shell does."""
    Path(garden, "notes of C#.md").write_text(
        "---\na: 1\n---\n# One\n\n```\n# no heading\n```\n## Two words ##\n"
    )
    Path(garden, "other").mkdir()
    Path(garden, "other/Home.md").write_text("Another home. #Idea/of-mine\n")
    for note in Path(garden).rglob("*.md"):
        os.utime(note, (time.time() - 3600, time.time() - 3600))
    monkeypatch.chdir(garden)
    monkeypatch.setenv("LC_ALL", "C")

    def call(*words: str, shell: str = "fish") -> list[str]:
        capfd.readouterr()
        main(["__complete", shell, *words])
        return [line.partition("\t")[0] for line in capfd.readouterr().out.splitlines()]

    assert main(["index"]) == 0
    return call


def test_each_kind_of_word_is_completed(complete: Complete, monkeypatch: pytest.MonkeyPatch) -> None:
    assert complete("s") == ["search", "setup", "status", "serve"]
    assert complete("list", "ta") == ["tags", "tasks"]
    assert complete("--version", "li") == ["list"]
    assert complete("find", "by_t") == ["by_tag"]
    assert complete("find", "by_tag", "") == ["garden", "garden/glass", "Idea", "Idea/of-mine"]
    assert complete("list", "--tag", "#idea/") == ["#Idea/of-mine"]
    # Two notes of a name are told by their paths, and an excluded one is none of them.
    assert complete("cat", "") == ["Home", "notes of C#", "other/Home", "Greenhouse", "serre"]
    assert complete("list", "--links", "green") == ["Greenhouse"]
    # Headings stand behind a name that may hold the sign.
    assert complete("cat", "notes of C##") == ["notes of C##One", "notes of C##Two words"]
    assert complete("find", "x", "--in", "pro") == ["projects", "projects/garden"]
    assert complete("find", "x", "--in=other") == ["--in=other"]
    assert complete("find", "--mode", "d") == ["deep"]
    assert complete("find", "--jso") == ["--json"]
    assert complete("find", "--index", "") == ["notes"]
    assert complete("list", "properties", "") == ["a", "created", "tags"]
    assert complete("daily", "y") == ["yesterday"]
    assert complete("nonsense", "") == []
    assert main(["__complete", "fish", "find", "--config", ""]) == 1
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert complete("daily", "h") == ["hier"]


def test_names_are_met_without_their_accents(complete: Complete, garden: str) -> None:
    Path(garden, "élèves").mkdir()
    for name in ("Cafe\u0301", "cafeteria", "élèves/Élevage", "other/Élevage"):
        Path(garden, f"{name}.md").write_text("---\nétat: 1\n---\n# Événements\n\n#été\n")
    assert main(["index"]) == 0
    for words, replies in (
        (["cat", "CAFE"], ["Café", "cafeteria"]),
        (["cat", "cafe\u0301"], ["Café", "cafeteria"]),
        (["cat", "eleves/el"], ["élèves/Élevage"]),
        (["cat", "Café#eve"], ["Café#Événements"]),
        (["list", "--tag", "#ete"], ["#été"]),
        (["find", "x", "--in", "elè"], ["élèves"]),
        (["list", "properties", "etat"], ["état"]),
    ):
        assert [value for value in complete(*words) if not value.startswith("other/")] == replies


def test_names_are_of_notes_that_are_there_and_may_be_shown(
    complete: Complete, garden: str, tmp_path: Path
) -> None:
    Path(garden, "other/serre chaude.md").write_text("# New\n")
    assert complete("cat", "serr") == ["serre chaude", "serre"]
    settings = Path(garden, ".obsidian/app.json")
    settings.write_text('{"userIgnoreFilters": ["private/", "other/"]}')
    assert complete("cat", "serr") == ["serre"]
    assert complete("cat", "Dia") == complete("cat", "private/") == []
    settings.write_text("{broken")
    assert complete("cat", "") == []
    # A vault without an index has names, and one that is not there none.
    fresh = tmp_path / "fresh"
    (fresh / ".obsidian").mkdir(parents=True)
    (fresh / "Only.md").write_text("one")
    assert complete("cat", "--vault", str(fresh), "") == ["Only"]
    assert complete("cat", "--vault", str(tmp_path / "none"), "") == []


def test_of_every_command_it_is_known_what_its_values_are(run: Run) -> None:
    kinds = dict[str, str]()
    for name, made in all_commands().items():
        context = made.make_context(name, [], resilient_parsing=True)
        kinds |= {f"{name} {each.name}": kind_of(context, each) for each in made.params}
        for each in made.params:
            assert each.param_type_name == "argument" or each.hidden or each.help, f"{name} {each.name}"
    held = {"cat note": "NOTE[#HEADING]", "list links": "NOTE", "mv to": ""}
    assert held.items() <= kinds.items()
    assert set(KINDS) <= {*kinds.values(), *BEHIND.values()}
    assert run("setup", "completion", "bash").out == SCRIPTS["bash"]
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in run("setup", "completion", "tcsh").err


def test_bash_is_told_words_as_it_writes_them(complete: Complete, tmp_path: Path) -> None:
    for words, replies in (
        (["cat", "'notes of"], ["notes of C#"]),
        (["cat", r"notes\ of\ C##t"], ["notes of C##Two words"]),
        (["find", "--in", "=", "oth"], ["other"]),
        (["list", "--tag", r"\#idea/"], ["#Idea/of-mine"]),
        (["cat", "zeppelin"], []),
    ):
        assert complete(*words, shell="bash") == replies
    command = tmp_path / "bin" / "vault-assistant"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m app.cli.entry "$@"\n')
    command.chmod(0o755)
    (tmp_path / "script").write_text(SCRIPTS["bash"])
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    script = (
        f'compopt() {{ :; }}; source {tmp_path / "script"}; COMP_WORDS=(vault-assistant cat "$1"); COMP_CWORD=2; '
        "_vault_assistant; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    for word, reply in (("'notes of", "notes of C#"), (r"notes\ of", r"notes\ of\ C#")):
        done = subprocess.run(
            ["bash", "-c", script, "bash", word], capture_output=True, text=True, check=True, env=environment
        )
        assert (done.stdout, done.stderr) == (f"{reply}\n", "")
