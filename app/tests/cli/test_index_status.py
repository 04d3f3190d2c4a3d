"""``index`` and ``status``."""

import os
from pathlib import Path

import pytest

from app.tests.cli.conftest import Run


def test_index_counts_what_it_did(run: Run, garden: str) -> None:
    first = run("index", "--json", "--vault", garden).json
    assert (first["total"], first["written"], first["deleted"]) == (3, 3, 0)
    Path(garden, "serre.md").unlink()
    Path(garden, "New.md").write_text("# New\n")
    os.utime(Path(garden, "New.md"), (1.7e9, 1.7e9))
    second = run("index", "--vault", garden)
    assert second.out.startswith("3 notes in the index: 1 written, 1 deleted, ")
    assert second.err == ""
    assert run("index", "--vault", garden).out.startswith("3 notes in the index: 0 written, 0 deleted, ")
    assert run("index", "--rebuild", "--vault", garden).out.startswith("3 notes in the index: 3 written, ")


def test_status_reports_problems_with_their_reason(run: Run, garden: str) -> None:
    Path(garden, "Broken.md").write_bytes(b"---\na: [\n---\n# Broken \xff\n")
    run("index", "--vault", garden)
    problems = run("status", "--json", "--vault", garden).json["problems"]
    assert {problem["path"] for problem in problems} == {"Broken.md"}
    assert any("UTF-8" in problem["reason"] for problem in problems)
    assert (
        "  Broken.md: not valid UTF-8, first at byte 22; replaced\n" in run("status", "--vault", garden).out
    )
    french = run("--lang", "fr", "status", "--vault", garden).out
    assert "  Broken.md: n'est pas en UTF-8 valide, d'abord à l'octet 22 ; remplacé" in french.replace(
        "\xa0", " "
    )


def test_status_of_one_note_says_why(run: Run, garden: str) -> None:
    fresh = run("status", "Home", "--json", "--vault", garden).json
    assert (fresh["indexed"], fresh["searched"]) == (False, False)
    assert fresh["why"].startswith("new: the next search")
    run("index", "--vault", garden)
    home = run("status", "Home", "--json", "--vault", garden).json
    assert (home["path"], home["indexed"], home["searched"]) == ("Home.md", True, True)
    assert home["why"] == "it is in the index, and no rule leaves it out"
    # The person's own command counts excluded notes among the backlinks.
    assert home["backlinks"] == ["private/Diary.md", "projects/garden/Greenhouse.md"]
    assert (home["unresolved"], home["h1"]) == (["Missing"], "Home")
    diary = run("status", "private/Diary", "--json", "--vault", garden).json
    assert diary["searched"] is False
    assert "excluded files" in diary["why"]
    missing = run("status", "Nobody", "--vault", garden)
    assert missing.code == 2
    assert missing.err.startswith("error: no note at 'Nobody'")


def test_index_says_which_notes_are_too_large_to_be_read(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told() -> str:
        return " ".join(run("index", "--vault", garden).err.split())

    assert "max_note_bytes" not in told()
    monkeypatch.setenv("VAULT_ASSISTANT_MAX_NOTE_BYTES", "1000")
    Path(garden, "Long.md").write_text("long " * 300)
    Path(garden, "private", "Long.md").write_text("long " * 300)
    assert (
        "1 note is larger than the setting 'max_note_bytes' (1000) and found by name only, the first 'Long.md'; "
        "set it to 1500 to have it read"
    ) in told()
    Path(garden, "Longer.md").write_text(("sapling " * 313)[:2500])
    assert "2 notes are larger" in (said := told())
    assert "set it to 2500 to have all read" in said
    monkeypatch.setenv("VAULT_ASSISTANT_MAX_NOTE_BYTES", "2500")
    assert "max_note_bytes" not in told()
    assert run("find", "sapling", "-l", "--vault", garden).out.endswith("/Longer.md\n")


def test_status_says_what_is_searched_and_counts_no_excluded_note(run: Run, garden: str) -> None:
    before = run("status", "--json", "--vault", garden).json
    assert (before["notes"], before["pending"]) == (0, 3)
    run("index", "--vault", garden)
    assert run("status", "--json", "--vault", garden).json["pending"] == 0
    Path(garden, "private", "Letter.md").write_text("secret\n")
    assert run("index", "--vault", garden).out.startswith("3 notes in the index: 0 written, 0 deleted, ")
    after = run("status", "--json", "--vault", garden).json
    assert (after["notes"], after["model"]) == (3, "offline assistant")
    assert after["excluded"] == ["private/Diary.md", "private/Letter.md"]
    shown = run("status", "--vault", garden).out
    assert "excluded: 2 (hidden by the vault's setting 'excluded files')\n  private/Diary.md\n" in shown
    for name in "ab":
        Path(garden, f"private/{name}.md").write_text("x\n")
    assert "private/a.md\n  … and 1 more; --json shows all\n" in run("status", "--vault", garden).out
    assert "problems" not in shown
