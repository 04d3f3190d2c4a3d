"""The vectors of one index: how they are made ready, and what is built while a search may wait."""

import hashlib
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from app.errors import EngineMissingError, ModelError, VaultError
from app.notices import LanguageKind, Notice, NoticeKind
from app.search.embedding.embedder import PROJECTION, Embedder, token_dimension
from app.search.embedding.loading import (
    embedder_of,
    language_hint,
    languages_of,
    languages_read,
    must_be_made,
    prepare_model,
)
from app.search.embedding.windows import WINDOWS
from app.search.index.snapshot import VaultSnapshot
from app.search.index.store import MADE_WITH, STALE
from app.search.index.sync import Run, Stopped
from app.search.private import disk_errors, read_record, write_record
from app.search.vectors.build import EmbedReport, embed_missing
from app.search.vectors.faiss_index import Ids, Mask, Model
from app.search.vectors.store import LIST, KeptVectors, Listed, read_list, read_shards
from app.stopping import is_given_up
from app.vault.client import VaultClient

Latest = Callable[[], VaultSnapshot]
"""Returns the last state of the index."""
READY_SECONDS = 2.0
"""How long a search waits for a model that is being made ready."""


class Semantic:
    """Vectors of the chunks of one index; safe to use from many threads.

    Nothing is loaded before it is asked for, and searches use what there is. What needs a model raises
    `EngineMissingError` where the extra is not installed, and `VaultError` where the model cannot be used or
    the disk refuses; what was built is kept.

    In ``folder`` the vectors of each model have a folder of their own: those of a former one go when the new
    ones are whole. ``models`` has what is made of models once.
    """

    def __init__(self, vault: VaultClient, folder: Path, models: Path, name: str) -> None:
        self.name, self.folder, self._vault, self._models = name, folder, vault, models
        self._kept: KeptVectors | None = None
        self._opening, self._embedding = threading.Lock(), threading.Lock()
        self._ready = threading.Event()
        self._ready.set()
        # All words of the vault are looked at, once for each state of the index.
        self._hint = lru_cache(maxsize=1)(lambda lexical: language_hint(lexical, languages_of(name), name))

    def claim(self) -> None:
        """Say that the model will be made ready by `prepare`: until then, searches by meaning go by words."""
        self._ready.clear()

    @property
    def is_being_made(self) -> bool:
        """Whether the model is made ready or vectors are built: what needs them can be asked again soon."""
        return not self._ready.is_set() or self._embedding.locked()

    @property
    def is_open(self) -> bool:
        """Whether the model is loaded: a question is read at once."""
        return self._kept is not None

    @property
    def must_be_made(self) -> bool:
        """Whether what the model runs from has yet to be made, once for this machine."""
        return must_be_made(self.name, self._models)

    def prepare(self, stopped: Stopped) -> None:
        """Make the model ready, however long that takes, unless it is ``stopped``."""
        try:
            prepare_model(self.name, self._models, stopped)
            if not stopped():
                self._open()
        finally:
            self.release()

    def release(self) -> None:
        """Let whoever needs the model first make it ready."""
        self._ready.set()

    def wanted(self) -> KeptVectors:
        """Return the vectors, as far as they are built."""
        if not (self.is_open or self._ready.is_set()):
            raise ModelError(
                "the model '{name}' is still being made ready", "ask again in half a minute", name=self.name
            )
        return self._kept or self._open()

    def knows(self, language: str) -> bool:
        """Return whether the model can read a language, by its code: by its card, or by glosses."""
        read = languages_read(languages_of(self.name))
        return not read or language in read

    def hint(self, snapshot: VaultSnapshot) -> Notice | None:
        """Say that the model does not know the language of most notes, and what is done, or what to do."""
        return self._hint(snapshot.lexical)

    def embed(self, latest: Latest, run: Run, *, compact: bool = False) -> EmbedReport:
        """Build the vectors that are missing, for as long as a run lasts.

        Once all are there, vectors of what is gone are dropped where they are many; with ``compact``, and
        where the index was begun anew, in any case.
        """
        if run.progress and not self.is_open:
            # Loading the model takes seconds; how much there is to do is known before.
            run.progress(0, int((~self._on_disk(np.unique(_hashes(latest())))).sum()))
        kept, begun = self.wanted(), time.monotonic()
        if not self._embedding.acquire(timeout=-1 if run.deadline is None else max(0, run.deadline - begun)):
            return EmbedReport(remaining=len(kept.joined(latest()).missing), busy=True)
        try:
            compact = compact or self._is_stale
            report = embed_missing(kept, latest(), run)
            if not report.remaining:
                self._drop_others(kept)
            if compact or not report.remaining:
                kept.keep_only(_hashes(latest()), always=compact)
            with disk_errors(self.folder):
                (self.folder / STALE).unlink(missing_ok=True)
            return replace(report, seconds=time.monotonic() - begun)
        finally:
            self._embedding.release()

    def catch_up(self, latest: Latest, seconds: float) -> tuple[list[Notice], bool]:
        """Build missing vectors for a moment, and say what is left.

        Where the model cannot be used nothing is said: the search that needs it says so.

        Returns:
            What is said, and whether there is more to build, which nobody else is doing.
        """
        self._ready.wait(min(seconds, READY_SECONDS))
        try:
            wanted = self.wanted()
        except EngineMissingError:
            raise
        except VaultError:
            return [], False
        notices: list[Notice] = []
        is_left = False
        # Vectors of what became private are dropped at once, though none are missing.
        if self._is_stale or len(wanted.joined(latest()).missing):
            try:
                waits = 0 if self._embedding.locked() else seconds
                report = self.embed(latest, Run(time.monotonic() + waits, stopped=is_given_up))
                is_left = bool(report.remaining) and not report.busy
            except VaultError as error:
                notices.append(Notice(NoticeKind.VECTORS_NOT_BUILT, reason=str(error)))
        share = self.share(latest())
        if share < 1:
            notices.append(Notice(NoticeKind.SOME_HAVE_VECTORS, share=share))
        if (hint := self.hint(latest())) and hint.template is LanguageKind.LANGUAGE_UNKNOWN:
            language = hint.facts["language"]
            notices.append(Notice(LanguageKind.FOUND_BY_WORDS_ALONE, language=language, model=self.name))
        return notices, is_left

    def share(self, snapshot: VaultSnapshot) -> float:
        """Return the share of passages that have vectors, 0 to 1, without loading the model."""
        if self._kept:
            return self._kept.joined(snapshot).share
        hashes = _hashes(snapshot)
        return float(self._on_disk(hashes).mean()) if len(hashes) else 1.0

    def listed(self) -> tuple[Path, Listed] | None:
        """Find where the vectors lie, and their latest list, without loading the model."""
        found: list[tuple[int, Path, Listed]] = []
        for file in self.folder.glob(f"*/{LIST}"):
            # Another process may be dropping a former model's.
            with suppress(FileNotFoundError):
                if (listed := read_list(file.parent)) and listed.model.name == self.name:
                    found.append((file.stat().st_mtime_ns, file.parent, listed))
        return max(found)[1:] if found else None

    @property
    def _is_stale(self) -> bool:
        with disk_errors(self.folder):
            return (self.folder / STALE).exists()

    def _on_disk(self, hashes: Ids) -> Mask:
        """Return which texts have vectors on disk."""
        if (found := self.listed()) is None:
            return np.zeros(len(hashes), np.bool_)
        shards = read_shards(found[0], found[1].model)[1].values()
        return np.isin(hashes, np.concatenate([np.zeros(0, np.int64), *(one.rows["hash"] for one in shards)]))

    def _drop_others(self, kept: KeptVectors) -> None:
        """Record whose vectors these are, now that they are whole, and drop those of all other models."""
        record = self.folder / MADE_WITH
        if read_record(record) == kept.model._asdict():
            return
        with disk_errors(self.folder):
            write_record(record, kept.model._asdict())
            for path in self.folder.iterdir():
                if path.is_dir() and path != kept.folder:
                    shutil.rmtree(path, ignore_errors=True)
                elif path.name.startswith(f"{MADE_WITH}."):
                    # A process that was killed has left it.
                    path.unlink(missing_ok=True)

    def _open(self) -> KeptVectors:
        def load(many: bool) -> Embedder:
            return embedder_of(self.name, cache=self._models, settings=self._vault.settings, many=many)

        with self._opening:
            if self._kept:
                return self._kept
            embedder = load(False)
            small = token_dimension(embedder.dimension)
            text = repr((embedder.fingerprint, embedder.dimension, small, WINDOWS, PROJECTION))
            digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
            model = Model(self.name, digest, embedder.dimension, small)
            exact = self._vault.settings.embedding.exact_vectors
            kept = KeptVectors(self.folder / digest, model, embedder, load, exact)
            kept.remember()
            self._kept = kept
            return kept


def _hashes(snapshot: VaultSnapshot) -> Ids:
    """Return the hash of each text that can be found, as often as it stands in the vault."""
    return snapshot.lexical.column("text_hash")[snapshot.chunks_of(snapshot.visible)]
