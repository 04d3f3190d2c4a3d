"""An index in Milvus: it finds the notes that may answer; the operations work on these as on any index."""

import threading
import time
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from app.config.settings import IndexDefinition
from app.errors import SearchError, VaultError
from app.notices import FailureKind, Notice, NoticeKind
from app.search.index.sync import Progress, Stopped, SyncReport
from app.search.milvus.candidates import CandidateSnapshot, FetchedVectors
from app.search.milvus.database import Vault
from app.search.milvus.expression import among
from app.search.milvus.feed import Feeder
from app.search.milvus.finding import Finding, Found
from app.search.milvus.head import Meta, read_head, read_meta
from app.search.milvus.rows import Name, read_notes, records_of
from app.search.models import SearchRequest
from app.search.upkeep import IndexStatus, Upkeep
from app.search.view import Vectors, View
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
        self._feeding, self._reading = threading.Lock(), threading.Lock()
        self._base = lru_cache(maxsize=1)(self._read_base)
        self._part = lru_cache(maxsize=KEPT_SNAPSHOTS)(self._read_part)

    def views(self, request: SearchRequest | None = None) -> Iterator[View]:
        """Yield the notes that may answer a request, more each time; without one, all.

        Raises:
            SearchError: the database does not answer, or the vault is not there.
        """
        if self.definition.feeds and (request is None or request.operation == "keyword"):
            yield self.view()
            return
        meta, base = self._known_there()
        if request is None:
            if meta.notes > MOST_WHOLE:
                raise SearchError(
                    "this asks for a whole vault, and '{name}' has {notes} notes in Milvus",
                    "search it instead, or ask on the machine that brings it there",
                    name=self.remote.name,
                    notes=meta.notes,
                )
            yield self._view_of(Found(tuple(base.note_paths), is_whole=True), base, self.vectors)
            return
        if request.operation == "keyword":
            raise SearchError("'keyword' reads the notes' files, which are not here", "use another operation")
        kept = self._model(meta) if request.is_deep else None
        for found in Finding(self.remote, base, request, meta.vectors, kept).found():
            yield self._view_of(found, base, self._fetched(meta, kept, found) if request.is_deep else None)

    def _known_there(self) -> tuple[Meta, CandidateSnapshot]:
        """Return the state of the vault in the database, without any note at hand."""
        meta = read_meta(self.remote)
        if meta is None:
            raise SearchError(
                "there is no vault '{name}' in Milvus at '{uri}'",
                "bring it there with `vault-assistant index`, or see 'remote_name'",
                name=self.remote.name,
                uri=self.remote.uri,
            )
        # Of what takes much room one is read, however many ask at once.
        with self._reading:
            return self._base(meta)

    def _read_base(self, meta: Meta) -> tuple[Meta, CandidateSnapshot]:
        meta, head = read_head(self.remote, meta)
        return meta, CandidateSnapshot(self.remote, head, [])

    def _read_part(self, base: CandidateSnapshot, notes: frozenset[tuple[Name, int]]) -> CandidateSnapshot:
        return CandidateSnapshot(self.remote, base.head, read_notes(self.remote, dict(notes)))

    def _view_of(self, found: Found, base: CandidateSnapshot, vectors: "Vectors | None") -> View:
        """Return found notes as a view."""
        part = self._part(base, frozenset(records_of(self.remote, found.notes).items()))
        return View(part, self.vault, lambda: vectors, stored=True, part=not found.is_whole)

    def _model(self, meta: Meta) -> "KeptVectors | None":
        """Return the model, where there are vectors to compare with and it can be used."""
        try:
            return self.vectors.wanted() if self.vectors and meta.vectors else None
        except VaultError:
            # The ranking meets the same error, and says what is done without.
            return None

    def _fetched(self, meta: Meta, kept: "KeptVectors | None", found: Found) -> "Vectors | None":
        if kept is None:
            return self.vectors
        fields = ["id", "hash", "window", "first", "last", "dense"]
        rows = self.remote.query(meta.vectors, among("path", found.notes), fields) if found.notes else []
        return FetchedVectors(kept, rows, meta)

    def freshen(self, *, force: bool = False) -> list[Notice]:
        """Bring what changed in the vault, for as long as the settings allow; a reader changes nothing."""
        if not self.definition.feeds:
            return self._left_there()
        return [*super().freshen(force=force), *self._bring()]

    def _bring(self) -> list[Notice]:
        """Bring what there is here for as long as a search may wait, and say what is left undone."""
        seconds = self.vault.settings.catch_up_seconds
        if not self._feeding.acquire(timeout=seconds):
            return [Notice(NoticeKind.INDEX_BUSY)]
        try:
            report = self._feeder.feed(seconds=seconds)
        except VaultError as error:
            return [Notice(FailureKind.NOT_BROUGHT, reason=str(error))]
        finally:
            self._feeding.release()
        return self._left_there() if report.remaining else []

    def _left_there(self) -> list[Notice]:
        """Say where the vault is not whole in the database yet."""
        meta = read_meta(self.remote)
        if meta is None or not meta.rest:
            return []
        return [Notice(NoticeKind.INDEX_BEHIND, notes=meta.notes - meta.rest)]

    def update(
        self,
        *,
        progress: Progress | None = None,
        rebuild: bool = False,
        stopped: Stopped = lambda: False,
    ) -> SyncReport:
        """Bring the vault there, however long it takes.

        Raises:
            SearchError: the database does not answer; what was written stays.
            IndexBusyError: another machine is at it.
        """
        self._feeds()
        begun = time.monotonic()
        report = super().update(rebuild=rebuild, stopped=stopped)
        with self._feeding:
            fed = self._feeder.feed(progress=progress, again=rebuild, stopped=stopped)
        seconds = time.monotonic() - begun
        return fed._replace(total=report.total, seconds=seconds, purged=report.purged)

    def _feeds(self) -> None:
        if not self.definition.feeds:
            raise SearchError(
                "this machine only reads '{name}' in Milvus",
                "set 'feeds' to true to bring it there",
                name=self.remote.name,
            )

    def embed(
        self,
        *,
        progress: Progress | None = None,
        compact: bool = False,
        stopped: Stopped = lambda: False,
    ) -> "EmbedReport":
        """Build the vectors that are missing on this machine, and bring them there."""
        self._feeds()
        report = super().embed(progress=progress, compact=compact, stopped=stopped)
        with self._feeding:
            self._feeder.feed()
        return report

    def embed_for_search(self, *, alone: bool = False) -> list[Notice]:
        """Build missing vectors for as long as a search may wait, and bring them there."""
        if not self.definition.feeds:
            return []
        return [*super().embed_for_search(alone=alone), *self._bring()]

    def status(self) -> IndexStatus:
        """Describe what is in the database, and what of the vault is left out of it."""
        meta = read_meta(self.remote)
        local = super().status()
        return local._replace(
            folder=f"{self.remote.uri} ({self.remote.name})",
            notes=meta.notes if meta else 0,
            chunks=meta.chunks if meta else 0,
            pending=(meta.rest if meta else local.notes) + local.pending if self.definition.feeds else 0,
            embedded=meta.share if meta else 0.0,
        )

    def watch(self) -> None:
        """Watch the vault from now on, where this machine brings it there."""
        if self.definition.feeds:
            super().watch()
