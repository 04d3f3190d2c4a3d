"""The file of one segment: its documents, columns and terms as arrays, mapped to memory."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import zstandard
from numpy.typing import NDArray

from app.errors import IndexCorruptError
from app.search.lexical.arrays import ArrayFileWriter, Arrays, narrow
from app.search.lexical.postings import TermTable, sizes_of
from app.search.lexical.schema import LINES, NOTE_COLUMNS, PATH, RECORDS, TEXTS
from app.search.lexical.sparse import concatenated

Int = NDArray[np.int64]
BLOCK: Final = 1 << 14
"""Bytes that are packed together: enough to find what they have in common, few enough to read for one."""
MOST_BLOCKS: Final = 16
LEVEL: Final = 3


class PackedWriter:
    """Writes byte strings one after the other, packed some together."""

    def __init__(self, out: ArrayFileWriter, name: str) -> None:
        self._out, self._name = out, name
        self._packer = zstandard.ZstdCompressor(LEVEL)
        self._waiting: list[bytes] = []
        self._size = 0
        self._ends: list[int] = [0]
        self._blocks: list[tuple[int, int]] = [(0, 0)]

    def add(self, blob: bytes) -> None:
        """Take the next one."""
        self._waiting.append(blob)
        self._size += len(blob)
        self._ends.append(self._ends[-1] + len(blob))
        if self._size >= BLOCK:
            self._pack()

    def _pack(self) -> None:
        packed = self._packer.compress(b"".join(self._waiting)) if self._size else b""
        self._out.add_bytes(self._name, packed)
        self._blocks.append((self._blocks[-1][0] + len(self._waiting), self._blocks[-1][1] + len(packed)))
        self._waiting, self._size = [], 0

    def finish(self) -> None:
        """Write what waits, and where each stands."""
        self._pack()
        firsts, places = np.array(self._blocks, np.int64).T
        self._out.add(f"{self._name}.ends", narrow(np.array(self._ends, np.int64)))
        self._out.add(f"{self._name}.first", narrow(firsts))
        self._out.add(f"{self._name}.at", narrow(places))


class Packed:
    """Byte strings as `PackedWriter` wrote them; safe to use from many threads."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        self._name, self._bytes = name, arrays.part_by_part(name)
        self._ends, self._first = arrays[f"{name}.ends"].data, arrays[f"{name}.first"].data
        self._at = arrays[f"{name}.at"].data
        self._known: dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number: int) -> bytes:
        """Return one of them.

        Raises:
            IndexCorruptError: It cannot be unpacked.
        """
        start, end = self._ends[number], self._ends[number + 1]
        if start == end:
            return b""
        block = bisect_left(self._first, number + 1) - 1
        whole, before = self._block(block, number), self._ends[self._first[block]]
        return whole[start - before : end - before]

    def _block(self, block: int, number: int) -> bytes:
        known = self._known.get(block)
        if known is None:
            packed = self._bytes[slice(self._at[block], self._at[block + 1])]
            size = self._ends[self._first[block + 1]] - self._ends[self._first[block]]
            try:
                known = zstandard.ZstdDecompressor().decompress(packed.data, size)
            except zstandard.ZstdError as error:
                raise IndexCorruptError(
                    "number {number} of {name} cannot be unpacked ({reason})",
                    number=number,
                    name=self._name,
                    reason=error,
                ) from error
            if len(self._known) >= MOST_BLOCKS:
                self._known.clear()
            self._known[block] = known
        return known


