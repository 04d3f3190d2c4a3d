"""A codec for Whoosh over segments that are files of arrays: what writes them, and what Whoosh reads."""

import re
import secrets
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray
from whoosh.codec.base import (
    Codec,
    FieldCursor,
    FieldWriter,
    PerDocumentReader,
    PerDocumentWriter,
    Segment,
    TermsReader,
)
from whoosh.columns import ColumnReader

from app.errors import IndexCorruptError
from app.search.lexical.arrays import ArrayFileWriter, narrow
from app.search.lexical.postings import FieldPostings, TermTable, prefix_sums, write_postings
from app.search.lexical.schema import (
    CHUNK_COLUMNS,
    LINES,
    NOTE_COLUMNS,
    PATH,
    RECORDS,
    STREAMS,
    TABLES,
    TEXTS,
)
from app.search.lexical.segment import Packed, PackedWriter, SegmentFile

if TYPE_CHECKING:
    from whoosh.fields import FieldType, Schema
    from whoosh.filedb.filestore import Storage
    from whoosh.formats import Format
    from whoosh.matching import Matcher
    from whoosh.reading import TermInfo

Int = NDArray[np.int64]


SEGMENT_ID: Final = re.compile(r"[0-9a-z]{1,32}")


class ArraySegment(Segment):  # type: ignore[misc]
    """A segment as a commit names it: one file of arrays, and which of its documents are deleted."""

    def __init__(self, indexname: str, name: str = "", length: int = 0, count: int = 0) -> None:
        self.indexname, self.segid, self.length = indexname, name or secrets.token_hex(8), length
        self.compound = False
        self.dead = np.zeros(count, np.bool_)
        self._file: SegmentFile | None = None

    @property
    def filename(self) -> str:
        """The name of the segment's file."""
        return str(self.make_filename(self.COMPOUND_EXT))

    def codec(self) -> "ArrayCodec":
        """Return what reads it for Whoosh."""
        return ArrayCodec()

    def should_assemble(self) -> bool:
        """Return that its files need not be put together: there is one."""
        return False

    def file(self, storage: "Storage") -> SegmentFile:
        """Map the file; it stays mapped as long as somebody reads it.

        Raises:
            FileNotFoundError: A later commit removed it.
            IndexCorruptError: It is not what the commit names.
        """
        if self._file is None:
            file = SegmentFile(Path(storage.folder) / self.filename, self.length)
            if file.count != len(self.dead):
                raise IndexCorruptError(
                    "'{filename}' holds {count} documents, not {known}",
                    filename=self.filename,
                    count=file.count,
                    known=len(self.dead),
                )
            self._file = file
        return self._file

    def share(self, other: "ArraySegment") -> None:
        """Use the file that is mapped already for the same segment in another commit."""
        self._file = other._file

    def set_doc_count(self, count: int) -> None:
        """Set how many documents there are; none is deleted."""
        self.dead = np.zeros(count, np.bool_)

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

    def delete_all(self, documents: Iterable[range]) -> None:
        """Delete some runs of documents."""
        for run in documents:
            self.dead[run.start : run.stop] = True

    def is_deleted(self, docnum: int) -> bool:
        """Return whether a document is deleted."""
        return bool(self.dead[docnum])


class ArrayCodec(Codec):  # type: ignore[misc]
    """Reads and writes segments as files of arrays."""

    length_stats = False

    def new_segment(self, storage: "Storage", indexname: str) -> ArraySegment:
        """Return a segment that is to be written."""
        return ArraySegment(indexname)

    def per_document_writer(self, storage: "Storage", segment: ArraySegment) -> "ArrayDocumentWriter":
        """Return what takes the columns; `field_writer` ends the file of both."""
        return ArrayDocumentWriter()

    def field_writer(self, storage: "Storage", segment: ArraySegment) -> "ArrayFieldWriter":
        """Return what takes the postings."""
        return ArrayFieldWriter(Path(storage.folder) / segment.filename, segment)

    def terms_reader(self, storage: "Storage", segment: ArraySegment) -> "ArrayTerms":
        """Return what Whoosh reads terms from."""
        return ArrayTerms(segment.file(storage))

    def per_document_reader(self, storage: "Storage", segment: ArraySegment) -> "ArrayDocuments":
        """Return what Whoosh reads columns from."""
        return ArrayDocuments(segment.file(storage), segment)


