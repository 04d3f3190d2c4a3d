"""The vectors of one model in one index: immutable shards of NumPy arrays, and a list of those that count.

A shard is two files. ``HASH.npy`` has a row for each window of some passages, with its vector. HASH is the
SHA-256 of these rows, which is proved at each opening, since all of them are read then. ``HASH.tokens.npy``
has the token vectors of these rows, one row's after another's. They take eight times the room and are mapped;
type, shape and size of them are looked at.

``shards.json`` says which shards count. It is replaced last, in one step, when all it names is on the disk.
"""

import hashlib
import os
import re
import secrets
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from filelock import FileLock, Timeout
from numpy.lib import format as npy
from numpy.typing import NDArray

from app.config.folders import create_file, sync_folder
from app.config.settings import logger
from app.markdown.sentences import sentence_starts
from app.search.embedding.embedder import Embedder
from app.search.index.snapshot import VaultSnapshot
from app.search.private import disk_errors, private_folder, record_in, write_record
from app.search.vectors.faiss_index import Ids, Joined, Model, Rows, Scores, Shard, Tokens, VectorIndex

LIST = "shards.json"
READ_ATTEMPTS = 5
KEPT_QUERIES = 256
MOST_SHARDS = 16
LEAST_DEAD = 1000
"""So many windows of passages that are gone, and more than are left, are worth writing the others anew."""

MOST_SENTENCES = 40
_MARKUP = re.compile(r"^[\s>#*+\-|]*(?:\[.\]\s)?")

Place = tuple[int, int, int, int]
"""The hash of a passage, the number of one of its windows, and the first and last line that this covers."""


class Listed(NamedTuple):
    """What a list says: whose vectors these are, and how many rows each shard has, by its name.

    No two lists have the same ``number``: a shard that is made anew may have the name that it had.
    """

    model: Model
    shards: dict[str, int]
    number: str = ""


def read_list(folder: Path) -> Listed | None:
    """Read which shards count; None where there is no list, or none that this program wrote."""
    # What cannot be read just now is not gone, so that is no list that is missing.
    with disk_errors(folder):
        try:
            known = record_in((folder / LIST).read_bytes())
            return Listed(Model(**known["model"]), known["shards"], known["number"])
        except (FileNotFoundError, TypeError, LookupError):
            return None


def write_list(folder: Path, model: Model, shards: dict[str, int]) -> None:
    """Have these shards count, and no others, from now on."""
    write_record(folder / LIST, {"model": model._asdict(), "shards": shards, "number": secrets.token_hex(8)})


def read_shards(folder: Path, model: Model) -> tuple[Listed | None, dict[str, Shard]]:
    """Return the list, and the shards on it by their names.

    One that is not what its name says, or not of this model, is left out and named in the log.
    """
    with disk_errors(folder):
        for _ in range(READ_ATTEMPTS):
            listed = read_list(folder)
            found, broken = dict[str, Shard](), dict[str, str]()
            for name, count in listed.shards.items() if listed else ():
                try:
                    found[name] = _open_shard(folder, model, name, count)
                except Exception as error:
                    # Reading a damaged head may end in anything; what the disk refuses now may be whole.
                    if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
                        raise
                    broken[name] = str(error)
            # Where another process has merged shards meanwhile, the list is another now.
            if not broken or read_list(folder) == listed:
                break
    for name, reason in broken.items():
        logger.warning("vectors_unusable", extra={"file": str(folder / f"{name}.npy"), "reason": reason})
    return listed, found


def _open_shard(folder: Path, model: Model, name: str, count: int) -> Shard:
    file, tokens_file = folder / f"{name}.npy", folder / f"{name}.tokens.npy"
    if not (file.is_file() and tokens_file.is_file()):
        raise ValueError("a file of it is missing")
    rows = _mapped(file, model.row, (count,))
    if _name(rows) != name:
        raise ValueError("its content is not what its name says")
    tokens = _mapped(tokens_file, np.int8, (int(rows["tokens"].sum()), model.token_dimension))
    return Shard(rows, tokens.view(np.ndarray))


def _mapped(file: Path, kind: Any, shape: tuple[int, ...]) -> Any:  # noqa: ANN401 - as numpy takes it
    found = np.load(file, mmap_mode="r", allow_pickle=False)
    if not isinstance(found, np.memmap) or found.dtype != kind or found.shape != shape or np.isfortran(found):
        raise ValueError("it holds an array of another form")
    return found


def _name(rows: Rows) -> str:
    return hashlib.sha256(rows.data).hexdigest()


def _write_shard(folder: Path, model: Model, rows: Rows, tokens: Iterable[Tokens]) -> str:
    """Write rows and their token vectors, and return the shard's name; it counts once the list names it."""
    name, size = _name(rows), int(rows["tokens"].sum())
    _write(folder / f"{name}.npy", model.row, rows.shape, [rows])
    _write(folder / f"{name}.tokens.npy", np.dtype(np.int8), (size, model.token_dimension), tokens)
    sync_folder(folder)
    return name


