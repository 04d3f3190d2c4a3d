"""A segment as Whoosh's searcher and query parser read it."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from whoosh.codec.base import Segment, TermsReader
from whoosh.codec.whoosh3 import W3PerDocReader
from whoosh.columns import ColumnReader
from whoosh.matching.mcore import ListMatcher
from whoosh.reading import TermInfo, TermNotFound

from app.search.lexical.postings import prefix_sums
from app.search.lexical.schema import CHUNK_COLUMNS, NOTE_COLUMNS, PATH, STREAMS, TABLES
from app.search.lexical.segment import SegmentFile

if TYPE_CHECKING:
    from whoosh.formats import Format

Int = NDArray[np.int64]


class ArrayTerms(TermsReader):  # type: ignore[misc]
    """The terms of a segment as Whoosh's searcher asks for them."""

    def __init__(self, file: SegmentFile) -> None:
        self._file = file

    def __contains__(self, term: tuple[str, bytes]) -> bool:
        return term[0] in TABLES and self._file.table(term[0]).row(term[1]) is not None

    def terms_from(self, fieldname: str, prefix: bytes) -> Iterator[tuple[str, bytes]]:
        """Yield the terms of a field from one on."""
        table = self._file.table(fieldname)
        return ((fieldname, table[row]) for row in range(bisect_left(table, prefix), len(table)))

    def term_info(self, fieldname: str, text: bytes) -> TermInfo:
        """Return the numbers of a term.

        Raises:
            KeyError: The segment has it not.
        """
        table = self._file.table(fieldname)
        if (row := table.row(text)) is None:
            raise KeyError(text)
        ids, tfs = table.postings(row)
        of = lengths_of(self._file, fieldname)[ids]
        return TermInfo(tfs.sum(), len(ids), of.min(), of.max(), tfs.max(), ids[0], ids[-1])

    def matcher(
        self, fieldname: str, text: bytes, format_: "Format", scorer: object = None
    ) -> "ArrayMatcher":
        """Return what walks the postings of a term."""
        table = self._file.table(fieldname)
        if (row := table.row(text)) is None:
            raise TermNotFound(f"{fieldname}:{text!r}")
        ids, tfs = table.postings(row)
        values = None
        if table.has_positions:
            places = table.positions(slice(int(table.places[row]), int(table.places[row + 1]))).astype("<u4")
            values = [places[start:end].tobytes() for start, end in pairwise(prefix_sums(tfs).tolist())]
        return ArrayMatcher(ids.tolist(), tfs.tolist(), values, format_, scorer, term=(fieldname, text))

    def indexed_field_names(self) -> Sequence[str]:
        """Return the fields that have terms."""
        return TABLES


class ArrayMatcher(ListMatcher):  # type: ignore[misc]
    """Walks the postings of a term as one block."""

    def supports_block_quality(self) -> bool:
        """Return that no part can be passed over: there is one block."""
        return False


def lengths_of(file: SegmentFile, fieldname: str) -> Int:
    """Return how many words each document has in a field; a stem stands for a word."""
    stream = fieldname.removesuffix("_stem")
    return file.column(f"{stream}.length") if stream in STREAMS else np.zeros(file.count, np.int64)


class ArrayColumnReader(ColumnReader):  # type: ignore[misc]
    """The values of a column, by document."""

    def __init__(self, values: Sequence[int]) -> None:
        self._values, self._doccount = values, len(values)

    def __getitem__(self, docnum: int) -> int:
        return self._values[docnum]


class ArrayDocuments(W3PerDocReader):  # type: ignore[misc]
    """The documents of a segment as Whoosh reads them; which are deleted Whoosh asks the segment."""

    def __init__(self, file: SegmentFile, segment: Segment) -> None:
        super().__init__(None, segment)
        self._file, self._lengths = file, cache(partial(lengths_of, file))

    def has_column(self, fieldname: str) -> bool:
        """Return whether a field has a column."""
        return fieldname in (*NOTE_COLUMNS, *CHUNK_COLUMNS)

    def column_reader(self, fieldname: str, column: object) -> ArrayColumnReader:
        """Return the values of a column."""
        return ArrayColumnReader(self._file.column(fieldname).tolist())

    def doc_field_length(self, docnum: int, fieldname: str, default: int = 0) -> int:
        """Return how many words a document has in a field."""
        return int(self._lengths(fieldname)[docnum])

    def field_length(self, fieldname: str) -> int:
        """Return how many words all documents have in a field."""
        return int(self._lengths(fieldname).sum())

    def _minmax_length(self, fieldname: str, op: Callable[..., int], cache: object) -> int:
        return int(op(self._lengths(fieldname), default=0))

    def stored_fields(self, docnum: int) -> Mapping[str, object]:
        """Return the path of the note that a document is or belongs to, and the lines of a chunk."""
        note = int(self._file.notes.searchsorted(docnum, "right")) - 1
        lines = {name: int(self._file.column(name)[docnum]) for name in ("start", "end")}
        return {PATH: self._file.path(note).decode("utf-8", "surrogatepass"), **lines}
