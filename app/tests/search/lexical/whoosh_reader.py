"""Whoosh's schema and reading protocol for our index: with them, Whoosh's own searcher and parser work on it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from whoosh.analysis import Composable, Token
from whoosh.codec.base import Codec, PerDocumentReader, Segment, TermsReader
from whoosh.fields import ID, KEYWORD, TEXT, FieldType, Schema
from whoosh.filedb.filestore import FileStorage
from whoosh.formats import Format
from whoosh.matching import ListMatcher
from whoosh.reading import IndexReader, MultiReader, SegmentReader, TermInfo, TermNotFound

from app.search.lexical.analysis import atoms, runs
from app.search.lexical.commit import read_commit
from app.search.lexical.fields import FILTERS, POSITIONS, STREAMS, TABLES, stem_field
from app.search.lexical.postings import read_positions
from app.search.lexical.segment import INDEX_NAME, ArraySegment, SegmentFile


class WordAnalyzer(Composable):  # type: ignore[misc]
    """Gives Whoosh the words of a text as they are indexed."""

    is_morph = False

    def __call__(self, value: str, start_pos: int = 0, **options: object) -> Iterator[Token]:
        """Yield the words in order, each with the position it is indexed at."""
        token = Token(positions=True, mode=options.get("mode", ""))
        token.boost, token.stopped = 1.0, False
        position = start_pos
        for run in runs(value):
            for atom in atoms(run):
                token.text, token.pos = atom.term, position
                position += atom.step
                yield token

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    __hash__ = None  # type: ignore[assignment]

    def clean(self) -> None:
        """Keep nothing, so there is nothing to drop before the schema is stored."""


def make_schema() -> Schema:
    """Describe the fields of the index to Whoosh."""
    fields: dict[str, Any] = {"path": ID(unique=True), FILTERS: KEYWORD()}
    for stream in STREAMS:
        fields[stream] = TEXT(analyzer=WordAnalyzer(), phrase=stream in POSITIONS)
        fields[stem_field(stream)] = TEXT(analyzer=WordAnalyzer(), phrase=False)
    return Schema(**fields)


def open_reader(folder: Path) -> IndexReader:
    """Open the last commit of an index for Whoosh's own searcher."""
    generation, segments = read_commit(folder)
    schema, storage = make_schema(), FileStorage(str(folder))
    readers = [
        SegmentReader(storage, schema, WhooshSegment(segment), generation=generation, codec=ArrayCodec())
        for segment in segments
    ]
    return MultiReader(readers, generation=generation)


class WhooshSegment(Segment):  # type: ignore[misc]
    """A segment as Whoosh knows them."""

    def __init__(self, own: ArraySegment) -> None:
        super().__init__(INDEX_NAME)
        self.segid, self.own = own.segid, own

    def doc_count_all(self) -> int:
        """Count the documents, dead ones included."""
        return self.own.count


class ArrayCodec(Codec):  # type: ignore[misc]
    """Reads segments for Whoosh; they are written by our own writer alone."""

    def terms_reader(self, storage: FileStorage, segment: WhooshSegment) -> "ArrayTerms":
        """Open the terms of a segment."""
        return ArrayTerms(_open(storage, segment.own))

    def per_document_reader(self, storage: FileStorage, segment: WhooshSegment) -> "ArrayDocuments":
        """Open the documents of a segment."""
        return ArrayDocuments(_open(storage, segment.own), segment.own)

    def new_segment(self, storage: object, indexname: str) -> Segment:
        """Refuse, as all writing methods do."""
        raise NotImplementedError("the index is written through LexicalIndex.writer")

    per_document_writer = field_writer = postings_writer = postings_reader = new_segment


def _open(storage: FileStorage, segment: ArraySegment) -> SegmentFile:
    return SegmentFile(Path(storage.folder) / segment.filename, segment.length)


