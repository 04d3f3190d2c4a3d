"""Keep an index up to date with its vault, and report what it holds, leaves out and has yet to do."""

import atexit
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.config.settings import IndexDefinition, logger
from app.errors import IndexBusyError, IndexCorruptError, VaultError
from app.journal.lines import is_any_open, journal_folder
from app.notices import Notice, NoticeKind
from app.search.index.snapshot import VaultSnapshot
from app.search.index.store import LOCK_SECONDS, Store, index_folder
from app.search.index.sync import (
    Progress,
    Stopped,
    SyncPlan,
    SyncReport,
    apply,
    changes_since,
    let_in,
    rules_of,
    selected,
    vault_record,
)
from app.search.index.watch import Watcher
from app.search.models import SearchRequest
from app.search.view import View
from app.stopping import go_on
from app.vault.client import VaultClient

if TYPE_CHECKING:
    from app.search.vectors.build import EmbedReport
    from app.search.vectors.vectors import Semantic

MANY_LEFT = 500
"""Notes that an update still has to read, of which a search does not wait for the end."""
BUSY_SECONDS = 0.5
"""How long a search waits for another process that is updating the index."""
EXIT_SECONDS = 60.0
"""How long the end of the process waits for what is in the works: a model that works on brings it down."""


class IndexStatus(NamedTuple):
    """An index as it stands.

    ``problems`` pairs paths with reasons; ``pending`` counts notes to be written or deleted; ``unindexed``
    are notes that the index's globs leave out; ``bytes`` is its size on disk. ``embedding_model`` is None for
    an index of words alone, ``embedded`` the share of its chunks that have vectors, 0 to 1, and ``deep`` says
    what stands in the way of searching by meaning, or how foreign notes are read for it.
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
    recovered: tuple[dict[str, str | bool | None], ...] = ()


def describe_index(
    store: Store, view: View, definition: IndexDefinition, vectors: "Semantic | None"
) -> IndexStatus:
    """Compare the vault with an index, changing neither."""
    from app.journal.recover import report

    cut_short = report(view.vault)
    scan = view.vault.scan()
    notes = selected(scan.notes, definition)
    changes = changes_since(view.lexical, notes)
    problems = {(problem.path, problem.reason) for problem in scan.problems}
    for path, doc in view.lexical.paths().items():
        problems |= {(path, reason) for reason in view.snapshot.note(doc).problems}
    problems |= {(".obsidian", reason) for reason in view.vault.obsidian.problems}
    problems |= set(cut_short.problems)
    embedded, deep = _meaning(view.snapshot, vectors)
    return IndexStatus(
        name=store.folder.name,
        folder=str(store.folder),
        notes=int(view.snapshot.visible.sum()),
        chunks=int(view.lexical.chunks.sum()),
        excluded=tuple(sorted(path for path in notes if view.vault.is_excluded(path))),
        left_out=tuple(sorted(path for path in notes if view.vault.is_left_out(path))),
        unindexed=tuple(sorted(path for path in scan.notes if path not in notes)),
        problems=tuple(sorted(problems)),
        pending=len(changes.write) + len(changes.delete),
        bytes=store.size(),
        embedding_model=definition.embedding_model,
        embedded=embedded,
        deep=deep,
        recovered=cut_short.recovered,
    )


def _meaning(snapshot: VaultSnapshot, vectors: "Semantic | None") -> tuple[float, str]:
    """Return the share of chunks that have vectors, and what is to be said of searching by meaning."""
    if vectors is None:
        return 0.0, ""
    try:
        return vectors.share(snapshot), vectors.hint(snapshot) or ""
    except VaultError as error:
        return 0.0, str(error)


class Upkeep:
    """One index on this machine: gives what may answer, and is updated, by one thread and process at a time.

    Readers never wait for it. An engine elsewhere is one that keeps the whole, or a part of it, there too.
    """

    def __init__(self, vault: VaultClient, name: str, definition: IndexDefinition) -> None:
        self.vault, self.name, self.definition = vault, name, definition
        self.store = Store(index_folder(vault, name))
        self._vectors: Semantic | None = None
        self._updating = threading.Lock()
        # Guards what follows, and the store's open index; held for moments only.
        self._state = threading.RLock()
        self._view: tuple[str, View] | None = None
        self._watcher: Watcher | None = None
        self._behind: threading.Thread | None = None
        self._closed = threading.Event()
        self._left = 0

    @property
    def folder(self) -> Path:
        """The folder that holds the index."""
        return self.store.folder

    @property
    def vectors(self) -> "Semantic | None":
        """The vectors of its passages; None for an index of words alone."""
        # A search by words is over before the modules of the vectors would be imported.
        with self._state:
            if self._vectors is None:
                self._vectors = _vectors(self.vault, self.store.folder, self.definition)
            return self._vectors

    def status(self) -> IndexStatus:
        """Describe the index as it stands, without changing it."""
        return describe_index(self.store, self.view(), self.definition, self.vectors)

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
            try:
                lexical = self.store.snapshot()
            except IndexCorruptError as error:
                self.store.recover(error)
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

    def mend(self, error: IndexCorruptError) -> None:
        """Make anew what of the index, or of its vectors, is damaged; the next look at the vault fills it.

        Raises:
            VaultError: another process is writing it, or the disk refuses.
        """
        with self._state:
            try:
                self.store.index.check()
            except IndexCorruptError as found:
                self.store.recover(found)
        if self.vectors and self.vectors.mend():
            self.store.notices.append(Notice(NoticeKind.VECTORS_REBUILT, reason=error.message))
        self._look_again()

    def freshen(self, *, force: bool = False) -> list[Notice]:
        """Catch up with the vault for as long as the settings allow; say what is left undone.

        Args:
            force: Look at the vault even where a watcher saw no change.

        Raises:
            VaultError: the vault or the index cannot be read.
        """
        _recover(self.vault)
        watcher = self._watcher
        # A rule that hides notes counts from the first search after it, whatever the watcher has seen: what
        # they say leaves the store at once.
        rules = rules_of(self.vault, self.definition) if watcher else ""
        if watcher and not force and not watcher.take() and self.snapshot().vault.rules == rules:
            return self._said()
        try:
            seconds = self.vault.settings.catch_up_seconds
            report = None
            # Another thread's update, which is waited for, serves this one as well.
            if self._updating.acquire(timeout=0 if self._left > MANY_LEFT else max(seconds, 0.0)):
                try:
                    report = self._mended(lambda: self._follow(seconds=seconds))
                finally:
                    self._updating.release()
        except IndexBusyError:
            self._look_again()
            return [*self._said(), Notice(NoticeKind.INDEX_BUSY)]
        except VaultError:
            self._look_again()
            raise
        if report and not report.remaining:
            return self._said()
        self._look_again()
        # An engine elsewhere brings there what it finds here, when it is searched.
        self._go_on(partial(Upkeep.update, self))
        notes = int(self.snapshot().visible.sum())
        return [*self._said(), Notice(NoticeKind.INDEX_BEHIND, notes=notes)]

    def update(
        self,
        *,
        progress: Progress | None = None,
        rebuild: bool = False,
        stopped: Stopped = lambda: False,
    ) -> SyncReport:
        """Bring the index up to date, however long it takes.

        Args:
            progress: Called with notes done and notes to do.
            rebuild: Start from nothing.
            stopped: Asked after each note whether to stop; what is done by then is kept.

        Raises:
            IndexBusyError: another process is updating the index.
            VaultNotFoundError: the vault is gone.
        """
        _recover(self.vault)

        def told(done: int, total: int) -> None:
            self._left = total - done
            if progress:
                progress(done, total)

        with self._updating:
            try:
                return self._mended(lambda: self._follow(progress=told, rebuild=rebuild, stopped=stopped))
            finally:
                self._left = 0

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
        return self.vectors.embed(self.snapshot, progress=progress, compact=compact, stopped=stopped)

    def embed_for_search(self, *, alone: bool = False) -> list[Notice]:
        """Build missing vectors for as long as a search may wait, go on behind, and say what is left.

        Args:
            alone: Whether vectors alone are searched, and images among them.

        Raises:
            EngineMissingError: the extra is not installed.
        """
        if self.vectors is None or self._hides_all:
            return []
        go_on()
        seconds = 0.0 if self._is_behind else self.vault.settings.catch_up_seconds
        said, is_left = self.vectors.catch_up(self.snapshot, seconds, alone=alone)
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
        """Stop watching and close the index."""
        self._stop()
        with self._state:
            watcher, self._watcher = self._watcher, None
            self.store.close()
        if watcher:
            watcher.close()

    @property
    def _hides_all(self) -> bool:
        return self.vault.obsidian.hides_all is not None

    def _mended(self, follow: Callable[[], SyncReport]) -> SyncReport:
        """Follow the vault, once more where the index turns out to be damaged."""
        try:
            return follow()
        except IndexCorruptError as error:
            self.mend(error)
            return follow()

    def _follow(
        self,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        stopped: Stopped = lambda: False,
        rebuild: bool = False,
    ) -> SyncReport:
        begun = time.monotonic()
        # Nothing is shown while it is not known what is excluded. Were all dropped, a settings file that is
        # half written by a sync program would cost all vectors.
        if self._hides_all:
            return _unchanged(self.snapshot(), begun)
        # A vault that has not changed needs no lock, whoever writes the index.
        plan, seen = self._to_do(rebuild=rebuild)
        if plan is None:
            return _unchanged(seen, begun)
        with self.store.exclusive(LOCK_SECONDS if seconds is None else BUSY_SECONDS):
            # Notes written under other rules are dropped at once, so that no private text outlives its rule.
            if rebuild or self.snapshot().vault.rules not in ("", plan.record.rules):
                with self._state:
                    self.store.discard()
            if self.snapshot().lexical is not seen.lexical:
                plan, seen = self._to_do()
                if plan is None:
                    return _unchanged(seen, begun)
            deadline = None if seconds is None else begun + seconds
            report = apply(
                self.vault, self.store.index, plan, deadline=deadline, progress=progress, stopped=stopped
            )
            if report.purged:
                self.store.outdate_vectors()
            return report

    def _to_do(self, *, rebuild: bool = False) -> tuple[SyncPlan | None, VaultSnapshot]:
        """Compare the vault with the last commit; returns what is to be done, if anything, and the commit."""
        listing, seen = self.vault.listing(), self.snapshot()
        known, rules = seen.vault, rules_of(self.vault, self.definition)
        made_as = (listing.state, rules, self.vault.obsidian.all_file_types)
        if listing.state and not rebuild and made_as == (known.state, known.rules, known.all_types):
            return None, seen
        scan = self.vault.scan(listing)
        notes = selected(scan.notes, self.definition)
        record = vault_record(scan, notes, *made_as)
        plan = SyncPlan(changes_since(seen.lexical, notes), notes, record)
        return plan if rebuild or plan.changes or record != known else None, seen

    def _look_again(self) -> None:
        if watcher := self._watcher:
            watcher.changed()

    @property
    def _is_behind(self) -> bool:
        return self._behind is not None and self._behind.is_alive()

    def _go_on(self, work: Callable[..., object]) -> None:
        """Finish an update, or vectors, in the background; a process that ends meanwhile loses nothing."""
        with self._state:
            if self._is_behind:
                return
            if self._behind is None:
                # PyTorch has to be finalized once this was waited for, though its import may begin meanwhile:
                # what is registered last runs first.
                weakref.finalize(self, self._closed.set)
                atexit.register(self._stop)
            self._closed.clear()
            self._behind = threading.Thread(target=self._finish, args=(work,), daemon=True)
            self._behind.start()

    def _finish(self, work: Callable[..., object]) -> None:
        try:
            work(stopped=self._closed.is_set)
        except VaultError as error:
            logger.info("index_not_updated", extra={"index": self.name, "error": str(error)})
        except Exception as error:  # noqa: BLE001 - the last resort of this thread
            logger.error("index_not_updated", extra={"index": self.name, "error": str(error)}, exc_info=True)

    def _stop(self) -> None:
        """Stop what is finished in the background after the note, or the batch, in the works."""
        self._closed.set()
        if self._behind is not None:
            self._behind.join(EXIT_SECONDS)

    def _said(self) -> list[Notice]:
        """Say once that the index was rebuilt."""
        with self._state:
            said, self.store.notices = self.store.notices, []
        return said


def _unchanged(seen: VaultSnapshot, begun: float) -> SyncReport:
    return SyncReport(total=int(seen.visible.sum()), seconds=time.monotonic() - begun)


def _recover(vault: VaultClient) -> None:
    # Asked before each search, and hardly ever is anything open.
    if is_any_open(journal_folder(vault.root, vault.settings.state_folder)):
        from app.journal.recover import recover

        recover(vault)


def _vectors(vault: VaultClient, folder: Path, definition: IndexDefinition) -> "Semantic | None":
    if definition.embedding_model is None:
        return None
    from app.search.embedding.loading import known_name
    from app.search.vectors.vectors import Semantic

    settings = vault.settings
    models = settings.cache_folder / "models"

    def choose(paths: Sequence[str]) -> Sequence[str]:
        return let_in(paths, definition)

    return Semantic(vault, folder / "vectors", models, known_name(definition.embedding_model), choose)
