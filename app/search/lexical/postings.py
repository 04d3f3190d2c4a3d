"""Postings as flat arrays in a file mapped to memory: a sorted table of terms, and their numbers."""

import json
import mmap
import os
import struct
import tempfile
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import IO, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from app.config.folders import create_file
from app.errors import IndexCorruptError

Array = NDArray[Any]
_MAGIC = b"LEXARR02"
_TAIL = struct.Struct("<QQQI8s")
"""Where the sums start, where the directory starts, how long that is, the sum of both, and the magic."""
_ALIGN = 64
BLOCK = 1 << 16
"""Bytes that have one sum: little enough to read for a single term, much enough to sum up quickly."""
_KINDS = ("|u1", "<u2", "<u4", "<i8")
_PIECE = 1 << 20
_SPOOL_BYTES = 4 << 20
_NARROW = (np.uint8, np.uint16, np.uint32)

Int = NDArray[np.int64]
Kind = np.dtype[Any] | None
STRIDE = 256
MOST_KNOWN = 4096
_LETTER_BITS = np.array([0 if byte == 10 else 1 << (byte & 31) for byte in range(256)], np.uint32)


def narrow(values: Array) -> Array:
    """Return integers in the smallest type that holds them all, little-endian."""
    if not len(values):
        return values.astype(np.uint8)
    low, high = int(values.min()), int(values.max())
    for kind in _NARROW:
        if low >= 0 and high <= np.iinfo(kind).max:
            return values.astype(np.dtype(kind).newbyteorder("<"))
    return values.astype("<i8")


def letters_of(text: Array, starts: Array) -> NDArray[np.uint32]:
    """Return which bytes stand in each stretch of a text, one bit for several bytes, line feeds aside."""
    if not len(starts):
        return np.zeros(0, np.uint32)
    found: NDArray[np.uint32] = np.bitwise_or.reduceat(_LETTER_BITS[text], starts)
    return found


class ArrayFileWriter:
    """Writes named arrays to one file; each may be given in pieces, in any interleaving.

    Pieces wait in memory, and from 4 MiB in temporary files of the same folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._spools: dict[str, IO[bytes]] = {}
        self._types: dict[str, str] = {}

    def __enter__(self) -> "ArrayFileWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for spool in self._spools.values():
            spool.close()

    def add(self, name: str, values: Array) -> None:
        """Append to the array ``name``; all its pieces have one type."""
        spool: IO[bytes] | None = self._spools.get(name)
        if spool is None:
            spool = tempfile.SpooledTemporaryFile(_SPOOL_BYTES, dir=str(self.path.parent))  # noqa: SIM115
            self._spools[name] = spool
            self._types[name] = values.dtype.str
        elif self._types[name] != values.dtype.str:
            raise TypeError(f"array {name!r} holds {self._types[name]}, not {values.dtype.str}")
        spool.write(np.ascontiguousarray(values).data)

    def add_bytes(self, name: str, data: bytes) -> None:
        """Append raw bytes to the array ``name``."""
        self.add(name, np.frombuffer(data, np.uint8))

    def finish(self) -> int:
        """Write the file to the disk, and give its length in bytes."""
        directory: dict[str, tuple[str, int, int]] = {}
        with create_file(self.path) as out:
            sums = _Sums(out)
            sums.write(_MAGIC.ljust(_ALIGN, b"\0"))
            for name, spool in self._spools.items():
                start, size = out.tell(), spool.tell()
                spool.seek(0)
                while piece := spool.read(_PIECE):
                    sums.write(piece)
                sums.write(b"\0" * (-size % _ALIGN))
                directory[name] = (self._types[name], start, size)
            at, end = out.tell(), sums.finish() + json.dumps(directory).encode()
            listed = len(end) - len(sums.found) * sums.found.itemsize
            out.write(end)
            out.write(_TAIL.pack(at, at + len(end) - listed, listed, crc32(end), _MAGIC))
            out.flush()
            os.fsync(out.fileno())
            return out.tell()


class _Sums:
    """Writes to a file, and sums up each block of it."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self.found = array("I")
        self._sum = self._filled = 0

    def write(self, data: bytes) -> None:
        self._out.write(data)
        view = memoryview(data)
        while view:
            part = view[: BLOCK - self._filled]
            self._sum = crc32(part, self._sum)
            self._filled += len(part)
            view = view[len(part) :]
            if self._filled == BLOCK:
                self._close()

    def _close(self) -> None:
        self.found.append(self._sum)
        self._sum = self._filled = 0

    def finish(self) -> bytes:
        """Return the sums of all blocks, little-endian."""
        if self._filled:
            self._close()
        return np.array(self.found, "<u4").tobytes()


