"""Whoosh's segment writer with a pool that is an array per word, and merges array by array."""

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, count
from types import TracebackType
from typing import Any, Final

import numpy as np
from whoosh.index import FileIndex, LockError
from whoosh.writing import SegmentWriter

from app.errors import IndexBusyError, SearchError
from app.search.lexical.analysis import Atom, atoms, runs
from app.search.lexical.arrays import Array, narrow
from app.search.lexical.codec import ArrayCodec, ArrayDocumentWriter, ArraySegment, Int
from app.search.lexical.language import note_language, stem_all
from app.search.lexical.postings import Piece, Postings, TermTable, prefix_sums, ragged, taken, united
from app.search.lexical.schema import (
    CHUNK_COLUMNS,
    FILTERS,
    LINES,
    NOTE_COLUMNS,
    PATH,
    POSITIONS,
    RECORDS,
    STREAMS,
    TABLES,
    TEXTS,
    ChunkDoc,
    NoteDoc,
    stem_field,
)
from app.search.lexical.segment import Mask, SegmentFile

POOL_WORDS = 1_500_000
"""A pool of this many words becomes a segment before the commit, which bounds memory."""
MANY = 16
"""Segments that are joined though more are coming, since each costs a reader a little."""
SMALL = 64
MOST_DEAD = 0.3
_COLUMNS: Final = frozenset((*NOTE_COLUMNS, *CHUNK_COLUMNS, RECORDS, TEXTS, LINES))
BLOCK = 1 << 18
"""Postings joined at a time, which bounds the memory of a merge of any size."""

_Source = tuple[SegmentFile, Mask, Int]
"""A segment to be joined with others, which of its documents live, and their number in the new segment."""
_Part = tuple[_Source, TermTable, Int]
"""A segment, its terms of a field, and the new number of each."""


class ArrayWriter(SegmentWriter):  # type: ignore[misc]
    """The only writer of an index, in any process, until it is closed; it may commit many times.

    Raises:
        IndexBusyError: Another writer is at work.
    """

    segments: list[ArraySegment]

    def __init__(self, index: FileIndex) -> None:
        self._index, self._changed = index, False
        try:
            super().__init__(index, codec=ArrayCodec(), compound=False)
            self._vault_data = index._read_toc().vault_data
            self._begin_segment()
        except LockError as error:
            raise IndexBusyError(
                "another process is writing the index in '{folder}'",
                "try again when it is done",
                folder=index.storage.folder,
            ) from error
        except BaseException:
            # No one has a writer to close yet, so that the lock would stay, where it was taken at all.
            if (lock := vars(self).get("writelock")) is not None and lock.fd is not None:
                lock.release()
            raise

    def _begin_segment(self) -> None:
        self.newsegment = self.codec.new_segment(self.storage, self.indexname)
        self.perdocwriter = self.codec.per_document_writer(self.storage, self.newsegment)
        self.fieldwriter = self.codec.field_writer(self.storage, self.newsegment)
        self.pool, self.docnum, self._added = WordPool(self.perdocwriter), 0, False
        self._waiting: set[str] = set()

    def __enter__(self) -> "ArrayWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.is_closed:
            self.cancel()

    def replace(self, note: NoteDoc, chunks: Sequence[ChunkDoc]) -> None:
        """Write a note with its chunks in order; what its path held before dies with the commit."""
        self.delete(note.path)
        with self.group():
            self.add_document(**note._asdict())
            for chunk in chunks:
                self.add_document(**chunk._asdict())
        self._waiting.add(note.path)
        if self.pool.words >= POOL_WORDS:
            self._flush()

    def add_document(self, **fields: Any) -> None:  # noqa: ANN401 - the values of fields
        """Add a document to the pool: within a group, that of a note first."""
        self.perdocwriter.start_doc(self.docnum)
        for name, value in fields.items():
            if name in _COLUMNS:
                self.perdocwriter.add_column_value(name, None, value)
            else:
                self.pool.add(name, value)
        if PATH in fields:
            self.perdocwriter.add_column_value("notes", None, self.docnum)
        self.docnum += 1
        self._added = self._changed = True

    def end_group(self) -> None:
        """End a note with its chunks, which have one language."""
        self.perdocwriter.add_column_value("language", None, self.pool.end_group())

    def delete(self, path: str) -> None:
        """Delete a note and its chunks; a path that is not there is no error."""
        if path in self._waiting:
            self._flush()
        for segment in self.segments:
            file = self.storage.mapped(segment)
            for note in file.having(PATH, path).tolist():
                # An old version may be there, dead.
                if not segment.dead[note]:
                    segment.dead[slice(*np.searchsorted(file.note_of, (note, note + 1)))] = True
                    self._changed = True

    def set_vault(self, data: bytes) -> None:
        """Replace the caller's record of the vault, with the next commit."""
        if data != self._vault_data:
            self._vault_data = data
            self._changed = True

    def _flush(self) -> None:
        """Write what waits in the pool as a segment, not yet visible."""
        if self._added:
            self.fieldwriter.add_postings(self.schema, self.perdocwriter, self.pool.iter_postings())
            self.newsegment.dead = np.zeros(self.docnum, np.bool_)
            self.segments.append(self.newsegment)
            self.perdocwriter.close()
            self._begin_segment()

    def _merge(self, fewest: int, most_dead: float) -> None:
        """Merge what has grown together, so many segments at least, and what is deleted to some share.

        The largest segment that all smaller ones together outweigh is merged with these. So each segment is
        at least as large as the smaller ones together: there are few of them, and a document is rewritten as
        often as the index doubles. Small ones count as `SMALL`.
        """
        live = {segment: segment.doc_count() for segment in self.segments if segment.doc_count()}
        ordered = sorted(live, key=lambda segment: -live[segment])
        sizes = [max(SMALL, live[segment]) for segment in ordered]
        grown = next((ordered[at:] for at, size in enumerate(sizes) if sum(sizes[at + 1 :]) > size), [])
        due = [
            segment
            for segment, count in live.items()
            if (len(grown) >= fewest and segment in grown)
            or count < (1 - most_dead) * segment.doc_count_all()
        ]
        for segment in due:
            self.pool.add_segment(self.storage.mapped(segment), ~segment.dead)
            self.docnum, self._added = self.perdocwriter.count, True
        self.segments = [segment for segment in live if segment not in due]

    def commit(self, *, purge: bool = False, more: bool = False) -> None:
        """Make everything since the last commit visible at once; without a change, do nothing.

        Args:
            purge: Rewrite each segment that holds anything deleted, so that no word of it is left.
            more: Whether another commit follows soon. Segments are then joined only when they are many, so
                that most notes of a large update are merged once, at its end.
        """
        if self.is_closed:
            raise SearchError("the writer is closed")
        if not self._changed:
            return
        self._flush()
        self._merge(fewest=MANY if more else 2, most_dead=0 if purge else MOST_DEAD)
        self._flush()
        self._index.publish(self.segments, self.generation, self._vault_data)
        self._changed = False
        self.generation += 1

    def cancel(self) -> None:
        """Drop what was not committed, and let go of the lock."""
        try:
            self.perdocwriter.close()
            if self._changed:
                self._index.clean()
        finally:
            self.segments = []
            self._finish()


