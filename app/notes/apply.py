"""Carry out a plan whole or not at all, recorded so that it can be undone."""

import time

from app.config.settings import logger
from app.errors import ConflictError, NoteExistsError, NoteNotFoundError, VaultError, WriteError
from app.journal.excluded import shown, unnamed
from app.journal.journal import Journal
from app.journal.models import Entry, FileState, new_id
from app.journal.recover import end, settle, settle_open
from app.journal.steps import Steps
from app.journal.sweep import tidy
from app.notes.models import Change, Done, Plan
from app.notes.trash import TRASH_FOLDER, free_place, throw_away
from app.notices import ChangeKind, Notice
from app.showing import cut
from app.vault.atomic import content_hash
from app.vault.client import VaultClient
from app.vault.files import file_attributes
from app.vault.paths import NotePath
from app.vault.work import Work

RENAMED_CHARS = 200
"""What the journal keeps of a text that gave way to another, and of the other."""


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
        check(vault, plan)
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
        done = Done(trashed, (*_late(vault, work), *_recorded(vault, journal, entry, trashed, work)))
    logger.info("write_made", extra={"operation": plan.operation, "path": plan.path, "trace_id": trace_id})
    return done


def current(vault: VaultClient, path: NotePath) -> bytes | None:
    """Read what is at a path now; None where there is no note."""
    try:
        return vault.read_bytes(path)
    except NoteNotFoundError:
        return None


def check(vault: VaultClient, plan: Plan) -> None:
    """Refuse a plan whose notes are no longer as they were when it was made.

    Raises:
        ConflictError: a note changed since.
        NoteExistsError: a note came to be where one is to be made.
    """
    for change in plan.changes:
        with unnamed(vault, change.path):
            if current(vault, change.path) == change.before:
                continue
            if change.before is None:
                raise NoteExistsError(
                    "there is a note at '{path}' already", "choose another path", path=change.path
                )
            raise ConflictError(
                "'{path}' changed meanwhile", "read it again; nothing was written", path=change.path
            )


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
        plan.renamed and (cut(plan.renamed[0], RENAMED_CHARS), cut(plan.renamed[1], RENAMED_CHARS)),
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
            "{reason}; what was written before could not be put back either: {second}",
            "the next command tries again, and 'status' says what became of it",
            reason=cause.message,
            second=error.message,
        ) from cause
    try:
        end(vault, journal, entry, settled)
    except (VaultError, OSError) as error:
        # The notes are as they were; the entry stays open, and the next command records it.
        logger.warning("journal_not_completed", extra={"operation": entry.operation, "error": str(error)})


def _late(vault: VaultClient, work: Work) -> list[Notice]:
    """Say what failed when the files were in their places already."""
    said = [
        Notice(ChangeKind.FAILED_LATE, path=shown(vault, path), reason=reason)
        for path, reason in work.warnings
    ]
    return list(dict.fromkeys(said))


def _recorded(
    vault: VaultClient, journal: Journal, entry: Entry, trashed: str | None, work: Work
) -> list[Notice]:
    """Record that a write is done; say what could not be recorded, or tidied up."""
    said = []
    try:
        tidy(vault, journal, entry.undoes)
    except VaultError as error:
        work.left.add(entry.id)
        said.append(Notice(ChangeKind.REMAINS_LEFT, reason=error.message))
    try:
        journal.finish(entry, trashed)
        if not work.left:
            journal.close(entry)
    except (VaultError, OSError) as error:
        reason = error.message if isinstance(error, VaultError) else error.strerror or str(error)
        steps = Steps(vault, entry, journal.content, work)
        if entry.disposal in (None, "permanent") and any(
            look.aside is not None and look.now is None for look in steps.look().values()
        ):
            # The note is still there under a hidden name, and nothing says that it is to go.
            raise WriteError(
                "{operation} could not be completed, on the disk nor in the journal: {reason}",
                "the next command puts the note back, and 'status' says so",
                operation=entry.operation,
                reason=reason,
            ) from error
        said.append(Notice(ChangeKind.JOURNAL_INCOMPLETE, operation=entry.operation, reason=reason))
    return said
