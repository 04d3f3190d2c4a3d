"""The journal: private, bounded, whole after a crash, outside the vault."""

import errno
import json
import os
import stat
from pathlib import Path

import pytest

from app.config.settings import ENV_PREFIX
from app.journal import journal as journal_module
from app.journal import lines
from app.journal.journal import Journal
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents


def folder_of(state: Path) -> Path:
    (folder,) = (state / "journal").iterdir()
    return folder


def test_only_their_owner_can_read_earlier_contents(
    tiny_vault: MakeVault, run: Operate, own_environment: Path
) -> None:
    vault = tiny_vault({"A.md": "one"})
    run(vault, "update", path="A", content="two")
    modes = {
        entry.name: stat.S_IMODE(entry.stat().st_mode)
        for entry in [folder_of(own_environment / "state"), *folder_of(own_environment / "state").rglob("*")]
    }
    assert set(modes.values()) == {0o600, 0o700}
    assert [entry.name for entry in vault.root.iterdir()] == ["A.md"]


def test_a_line_cut_short_by_a_crash_is_passed_over(
    tiny_vault: MakeVault, run: Operate, own_environment: Path
) -> None:
    vault = tiny_vault({"A.md": "1"})
    run(vault, "update", path="A", content="2")
    with (folder_of(own_environment / "state") / "writes.jsonl").open("ab") as file:
        file.write(b'{"id": "abc", "fil')
    run(vault, "update", path="A", content="3")
    for expected in ("2", "1"):
        assert run(vault, "undo").startswith("Done: ")
        assert contents(vault) == {"A.md": expected}


def test_the_oldest_writes_are_forgotten(
    tiny_vault: MakeVault, run: Operate, own_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "MAX_ENTRIES", 10)
    vault = tiny_vault({"A.md": "0"})
    for number in range(1, 31):
        run(vault, "update", path="A", content=str(number))
    entries = Journal(vault).entries()
    assert 10 <= len(entries) <= 12
    kept = {entry.name for entry in (folder_of(own_environment / "state") / "contents").iterdir()}
    assert kept == {entry.files[0].before for entry in entries}
    for expected in ("29", "28", "27"):
        assert run(vault, "undo").startswith("Done: ")
        assert contents(vault) == {"A.md": expected}


@pytest.mark.parametrize(
    ("folder", "error"),
    [("vault/state", "Error: the journal would lie in the vault"), ("file", "Error: the journal in ")],
)
def test_without_a_journal_outside_the_vault_nothing_is_written(
    tiny_vault: MakeVault,
    run: Operate,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    folder: str,
    error: str,
) -> None:
    monkeypatch.delenv(ENV_PREFIX + "STATE_DIR")
    (tmp_path / "file").write_text("")
    vault = tiny_vault({"A.md": "one"}, state_dir=tmp_path / folder)
    assert run(vault, "update", path="A", content="two").startswith(error)
    assert contents(vault) == {"A.md": "one"}


@pytest.mark.parametrize("failing", ["append_line", "_prune"])
def test_a_write_that_is_done_is_done_when_the_journal_cannot_be_completed(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    vault = tiny_vault({"A.md": "one"})
    append = lines.append_line

    def full(file: object, value: object = None) -> None:
        if isinstance(file, Path) and isinstance(value, dict) and "done" not in value:
            append(file, value)
            return
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(journal_module if failing == "append_line" else Journal, failing, full)
        answer = run(vault, "update", path="A", content="two")
    done, _, notice = answer.splitlines()[:3]
    assert done == "Done: update 'A.md'."
    assert notice == (
        "(update is done, but the journal could not be completed: No space left on device; "
        "the next command completes it)"
    )
    assert contents(vault) == {"A.md": "two"}
    assert run(vault, "undo").startswith("Done: ")
    assert contents(vault) == {"A.md": "one"}


def test_a_content_that_is_gone_is_an_error(
    tiny_vault: MakeVault, run: Operate, own_environment: Path
) -> None:
    vault = tiny_vault({"A.md": "one"})
    run(vault, "update", path="A", content="two")
    (content,) = (folder_of(own_environment / "state") / "contents").iterdir()
    content.write_text("tampered")
    assert run(vault, "undo").startswith("Error: the earlier content")
    content.unlink()
    assert "is not kept any more" in run(vault, "undo")
    assert contents(vault) == {"A.md": "two"}


def test_lines_are_json_without_the_notes_text(
    tiny_vault: MakeVault, run: Operate, own_environment: Path
) -> None:
    vault = tiny_vault({"A.md": "private words"})
    run(vault, "update", path="A", content="other words", trace_id="turn-1")
    data = (folder_of(own_environment / "state") / "writes.jsonl").read_bytes()
    first, second = (json.loads(line) for line in data.splitlines())
    assert (first["operation"], first["trace_id"], second["done"]) == ("update", "turn-1", first["id"])
    assert b"words" not in data
    assert os.listdir(folder_of(own_environment / "state") / "contents") == [first["files"][0]["before"]]  # noqa: PTH208


def test_earlier_contents_are_bounded_but_the_last_write_is_kept(
    tiny_vault: MakeVault, run: Operate, own_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "MAX_BYTES", 1000)
    vault = tiny_vault({"A.md": "0" * 900})
    for number in range(1, 5):
        run(vault, "update", path="A", content=str(number) * 900)
    assert len(list((folder_of(own_environment / "state") / "contents").iterdir())) == 1
    run(vault, "undo")
    assert contents(vault) == {"A.md": "3" * 900}
