"""Postings as flat arrays: a sorted table of terms, and for all of them together one row of numbers.

The postings of term ``i`` are ``ids[starts[i]:starts[i + 1]]``; ``tfs`` runs beside ``ids``, and the
positions of all its postings follow each other from ``position_starts[i]``.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.arrays import Array, ArrayFileWriter, Arrays, Proved, narrow

Int = NDArray[np.int64]
Kind = np.dtype[Any] | None

STRIDE = 256
MOST_KNOWN = 4096


@dataclass(frozen=True, slots=True)
class Postings:
    """The postings of many terms, each term's documents ascending; ``positions`` where they are kept."""

    starts: Int
    ids: Array
    tfs: Array
    positions: Array | None = None

    @property
    def position_starts(self) -> Int:
        """Where each term's positions start, and where the last one's end."""
        return prefix_sums(self.tfs)[self.starts]


def prefix_sums(counts: Array) -> Int:
    """Give where each of some neighbouring runs starts, and where the last ends."""
    sums = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def ragged(starts: Array, sizes: Array) -> Int:
    """Give the indexes of many ranges one after the other: ``starts[i], starts[i] + 1, ...``."""
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


def invert(terms: Array, docs: Array, count: int, positions: Array | None = None) -> Postings:
    """Turn a stream of words into postings.

    Args:
        terms: The number of each word's term, below ``count``.
        docs: The document of each word, ascending.
        count: How many terms there are.
        positions: Where each word stands in its document.
    """
    order = stable_order(terms, count)
    terms, docs = terms[order], docs[order]
    first = np.ones(len(terms), np.bool_)
    first[1:] = (terms[1:] != terms[:-1]) | (docs[1:] != docs[:-1])
    heads = np.flatnonzero(first)
    tfs = np.diff(np.append(heads, len(terms)))
    starts = np.searchsorted(terms[heads], np.arange(count + 1))
    placed = None if positions is None else positions[order]
    return Postings(starts.astype(np.int64), docs[heads].astype("<u4"), tfs, placed)


def write_terms(out: ArrayFileWriter, field: str, terms: Sequence[bytes]) -> None:
    """Write the sorted terms of a field; a line feed after each lets a scan tell where words end."""
    out.add_bytes(f"{field}.terms", b"".join(term + b"\n" for term in terms))
    sizes = np.fromiter((len(term) + 1 for term in terms), np.int64, len(terms))
    out.add(f"{field}.ends", narrow(prefix_sums(sizes)))


def write_starts(out: ArrayFileWriter, field: str, starts: Int, position_starts: Int | None) -> None:
    """Write where the postings, and the positions, of each term start."""
    out.add(f"{field}.starts", narrow(starts))
    if position_starts is not None:
        out.add(f"{field}.position_starts", narrow(position_starts))


def write_postings(
    out: ArrayFileWriter, field: str, postings: Postings, kinds: tuple[Kind, Kind] = (None, None)
) -> None:
    """Write a piece of a field's postings; ``kinds`` are the types of counts and positions in all pieces."""
    out.add(f"{field}.ids", postings.ids)
    out.add(f"{field}.tfs", _typed(postings.tfs, kinds[0]))
    if postings.positions is not None:
        out.add(f"{field}.positions", _typed(postings.positions, kinds[1]))


def _typed(values: Array, kind: Kind) -> Array:
    return narrow(values) if kind is None else values.astype(kind)


class TermTable:
    """The terms of one field in one segment, with their postings; everything stays in the mapped file."""

    def __init__(self, arrays: Arrays, field: str) -> None:
        self.blob: memoryview = arrays[f"{field}.terms"].data
        self.starts = arrays[f"{field}.starts"]
        self.ids, self.tfs = (arrays.part_by_part(f"{field}.{part}") for part in ("ids", "tfs"))
        placed = f"{field}.positions"
        self.positions: Proved | None = arrays.part_by_part(placed) if placed in arrays else None
        self.position_starts: Array | None = arrays.get(f"{field}.position_starts")
        # A memory view gives plain integers, several times faster than an array does.
        self.ends: memoryview = arrays[f"{field}.ends"].data
        self._rows: dict[bytes, int | None] = {}
        # What scans of the terms found; bounded by whoever scans.
        self.scanned: dict[bytes, tuple[int, ...] | None] = {}

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> bytes:
        return bytes(self.blob[self.ends[row] : self.ends[row + 1] - 1])

    @cached_property
    def _signposts(self) -> list[bytes]:
        """Every so many terms, to come near the one that is looked for."""
        return [self[row] for row in range(0, len(self), STRIDE)]

    def row(self, term: bytes) -> int | None:
        """Give the row of a term, None where the segment has it not."""
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
        """Give the rows of the terms that start with ``prefix``: first, and after the last."""
        low = bisect_left(self, prefix)
        # No term in UTF-8 holds the byte 0xFF.
        return low, bisect_left(self, prefix + b"\xff", low)

    @cached_property
    def text(self) -> bytes:
        """All terms in order, each ended by a line feed."""
        return bytes(self.blob)

    def postings(self, row: int) -> tuple[Array, Array]:
        """Give the documents of a term, ascending, and how often each has it."""
        at = slice(int(self.starts[row]), int(self.starts[row + 1]))
        return self.ids[at], self.tfs[at]
