"""A codec for Whoosh over segments that are files of arrays: what writes them, and what Whoosh reads."""

import secrets
from array import array
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import zstandard
from numpy.typing import NDArray
from whoosh.codec.base import Codec, FieldWriter, PerDocumentWriter, Segment
from whoosh.filedb.filestore import FileStorage, RamStorage

from app.config.folders import create_file
from app.search.lexical.arrays import Array, ArrayFileWriter, narrow
from app.search.lexical.postings import Postings, write_postings
from app.search.lexical.schema import CHUNK_COLUMNS, LINES, NOTE_COLUMNS, RECORDS, STREAMS, TEXTS
from app.search.lexical.segment import Mask, SegmentFile

if TYPE_CHECKING:
    from whoosh.codec.base import PerDocumentReader, TermsReader
    from whoosh.fields import Schema

Int = NDArray[np.int64]
LENGTHS: Final = tuple(f"{stream}.length" for stream in STREAMS)
SEVERAL: Final = (RECORDS, TEXTS, LINES)
"""The columns that keep several numbers of each note: packed bytes, or the hashes of its lines."""


class ArraySegment(Segment):  # type: ignore[misc]
    """A segment as a commit names it: one file of arrays, and which of its documents are deleted."""

    def __init__(self, indexname: str, name: str = "", length: int = 0, count: int = 0) -> None:
        super().__init__(indexname)
        self.segid, self.length = name or secrets.token_hex(8), length
        self.dead = np.zeros(count, np.bool_)

    @property
    def filename(self) -> str:
        """The name of the segment's file."""
        return str(self.make_filename(self.COMPOUND_EXT))

    def codec(self) -> "ArrayCodec":
        """Return what reads it for Whoosh."""
        return ArrayCodec()

    def doc_count_all(self) -> int:
        """Return how many documents there are."""
        return len(self.dead)

    def deleted_count(self) -> int:
        """Return how many are deleted."""
        return int(self.dead.sum())

    def deleted_docs(self) -> list[int]:
        """Return the numbers of the deleted ones."""
        found: list[int] = np.flatnonzero(self.dead).tolist()
        return found

    def delete_document(self, docnum: int, delete: bool = True) -> None:
        """Delete a document, or take that back."""
        self.dead[docnum] = delete

    def is_deleted(self, docnum: int) -> bool:
        """Return whether a document is deleted; Whoosh asks of one after the last, too."""
        return docnum < len(self.dead) and bool(self.dead[docnum])


class PrivateStorage(FileStorage):  # type: ignore[misc]
    """A folder whose files are this user's alone; the segments there are mapped once."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))
        self._mapped: dict[str, SegmentFile] = {}

    def mapped(self, segment: ArraySegment) -> SegmentFile:
        """Map the file of a segment; it stays mapped as long as somebody reads it.

        Raises:
            FileNotFoundError: A later commit removed it.
            IndexCorruptError: It is not what the commit names.
        """
        file = self._mapped.get(segment.segid)
        if file is None:
            path = Path(self.folder) / segment.filename
            file = SegmentFile(path, segment.length, segment.doc_count_all())
            self._mapped[segment.segid] = file
        return file

    def forget(self, but: Collection[str] = ()) -> None:
        """Let go of the files of all segments but some."""
        self._mapped = {name: file for name, file in self._mapped.copy().items() if name in but}

    def lock(self, name: str) -> object:
        """Return the lock of that name; whoever holds it loses it with their process."""
        with suppress(FileExistsError):
            create_file(Path(self.folder) / name).close()
        return super().lock(name)

    def temp_storage(self, name: str | None = None) -> RamStorage:
        """Return where Whoosh's own pool of postings would write; ours takes its place."""
        return RamStorage()


