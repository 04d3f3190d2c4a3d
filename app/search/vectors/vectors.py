"""The vectors of one index: which model answers, and how they are built without keeping a search waiting."""

import atexit
import hashlib
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.config.settings import logger
from app.errors import EngineMissingError, IndexCorruptError, ModelError, VaultError
from app.notices import LanguageKind, Notice, NoticeKind
from app.search.embedding.apart import export_apart
from app.search.embedding.embedder import Embedder
from app.search.embedding.image_model import ImageEmbedder
from app.search.embedding.loading import embedder_of, language_hint, languages_of, languages_read
from app.search.embedding.token_vectors import PROJECTION, token_dimension
from app.search.embedding.windows import WINDOWS
from app.search.index.snapshot import VaultSnapshot
from app.search.index.store import STALE
from app.search.lexical.index import Snapshot
from app.search.vectors.build import EmbedReport, Progress, embed_missing
from app.search.vectors.faiss_index import Ids
from app.search.vectors.file_format import read_log
from app.search.vectors.images import Choose, KeptImages
from app.search.vectors.store import KeptVectors, Shelf, Shelved
from app.stopping import is_given_up
from app.vault.client import VaultClient

Stopped = Callable[[], bool]
Latest = Callable[[], VaultSnapshot]
"""Returns the last state of the index."""
READY_SECONDS = 2.0
"""How long a search waits for a model that is being made ready."""
EXIT_SECONDS = 60.0
"""How long the end of the process waits for the batch in the works: a library that works on while its process
ends brings that down."""