class ArrayTerms(TermsReader):  # type: ignore[misc]
    """The terms of one segment."""

    def __init__(self, file: SegmentFile) -> None:
        self._segment = file

    def __contains__(self, term: tuple[str, bytes]) -> bool:
        return term[0] in TABLES and self._segment.table(term[0]).row(term[1]) is not None

    def indexed_field_names(self) -> tuple[str, ...]:
        """Name the fields that have terms."""
        return TABLES

    def cursor(self, fieldname: str, fieldobj: FieldType) -> None:
        """Refuse: spelling is not done through Whoosh."""
        raise NotImplementedError("cursor")

    def terms(self) -> Iterator[tuple[str, bytes]]:
        """Give all terms, field by field."""
        for field in sorted(TABLES):
            yield from self.terms_from(field, b"")

    def terms_from(self, fieldname: str, prefix: bytes) -> Iterator[tuple[str, bytes]]:
        """Give the terms of a field from ``prefix`` on."""
        table = self._segment.table(fieldname)
        for row in range(table.span(prefix)[0], len(table)):
            yield fieldname, table[row]

    def items(self) -> Iterator[tuple[tuple[str, bytes], TermInfo]]:
        """Give all terms with their statistics."""
        for field, term in self.terms():
            yield (field, term), self.term_info(field, term)

    def items_from(self, fieldname: str, prefix: bytes) -> Iterator[tuple[tuple[str, bytes], TermInfo]]:
        """Give the terms of a field from ``prefix`` on, with their statistics."""
        for field, term in self.terms_from(fieldname, prefix):
            yield (field, term), self.term_info(field, term)

    def _row(self, fieldname: str, text: bytes) -> int:
        row = self._segment.table(fieldname).row(text) if fieldname in TABLES else None
        if row is None:
            raise TermNotFound(f"no term {fieldname}:{text!r}")
        return row

    def term_info(self, fieldname: str, text: bytes) -> TermInfo:
        """Give the statistics of a term."""
        ids, tfs = self._segment.table(fieldname).postings(self._row(fieldname, text))
        weights = tfs.astype(np.float64)
        return TermInfo(
            float(weights.sum()), len(ids), 1, 1 << 20, float(weights.max()), int(ids[0]), int(ids[-1])
        )

    def frequency(self, fieldname: str, text: bytes) -> float:
        """Count the occurrences of a term."""
        weight: float = self.term_info(fieldname, text).weight() if (fieldname, text) in self else 0.0
        return weight

    def doc_frequency(self, fieldname: str, text: bytes) -> int:
        """Count the documents of a term."""
        count: int = self.term_info(fieldname, text).doc_frequency() if (fieldname, text) in self else 0
        return count

    def matcher(
        self, fieldname: str, text: bytes, format_: Format, scorer: object | None = None
    ) -> ListMatcher:
        """Give the postings of a term as Whoosh walks them."""
        table, row = self._segment.table(fieldname), self._row(fieldname, text)
        ids, tfs = table.postings(row)
        values = None
        if fieldname in POSITIONS and table.positions is not None and table.position_starts is not None:
            counts = tfs.astype(np.int64)
            widths = np.repeat(self._segment.position_widths[ids], counts).astype(np.int64)
            starts = np.cumsum(widths) - widths + int(table.position_starts[row])
            placed = np.split(read_positions(table.positions, starts, widths), np.cumsum(counts)[:-1])
            values = [format_.encode(each.tolist()) for each in placed]
        return ListMatcher(
            ids.tolist(),
            tfs.astype(np.float64).tolist(),
            values,
            format_,
            scorer,
            term=(fieldname, text),
            terminfo=self.term_info(fieldname, text),
        )


class ArrayDocuments(PerDocumentReader):  # type: ignore[misc]
    """The documents of one segment."""

    def __init__(self, file: SegmentFile, segment: ArraySegment) -> None:
        self._file, self._segment = file, segment

    def doc_count(self) -> int:
        """Count the live documents."""
        return self._segment.count - int(self._segment.dead.sum())

    def doc_count_all(self) -> int:
        """Count all documents."""
        return self._segment.count

    def has_deletions(self) -> bool:
        """Say whether any document is dead."""
        return bool(self._segment.dead.any())

    def is_deleted(self, docnum: int) -> bool:
        """Say whether a document is dead."""
        return bool(self._segment.dead[docnum])

    def deleted_docs(self) -> Iterator[int]:
        """Give the dead documents."""
        return iter(np.flatnonzero(self._segment.dead).tolist())

    def doc_field_length(self, docnum: int, fieldname: str, default: int = 0) -> int:
        """Give how many words of a field a document has."""
        return int(self._lengths(fieldname)[docnum])

    def field_length(self, fieldname: str) -> int:
        """Count the words of a field."""
        return int(self._lengths(fieldname).sum())

    def min_field_length(self, fieldname: str) -> int:
        """Give the shortest field's length."""
        return int(self._lengths(fieldname).min(initial=0))

    def max_field_length(self, fieldname: str) -> int:
        """Give the longest field's length."""
        return int(self._lengths(fieldname).max(initial=0))

    def stored_fields(self, docnum: int) -> dict[str, Any]:
        """Give the path of the note."""
        number = int(np.searchsorted(self._file.notes, self._file.note_of[docnum]))
        return {"path": self._file.path(number).decode("utf-8", "surrogatepass")}

    def _lengths(self, fieldname: str) -> Any:
        stream = fieldname.removesuffix("_stem")
        return self._file.lengths(stream) if stream in STREAMS else np.ones(self._file.count, np.int64)
