"""Bring the index up to date with the vault: notice a change, a pure diff, then a short apply."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from app.config.settings import IndexDefinition
from app.errors import EngineMissingError, NoteNotFoundError, NoteUnreadableError, PathError, missing_extra
from app.search.index.documents import VaultRecord, chunk_documents, dump, load, note_document
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import LexicalIndex
from app.search.lexical.schema import ChunkDoc, NoteDoc
from app.search.lexical.snapshot import Snapshot
from app.vault.attachments.kinds import PDF, READ_SECONDS, kind_of, lacking
from app.vault.client import VaultClient
from app.vault.dates import note_dates
from app.vault.glob import compile_place
from app.vault.obsidian import daily_notes
from app.vault.paths import NotePath, is_note_name, nfc, path_key
from app.vault.scan import FileStat, VaultScan
from app.vault.text import NoteText

if TYPE_CHECKING:
    from app.markdown.links import LinkResolver
    from app.markdown.models import ParsedNote
    from app.vault.attachments.read import AttachmentReader
    from app.vault.daily import DayReader

FORMAT = "23"
"""Raised whenever what the documents hold changes, so that older indexes are rebuilt."""

FIRST_NOTES = 200
"""After so many notes a new index is committed, for those who search it meanwhile."""
LOOK_SECONDS = 0.02
RACY_NS = 50_000_000
"""A file changed this shortly before it was read may change again within the clock's grain."""

LEAST_SECONDS = 1.0
"""What a file may take at the end of a run."""

Progress = Callable[[int, int], None]
"""Called with notes done and notes to do."""
Stopped = Callable[[], bool]
"""Asked whether to stop."""
Item = TypeVar("Item")


class Wanted:
    """Notes that a search waits for: an update takes them first, and commits them. Safe between threads."""

    def __init__(self) -> None:
        self._paths, self._given = deque[NotePath](), threading.Event()
        self._given.set()

    def put(self, paths: Sequence[NotePath]) -> None:
        """Ask for some notes."""
        if paths:
            self._paths.extend(paths)
            self._given.clear()

    def wait(self, seconds: float, goes_on: Callable[[], bool]) -> None:
        """Wait until the notes that were asked for are committed, for as long as an update ``goes_on``."""
        ends = time.monotonic() + seconds
        while goes_on() and time.monotonic() < ends and not self._given.wait(LOOK_SECONDS):
            pass

    @property
    def is_due(self) -> bool:
        """Whether somebody waits, and all notes that are waited for were taken."""
        return not self._paths and not self._given.is_set()

    def give(self) -> None:
        """Let go on who waits."""
        self._given.set()

    def ordered(self, paths: Sequence[NotePath]) -> Iterator[NotePath]:
        """Yield some paths, each once, at each step one that is wanted if there is any."""
        left = OrderedDict.fromkeys(paths)
        while left:
            path = self._paths.popleft() if self._paths else next(iter(left))
            if path in left:
                del left[path]
                yield path


@dataclass(frozen=True, slots=True)
class Run:
    """How long an index is built, and who is told: until ``stopped``, or a `time.monotonic` moment."""

    deadline: float | None = None
    progress: Progress | None = None
    stopped: Stopped = lambda: False
    wanted: Wanted = field(default_factory=Wanted)

    @property
    def left(self) -> float:
        """The seconds that one file may take."""
        if self.deadline is None:
            return READ_SECONDS
        return min(READ_SECONDS, max(LEAST_SECONDS, self.deadline - time.monotonic()))

    def batches(self, items: Sequence[Item], size: int = 1) -> Iterator[Sequence[Item]]:
        """Hand out some work while there is time, and one batch of it at least."""
        for at in range(0, len(items), size):
            if self.progress:
                # Said at once: only from now on does the time tell how fast it goes.
                self.progress(at, len(items))
            if self.stopped() or (at and self.deadline is not None and time.monotonic() > self.deadline):
                return
            yield items[at : at + size]
        if self.progress:
            self.progress(len(items), len(items))


class Changes(NamedTuple):
    """What separates the index from the vault, each in path order."""

    write: tuple[NotePath, ...] = ()
    delete: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.write or self.delete)


class SyncPlan(NamedTuple):
    """Changes, the vault as found, its notes that belong into the index, and what to keep of the rest."""

    changes: Changes
    scan: VaultScan
    notes: Mapping[NotePath, FileStat]
    record: VaultRecord


class SyncReport(NamedTuple):
    """What an update did: notes written and deleted, those left for later, and how long it took.

    All but ``remaining`` count notes that a search may show; ``total`` is all of the index. ``purged`` says
    that notes have become private, and that their words were removed.
    """

    written: int = 0
    deleted: int = 0
    remaining: int = 0
    total: int = 0
    seconds: float = 0.0
    purged: bool = False
    files: int = 0
    """Other files written; ``remaining`` counts those left too."""


