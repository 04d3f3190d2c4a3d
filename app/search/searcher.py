"""Answer requests from one index of one vault, and keep that index up to date."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from app.config import IndexDefinition
from app.dependencies import VaultClient, logger
from app.errors import BadRequestError, IndexBusyError
from app.links import LinkGraph
from app.search.models import Hit, Ranked, Ranking, SearchRequest, SearchResults
from app.search.operations import OPERATIONS
from app.search.results import Shower, StaleError
from app.search.snapshot import VaultSnapshot
from app.search.status import IndexStatus, describe
from app.search.store import LOCK_SECONDS, Store, index_folder
from app.search.suggest import suggestions, without_filters
from app.search.sync import Plan, Progress, SyncReport, apply, changes_since, rules_of, selected, vault_record
from app.search.watch import Watcher

T = TypeVar("T")


class Searcher:
    """One index of one vault: brings it up to date, answers requests, and owns its files.

    Safe to use from many threads. Get one by `searcher_for`.
    """

    def __init__(self, vault: VaultClient, name: str, definition: IndexDefinition) -> None:
        self.vault, self.name, self.definition = vault, name, definition
        self._lock = threading.RLock()
        self._view: VaultSnapshot | None = None
        self._watcher: Watcher | None = None
        self._catching_up: threading.Thread | None = None
        self._store = Store(index_folder(vault, name))

    @property
    def folder(self) -> Path:
        """The folder that holds the index."""
        return self._store.folder

    def search(self, request: SearchRequest) -> SearchResults:
        """Answer a request with results to read.

        Raises:
            VaultError: the request cannot be answered; the message says why.
        """
        results, ranking, notices = self._answer(request, Shower.result)
        return SearchResults(
            results=results,
            total=ranking.total,
            query=request.query,
            operation=request.operation,
            notices=[*notices, *ranking.notices],
        )

    def hits(self, request: SearchRequest) -> list[Hit]:
        """Answer a chunk request with data.

        Raises:
            VaultError: the request cannot be answered; the message says why.
        """
        hits, _, _ = self._answer(request, Shower.hit)
        return hits

    def _answer(
        self, request: SearchRequest, show: Callable[[Shower, Ranked], T]
    ) -> tuple[list[T], Ranking, list[str]]:
        """Rank and show; when a file turns out to have changed meanwhile, catch up and do it once more."""
        notices = [*self._take_notice(), *self.freshen()]
        for attempt in (1, 2):
            view = self.view()
            ranking = OPERATIONS[request.operation](view, self.vault, request)
            page = ranking.items[request.offset :]
            page = page if request.limit is None else page[: request.limit]
            shower = Shower(view, self.vault, request)
            shown: list[T] = []
            try:
                for item in page:
                    try:
                        shown.append(show(shower, item))
                    except StaleError:
                        if attempt == 1:
                            raise
                        notices.append("a note changed while it was searched and is left out")
            except StaleError:
                notices = self.freshen(force=True)
                continue
            break
        if not ranking.total:
            ranking = replace(
                ranking, notices=(*ranking.notices, *suggestions(view, request), *self._wider(view, request))
            )
        return shown, ranking, list(dict.fromkeys(notices))

    def _wider(self, view: VaultSnapshot, request: SearchRequest) -> list[str]:
        wider = without_filters(request)
        if wider is None:
            return []
        total = OPERATIONS[wider[0].operation](view, self.vault, wider[0]).total
        return [f"without {wider[1]} there would be {total}"] if total else []

    def _take_notice(self) -> list[str]:
        """Say once that the index was rebuilt."""
        with self._lock:
            notice, self._store.notice = self._store.notice, ""
        return [notice] if notice else []

    def freshen(self, *, force: bool = False) -> list[str]:
        """Catch up with the vault for as long as the settings allow; say what is left undone.

        Args:
            force: Look at the vault even where a watcher saw no change.
        """
        if self._watcher and not force and not self._watcher.take():
            return []
        if self._catching_up and self._catching_up.is_alive():
            return [self._lag()]
        try:
            report = self.update(seconds=self.vault.settings.catch_up_seconds, lock_seconds=0)
        except IndexBusyError:
            return ["another process is updating the index; this answers from its last state"]
        if not report.remaining:
            return []
        self._catching_up = threading.Thread(target=self._catch_up, name="vault-index", daemon=True)
        self._catching_up.start()
        return [self._lag()]

    def _catch_up(self) -> None:
        try:
            self.update()
        except IndexBusyError:
            logger.info("index_busy", extra={"index": self.name})

    def _lag(self) -> str:
        notes = int(self.view().lexical.notes.sum())
        return f"the index is catching up with the vault; {notes} notes are searched so far"

    def update(
        self,
        *,
        progress: Progress | None = None,
        rebuild: bool = False,
        seconds: float | None = None,
        lock_seconds: float = LOCK_SECONDS,
    ) -> SyncReport:
        """Bring the index up to date.

        Args:
            progress: Called with notes done and notes to do.
            rebuild: Start from nothing.
            seconds: Stop after so long with what is done; the report counts what remains.
            lock_seconds: How long to wait for another process.

        Raises:
            IndexBusyError: another process is updating the index.
            VaultNotFoundError: the vault is gone.
        """
        begun = time.monotonic()
        with self._lock, self._store.exclusive(lock_seconds):
            if rebuild:
                self._store.discard()
            scan = self.vault.scan()
            notes = selected(scan.notes, self.definition)
            rules, all_types = rules_of(self.vault, self.definition), self.vault.obsidian.all_file_types
            record = vault_record(scan, notes, rules, all_types=all_types)
            view = self.view()
            # Notes written under other rules are dropped at once, so that no private text outlives its rule.
            if view.vault.rules not in ("", record.rules):
                self._store.discard()
                view = self.view()
            changes = changes_since(view.lexical, notes)
            if not changes and view.vault == record:
                return SyncReport(total=len(notes), seconds=time.monotonic() - begun)
            deadline = None if seconds is None else begun + seconds
            plan = Plan(changes, notes, record)
            return apply(self.vault, self._store.index, plan, deadline=deadline, progress=progress)

    def view(self) -> VaultSnapshot:
        """Give the last committed state; the same object while nothing was committed."""
        with self._lock:
            snapshot = self._store.index.snapshot()
            if self._view is None or self._view.lexical is not snapshot:
                self._view = VaultSnapshot(snapshot)
            return self._view

    def graph(self) -> LinkGraph:
        """Give all links of the vault, after catching up."""
        self.freshen()
        return self.view().graph

    def watch(self) -> None:
        """Watch the vault from now on, so that a search need not look for changes.

        Raises:
            EngineMissingError: the extra ``watch`` is not installed.
        """
        with self._lock:
            if self._watcher is None:
                self._watcher = Watcher(self.vault.root)

    def status(self) -> IndexStatus:
        """Describe the index as it stands, without changing it."""
        return describe(self.vault, self._store, self.view(), self.definition)

    def close(self) -> None:
        """Stop watching and close the index."""
        with self._lock:
            if self._watcher:
                self._watcher.close()
                self._watcher = None
            self._store.close()
            for key in [key for key, searcher in _searchers.items() if searcher is self]:
                del _searchers[key]


_searchers: dict[tuple[str, str, str], Searcher] = {}
_searchers_lock = threading.Lock()


def searcher_for(vault: VaultClient, index: str | None = None) -> Searcher:
    """Give the searcher of a vault, an index and settings; opened once, then kept.

    Raises:
        BadRequestError: no index of that name is configured.
    """
    indexes = vault.settings.index
    name = index or indexes.default
    if name not in indexes.indexes:
        raise BadRequestError(f"unknown index '{name}'", "valid: " + ", ".join(sorted(indexes.indexes)))
    key = (str(vault.root), name, vault.settings.model_dump_json())
    with _searchers_lock:
        if key not in _searchers:
            _searchers[key] = Searcher(vault, name, indexes.indexes[name])
        return _searchers[key]