class SegmentFile:
    """The documents of one segment; a note's document is directly followed by those of its chunks."""

    def __init__(self, path: Path, length: int) -> None:
        self.arrays = Arrays(path, length)
        self.records = Packed(self.arrays, RECORDS)
        self.count = len(self.records)
        self._tables: dict[str, TermTable] = {}
        self._lengths: dict[str, Int] = {}

    @cached_property
    def notes(self) -> Int:
        """The document of each note, ascending."""
        return self.arrays["notes"].astype(np.int64)

    @cached_property
    def note_of(self) -> Int:
        """The document of the note that each document belongs to."""
        return np.repeat(self.notes, np.diff(np.append(self.notes, self.count)))

    @cached_property
    def is_chunk(self) -> NDArray[np.bool_]:
        """Whether each document is a chunk."""
        chunks = np.ones(self.count, np.bool_)
        chunks[self.notes] = False
        return chunks

    def table(self, field: str) -> TermTable:
        """Return the terms of a field."""
        table = self._tables.get(field)
        if table is None:
            table = self._tables[field] = TermTable(self.arrays, field)
        return table

    def column(self, name: str) -> Int:
        """Return a number for each document, 0 where it has none."""
        values = np.zeros(self.count, np.int64)
        values[self.notes if name in NOTE_COLUMNS else self.is_chunk] = self.arrays[name]
        return values

    def languages(self) -> NDArray[np.uint8]:
        """Return the language of each document's note."""
        of_note = np.zeros(self.count, np.uint8)
        of_note[self.notes] = self.arrays["language"]
        return of_note[self.note_of]

    def having(self, field: str, term: str) -> Int:
        """Return the documents that have a term in a field, ascending."""
        table = self.table(field)
        row = table.row(term.encode("utf-8", "surrogatepass"))
        return np.zeros(0, np.int64) if row is None else table.postings(row)[0]

    def lengths(self, stream: str) -> Int:
        """Return how many words of a stream each document has; notes have none."""
        values = self._lengths.get(stream)
        if values is None:
            values = self._lengths[stream] = np.zeros(self.count, np.int64)
            values[self.is_chunk] = self.arrays[f"{stream}.length"]
        return values

    @cached_property
    def texts(self) -> Packed:
        """The text of each note in UTF-8, empty where none is kept."""
        return Packed(self.arrays, TEXTS)

    def text(self, note: int) -> str:
        """Return the text of the note with this number among the notes, empty where none is kept.

        Raises:
            IndexCorruptError: It cannot be unpacked, or is no text.
        """
        try:
            return self.texts[note].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise IndexCorruptError(
                "number {note} of texts cannot be read ({reason})", note=note, reason=error
            ) from error

    def line_hashes(self, notes: NDArray[np.bool_]) -> NDArray[np.uint32]:
        """Return the hashes of the lines of some notes, one after the other.

        Args:
            notes: Which of the notes of this segment, by their number among the notes.
        """
        hashes: NDArray[np.uint32] = self.arrays[LINES][np.repeat(notes, self.line_counts)]
        return hashes

    @property
    def line_counts(self) -> Int:
        """How many hashes of lines each note has."""
        return sizes_of(self.arrays[f"{LINES}.at"])

    @cached_property
    def _path_rows(self) -> list[int]:
        """The row of each note's path."""
        table = self.table(PATH)
        sizes, docs, _ = table.gather(range(len(table)))
        rows: list[int] = np.repeat(np.arange(len(table)), sizes)[docs.argsort()].tolist()
        return rows

    def path(self, note: int) -> bytes:
        """Return the path of the note with this number among the notes."""
        return self.table(PATH)[self._path_rows[note]]

    def documents_of(self, path: str) -> list[range]:
        """Return the documents of each note with this path (an old version may be there, dead)."""
        edges = [*self.having(PATH, path).tolist()]
        ends = [int(self.notes.searchsorted(start, "right")) for start in edges]
        return [
            range(start, int(self.notes[end]) if end < len(self.notes) else self.count)
            for start, end in zip(edges, ends, strict=True)
        ]


Parts = Sequence[tuple[int, SegmentFile]]
"""The segments of one snapshot, each with its first document."""


def found_in(parts: Parts, among: NDArray[np.bool_], find: Callable[[SegmentFile], Int | None]) -> Int:
    """Return the documents of a mask that are found in any segment, in order.

    Args:
        parts: The segments.
        among: Which documents may be found.
        find: Returns those of one segment; None where it cannot tell, and all may be meant.
    """
    found: list[Int] = []
    for base, part in parts:
        documents = find(part)
        ids = (np.arange(part.count) if documents is None else documents) + base
        found.append(ids[among[ids]])
    return concatenated(found, np.int64)
