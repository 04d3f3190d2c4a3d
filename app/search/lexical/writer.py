"""Whoosh's segment writer with a pool that is an array per word, and merges array by array."""

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Final

import numpy as np
from whoosh.index import FileIndex, LockError
from whoosh.writing import SegmentWriter

from app.errors import IndexBusyError, SearchError
from app.search.lexical.codec import ArrayCodec, ArraySegment
from app.search.lexical.pool import WordPool
from app.search.lexical.schema import (
    CHUNK_COLUMNS,
    LINES,
    NOTE_COLUMNS,
    PATH,
    RECORDS,
    TEXTS,
    ChunkDoc,
    NoteDoc,
)

POOL_WORDS = 1_500_000
"""A pool of this many words becomes a segment before the commit, which bounds memory."""
MANY = 16
"""Segments that are joined though more are coming, since each costs a reader a little."""
SMALL = 64
MOST_DEAD = 0.3
_COLUMNS: Final = frozenset((*NOTE_COLUMNS, *CHUNK_COLUMNS, RECORDS, TEXTS, LINES))


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
