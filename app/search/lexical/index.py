"""The index as Whoosh knows it, with a list of segments that is JSON, and the face that the program sees."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Final
from zlib import crc32

from whoosh.index import TOC, FileIndex

from app.config.folders import replace_file
from app.errors import IndexCorruptError
from app.search.lexical.codec import ArraySegment, PrivateStorage
from app.search.lexical.schema import schema as index_schema
from app.search.lexical.snapshot import Snapshot
from app.search.private import private_folder

if TYPE_CHECKING:
    from whoosh.reading import IndexReader

    from app.search.lexical.writer import ArrayWriter

FORMAT: Final = 10
"""Raised when what stands in the folder changes, so that older indexes are made anew."""
NAME: Final = "MAIN"
LOCK: Final = "WRITELOCK"
_ATTEMPTS = 50
_PAUSE = 0.02


@contextmanager
def _reading(folder: object, passed: type[Exception] = IndexCorruptError) -> Iterator[None]:
    """Say of whatever reading a damaged index raises that it cannot be read; one kind of error passes."""
    try:
        yield
    except (IndexCorruptError, passed):
        raise
    except Exception as error:
        raise IndexCorruptError(
            "the index in '{folder}' cannot be read ({reason})", folder=folder, reason=repr(error)
        ) from error


class ArrayTOC(TOC):  # type: ignore[misc]
    """The segments of one commit, and the caller's record of the vault, as JSON with its sum below."""

    def __init__(self, segments: list[ArraySegment], generation: int, vault_data: bytes = b"") -> None:
        super().__init__(index_schema(), segments, generation, version=FORMAT)
        self.vault_data = vault_data

    @classmethod
    def read(
        cls, storage: PrivateStorage, indexname: str, gen: int | None = None, schema: object = None
    ) -> "ArrayTOC":
        """Read a commit, the last one where none is named.

        Raises:
            FileNotFoundError: There is none, or a later one replaced it meanwhile.
            IndexCorruptError: It cannot be read.
        """
        gen = cls._latest_generation(storage, indexname) if gen is None else gen
        name = cls._filename(indexname, gen)
        with _reading(storage.folder, FileNotFoundError):
            listed, _, check = (Path(storage.folder) / name).read_bytes().rpartition(b"\n")
            if check != b"%08x" % crc32(listed):
                raise IndexCorruptError("'{name}' is damaged", name=name)
            toc = json.loads(listed)
            if toc["format"] != FORMAT:
                raise IndexCorruptError("'{name}' was made by another version", name=name)
            segments = []
            for segid, length, count, dead in toc["segments"]:
                segment = ArraySegment(indexname, segid, length, count)
                segment.dead[dead] = True
                segments.append(segment)
            return cls(segments, gen, toc["vault"].encode())

    def write(self, storage: PrivateStorage, indexname: str) -> None:
        """Publish the commit in one rename."""
        listed = [
            (segment.segid, segment.length, len(segment.dead), segment.deleted_docs())
            for segment in self.segments
        ]
        toc = {"format": FORMAT, "segments": listed, "vault": self.vault_data.decode()}
        data = json.dumps(toc).encode()
        path = Path(storage.folder) / self._filename(indexname, self.generation)
        replace_file(path, data + b"\n%08x" % crc32(data))


class LexicalIndex(FileIndex):  # type: ignore[misc]
    """BM25 over the chunks of a vault, in one folder: an index of Whoosh, and the only face of this package.

    ``snapshot_type`` is what a commit is read as.

    Raises:
        IndexCorruptError: The index there cannot be read; delete the folder and build it again.
    """

    def __init__(self, folder: Path, snapshot_type: Callable[..., Snapshot] = Snapshot) -> None:
        self.storage, self.indexname, self._schema = PrivateStorage(folder), NAME, None
        self._folder, self._snapshot_type = folder, snapshot_type
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        with _reading(folder):
            private_folder(folder)
            if self.latest_generation() < 0:
                self._create()
        self.snapshot()

    def _read_toc(self) -> ArrayTOC:
        return ArrayTOC.read(self.storage, self.indexname)

    def reader(self, reuse: "IndexReader | None" = None) -> "IndexReader":
        """Return a reader of the last commit; what Whoosh would make of an older one has stale deletions."""
        return super().reader()

    def writer(self, procs: int = 1, **_: object) -> "ArrayWriter":
        """Take the writer, as a context; leaving it without a commit drops what was not committed.

        Raises:
            IndexBusyError: Another writer is at work, here or in another process.
        """
        from app.search.lexical.writer import ArrayWriter

        return ArrayWriter(self)

    def publish(self, segments: list[ArraySegment], generation: int, vault_data: bytes = b"") -> None:
        """Write a commit, and let go of and remove the files of segments that it does not name."""
        toc = ArrayTOC(segments, generation, vault_data)
        toc.write(self.storage, self.indexname)
        self.storage.forget(but={segment.segid for segment in segments})
        self.clean(toc)

    def clean(self, toc: ArrayTOC | None = None) -> None:
        """Remove the files that the last commit does not name, whoever left them."""
        toc = toc or self._read_toc()
        kept = {toc._filename(self.indexname, toc.generation), f"{self.indexname}_{LOCK}"}
        kept.update(segment.filename for segment in toc.segments)
        for path in self._folder.iterdir():
            if path.name not in kept and not path.is_dir():
                path.unlink(missing_ok=True)

    def _create(self) -> None:
        # Whoever holds the lock is making the index, or writing its first commit.
        lock = self.lock(LOCK)
        lock.acquire(blocking=True)
        try:
            if self.latest_generation() < 0:
                # Whatever an earlier version of the program has left here goes with it.
                self.publish([], 0)
        finally:
            lock.release()

    def snapshot(self) -> Snapshot:
        """Return the last commit; the same object as before while nothing was committed.

        Raises:
            IndexCorruptError: The index cannot be read.
        """
        with self._lock:
            if self._snapshot is None or self._snapshot.generation != self.latest_generation():
                self._snapshot = self._read()
            return self._snapshot

    def _read(self) -> Snapshot:
        for attempt in range(_ATTEMPTS):
            # What a later commit has removed meanwhile, the next reading does not ask for.
            with suppress(FileNotFoundError), _reading(self._folder, FileNotFoundError):
                toc = self._read_toc()
                files = [self.storage.mapped(segment) for segment in toc.segments]
                dead = [segment.dead for segment in toc.segments]
                self.storage.forget(but={segment.segid for segment in toc.segments})
                return self._snapshot_type(toc.generation, files, dead, toc.vault_data)
            sleep(_PAUSE if attempt else 0)
        raise IndexCorruptError("the index in '{folder}' lacks a file", folder=self._folder)

    def check(self) -> None:
        """Hold all files of the last commit against their sums.

        Raises:
            IndexCorruptError: One of them is damaged.
        """
        for _, part in self.snapshot()._parts:
            part.arrays.prove()

    def close(self) -> None:
        """Let go of the files; snapshots that are still held go on working."""
        with self._lock:
            self._snapshot = None
            self.storage.forget()
