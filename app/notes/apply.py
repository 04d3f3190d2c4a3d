"""Plans carried out: all of one or nothing, and recorded so that it can be taken back."""

import time
from collections.abc import Callable

from app.dependencies import VaultClient
from app.errors import ConflictError, NoteExistsError, NoteNotFoundError, VaultError, WriteError
from app.files import content_hash, file_mode, remove_empty_folder
from app.notes.hidden import unnamed
from app.notes.journal import Journal
from app.notes.models import Change, Entry, FileState, Plan, new_id
from app.notes.trash import throw_away
from app.paths import NotePath

Undo = Callable[[], None]


def carry_out(vault: VaultClient, plan: Plan, trace_id: str) -> str | None:
    """Do what a plan says.

    Returns:
        Where in the vault's ``.trash/`` a deleted note went; None for anything else.

    Raises:
        ConflictError: a note changed since the plan was made; nothing was written.
        WriteError: a write failed; what was done before it has been put back, or the message says what not.
    """
    journal = Journal(vault)
    with journal.locked():
        for change in plan.changes:
            with unnamed(vault, change.path):
                _check(vault, change)
        entry = _entry(vault, plan, trace_id)
        journal.begin(entry, [change.before for change in plan.changes if change.before is not None])
        done: list[Undo] = []
        try:
            trashed = _do(vault, plan, done)
        except VaultError as error:
            _put_back(done, error)
            for folder in entry.folders:
                remove_empty_folder(vault.root, folder)
            journal.give_up(entry)
            raise
        journal.finish(entry, trashed)
    return trashed


def current(vault: VaultClient, path: NotePath) -> bytes | None:
    """Read what is at a path now; None where there is no note."""
    try:
        return vault.read_bytes(path)
    except NoteNotFoundError:
        return None


def _check(vault: VaultClient, change: Change) -> None:
    now = current(vault, change.path)
    if now == change.before:
        return
    if change.before is None:
        raise NoteExistsError(f"there is a note at '{change.path}' already", "choose another path")
    raise ConflictError(f"'{change.path}' changed meanwhile", "read it again; nothing was written")


def _entry(vault: VaultClient, plan: Plan, trace_id: str) -> Entry:
    files = tuple(
        FileState(
            change.path,
            None if change.before is None else content_hash(change.before),
            None if change.after is None else content_hash(change.after),
            _mode(vault, change),
        )
        for change in plan.changes
    )
    made: dict[str, None] = {}
    for change in plan.changes:
        folder = change.path.rpartition("/")[0] if change.after is not None else ""
        while folder and not (vault.root / folder).exists():
            made[folder] = None
            folder = folder.rpartition("/")[0]
    folders = tuple(sorted(made, key=len, reverse=True))
    return Entry(
        new_id(),
        time.time(),
        trace_id,
        plan.operation,
        plan.path,
        files,
        plan.moved,
        folders,
        None,
        plan.undoes,
        plan.disposal,
    )


def _mode(vault: VaultClient, change: Change) -> int | None:
    with unnamed(vault, change.path):
        return None if change.before is None else file_mode(vault.root, change.path)


def _do(vault: VaultClient, plan: Plan, done: list[Undo]) -> str | None:
    changes = {change.path: change for change in plan.changes}
    if plan.disposal is not None:
        (change,) = plan.changes
        return throw_away(vault, change.path, plan.disposal, content_hash(change.before or b""))
    if plan.moved is not None:
        old, new = plan.moved
        gone, made = changes.pop(old), changes.pop(new)
        _rename(vault, old, new)
        done.append(lambda: _rename(vault, new, old))
        _step(vault, Change(new, gone.before, made.after), None, done)
    for change in changes.values():
        _step(vault, change, plan.modes.get(change.path), done)
    return None


def _rename(vault: VaultClient, old: NotePath, new: NotePath) -> None:
    with unnamed(vault, old, new):
        vault.rename(old, new)


def _step(vault: VaultClient, change: Change, mode: int | None, done: list[Undo]) -> None:
    if change.before == change.after:
        return
    _write(vault, change, mode)
    back = Change(change.path, change.after, change.before)
    done.append(lambda: _write(vault, back, None))


def _write(vault: VaultClient, change: Change, mode: int | None) -> None:
    with unnamed(vault, change.path):
        _put(vault, change, mode)


def _put(vault: VaultClient, change: Change, mode: int | None) -> None:
    expected = None if change.before is None else content_hash(change.before)
    if change.after is None:
        vault.remove(change.path, expected_hash=expected)
        return
    vault.write(change.path, change.after, expected_hash=expected, create=change.before is None, mode=mode)


def _put_back(done: list[Undo], cause: VaultError) -> None:
    """Take back the steps that were done, last first.

    Raises:
        WriteError: one of them cannot be taken back; the journal still holds the earlier content.
    """
    for undo in reversed(done):
        try:
            undo()
        except VaultError as error:
            raise WriteError(
                f"{cause.message}; what was written before could not be put back: {error.message}",
                "operation 'undo' can, once the notes are as the write left them",
            ) from cause