def _numbers() -> defaultdict[Any, int]:
    """Return a mapping that gives each new value the next number."""
    return defaultdict(count().__next__)


class WordPool:
    """The words of documents that wait to become a segment, as numbers."""

    def __init__(self, documents: ArrayDocumentWriter) -> None:
        self._documents = documents
        self._sources: list[_Source] = []
        self._names, self._atoms = _numbers(), (known := _numbers())
        self._numbered = cache(lambda run: [known[atom] for atom in atoms(run)])
        fields = (PATH, FILTERS, *STREAMS)
        self._words = {field: array("I") for field in fields}
        self._sizes = {field: array("I") for field in fields}
        self._seen: set[str] = set()

    @property
    def words(self) -> int:
        """How many words wait in the pool."""
        return sum(map(len, self._words.values()))

    def add(self, field: str, value: Any) -> None:  # noqa: ANN401 - a text, or some
        """Take the value of the next document that has a field."""
        if field in STREAMS:
            words = runs(value)
            self._seen.update(words)
            numbers = list(chain.from_iterable(map(self._numbered, words)))
        else:
            values = dict.fromkeys(value) if isinstance(value, tuple) else (value,)
            numbers = [self._names[one] for one in values]
        self._words[field].extend(numbers)
        self._sizes[field].append(len(numbers))

    def end_group(self) -> int:
        """End a note and its chunks; return its language."""
        language = note_language(self._seen)
        self._seen.clear()
        return language

    def add_segment(self, file: SegmentFile, live: Mask) -> None:
        """Take the live documents of a segment; segments and single documents do not come together."""
        self._sources.append((file, live, self._documents.extend(file, live)))

    def iter_postings(self) -> Iterator[Postings]:
        """Yield the postings of every field."""
        if self._sources:
            yield from (_joined(field, self._sources) for field in TABLES)
            return
        notes, languages = (np.array(self._documents.numbers[name]) for name in ("notes", "language"))
        for field in (PATH, FILTERS):
            yield _inverted(field, list(self._names), *self._stream(field, notes))
        chunks = np.delete(np.arange(self._documents.count, dtype=np.uint32), notes)
        spoken = np.repeat(languages, np.diff(np.append(notes, self._documents.count)) - 1)
        known: list[Atom] = list(self._atoms)
        steps = np.array([atom.step for atom in known], np.uint8)
        exact, stems = _numbers(), _numbers()
        exact_of = np.array([exact[atom.term] for atom in known], np.uint32)
        codes, raws = sorted({*languages.tolist()}) or [0], [atom.raw for atom in known]
        stem_of = np.array([[stems[stem] for stem in stem_all(raws, code)] for code in codes], np.uint32)
        row = np.searchsorted(codes, spoken).astype(np.uint8)
        for stream in STREAMS:
            words, docs = self._stream(stream, chunks)
            lengths = np.array(self._sizes[stream])
            self._documents.numbers[f"{stream}.length"].extend(lengths.tolist())
            places = _places(steps[words], lengths) if stream in POSITIONS else None
            yield _inverted(stream, list(exact), exact_of[words], docs, places)
            # These are as long as the text, so what is done with goes before more is made.
            del places
            stemmed = stem_of[np.repeat(row, lengths), words]
            yield _inverted(stem_field(stream), list(stems), stemmed, docs)

    def _stream(self, field: str, documents: Array) -> tuple[Array, Array]:
        """Return the words of a field, and the document of each."""
        return np.array(self._words[field]), np.repeat(documents, np.array(self._sizes[field]))


