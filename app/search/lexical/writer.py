"""Whoosh's segment writer with a pool that is an array per word, and merges array by array."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from types import TracebackType
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from whoosh.index import FileIndex, LockError
from whoosh.writing import SegmentWriter

from app.errors import IndexBusyError, SearchError
from app.search.lexical.arrays import Array, ArrayFileWriter, narrow
from app.search.lexical.codec import ArrayCodec, ArraySegment
from app.search.lexical.pool import WordPool
from app.search.lexical.postings import (
    FieldPostings,
    Postings,
    TermTable,
    prefix_sums,
    ragged,
    stable_order,
    taken,
)
from app.search.lexical.schema import (
    CHUNK_COLUMNS,
    LINES,
    NOTE_COLUMNS,
    PATH,
    RECORDS,
    STREAMS,
    TABLES,
    TEXTS,
    ChunkDoc,
    NoteDoc,
)
from app.search.lexical.segment import PackedWriter, SegmentFile

Int = NDArray[np.int64]
Mask = NDArray[np.bool_]

POOL_WORDS = 1_500_000
"""A pool of this many words becomes a segment before the commit, which bounds memory."""
MANY = 16
"""Segments that are joined though more are coming, since each costs a reader a little."""
SMALL = 64
MOST_DEAD = 0.3
BLOCK = 1 << 18
"""Postings merged at a time, which bounds the memory of a merge of any size."""
_COLUMNS: Final = frozenset((*NOTE_COLUMNS, *CHUNK_COLUMNS, RECORDS, TEXTS, LINES))


class _Source(NamedTuple):
    """A segment to merge: which documents live, and their number in the new segment."""

    file: SegmentFile
    live: Mask
    renumber: Int


class Merging:
    """Segments whose live documents become one new segment."""

    def __init__(self, segments: Sequence[tuple[SegmentFile, Mask]]) -> None:
        self._sources: list[_Source] = []
        self.count = 0
        for file, live in segments:
            self._sources.append(_Source(file, live, np.cumsum(live, dtype=np.int64) - 1 + self.count))
            self.count += int(live.sum())

    def write_documents(self, out: ArrayFileWriter) -> None:
        """Write what is kept of each document."""
        notes = [one.live[one.file.notes] for one in self._sources]
        chunks = [one.live[one.file.is_chunk] for one in self._sources]

        def chosen(name: str, masks: Sequence[Mask]) -> Array:
            pairs = zip(self._sources, masks, strict=True)
            return np.concatenate([one.file.arrays[name][mask] for one, mask in pairs])

        pairs = list(zip(self._sources, notes, strict=True))
        out.add("notes", narrow(np.concatenate([one.renumber[one.file.notes[mask]] for one, mask in pairs])))
        out.add("language", chosen("language", notes))
        for names, masks in ((NOTE_COLUMNS, notes), (CHUNK_COLUMNS, chunks)):
            for name in names:
                out.add(name, narrow(chosen(name, masks).astype(np.int64)))
        for stream in STREAMS:
            out.add(f"{stream}.length", narrow(chosen(f"{stream}.length", chunks)))
        for name in (RECORDS, TEXTS):
            packed = PackedWriter(out, name)
            for one, mask in pairs:
                kept, among = (one.file.records, one.live) if name == RECORDS else (one.file.texts, mask)
                for number in np.flatnonzero(among).tolist():
                    packed.add(kept[number])
            packed.finish()
        out.add(LINES, np.concatenate([one.file.line_hashes(mask) for one, mask in pairs]))
        counts = np.concatenate([one.file.line_counts[mask] for one, mask in pairs])
        out.add(f"{LINES}.at", narrow(prefix_sums(counts)))

    def postings(self) -> Iterator[FieldPostings]:
        """Yield the postings of every field."""
        for field in TABLES:
            tables = [one.file.table(field) for one in self._sources]
            names, rows = _merged_names(tables)
            counts, places = zip(*(table.kinds for table in tables), strict=True)
            placed = [kind for kind in places if kind is not None]
            yield FieldPostings(
                field, names, self._pieces(tables, rows, len(names)), _widest(counts),
                _widest(placed) if placed else None,
            )  # fmt: skip

    def _pieces(self, tables: Sequence[TermTable], rows: Sequence[Int], count: int) -> Iterator[Postings]:
        weights = np.zeros(count, np.int64)
        for table, row in zip(tables, rows, strict=True):
            weights[row] += table.sizes
        ends, low = np.cumsum(weights), 0
        while low < count:
            done = int(ends[low - 1]) if low else 0
            high = max(low + 1, int(np.searchsorted(ends, done + BLOCK, "right")))
            yield self._piece(tables, rows, low, high)
            low = high

    def _piece(self, tables: Sequence[TermTable], rows: Sequence[Int], low: int, high: int) -> Postings:
        """Merge the postings of the new terms from ``low`` to before ``high``."""
        terms, ids, tfs, places = [], [], [], []
        for one, table, row in zip(self._sources, tables, rows, strict=True):
            old = range(*np.searchsorted(row, (low, high)).tolist())
            sizes, docs, tf = table.gather(old)
            keep = one.live[docs]
            terms.append(np.repeat((row[old.start : old.stop] - low).astype(np.uint32), sizes)[keep])
            ids.append(one.renumber[docs[keep]])
            tfs.append(tf[keep].astype(np.int64))
            if table.positions is not None:
                places.append(table.positions[taken(table.places, old)][np.repeat(keep, tf)])
        term = np.concatenate(terms)
        order = stable_order(term, high - low)
        count = np.concatenate(tfs)
        positions = None
        if places:
            heads = prefix_sums(count)[:-1]
            positions = np.concatenate(places)[ragged(heads[order], count[order])]
        sizes = np.bincount(term, minlength=high - low)
        return Postings(sizes, np.concatenate(ids)[order], count[order], positions)


def _widest(kinds: "Sequence[np.dtype[Any]]") -> "np.dtype[Any]":
    return max(kinds, key=lambda kind: kind.itemsize)


def _merged_names(tables: Sequence[TermTable]) -> tuple[list[bytes], list[Int]]:
    """Return the terms of all tables in order, and for each table where its rows went."""
    lists = [table.names() for table in tables]
    # The lists are sorted, and a sort of lists one after the other finds that and joins them.
    names = list(dict.fromkeys(sorted(chain.from_iterable(lists))))
    number = dict(zip(names, range(len(names)), strict=True))
    return names, [np.fromiter(map(number.__getitem__, listed), np.int64, len(listed)) for listed in lists]


MergePolicy = Callable[["ArrayWriter", list[ArraySegment]], list[ArraySegment]]


@dataclass(frozen=True)
class Tiered:
    """Whoosh's merge policy: join what has grown together, and rewrite what is mostly deleted.

    ``fewest`` is how many segments are worth joining, ``most_dead`` the share of deleted documents from which
    a segment is rewritten.
    """

    fewest: int = 2
    most_dead: float = MOST_DEAD

    def __call__(self, writer: "ArrayWriter", segments: list[ArraySegment]) -> list[ArraySegment]:
        """Add the segments that are to be merged to the writer, and return the others."""
        live = {segment: segment.doc_count() for segment in segments}
        group = _grown([(live[segment], segment) for segment in segments if live[segment]])
        group = group if len(group) >= self.fewest else []
        merged = [
            segment
            for segment in segments
            if live[segment]
            and (segment in group or live[segment] < (1 - self.most_dead) * segment.doc_count_all())
        ]
        for segment in merged:
            writer.add_segment(segment)
        return [segment for segment in segments if live[segment] and segment not in merged]


def _grown(segments: Sequence[tuple[int, ArraySegment]]) -> list[ArraySegment]:
    """Choose what to merge: the largest segment that all smaller ones together outweigh, and these.

    So each segment is at least as large as the smaller ones together: there are few of them, and a
    document is rewritten as often as the index doubles. Small ones count as `SMALL`.
    """
    ordered = sorted(segments, key=lambda item: -item[0])
    sizes = [max(SMALL, count) for count, _ in ordered]
    for at, size in enumerate(sizes):
        if sum(sizes[at + 1 :]) > size:
            return [segment for _, segment in ordered[at:]]
    return []


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
            self._begin()
        except LockError as error:
            raise IndexBusyError(
                "another process is writing the index in '{folder}'",
                "try again when it is done",
                folder=self._index.storage.folder,
            ) from error
        except BaseException:
            # No one has a writer to close yet, so that the lock would stay.
            self.writelock.release()
            raise

    def _begin(self) -> None:
        """Begin the next commit, and its first segment."""
        toc = self._index._read_toc()
        known = {segment.segid: segment for segment in self.segments}
        for segment in toc.segments:
            if segment.segid in known:
                segment.share(known[segment.segid])
        self.segments, self.generation, self._vault_data = toc.segments, toc.generation + 1, toc.vault_data
        self._begin_segment()

    def _begin_segment(self) -> None:
        self.newsegment = self.codec.new_segment(self.storage, self.indexname)
        self.perdocwriter = self.codec.per_document_writer(self.storage, self.newsegment)
        self.fieldwriter = self.codec.field_writer(self.storage, self.newsegment)
        self.pool, self.docnum, self._added = WordPool(), 0, False
        self._pooled: dict[str, range] = {}
        self._dead: list[range] = []
        self._merging: list[ArraySegment] = []

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
        start = self.docnum
        with self.group():
            self.add_document(
                path=note.path, terms=note.terms, size=note.size, mtime_ns=note.mtime_ns,
                created=note.created, modified=note.modified, data=note.data, lines=note.line_hashes,
                texts=note.text.encode("utf-8", "surrogatepass"),
            )  # fmt: skip
            for chunk in chunks:
                self.add_document(**chunk._asdict())
        self._pooled[note.path] = range(start, self.docnum)
        if self.pool.words >= POOL_WORDS:
            self._flush()

    def add_document(self, **fields: Any) -> None:  # noqa: ANN401 - the values of fields
        """Add a document to the pool: within a group, that of a note first."""
        self.perdocwriter.start_doc(self.docnum)
        for name, value in fields.items():
            if name in _COLUMNS:
                self.perdocwriter.add_column_value(name, None, value)
            else:
                self.pool.add(name, self.docnum, value)
        if PATH in fields:
            self.perdocwriter.add_field(PATH, None, None, 0)
        self.docnum += 1
        self._added = self._changed = True

    def end_group(self) -> None:
        """End a note with its chunks, which have one language."""
        self.perdocwriter.languages.append(self.pool.end_group())

    def delete(self, path: str) -> None:
        """Delete a note and its chunks; a path that is not there is no error."""
        if (pooled := self._pooled.pop(path, None)) is not None:
            self._dead.append(pooled)
            self._changed = True
        for segment in self.segments:
            runs = segment.file(self.storage).documents_of(path)
            documents = [run for run in runs if not segment.dead[run.start]]
            if documents:
                segment.delete_all(documents)
                self._changed = True

    def set_vault(self, data: bytes) -> None:
        """Replace the caller's record of the vault, with the next commit."""
        if data != self._vault_data:
            self._vault_data = data
            self._changed = True

    def add_segment(self, segment: ArraySegment) -> None:
        """Have the live documents of a segment written anew."""
        self._merging.append(segment)

    def _flush(self) -> None:
        """Write the pool as a segment, not yet visible."""
        if self._added:
            documents = self.perdocwriter
            self.fieldwriter.add_postings(
                self.schema, documents.write, lambda out: self.pool.postings(documents, out)
            )
            self.newsegment.set_doc_count(self.docnum)
            self.newsegment.delete_all(self._dead)
            self.segments.append(self.newsegment)
            self._begin_segment()

    def _merge(self, policy: MergePolicy) -> None:
        self.segments = policy(self, self.segments)
        if self._merging:
            files = [(segment.file(self.storage), ~segment.dead) for segment in self._merging]
            merging = Merging(files)
            self.fieldwriter.add_postings(self.schema, merging.write_documents, lambda _: merging.postings())
            self.newsegment.set_doc_count(merging.count)
            self.segments.append(self.newsegment)
            self._begin_segment()

    def commit(
        self, mergetype: MergePolicy | None = None, *, purge: bool = False, more: bool = False
    ) -> None:
        """Make everything since the last commit visible at once; without a change, do nothing.

        Args:
            mergetype: The merge policy, `Tiered` where none is given.
            purge: Rewrite each segment that holds anything deleted, so that no word of it is left.
            more: Whether another commit follows soon. Segments are then joined only when they are many, so
                that most notes of a large update are merged once, at its end.
        """
        if self.is_closed:
            raise SearchError("the writer is closed")
        if not self._changed:
            return
        self._flush()
        self._merge(mergetype or Tiered(MANY if more else 2, 0.0 if purge else MOST_DEAD))
        self._index.publish(self.segments, self.generation, self._vault_data)
        self._changed = False
        self._begin()

    def cancel(self) -> None:
        """Drop what was not committed, and let go of the lock."""
        try:
            if self._changed:
                self._index.clean()
        finally:
            self.segments = []
            self._finish()
