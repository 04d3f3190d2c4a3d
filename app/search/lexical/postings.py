"""Postings as arrays: a sorted table of terms, and for each the documents that have it.

A document is kept as how far it lies from the one before in its list, in as many bytes of seven bits as that
needs, the lowest first; the high bit says that another follows. Most take one byte.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.arrays import Array, ArrayFileWriter, Arrays, narrow
from app.search.lexical.schema import POSITIONS

Int = NDArray[np.int64]
Counts = NDArray[np.float32]
MORE = 0x80


def prefix_sums(counts: Array) -> Int:
    """Return where each of some neighbouring runs starts, and where the last ends."""
    sums = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def ragged(starts: Array, sizes: Array) -> Int:
    """Return the indexes of many ranges one after the other: ``starts[i], starts[i] + 1, ...``."""
    ends = np.cumsum(sizes, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total, dtype=np.int64) + np.repeat(starts.astype(np.int64) - (ends - sizes), sizes)


def packed_numbers(numbers: Array) -> tuple[NDArray[np.uint8], Int]:
    """Return numbers in as many bytes as they need, one after the other, and how many each takes."""
    sizes = np.ones(len(numbers), np.int64)
    for bits in (7, 14, 21, 28):
        sizes += numbers >> bits > 0
    starts = prefix_sums(sizes)
    packed = np.zeros(int(starts[-1]), np.uint8)
    for at in range(int(sizes.max(initial=0))):
        there = np.flatnonzero(sizes > at)
        more = np.where(sizes[there] > at + 1, MORE, 0)
        packed[starts[there] + at] = (numbers[there] >> (7 * at) & 0x7F) | more
    return packed, sizes


def unpacked_numbers(packed: Array) -> Int:
    """Return the numbers of `packed_numbers`."""
    lasts = np.flatnonzero(packed < MORE)
    if len(lasts) == len(packed):
        return packed.astype(np.int64)
    firsts = np.zeros_like(lasts)
    np.add(lasts[:-1], 1, out=firsts[1:])
    found: Int = (packed[firsts] & 0x7F).astype(np.int64)
    there, at = np.flatnonzero(lasts > firsts), 1
    while len(there):
        found[there] |= (packed[firsts[there] + at] & 0x7F).astype(np.int64) << (7 * at)
        at += 1
        there = there[lasts[there] - firsts[there] >= at]
    return found


Piece = tuple[Int, Array, Array, Array | None]
"""The postings of some terms, term by term: how many each has, their documents, ascending within one, how
often each document has the term, and where. The last two have one type in all pieces of a field."""


class Postings(NamedTuple):
    """All postings of one field: its terms in order, and these in pieces, one or more, of the next terms."""

    field: str
    terms: Sequence[bytes]
    pieces: Iterable[Piece]


def write_postings(out: ArrayFileWriter, postings: Postings) -> None:
    """Write a field; terms without any posting are left out."""
    field = postings.field
    all_sizes, all_bytes, all_places = [], [], []
    for sizes, ids, tfs, positions in postings.pieces:
        distances = np.diff(ids.astype(np.int64), prepend=-1)
        starts = prefix_sums(sizes)
        heads = starts[:-1][sizes > 0]
        distances[heads] = ids[heads].astype(np.int64) + 1
        packed, widths = packed_numbers(distances)
        out.add(f"{field}.ids", packed)
        out.add(f"{field}.tfs", tfs)
        all_sizes.append(sizes)
        all_bytes.append(np.diff(prefix_sums(widths)[starts]))
        if positions is not None:
            out.add(f"{field}.positions", positions)
            all_places.append(np.diff(prefix_sums(tfs)[starts]))
    kept = np.concatenate(all_sizes) > 0
    # A line feed after each lets a scan tell where words end.
    lines = [term + b"\n" for term, keep in zip(postings.terms, kept.tolist(), strict=True) if keep]
    out.add(f"{field}.terms", np.frombuffer(b"".join(lines), np.uint8))
    out.add(f"{field}.ends", narrow(prefix_sums(np.fromiter(map(len, lines), np.int64, len(lines)))))
    for name, runs in (("starts", all_sizes), ("bytes", all_bytes), ("places", all_places)):
        if runs:
            out.add(f"{field}.{name}", narrow(prefix_sums(np.concatenate(runs)[kept])))


class TermTable:
    """The terms of one field in one segment, with their postings; everything stays in the mapped file."""

    def __init__(self, arrays: Arrays, field: str) -> None:
        self._arrays, self._field = arrays, field
        self.blob: memoryview = arrays[f"{field}.terms"].data
        # A memory view gives plain integers, several times faster than an array does.
        self.ends: memoryview = arrays[f"{field}.ends"].data
        self.starts: Array = arrays[f"{field}.starts"]
        self._bytes: Array = arrays[f"{field}.bytes"]
        self.has_positions = field in POSITIONS
        self.places: Array = arrays[f"{field}.places"] if self.has_positions else self.starts

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> bytes:
        return bytes(self.blob[self.ends[row] : self.ends[row + 1] - 1])

    def names(self) -> list[bytes]:
        """Return all terms, in order."""
        text = bytes(self.blob)
        return [text[start : end - 1] for start, end in pairwise(self.ends.tolist())]

    def row(self, term: bytes) -> int | None:
        """Return the row of a term, None where the segment has it not."""
        row = bisect_left(self, term)
        return row if row < len(self) and self[row] == term else None

    def span(self, prefix: bytes) -> Int:
        """Return the rows of the terms that start with ``prefix``."""
        low = bisect_left(self, prefix)
        # No term in UTF-8 holds the byte 0xFF.
        return np.arange(low, bisect_left(self, prefix + b"\xff", low))

    @cached_property
    def text(self) -> bytes:
        """All terms in order, each ended by a line feed."""
        return bytes(self.blob)

    def postings(self, row: int) -> tuple[Int, Counts]:
        """Return the documents of a term, ascending, and how often each has it, to be calculated with."""
        packed, kept = (slice(int(at[row]), int(at[row + 1])) for at in (self._bytes, self.starts))
        ids = unpacked_numbers(self._arrays.take(f"{self._field}.ids", packed))
        tfs = self._arrays.take(f"{self._field}.tfs", kept)
        return ids.cumsum() - 1, tfs.astype(np.float32)

    def gather(self, rows: Int) -> tuple[Int, Int, Array]:
        """Return the postings of many terms, term by term.

        Returns:
            How many postings each term has, their documents, ascending within a term, and how often these
            have it.
        """
        sizes = self.starts[rows + 1].astype(np.int64) - self.starts[rows]
        distances = unpacked_numbers(self._arrays.take(f"{self._field}.ids", taken(self._bytes, rows)))
        if len(distances):
            # The sum over all begins again at each term, which has one posting at least.
            heads = prefix_sums(sizes)[:-1]
            totals = np.add.reduceat(distances, heads)
            distances[heads[1:]] -= totals[:-1]
            distances[0] -= 1
        return sizes, distances.cumsum(), self._arrays.take(f"{self._field}.tfs", taken(self.starts, rows))

    def positions(self, at: slice | Int) -> Array:
        """Return some positions, by where they stand among all: those of a row begin at its ``places``."""
        return self._arrays.take(f"{self._field}.positions", at)


def taken(starts: Array, rows: Int) -> slice | Int:
    """Return where the values of each of some rows stand, one row after the other: of neighbours a slice."""
    if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
        return slice(int(starts[rows[0]]), int(starts[rows[-1] + 1]))
    heads = starts[rows].astype(np.int64)
    return ragged(heads, starts[rows + 1] - heads)


def united(tables: Sequence[TermTable]) -> tuple[list[bytes], list[Int]]:
    """Return the terms of some tables together, in order, and the place there of each table's own."""
    lists = [table.names() for table in tables]
    # The lists are sorted, and a sort of lists one after the other finds that and joins them.
    names = list(dict.fromkeys(sorted(chain.from_iterable(lists))))
    number = dict(zip(names, range(len(names)), strict=True))
    return names, [np.fromiter(map(number.__getitem__, listed), np.int64, len(listed)) for listed in lists]
