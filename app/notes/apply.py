"""Carry out a plan whole or not at all, recorded so that it can be undone; deleted notes go to the trash."""

import os
import time
from collections.abc import Iterator
from pathlib import PurePosixPath

from app.dependencies import logger
from app.errors import ConflictError, NoteExistsError, NoteNotFoundError, VaultError, WriteError
from app.journal.excluded import shown, unnamed
from app.journal.journal import Journal
from app.journal.models import Disposal, Entry, FileState, new_id
from app.journal.recover import end, settle, settle_open
from app.journal.steps import Steps
from app.journal.sweep import tidy
from app.notes.models import Change, Done, Plan
from app.notices import Notice, NoticeKind
from app.vault.atomic import content_hash
from app.vault.client import VaultClient
from app.vault.files import file_attributes, remove_aside, rename_file, set_aside
from app.vault.obsidian import TrashOption
from app.vault.paths import NotePath
from app.vault.work import Work

TRASH_FOLDER = ".trash"


def disposal_of(option: TrashOption, permanent: bool) -> Disposal:
    """Decide where a note goes; a vault set to delete for good still needs `permanent` to be said."""
    if permanent:
        return "permanent"
    return "system" if option == "system" else "local"


def throw_away(
    vault: VaultClient, path: NotePath, disposal: Disposal, expected_hash: str, work: Work
) -> str | None:
    """Remove a note from the vault.

    Args:
        vault: The vault.
        path: The note.
        disposal: Where it goes. Where the system has no usable trash, it goes to ``.trash/``.
        expected_hash: Hash of the content that must be there.
        work: Marks hidden names, and is told what failed after the note was gone.

    Returns:
        Its path below ``.trash/``; None if it did not go there.

    Raises:
        ConflictError: it has another content.
        WriteError: it could not be removed; it is still there, or set aside beside where it was.
    """
    if disposal == "permanent":
        vault.remove(path, expected_hash=expected_hash, work=work)
        return None
    limit = vault.settings.max_note_bytes
    aside = set_aside(vault.root, path, limit=limit, expected_hash=expected_hash, work=work)
    # It is not left there for a program that has it open: that one's text goes with the note.
    work.left.clear()
    trashed = None
    if disposal != "system" or not _to_system_trash(vault, aside):
        trashed = _to_local_trash(vault, aside, path, work)
    remove_aside(vault.root, aside, work)
    return trashed


def _to_system_trash(vault: VaultClient, aside: str) -> bool:
    from send2trash import send2trash

    # The library takes whole paths, so the disk's own name is looked up and links are ruled out first.
    file = vault.root / aside
    try:
        if not file.exists() or os.path.realpath(file) != str(file):
            return False
        send2trash(file)
        return not file.exists()
    except OSError:
        return False


def free_place(vault: VaultClient, path: str) -> str:
    """Return where below ``.trash/`` a note would go: under its own path, numbered where that is taken."""
    return next((place for place in _places(path) if not os.path.lexists(vault.root / place)), "")


def _to_local_trash(vault: VaultClient, aside: str, path: NotePath, work: Work) -> str:
    for trashed in _places(path):
        try:
            rename_file(vault.root, aside, trashed, work=work)
        except NoteExistsError:
            continue
        return trashed
    raise WriteError(f"'{TRASH_FOLDER}' holds too many notes named '{path.rpartition('/')[2]}'", "empty it")


def _places(path: str) -> Iterator[str]:
    place = PurePosixPath(path)
    for number in range(10_000):
        name = f"{place.stem} {number}{place.suffix}" if number else place.name
        yield str(TRASH_FOLDER / place.with_name(name))