def diff(files: Mapping[NotePath, FileStat], known: Mapping[str, tuple[int, int]]) -> Changes:
    """Compare the notes that belong into the index with size and time of those that it has."""
    write = [path for path, stat in files.items() if known.get(path) != (stat.size, stat.mtime_ns)]
    return Changes(tuple(sorted(write)), tuple(sorted(known.keys() - files.keys())))


def rules_of(vault: VaultClient, definition: IndexDefinition) -> str:
    """Describe everything besides a note's own file that decides what its documents hold."""
    return repr(
        (
            FORMAT,
            vault.settings.chunk_chars,
            vault.settings.max_note_bytes,
            vault.settings.attachment_texts,
            definition.include,
            definition.exclude,
            vault.obsidian.rules,
            vault.is_project_vault,
            [(told.folder, told.form) for told in daily_notes(vault.root)],
        )
    )


def let_in(paths: Iterable[str], definition: IndexDefinition) -> list[str]:
    """Keep the paths that the index's ``include`` and ``exclude`` globs let in."""
    include = [compile_place(glob) for glob in definition.include]
    exclude = [compile_place(glob) for glob in definition.exclude]
    if not include and not exclude:
        return list(paths)

    def lets_in(key: str) -> bool:
        wanted = not include or any(glob.fullmatch(key) for glob in include)
        return wanted and not any(glob.fullmatch(key) for glob in exclude)

    return [path for path in paths if lets_in(path_key(path))]


def plan_of(
    vault: VaultClient, definition: IndexDefinition, seen: VaultSnapshot, *, rebuild: bool = False
) -> SyncPlan | None:
    """Compare the vault with a state of its index; None where nothing is to be done."""
    listing, known, rules = vault.listing(), seen.vault, rules_of(vault, definition)
    # What can be read here since belongs into the index now.
    state = listing.state and f"{listing.state}{lacking(PDF)}"
    made_as = (rules, vault.obsidian.all_file_types, state)
    if listing.state and not rebuild and made_as == known[1:]:
        return None
    scan = vault.scan(listing)
    stats = {**scan.notes, **attachments_of(vault, scan)}
    notes = {NotePath(path): stats[NotePath(path)] for path in let_in(stats, definition)}
    files = sorted(path for path in (*scan.others, *scan.notes) if path not in notes)
    paths = seen.lexical.paths()
    sizes, times = (seen.lexical.column(name)[[*paths.values()]].tolist() for name in ("size", "mtime_ns"))
    changes = diff(notes, dict(zip(paths, zip(sizes, times, strict=True), strict=True)))
    plan = SyncPlan(changes, scan, notes, VaultRecord(files, *made_as))
    return plan if rebuild or changes or plan.record != known else None


def attachments_of(vault: VaultClient, scan: VaultScan) -> dict[NotePath, FileStat]:
    """Return the files that are no notes whose text is read; one that no search shows is not."""
    texts = vault.settings.attachment_texts
    return {
        NotePath(path): stat
        for path, stat in scan.files.items()
        if (kind := kind_of(path, texts)) and not lacking(kind) and not hidden_as(vault, path)
    }


def apply(vault: VaultClient, index: LexicalIndex, plan: SyncPlan, run: Run) -> SyncReport:
    """Write the changes in commits of whole notes; what is done when the run ends is committed.

    Notes come first, then other files, the newest first: notes are found while these are still being read.
    """
    from app.markdown.links import LinkResolver
    from app.vault.attachments.read import AttachmentReader
    from app.vault.daily import DayReader

    begun, was = time.monotonic(), index.snapshot().paths()
    done, shown, todo = 0, 0, len(plan.changes.write)
    purge = _makes_private(vault, index.snapshot(), plan.changes)
    resolver = LinkResolver([*plan.record.files, *plan.notes], all_types=plan.record.all_types)
    days = DayReader(vault.root)
    notes = [path for path in plan.changes.write if is_note_name(path)]
    others = sorted(set(plan.changes.write).difference(notes), key=lambda path: -plan.notes[path].mtime_ns)
    order, is_first = run.wanted.ordered([*notes, *others]), not index.snapshot().notes.any()
    with index.writer() as writer, AttachmentReader(vault.root, vault.settings) as reader:
        # The rules come with the first commit: notes written under other ones must not be taken for these.
        writer.set_vault(dump(plan.record._replace(state="")))
        as_listed = True
        for path in plan.changes.delete:
            writer.delete(path)
        for done, _ in enumerate(run.batches(plan.changes.write), start=1):
            path = next(order)
            stat = plan.notes[path]
            try:
                found = documents_of(vault, stat, resolver, days, lambda path: reader.read(path, run.left))
            except TimeoutError:
                # The run has ended; the next one may take longer.
                done -= 1
                break
            if found:
                writer.replace(*found)
                as_listed &= (found[0].size, found[0].mtime_ns) == (stat.size, stat.mtime_ns)
            else:
                writer.delete(path)
                as_listed = False
            shown += is_note_name(path) and not hidden_as(vault, path)
            is_due = done % vault.settings.commit_notes == 0 or done == len(notes)
            if (is_due or run.wanted.is_due or (is_first and done == FIRST_NOTES)) and done < todo:
                writer.commit(purge=purge, more=True)
                run.wanted.give()
        if as_listed and done == todo:
            writer.set_vault(dump(plan.record))
        writer.commit(purge=purge)
        if done == todo and (others or not was or not all(map(is_note_name, plan.changes.delete))):
            _forget_texts(reader, index.snapshot())
    gone = filter(is_note_name, plan.changes.delete)
    deleted = sum(not hidden_as(vault, path) for path in gone)
    total = int(VaultSnapshot(index.snapshot()).shown_notes.sum())
    seconds, files = time.monotonic() - begun, max(0, done - len(notes))
    return SyncReport(shown, deleted, todo - done, total, seconds, purge, files)


