"""Search the vectors of a log with FAISS, and score passages exactly by their windows and tokens."""

import mmap
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from app.errors import EngineMissingError, IndexCorruptError
from app.search.embedding.token_vectors import SCALE
from app.search.embedding.torch_model import INSTALL
from app.search.vectors.file_format import Contents, Tokens

Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]
Scores = NDArray[np.float32]

LEAST_QUANTIZED = 1_000
"""The limits of 8-bit numbers are drawn from the vectors, which takes a good number of them."""


class VectorIndex:
    """All vectors of one log as it was read; immutable, and safe to use from many threads.

    A passage is a distinct text, numbered by the order of its hash; its windows are neighbouring rows.

    Args:
        contents: What the log holds.
        exact: More vectors than these are kept with 8 bits a number.

    Raises:
        EngineMissingError: FAISS is not installed.
    """

    def __init__(self, contents: Contents, exact: int) -> None:
        order = _newest_windows(contents)
        rows = contents.rows[order]
        self.hashes, starts = np.unique(rows["hash"], return_index=True)
        self.starts: Ids = np.append(starts, len(rows)).astype(np.int64)
        self.passage_of: Ids = np.repeat(np.arange(len(self.hashes)), np.diff(self.starts))
        self.first_line: Ids = rows["first"].astype(np.int64)
        self.last_line: Ids = rows["last"].astype(np.int64)
        # Of a memory view and a plain array single values and slices cost a third of what numpy's own do.
        self._token_counts: memoryview = rows["tokens"].astype(np.int64).data
        self._token_starts: memoryview = contents.token_starts[order].astype(np.int64).data
        self._token_sums: list[int] = contents.token_sums[order].tolist()
        self._mapped: Tokens = contents.tokens
        self._tokens: Tokens = contents.tokens.view(np.ndarray)
        self._proved = bytearray(len(rows))
        self._index = _build(contents.vectors[order].astype(np.float32), exact)

    def __len__(self) -> int:
        return len(self.passage_of)

    def passages(self, hashes: NDArray[np.int64]) -> Ids:
        """Find passages by the hashes of their texts; -1 where there is none."""
        if not len(self.hashes):
            return np.full(len(hashes), -1, np.int64)
        at = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        return np.where(self.hashes[at] == hashes, at, -1).astype(np.int64)

    def search(self, query: Scores, k: int, rows: Mask) -> Ids:
        """Return the ``k`` passages whose best allowed window is nearest, best first; exact.

        Args:
            query: Shape (dimension,), length 1.
            k: Most passages.
            rows: The windows that may be found, by row.
        """
        allowed = int(np.count_nonzero(rows))
        wanted = min(4 * k, allowed)
        parameters = _only(rows)
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
        for at, (rows, cosines) in enumerate(self._cosines(query, groups)):
            if len(rows):
                nearest = int(np.argmax(cosines))
                best[at], scores[at] = rows[nearest], cosines[nearest]
        return best, scores

    def mean_cosines(self, query: Scores, groups: Sequence[Ids]) -> Scores:
        """Return the mean cosine of the rows of each group; 0 for an empty one."""
        means = [cosines.mean() if len(rows) else 0.0 for rows, cosines in self._cosines(query, groups)]
        return np.array(means, np.float32)

    def _cosines(self, query: Scores, groups: Sequence[Ids]) -> Iterator[tuple[Ids, Scores]]:
        rows = np.concatenate([*groups, np.zeros(0, np.int64)])
        cosines = self.vectors(rows) @ query if len(rows) else np.zeros(0, np.float32)
        at = 0
        for group in groups:
            yield group, cosines[at : at + len(group)]
            at += len(group)

    def token_scores(self, query: Scores, groups: Sequence[Ids]) -> Scores:
        """Score groups of rows by late interaction: each query token's best match, averaged.

        Args:
            query: Projected query tokens, shape (tokens, token dimension).
            groups: The rows of each group.

        Returns:
            One mean of cosines a group; 0 for a group without tokens.

        Raises:
            IndexCorruptError: the token vectors of a row are damaged.

        Source: Khattab and Zaharia, ColBERT, SIGIR 2020 (its sum, divided by the number of query tokens).
        """
        scores = np.zeros(len(groups), np.float32)
        if not len(query):
            return scores
        pieces: list[Tokens] = []
        counts: list[int] = []
        for rows in groups:
            parts = [self.row_tokens(row) for row in rows.tolist() if self._token_counts[row]]
            pieces += parts
            counts.append(sum(map(len, parts)))
        filled = [at for at, count in enumerate(counts) if count]
        if not filled:
            return scores
        matched = (np.concatenate(pieces).astype(np.float32) @ query.T) / np.float32(SCALE)
        pieces.clear()
        _let_go(self._mapped)
        ends = np.cumsum([counts[at] for at in filled])
        best = np.maximum.reduceat(matched, np.concatenate(([0], ends[:-1])))
        scores[filled] = best.mean(axis=1)
        return scores

    def row_tokens(self, row: int) -> Tokens:
        """Return the token vectors of a window, which are proved when they are first looked at."""
        start = self._token_starts[row]
        tokens = self._tokens[start : start + self._token_counts[row]]
        if not self._proved[row]:
            if crc32(tokens.data) != self._token_sums[row]:
                raise IndexCorruptError("the token vectors of a passage do not hold against their sum")
            self._proved[row] = 1
        return tokens


def _let_go(tokens: Tokens) -> None:
    """Count what was read of a mapped file as this process's memory no more.

    It stays in the system's cache, and is mapped anew when it is read again. Without this a process that
    answers for long counts as large as the file, which holds more than all other parts of an index.
    """
    # A map of numpy's has Python's below it.
    mapped: object = tokens.base
    if isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


def _newest_windows(contents: Contents) -> Ids:
    """Order the rows by hash and window, each once: of a passage written twice the last writing counts."""
    rows = contents.rows
    newest_first = np.arange(len(rows))[::-1]
    order = newest_first[np.lexsort((rows["window"][::-1], rows["hash"][::-1]))]
    hashes, windows = rows["hash"][order], rows["window"][order]
    repeated = np.zeros(len(order), np.bool_)
    repeated[1:] = (hashes[1:] == hashes[:-1]) & (windows[1:] == windows[:-1])
    kept: Ids = order[~repeated]
    return kept


def _only(rows: Mask) -> Any:  # noqa: ANN401 - FAISS declares its own types wrongly
    """Restrict a FAISS search to some rows."""
    faiss: Any = import_module("faiss")
    return faiss.SearchParameters(sel=faiss.IDSelectorBitmap(np.packbits(rows, bitorder="little")))


def _build(vectors: Scores, exact: int) -> Any:  # noqa: ANN401 - FAISS declares its own types wrongly
    try:
        faiss: Any = import_module("faiss")
    except ImportError as error:
        raise EngineMissingError("'deep' needs the package faiss-cpu", INSTALL) from error
    # One query is too short a work to share between threads.
    faiss.omp_set_num_threads(1)
    dimension = vectors.shape[1]
    # The log has 16 bits a number, so that as many lose nothing, and take half the memory and the time of 32.
    is_exact = len(vectors) <= max(exact, LEAST_QUANTIZED)
    kind = faiss.ScalarQuantizer.QT_fp16 if is_exact else faiss.ScalarQuantizer.QT_8bit
    index = faiss.IndexScalarQuantizer(dimension, kind, faiss.METRIC_INNER_PRODUCT)
    if not is_exact:
        index.train(vectors)
    index.add(vectors)
    return index