def _places(steps: Array, lengths: Array) -> Array:
    """Return where each word stands in its document; a whole stands where its first part does."""
    before = np.cumsum(steps, dtype=np.uint32)
    before -= steps
    heads = prefix_sums(lengths)[:-1]
    filled = lengths > 0
    before -= np.repeat(before[heads[filled]], lengths[filled])
    return narrow(before)


def _inverted(
    field: str, names: Sequence[str], terms: Array, docs: Array, positions: Array | None = None
) -> Postings:
    """Return the postings of words, each the number of a name, by document; names not used are left out."""
    numbers = np.flatnonzero(np.bincount(terms, minlength=len(names))).tolist()
    encoded = sorted((names[number].encode("utf-8", "surrogatepass"), number) for number in numbers)
    rows = np.zeros(len(names), np.uint32)
    rows[np.array([number for _, number in encoded], np.int64)] = np.arange(len(encoded))
    terms = rows[terms]
    order = np.argsort(narrow(terms), kind="stable")
    placed = None if positions is None else positions[order]
    terms, docs = terms[order], docs[order]
    del order
    first = np.ones(len(terms), np.bool_)
    first[1:] = (terms[1:] != terms[:-1]) | (docs[1:] != docs[:-1])
    heads = np.flatnonzero(first)
    tfs = narrow(np.diff(np.append(heads, len(terms))))
    sizes = np.bincount(terms[heads], minlength=len(encoded))
    return Postings(field, [term for term, _ in encoded], [(sizes, docs[heads], tfs, placed)])


def _joined(field: str, sources: Sequence[_Source]) -> Postings:
    """Return the postings of a field in some segments together."""
    tables = [file.table(field) for file, _, _ in sources]
    names, rows = united(tables)
    return Postings(field, names, _pieces(list(zip(sources, tables, rows, strict=True)), len(names)))


def _pieces(parts: Sequence[_Part], count: int) -> Iterator[Piece]:
    """Yield the postings of so many new terms, block by block."""
    weights = np.zeros(count, np.int64)
    for _, table, row in parts:
        starts = table.starts.astype(np.int64)
        weights[row] += starts[1:] - starts[:-1]
    ends, low = prefix_sums(weights), 0
    # Where there are no terms, there is one piece, which is empty.
    while low < max(count, 1):
        high = max(low + 1, int(ends.searchsorted(ends[low] + BLOCK, "right")) - 1)
        yield _piece(parts, low, min(high, count))
        low = high


def _piece(parts: Sequence[_Part], low: int, high: int) -> Piece:
    """Join the postings of the new terms from ``low`` to before ``high``."""
    terms, ids, tfs, places = [], [], [], []
    for (_, live, renumber), table, row in parts:
        old = np.arange(*np.searchsorted(row, (low, high)))
        sizes, docs, tf = table.gather(old)
        keep = live[docs]
        terms.append(np.repeat((row[old] - low).astype(np.uint32), sizes)[keep])
        ids.append(renumber[docs[keep]])
        tfs.append(tf[keep])
        if table.has_positions:
            places.append(table.positions(taken(table.places, old))[np.repeat(keep, tf)])
    term, count = np.concatenate(terms), np.concatenate(tfs)
    order = np.argsort(narrow(term), kind="stable")
    positions = None
    if places:
        heads = prefix_sums(count)[:-1]
        positions = np.concatenate(places)[ragged(heads[order], count[order])]
    sizes = np.bincount(term, minlength=high - low)
    return sizes, np.concatenate(ids)[order], count[order], positions
