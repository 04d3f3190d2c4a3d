"""An index in Milvus: it finds the notes that may answer; the operations work on these as on any index."""

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from app.config.settings import IndexDefinition
from app.errors import SearchError, VaultError
from app.notices import FailureKind, Notice, NoticeKind
from app.search.index.sync import Progress, Stopped, SyncReport
from app.search.milvus.candidates import CandidateSnapshot, FetchedVectors
from app.search.milvus.database import Vault
from app.search.milvus.feed import Feeder, vectors_of
from app.search.milvus.finding import Finding, Found
from app.search.milvus.rows import Head, last_state, read_head, read_notes
from app.search.models import SearchRequest
from app.search.upkeep import IndexStatus, Upkeep
from app.search.view import View
from app.vault.client import VaultClient

if TYPE_CHECKING:
    from app.search.vectors.build import EmbedReport
    from app.search.vectors.store import KeptVectors

MOST_WHOLE = 2000
"""Most notes that are fetched where a whole vault is asked for."""
KEPT_SNAPSHOTS = 8


class MilvusEngine(Upkeep):
    """One vault in a Milvus database.

    Where this machine ``feeds`` it, the index that any vault has here is kept too: it is what is brought
    there, and what asks for a vault as a whole is answered by it.
    """

    def __init__(self, vault: VaultClient, name: str, definition: IndexDefinition) -> None:
        super().__init__(vault, name, definition)
        token = definition.token.get_secret_value() if definition.token else ""
        called = definition.remote_name or f"{self.folder.parent.name}/{name}"
        self.remote = Vault(str(definition.uri), token, definition.database, called)
        self._feeder = Feeder(self.remote, self)
        self._known = lru_cache(maxsize=1)(self._read_base)
        self._part = lru_cache(maxsize=KEPT_SNAPSHOTS)(self._read_part)

    def views(self, request: SearchRequest | None = None) -> Iterator[View]:
        """Yield the notes that may answer a request, more each time; without one, all.

        Raises:
            SearchError: the database does not answer, or the vault is not there.
        """
        if self.definition.feeds and (request is None or request.operation == "keyword"):
            yield self.view()
            return
        base = self._base()
        if base is None:
            raise SearchError(
                "there is no vault '{name}' in Milvus at '{uri}'",
                "bring it there with `vault-assistant index`, or see 'remote_name'",
                name=self.remote.name,
                uri=self.remote.uri,
            )
        if request is None:
            if len(base.visible_paths) > MOST_WHOLE:
                raise SearchError(
                    "this asks for a whole vault, and '{name}' has {notes} notes in Milvus",
                    "search it instead, or ask on the machine that brings it there",
                    name=self.remote.name,
                    notes=len(base.visible_paths),
                )
            yield self._view_of(base, Found(list(base.note_paths), is_whole=True), None)
            return
        if request.operation == "keyword":
            raise SearchError("'keyword' reads the notes' files, which are not here", "use another operation")
        kept = self._model(base.head) if request.is_deep else None
        for found in Finding(self.remote, base, request, kept).found():
            yield self._view_of(base, found, kept)

    def _base(self) -> CandidateSnapshot | None:
        """Return what is known of the vault in the database, without any note; None where it is not there."""
        state = last_state(self.remote)
        return self._known(state) if state else None

    def _read_base(self, _: str) -> CandidateSnapshot | None:
        head = read_head(self.remote)
        return CandidateSnapshot(head) if head else None

    def _read_part(self, base: CandidateSnapshot, paths: frozenset[str]) -> CandidateSnapshot:
        return CandidateSnapshot(base.head, read_notes(self.remote, paths))

    def _view_of(self, base: CandidateSnapshot, found: Found, kept: "KeptVectors | None") -> View:
        """Return found notes as a view."""
        part = self._part(base, frozenset(found.notes))
        vectors = FetchedVectors(kept, part) if kept else self.vectors
        return View(part, self.vault, lambda: vectors, stored=True, part=not found.is_whole)

    def _model(self, head: Head) -> "KeptVectors | None":
        """Return the model, where the vectors there are its own and it can be used."""
        try:
            kept = self.vectors.wanted() if self.vectors and head.kind else None
        except VaultError:
            # The ranking meets the same error, and says what is done without.
            return None
        return kept if kept and head.kind == vectors_of(kept.model) else None

    def freshen(self, *, force: bool = False, request: SearchRequest | None = None) -> list[Notice]:
        """Bring what changed in the vault, for as long as the settings allow; a reader changes nothing."""
        if not self.definition.feeds:
            return self._left_there()
        return [*super().freshen(force=force, request=request), *self._bring()]

    def _bring(self) -> list[Notice]:
        """Bring what there is here for as long as a search may wait, and say what is left undone."""
        try:
            report = self._feeder.feed(seconds=self.vault.settings.catch_up_seconds)
        except VaultError as error:
            return [Notice(FailureKind.NOT_BROUGHT, reason=str(error))]
        return self._left_there() if report.remaining else []

    def _left_there(self) -> list[Notice]:
        """Say where the vault is not whole in the database yet."""
        base = self._base()
        if base is None or not base.head.rest:
            return []
        return [Notice(NoticeKind.INDEX_BEHIND, notes=len(base.note_paths) - base.head.rest)]

    def update(
        self, *, progress: Progress | None = None, rebuild: bool = False, stopped: Stopped = lambda: False
    ) -> SyncReport:
        """Bring the vault there, however long it takes.

        Raises:
            SearchError: the database does not answer; what was written stays.
            IndexBusyError: another machine is at it.
        """
        self._feeds()
        report = super().update(rebuild=rebuild, stopped=stopped)
        fed = self._feeder.feed(progress=progress, again=rebuild, stopped=stopped)
        return fed._replace(total=report.total, seconds=report.seconds + fed.seconds, purged=report.purged)

    def _feeds(self) -> None:
        if not self.definition.feeds:
            raise SearchError(
                "this machine only reads '{name}' in Milvus",
                "set 'feeds' to true to bring it there",
                name=self.remote.name,
            )

    def embed(
        self, *, progress: Progress | None = None, compact: bool = False, stopped: Stopped = lambda: False
    ) -> "EmbedReport":
        """Build the vectors that are missing on this machine, and bring them there."""
        self._feeds()
        report = super().embed(progress=progress, compact=compact, stopped=stopped)
        self._feeder.feed()
        return report

    def embed_for_search(self) -> list[Notice]:
        """Build missing vectors for as long as a search may wait, and bring them there."""
        if not self.definition.feeds:
            return []
        return [*super().embed_for_search(), *self._bring()]

    def status(self) -> IndexStatus:
        """Describe what is in the database, and what of the vault is left out of it."""
        base, local = self._base(), super().status()
        rest = base.head.rest if base else local.notes
        return local._replace(
            folder=f"{self.remote.uri} ({self.remote.name})",
            notes=len(base.visible_paths) if base else 0,
            chunks=base.head.chunks if base else 0,
            pending=rest + local.pending if self.definition.feeds else 0,
            embedded=base.head.share if base else 0.0,
        )

    def watch(self) -> None:
        """Watch the vault from now on, where this machine brings it there."""
        if self.definition.feeds:
            super().watch()
