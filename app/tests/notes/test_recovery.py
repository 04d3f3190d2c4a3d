"""Writes cut short or failing at any step: whole or not at all by the next ordinary command."""

import errno
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from app.dependencies import VaultClient
from app.files import atomic
from app.notes.journal import Journal
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents

NOTES: dict[str, str | bytes] = {
    "A.md": "alpha [[B]]\n",
    "B.md": "to [[A]]\n",
    "x/C.md": "to [[A]] too\n",
    "y/D.md": "also [[A]]\n",
    ".obsidian/app.json": json.dumps({"trashOption": "local"}),
}
WRITES: dict[str, dict[str, Any]] = {
    "create": {"operation": "create", "path": "new/deep/N", "content": "n"},
    "update": {"operation": "update", "path": "A", "content": "two"},
    "append": {"operation": "append", "path": "x/C", "content": "more"},
    "move": {"operation": "move", "path": "A", "new_path": "other/deep/Z"},
    "delete": {"operation": "delete", "path": "x/C"},
    "delete for good": {"operation": "delete", "path": "x/C", "permanent": True},
    "undo": {"operation": "undo", "content": "turn"},
}
CALLS = (
    "rename",
    "replace",
    "link",
    "unlink",
    "mkdir",
    "rmdir",
    "fsync",
    "write",
    "ftruncate",
    "fchmod",
    "utime",
)


class Killed(BaseException):
    """The process is no more; it is caught by nobody."""


class Calls:
    """Counts the calls that change files, and lets one of them kill or fail.

    After a kill every further call is refused, so that no clean-up runs that a dead process could not run.
    """

    def __init__(self, at: int, how: str, number: int = 0) -> None:
        self.count, self.at, self.how, self.number = 0, at, how, number
        self.dead = False

    def wrap(self, call: Callable[..., Any], swallows: bool = False) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **named: Any) -> Any:
            if self.dead:
                raise Killed
            self.count += 1
            if self.count != self.at:
                return call(*arguments, **named)
            if self.how == "killed after":
                self.dead = True
                call(*arguments, **named)
                raise Killed
            if self.how == "killed before":
                self.dead = True
                raise Killed
            if swallows and self.number in (errno.EINVAL, errno.ENOTSUP):
                return False
            raise OSError(self.number, os.strerror(self.number))

        return wrapped


@contextmanager
def disturbed(monkeypatch: pytest.MonkeyPatch, calls: Calls) -> Iterator[Calls]:
    with monkeypatch.context() as patched:
        for name in CALLS:
            patched.setattr(os, name, calls.wrap(getattr(os, name)))
        for name in ("exchange", "rename_new"):
            patched.setattr(atomic, name, calls.wrap(getattr(atomic, name), swallows=True))
        yield calls


def litter(vault: VaultClient, state: Path) -> list[str]:
    """Everything hidden in the vault, and everything in the journal that no write needs."""
    found = [str(path.relative_to(vault.root)) for path in vault.root.rglob(".vault-assistant-*")]
    (journal,) = (state / "journal").iterdir()
    found += [str(path) for path in (journal / "open").iterdir()]
    found += [path.name for path in journal.rglob("*.????????")]
    needed = {state.before for entry in Journal(vault).entries() for state in entry.files}
    return found + [path.name for path in (journal / "contents").iterdir() if path.name not in needed]


def folders(vault: VaultClient) -> set[str]:
    return {str(path.relative_to(vault.root)) for path in vault.root.rglob("*") if path.is_dir()}


def prepared(make: MakeVault, run: Operate, write: str, name: str) -> VaultClient:
    vault = make(NOTES, name=name)
    if write == "undo":
        for each in ("move", "create", "delete"):
            assert run(vault, **WRITES[each], trace_id="turn").startswith("Done: ")
    else:
        assert run(vault, "create", path="first", content="first").startswith("Done: ")
    return vault


def is_over(calls: Calls) -> bool:
    return calls.count < calls.at


@pytest.mark.slow
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("how", ["killed before", "killed after"])
def test_a_write_killed_at_any_step_is_whole_or_not_there_at_the_next_look(
    tiny_vault: MakeVault,
    run: Operate,
    monkeypatch: pytest.MonkeyPatch,
    own_environment: Path,
    tmp_path: Path,
    write: str,
    how: str,
) -> None:
    after, at, reached = None, 0, set()
    while True:
        at += 1
        monkeypatch.setenv("VAULT_ASSISTANT_STATE_DIR", str(state := tmp_path / f"state {at}"))
        vault = prepared(tiny_vault, run, write, f"vault {at}")
        before = contents(vault), folders(vault)
        with disturbed(monkeypatch, Calls(at, how)) as calls, suppress(Killed):
            assert run(vault, **WRITES[write], trace_id="killed").startswith("Done: ")
        vault.scan()
        found = contents(vault), folders(vault)
        if is_over(calls):
            assert found == after
            break
        assert litter(vault, state) == [], at
        if found != before:
            after = after or found
            assert found == after, at
        reached.add("before" if found == before else "after")
        done = {entry.trace_id for entry in Journal(vault).entries()}
        assert ("killed" in done) == (found == after), at
        if found == after and write != "undo":
            assert run(vault, "undo").startswith("Done: "), at
            assert (contents(vault), folders(vault)) == before, at
    assert reached == {"before", "after"}


@pytest.mark.slow
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(
    "number", [errno.ENOSPC, errno.EIO, errno.EINVAL, errno.EROFS], ids=errno.errorcode.get
)
def test_a_write_that_fails_at_any_step_says_what_the_disk_shows(
    tiny_vault: MakeVault,
    run: Operate,
    monkeypatch: pytest.MonkeyPatch,
    own_environment: Path,
    tmp_path: Path,
    write: str,
    number: int,
) -> None:
    at = 0
    after = None
    while True:
        at += 1
        monkeypatch.setenv("VAULT_ASSISTANT_STATE_DIR", str(state := tmp_path / f"state {at}"))
        vault = prepared(tiny_vault, run, write, f"vault {at}")
        before = contents(vault), folders(vault)
        with disturbed(monkeypatch, Calls(at, "failing", number)) as calls:
            answer = run(vault, **WRITES[write])
        found = contents(vault), folders(vault)
        said = answer.startswith("Done: ")
        assert said or answer.startswith("Error: ")
        vault.scan()
        settled = contents(vault), folders(vault)
        assert litter(vault, state) == [], (at, answer)
        if is_over(calls):
            assert settled == after
            break
        if said:
            after = after or settled
        assert settled == (after if said else before), (at, answer)
        if not [path for names in found for path in names if ".vault-assistant-" in path]:
            assert found == settled or "the next command tries again" in answer, (at, answer)
