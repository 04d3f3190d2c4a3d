"""``note``: reading, changing with a person's consent, and what the parser sees."""

import io
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import output
from app.tests.cli.conftest import Run
from app.tests.cli.session import Session

ROOT = Path(__file__).parents[3]


def test_read_prints_the_note_as_it_stands_also_an_excluded_one(run: Run, garden: str) -> None:
    shown = run("note", "read", "Home", "--vault", garden)
    assert (shown.code, shown.out) == (0, "# Home\n\nSee [[Greenhouse]] and [[Missing]].\n")
    assert "The secret of the greenhouse" in run("note", "read", "private/Diary", "--vault", garden).out


def test_read_takes_a_part(run: Run, garden: str) -> None:
    part = run("note", "read", "Greenhouse", "--lines", "7-8", "--vault", garden).out
    assert part == "The heating of the greenhouse\nis electric. Back to [[Home]].\n"
    rest = run("note", "read", "Greenhouse", "--lines", "7:4-7", "--vault", garden).out
    assert rest == "heating of the greenhouse\n"
    section = run("note", "read", "Greenhouse", "--heading", "Greenhouse", "--vault", garden).out
    assert section.startswith("# Greenhouse\n")


def test_read_never_ends_before_the_note_does(run: Run, garden: str) -> None:
    text = "".join(f"line {number} é\r\n" for number in range(2000))
    Path(garden, "Long.md").write_bytes(text.encode())
    assert run("note", "read", "Long", "--vault", garden).out == text
    last = run("note", "read", "Long", "--lines", "1999-", "--vault", garden).out
    assert last == "line 1998 é\r\nline 1999 é\r\n"


def test_read_frames_the_note_for_agents_within_their_budget(run: Run, garden: str) -> None:
    shown = run("note", "read", "Home", "--agent", "--vault", garden)
    assert "<note>\n# Home\n\nSee [[Greenhouse]] and [[Missing]].\n</note>" in shown.out
    assert run("note", "read", "Home", "--max-chars", "5999", "--vault", garden).out == shown.out
    Path(garden, "Long.md").write_text("word\n" * 3000, encoding="utf-8")
    assert len(run("note", "read", "Long", "--agent", "--vault", garden).out) <= 6001


def test_read_refuses_a_note_that_is_no_longer_what_was_read(run: Run, garden: str) -> None:
    refused = run("note", "read", "Home", "--expected-hash", "1", "--vault", garden)
    assert (refused.code, refused.out) == (2, "")


def test_info_counts_excluded_notes_among_the_backlinks(run: Run, garden: str) -> None:
    info = run("note", "info", "Home", "--json", "--vault", garden).json
    assert info["backlinks"] == ["private/Diary.md", "projects/garden/Greenhouse.md"]
    assert info["unresolved"] == ["Missing"]


def test_with_yes_a_note_is_written_and_taken_back(run: Run, garden: str) -> None:
    note = Path(garden, "New.md")
    made = run("note", "create", "New", "--content", "# New\n", "--yes", "--vault", garden)
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith("Done: create 'New.md'.")
    assert note.read_text() == "# New\n"
    run("note", "append", "New", "--content", "more", "-y", "--vault", garden)
    assert note.read_text() == "# New\n\nmore\n"
    assert run("note", "undo", "--yes", "--vault", garden).code == 0
    assert note.read_text() == "# New\n"


def test_nobody_to_ask_means_the_diff_an_error_and_no_write(run: Run, garden: str) -> None:
    refused = run("note", "append", "Home", "--content", "more", "--vault", garden)
    assert refused.code == 2
    assert refused.out == ""
    assert "+more" in refused.err
    assert refused.err.endswith("error: nothing was written: nobody is here to approve it\nhint: add --yes\n")
    assert "more" not in Path(garden, "Home.md").read_text()


@pytest.mark.parametrize(("answer", "code", "written"), [("y\n", 0, True), ("n\n", 1, False), ("", 1, False)])
def test_a_person_is_shown_the_diff_and_asked(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch, answer: str, code: int, written: bool
) -> None:
    monkeypatch.setattr(output, "is_interactive", lambda: True)
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
    done = run("note", "append", "Home", "--content", "more", "--vault", garden)
    assert done.code == code
    assert "+more\nWrite this? [y/N] " in done.err
    assert ("more" in Path(garden, "Home.md").read_text()) is written
    assert done.out.startswith("Done: append" if written else "Nothing was written: append to 'Home.md'")


def test_content_comes_from_a_file_or_standard_input(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = tmp_path / "text.md"
    text.write_text("été\r\n", encoding="utf-8", newline="")
    run("note", "create", "F", "--file", str(text), "--yes", "--vault", garden)
    assert Path(garden, "F.md").read_bytes() == "été\r\n".encode()
    monkeypatch.setattr(sys, "stdin", io.StringIO("from a pipe\n"))
    run("note", "create", "P", "--yes", "--vault", garden)
    assert Path(garden, "P.md").read_text() == "from a pipe\n"


@pytest.mark.parametrize("piped", ["", "\n"])
@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["update", "Home"], "--content, --file or standard input; --content '' to empty a note on purpose"),
        (["update", "Home", "--heading", "Home"], "--content '' to empty a note on purpose"),
        (["create", "Home", "--overwrite"], "--content '' to make it empty on purpose"),
        (["append", "Home"], "give --content, --file or standard input"),
    ],
)
def test_an_empty_pipe_is_no_content(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch, arguments: list[str], hint: str, piped: str
) -> None:
    before = Path(garden, "Home.md").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.StringIO(piped))
    failed = run("note", *arguments, "--yes", "--vault", garden)
    assert (failed.code, failed.out) == (2, "")
    first, second = failed.err.splitlines()
    assert first == f"error: no content came for {arguments[0]}"
    assert second.endswith(hint)
    assert Path(garden, "Home.md").read_bytes() == before


