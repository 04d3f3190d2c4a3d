"""Vectors in memory: searched with FAISS, scored exactly by windows and tokens, and joined to chunks."""

import mmap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.errors import EngineMissingError
from app.search.embedding.embedder import SCALE
from app.search.embedding.torch_model import INSTALL
from app.search.index.snapshot import VaultSnapshot

Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]
Rows = NDArray[np.void]
Scores = NDArray[np.float32]
Tokens = NDArray[np.int8]
Lines = Mapping[int, tuple[tuple[int, int], ...]]
"""The allowed lines of chunks that are allowed in part."""

LEAST_QUANTIZED = 1_000
"""The limits of 8-bit numbers are drawn from the vectors, which takes a good number of them."""
SAMPLE = 256
"""Windows, and notes, by which the background of a vault is estimated."""
UNKNOWN = 4.0
"""How far neighbouring windows are taken to stand out where no note has two."""
LEAST = 4
"""With fewer windows there is no background."""


class Model(NamedTuple):
    """A model, and what its vectors have in common."""

    name: str
    digest: str
    dimension: int
    token_dimension: int

    @property
    def row(self) -> "np.dtype[np.void]":
        """The type of a row: a window of a passage, its lines, and how many token vectors it has."""
        counts = [(name, "<u4") for name in ("window", "first", "last", "tokens")]
        return np.dtype([("hash", "<i8"), *counts, ("vector", "<f2", (self.dimension,))])


class Shard(NamedTuple):
    """Some whole passages: a row for each of their windows, and the token vectors of all rows."""

    rows: Rows
    tokens: Tokens

    def tokens_of(self, chosen: Mask) -> Iterator[Tokens]:
        """Yield the token vectors of some rows, one row's after another's."""
        ends = np.cumsum(self.rows["tokens"].astype(np.int64))
        for row in np.flatnonzero(chosen).tolist():
            yield self.tokens[ends[row] - self.rows["tokens"][row] : ends[row]]
        self.let_go()

    def let_go(self) -> None:
        """Count what was read of mapped token vectors as this process's memory no more.

        It stays in the system's cache. Without this a process that answers for long counts as large as the
        file, which holds more than all other parts of an index.
        """
        # Below a view of a map of numpy's lies that, and Python's below it.
        mapped: object = getattr(self.tokens.base, "base", None)
        if isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            mapped.madvise(mmap.MADV_DONTNEED)


