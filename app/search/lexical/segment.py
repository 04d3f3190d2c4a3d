"""A segment: one file of arrays, mapped to memory, with the documents, columns and terms that it holds."""

import threading
from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Final

import numpy as np
import zstandard
from numpy.typing import NDArray

from app.search.lexical.arrays import Array, Arrays
from app.search.lexical.postings import TermTable
from app.search.lexical.schema import LINES, NOTE_COLUMNS, PATH, RECORDS, TEXTS
from app.search.lexical.sparse import concatenated

Int = NDArray[np.int64]
Mask = NDArray[np.bool_]


class SegmentFile:
    """The documents of one segment; a note's document is directly followed by those of its chunks."""

    def __init__(self, path: Path, length: int, count: int) -> None:
        self.arrays, self.count = Arrays(path, length), count
        self.table: Callable[[str], TermTable] = cache(partial(TermTable, self.arrays))
        self._ends: Callable[[str], memoryview] = cache(lambda name: self.arrays[f"{name}.ends"].data)

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

    def several(self, name: str, note: int) -> Array:
        """Return what a column keeps of the note with this number among the notes, as it is in the file."""
        ends = self._ends(name)
        return self.arrays.take(name, slice(ends[note], ends[note + 1]))

    def record(self, note: int) -> bytes:
        """Return the record of the note with this number among the notes."""
        return _unpacked(self.several(RECORDS, note))

    def text(self, note: int) -> str:
        """Return the text of the note with this number among the notes, empty where none is kept."""
        return _unpacked(self.several(TEXTS, note)).decode("utf-8", "surrogatepass")

    def line_hashes(self, notes: Mask) -> Array:
        """Return the hashes of the lines of some of the notes here, one after the other."""
        return self.arrays[LINES][np.repeat(notes, np.diff(self.arrays[f"{LINES}.ends"]))]

    @cached_property
    def path_rows(self) -> Int:
        """The row of each note's path among the paths."""
        table = self.table(PATH)
        sizes, docs, _ = table.gather(np.arange(len(table)))
        return np.repeat(np.arange(len(table)), sizes)[docs.argsort()]

    def path(self, note: int) -> bytes:
        """Return the path of the note with this number among the notes."""
        return self.table(PATH)[self.path_rows[note]]


class _Unpacker(threading.local):
    """One for each thread: it works on one text at a time, and costs as much as a text to make."""

    def __init__(self) -> None:
        self.unpack = zstandard.ZstdDecompressor().decompress


_UNPACKER: Final = _Unpacker()


def _unpacked(packed: Array) -> bytes:
    return _UNPACKER.unpack(packed.data) if len(packed) else b""


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