class Proved:
    """An array of a file whose parts are proved when they are first looked at."""

    def __init__(self, arrays: "Arrays", values: Array, offset: int) -> None:
        self._arrays, self._values, self._offset = arrays, values, offset
        self.dtype = values.dtype

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, at: slice | Array) -> Array:
        if isinstance(at, slice):
            low, high, _ = at.indices(len(self._values))
        elif at.dtype == np.bool_:
            low, high = 0, len(self._values)
        else:
            low, high = (int(at.min()), int(at.max()) + 1) if len(at) else (0, 0)
        size = self._values.itemsize
        self._arrays.prove(self._offset + low * size, self._offset + high * size)
        found: Array = self._values[at]
        return found


class Arrays(Mapping[str, Array]):
    """The arrays of one file; they stay valid when the file is removed.

    Raises:
        FileNotFoundError: The file is not there.
        IndexCorruptError: It is not ``length`` bytes long, or its directory is damaged; also raised later,
            by whatever looks at a damaged part.
    """

    def __init__(self, path: Path, length: int | None = None) -> None:
        self._name = path.name
        with path.open("rb") as file:
            size = file.seek(0, 2)
            if size < _ALIGN + _TAIL.size:
                raise IndexCorruptError(f"'{path.name}' is cut off: it has {size} bytes")
            if length not in (None, size):
                raise IndexCorruptError(f"'{path.name}' has {size} bytes where {length} were written")
            self._source = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        sums, start, listed, check, magic = _TAIL.unpack_from(self._source, size - _TAIL.size)
        end = self._source[sums : start + listed]
        if magic != _MAGIC or start + listed != size - _TAIL.size or crc32(end) != check:
            raise IndexCorruptError(f"'{path.name}' is damaged")
        self._end = sums
        self._sums = np.frombuffer(self._source, "<u4", -(-sums // BLOCK), sums)
        self._proved = np.zeros(len(self._sums), np.bool_)
        self._directory: dict[str, tuple[str, int, int]] = json.loads(end[start - sums :])
        for name, (kind, offset, nbytes) in self._directory.items():
            if kind not in _KINDS or not 0 <= offset <= offset + nbytes <= sums:
                raise IndexCorruptError(f"'{path.name}' names an array '{name}' that it cannot hold")

    def __getitem__(self, name: str) -> Array:
        kind, offset, nbytes = self._directory[name]
        self.prove(offset, offset + nbytes)
        return np.frombuffer(self._source, kind, nbytes // np.dtype(kind).itemsize, offset)

    def __contains__(self, name: object) -> bool:
        return name in self._directory

    def __iter__(self) -> Iterator[str]:
        return iter(self._directory)

    def __len__(self) -> int:
        return len(self._directory)

    def part_by_part(self, name: str) -> Proved:
        """Return an array that is long, and of which little is looked at."""
        kind, offset, nbytes = self._directory[name]
        values = np.frombuffer(self._source, kind, nbytes // np.dtype(kind).itemsize, offset)
        return Proved(self, values, offset)

    def prove(self, start: int = 0, stop: int | None = None) -> None:
        """Hold the blocks of some bytes, or of the whole file, against their sums, each once.

        Raises:
            IndexCorruptError: One of them is damaged.
        """
        stop = self._end if stop is None else stop
        first, last = start // BLOCK, -(-stop // BLOCK)
        if stop <= start or self._proved[first:last].all():
            return
        with memoryview(self._source) as view:
            for block in np.flatnonzero(~self._proved[first:last]).tolist():
                at = (first + block) * BLOCK
                if crc32(view[at : min(at + BLOCK, self._end)]) != self._sums[first + block]:
                    raise IndexCorruptError(f"'{self._name}' is damaged")
                self._proved[first + block] = True


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
    """Return where each of some neighbouring runs starts, and where the last ends."""
    sums = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


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
    starts = np.searchsorted(terms[heads], np.arange(count + 1, dtype=terms.dtype))
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

    def postings(self, row: int) -> tuple[Array, Array]:
        """Return the documents of a term, ascending, and how often each has it."""
        at = slice(int(self.starts[row]), int(self.starts[row + 1]))
        return self.ids[at], self.tfs[at]