class ArrayDocumentWriter(PerDocumentWriter):  # type: ignore[misc]
    """Takes the columns of documents one by one, in their order."""

    def __init__(self) -> None:
        self.is_closed = False
        self.count = 0
        self.notes: list[int] = []
        self.languages = bytearray()
        self.columns: dict[str, list[Any]] = {
            name: [] for name in (*NOTE_COLUMNS, *CHUNK_COLUMNS, RECORDS, TEXTS, LINES)
        }

    def start_doc(self, docnum: int) -> None:
        """Begin the next document."""
        self.count = docnum + 1

    def add_field(self, fieldname: str, fieldobj: "FieldType", value: object, length: int) -> None:
        """Remember where a note begins; the values of other fields are not stored."""
        if fieldname == PATH:
            self.notes.append(self.count - 1)

    def add_column_value(self, fieldname: str, column: object, value: object) -> None:
        """Take a document's value in a column."""
        self.columns[fieldname].append(value)

    def cancel_doc(self) -> None:
        """Forget nothing: whoever cannot give a whole document cancels the writer."""

    def close(self) -> None:
        """End the documents."""
        self.is_closed = True

    def write(self, out: ArrayFileWriter) -> None:
        """Write the columns."""
        out.add("notes", narrow(np.array(self.notes, np.int64)))
        out.add("language", np.frombuffer(bytes(self.languages), np.uint8))
        for name in (*NOTE_COLUMNS, *CHUNK_COLUMNS):
            out.add(name, narrow(np.array(self.columns[name], np.int64)))
        for name in (RECORDS, TEXTS):
            packed = PackedWriter(out, name)
            for blob in self.columns[name]:
                packed.add(blob)
            packed.finish()
            # What follows needs the memory.
            self.columns[name].clear()
        lines = self.columns[LINES]
        out.add(LINES, np.array([one for hashes in lines for one in hashes], np.uint32))
        out.add(f"{LINES}.at", narrow(prefix_sums(np.array(list(map(len, lines)), np.int64))))


class ArrayFieldWriter(FieldWriter):  # type: ignore[misc]
    """Writes the file of a segment: what a pool or a merge gives, field by field."""

    def __init__(self, path: Path, segment: ArraySegment) -> None:
        self._path, self._segment = path, segment
        self.is_closed = False

    def add_postings(
        self,
        schema: "Schema",
        lengths: Callable[[ArrayFileWriter], None],
        items: Callable[[ArrayFileWriter], Iterable[FieldPostings]],
    ) -> None:
        """Write a whole segment.

        Args:
            schema: The schema.
            lengths: Writes what is kept of each document, before the postings.
            items: Returns the postings of every field; it may write beside them.
        """
        with ArrayFileWriter(self._path) as out:
            lengths(out)
            for postings in items(out):
                write_postings(out, postings)
            self._segment.length = out.finish()

    def close(self) -> None:
        """End the file."""
        self.is_closed = True


class ArrayTerms(TermsReader):  # type: ignore[misc]
    """The terms of a segment as Whoosh reads them."""

    def __init__(self, file: SegmentFile) -> None:
        self._file = file

    def __contains__(self, term: tuple[str, bytes]) -> bool:
        return term[0] in TABLES and self._file.table(term[0]).row(term[1]) is not None

    def cursor(self, fieldname: str, fieldobj: "FieldType") -> "ArrayCursor":
        """Return what walks the terms of a field."""
        return ArrayCursor(self._file.table(fieldname), fieldobj)

    def terms(self) -> Iterator[tuple[str, bytes]]:
        """Yield every term."""
        for field in sorted(TABLES):
            yield from self.terms_from(field, b"")

    def terms_from(self, fieldname: str, prefix: bytes) -> Iterator[tuple[str, bytes]]:
        """Yield the terms of a field from one on."""
        table = self._file.table(fieldname)
        for row in range(bisect_left(table, prefix), len(table)):
            yield fieldname, table[row]

    def items(self) -> "Iterator[tuple[tuple[str, bytes], TermInfo]]":
        """Yield every term with its numbers."""
        return ((term, self.term_info(*term)) for term in self.terms())

    def items_from(self, fieldname: str, prefix: bytes) -> "Iterator[tuple[tuple[str, bytes], TermInfo]]":
        """Yield the terms of a field from one on, with their numbers."""
        return ((term, self.term_info(*term)) for term in self.terms_from(fieldname, prefix))

    def term_info(self, fieldname: str, text: bytes) -> "TermInfo":
        """Return the numbers of a term.

        Raises:
            KeyError: The segment has it not.
        """
        from whoosh.reading import TermInfo

        ids, tfs = self._postings(fieldname, text)
        lengths = self._lengths(fieldname, ids)
        return TermInfo(
            float(tfs.sum()), len(ids), int(lengths.min()), int(lengths.max()), float(tfs.max()),
            int(ids[0]), int(ids[-1]),
        )  # fmt: skip

    def matcher(self, fieldname: str, text: bytes, format_: "Format", scorer: object = None) -> "Matcher":
        """Return what walks the postings of a term."""
        from whoosh.reading import TermNotFound

        from app.search.lexical.matcher import ArrayMatcher

        table = self._file.table(fieldname)
        row = table.row(text)
        if row is None:
            raise TermNotFound(f"{fieldname}:{text!r}")
        ids, tfs = table.postings(row)
        places = None
        if table.positions is not None:
            places = table.positions[slice(int(table.places[row]), int(table.places[row + 1]))]
        term, info = (fieldname, text), self.term_info(fieldname, text)
        return ArrayMatcher(ids.tolist(), tfs.tolist(), places, format_, scorer, term, info)

    def _postings(self, fieldname: str, text: bytes) -> tuple[Int, NDArray[np.float32]]:
        table = self._file.table(fieldname)
        row = table.row(text)
        if row is None:
            raise KeyError(text)
        return table.postings(row)

    def _lengths(self, fieldname: str, ids: Int) -> Int:
        stream = fieldname.removesuffix("_stem")
        return self._file.lengths(stream)[ids] if stream in STREAMS else np.ones(len(ids), np.int64)

    def indexed_field_names(self) -> Sequence[str]:
        """Return the fields that have terms."""
        return TABLES


