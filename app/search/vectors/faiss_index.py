"""Search vectors with FAISS, and score passages exactly by their windows and tokens."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from app.errors import EngineMissingError, IndexCorruptError
from app.search.embedding.token_vectors import SCALE
from app.search.embedding.torch_model import INSTALL
from app.search.vectors.shards import Mask, Model, Shard, Tokens, let_go

Ids = NDArray[np.int64]
Scores = NDArray[np.float32]

LEAST_QUANTIZED = 1_000
"""The limits of 8-bit numbers are drawn from the vectors, which takes a good number of them."""


class VectorIndex:
    """All vectors of some shards; immutable, and safe to use from many threads.

    A passage is a distinct text, numbered by the order of its hash; its windows are neighbouring rows. More
    vectors than ``exact`` are kept with 8 bits a number. Without FAISS it raises `EngineMissingError`.
    """

    def __init__(self, shards: Sequence[Shard], model: Model, exact: int) -> None:
        parts = [np.zeros(0, model.row), *(shard.rows for shard in shards)]

        def column(name: str) -> NDArray[Any]:
            return np.concatenate([rows[name] for rows in parts])

        order = np.lexsort((column("window"), column("hash")))
        hashes = column("hash")[order]
        self.hashes, starts = np.unique(hashes, return_index=True)
        self.starts: Ids = np.append(starts, len(hashes)).astype(np.int64)
        self.passage_of: Ids = np.repeat(np.arange(len(self.hashes)), np.diff(self.starts))
        self.first_line: Ids = column("first")[order].astype(np.int64)
        self.last_line: Ids = column("last")[order].astype(np.int64)
        self._maps = [shard.tokens for shard in shards]
        self._tokens = [tokens.view(np.ndarray) for tokens in self._maps]
        places = np.concatenate([np.zeros(0, np.int64), *(shard.starts for shard in shards)])
        shard_of = np.repeat(np.arange(len(shards)), [len(shard.rows) for shard in shards])
        # Of a memory view and a list single values cost a third of what numpy's own do.
        self._shard_of: memoryview = shard_of[order].astype(np.int64).data
        self._token_starts: memoryview = places[order].data
        self._token_counts: memoryview = column("tokens")[order].astype(np.int64).data
        self._token_sums: list[int] = column("sum")[order].tolist()
        self._proved = bytearray(len(order))
        self._index = _build(column("vector")[order].astype(np.float32), exact)

    def __len__(self) -> int:
        return len(self.passage_of)

    def passages(self, hashes: NDArray[np.int64]) -> Ids:
        """Find passages by the hashes of their texts; -1 where there is none."""
        if not len(self.hashes):
            return np.full(len(hashes), -1, np.int64)
        at = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        return np.where(self.hashes[at] == hashes, at, -1).astype(np.int64)

    def search(self, query: Scores, k: int, rows: Mask) -> Ids:
        """Return the ``k`` passages whose best window is nearest to a vector of length 1, best first; exact.

        ``rows`` tells which windows may be found.
        """
        faiss: Any = import_module("faiss")
        selector = faiss.IDSelectorBitmap(np.packbits(rows, bitorder="little"))
        parameters = faiss.SearchParameters(sel=selector)
        allowed = int(np.count_nonzero(rows))
        wanted = min(4 * k, allowed)
        while wanted:
            ids = self._index.search(query[None], wanted, params=parameters)[1][0]
            found = ids[ids >= 0]
            passages, first = np.unique(self.passage_of[found], return_index=True)
            if len(passages) >= k or wanted == allowed:
                best = np.sort(first)[:k]
                nearest: Ids = self.passage_of[found[best]]
                return nearest
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

        Query tokens are projected. Damaged token vectors of a row raise `IndexCorruptError`.

        Source: Khattab and Zaharia, ColBERT, SIGIR 2020 (its sum, divided by the number of query tokens).
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
        for mapped in self._maps:
            let_go(mapped)
        return scores

    def row_tokens(self, row: int) -> Tokens:
        """Return the token vectors of a window, which are proved when they are first looked at."""
        start = self._token_starts[row]
        tokens = self._tokens[self._shard_of[row]][start : start + self._token_counts[row]]
        if not self._proved[row]:
            if crc32(tokens.data) != self._token_sums[row]:
                raise IndexCorruptError("the token vectors of a passage do not hold against their sum")
            self._proved[row] = 1
        return tokens


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
