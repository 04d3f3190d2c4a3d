"""Undo: the last write or the last turn taken back to the byte, unless something changed since."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.config.settings import Settings
from app.journal import journal
from app.journal.journal import BusyError
from app.notes import apply
from app.notes.answer import operate
from app.notes.models import parse_note_request
from app.notes.undo import undo
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents
from app.vault.client import VaultClient

LOCAL = {".obsidian/app.json": json.dumps({"trashOption": "local"})}
NOTES: dict[str, str | bytes] = {"A.md": "\ufeffone [[B]]\r\n", "x/B.md": b"[[A]] \xe9\r\n", **LOCAL}


@pytest.mark.parametrize(
    ("operation", "parameters"),
    [
        ("create", {"path": "new/deep/C", "content": "c"}),
        ("create", {"path": "A", "content": "c", "overwrite": True}),
        ("update", {"path": "A", "content": "two"}),
        ("append", {"path": "A", "content": "two"}),
        ("move", {"path": "A", "new_path": "other/deep/Z"}),
        ("delete", {"path": "x/B"}),
        ("delete", {"path": "x/B", "permanent": True}),
    ],
)
def test_every_write_is_taken_back_to_the_byte(
    tiny_vault: MakeVault, run: Operate, operation: str, parameters: dict[str, object]
) -> None:
    vault = tiny_vault(NOTES)
    (vault.root / "x/B.md").chmod(0o640)
    before = contents(vault)
    assert run(vault, operation, **parameters).startswith("Done: ")
    assert contents(vault) != before
    assert run(vault, "undo").startswith("Done: take back ")
    assert contents(vault) == before
    assert sorted(path.name for path in vault.root.iterdir()) == [".obsidian", "A.md", "x"]
    assert (vault.root / "x/B.md").stat().st_mode & 0o777 == 0o640


def test_a_path_from_the_root_means_no_other_folders_note(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({})
    run(vault, "create", path="Projects/Plan", content="a")
    for operation in ("undo", "delete"):
        assert run(vault, operation, path="/Plan").startswith("Error: no ")
    assert contents(vault) == {"Projects/Plan.md": "a"}
    run(vault, "create", path="Other", content="b")
    assert run(vault, "undo", path="/projects/plan").startswith("Done")
    assert contents(vault) == {"Other.md": "b"}


def test_a_note_that_changed_since_is_left_alone(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"A.md": "a", "B.md": "[[A]]"})
    run(vault, "move", path="A", new_path="Z")
    (vault.root / "B.md").write_text("[[Z]] and mine")
    before = contents(vault)
    assert run(vault, "undo") == "Error: 'B.md' changed since it was written. nothing was taken back"
    assert contents(vault) == before


STEPS = st.one_of(
    st.tuples(
        st.just("create"), st.sampled_from(["A", "C", "x/D", "y/z/E"]), st.sampled_from(["", "[[A]]\n"])
    ),
    st.tuples(st.just("update"), st.sampled_from(["A", "B", "C"]), st.sampled_from(["new", "n\nm\n"])),
    st.tuples(st.just("append"), st.sampled_from(["A", "B", "D"]), st.sampled_from(["- x", "text"])),
    st.tuples(
        st.just("move"), st.sampled_from(["A", "B", "C"]), st.sampled_from(["A", "m/A", "x/N", "n/n/n"])
    ),
    st.tuples(st.just("delete"), st.sampled_from(["A", "B", "C", "E"]), st.just("")),
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, max_size=6), st.booleans())
def test_undo_restores_every_byte_after_any_writes(steps: list[tuple[str, str, str]], whole: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        for path, content in NOTES.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content if isinstance(content, bytes) else content.encode())
        vault = VaultClient(root, Settings(state_dir=Path(folder) / "state"))
        states = [contents(vault)]
        for operation, path, value in steps:
            parameters = {"operation": operation, "path": path}
            if operation == "move":
                parameters["new_path"] = value
            elif operation != "delete":
                parameters["content"] = value
            if operate(vault, parameters, trace_id="t").startswith("Done: "):
                states.append(contents(vault))
        if whole and len(states) > 1:
            assert operate(vault, {"operation": "undo", "content": "turn"}).startswith("Done: ")
            assert contents(vault) == states[0]
            return
        for state in reversed(states[:-1]):
            assert operate(vault, {"operation": "undo"}).startswith("Done: ")
            assert contents(vault) == state


def test_a_write_that_is_under_way_cannot_be_taken_back_yet(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault, do = tiny_vault(NOTES), apply._do

    def do_later(*given: Any) -> str | None:
        # What another process would work out now: the note is as it was before the write.
        with pytest.raises(BusyError):
            undo(vault, parse_note_request({"operation": "undo"}))
        return do(*given)

    monkeypatch.setattr(apply, "_do", do_later)
    monkeypatch.setattr(journal, "LOCK_SECONDS", 0.1)
    assert run(vault, "update", path="A", content="two").startswith("Done: ")
    monkeypatch.undo()
    assert run(vault, "undo").startswith("Done: ")
    assert vault.read("A").text == "one [[B]]\r\n"


def test_a_write_whose_process_died_is_not_said_to_be_under_way(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault, do = tiny_vault(NOTES), apply._do
    before = vault.read_bytes("A.md")

    def die(*given: Any) -> str | None:
        do(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(apply, "_do", die)
    with pytest.raises(KeyboardInterrupt):
        operate(vault, {"operation": "update", "path": "A", "content": "two"})
    # Nobody has settled it yet, as where the settings refuse writes.
    (change,) = undo(vault, parse_note_request({"operation": "undo"})).changes
    assert vault.read("A").text == "two"
    assert change.after == before