class ArrayCursor(FieldCursor):  # type: ignore[misc]
    """Walks the terms of a field."""

    def __init__(self, table: TermTable, fieldobj: "FieldType") -> None:
        self._table, self._field, self._row = table, fieldobj, 0

    def first(self) -> str | None:
        """Go to the first term."""
        self._row = 0
        return self.text()

    def find(self, term: str | bytes) -> str | None:
        """Go to a term, or the first after it."""
        key = term if isinstance(term, bytes) else self._field.to_bytes(term)
        self._row = bisect_left(self._table, key)
        return self.text()

    def next(self) -> str | None:
        """Go to the next term."""
        self._row += 1
        return self.text()

    def text(self) -> str | None:
        """Return the term here."""
        return str(self._field.from_bytes(self._table[self._row])) if self.is_valid() else None

    def is_valid(self) -> bool:
        """Return whether there is a term here."""
        return self._row < len(self._table)


class ArrayColumnReader(ColumnReader):  # type: ignore[misc]
    """The values of a column, by document."""

    def __init__(self, values: Sequence[Any] | Packed) -> None:
        self._values, self._doccount = values, len(values)

    def __getitem__(self, docnum: int) -> Any:  # noqa: ANN401 - a number or bytes
        return self._values[docnum]


class ArrayDocuments(PerDocumentReader):  # type: ignore[misc]
    """The documents of a segment as Whoosh reads them."""

    def __init__(self, file: SegmentFile, segment: ArraySegment) -> None:
        self._file, self._segment = file, segment

    def doc_count(self) -> int:
        """Return how many documents live."""
        return int(self._segment.doc_count())

    def doc_count_all(self) -> int:
        """Return how many documents there are."""
        return self._segment.doc_count_all()

    def has_deletions(self) -> bool:
        """Return whether any is deleted."""
        return bool(self._segment.has_deletions())

    def is_deleted(self, docnum: int) -> bool:
        """Return whether a document is deleted."""
        return self._segment.is_deleted(docnum)

    def deleted_docs(self) -> list[int]:
        """Return the numbers of the deleted ones."""
        return self._segment.deleted_docs()

    def supports_columns(self) -> bool:
        """Return that there are columns."""
        return True

    def has_column(self, fieldname: str) -> bool:
        """Return whether a field has a column."""
        return fieldname in (*NOTE_COLUMNS, *CHUNK_COLUMNS, RECORDS)

    def column_reader(self, fieldname: str, column: object) -> ArrayColumnReader:
        """Return the values of a column."""
        return ArrayColumnReader(
            self._file.records if fieldname == RECORDS else self._file.column(fieldname).tolist()
        )

    def doc_field_length(self, docnum: int, fieldname: str, default: int = 0) -> int:
        """Return how many words a document has in a field."""
        return int(self._of(fieldname)[docnum])

    def field_length(self, fieldname: str) -> int:
        """Return how many words all documents have in a field."""
        return int(self._of(fieldname).sum())

    def min_field_length(self, fieldname: str) -> int:
        """Return how many words the shortest document has in a field."""
        return int(self._of(fieldname).min(initial=0))

    def max_field_length(self, fieldname: str) -> int:
        """Return how many words the longest document has in a field."""
        return int(self._of(fieldname).max(initial=0))

    def _of(self, fieldname: str) -> Int:
        stream = fieldname.removesuffix("_stem")
        return self._file.lengths(stream) if stream in STREAMS else np.zeros(self._file.count, np.int64)

    def stored_fields(self, docnum: int) -> Mapping[str, object]:
        """Return the path of the note that a document is or belongs to, and the lines of a chunk."""
        note = int(self._file.notes.searchsorted(docnum, "right")) - 1
        lines = {name: int(self._file.column(name)[docnum]) for name in ("start", "end")}
        return {PATH: self._file.path(note).decode("utf-8", "surrogatepass"), **lines}
