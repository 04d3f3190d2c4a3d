"""Bring the index up to date with the vault: a pure diff, then a short apply."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from app.config.settings import IndexDefinition
from app.errors import NoteNotFoundError, NoteUnreadableError, PathError
from app.search.index.documents import VaultRecord, chunk_documents, dump, note_document
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import ChunkDoc, LexicalIndex, NoteDoc, Snapshot
from app.vault.client import NoteText, VaultClient
from app.vault.dates import note_dates
from app.vault.glob import compile_place
from app.vault.obsidian import daily_notes
from app.vault.paths import NotePath, path_key
from app.vault.scan import FileStat, VaultScan

if TYPE_CHECKING:
    from app.markdown.links import LinkResolver
    from app.markdown.models import ParsedNote
    from app.search.lexical.writer import ArrayWriter
    from app.vault.daily import DayReader

FORMAT = "18"
"""Raised whenever what the documents hold changes, so that older indexes are rebuilt."""

RACY_NS = 50_000_000
"""A file changed this shortly before it was read may change again within the clock's grain."""

_SIZE_AND_TIME = itemgetter(1, 2)

Progress = Callable[[int, int], None]
"""Called with notes done and notes to do."""
Stopped = Callable[[], bool]
"""Asked whether to stop."""


class Changes(NamedTuple):
    """What separates the index from the vault, each in path order."""

    write: tuple[NotePath, ...] = ()
    delete: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.write or self.delete)


class SyncPlan(NamedTuple):
    """Changes, with the notes that belong into the index and what to keep of the vault as a whole."""

    changes: Changes
    notes: Mapping[NotePath, FileStat]
    record: VaultRecord


class SyncReport(NamedTuple):
    """What an update did: notes written and deleted, those left for later, and how long it took.

    ``written``, ``deleted`` and ``total``, all notes of the index, count those that a search may show, as a
    status does; what is left counts all. ``purged`` says that notes have become private, and that their
    words were removed from the index.
    """

    written: int = 0
    deleted: int = 0
    remaining: int = 0
    total: int = 0
    seconds: float = 0.0
    purged: bool = False


def diff(files: Mapping[NotePath, FileStat], known: Mapping[str, tuple[int, int]]) -> Changes:
    """Compare the notes in the vault with those in the index, by size and modification time.

    Args:
        files: The notes that belong into the index.
        known: Size in bytes and modification time in nanoseconds of each note in the index.
    """
    # Each file of a vault is asked, most often all in vain.
    found = dict(zip(files, map(_SIZE_AND_TIME, files.values()), strict=True))
    if found == known:
        return Changes()
    write = [path for path, stat in found.items() if known.get(path) != stat]
    return Changes(tuple(sorted(write)), tuple(sorted(known.keys() - files.keys())))


def rules_of(vault: VaultClient, definition: IndexDefinition) -> str:
    """Describe everything besides a note's own file that decides what its documents hold."""
    return repr(
        (
            FORMAT,
            vault.settings.chunk_chars,
            vault.settings.max_note_bytes,
            definition.include,
            definition.exclude,
            vault.obsidian.rules,
            vault.is_project_vault,
            [(told.folder, told.form) for told in daily_notes(vault.root)],
        )
    )


def selected(notes: Mapping[NotePath, FileStat], definition: IndexDefinition) -> dict[NotePath, FileStat]:
    """Keep the notes that the index's ``include`` and ``exclude`` globs let in."""
    return {NotePath(path): notes[NotePath(path)] for path in let_in(notes, definition)}


def let_in(paths: Iterable[str], definition: IndexDefinition) -> list[str]:
    """Keep the paths that the index's ``include`` and ``exclude`` globs let in."""
    include = [compile_place(glob) for glob in definition.include]
    exclude = [compile_place(glob) for glob in definition.exclude]
    if not include and not exclude:
        return list(paths)
    kept = []
    for path in paths:
        key = path_key(path)
        wanted = not include or any(glob.fullmatch(key) for glob in include)
        if wanted and not any(glob.fullmatch(key) for glob in exclude):
            kept.append(path)
    return kept


def apply(
    vault: VaultClient,
    index: LexicalIndex,
    plan: SyncPlan,
    *,
    deadline: float | None = None,
    progress: Progress | None = None,
    stopped: Stopped = lambda: False,
) -> SyncReport:
    """Write the changes in commits of whole notes.

    Args:
        vault: Where the notes are read.
        index: Where they go.
        plan: What to do.
        deadline: A `time.monotonic` moment at which to stop with what is done, committed.
        progress: Called with what there is to do, and after each note.
        stopped: Asked after each note whether to stop with what is done, committed.
    """
    from app.markdown.links import LinkResolver
    from app.vault.daily import DayReader

    begun = time.monotonic()
    done, shown, todo = 0, 0, len(plan.changes.write)
    if progress:
        progress(0, todo)
    purge = _makes_private(vault, index.snapshot(), plan.changes)
    resolver = LinkResolver([*plan.record.files, *plan.notes], all_types=plan.record.all_types)
    days = DayReader(vault.root)
    with index.writer() as writer:
        # The rules come with the first commit: notes written under other ones must not be taken for these.
        writer.set_vault(dump(plan.record._replace(state="")))
        as_listed = True
        for path in plan.changes.delete:
            writer.delete(path)
        for done, path in enumerate(plan.changes.write, start=1):
            as_listed &= _write_note(vault, writer, plan.notes[path], resolver, days)
            shown += not hidden_as(vault, path)
            if progress:
                progress(done, todo)
            if done < todo and (stopped() or (deadline is not None and time.monotonic() > deadline)):
                break
            if done % vault.settings.commit_notes == 0 and done < todo:
                writer.commit(purge=purge, more=True)
        remaining = todo - done
        if as_listed and not remaining:
            writer.set_vault(dump(plan.record))
        writer.commit(purge=purge)
    deleted = sum(not hidden_as(vault, path) for path in plan.changes.delete)
    total = int(VaultSnapshot(index.snapshot()).visible.sum())
    return SyncReport(shown, deleted, remaining, total, time.monotonic() - begun, purge)