def test_a_note_is_emptied_on_purpose(run: Run, garden: str) -> None:
    assert run("note", "update", "Home", "--content", "", "--yes", "--vault", garden).code == 0
    assert Path(garden, "Home.md").read_bytes() == b""


def test_a_new_note_may_be_empty(run: Run, garden: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run("note", "create", "New", "--yes", "--vault", garden).code == 0
    assert Path(garden, "New.md").read_bytes() == b""


def test_move_rewrites_links(run: Run, garden: str) -> None:
    moved = run("note", "move", "Greenhouse", "--new-path", "Glasshouse", "--yes", "--vault", garden)
    assert moved.code == 0
    assert "[[Glasshouse]]" in Path(garden, "Home.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["read", "Nobody"], "no note at 'Nobody'"),
        (["read", "../secret"], "leads out of the vault"),
        (["read"], "'path' required for read"),
        (["paint", "Home"], "Unknown operation: paint"),
        (["read", "Home", "--new-path", "X"], "'--new-path' is of no use to read"),
        (["create", "Home", "--content", "x", "--yes"], "there is a note at 'Home.md' already"),
        (["append", "Home", "--content", "x", "--expected-hash", "00", "--yes"], "changed since"),
        (["append", "Home", "--content", "x", "--file", "y"], "--content and --file both give the text"),
        (["create", "N", "--file", "nowhere.md"], "cannot read 'nowhere.md'"),
        (["undo", "--yes"], "no write that could be taken back"),
        (["move", "Home", "New home"], "'New home' stands behind the note's path, and move takes one path only"),
    ],
)  # fmt: skip
def test_a_bad_request_is_one_error_line(run: Run, garden: str, arguments: list[str], said: str) -> None:
    failed = run("note", *arguments, "--vault", garden)
    assert failed.code == 2
    assert failed.out == ""
    assert failed.err.startswith("error: ")
    assert said in failed.err.splitlines()[0]


def test_json_wraps_the_answer(run: Run, garden: str) -> None:
    done = run("note", "append", "Home", "--content", "x", "--yes", "--json", "--vault", garden).json
    assert (done["operation"], done["path"], done["done"]) == ("append", "Home", True)
    assert done["answer"].startswith("Done: append to 'Home.md'.")


def test_what_a_person_has_just_approved_is_not_shown_again(garden: str) -> None:
    command = ("note", "append", "Home", "--content", "more", "--vault", garden)
    with Session(*command, piped=True) as session:
        session.wait_for("+more")
        session.type("y\n")
        assert session.end() == 0
        assert re.fullmatch(r"Done: append to 'Home\.md'\.\nhash [0-9a-f]{32}\n", session.piped)
    assert Path(garden, "Home.md").read_text().endswith("\nmore\n")


def test_undo_of_a_note_takes_back_its_last_write_as_help_says(run: Run, garden: str) -> None:
    for name in ("Home", "serre"):
        run("note", "append", name, "--content", "more", "--yes", "--vault", garden)
    assert run("note", "undo", "Home", "--yes", "--vault", garden).code == 0
    assert "more" not in Path(garden, "Home.md").read_text()
    assert "more" in Path(garden, "serre.md").read_text()
    shown = " ".join(run("note", "undo", "--help").out.split())
    assert "The note, from the vault's root; undo takes back its last write." in shown


def test_on_a_real_terminal_the_diff_has_colours_and_enter_means_no(garden: str) -> None:
    primary, secondary = pty.openpty()
    command = [sys.executable, "-m", "app.cli.main", "note", "append", "Home", "--content", "more"]
    with subprocess.Popen(
        [*command, "--vault", garden],
        cwd=ROOT,
        stdin=secondary,
        stdout=subprocess.PIPE,
        stderr=secondary,
        env={**os.environ, "TERM": "xterm"},
    ) as process:
        os.close(secondary)
        screen = read_until(primary, b"[y/N] ")
        os.write(primary, b"\n")
        out, _ = process.communicate(timeout=200)
    os.close(primary)
    assert b"\x1b[32m+more\x1b[0m" in screen
    assert process.returncode == 1
    assert out == b"Nothing was written: append to 'Home.md' was declined.\n"
    assert "more" not in Path(garden, "Home.md").read_text()


def read_until(terminal: int, end: bytes, seen: bytes = b"") -> bytes:
    """Read what a terminal shows, to an end that must come; ``seen`` was read before and may hold it."""
    while end not in seen:
        # Given up before the time limit of the test, which could not end the wait for the process after it.
        waiting = select.poll()
        waiting.register(terminal, select.POLLIN)
        assert waiting.poll(100_000), seen
        seen += os.read(terminal, 4096)
    return seen


def test_programs_are_answered_in_english_whatever_the_screen_speaks(run: Run, garden: str) -> None:
    made = run(
        "note", "create", "Essai", "--content", "x", "--yes", "--json", "--lang", "fr", "--vault", garden
    )
    assert made.json["answer"].startswith("Done: create 'Essai.md'.\nhash ")
