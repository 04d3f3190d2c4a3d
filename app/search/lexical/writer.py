"""Write the index: notes are pooled, become segments, and appear at once with a commit."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import numpy as np
from filelock import Timeout

from app.errors import IndexBusyError, SearchError
from app.search.lexical.commit import SegmentList, open_segment, read_commit, write_commit, write_lock
from app.search.lexical.fields import ChunkDoc, NoteDoc
from app.search.lexical.merge import merge
from app.search.lexical.pool import WordPool
from app.search.lexical.segment import ArraySegment, SegmentFile

POOL_WORDS = 1_500_000
"""A pool of this many words becomes a segment before the commit, which bounds memory."""

MANY = 16
"""Segments that are joined though more are coming, since each costs a reader a little."""

SMALL = 64
MOST_DEAD = 0.3


class Writer:
    """The only writer of an index, in any process, while its context lasts.

    Raises:
        IndexBusyError: Another writer is at work.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = write_lock(folder)
        try:
            self._lock.acquire(blocking=False)
        except Timeout as error:
            raise IndexBusyError(
                "another process is writing the index in '{folder}'",
                "try again when it is done",
                folder=folder,
            ) from error
        self._open = True
        self._files: dict[str, SegmentFile] = {}
        self._pool, self._changed = WordPool(), False
        try:
            self._generation, self._segments = read_commit(folder)
        except BaseException:
            # No one has a writer to close yet, so that the lock would stay.
            self._release()
            raise

    def __enter__(self) -> "Writer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._changed:
            # What was not committed is dropped.
            committed = {segment.filename for segment in read_commit(self._folder)[1]}
            for path in self._folder.glob("*.seg"):
                if path.name not in committed:
                    path.unlink(missing_ok=True)
        self._release()

    def _release(self) -> None:
        self._files.clear()
        if self._open:
            self._open = False
            self._lock.release()

    def replace(self, note: NoteDoc, chunks: Sequence[ChunkDoc]) -> None:
        """Write a note with its chunks in order; what its path held before dies with the commit."""
        self.delete(note.path)
        self._pool.add(note, chunks)
        self._changed = True
        if self._pool.words >= POOL_WORDS:
            self._flush()

    def delete(self, path: str) -> None:
        """Delete a note and its chunks; a path that is not there is no error."""
        if self._pool.delete(path):
            self._changed = True
        key = path.encode("utf-8", "surrogatepass")
        for segment in self._segments:
            runs = self._file(segment).documents_of(key)
            documents = [run for run in runs if not segment.dead[run.start]]
            if documents:
                segment.delete_all(documents)
                self._changed = True

    def set_vault(self, data: bytes) -> None:
        """Replace the caller's record of the vault, with the next commit."""
        if data != self._segments.vault_data:
            self._segments.vault_data = data
            self._changed = True

    def commit(self, *, purge: bool = False, more: bool = False) -> None:
        """Make everything since the last commit visible at once; without a change, do nothing.

        Args:
            purge: Rewrite each segment that holds anything deleted, so that no word of it is left.
            more: Whether another commit follows soon. Segments are then joined only when they are many, so
                that most notes of a large update are merged once, at its end.
        """
        if not self._open:
            raise SearchError("the writer is closed")
        if not self._changed:
            return
        self._flush()
        self._merge(0.0 if purge else MOST_DEAD, MANY if more else 2)
        write_commit(self._folder, self._generation + 1, self._segments)
        self._generation += 1
        self._changed = False
        names = {segment.filename for segment in self._segments}
        self._files = {name: file for name, file in self._files.items() if name in names}

    def _file(self, segment: ArraySegment) -> SegmentFile:
        file = self._files.get(segment.filename)
        if file is None:
            file = self._files[segment.filename] = open_segment(self._folder, segment)
        return file

    def _flush(self) -> None:
        """Write the pool as a segment, not yet visible."""
        pool, self._pool = self._pool, WordPool()
        if not pool.paths:
            return
        segment = ArraySegment(pool.count)
        segment.length = pool.write(self._folder / segment.filename)
        segment.delete_all(pool.dead)
        self._segments.append(segment)

    def _merge(self, most_dead: float, fewest: int) -> None:
        """Drop what is all dead, rewrite what is mostly dead, and join what has grown together.

        Args:
            most_dead: The share of dead documents from which a segment is rewritten.
            fewest: How many segments are worth joining.
        """
        live = {segment: int((~segment.dead).sum()) for segment in self._segments}
        self._replace([segment for segment in self._segments if not live[segment]], None)
        group = _grown([(live[segment], segment) for segment in self._segments])
        if len(group) >= fewest:
            self._replace(group, self._merged(group))
        dying = [s for s in self._segments if s in live and live[s] < (1 - most_dead) * s.count]
        for segment in dying:
            self._replace([segment], self._merged([segment]))

    def _merged(self, group: Sequence[ArraySegment]) -> ArraySegment:
        parts = [(self._file(segment), ~segment.dead) for segment in group]
        segment = ArraySegment(0)
        segment.length, count = merge(self._folder / segment.filename, parts)
        segment.dead = np.zeros(count, np.bool_)
        return segment

    def _replace(self, group: Sequence[ArraySegment], merged: ArraySegment | None) -> None:
        kept = SegmentList(segment for segment in self._segments if segment not in group)
        kept.vault_data = self._segments.vault_data
        if merged is not None:
            kept.append(merged)
        self._segments = kept


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
