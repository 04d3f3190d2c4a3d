"""The vectors of each model in one index: which model answers, and what its log holds."""

import re
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from app.config.settings import logger
from app.errors import IndexCorruptError, SearchError
from app.search.embedding.embedder import Embedder
from app.search.index.snapshot import VaultSnapshot
from app.search.index.store import MADE_WITH
from app.search.private import private_folder, read_record, write_record
from app.search.vectors.by_chunk import Joined
from app.search.vectors.faiss_index import VectorIndex
from app.search.vectors.file_format import (
    Contents,
    LogWriter,
    Shape,
    disk_errors,
    files_of,
    generations,
    read_log,
    rewrite_log,
    whole_passages,
)

KEPT_QUERIES = 256
READ_ATTEMPTS = 5
LEAST_DEAD = 1000
"""So many windows of passages that are gone, and more than are left, are worth writing the log anew."""

MOST_SENTENCES = 40
_ENDS = re.compile(r"(?<=[.!?…。！？])\s+")
_MARKUP = re.compile(r"^[\s>#*+\-|]*(?:\[.\]\s)?")

DIGEST = re.compile(r"(?:[0-9a-f]{2}){1,32}")


class KeptVectors:
    """Reads and appends vectors of one model; safe to use from many threads and processes.

    ``damaged`` says that the log, when it was last read, had blocks that cannot be used; ``has_tokens``, that
    passages have token vectors too.

    Args:
        folder: Where the log lies.
        shape: What its vectors have in common.
        embedder: The model as it starts quickest, for questions and a few passages.
        load: Loads the model, with True as it works fastest.
        exact: More vectors than these are searched with 8 bits a number.
    """

    def __init__(
        self, folder: Path, shape: Shape, embedder: Embedder, load: Callable[[bool], Embedder], exact: int
    ) -> None:
        self.folder, self.shape, self.exact = folder, shape, exact
        self.embedder = embedder
        self._load = load
        self._lock = threading.Lock()
        self._read: tuple[tuple[int, int], VectorIndex] | None = None
        self._joined: Joined | None = None
        self.damaged = False
        self.has_tokens = True
        self.encode_query = lru_cache(maxsize=KEPT_QUERIES)(embedder.encode_query)

    @cached_property
    def bulk_embedder(self) -> Embedder:
        """The model as it works fastest, for many passages."""
        return self._load(True)

    def joined(self, snapshot: VaultSnapshot) -> Joined:
        """Return the vectors there are now, by the documents of a snapshot."""
        index = self.index()
        with self._lock:
            known = self._joined
            if known is None or known.snapshot is not snapshot or known.index is not index:
                known = self._joined = Joined(snapshot, index)
            return known

    def index(self) -> VectorIndex:
        """Return all vectors there are now; the same object while none are added."""
        with self._lock:
            state = self._state()
            if self._read is None or self._read[0] != state:
                contents = self._contents()
                self.damaged = contents.damaged
                self._read = (state, VectorIndex(contents, self.exact))
            return self._read[1]

    def _state(self) -> tuple[int, int]:
        """Return whether the log may have changed: its generation and size in bytes."""
        found = generations(self.folder)
        if not found:
            return 0, 0
        try:
            return found[0], files_of(self.folder, found[0])[0].stat().st_size
        except FileNotFoundError:
            return 0, 0

    def _contents(self) -> Contents:
        for _ in range(READ_ATTEMPTS):
            try:
                return read_log(self.folder, self.shape)
            except FileNotFoundError:
                # The next generation has just taken its place.
                continue
            except IndexCorruptError as error:
                # What it holds can be built anew, and is.
                logger.warning("vectors_unusable", extra={"folder": str(self.folder), "reason": str(error)})
                for newest in generations(self.folder)[:1]:
                    for file in files_of(self.folder, newest):
                        # One may be missing, or another process may have been faster.
                        file.unlink(missing_ok=True)
        raise SearchError("the vectors in '{folder}' cannot be read", "try again", folder=self.folder)

    @contextmanager
    def writing(self) -> Iterator[LogWriter | None]:
        """Take the log for appending; None where another thread or process is at it.

        Raises:
            SearchError: the disk refuses.
        """
        with disk_errors(self.folder):
            private_folder(self.folder)
        lock = FileLock(self.folder / "write.lock", mode=0o600, timeout=0, is_singleton=False)
        try:
            lock.acquire()
        except Timeout:
            yield None
            return
        try:
            contents = self._contents()
            if contents.damaged:
                rewrite_log(self.folder, self.shape, contents, np.ones(len(contents.rows), np.bool_))
                contents = self._contents()
            writer = LogWriter(self.folder, self.shape, contents)
            try:
                yield writer
            finally:
                writer.close()
        finally:
            lock.release()

    def mend(self) -> bool:
        """Drop what is damaged, so that it is built anew; tell whether anything was.

        Raises:
            SearchError: the disk refuses.
        """
        with self.writing() as writer:
            if writer is None:
                return False
            contents = self._contents()
            whole = whole_passages(contents)
            if whole.all():
                return False
            rewrite_log(self.folder, self.shape, contents, whole)
            return True

    def compact(self, snapshot: VaultSnapshot, *, always: bool = False) -> None:
        """Drop the vectors of passages that no visible chunk has, where they are many, or in any case."""
        self.keep_only(
            snapshot.lexical.column("text_hash")[snapshot.chunks_of(snapshot.visible)], always=always
        )

    def keep_only(self, live: NDArray[np.int64], *, always: bool = False) -> None:
        """Drop the vectors of all texts but those of some hashes, where they are many, or in any case."""
        with self.writing() as writer:
            if writer is None:
                return
            contents = self._contents()
            kept = np.isin(contents.rows["hash"], live)
            dead = int((~kept).sum())
            if dead and (always or (dead > LEAST_DEAD and dead > kept.sum())):
                rewrite_log(self.folder, self.shape, contents, kept)


