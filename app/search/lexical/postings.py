"""Postings as arrays: a sorted table of terms, and for each the documents that have it.

A document is kept as how far it lies from the one before in its list, in as many bytes of seven bits as that
needs, the lowest first; the high bit says that another follows. Most take one byte.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.arrays import Array, ArrayFileWriter, Arrays, Proved, narrow

Int = NDArray[np.int64]
Counts = NDArray[np.float32]
MORE = 0x80
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


def packed_numbers(numbers: Array) -> tuple[NDArray[np.uint8], Int]:
    """Return numbers in as many bytes as they need, one after the other, and how many each takes."""
    sizes = np.ones(len(numbers), np.int64)
    for bits in (7, 14, 21, 28):
        if not (longer := numbers >> bits > 0).any():
            return numbers.astype(np.uint8) if bits == 7 else _spread(numbers, sizes), sizes
        sizes += longer
    return _spread(numbers, sizes), sizes


def _spread(numbers: Array, sizes: Int) -> NDArray[np.uint8]:
    starts = prefix_sums(sizes)
    packed = np.zeros(int(starts[-1]), np.uint8)
    for at in range(int(sizes.max())):
        there = np.flatnonzero(sizes > at)
        more = np.where(sizes[there] > at + 1, MORE, 0)
        packed[starts[there] + at] = (numbers[there] >> (7 * at) & 0x7F) | more
    return packed


def unpacked_numbers(packed: Array) -> Int:
    """Return the numbers of `packed_numbers`."""
    numbers: Int = packed.astype(np.int64)
    if not len(packed) or packed.max() < MORE:
        return numbers
    numbers &= 0x7F
    lasts = np.flatnonzero(packed < MORE)
    firsts = np.concatenate((np.zeros(1, np.int64), lasts[:-1] + 1))
    found: Int = numbers[firsts]
    sizes = lasts - firsts
    for at in range(1, int(sizes.max()) + 1):
        there = sizes >= at
        found[there] |= numbers[firsts[there] + at] << (7 * at)
    return found


class Postings(NamedTuple):
    """The postings of some terms, term by term, documents ascending within one.

    ``sizes`` are how many each term has, ``tfs`` how often each document has it, and ``positions`` where.
    """

    sizes: Int
    ids: Array
    tfs: Array
    positions: Array | None = None


class FieldPostings(NamedTuple):
    """All postings of one field: its terms in order, and these in pieces, each of the next terms.

    ``counts`` is a type that holds how often any document has any term, ``places`` one for its positions.
    """

    field: str
    terms: Sequence[bytes]
    pieces: Iterable[Postings]
    counts: "np.dtype[Any]"
    places: "np.dtype[Any] | None" = None


def write_postings(out: ArrayFileWriter, postings: FieldPostings) -> None:
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
        out.add(f"{field}.tfs", tfs.astype(postings.counts))
        all_sizes.append(sizes)
        all_bytes.append(sizes_of(prefix_sums(widths)[starts]))
        if positions is not None:
            out.add(f"{field}.positions", positions.astype(postings.places))
            all_places.append(sizes_of(prefix_sums(tfs)[starts]))
    # An array that nothing was written to would not be there.
    out.add(f"{field}.ids", np.zeros(0, np.uint8))
    out.add(f"{field}.tfs", np.zeros(0, postings.counts))
    none = np.zeros(0, np.int64)
    sizes = np.concatenate([none, *all_sizes])
    kept = sizes > 0
    lines = [term + b"\n" for term, keep in zip(postings.terms, kept.tolist(), strict=True) if keep]
    # A line feed after each lets a scan tell where words end.
    out.add_bytes(f"{field}.terms", b"".join(lines))
    out.add(f"{field}.ends", narrow(prefix_sums(np.fromiter(map(len, lines), np.int64, len(lines)))))
    out.add(f"{field}.starts", narrow(prefix_sums(sizes[kept])))
    out.add(f"{field}.bytes", narrow(prefix_sums(np.concatenate([none, *all_bytes])[kept])))
    if postings.places is not None:
        out.add(f"{field}.positions", np.zeros(0, postings.places))
        out.add(f"{field}.places", narrow(prefix_sums(np.concatenate([none, *all_places])[kept])))


def invert(terms: Array, docs: Array, count: int, positions: Array | None = None) -> Postings:
    """Turn a stream of words into postings.

    Args:
        terms: The number of each word's term, below ``count``.
        docs: The document of each word, ascending.
        count: How many terms there are.
        positions: Where each word stands in its document.
    """
    order = stable_order(terms, count)
    placed = None if positions is None else positions[order]
    terms, docs = terms[order], docs[order]
    del order
    first = np.ones(len(terms), np.bool_)
    first[1:] = (terms[1:] != terms[:-1]) | (docs[1:] != docs[:-1])
    heads = np.flatnonzero(first)
    tfs = np.diff(np.append(heads, len(terms)))
    sizes = np.bincount(terms[heads], minlength=count)
    return Postings(sizes, docs[heads], tfs, placed)


class TermTable:
    """The terms of one field in one segment, with their postings; everything stays in the mapped file."""

    def __init__(self, arrays: Arrays, field: str) -> None:
        self.blob: memoryview = arrays[f"{field}.terms"].data
        self.starts: Array = arrays[f"{field}.starts"]
        self._bytes: Array = arrays[f"{field}.bytes"]
        self._ids, self._tfs = arrays.part_by_part(f"{field}.ids"), arrays.part_by_part(f"{field}.tfs")
        self.positions: Proved | None = None
        self.places: Array = np.zeros(0, np.uint8)
        if f"{field}.positions" in arrays:
            self.positions = arrays.part_by_part(f"{field}.positions")
            self.places = arrays[f"{field}.places"]
        # A memory view gives plain integers, several times faster than an array does.
        self.ends: memoryview = arrays[f"{field}.ends"].data
        self._rows: dict[bytes, int | None] = {}
        self._unpacked: dict[int, tuple[Int, Counts]] = {}
        self._kept = 0
        # What scans of the terms found; bounded by whoever scans.
        self.scanned: dict[bytes, array[int] | None] = {}

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> bytes:
        return bytes(self.blob[self.ends[row] : self.ends[row + 1] - 1])

    @property
    def kinds(self) -> "tuple[np.dtype[Any], np.dtype[Any] | None]":
        """The types of counts and positions."""
        return self._tfs.dtype, None if self.positions is None else self.positions.dtype

    def names(self) -> list[bytes]:
        """Return all terms, in order."""
        blob, ends = bytes(self.blob), self.ends.tolist()
        return [blob[start : end - 1] for start, end in pairwise(ends)]

    def texts(self) -> list[str]:
        """Return the same as text."""
        text, ends = str(self.blob, "utf-8", "surrogatepass"), self.ends.tolist()
        if len(text) < ends[-1]:
            return [name.decode("utf-8", "surrogatepass") for name in self.names()]
        return [text[start : end - 1] for start, end in pairwise(ends)]

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
        return sizes_of(self.starts)

    def postings(self, row: int) -> tuple[Int, Counts]:
        """Return the documents of a term, ascending, and how often each has it, to be calculated with."""
        known = self._unpacked.get(row)
        if known is None:
            at, tfs = (
                slice(self._bytes[row], self._bytes[row + 1]),
                slice(self.starts[row], self.starts[row + 1]),
            )
            ids = unpacked_numbers(self._ids[at]).cumsum()
            ids -= 1
            known = ids, self._tfs[tfs].astype(np.float32)
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
        sizes = self.starts[numbers + 1].astype(np.int64) - self.starts[numbers]
        distances = unpacked_numbers(self._ids[taken(self._bytes, rows)])
        if len(distances):
            # The sum over all begins again at each term, which has one posting at least.
            heads = prefix_sums(sizes)[:-1]
            totals = np.add.reduceat(distances, heads)
            distances[heads[1:]] -= totals[:-1]
            distances[0] -= 1
        return sizes, distances.cumsum(), self._tfs[taken(self.starts, rows)]


def taken(starts: Array, rows: "range | Int") -> slice | Int:
    """Return where the values of each of some rows stand, one row after the other."""
    if isinstance(rows, range):
        return slice(int(starts[rows.start]), int(starts[rows.stop]))
    heads = starts[rows].astype(np.int64)
    return ragged(heads, starts[rows + 1] - heads)