def carry_out(vault: VaultClient, plan: Plan, trace_id: str) -> Done:
    """Do what a plan says.

    Once every file is as planned the write is done: whatever fails after that is said in a notice.

    Raises:
        ConflictError: a note changed since the plan was made; nothing was written.
        WriteError: a write failed; what was done before it has been put back, or the message says what not.
    """
    journal = Journal(vault)
    with journal.locked():
        settle_open(vault, journal)
        for change in plan.changes:
            with unnamed(vault, change.path):
                _check(vault, change)
        entry = _entry(vault, plan, trace_id)
        contents = _contents(plan)
        # Only a move may have to be finished: the others are done, or taken back.
        needed = contents if plan.moved else _contents(plan, after=False)
        journal.begin(entry, list(needed.values()))
        work = Work(entry.id)
        try:
            trashed = _do(vault, plan, Steps(vault, entry, contents.__getitem__, work), work)
        except VaultError as error:
            _take_back(vault, journal, entry, error)
            raise
        return Done(trashed, (*_late(vault, work), *_recorded(vault, journal, entry, trashed, work)))


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
    files = tuple(_state(vault, plan, change) for change in plan.changes)
    made: dict[str, None] = {}
    for change in plan.changes:
        path: str = change.path
        if change.after is None:
            path = f"{TRASH_FOLDER}/{path}" if plan.disposal in ("local", "system") else ""
        folder = path.rpartition("/")[0]
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
        free_place(vault, plan.path) if plan.disposal in ("local", "system") else None,
        plan.undoes,
        plan.disposal,
    )


def _state(vault: VaultClient, plan: Plan, change: Change) -> FileState:
    before, after = (None if data is None else content_hash(data) for data in (change.before, change.after))
    with unnamed(vault, change.path):
        attributes = None if before is None else file_attributes(vault.root, change.path)
    return FileState(change.path, before, after, attributes, plan.attributes.get(change.path))


def _contents(plan: Plan, *, after: bool = True) -> dict[str, bytes]:
    contents = {}
    for change in plan.changes:
        for data in (change.before, change.after if after else None):
            if data is not None:
                contents[content_hash(data)] = data
    return contents


def _do(vault: VaultClient, plan: Plan, steps: Steps, work: Work) -> str | None:
    if plan.disposal is None:
        steps.forward(steps.untouched())
        return None
    (change,) = plan.changes
    return throw_away(vault, change.path, plan.disposal, content_hash(change.before or b""), work)


def _take_back(vault: VaultClient, journal: Journal, entry: Entry, cause: VaultError) -> None:
    """Put back what a write that failed has done.

    Raises:
        WriteError: not all of it could be put back.
    """
    try:
        settled = settle(vault, journal, entry, failed=True)
    except VaultError as error:
        raise WriteError(
            f"{cause.message}; what was written before could not be put back either: {error.message}",
            "the next command tries again, and 'status' says what became of it",
        ) from cause
    try:
        end(vault, journal, entry, settled)
    except (VaultError, OSError) as error:
        # The notes are as they were; the entry stays open, and the next command records it.
        logger.warning("journal_not_completed", extra={"operation": entry.operation, "error": str(error)})


def _late(vault: VaultClient, work: Work) -> list[Notice]:
    """Say what failed when the files were in their places already."""
    said = [
        Notice(NoticeKind.FAILED_LATE, path=shown(vault, path), reason=reason)
        for path, reason in work.warnings
    ]
    return list(dict.fromkeys(said))


def _is_set_aside(vault: VaultClient, journal: Journal, entry: Entry, work: Work) -> bool:
    looks = Steps(vault, entry, journal.content, work).look().values()
    return any(look.aside is not None and look.now is None for look in looks)


def _recorded(
    vault: VaultClient, journal: Journal, entry: Entry, trashed: str | None, work: Work
) -> list[Notice]:
    """Record that a write is done; say what could not be recorded, or tidied up."""
    said = []
    try:
        tidy(vault, journal, entry.undoes)
    except VaultError as error:
        work.left.add(entry.id)
        said.append(Notice(NoticeKind.REMAINS_LEFT, reason=error.message))
    try:
        journal.finish(entry, trashed)
        if not work.left:
            journal.close(entry)
    except (VaultError, OSError) as error:
        reason = error.message if isinstance(error, VaultError) else error.strerror or str(error)
        if entry.disposal in (None, "permanent") and _is_set_aside(vault, journal, entry, work):
            # The note is still there under a hidden name, and nothing says that it is to go.
            raise WriteError(
                f"{entry.operation} could not be completed, on the disk nor in the journal: {reason}",
                "the next command puts the note back, and 'status' says so",
            ) from error
        said.append(Notice(NoticeKind.JOURNAL_INCOMPLETE, operation=entry.operation, reason=reason))
    return said
