"""A segment: one file of arrays, mapped to memory, with the documents, columns and terms that it holds."""

import threading
from array import array
from collections.abc import Callable, Sequence
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import Final

import numpy as np
import zstandard
from numpy.typing import NDArray

from app.search.lexical.arrays import ArrayFileWriter, Arrays, narrow
from app.search.lexical.postings import TermTable
from app.search.lexical.schema import LINES, NOTE_COLUMNS, PATH, RECORDS, TEXTS
from app.search.lexical.sparse import concatenated

Int = NDArray[np.int64]
Mask = NDArray[np.bool_]
BLOCKS: Final = {RECORDS: 1 << 13, TEXTS: 1 << 12}
"""Bytes that are packed together, to find what they have in common; of texts one query reads thousands."""
MOST_BLOCKS: Final = 16
LEVEL: Final = 3


class PackedWriter:
    """Writes byte strings one after the other, packed some together."""

    def __init__(self, out: ArrayFileWriter, name: str) -> None:
        self._out, self._name, self._size = out, name, BLOCKS[name]
        self._packer = zstandard.ZstdCompressor(LEVEL)
        self._waiting = bytearray()
        self._ends, self._places = array("q", [0]), array("q", [0])

    def add(self, blob: bytes) -> None:
        """Take the next one."""
        self._waiting += blob
        self._ends.append(self._ends[-1] + len(blob))
        while len(self._waiting) >= self._size:
            self._pack()

    def _pack(self) -> None:
        packed = self._packer.compress(bytes(self._waiting[: self._size]))
        del self._waiting[: self._size]
        self._out.add(self._name, np.frombuffer(packed, np.uint8))
        self._places.append(self._places[-1] + len(packed))

    def finish(self) -> None:
        """Write what waits, and where each stands."""
        self._pack()
        self._out.add(f"{self._name}.ends", narrow(np.array(self._ends)))
        self._out.add(f"{self._name}.at", narrow(np.array(self._places)))


class Packed:
    """Byte strings as `PackedWriter` wrote them; safe to use from many threads."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        self._ends, self._size = arrays[f"{name}.ends"].data, BLOCKS[name]
        self._block = lru_cache(MOST_BLOCKS)(partial(_unpacked, arrays, name, arrays[f"{name}.at"].data))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number: int) -> bytes:
        """Return one of them."""
        start, end = self._ends[number], self._ends[number + 1]
        if start == end:
            return b""
        first, last = start // self._size, (end - 1) // self._size
        whole, before = b"".join(map(self._block, range(first, last + 1))), first * self._size
        return whole[start - before : end - before]


class _Unpacker(threading.local):
    """One for each thread: it works on one block at a time, and costs as much as a block to make."""

    def __init__(self) -> None:
        self.unpack = zstandard.ZstdDecompressor().decompress


_UNPACKER: Final = _Unpacker()


def _unpacked(arrays: Arrays, name: str, places: memoryview, block: int) -> bytes:
    packed = arrays.take(name, slice(places[block], places[block + 1]))
    return _UNPACKER.unpack(packed.data, BLOCKS[name])


class SegmentFile:
    """The documents of one segment; a note's document is directly followed by those of its chunks."""

    def __init__(self, path: Path, length: int) -> None:
        self.arrays = Arrays(path, length)
        self.records, self.texts = Packed(self.arrays, RECORDS), Packed(self.arrays, TEXTS)
        self.count = len(self.records)
        self.table: Callable[[str], TermTable] = cache(partial(TermTable, self.arrays))

    @cached_property
    def notes(self) -> Int:
        """The document of each note, ascending."""
        return self.arrays["notes"].astype(np.int64)

    @cached_property
    def note_of(self) -> Int:
        """The document of the note that each document belongs to."""
        return np.repeat(self.notes, np.diff(np.append(self.notes, self.count)))

    @cached_property
    def is_chunk(self) -> Mask:
        """Whether each document is a chunk."""
        chunks = np.ones(self.count, np.bool_)
        chunks[self.notes] = False
        return chunks

    def column(self, name: str) -> Int:
        """Return a number for each document, 0 where it has none."""
        values = np.zeros(self.count, np.int64)
        values[self.notes if name in NOTE_COLUMNS else self.is_chunk] = self.arrays[name]
        return values

    def having(self, field: str, term: str) -> Int:
        """Return the documents that have a term in a field, ascending."""
        table = self.table(field)
        row = table.row(term.encode("utf-8", "surrogatepass"))
        return np.zeros(0, np.int64) if row is None else table.postings(row)[0]

    def text(self, note: int) -> str:
        """Return the text of the note with this number among the notes, empty where none is kept."""
        return self.texts[note].decode("utf-8", "surrogatepass")

    def line_hashes(self, notes: Mask) -> NDArray[np.uint32]:
        """Return the hashes of the lines of some of the notes here, one after the other."""
        kept = np.repeat(notes, self.arrays[f"{LINES}.count"])
        return self.arrays[LINES][kept].astype(np.uint32)

    @cached_property
    def path_rows(self) -> Int:
        """The row of each note's path among the paths."""
        table = self.table(PATH)
        sizes, docs, _ = table.gather(np.arange(len(table)))
        return np.repeat(np.arange(len(table)), sizes)[docs.argsort()]

    def path(self, note: int) -> bytes:
        """Return the path of the note with this number among the notes."""
        return self.table(PATH)[self.path_rows[note]]


Parts = Sequence[tuple[int, SegmentFile]]
"""The segments of one snapshot, each with its first document."""


def found_in(parts: Parts, among: Mask, find: Callable[[SegmentFile], Int | None]) -> Int:
    """Return the documents of a mask that ``find`` gives of any segment, in order; of None all are meant."""
    found: list[Int] = []
    for base, part in parts:
        documents = find(part)
        ids = (np.arange(part.count) if documents is None else documents) + base
        found.append(ids[among[ids]])
    return concatenated(found, np.int64)