def _write(file: Path, kind: "np.dtype[Any]", shape: tuple[int, ...], pieces: Iterable[NDArray[Any]]) -> None:
    # What lies there is of no list: a writer that failed or was killed has left it.
    file.unlink(missing_ok=True)
    with create_file(file) as out:
        form = {"descr": npy.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
        npy.write_array_header_1_0(out, form)
        out.writelines(piece.data for piece in pieces)
        out.flush()
        os.fsync(out.fileno())


class KeptVectors:
    """Reads and adds vectors of one model; safe to use from many threads and processes.

    ``embedder`` is the model as it starts quickest, for questions and a few passages; ``load`` loads it, with
    True as it works fastest. ``has_tokens`` says that passages have token vectors too. What reads or writes
    raises `SearchError` where the disk refuses, and `EngineMissingError` where FAISS is not installed.
    """

    def __init__(
        self, folder: Path, model: Model, embedder: Embedder, load: Callable[[bool], Embedder], exact: int
    ) -> None:
        self.folder, self.model, self.exact = folder, model, exact
        self.embedder = embedder
        self.has_tokens = embedder.has_small_tokens
        self.encode_query = lru_cache(maxsize=KEPT_QUERIES)(embedder.encode_query)
        self._load = load
        self._lock = threading.Lock()
        self._read: tuple[Listed | None, VectorIndex] | None = None
        self._join = lru_cache(maxsize=1)(Joined)
        self._shards: dict[str, int] = {}
        """While `writing`: the rows of each shard that counts, by its name."""

    @cached_property
    def bulk_embedder(self) -> Embedder:
        """The model as it works fastest, for many passages."""
        return self.embedder if self.embedder.is_fastest else self._load(True)

    def joined(self, snapshot: VaultSnapshot) -> Joined:
        """Return the vectors there are now, by the documents of a snapshot."""
        return self._join(snapshot, self.index())

    def index(self) -> VectorIndex:
        """Return all vectors there are now; the same object while none are added."""
        with self._lock:
            if self._read is None or self._read[0] != read_list(self.folder):
                listed, shards = read_shards(self.folder, self.model)
                self._read = (listed, VectorIndex([*shards.values()], self.model, self.exact))
            return self._read[1]

    @contextmanager
    def writing(self) -> Iterator[bool]:
        """Take the folder for writing, and remove what others left; False where another is at it."""
        lock = FileLock(self.folder / "write.lock", mode=0o600, timeout=0, is_singleton=False)
        with disk_errors(self.folder), suppress(Timeout):
            private_folder(self.folder)
            lock.acquire()
        if not lock.is_locked:
            yield False
            return
        try:
            usable = read_shards(self.folder, self.model)[1]
            self._shards = {name: len(shard.rows) for name, shard in usable.items()}
            self._sweep()
            yield True
        finally:
            with disk_errors(self.folder):
                lock.release()

    def _sweep(self) -> None:
        """Remove the shards that do not count, and what killed writers left."""
        with disk_errors(self.folder):
            for file in (*self.folder.glob("*.npy"), *self.folder.glob("*.json.*")):
                if file.name.partition(".")[0] not in self._shards:
                    (shutil.rmtree if file.is_dir() else Path.unlink)(file)

    def remember(self) -> None:
        """Have the list say whose vectors these are, so that they are known without the model."""
        listed = read_list(self.folder)
        if listed is None or listed.model != self.model:
            with self.writing() as is_ours:
                if is_ours:
                    self.append([], [], [])

    def append(self, places: Sequence[Place], vectors: Sequence[Scores], tokens: Sequence[Tokens]) -> None:
        """Add all windows of some passages in one step, while `writing`; a failure leaves all as it was."""
        kinds = zip(places, tokens, vectors, strict=True)
        rows = [(*place, len(some), vector) for place, some, vector in kinds]
        self._put(np.array(rows, self.model.row), tokens, self._shards)
        if len(self._shards) > MOST_SHARDS:
            # The smaller half, and more up to one that is larger than all of these together.
            small, total = list[str](), 0
            for count, name in sorted((count, name) for name, count in self._shards.items()):
                if len(small) <= MOST_SHARDS // 2 or count <= total:
                    small.append(name)
                    total += count
            self._merge(small)

    def keep_only(self, live: Ids, *, always: bool = False) -> None:
        """Drop the vectors of all texts but those of some hashes, where they are many, or in any case."""
        hashes = self.index().hashes
        left = int(np.isin(hashes, live).sum())
        dead = len(hashes) - left
        if always or dead > max(LEAST_DEAD, left):
            # Whoever writes removes what killed writers left, too.
            with self.writing() as is_ours:
                if is_ours and dead:
                    self._merge([*self._shards], live)

    def _merge(self, names: Sequence[str], live: Ids | None = None) -> None:
        """Write some shards as one, but for texts that are not live."""
        rows, tokens = [np.zeros(0, self.model.row)], list[Iterable[Tokens]]()
        for name, shard in read_shards(self.folder, self.model)[1].items():
            if name in names:
                kept = np.isin(shard.rows["hash"], shard.rows["hash"] if live is None else live)
                rows.append(shard.rows[kept])
                tokens.append(shard.tokens_of(kept))
        others = {name: count for name, count in self._shards.items() if name not in names}
        self._put(np.concatenate(rows), chain.from_iterable(tokens), others)

    def _put(self, rows: Rows, tokens: Iterable[Tokens], others: dict[str, int]) -> None:
        """Write rows as a shard, which counts beside some others from then on."""
        with disk_errors(self.folder):
            if len(rows):
                others = {**others, _write_shard(self.folder, self.model, rows, tokens): len(rows)}
            write_list(self.folder, self.model, others)
        self._shards = others
        self._sweep()


def nearest_sentence(kept: KeptVectors, query: str, lines: Sequence[str]) -> str:
    """Return the sentence or line nearest to a query; empty where the lines hold no word."""
    places = ((line, pairwise([0, *sentence_starts(line), len(line)])) for line in lines)
    pieces = (_MARKUP.sub("", line[start:end].strip()) for line, cut in places for start, end in cut)
    sentences = [piece for piece in dict.fromkeys(pieces) if re.search(r"\w", piece)][:MOST_SENTENCES]
    if not sentences:
        return ""
    vectors = np.stack([text.vector for text in kept.embedder.encode(sentences)])
    return sentences[int(np.argmax(vectors @ kept.encode_query(query).vector))]