def nearest_sentence(kept: KeptVectors, query: str, lines: Sequence[str]) -> str:
    """Return the sentence or line nearest to a query; empty where the lines hold no word.

    Args:
        kept: Has the model.
        query: The question.
        lines: Lines of a note.
    """
    pieces = (_MARKUP.sub("", piece) for line in lines for piece in _ENDS.split(line))
    sentences = [piece for piece in dict.fromkeys(pieces) if re.search(r"\w", piece)][:MOST_SENTENCES]
    if not sentences:
        return ""
    vectors = np.stack([text.vector for text in kept.embedder.encode(sentences)])
    return sentences[int(np.argmax(vectors @ kept.encode_query(query).vector))]


@dataclass(frozen=True, slots=True)
class Shelved:
    """A model whose vectors lie in a folder of the shelf."""

    name: str
    digest: str
    dimension: int
    token_dimension: int

    @property
    def shape(self) -> Shape:
        """The shape of its log."""
        return Shape(bytes.fromhex(self.digest), self.dimension, self.token_dimension)


class Shelf:
    """A folder with one folder of vectors for each model, and a note of which one was last whole.

    A note that cannot be read counts as none: vectors are found again by the model that is configured.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def folder_of(self, model: Shelved) -> Path:
        """Return the folder of a model's vectors."""
        return self.folder / model.digest

    def named(self, name: str) -> Shelved | None:
        """Find the model of a name that has vectors, without loading it; of several the latest."""
        files = sorted(self.folder.glob(f"*/{MADE_WITH}"), key=_written)
        found = [model for file in files if (model := _read(file))]
        return next((model for model in reversed(found) if model.name == name), None)

    def remember(self, model: Shelved) -> None:
        """Note that a model has vectors here.

        Raises:
            SearchError: the disk refuses.
        """
        folder = self.folder_of(model)
        if _read(folder / MADE_WITH) != model:
            with disk_errors(folder):
                private_folder(folder)
                write_record(folder / MADE_WITH, asdict(model))

    def active(self) -> Shelved | None:
        """Return the model whose vectors were last built whole."""
        return _read(self.folder / MADE_WITH)

    def activate(self, model: Shelved) -> None:
        """Have a model answer from now on, and drop the vectors of all others.

        Raises:
            SearchError: the disk refuses.
        """
        if self.active() == model:
            return
        with disk_errors(self.folder):
            private_folder(self.folder)
            write_record(self.folder / MADE_WITH, asdict(model))
        for folder in self.folder.iterdir():
            if folder.is_dir() and folder.name != model.digest:
                shutil.rmtree(folder, ignore_errors=True)


def _read(file: Path) -> Shelved | None:
    """Read a note; None where there is none, or one that no program of ours would write."""
    known = read_record(file)
    try:
        model = Shelved(**known)
        if DIGEST.fullmatch(model.digest) and 0 < model.token_dimension <= model.dimension:
            return model
    except TypeError:
        pass
    return None


def _written(file: Path) -> int:
    """Return the time a note was written, in nanoseconds; 0 where it is gone meanwhile."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return 0
