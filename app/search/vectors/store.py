"""The vectors of one model in one index: read, added, and dropped where their texts are gone."""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from pathlib import Path
from zlib import crc32

import numpy as np
from filelock import FileLock, Timeout

from app.markdown.sentences import sentence_starts
from app.search.embedding.embedder import Embedder
from app.search.index.snapshot import VaultSnapshot
from app.search.private import disk_errors, private_folder
from app.search.vectors.by_chunk import Joined
from app.search.vectors.faiss_index import Ids, Scores, VectorIndex
from app.search.vectors.shards import (
    Listed,
    Model,
    Rows,
    Tokens,
    read_list,
    read_shards,
    sweep,
    write_list,
    write_shard,
)

KEPT_QUERIES = 256
MOST_SHARDS = 16
LEAST_DEAD = 1000
"""So many windows of passages that are gone, and more than are left, are worth writing the others anew."""

MOST_SENTENCES = 40
_MARKUP = re.compile(r"^[\s>#*+\-|]*(?:\[.\]\s)?")

Place = tuple[int, int, int, int]
"""The hash of a passage, the number of one of its windows, and the first and last line that this covers."""


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
        self.has_tokens = True
        self.encode_query = lru_cache(maxsize=KEPT_QUERIES)(embedder.encode_query)
        self._load = load
        self._lock = threading.Lock()
        self._read: tuple[Listed | None, dict[str, int], VectorIndex] | None = None
        self._join = lru_cache(maxsize=1)(Joined)
        self._shards: dict[str, int] = {}
        """While `writing`: the rows of each shard that counts, by its name."""

    @cached_property
    def bulk_embedder(self) -> Embedder:
        """The model as it works fastest, for many passages."""
        return self._load(True)

    def joined(self, snapshot: VaultSnapshot) -> Joined:
        """Return the vectors there are now, by the documents of a snapshot."""
        return self._join(snapshot, self.index())

    def index(self) -> VectorIndex:
        """Return all vectors there are now; the same object while none are added."""
        return self._opened()[1]

    def _opened(self) -> tuple[dict[str, int], VectorIndex]:
        """Return the rows of each shard that can be used, and all of their vectors."""
        with self._lock:
            if self._read is None or self._read[0] != read_list(self.folder):
                listed, shards = read_shards(self.folder, self.model)
                counts = {name: len(shard.rows) for name, shard in shards.items()}
                self._read = (listed, counts, VectorIndex([*shards.values()], self.model, self.exact))
            return self._read[1:]

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
            self._shards = self._opened()[0]
            with disk_errors(self.folder):
                sweep(self.folder, self._shards)
            yield True
        finally:
            with disk_errors(self.folder):
                lock.release()

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
        rows = [(*place, len(some), crc32(some.data), vector) for place, some, vector in kinds]
        self._put(np.array(rows, self.model.row), tokens, self._shards)
        if len(self._shards) > MOST_SHARDS:
            self._merge(self._small())

    def _small(self) -> list[str]:
        """Choose the smaller half of the shards, and more up to one larger than all chosen together."""
        chosen, total = list[str](), 0
        for name in sorted(self._shards, key=self._shards.__getitem__):
            if len(chosen) > MOST_SHARDS // 2 and self._shards[name] > total:
                break
            chosen.append(name)
            total += self._shards[name]
        return chosen

    def mend(self) -> bool:
        """Drop what has damaged token vectors, so that it is built anew; tell whether anything was."""
        with self.writing() as is_ours:
            shards = read_shards(self.folder, self.model)[1] if is_ours else {}
            damaged = [name for name, shard in shards.items() if not shard.whole().all()]
            if damaged:
                self._merge(damaged)
            return bool(damaged)

    def keep_only(self, live: Ids, *, always: bool = False) -> None:
        """Drop the vectors of all texts but those of some hashes, where they are many, or in any case."""
        index = self.index()
        left = int(np.isin(index.hashes, live)[index.passage_of].sum())
        dead = len(index) - left
        if always or dead > max(LEAST_DEAD, left):
            # Whoever writes removes what killed writers left, too.
            with self.writing() as is_ours:
                if is_ours and dead:
                    self._merge([*self._shards], live)

    def _merge(self, names: Sequence[str], live: Ids | None = None) -> None:
        """Write some shards as one, but for what is damaged, and for texts that are not live."""
        rows, tokens = [np.zeros(0, self.model.row)], list[Iterable[Tokens]]()
        for name, shard in read_shards(self.folder, self.model)[1].items():
            if name in names:
                kept = shard.whole() & (live is None or np.isin(shard.rows["hash"], live))
                rows.append(shard.rows[kept])
                tokens.append(shard.tokens_of(kept))
        others = {name: count for name, count in self._shards.items() if name not in names}
        self._put(np.concatenate(rows), chain.from_iterable(tokens), others)

    def _put(self, rows: Rows, tokens: Iterable[Tokens], others: dict[str, int]) -> None:
        """Write rows as a shard, which counts beside some others from then on."""
        with disk_errors(self.folder):
            if len(rows):
                others = {**others, write_shard(self.folder, self.model, rows, tokens): len(rows)}
            write_list(self.folder, Listed(self.model, others))
            self._shards = others
            sweep(self.folder, others)


def nearest_sentence(kept: KeptVectors, query: str, lines: Sequence[str]) -> str:
    """Return the sentence or line nearest to a query; empty where the lines hold no word."""
    places = ((line, pairwise([0, *sentence_starts(line), len(line)])) for line in lines)
    pieces = (_MARKUP.sub("", line[start:end].strip()) for line, cut in places for start, end in cut)
    sentences = [piece for piece in dict.fromkeys(pieces) if re.search(r"\w", piece)][:MOST_SENTENCES]
    if not sentences:
        return ""
    vectors = np.stack([text.vector for text in kept.embedder.encode(sentences)])
    return sentences[int(np.argmax(vectors @ kept.encode_query(query).vector))]
