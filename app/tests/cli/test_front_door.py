"""What every command shares: the vault that is meant, global options, failures, help."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from app import __version__
from app.cli import index as index_command
from app.cli.main import main
from app.tests.cli.conftest import GARDEN, Run

COMMAND = [sys.executable, "-m", "app.cli.main"]
ROOT = Path(__file__).parents[3]


def test_without_arguments_the_help_is_shown_where_nobody_can_pick(run: Run) -> None:
    shown = run()
    assert shown.code == 2
    assert shown.out.startswith("Usage: vault-assistant")
    assert run("--help").out == shown.out


def test_version(run: Run) -> None:
    assert run("--version").out == f"vault-assistant {__version__}\n"


@pytest.mark.parametrize("place", ["before", "after"])
def test_shared_options_stand_before_or_after_the_command(run: Run, garden: str, place: str) -> None:
    shared = ["--vault", garden, "--json"]
    words = ["find", "fast", "heating"]
    found = run(*shared, *words) if place == "before" else run(*words, *shared)
    assert found.json["total"] == 1


def test_an_option_after_the_command_wins(run: Run, garden: str) -> None:
    assert run("--vault", "/nowhere", "status", "--vault", garden).code == 0


def test_words_that_name_no_command_are_searched_and_a_former_name_says_what_it_is_now(
    run: Run, garden: str
) -> None:
    found = run("--vault", garden, "heating", "of", "the", "greenhouse", "--json").json
    assert found["results"][0]["path"] == "projects/garden/Greenhouse.md"
    assert run("links", "of", "greenhouse", "--notes", "--vault", garden).code == 0
    assert run("stauts", "--vault", garden).err.startswith("'stauts' is searched; the command is 'status'.\n")
    for former, now in (
        ("tags", "list tags"), ("tag garden --all", "list --tag TAG"), ("log --limit 3", "undo --list"),
        ("install", "setup install CLIENT"), ("open x --print", "edit --obsidian NOTE"),
    ):  # fmt: skip
        refused = run(*former.split())
        assert (refused.code, refused.err) == (2, f"error: '{former.split()[0]}' is now '{now}'\n")


class TestWhichVault:
    @pytest.fixture
    def vaults(self, tmp_path: Path) -> dict[str, Path]:
        folders = {}
        for name in ("flag", "variable", "configured", "around", "work"):
            folders[name] = tmp_path / name
            (folders[name] / ".obsidian").mkdir(parents=True)
        return folders

    def used(self, run: Run, *arguments: str) -> str:
        return str(run("status", "--json", *arguments).json["vault"])

    def test_the_flag_then_the_variable_then_the_configuration_then_the_folder_around(
        self, run: Run, vaults: dict[str, Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        inside = vaults["around"] / "deep" / "er"
        inside.mkdir(parents=True)
        monkeypatch.chdir(inside)
        assert self.used(run) == str(vaults["around"])
        (inside / "config.json").write_text(json.dumps({"vault": str(vaults["configured"])}))
        assert self.used(run) == str(vaults["around"])
        assert run("setup", "trust", "--yes").code == 0
        assert self.used(run) == str(vaults["configured"])
        monkeypatch.setenv("VAULT_ASSISTANT_VAULT", str(vaults["variable"]))
        assert self.used(run) == str(vaults["variable"])
        assert self.used(run, "--vault", str(vaults["flag"])) == str(vaults["flag"])

    def test_a_configured_name_stands_for_its_folder_and_brings_its_indexes(
        self, run: Run, vaults: dict[str, Path], tmp_path: Path
    ) -> None:
        own = {"default": "words", "indexes": {"words": {"embedding_model": None}}}
        entry = {"path": str(vaults["work"]), "index": own}
        config = tmp_path / "mine.json"
        config.write_text(json.dumps({"vaults": {"work": entry}}))
        for named in ("work", str(vaults["work"])):
            shown = run("status", "--json", "--vault", named, "--config", str(config)).json
            assert (shown["vault"], shown["index"]) == (str(vaults["work"]), "words")

    def test_without_any_the_hint_says_the_ways_to_name_one(self, run: Run) -> None:
        failed = run("status")
        assert failed.code == 2
        assert failed.err.startswith("error: no vault named, and none around '")
        for way in (
            "'vault-assistant setup' asks",
            "--vault",
            "VAULT_ASSISTANT_VAULT",
            "config.json",
            ".obsidian/",
        ):
            assert way in failed.err

    def test_a_folder_that_is_not_there_is_named(self, run: Run) -> None:
        failed = run("find", "fast", "x", "--vault", "/nowhere/at/all")
        assert failed.code == 2
        assert failed.err.startswith("error: no vault at '/nowhere/at/all'\nhint: name an existing folder")

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("{", "error: cannot read the configuration"),
            ("[]", "is not a JSON object"),
            ('{"chunk_chars": "many"}', "error: setting 'chunk_chars'"),
            ('{"colour": 1}', "error: setting 'colour'"),
        ],
    )
    def test_a_broken_configuration_is_one_line(self, run: Run, tmp_path: Path, text: str, said: str) -> None:
        config = tmp_path / "broken.json"
        config.write_text(text)
        failed = run("status", "--config", str(config))
        assert failed.code == 2
        assert said in failed.err.splitlines()[0]

    def test_a_configuration_that_is_not_there_is_named(self, run: Run) -> None:
        assert run("status", "--config", "no.json").err.startswith(
            "error: no configuration file at 'no.json'"
        )


class TestFailures:
    def broken(self, error: BaseException) -> Any:
        def fail(*arguments: object, **options: object) -> int:
            raise error

        return fail

    def test_a_bug_is_one_line_and_the_way_to_see_more(
        self, run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(index_command, "_show_words", self.broken(ZeroDivisionError("by\nzero")))
        failed = run("index", "--vault", garden)
        assert failed.code == 2
        assert failed.err == (
            "error: unexpected failure: ZeroDivisionError: by zero\nhint: run again with --debug\n"
        )

    def test_debug_shows_the_traceback_and_the_log(
        self, garden: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["--debug", "status", "Nobody", "--vault", garden]) == 2
        said = capsys.readouterr().err
        assert "ERROR command_failed" in said
        assert "Traceback (most recent call last)" in said
        assert "\nerror: no note at 'Nobody'" in said

    def test_an_interrupt_ends_quietly_with_130(
        self, run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(index_command, "_show_words", self.broken(KeyboardInterrupt()))
        ended = run("index", "--vault", garden)
        assert (ended.code, ended.out, ended.err) == (130, "", "")

    def test_a_full_disk_is_one_line(self, run: Run, garden: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(index_command, "_show_words", self.broken(OSError(errno.ENOSPC, "No space left")))
        failed = run("index", "--vault", garden)
        assert failed.code == 2
        assert "No space left" in failed.err.splitlines()[0]


def start(*arguments: str, **options: Any) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*COMMAND, *arguments], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


def test_a_reader_that_goes_away_is_no_failure(garden: str) -> None:
    for number in range(40):
        Path(garden, f"Long {number}.md").write_text(f"# {number}\n" + "leek soup and more of it\n" * 20)
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [*COMMAND, "find", "fast", "leek", "--limit", "100", "--max-chars", "200000", "--vault", garden],
        cwd=ROOT,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.usefixtures("interruptible")
def test_control_c_ends_a_watching_index_quietly(tmp_path: Path) -> None:
    (tmp_path / "A.md").write_text(GARDEN["Home.md"])
    with start("index", "--watch", "--vault", str(tmp_path)) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("1 note in the index: 1 written, 0 deleted")
        (tmp_path / "B.md").write_text("# B\n")
        assert process.stdout.readline().startswith("2 notes in the index: 1 written, 0 deleted")
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=200)
    assert process.returncode == 130
    # The system may report one new file in several steps.
    assert all(line.startswith("2 notes in the index") for line in out.splitlines())
    assert err == "Watching for changes; Ctrl-C ends.\n"


def test_what_a_terminal_cannot_show_is_replaced(garden: str) -> None:
    Path(garden, "Emoji.md").write_text("# Rocket 🚀 launch\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    with start("find", "fast", "rocket", "--vault", garden, env=environment, encoding="latin-1") as process:
        out, err = process.communicate(timeout=200)
    assert process.returncode == 0
    assert "Rocket ? launch" in out
    assert err == ""


def in_its_own_process(script: str, garden: str, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        env={**os.environ, "VAULT_ASSISTANT_VAULT": garden},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["find", "fast", "heating"],
        ["find", "by_tag", "--tags", "garden"],
        ["find", "--help"],
        ["cat", "Home"],
        ["status", "Home", "--json"],
        ["index"],
        ["status"],
        ["--help"],
        ["ask", "How is the greenhouse heated?"],
    ],
    ids=" ".join,
)
def test_plain_commands_load_no_agent_and_no_model(garden: str, arguments: list[str]) -> None:
    script = (
        "import sys; from app.cli.main import main; code = main(sys.argv[1:]);"
        "heavy = {'torch', 'faiss', 'sentence_transformers', 'transformers', 'openai', 'anthropic',"
        " 'pydantic_ai', 'rich', 'watchfiles'};"
        "sys.exit(f'loaded {heavy & set(sys.modules)}' if heavy & set(sys.modules) else code)"
    )
    ended = in_its_own_process(script, garden, arguments)
    # `status` proposes what the vault has not been given yet.
    said = NOT_INDEXED if arguments == ["status"] else ""
    assert (ended.returncode, ended.stderr) == (0, said)


NOT_INDEXED = "nothing is indexed yet: 'vault-assistant index' does it, and so does the first search.\n"
"""What a search in a vault that has not changed has no use for; half its time goes into imports."""


@pytest.mark.parametrize(
    "command",
    [
        "mv Home {} --yes",
        "new {}",
        "cat {}",
    ],
)
@pytest.mark.parametrize(("name", "size"), [("a" * 300, 300), ("é" * 140, 280), ("a" * 300 + "/b", 300)])
def test_too_long_a_name_is_refused_with_the_limit_by_every_command(
    run: Run, garden: str, command: str, name: str, size: int
) -> None:
    said = run(*(part.format(name) for part in command.split()), "--vault", garden)
    assert (said.code, said.out) == (2, "")
    # What `new` would make has its ending already.
    assert re.search(f"the name '{name[:40]}…' has ({size}|{size + 3}) bytes", said.err)
    assert "hint: 255 are the most" in said.err
