"""``index`` and ``status``."""

import json
import os
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from app.tests.cli.conftest import Run
from app.tests.conformance.test_notes import FOLLOWING

EXPECTED_KEYS = {
    "title", "h1", "aliases", "frontmatter", "tags", "headings", "tasks", "blocks", "links", "unresolved",
    "self_link", "backlinks", "dates",
}  # fmt: skip


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


def test_excluded_notes_count_neither_in_index_nor_in_status(run: Run, garden: str) -> None:
    shown = run("index", "--json", "--vault", garden).json["total"]
    assert run("status", "--json", "--vault", garden).json["notes"] == shown
    Path(garden, "private", "Letter.md").write_text("secret\n")
    assert run("index", "--vault", garden).out.startswith(
        f"{shown} notes in the index: 0 written, 0 deleted, "
    )
    Path(garden, "private", "Letter.md").unlink()
    assert run("index", "--vault", garden).out.startswith(
        f"{shown} notes in the index: 0 written, 0 deleted, "
    )
    assert run("status", "--json", "--vault", garden).json["notes"] == shown


def test_an_unknown_index_is_named(run: Run, garden: str) -> None:
    for command in ("index", "status"):
        failed = run(command, "--index", "other", "--vault", garden)
        assert (failed.code, failed.err) == (2, "error: unknown index 'other'\nhint: valid: notes\n")


def test_status_says_what_is_searched_and_what_is_not(run: Run, garden: str) -> None:
    before = run("status", "--json", "--vault", garden).json
    assert (before["notes"], before["pending"]) == (0, 4)
    run("index", "--vault", garden)
    after = run("status", "--json", "--vault", garden).json
    assert (after["notes"], after["pending"]) == (3, 0)
    assert after["excluded"] == ["private/Diary.md"]
    assert after["model"] == "offline assistant"
    shown = run("status", "--vault", garden).out
    assert "excluded: 1 (hidden by the vault's setting 'excluded files')\n  private/Diary.md\n" in shown
    assert "problems" not in shown


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


def test_status_of_an_unreadable_note_says_so(run: Run, garden: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(garden, "Long.md").write_text("long " * 300)
    monkeypatch.setenv("VAULT_ASSISTANT_MAX_NOTE_BYTES", "1000")
    run("index", "--vault", garden)
    Path(garden, "Home.md").write_text("grown " * 300)
    for name, size in (("Long", 1500), ("Home", 1800)):
        note = run("status", name, "--json", "--vault", garden).json
        problem = f"'{name}.md' is too large: {size} bytes"
        assert (note["indexed"], note["searched"], note["problems"]) == (True, False, [problem])
        assert note["why"] == f"it cannot be read: {problem}; only its name is found"


def test_notes_that_are_not_read_whole_are_told_when_they_are_indexed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "Bad.md").write_text("---\ntitle: a: b\n---\nLarch.\n")
    (tmp_path / "Good.md").write_text("Larch.\n")
    for note in tmp_path.iterdir():
        os.utime(note, (1.7e9, 1.7e9))
    first = run("index", "--vault", str(tmp_path))
    said = "1 note could not be read whole, the first 'Bad.md'; 'vault-assistant status' says why."
    assert said in " ".join(first.err.split())
    assert "read whole" not in run("index", "--vault", str(tmp_path)).err
    assert "Bad.md: properties not read: line 2" in run("status", "--vault", str(tmp_path)).out


def test_a_note_counts_excluded_notes_among_the_backlinks(run: Run, garden: str) -> None:
    info = run("status", "Home", "--json", "--vault", garden).json
    assert info["backlinks"] == ["private/Diary.md", "projects/garden/Greenhouse.md"]
    assert info["unresolved"] == ["Missing"]


def test_what_is_said_of_a_note_agrees_with_the_conformance_vault(run: Run) -> None:
    folder = Path(__file__).parents[1] / "conformance" / "data"
    expected: dict[str, Any] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert len(expected["notes"]) == 48
    at = ("--vault", str(folder / "vault"))
    assert run("index", *at).code == 0
    for path, wanted in expected["notes"].items():
        info = run("status", path, "--json", *at).json
        for key in EXPECTED_KEYS:
            right = [FOLLOWING.get((path, key), wanted[key]), *wanted.get("alt", {}).get(key, [])]
            assert comparable(key, info[key]) in [comparable(key, value) for value in right], (path, key)


def comparable(key: str, value: Any) -> Any:
    """Give lists that have no order of their own one, and paths one Unicode form."""
    if isinstance(value, list):
        texts = [normalize("NFC", json.dumps(item, ensure_ascii=False)) for item in value]
        return texts if key in ("headings", "tasks") else sorted(texts)
    return value
