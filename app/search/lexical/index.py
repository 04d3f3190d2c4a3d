"""The face of the lexical index: open it, take a snapshot, take the writer."""

import threading
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

from app.errors import IndexCorruptError
from app.search.lexical.commit import (
    UNREADABLE,
    SegmentList,
    latest_generation,
    open_segment,
    read_commit,
    write_commit,
    write_lock,
)
from app.search.lexical.fields import ChunkDoc, NoteDoc
from app.search.lexical.ranking import Told
from app.search.lexical.segment import SegmentFile
from app.search.lexical.snapshot import Mask, Scored, Snapshot
from app.search.lexical.sparse import Ids, Scores
from app.search.lexical.top import equal_runs
from app.search.private import private_folder

if TYPE_CHECKING:
    from app.search.lexical.writer import Writer

_ATTEMPTS = 50
_PAUSE = 0.02

__all__ = [
    "ChunkDoc",
    "Ids",
    "LexicalIndex",
    "Mask",
    "NoteDoc",
    "Scored",
    "Scores",
    "Snapshot",
    "Told",
    "equal_runs",
]


class LexicalIndex:
    """BM25 over the chunks of a vault, in one folder; the only face of this package.

    Raises:
        IndexCorruptError: The index there cannot be read; delete the folder and build it again.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._files: dict[str, SegmentFile] = {}
        self._snapshot: Snapshot | None = None
        try:
            private_folder(folder)
            if latest_generation(folder) < 0:
                self._create()
        except IndexCorruptError:
            raise
        except OSError as error:
            raise IndexCorruptError(
                "the index in '{folder}' cannot be opened ({reason})", folder=folder, reason=error
            ) from error
        self.snapshot()

    def _create(self) -> None:
        # Whoever holds the lock is making the index, or writing its first commit.
        with write_lock(self._folder):
            if latest_generation(self._folder) < 0:
                # Whatever an earlier version of the program has left here goes with it.
                write_commit(self._folder, 0, SegmentList())

    def snapshot(self) -> Snapshot:
        """Return the last commit; the same object as before while nothing was committed.

        Raises:
            IndexCorruptError: The index cannot be read.
        """
        with self._lock:
            known = self._snapshot
            if known is not None and known.generation == latest_generation(self._folder):
                return known
            for attempt in range(_ATTEMPTS):
                try:
                    self._snapshot = self._read()
                    return self._snapshot
                except FileNotFoundError as error:
                    # A later commit removed what this one named; the next reading finds the new one.
                    if attempt == _ATTEMPTS - 1:
                        raise IndexCorruptError(
                            "the index in '{folder}' lacks a file ({reason})",
                            folder=self._folder,
                            reason=error,
                        ) from error
                    sleep(_PAUSE if attempt else 0)
        raise AssertionError("unreachable")

    def _read(self) -> Snapshot:
        generation, segments = read_commit(self._folder)
        files = {
            segment.filename: self._files.get(segment.filename) or open_segment(self._folder, segment)
            for segment in segments
        }
        try:
            snapshot = Snapshot(
                generation, list(files.values()), [segment.dead for segment in segments], segments.vault_data
            )
        except (FileNotFoundError, IndexCorruptError):
            raise
        except UNREADABLE as error:
            raise IndexCorruptError(
                "the index in '{folder}' cannot be read ({reason})", folder=self._folder, reason=repr(error)
            ) from error
        self._files = files
        return snapshot

    def check(self) -> None:
        """Hold all files of the last commit against their sums.

        Raises:
            IndexCorruptError: One of them is damaged.
        """
        self.snapshot()
        with self._lock:
            for file in self._files.values():
                file.arrays.prove()

    def writer(self) -> "Writer":
        """Take the writer, as a context; leaving it without a commit drops what was not committed.

        Raises:
            IndexBusyError: Another writer is at work, here or in another process.
        """
        from app.search.lexical.writer import Writer

        return Writer(self._folder)

    def close(self) -> None:
        """Let go of the files; snapshots that are still held go on working."""
        with self._lock:
            self._snapshot = None
            self._files = {}