class VectorIndex:
    """All vectors of some shards; immutable, and safe to use from many threads.

    The windows of a passage, a distinct text named by its hash, are neighbouring rows. More vectors than
    ``exact`` are kept with 8 bits a number. Without FAISS it raises `EngineMissingError`.
    """

    def __init__(self, shards: Sequence[Shard], model: Model, exact: int) -> None:
        parts = [np.zeros(0, model.row), *(shard.rows for shard in shards)]

        def column(name: str) -> NDArray[Any]:
            return np.concatenate([rows[name] for rows in parts])

        order = np.lexsort((column("window"), column("hash")))
        self.hashes: Ids = column("hash")[order]
        self.first_line: Ids = column("first")[order].astype(np.int64)
        self.last_line: Ids = column("last")[order].astype(np.int64)
        self._shards = shards
        shard_of = np.repeat(np.arange(len(parts)) - 1, [len(rows) for rows in parts])
        ends = np.concatenate([np.cumsum(rows["tokens"], dtype=np.int64) for rows in parts])
        # For each row the shard, and where its token vectors lie there.
        self._tokens: Ids = np.stack([shard_of, ends - column("tokens"), ends], axis=1)[order]
        self._index = _build(column("vector")[order].astype(np.float32), exact)

    def __len__(self) -> int:
        return len(self.hashes)

    def search(self, query: Scores, k: int, rows: Mask) -> Ids:
        """Return the rows nearest to a vector of length 1, best first, one of each of ``k`` passages; exact.

        ``rows`` tells which may be found.
        """
        faiss: Any = import_module("faiss")
        selector = faiss.IDSelectorBitmap(np.packbits(rows, bitorder="little"))
        parameters = faiss.SearchParameters(sel=selector)
        allowed = int(np.count_nonzero(rows))
        wanted = min(4 * k, allowed)
        while wanted:
            ids: Ids = self._index.search(query[None], wanted, params=parameters)[1][0]
            found = ids[ids >= 0]
            first = np.unique(self.hashes[found], return_index=True)[1]
            if len(first) >= k or wanted == allowed:
                return found[np.sort(first)[:k]]
            wanted = min(2 * wanted, allowed)
        return np.zeros(0, np.int64)

    def vectors(self, rows: Ids) -> Scores:
        """Return the vectors of some rows, each of length 1."""
        found: Scores = self._index.reconstruct_batch(rows)
        return found

    def best_rows(self, query: Scores, groups: Sequence[Ids]) -> tuple[Ids, Scores]:
        """Return the nearest row of each group and its cosine; row -1 and cosine 0 for an empty group."""
        best, scores = np.full(len(groups), -1, np.int64), np.zeros(len(groups), np.float32)
        for at, (rows, cosines) in enumerate(zip(groups, self._cosines(query, groups), strict=True)):
            if len(rows):
                nearest = int(np.argmax(cosines))
                best[at], scores[at] = rows[nearest], cosines[nearest]
        return best, scores

    def mean_cosines(self, query: Scores, groups: Sequence[Ids]) -> Scores:
        """Return the mean cosine of the rows of each group; 0 for an empty one."""
        means = [cosines.mean() if len(cosines) else 0.0 for cosines in self._cosines(query, groups)]
        return np.array(means, np.float32)

    def _cosines(self, query: Scores, groups: Sequence[Ids]) -> list[Scores]:
        rows = np.concatenate([*groups, np.zeros(0, np.int64)])
        cosines = self.vectors(rows) @ query if len(rows) else np.zeros(0, np.float32)
        return np.split(cosines, np.cumsum([len(group) for group in groups])[:-1]) if groups else []

    def token_scores(self, query: Scores, groups: Sequence[Ids]) -> Scores:
        """Score groups of rows by late interaction: the mean of each query token's best match; 0 without any.

        Query tokens are projected. Source: Khattab and Zaharia, ColBERT, SIGIR 2020 (its sum, divided by the
        number of query tokens).
        """
        scores = np.zeros(len(groups), np.float32)
        pieces = [[self.row_tokens(row) for row in rows.tolist()] for rows in groups]
        counts = np.array([sum(map(len, some)) for some in pieces], np.int64)
        filled = np.flatnonzero(counts)
        if len(query) and len(filled):
            tokens = np.concatenate([piece for some in pieces for piece in some]).astype(np.float32)
            matched = (tokens @ query.T) / np.float32(SCALE)
            best = np.maximum.reduceat(matched, np.cumsum(counts[filled]) - counts[filled])
            scores[filled] = best.mean(axis=1)
        for shard in self._shards:
            shard.let_go()
        return scores

    def row_tokens(self, row: int) -> Tokens:
        """Return the token vectors of a window."""
        shard, start, end = self._tokens[row].tolist()
        tokens: Tokens = self._shards[shard].tokens[start:end]
        return tokens


@dataclass(frozen=True, slots=True)
class Background:
    """What cosines are in a vault by chance: mean and deviation over random pairs of windows.

    ``standing`` is how many deviations the neighbouring windows of a note lie above the mean. A model that
    means nothing tells them hardly apart.
    """

    mean: float
    deviation: float
    standing: float