class Semantic:
    """Vectors of the chunks of one index; safe to use from many threads.

    Nothing is loaded before it is asked for. Searches use what there is; when the configured model changed,
    the vectors of the one before answer until the new ones are whole.

    Args:
        vault: Where the passages are read.
        folder: Where the vectors are kept.
        models: Where what is made of models once is kept.
        name: The configured model.
        choose: Which images the index lets in, where its model understands any.
    """

    def __init__(
        self,
        vault: VaultClient,
        folder: Path,
        models: Path,
        name: str,
        choose: Choose = tuple,
    ) -> None:
        self.name, self._vault = name, vault
        self.shelf = Shelf(folder)
        self._models, self._choose = models, choose
        self._images: dict[KeptVectors, KeptImages] = {}
        self._opening = threading.Lock()
        self._opened: dict[str, tuple[Shelved, KeptVectors]] = {}
        self._embedding = threading.Lock()
        self._behind: threading.Thread | None = None
        self._closed = threading.Event()
        self._failure: Notice | None = None
        self._ready = threading.Event()
        self._ready.set()
        self._preparer: int | None = None
        self._hint: tuple[Snapshot, Notice | None] | None = None

    def claim(self) -> None:
        """Say that this thread will `prepare` the model: until it has, searches by meaning go by words."""
        self._preparer = threading.get_ident()
        self._ready.clear()

    @property
    def is_being_made(self) -> bool:
        """Whether the model is made ready or vectors are built: what needs them can be asked again soon."""
        behind = self._behind is not None and self._behind.is_alive()
        return behind or not self._ready.is_set() or self._embedding.locked()

    @property
    def is_open(self) -> bool:
        """Whether the configured model is loaded: a question is read at once."""
        return self.name in self._opened

    def prepare(self, stopped: Stopped) -> None:
        """Make the configured model ready, however long that takes, unless it is ``stopped``.

        Raises:
            EngineMissingError: the extra is not installed.
            VaultError: the model cannot be used.
        """
        try:
            export_apart(self.name, self._models, self._vault.settings.embedding, stopped)
            if not stopped():
                self._open(self.name)
        finally:
            self.release()

    def release(self) -> None:
        """Let whoever needs the model first make it ready."""
        self._preparer = None
        self._ready.set()

    def wanted(self) -> KeptVectors:
        """Return the vectors of the configured model, as far as they are built.

        Raises:
            EngineMissingError: the extra is not installed.
            VaultError: the model cannot be used.
        """
        return self._open(self.name)[1]

    def answering(self, snapshot: VaultSnapshot) -> KeptVectors:
        """Return the vectors that answer now: the configured model's, or the former's while they are fuller.

        Raises:
            EngineMissingError: the extra is not installed.
            VaultError: the model cannot be used.
        """
        wanted = self.wanted()
        former = self._former()
        if former is None or wanted.joined(snapshot).share >= former.joined(snapshot).share:
            return wanted
        return former

    def knows(self, language: str) -> bool:
        """Return whether the model can read a language, by its code, as far as its card says, or by glosses.

        Raises:
            VaultError: there is no such model here.
        """
        read = languages_read(languages_of(self.name))
        return not read or language in read

    def embed(
        self,
        latest: Latest,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        compact: bool = False,
        with_images: bool = True,
        stopped: Stopped | None = None,
    ) -> EmbedReport:
        """Build the vectors that are missing, for as long as ``seconds`` allows: of passages, then of images.

        Once all are there, vectors of texts that are gone are dropped where they are many; with ``compact``,
        and where the index was begun anew, in any case.

        Raises:
            EngineMissingError: the extra is not installed.
            VaultError: the model cannot be used, or the disk refuses; what was built is kept.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        stopped = stopped or self._closed.is_set
        if progress and self.name not in self._opened:
            # Loading the model takes seconds; how much there is to do is known before.
            progress(0, self.lacking(latest()))
        shelved, kept = self._open(self.name)
        if not self._embedding.acquire(timeout=-1 if seconds is None else seconds):
            return EmbedReport(remaining=len(kept.joined(latest()).missing), busy=True)
        stale = self.shelf.folder / STALE
        compact = compact or stale.exists()
        try:
            report = embed_missing(
                kept, self._vault, latest(), deadline=deadline, progress=progress, stopped=stopped
            )
            if compact or not report.remaining:
                kept.compact(latest(), always=compact)
            if not report.remaining:
                self.shelf.activate(shelved)
                if with_images and (images := self.images(kept)):
                    seen = images.embed(
                        latest(), deadline=deadline, progress=progress, stopped=stopped, compact=compact
                    )
                    report = report.then(seen)
            stale.unlink(missing_ok=True)
            return report
        finally:
            self._embedding.release()

    def catch_up(self, latest: Latest, seconds: float, *, alone: bool = False) -> list[Notice]:
        """Build missing vectors for a moment, go on behind where that is not enough, and say what is left.

        Where the model cannot be used nothing is said: the search that needs it says so.

        Args:
            latest: Gives the last state of the index.
            seconds: How long to build before the search.
            alone: Whether vectors alone are searched, and images among them.

        Raises:
            EngineMissingError: the extra is not installed.
        """
        self._ready.wait(min(seconds, READY_SECONDS))
        try:
            wanted = self.wanted()
        except EngineMissingError:
            raise
        except VaultError:
            return []
        notices: list[Notice] = []
        images = self.images(wanted) if alone else None
        # Vectors of what became private are dropped at once, though none are missing.
        is_stale = (self.shelf.folder / STALE).exists()
        if is_stale or len(wanted.joined(latest()).missing) or (images and images.pending(latest())):
            behind = self._behind is not None and self._behind.is_alive()
            working = behind or self._embedding.locked()
            try:
                report = self.embed(
                    latest,
                    seconds=0 if working else seconds,
                    with_images=alone,
                    stopped=lambda: self._closed.is_set() or is_given_up(),
                )
                if report.remaining and not report.busy:
                    self._go_on(latest)
            except VaultError as error:
                notices.append(Notice(NoticeKind.VECTORS_NOT_BUILT, reason=str(error)))
        share = self.answering(latest()).joined(latest()).share
        if share < 1:
            others = NoticeKind.OTHERS_UNSEARCHED if alone else NoticeKind.OTHERS_BY_WORDS
            notices.append(Notice(others, share=share))
        if share < 1 and self._failure:
            notices.append(self._failure)
        if (hint := self.hint(latest())) and hint.kind is LanguageKind.LANGUAGE_UNKNOWN:
            language = hint.facts["language"]
            notices.append(Notice(LanguageKind.FOUND_BY_WORDS_ALONE, language=language, model=self.name))
        return notices

    def images(self, kept: KeptVectors) -> KeptImages | None:
        """Return the vault's images by the model of some vectors; None where it understands texts alone."""
        with self._opening:
            if kept not in self._images and isinstance(kept.embedder, ImageEmbedder):
                self._images[kept] = KeptImages(self._vault, kept, kept.embedder, self._choose)
            return self._images.get(kept)

    def share(self, snapshot: VaultSnapshot) -> float:
        """Return the share of passages that have vectors of the configured model, 0 to 1, without loading it.

        Raises:
            IndexCorruptError: the log is not one of this model.
        """
        if opened := self._opened.get(self.name):
            return opened[1].joined(snapshot).share
        if self.shelf.named(self.name) is None:
            return 0.0
        hashes = _hashes(snapshot)
        return float(self._has_vectors(hashes).mean()) if len(hashes) else 1.0

    def lacking(self, snapshot: VaultSnapshot) -> int:
        """Count the texts that have no vectors of the configured model, without loading it."""
        hashes = np.unique(_hashes(snapshot))
        try:
            return int((~self._has_vectors(hashes)).sum())
        except IndexCorruptError:
            # They are dropped, and built anew.
            return len(hashes)

    def _has_vectors(self, hashes: Ids) -> NDArray[np.bool_]:
        """Return which texts have vectors of the configured model on disk."""
        shelved = self.shelf.named(self.name)
        if shelved is None:
            return np.zeros(len(hashes), np.bool_)
        return np.isin(hashes, read_log(self.shelf.folder_of(shelved), shelved.shape).rows["hash"])

    def mend(self) -> bool:
        """Drop damaged vectors of the models in use, to be built anew; tell whether there were any.

        Raises:
            SearchError: the disk refuses.
        """
        with self._opening:
            in_use: list[KeptVectors | KeptImages] = [
                *(kept for _, kept in self._opened.values()),
                *self._images.values(),
            ]
        found = [kept.mend() for kept in in_use]
        return any(found)

    def hint(self, snapshot: VaultSnapshot) -> Notice | None:
        """Say that the model does not know the language of most notes, and what is done, or what to do.

        Raises:
            EngineMissingError: the extra is not installed.
            VaultError: the model is not on this machine.
        """
        if self._hint is None or self._hint[0] is not snapshot.lexical:
            # All words of the vault are looked at, once for each state of the index.
            found = language_hint(snapshot.lexical, languages_of(self.name), self.name)
            self._hint = (snapshot.lexical, found)
        return self._hint[1]

    def close(self) -> None:
        """Stop building after the batch in the works."""
        self._closed.set()
        behind = self._behind
        if behind is not None:
            behind.join(timeout=EXIT_SECONDS)

    def _go_on(self, latest: Latest) -> None:
        def work() -> None:
            try:
                while (report := self.embed(latest)).embedded and not self._closed.is_set():
                    logger.info("vectors_built", extra={"count": report.embedded, "left": report.remaining})
                self._failure = None
            except VaultError as error:
                self._failure = Notice(NoticeKind.VECTORS_NOT_BUILT, reason=str(error))
                logger.warning("vectors_not_built", extra={"error": str(error)})
            except Exception as error:  # noqa: BLE001 - the last resort of this thread
                self._failure = Notice(NoticeKind.VECTORS_NOT_BUILT, reason=str(error))
                logger.error("vectors_not_built", extra={"error": str(error)}, exc_info=True)

        with self._opening:
            if self._behind is not None and self._behind.is_alive():
                return
            if self._behind is None:
                # PyTorch has to be finalized once this was waited for, though its import may begin meanwhile:
                # what is registered last runs first.
                weakref.finalize(self, self._closed.set)
                atexit.register(self.close)
            self._behind = threading.Thread(target=work, name="vault-vectors", daemon=True)
            self._behind.start()

    def _former(self) -> KeptVectors | None:
        """Return the vectors of the model that was configured before, while its successor's are not whole."""
        active = self.shelf.active()
        if active is None or active.name == self.name:
            return None
        try:
            shelved, kept = self._open(active.name)
        except VaultError as error:
            logger.info("former_model_not_used", extra={"model": active.name, "error": str(error)})
            return None
        return kept if shelved == active else None

    def _open(self, name: str) -> tuple[Shelved, KeptVectors]:
        def load(many: bool) -> Embedder:
            return embedder_of(name, cache=self._models, settings=self._vault.settings, many=many)

        if name not in self._opened and self._preparer not in (None, threading.get_ident()):
            raise ModelError(
                "the model '{name}' is still being made ready", "ask again in half a minute", name=name
            )
        with self._opening:
            if name not in self._opened:
                if threading.current_thread() is not threading.main_thread():
                    # The main thread runs an event loop, which an export beside it would hold up.
                    export_apart(name, self._models, self._vault.settings.embedding)
                embedder = load(False)
                small = token_dimension(embedder.dimension)
                text = repr((embedder.fingerprint, embedder.dimension, small, WINDOWS, PROJECTION))
                digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
                shelved = Shelved(name, digest, embedder.dimension, small)
                exact = self._vault.settings.embedding.exact_vectors
                kept = KeptVectors(self.shelf.folder_of(shelved), shelved.shape, embedder, load, exact)
                self._opened[name] = (shelved, kept)
                self.shelf.remember(shelved)
            return self._opened[name]


def _hashes(snapshot: VaultSnapshot) -> Ids:
    """Return the hash of each text that can be found, as often as it stands in the vault."""
    return snapshot.lexical.column("text_hash")[snapshot.chunks_of(snapshot.visible)]