def _forget_texts(reader: "AttachmentReader", snapshot: Snapshot) -> None:
    """Remove the kept texts of files that are gone, changed or no longer shown."""
    others = (doc for path, doc in snapshot.paths().items() if not is_note_name(path))
    reader.kept.keep_only({load(snapshot.data(doc))["note"]["hash"] for doc in others})


def _makes_private(vault: VaultClient, snapshot: Snapshot, changes: Changes) -> bool:
    """Return whether a note is written that is excluded and was not known as such.

    It may have been searchable until now, here or at a path that is gone, today or some time ago.
    """
    excluded = {path for path in changes.write if vault.is_excluded(path)}
    known = snapshot.docs_with("hidden:excluded").tolist() if excluded else []
    return bool(excluded.difference(snapshot.path(doc) for doc in known))


def documents_of(
    vault: VaultClient,
    stat: FileStat,
    resolver: "LinkResolver",
    days: "DayReader",
    extract: Callable[[str], NoteText],
) -> tuple[NoteDoc, list[ChunkDoc]] | None:
    """Read and parse a note as it was listed, and return what an index keeps of it; None where it is gone.

    One that cannot be read is found by its name, with the reason. ``extract`` reads a file that is no note.
    """
    from app.markdown.parse import parse_note

    hidden = hidden_as(vault, stat.path)
    try:
        text = (vault.read if is_note_name(stat.path) else extract)(stat.path)
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
    # A time that the next look disbelieves where the file may still be changing.
    settled = text.mtime_ns - (time.time_ns() - text.mtime_ns <= RACY_NS)
    # What queries read, and passages are made of.
    text = text._replace(text=nfc(text.text.replace("\r\n", "\n")), mtime_ns=settled)
    limit = vault.settings.chunk_chars
    chunks = [] if hidden else chunk_documents(stat.path, note, text.text, dates.day, limit)
    return note_document(text, note, dates, hidden), chunks


def _without_words(note: "ParsedNote", path: str, resolver: "LinkResolver") -> "ParsedNote":
    """Keep of a private note which files it links to, and nothing that it says.

    A link that leads nowhere is what the note says. Where a file of that name comes, the link counts once the
    private note is changed as well.
    """
    from app.markdown.parse import parse_note

    leading = [link for link in note.links if resolver.resolve(link.target, path) is not None]
    return replace(
        parse_note("", path),
        links=tuple(link._replace(subpath="", display="") for link in leading),
        problems=("a part of it cannot be read",) if note.problems else (),
    )


def hidden_as(vault: VaultClient, path: str) -> str:
    """Say why no search shows a note: ``excluded``, ``left-out``, or empty where all do."""
    if vault.is_excluded(path):
        return "excluded"
    return "left-out" if vault.is_left_out(path) else ""


class Watcher(threading.Thread):
    """Watches a folder from its own thread until closed; starts in the state "changed".

    Raises:
        EngineMissingError: the package watchfiles is not installed.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(name="vault-watch", daemon=True)
        try:
            import watchfiles
        except ImportError as error:
            raise EngineMissingError(
                "watching needs the package watchfiles",
                missing_extra("watch"),
            ) from error
        self._watch, self._root, self._end = watchfiles.watch, root, threading.Event()
        self.changed, self.begun = threading.Event(), threading.Event()
        """Whether something changed; whether the system reports what changes from now on."""
        self.changed.set()
        self.start()

    def take(self) -> bool:
        """Return whether anything changed since the last call.

        Yes before the system reports changes, and once it does no more.
        """
        if self.begun.is_set() and self.is_alive() and not self.changed.is_set():
            return False
        # Cleared before the look at the vault: what happens during the look counts for the next one.
        self.changed.clear()
        return True

    def close(self) -> None:
        """Stop watching."""
        self._end.set()
        self.join(timeout=2)

    def run(self) -> None:
        """Note changes, until closed."""
        # Settings below .obsidian decide what is hidden, so they count as well.
        for changes in self._watch(
            self._root,
            watch_filter=None,
            debounce=200,
            step=50,
            stop_event=self._end,
            rust_timeout=500,
            yield_on_timeout=True,
        ):
            # In the first round the watches stand; what happened before is not reported.
            if changes or not self.begun.is_set():
                self.changed.set()
            self.begun.set()