class Joined:
    """Vectors by the documents of a snapshot; several chunks may share a passage."""

    def __init__(self, snapshot: VaultSnapshot, index: VectorIndex) -> None:
        self.snapshot, self.index = snapshot, index

    @cached_property
    def _windows(self) -> tuple[Ids, Ids]:
        """The first window of each document, and where its windows end: there too where it has none."""
        lexical = self.snapshot.lexical
        hashes = lexical.column("text_hash")
        starts, ends = (np.searchsorted(self.index.hashes, hashes, side) for side in ("left", "right"))
        return starts, np.where(lexical.chunks, ends, starts)

    @cached_property
    def embedded(self) -> Mask:
        """The chunks that have vectors."""
        starts, ends = self._windows
        return ends > starts

    @cached_property
    def missing(self) -> Ids:
        """Visible chunks that have no vectors yet, one for each text, those of the newest notes first."""
        lexical = self.snapshot.lexical
        docs = np.flatnonzero(self.snapshot.chunks_of(self.snapshot.visible) & ~self.embedded)
        docs = docs[np.unique(lexical.column("text_hash")[docs], return_index=True)[1]]
        newest: Ids = docs[np.lexsort((docs, -lexical.column("modified")[lexical.note_of[docs]]))]
        return newest

    @cached_property
    def share(self) -> float:
        """The share of the visible chunks that have vectors, 0 to 1; 1 where there is no chunk."""
        visible = self.snapshot.chunks_of(self.snapshot.visible)
        return float(self.embedded[visible].mean()) if visible.any() else 1.0

    @cached_property
    def background(self) -> Background | None:
        """What cosines are by chance among the visible chunks; None where there are too few windows to tell.

        The sample is the same for the same vectors.
        """
        chance = np.random.default_rng(0)
        visible = self.snapshot.chunks_of(self.snapshot.visible) & self.embedded
        rows = _some(np.flatnonzero(self._allowed_rows(visible, {})), chance)
        if len(rows) < LEAST:
            return None
        vectors = self.index.vectors(rows)
        pairs = (vectors @ vectors.T)[np.triu_indices(len(rows), 1)]
        mean, deviation = float(pairs.mean()), max(float(pairs.std()), 1e-6)
        notes = _some(np.unique(self.snapshot.lexical.note_of[visible]), chance)
        neighbours = [
            found[at : at + 2]
            for note in notes.tolist()
            if len(found := self.note_rows(note)) > 1
            for at in [int(chance.integers(len(found) - 1))]
        ]
        if not neighbours:
            return Background(mean, deviation, UNKNOWN)
        left, right = (self.index.vectors(np.array(side)) for side in zip(*neighbours, strict=True))
        return Background(mean, deviation, (float((left * right).sum(axis=1).mean()) - mean) / deviation)

    @cached_property
    def _docs(self) -> tuple[Ids, Ids]:
        """The chunks that have vectors, by the hash of their text, and these hashes."""
        docs = np.flatnonzero(self.embedded)
        hashes = self.snapshot.lexical.column("text_hash")[docs]
        order = np.argsort(hashes, kind="stable")
        return docs[order], hashes[order]

    def nearest(self, query: Scores, k: int, mask: Mask, lines: Lines) -> list[int]:
        """Give the chunks of a mask whose best window is nearest, best first: ``k`` texts, all their chunks.

        Of chunks that are allowed in part, windows outside of these ``lines`` do not count.
        """
        docs, hashes = self._docs
        texts = self.index.hashes[self.index.search(query, k, self._allowed_rows(mask, lines))]
        starts, ends = np.searchsorted(hashes, texts), np.searchsorted(hashes, texts, "right")
        found = [docs[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        ordered: Ids = np.concatenate([*found, np.zeros(0, np.int64)])
        allowed: list[int] = ordered[mask[ordered]].tolist()
        return allowed

    def _allowed_rows(self, mask: Mask, lines: Lines) -> Mask:
        """Return which windows lie in the chunks of a mask, and touch the lines of those allowed in part."""
        whole = mask & self.embedded
        whole[list(lines)] = False
        starts, ends = self._windows
        steps = np.zeros(len(self.index) + 1, np.int8)
        # Chunks of one text have the same windows, and count once.
        steps[starts[whole]] += 1
        steps[ends[whole]] -= 1
        rows: Mask = np.cumsum(steps[:-1], dtype=np.int8) > 0
        for doc in lines:
            if mask[doc]:
                rows[self.rows(doc, lines)] = True
        return rows

    def lines_of(self, doc: int, row: int) -> tuple[int, int]:
        """Return the lines of the file that a window of a chunk covers."""
        start = self.snapshot.chunk_lines(doc)[0]
        return start + int(self.index.first_line[row]), start + int(self.index.last_line[row])

    def note_rows(self, note: int) -> Ids:
        """Return the windows of all chunks of a note, which follow it."""
        start, end = np.searchsorted(self.snapshot.lexical.note_of, (note, note + 1)).tolist()
        return np.concatenate([self.rows(doc, {}) for doc in range(start, end)])

    def rows(self, doc: int, lines: Lines) -> Ids:
        """Return the windows of a chunk: all, or those that touch its allowed lines."""
        starts, ends = self._windows
        rows = np.arange(starts[doc], ends[doc])
        ranges = lines.get(doc)
        if not ranges or not len(rows):
            return rows
        start = self.snapshot.chunk_lines(doc)[0]
        first, last = self.index.first_line[rows] + start, self.index.last_line[rows] + start
        kept: Ids = rows[np.any([(first <= end) & (last >= begin) for begin, end in ranges], axis=0)]
        return kept


def _some(ids: Ids, chance: "np.random.Generator") -> Ids:
    """Choose `SAMPLE` of some numbers, ascending; all where there are no more."""
    chosen: Ids = np.sort(chance.choice(ids, SAMPLE, replace=False)) if len(ids) > SAMPLE else ids
    return chosen


def _build(vectors: Scores, exact: int) -> Any:  # noqa: ANN401 - FAISS declares its own types wrongly
    try:
        faiss: Any = import_module("faiss")
    except ImportError as error:
        raise EngineMissingError("'deep' needs the package faiss-cpu", INSTALL) from error
    # One query is too short a work to share between threads.
    faiss.omp_set_num_threads(1)
    # The shards have 16 bits a number, so that as many lose nothing, and take half the memory of 32.
    is_exact = len(vectors) <= max(exact, LEAST_QUANTIZED)
    kind = faiss.ScalarQuantizer.QT_fp16 if is_exact else faiss.ScalarQuantizer.QT_8bit
    index = faiss.IndexScalarQuantizer(vectors.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
    if not is_exact:
        index.train(vectors)
    index.add(vectors)
    return index
