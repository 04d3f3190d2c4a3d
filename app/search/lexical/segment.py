"""One segment: its entry in a commit, and its file, a mapped run of documents with columns and terms."""

import secrets
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.errors import IndexCorruptError
from app.search.lexical.arrays import ArrayFileWriter, Arrays, narrow
from app.search.lexical.fields import LINES, NOTE_COLUMNS, RECORDS, TEXTS, exact_field
from app.search.lexical.packing import Packed
from app.search.lexical.postings import TermTable, position_widths, prefix_sums
from app.search.lexical.sparse import concatenated

Int = NDArray[np.int64]

INDEX_NAME = "MAIN"
SEGMENT_EXTENSION = ".seg"


class ArraySegment:
    """A segment as a commit names it: one file of arrays, and which of its documents are dead."""

    def __init__(self, count: int, length: int = 0, name: str = "") -> None:
        self.segid, self.length = name or secrets.token_hex(8), length
        self.dead = np.zeros(count, np.bool_)

    @property
    def count(self) -> int:
        """How many documents the segment has."""
        return len(self.dead)

    @property
    def filename(self) -> str:
        """The name of the segment's file."""
        return f"{INDEX_NAME}_{self.segid}{SEGMENT_EXTENSION}"

    def delete_all(self, documents: list[range]) -> None:
        """Mark runs of documents as deleted."""
        for run in documents:
            self.dead[run.start : run.stop] = True


def write_paths(out: ArrayFileWriter, paths: Sequence[bytes]) -> None:
    """Write the paths of the notes, and their order, by which one is found."""
    out.add_bytes("paths", b"".join(paths))
    out.add("paths.at", narrow(prefix_sums(np.fromiter(map(len, paths), np.int64, len(paths)))))
    out.add("path_order", narrow(np.array(sorted(range(len(paths)), key=paths.__getitem__), np.int64)))


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
            words = exact_field(field)
            exact = self.table(words) if words else None
            table = self._tables[field] = TermTable(self.arrays, field, exact)
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
    def position_widths(self) -> NDArray[np.uint8]:
        """In how many bytes each document keeps a position of its body."""
        return position_widths(self.lengths("body"))

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
        at: Int = self.arrays[f"{LINES}.at"].astype(np.int64)
        hashes: NDArray[np.uint32] = self.arrays[LINES][np.repeat(notes, at[1:] - at[:-1])]
        return hashes

    @cached_property
    def _path_places(self) -> tuple[memoryview, memoryview]:
        """The bytes of all paths, and where each starts; a view gives single values faster than an array."""
        return self.arrays["paths"].data, self.arrays["paths.at"].data

    def path(self, note: int) -> bytes:
        """Return the path of the note with this number among the notes."""
        blob, at = self._path_places
        return bytes(blob[at[note] : at[note + 1]])

    def paths(self) -> list[bytes]:
        """Return the paths of all notes, in their order."""
        blob = self.arrays["paths"].tobytes()
        at = self.arrays["paths.at"].tolist()
        return [blob[start:end] for start, end in pairwise(at)]

    def path_texts(self) -> list[str]:
        """Return the same as text."""
        text = self.arrays["paths"].tobytes().decode("utf-8", "surrogatepass")
        at = self.arrays["paths.at"].tolist()
        if len(text) < at[-1]:
            return [path.decode("utf-8", "surrogatepass") for path in self.paths()]
        return [text[start:end] for start, end in pairwise(at)]

    def find(self, path: bytes) -> range:
        """Return the documents of all notes, dead ones included, that have this path, as note numbers."""
        order = self._path_order
        low = bisect_left(order, path, key=self.path)
        high = low
        while high < len(order) and self.path(order[high]) == path:
            high += 1
        return range(low, high)

    @cached_property
    def _path_order(self) -> memoryview:
        return self.arrays["path_order"].data

    def documents_of(self, path: bytes) -> list[range]:
        """Return the documents of each note with this path (an old version may be there, dead)."""
        return [self._documents(self._path_order[at]) for at in self.find(path)]

    def _documents(self, note: int) -> range:
        following = note + 1
        end = self.notes[following] if following < len(self.notes) else self.count
        return range(int(self.notes[note]), int(end))


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