class ArrayCodec(Codec):  # type: ignore[misc]
    """Reads and writes segments as files of arrays."""

    length_stats = False

    def new_segment(self, storage: PrivateStorage, indexname: str) -> ArraySegment:
        """Return a segment that is to be written."""
        return ArraySegment(indexname)

    def per_document_writer(self, storage: PrivateStorage, segment: ArraySegment) -> "ArrayDocumentWriter":
        """Return what takes the columns; `field_writer` ends the file of both."""
        return ArrayDocumentWriter(Path(storage.folder) / segment.filename)

    def field_writer(self, storage: PrivateStorage, segment: ArraySegment) -> "ArrayFieldWriter":
        """Return what takes the postings."""
        return ArrayFieldWriter(segment)

    def terms_reader(self, storage: PrivateStorage, segment: ArraySegment) -> "TermsReader":
        """Return what Whoosh reads terms from."""
        from app.search.lexical.reader import ArrayTerms

        return ArrayTerms(storage.mapped(segment))

    def per_document_reader(self, storage: PrivateStorage, segment: ArraySegment) -> "PerDocumentReader":
        """Return what Whoosh reads columns from."""
        from app.search.lexical.reader import ArrayDocuments

        return ArrayDocuments(storage.mapped(segment), segment)


class ArrayDocumentWriter(PerDocumentWriter):  # type: ignore[misc]
    """Takes the columns of documents, one by one or those of a whole segment."""

    def __init__(self, path: Path) -> None:
        self.out, self.count = ArrayFileWriter(path), 0
        self._pack = zstandard.ZstdCompressor().compress
        self.numbers = {name: array("q") for name in ("notes", *NOTE_COLUMNS, *CHUNK_COLUMNS, *LENGTHS)} | {
            f"{name}.ends": array("q", [0]) for name in SEVERAL
        }

    def start_doc(self, docnum: int) -> None:
        """Begin the next document."""
        self.count = docnum + 1

    def add_column_value(self, fieldname: str, column: object, value: Any) -> None:  # noqa: ANN401
        """Take a document's value in a column."""
        if fieldname not in SEVERAL:
            self.numbers[fieldname].append(value)
        elif fieldname == LINES:
            self._add_several(fieldname, np.array(value, "<u4"))
        else:
            blob = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
            self._add_several(fieldname, np.frombuffer(self._pack(blob) if blob else b"", np.uint8))

    def _add_several(self, name: str, values: Array) -> None:
        self.out.add(name, values)
        ends = self.numbers[f"{name}.ends"]
        ends.append(ends[-1] + len(values))

    def extend(self, file: SegmentFile, live: Mask) -> Int:
        """Take the live documents of a segment; return the number that each of its documents has here."""
        renumber: Int = np.cumsum(live, dtype=np.int64) - 1 + self.count
        notes, chunks = live[file.notes], live[file.is_chunk]
        taken: dict[str, Array] = {"notes": renumber[file.notes[notes]]}
        taken |= {name: file.arrays[name][notes] for name in NOTE_COLUMNS}
        taken |= {name: file.arrays[name][chunks] for name in (*CHUNK_COLUMNS, *LENGTHS)}
        for name, values in taken.items():
            self.numbers[name].frombytes(values.astype(np.int64).tobytes())
        for name in SEVERAL:
            for note in np.flatnonzero(notes).tolist():
                self._add_several(name, file.several(name, note))
        self.count += int(live.sum())
        return renumber

    def finish(self) -> int:
        """Write the columns, and end the file; give its length."""
        for name, values in self.numbers.items():
            self.out.add(name, narrow(np.frombuffer(values, np.int64)))
        return self.out.finish()

    def close(self) -> None:
        """Let go of what waits."""
        self.out.close()


class ArrayFieldWriter(FieldWriter):  # type: ignore[misc]
    """Writes the file of a segment, field by field."""

    def __init__(self, segment: ArraySegment) -> None:
        self._segment = segment

    def add_postings(self, schema: "Schema", lengths: ArrayDocumentWriter, items: Iterable[Postings]) -> None:
        """Write a whole segment: the postings of every field, and the documents."""
        for postings in items:
            write_postings(lengths.out, postings)
        self._segment.length = lengths.finish()
