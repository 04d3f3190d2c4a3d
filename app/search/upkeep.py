"""Keep an index up to date with its vault, and report what it holds, leaves out and has yet to do."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import filterfalse
from typing import TYPE_CHECKING, NamedTuple

from app.config.settings import IndexDefinition, logger
from app.errors import IndexBusyError, IndexCorruptError, VaultError
from app.journal.lines import is_any_open, journal_folder
from app.notices import Notice, NoticeKind
from app.search.index.snapshot import VaultSnapshot
from app.search.index.store import LOCK_SECONDS, VECTORS, Store, index_folder
from app.search.index.sync import (
    LOOK_SECONDS,
    Progress,
    Run,
    Stopped,
    SyncReport,
    Wanted,
    Watcher,
    apply,
    hidden_as,
    plan_of,
    rules_of,
)
from app.search.models import SearchRequest
from app.search.view import View
from app.stopping import go_on
from app.vault.client import VaultClient
from app.vault.paths import NotePath, is_note_name

if TYPE_CHECKING:
    from app.search.vectors.build import EmbedReport
    from app.search.vectors.vectors import Semantic

MANY_LEFT = 500
"""Notes that an update has to read, of which a search does not wait for the end."""
BEGIN_SECONDS = 5.0
"""How long a search waits at most for notes of a new index that are likely to answer it."""
BUSY_SECONDS = 0.5
"""How long a search waits for another process that is updating the index."""
CLOSE_SECONDS = 60.0
"""How long closing waits for what is in the works."""
First = Callable[[Sequence[NotePath]], Sequence[NotePath]]
"""Chooses of the notes that an update has to read those that it reads first."""


class IndexStatus(NamedTuple):
    """An index as it stands.

    ``problems`` pairs paths with reasons; ``pending`` counts notes to be written or deleted that a search
    may show; ``unindexed`` are notes that the index's globs leave out; ``bytes`` is its size on disk.
    ``embedding_model`` is None for an index of words alone, ``embedded`` the share of its chunks that have
    vectors, 0 to 1, and ``deep`` says what stands in the way of searching by meaning, or how foreign notes
    are read for it.
    ``recovered`` are writes that were cut short and then finished or taken back, of the last days, as in
    `Report`.
    """

    name: str
    folder: str
    notes: int
    chunks: int
    excluded: tuple[str, ...]
    left_out: tuple[str, ...]
    unindexed: tuple[str, ...]
    problems: tuple[tuple[str, str], ...]
    pending: int
    bytes: int
    embedding_model: str | None
    embedded: float
    deep: str
    recovered: tuple[dict[str, str | None], ...] = ()
    attachments: tuple[str, ...] = ()
    """Other files that are searched."""


class Upkeep:
    """One index on this machine: gives what may answer, and is updated, by one thread and process at a time.

    Readers never wait for it. An engine elsewhere is one that keeps the whole, or a part of it, there too.
    """

    def __init__(self, vault: VaultClient, name: str, definition: IndexDefinition) -> None:
        self.vault, self.name, self.definition = vault, name, definition
        self.store = Store(index_folder(vault, name))
        self.folder = self.store.folder
        self._vectors: Semantic | None = None
        self._is_unsettled = False
        self._updating = threading.Lock()
        # Guards what follows, and the store's open index; held for moments only.
        self._state = threading.RLock()
        self._view: tuple[str, View] | None = None
        self._watcher: Watcher | None = None
        self._behind = threading.Thread()
        self._closed = threading.Event()
        self._left: tuple[NotePath, ...] = ()
        self._wanted = Wanted()

    @property
    def vectors(self) -> "Semantic | None":
        """The vectors of its passages; None for an index of words alone."""
        if self.definition.embedding_model is None:
            return None
        # A search by words is over before the modules of the vectors would be imported.
        from app.search.embedding.hub import known_name
        from app.search.embedding.loading import fitting_model
        from app.search.vectors.vectors import Semantic

        with self._state:
            if self._vectors is None or self._is_unsettled:
                name, lexical = known_name(self.definition.embedding_model), self.view().lexical
                is_open = "embedding_model" not in self.definition.model_fields_set
                name = fitting_model(lexical, name) if is_open else name
                # What the notes are written in is not known before there are any.
                self._is_unsettled = is_open and not lexical.notes.any()
                if self._vectors is None or self._vectors.name != name:
                    models = self.vault.settings.cache_folder / "models"
                    self._vectors = Semantic(self.vault, self.folder / VECTORS, models, name)
            return self._vectors

    def status(self) -> IndexStatus:
        """Compare the vault with the index, changing neither."""
        from app.journal.recover import report

        view, cut_short = self.view(), report(self.vault)
        plan = plan_of(self.vault, self.definition, view.snapshot, rebuild=True)
        assert plan is not None
        problems = {(problem.path, problem.reason) for problem in plan.scan.problems}
        for path, doc in view.lexical.paths().items():
            problems |= {(path, reason) for reason in view.snapshot.note(doc).problems}
        problems |= {(".obsidian", reason) for reason in self.vault.obsidian.problems}
        embedded, deep = 0.0, ""
        if self.vectors:
            try:
                embedded, deep = self.vectors.share(view.snapshot), self.vectors.hint(view.snapshot) or ""
            except VaultError as error:
                deep = str(error)
        return IndexStatus(
            name=self.name,
            folder=str(self.folder),
            notes=int(view.snapshot.shown_notes.sum()),
            attachments=tuple(sorted(filterfalse(is_note_name, view.snapshot.visible_paths))),
            chunks=int(view.lexical.chunks.sum()),
            excluded=tuple(sorted(filter(self.vault.is_excluded, plan.notes))),
            left_out=tuple(sorted(filter(self.vault.is_left_out, plan.notes))),
            unindexed=tuple(sorted(plan.scan.notes.keys() - plan.notes.keys())),
            problems=tuple(sorted(problems | set(cut_short.problems))),
            pending=sum(not hidden_as(self.vault, path) for changed in plan.changes for path in changed),
            bytes=self.store.size(),
            embedding_model=self.definition.embedding_model,
            embedded=embedded,
            deep=deep,
            recovered=cut_short.recovered,
        )

    def views(self, request: SearchRequest | None = None) -> Iterator[View]:
        """Yield the last committed state: all of it answers any request.

        An engine elsewhere yields parts that may answer a request, each with all of those before it, and
        without a request the whole. Whoever has enough asks for no more.
        """
        yield self.view()

    def view(self) -> View:
        """Return the last committed state; the same object while neither it nor the rules change.

        What the vault's settings have begun to exclude since is hidden at once, before the index follows.
        """
        rules = rules_of(self.vault, self.definition)
        with self._state:
            lexical = self.store.snapshot()
            if self._view is None or self._view[1].lexical is not lexical or self._view[0] != rules:
                snapshot = VaultSnapshot(lexical)
                if snapshot.vault.rules != rules:
                    snapshot = VaultSnapshot(lexical, self.vault.is_excluded)
                self._view = (rules, View(snapshot, self.vault, lambda: self.vectors))
            return self._view[1]

    def snapshot(self) -> VaultSnapshot:
        """Return the index alone of the last committed state."""
        return self.view().snapshot

    def mend(self) -> None:
        """Make anew what of the index is damaged; the next look at the vault fills it.

        Raises:
            VaultError: another process is writing it, or the disk refuses.
        """
        with self._state:
            self.store.mend()
        self._look_again()

    def freshen(self, *, force: bool = False, request: SearchRequest | None = None) -> list[Notice]:
        """Catch up with the vault for as long as the settings allow; say what is left undone.

        Where many notes are not indexed yet, those that are likely to answer the ``request`` are taken first.
        With ``force`` it looks at the vault even where a watcher saw no change.

        Raises:
            VaultError: the vault or the index cannot be read.
        """
        watcher = self._watcher
        # A rule that hides notes counts from the first search after it, whatever the watcher has seen: what
        # they say leaves the store at once.
        rules = rules_of(self.vault, self.definition) if watcher else ""
        if watcher and not force and not watcher.take() and self.snapshot().vault.rules == rules:
            _recover(self.vault)
            return self._said()
        seconds = self.vault.settings.catch_up_seconds
        # Another thread's update, which is waited for unless it is long, serves this one as well.
        first, waits = partial(self._first, request), max(seconds, 0.0)
        try:
            report = self._followed(Run(time.monotonic() + seconds), waits=waits, first=first)
            left = self._left
        except VaultError as error:
            self._look_again()
            if not isinstance(error, IndexBusyError):
                raise
            begun = time.monotonic()
            while not self.snapshot().visible.any() and time.monotonic() < begun + BEGIN_SECONDS:
                time.sleep(BUSY_SECONDS)
            return [*self._said(), Notice(NoticeKind.INDEX_BUSY)]
        if report and not report.remaining:
            return self._said()
        self._look_again()
        # An engine elsewhere brings there what it finds here, when it is searched.
        self._go_on(partial(Upkeep.update, self))
        if report is None and (paths := first(left)):
            self._wanted.put(paths)
            self._wanted.wait(BEGIN_SECONDS, self._updating.locked)
        count = report.written + report.remaining if report else len(left)
        kind = NoticeKind.INDEX_BEGUN if request and count > MANY_LEFT else NoticeKind.INDEX_BEHIND
        return [*self._said(), Notice(kind, notes=int(self.snapshot().shown_notes.sum()))]

    def _first(self, request: SearchRequest | None, left: Sequence[NotePath]) -> list[NotePath]:
        """Choose of many notes that are not indexed yet those that a search waits for."""
        if len(left) <= MANY_LEFT:
            return []
        from app.search.keyword.likely import MOST_NOTES, likely_notes

        known = self.view().lexical.paths()
        shown = [path for path in left if is_note_name(path) and not hidden_as(self.vault, path)]
        likely = likely_notes(self.vault, request, shown) if request else []
        # Those that are no news may have been taken for a search before this one.
        return [path for path in likely or shown[:MOST_NOTES] if path not in known]

    def update(
        self,
        *,
        progress: Progress | None = None,
        rebuild: bool = False,
        stopped: Stopped = lambda: False,
    ) -> SyncReport:
        """Bring the index up to date, however long it takes, or from nothing to ``rebuild`` it.

        ``progress`` gets notes done and to do, ``stopped`` is asked before each note; what is done is kept.

        Raises:
            IndexBusyError: another process is updating the index.
            VaultNotFoundError: the vault is gone.
        """
        report = self._followed(Run(None, progress, stopped, self._wanted), rebuild=rebuild)
        assert report is not None
        return report

    def embed(
        self,
        *,
        progress: Progress | None = None,
        compact: bool = False,
        stopped: Stopped = lambda: False,
    ) -> "EmbedReport":
        """Build the vectors that are missing; see `Semantic.embed`. Without a model nothing is."""
        if self.vectors is None or self._hides_all:
            from app.search.vectors.build import EmbedReport

            return EmbedReport()
        return self.vectors.embed(self.snapshot, Run(None, progress, stopped), compact=compact)

    def embed_for_search(self) -> list[Notice]:
        """Build missing vectors for as long as a search may wait, go on behind, and say what is left.

        Raises:
            EngineMissingError: the extra is not installed.
        """
        if self.vectors is None or self._hides_all:
            return []
        go_on()
        seconds = 0.0 if self._behind.is_alive() else self.vault.settings.catch_up_seconds
        said, is_left = self.vectors.catch_up(self.snapshot, seconds)
        if is_left:
            self._go_on(partial(Upkeep.embed, self))
        return said

    def watch(self) -> None:
        """Watch the vault from now on, so that a search need not look for changes.

        Raises:
            EngineMissingError: the extra ``watch`` is not installed.
        """
        with self._state:
            if self._watcher is None:
                self._watcher = Watcher(self.vault.root)

    def close(self) -> None:
        """Stop watching and what goes on behind, after the note or batch in the works; close the index."""
        self._closed.set()
        if self._behind.is_alive():
            self._behind.join(CLOSE_SECONDS)
        with self._state:
            watcher, self._watcher = self._watcher, None
            self.store.index.close()
        if watcher:
            watcher.close()

    @property
    def _hides_all(self) -> bool:
        return self.vault.obsidian.hides_all is not None

    def _followed(
        self, run: Run, *, waits: float = -1, rebuild: bool = False, first: First = lambda _: []
    ) -> SyncReport | None:
        """Follow the vault, once more where the index turns out to be damaged.

        None where another thread is at it, and not done in as many seconds as this one ``waits``.
        """
        _recover(self.vault)
        ends = time.monotonic() + waits
        while not self._updating.acquire(timeout=-1 if waits < 0 else min(waits, LOOK_SECONDS)):
            if len(self._left) > MANY_LEFT or time.monotonic() >= ends:
                return None
        try:
            return self._follow(run, rebuild=rebuild, first=first)
        except IndexCorruptError:
            self.mend()
            return self._follow(run, rebuild=rebuild, first=first)
        finally:
            self._left = ()
            self._wanted.give()
            self._updating.release()

    def _follow(self, run: Run, *, rebuild: bool, first: First) -> SyncReport:
        begun, seen = time.monotonic(), self.snapshot()
        # Nothing is shown while it is not known what is excluded. Were all dropped, a settings file that is
        # half written by a sync program would cost all vectors.
        # A vault that has not changed needs no lock, whoever writes the index.
        plan = None if self._hides_all else plan_of(self.vault, self.definition, seen, rebuild=rebuild)
        if plan is None:
            return _unchanged(seen, begun)
        with self.store.exclusive(LOCK_SECONDS if run.deadline is None else BUSY_SECONDS):
            # Notes written under other rules are dropped at once, so that no private text outlives its rule.
            if rebuild or self.snapshot().vault.rules not in ("", plan.record.rules):
                with self._state:
                    self.store.discard()
            if self.snapshot().lexical is not seen.lexical:
                plan = plan_of(self.vault, self.definition, self.snapshot())
                if plan is None:
                    return _unchanged(self.snapshot(), begun)
            self._left = plan.changes.write
            run.wanted.put(first(self._left))
            report = apply(self.vault, self.store.index, plan, run)
            if report.purged:
                self.store.outdate_vectors()
            return report

    def _look_again(self) -> None:
        if watcher := self._watcher:
            watcher.changed.set()

    def _go_on(self, work: Callable[..., object]) -> None:
        """Finish an update, or vectors, in the background; a process that ends meanwhile loses nothing."""
        with self._state:
            if not self._behind.is_alive():
                self._closed.clear()
                # The end of the program waits for it, before any library is taken apart.
                self._behind = threading.Thread(target=self._finish, args=(work,))
                self._behind.start()

    def _finish(self, work: Callable[..., object]) -> None:
        try:
            work(stopped=lambda: self._closed.is_set() or not threading.main_thread().is_alive())
        except VaultError as error:
            logger.info("index_not_updated", extra={"index": self.name, "error": str(error)})
        except Exception as error:  # noqa: BLE001 - the last resort of this thread
            logger.error("index_not_updated", extra={"index": self.name, "error": str(error)}, exc_info=True)

    def _said(self) -> list[Notice]:
        """Say once that the index was rebuilt."""
        with self._state:
            said, self.store.notices = self.store.notices, []
        return said


def _unchanged(seen: VaultSnapshot, begun: float) -> SyncReport:
    return SyncReport(total=int(seen.shown_notes.sum()), seconds=time.monotonic() - begun)


def _recover(vault: VaultClient) -> None:
    # Asked before each search, and hardly ever is anything open.
    if is_any_open(journal_folder(vault.root, vault.settings.state_folder)):
        from app.journal.recover import recover

        recover(vault)
