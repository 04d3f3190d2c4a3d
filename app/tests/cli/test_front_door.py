"""What every command shares: the vault that is meant, global options, failures, help."""

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
    assert (shown.code, shown.out.startswith("Usage: vault-assistant")) == (2, True)
    assert run("--help").out == shown.out
    assert run("--version").out == f"vault-assistant {__version__}\n"


def test_shared_options_stand_before_or_after_the_command_and_the_last_wins(run: Run, garden: str) -> None:
    words = ["find", "fast", "heating"]
    assert run("--vault", garden, "--json", *words).json == run(*words, "--vault", garden, "--json").json
    assert run("--vault", "/nowhere", *words, "--vault", garden).code == 0


def test_words_that_name_no_command_are_searched_and_a_former_name_says_what_it_is_now(
    run: Run, garden: str
) -> None:
    found = run("--vault", garden, "heating", "of", "the", "greenhouse", "--json").json
    assert found["results"][0]["path"] == "projects/garden/Greenhouse.md"
    assert run("links", "of", "greenhouse", "--notes", "--vault", garden).code == 0
    assert run("stauts", "--vault", garden).err.startswith("'stauts' is searched; the command is 'status'.\n")
    for former, now in (
        ("tag garden --all", "list --tag TAG"), ("log --limit 3", "undo --list"), ("install", "setup install CLIENT"),
    ):  # fmt: skip
        refused = run(*former.split())
        assert (refused.code, refused.err) == (2, f"error: '{former.split()[0]}' is now '{now}'\n")


def test_the_flag_then_the_variable_then_the_configuration_then_the_folder_around(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    around, configured, variable, flag = (tmp_path / name for name in ("around", "file", "variable", "flag"))
    for folder in (around, configured, variable, flag):
        (folder / ".obsidian").mkdir(parents=True)
    (around / "deep").mkdir()
    monkeypatch.chdir(around / "deep")

    def used(*arguments: str) -> Path:
        return Path(run("status", "--json", *arguments).json["vault"])

    assert used() == around
    Path("config.json").write_text(json.dumps({"vault": str(configured)}))
    assert used() == around
    assert run("setup", "trust", "--yes").code == 0
    assert used() == configured
    monkeypatch.setenv("VAULT_ASSISTANT_VAULT", str(variable))
    assert used() == variable
    assert used("--vault", str(flag)) == flag


def test_without_any_the_hint_says_the_ways_to_name_one(run: Run) -> None:
    failed = run("status")
    assert (failed.code, failed.err.startswith("error: no vault named, and none around '")) == (2, True)
    for way in ("vault-assistant setup", "--vault", "VAULT_ASSISTANT_VAULT", "config.json", ".obsidian/"):
        assert way in failed.err
    failed = run("find", "fast", "x", "--vault", "/nowhere/at/all")
    assert failed.err.startswith("error: no vault at '/nowhere/at/all'\nhint: name an existing folder")


def test_a_broken_configuration_is_one_line(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "broken.json"
    missing = run("status", "--config", str(config))
    assert (missing.code, missing.err.splitlines()[0]) == (
        2,
        f"error: no configuration file at '{config}'",
    )
    config.write_text('{"chunk_chars": "many"}')
    failed = run("status", "--config", str(config))
    assert (failed.code, failed.err.startswith("error: setting 'chunk_chars'")) == (2, True)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (
            ZeroDivisionError("by\nzero"),
            2,
            "error: unexpected failure: ZeroDivisionError: by zero\nhint: run ",
        ),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_a_failure_is_one_line_and_an_interrupt_none(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str
) -> None:
    def fail(*arguments: object, **options: object) -> int:
        raise error

    monkeypatch.setattr(index_command, "_show_words", fail)
    failed = run("index", "--vault", garden)
    assert (failed.code, failed.out) == (code, "")
    assert re.match(said, failed.err) if said else failed.err == ""


def test_debug_shows_the_traceback_and_the_log(garden: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--debug", "status", "Nobody", "--vault", garden]) == 2
    said = capsys.readouterr().err
    for part in (
        "ERROR command_failed",
        "Traceback (most recent call last)",
        "\nerror: no note at 'Nobody'",
    ):
        assert part in said


def start(*arguments: str, **options: Any) -> "subprocess.Popen[str]":
    kept = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    return subprocess.Popen([*COMMAND, *arguments], cwd=ROOT, **kept)


def test_a_reader_that_goes_away_is_no_failure(garden: str) -> None:
    for number in range(40):
        Path(garden, f"Long {number}.md").write_text(f"# {number}\n" + "leek soup and more of it\n" * 20)
    reading, writing = os.pipe()
    os.close(reading)
    words = ("find", "fast", "leek", "--limit", "100", "--max-chars", "200000", "--vault", garden)
    with start(*words, stdout=writing) as process:
        os.close(writing)
        assert process.communicate(timeout=200)[1] == ""
    assert process.returncode == 0


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
    assert (process.returncode, "Rocket ? launch" in out, err) == (0, True, "")


def test_plain_commands_load_no_agent_and_no_model(garden: str) -> None:
    heavy = [
        "torch",
        "faiss",
        "sentence_transformers",
        "transformers",
        "openai",
        "anthropic",
        "pydantic_ai",
        "rich",
        "watchfiles",
    ]
    script = (
        "import sys; from app.cli.main import main\n"
        "for line in sys.argv[1:]:\n"
        "    code = main(line.split())\n"
        f"    if code or (loaded := set({heavy}) & set(sys.modules)):\n"
        "        sys.exit(f'{line}: {code}, loaded {loaded}')\n"
    )
    commands = ("index", "find fast heating", "find by_tag --tags garden", "find --help", "cat Home")
    more = ("status Home --json", "status", "--help", "ask How is the greenhouse heated?")
    ended = subprocess.run(
        [sys.executable, "-c", script, *commands, *more],
        cwd=ROOT,
        env={**os.environ, "VAULT_ASSISTANT_VAULT": garden},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_search_loads_nothing_that_reads_notes(run: Run, garden: str) -> None:
    run("index", "--vault", garden)
    script = "import sys; from app.cli.main import main; main(sys.argv[1:]); print(*sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", script, "find", "fast", "heating", "--vault", garden],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert {"yaml", "markdown_it", "frontmatter"}.isdisjoint(ended.stdout.split())
