"""Taking back the last write, or the last whole turn."""

from collections.abc import Callable, Mapping
from datetime import datetime

from app.errors import BadRequestError, ConflictError, NoteNotFoundError
from app.journal.excluded import shown, unnamed
from app.journal.journal import Journal
from app.journal.models import Entry, FileState
from app.notes.apply import current
from app.notes.models import Change, NoteRequest, Plan
from app.notices import ChangeKind, Notice
from app.sentences import Quoted, Sentence
from app.vault.atomic import content_hash
from app.vault.client import VaultClient
from app.vault.names import is_from_root
from app.vault.paths import NotePath, normalize_path, path_key

TURN = "turn"
WRITE = "write"


def undo(vault: VaultClient, request: NoteRequest) -> Plan:
    """Take back the last write, or the last one to `path`, or with content "turn" the last whole turn."""
    if request.content not in (None, "", TURN, WRITE):
        raise BadRequestError(
            "'content' is {content}",
            "for undo it is '{write}', '{turn}' or left out",
            content=Quoted(str(request.content)[:60]),
            write=WRITE,
            turn=TURN,
        )
    journal = Journal(vault)
    # A write is recorded before it is made: one under way would seem to be taken back already.
    with journal.locked():
        entries = _chosen(vault, journal, request)
        states = _composed(vault, entries)
        changes = _changes(vault, journal, states)
    writes = tuple(
        Sentence(
            "{operation} '{path}' ({when})",
            operation=Sentence(entry.operation),
            path=entry.path,
            when=_when(entry),
        )
        for entry in entries
    )
    stays = any(entry.disposal == "system" and entry.trashed is None for entry in entries)
    return Plan(
        operation="undo",
        path=entries[0].path,
        changes=tuple(changes),
        summary=Sentence("take back {writes:; }", writes=writes),
        moved=_moved_back(entries, changes),
        notices=(Notice(ChangeKind.TRASHED_COPY_STAYS),) if stays else (),
        hidden=frozenset(change.path for change in changes if vault.is_excluded(change.path)),
        undoes=tuple(entry.id for entry in entries),
        attributes={path: state.attributes for path, state in states.items() if state.attributes is not None},
    )


def _chosen(vault: VaultClient, journal: Journal, request: NoteRequest) -> tuple[Entry, ...]:
    """Choose the writes to take back, newest first; a model knows of none to an excluded note."""

    def is_known(path: str) -> bool:
        return request.allow_excluded or not vault.is_excluded(path)

    possible = [
        entry
        for entry in reversed(journal.entries())
        if not entry.undone and entry.operation != "undo" and is_known(entry.path)
    ]
    if request.path:
        possible = [entry for entry in possible if touches(entry, request.path, is_known)]
    if not possible:
        raise NoteNotFoundError(
            "no write to '{path}' that could be taken back"
            if request.path
            else "no write that could be taken back",
            path=(request.path or "").removeprefix("./"),
        )
    last = possible[0]
    if request.content != TURN or not last.trace_id:
        return (last,)
    return tuple(entry for entry in possible if entry.trace_id == last.trace_id)


def touches(entry: Entry, written: str, is_known: Callable[[str], bool]) -> bool:
    """Return whether a write was to a note that is named by its path, the end of one, or its name."""
    key = path_key(normalize_path(written))
    touched = (entry.path, *(state.path for state in entry.files))
    paths = (path_key(path) for path in touched if is_known(path))
    return any(path == key or (not is_from_root(written) and path.endswith("/" + key)) for path in paths)


def _composed(vault: VaultClient, entries: tuple[Entry, ...]) -> dict[NotePath, FileState]:
    """Add several writes up: for each path, what was there before all and what is there after all."""
    states: dict[NotePath, FileState] = {}
    for entry in entries:
        for state in entry.files:
            path = NotePath(state.path)
            newer = states.get(path)
            if newer is not None and newer.before != state.after:
                raise ConflictError(
                    "{note} was changed between these writes",
                    "take them back one by one",
                    note=shown(vault, path),
                )
            after = state.after if newer is None else newer.after
            states[path] = FileState(state.path, state.before, after, state.attributes)
    return states


def _changes(vault: VaultClient, journal: Journal, states: Mapping[NotePath, FileState]) -> list[Change]:
    """Work out what brings each note back to what it was; leave those that are so already."""
    changes: list[Change] = []
    for path, state in states.items():
        with unnamed(vault, path):
            now = current(vault, path)
        actual = None if now is None else content_hash(now)
        if actual == state.before:
            continue
        if actual != state.after:
            raise ConflictError(
                "{note} changed since it was written", "nothing was taken back", note=shown(vault, path)
            )
        changes.append(Change(path, now, None if state.before is None else journal.content(state.before)))
    return changes


def _moved_back(entries: tuple[Entry, ...], changes: list[Change]) -> tuple[NotePath, NotePath] | None:
    if len(entries) != 1 or entries[0].moved is None:
        return None
    old, new = entries[0].moved
    # After a crash only one half of the move may have happened.
    ready = {old, new} <= {change.path for change in changes}
    return (NotePath(new), NotePath(old)) if ready else None


def _when(entry: Entry) -> str:
    return datetime.fromtimestamp(entry.time).strftime("%Y-%m-%d %H:%M")
