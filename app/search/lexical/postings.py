"""Postings: a sorted table of terms, and for each the documents that have it, packed into bytes.

Of a posting one byte is kept. Its low seven bits say how far its document lies from the one before in the
list; 0 stands for further than that, and the distance is the next number of an array of 16 bits, where 0
again stands for the next of one of 32. The high bit says that the term stands there more than once, and the
number of times is the next of an array of these. So a list is unpacked by a sum over bytes, and only what is
rare is looked up.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.arrays import Array, ArrayFileWriter, Arrays, Proved, narrow

Int = NDArray[np.int64]
Counts = NDArray[np.float32]
Places = slice | Int
NEAR, FAR = 127, 0xFFFF
"""The furthest a document may lie from the one before for one byte to say so, and for two."""
OFTEN = 128
_LISTS = ("codes", "far", "further", "often")
_STARTS = ("starts", "far_starts", "further_starts", "often_starts")
"""The arrays of a field, and where the values of each term start in each."""
STRIDE = 256
MOST_KNOWN = 4096
MOST_UNPACKED = 1 << 18
"""How many postings of a table are kept as they were unpacked: a query reads a list several times."""
_LETTER_BITS = np.array([0 if byte == 10 else 1 << (byte & 31) for byte in range(256)], np.uint32)


def letters_of(text: Array, starts: Array) -> NDArray[np.uint32]:
    """Return which bytes stand in each stretch of a text, one bit for several bytes, line feeds aside."""
    if not len(starts):
        return np.zeros(0, np.uint32)
    found: NDArray[np.uint32] = np.bitwise_or.reduceat(_LETTER_BITS[text], starts)
    return found


def prefix_sums(counts: Array) -> Int:
    """Return where each of some neighbouring runs starts, and where the last ends."""
    sums = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def sizes_of(starts: Array) -> Int:
    """Return how long each of some neighbouring runs is."""
    whole: Int = starts.astype(np.int64)
    return whole[1:] - whole[:-1]


def ragged(starts: Array, sizes: Array) -> Int:
    """Return the indexes of many ranges one after the other: ``starts[i], starts[i] + 1, ...``."""
    ends = np.cumsum(sizes, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total, dtype=np.int64) + np.repeat(starts.astype(np.int64) - (ends - sizes), sizes)


def stable_order(keys: Array, bound: int) -> Array:
    """Sort small non-negative integers below ``bound``, equal ones in the order they come.

    NumPy sorts 16-bit integers by radix; two such passes beat one sort of longer ones.
    """
    if bound <= 1 << 16:
        return np.argsort(keys.astype(np.uint16), kind="stable")
    low = np.argsort((keys & 0xFFFF).astype(np.uint16), kind="stable")
    high = (keys >> 16)[low]
    if bound <= 1 << 32:
        return low[np.argsort(high.astype(np.uint16), kind="stable")]
    return low[np.argsort(high, kind="stable")]


class Postings(NamedTuple):
    """The postings of many terms, each term's documents ascending.

    ``positions`` are bytes: where each posting's words stand, as `position_bytes` gives it.
    """

    starts: Int
    ids: Array
    tfs: Array
    positions: Array | None = None
    position_starts: Int | None = None


def position_widths(lengths: Array) -> NDArray[np.uint8]:
    """Return in how many bytes each document keeps a position, by how many words it has."""
    widths = np.ones(len(lengths), np.uint8)
    widths[lengths > 1 << 8] = 2
    widths[lengths > 1 << 16] = 4
    return widths


def position_bytes(positions: Array, widths: Array) -> Array:
    """Return positions one after the other, each in so many bytes, the lowest first."""
    if not (widths > 1).any():
        return positions.astype(np.uint8)
    as_bytes = positions.astype("<u4").view(np.uint8).reshape(-1, 4)
    found: Array = as_bytes[np.arange(4) < widths[:, None]]
    return found


def read_positions(packed: Proved, starts: Int, widths: Array) -> Int:
    """Read positions that start at some bytes, in so many each."""
    found: Int = packed[starts].astype(np.int64)
    for at in range(1, int(widths.max(initial=1))):
        having = widths > at
        found[having] |= packed[starts[having] + at].astype(np.int64) << (8 * at)
    return found


def invert(
    terms: Array, docs: Array, count: int, positions: Array | None = None, widths: Array | None = None
) -> Postings:
    """Turn a stream of words into postings.

    Args:
        terms: The number of each word's term, below ``count``.
        docs: The document of each word, ascending.
        count: How many terms there are.
        positions: Where each word stands in its document.
        widths: In how many bytes each document keeps a position.
    """
    order = stable_order(terms, count)
    placed = None if positions is None else positions[order]
    terms, docs = terms[order], docs[order]
    del order
    first = np.ones(len(terms), np.bool_)
    first[1:] = (terms[1:] != terms[:-1]) | (docs[1:] != docs[:-1])
    heads = np.flatnonzero(first)
    tfs = np.diff(np.append(heads, len(terms)))
    starts = np.searchsorted(terms[heads], np.arange(count + 1, dtype=terms.dtype)).astype(np.int64)
    ids = docs[heads].astype("<u4")
    if placed is None or widths is None:
        return Postings(starts, ids, tfs)
    wide = widths[docs]
    del terms, docs, first, heads
    return Postings(starts, ids, tfs, position_bytes(placed, wide), prefix_sums(tfs * widths[ids])[starts])


class PostingsWriter:
    """Writes the terms of one field, and packs their postings, in pieces that follow one another.

    Args:
        out: The file.
        field: The field.
        counts: A type that holds how often any document has any term.
        placed: Whether positions are kept.
    """

    def __init__(self, out: ArrayFileWriter, field: str, counts: "np.dtype[Any]", placed: bool) -> None:
        self._out, self._field, self._placed, self._counts = out, field, placed, counts
        self._sizes: dict[str, list[Int]] = {name: [] for name in _STARTS}
        if placed:
            self._sizes["position_starts"] = []

    def add(self, piece: Postings) -> None:
        """Write the postings of the next terms."""
        starts = piece.starts
        distances = np.diff(piece.ids.astype(np.int64), prepend=-1)
        sizes = sizes_of(starts)
        heads = starts[:-1][sizes > 0]
        distances[heads] = piece.ids[heads].astype(np.int64) + 1
        is_far, is_further, is_often = distances > NEAR, distances > FAR, piece.tfs > 1
        codes = np.where(is_far, 0, distances).astype(np.uint8)
        codes[is_often] |= OFTEN
        self._write("codes", codes)
        self._write("far", np.where(is_further, 0, distances)[is_far].astype("<u2"))
        self._write("further", distances[is_further].astype("<u4"))
        self._write("often", piece.tfs[is_often].astype(self._counts))
        self._sizes["starts"].append(sizes)
        for name, there in zip(_STARTS[1:], (is_far, is_further, is_often), strict=True):
            self._sizes[name].append(sizes_of(prefix_sums(there)[starts]))
        if self._placed:
            assert piece.positions is not None
            assert piece.position_starts is not None
            self._write("positions", piece.positions)
            self._sizes["position_starts"].append(sizes_of(piece.position_starts))

    def finish(self, terms: Sequence[bytes], kept: NDArray[np.bool_]) -> None:
        """Write the sorted terms, those that are kept, and where the postings of each start."""
        lines = [term + b"\n" for term, keep in zip(terms, kept.tolist(), strict=True) if keep]
        # A line feed after each lets a scan tell where words end.
        self._write("terms", np.frombuffer(b"".join(lines), np.uint8))
        self._write("ends", narrow(prefix_sums(np.fromiter(map(len, lines), np.int64, len(lines)))))
        none, start = np.zeros(0, np.uint8), np.zeros(1, np.int64)
        # An array that nothing was written to would not be there.
        self.add(Postings(start, none, none, none, start))
        for name, sizes in self._sizes.items():
            self._write(name, narrow(prefix_sums(np.concatenate(sizes)[kept])))

    def _write(self, name: str, values: Array) -> None:
        self._out.add(f"{self._field}.{name}", values)


class TermTable:
    """The terms of one field in one segment, with their postings; everything stays in the mapped file.

    Args:
        arrays: The file.
        field: The field.
        exact: The table of the same words as they stand, where this is one of stems. A stem of one word alone
            has no postings of its own, and names that word instead.
    """

    def __init__(self, arrays: Arrays, field: str, exact: "TermTable | None" = None) -> None:
        self.blob: memoryview = arrays[f"{field}.terms"].data
        self._starts = [arrays[f"{field}.{name}"] for name in _STARTS]
        self._lists = [arrays.part_by_part(f"{field}.{name}") for name in _LISTS]
        self.starts = self._starts[0]
        self.positions: Proved | None = None
        self.position_starts: Array | None = None
        if f"{field}.positions" in arrays:
            self.positions = arrays.part_by_part(f"{field}.positions")
            self.position_starts = arrays[f"{field}.position_starts"]
        self._exact = exact
        # For each stem 1 + the row of the word that it is the same as, or 0.
        self.same: Array = np.zeros(0, np.uint8) if exact is None else arrays[f"{field}.same"]
        # A memory view gives plain integers, several times faster than an array does.
        self.ends: memoryview = arrays[f"{field}.ends"].data
        self._places = [starts.data for starts in self._starts]
        self._rows: dict[bytes, int | None] = {}
        self._unpacked: dict[int, tuple[Int, Counts]] = {}
        self._kept = 0
        # What scans of the terms found; bounded by whoever scans.
        self.scanned: dict[bytes, array[int] | None] = {}

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> bytes:
        return bytes(self.blob[self.ends[row] : self.ends[row + 1] - 1])

    def names(self) -> list[bytes]:
        """Return all terms, in order."""
        blob, ends = bytes(self.blob), self.ends.tolist()
        return [blob[start : end - 1] for start, end in pairwise(ends)]

    @cached_property
    def _signposts(self) -> list[bytes]:
        """Every so many terms, to come near the one that is looked for."""
        return [self[row] for row in range(0, len(self), STRIDE)]

    def row(self, term: bytes) -> int | None:
        """Return the row of a term, None where the segment has it not."""
        try:
            return self._rows[term]
        except KeyError:
            row = self._find(term)
            if len(self._rows) >= MOST_KNOWN:
                self._rows.clear()
            self._rows[term] = row
            return row

    def _find(self, term: bytes) -> int | None:
        block = bisect_right(self._signposts, term) - 1
        if block < 0:
            return None
        first = block * STRIDE
        last = min(first + STRIDE, len(self))
        start = self.ends[first]
        # The terms of a block are its lines, so that one search in its text finds the line.
        at = (b"\n" + bytes(self.blob[start : self.ends[last]])).find(b"\n" + term + b"\n")
        if at < 0:
            return None
        row = bisect_left(self.ends, start + at, first, last)
        if self.ends[row] == start + at and self[row] == term:
            return row
        # Some filter term holds a line feed, and looks like two.
        row = bisect_left(self, term)
        return row if row < len(self) and self[row] == term else None

    def span(self, prefix: bytes) -> tuple[int, int]:
        """Return the rows of the terms that start with ``prefix``: first, and after the last."""
        low = bisect_left(self, prefix)
        # No term in UTF-8 holds the byte 0xFF.
        return low, bisect_left(self, prefix + b"\xff", low)

    @cached_property
    def text(self) -> bytes:
        """All terms in order, each ended by a line feed."""
        return bytes(self.blob)

    @cached_property
    def letters(self) -> tuple[Int, NDArray[np.uint32]]:
        """How long each term is, in bytes, and which letters it has."""
        ends = np.asarray(self.ends).astype(np.int64)
        return np.diff(ends) - 1, letters_of(np.frombuffer(self.blob, np.uint8), ends[:-1])

    @property
    def sizes(self) -> Int:
        """How many postings each term has."""
        own = sizes_of(self.starts)
        if self._exact is not None:
            own += np.concatenate((np.zeros(1, np.int64), self._exact.sizes))[self.same]
        return own

    @property
    def counts_kind(self) -> "np.dtype[Any]":
        """A type that holds how often any document has any term."""
        own = self._lists[-1].dtype
        return (
            own if self._exact is None else max(own, self._exact.counts_kind, key=lambda kind: kind.itemsize)
        )

    def postings(self, row: int) -> tuple[Int, Counts]:
        """Return the documents of a term, ascending, and how often each has it, to be calculated with."""
        if self._exact is not None and self.same[row]:
            return self._exact.postings(int(self.same[row]) - 1)
        known = self._unpacked.get(row)
        if known is None:
            distances, tfs = self._read([slice(place[row], place[row + 1]) for place in self._places])
            ids = distances.cumsum(dtype=np.int64)
            ids -= 1
            known = ids, tfs.astype(np.float32)
            self._kept += len(ids)
            if self._kept > MOST_UNPACKED:
                self._unpacked.clear()
                self._kept = len(ids)
            self._unpacked[row] = known
        return known

    def gather(self, rows: "range | Int") -> tuple[Int, Int, Array]:
        """Return the postings of many terms, term by term.

        Returns:
            How many postings each term has, their documents, ascending within a term, and how often these
            have it.
        """
        numbers = np.asarray(rows, np.int64)
        if self._exact is not None and self.same[numbers].any():
            return self._gather_stems(numbers, self._exact)
        packed, tfs = self._read([taken(starts, rows) for starts in self._starts])
        sizes = self.starts[numbers + 1].astype(np.int64) - self.starts[numbers]
        distances = packed.astype(np.int64)
        if len(distances):
            # The sum over all begins again at each term.
            heads = prefix_sums(sizes)[:-1][sizes > 0]
            totals = np.add.reduceat(distances, heads)
            distances[heads[1:]] -= totals[:-1]
            distances[0] -= 1
        return sizes, distances.cumsum(), tfs

    def _gather_stems(self, numbers: Int, exact: "TermTable") -> tuple[Int, Int, Array]:
        named = self.same[numbers].astype(np.int64)
        all_sizes, places, parts = np.zeros(len(numbers), np.int64), [], []
        for table, there, rows in ((self, named == 0, numbers), (exact, named > 0, named - 1)):
            sizes, ids, tfs = table.gather(rows[there])
            all_sizes[there] = sizes
            places.append(np.repeat(np.flatnonzero(there), sizes))
            parts.append((ids, tfs))
        order = stable_order(np.concatenate(places), len(numbers))
        ids, tfs = (np.concatenate(pieces)[order] for pieces in zip(*parts, strict=True))
        return all_sizes, ids, tfs

    def _read(self, places: Sequence[Places]) -> tuple[Array, Array]:
        """Return the distances and counts of some postings, given where their values stand in each array."""
        codes, far, further, counts = (each[at] for each, at in zip(self._lists, places, strict=True))
        distances = codes & NEAR
        if len(further):
            far = far.astype(np.uint32)
            far[far == 0] = further
        if len(far):
            distances = distances.astype(far.dtype)
            distances[distances == 0] = far
        tfs = np.ones(len(codes), counts.dtype)
        if len(counts):
            tfs[codes >= OFTEN] = counts
        return distances, tfs


def taken(starts: Array, rows: "range | Int") -> Places:
    """Return where the values of each of some rows stand, one row after the other."""
    if isinstance(rows, range):
        return slice(int(starts[rows.start]), int(starts[rows.stop]))
    heads = starts[rows].astype(np.int64)
    return ragged(heads, starts[rows + 1] - heads)