def _makes_private(vault: VaultClient, snapshot: Snapshot, changes: Changes) -> bool:
    """Return whether a note is written that is excluded and was not known as such.

    It may have been searchable until now, here or at a path that is gone, today or some time ago.
    """
    excluded = {path for path in changes.write if vault.is_excluded(path)}
    known = snapshot.docs_with("hidden:excluded").tolist() if excluded else []
    return bool(excluded.difference(snapshot.path(doc) for doc in known))


def _write_note(
    vault: VaultClient, writer: "ArrayWriter", stat: FileStat, resolver: "LinkResolver", days: "DayReader"
) -> bool:
    """Read, parse and index one note; returns whether the index now holds it as it was listed.

    One that vanished since then is deleted.
    """
    found = documents_of(vault, stat, resolver, days)
    if found is None:
        writer.delete(stat.path)
        return False
    writer.replace(*found)
    return (found[0].size, found[0].mtime_ns) == (stat.size, stat.mtime_ns)


def documents_of(
    vault: VaultClient, stat: FileStat, resolver: "LinkResolver", days: "DayReader"
) -> tuple[NoteDoc, list[ChunkDoc]] | None:
    """Read and parse one note, and return what an index keeps of it; None where it is gone.

    One that cannot be read is found by its name, with the reason.

    Args:
        vault: Where the note is read.
        stat: The note as it was listed.
        resolver: Knows which links lead to a file of the vault.
        days: Reads the day of a note from its path.
    """
    from app.markdown.parse import parse_note

    hidden = hidden_as(vault, stat.path)
    try:
        text = vault.read(stat.path)
    except (NoteUnreadableError, PathError) as error:
        text = NoteText(NotePath(stat.path), "", "", "", (error.message,), stat.size, stat.mtime_ns)
    except NoteNotFoundError:
        # It vanished since it was listed; the next look at the vault no longer lists it.
        return None
    note = parse_note(text.text, stat.path)
    if hidden == "excluded":
        note = _without_words(note, stat.path, resolver)
    dates = note_dates(
        note.properties,
        days.named(stat.path),
        mtime=text.mtime_ns / 1e9,
        birth=stat.birth_ns / 1e9 if stat.birth_ns is not None else None,
    )
    chunks: list[ChunkDoc] = []
    if not hidden:
        chunks = chunk_documents(stat.path, note, text.text, dates.day, vault.settings.chunk_chars)
    return note_document(text._replace(mtime_ns=_settled(text.mtime_ns)), note, dates, hidden), chunks


def _without_words(note: "ParsedNote", path: str, resolver: "LinkResolver") -> "ParsedNote":
    """Keep of a private note which files it links to, and nothing that it says.

    A link that leads nowhere is what the note says. Where a file of that name comes, the link counts once the
    private note is changed as well.
    """
    leading = [link for link in note.links if resolver.resolve(link.target, path) is not None]
    return replace(
        note,
        h1=None,
        aliases=(),
        properties={},
        tags=(),
        headings=(),
        tasks=(),
        blocks=(),
        links=tuple(link._replace(subpath="", display="") for link in leading),
        block_starts=(),
        problems=("a part of it cannot be read",) if note.problems else (),
    )


def hidden_as(vault: VaultClient, path: str) -> str:
    """Say why no search shows a note: ``excluded``, ``left-out``, or empty where all do."""
    if vault.is_excluded(path):
        return "excluded"
    return "left-out" if vault.is_left_out(path) else ""


def _settled(mtime_ns: int) -> int:
    """Return a modification time that the next look disbelieves where the file may still be changing."""
    return mtime_ns if time.time_ns() - mtime_ns > RACY_NS else mtime_ns - 1


def vault_record(
    scan: VaultScan, notes: Iterable[str], state: str, rules: str, all_types: bool
) -> VaultRecord:
    """Gather what the index keeps of the vault as a whole, once it holds all files as they were listed."""
    indexed = set(notes)
    files = [*scan.others, *(path for path in scan.notes if path not in indexed)]
    problems = [(problem.path, problem.reason) for problem in scan.problems]
    return VaultRecord(tuple(sorted(files)), tuple(problems), rules, all_types, state)


def changes_since(snapshot: Snapshot, notes: Mapping[NotePath, FileStat]) -> Changes:
    """Compare the notes in the vault with those of a snapshot."""
    paths = snapshot.paths()
    docs = list(paths.values())
    sizes, times = (snapshot.column(name)[docs].tolist() for name in ("size", "mtime_ns"))
    return diff(notes, dict(zip(paths, zip(sizes, times, strict=True), strict=True)))
