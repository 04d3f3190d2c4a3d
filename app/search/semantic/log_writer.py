"""Write the log of vectors: block by block, whole or not at all."""

import os
import shutil
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from app.errors import IndexCorruptError, SearchError
from app.search.private import private_folder
from app.search.semantic.log import (
    BLOCK,
    BLOCK_MAGIC,
    HEAD,
    ROW,
    SUM,
    Contents,
    Rows,
    Shape,
    Tokens,
    Vectors,
    block_sum,
    empty_log,
    files_of,
    generations,
    whole_passages,
)

REWRITTEN_ROWS = 2000
"""So many rows make a block when a log is written anew."""


class LogWriter:
    """Appends to one generation; only one writer at a time, which the caller's lock sees to.

    Opening it cuts off what a killed writer left half-written.

    Args:
        folder: Where the log lies; made where it is missing.
        shape: What its vectors have in common.
        contents: What was read of it, undamaged; a generation that does not exist is begun.

    Raises:
        IndexCorruptError: the log is damaged, and must be written anew first.
        SearchError: the disk refuses.
    """

    def __init__(self, folder: Path, shape: Shape, contents: Contents) -> None:
        if contents.damaged:
            raise IndexCorruptError(f"the vectors in '{folder}' are damaged")
        self._shape = shape
        private_folder(folder)
        vectors_file, tokens_file = files_of(folder, contents.generation)
        with disk_errors(folder):
            if not vectors_file.exists():
                _begin(vectors_file, shape)
            self._tokens = _open(tokens_file)
            self._vectors = _open(vectors_file)
            self._vectors.truncate(contents.size)
            width = shape.token_dimension
            self._tokens.truncate(self._tokens.seek(0, os.SEEK_END) // width * width)
        self._folder = folder

    def append(self, rows: Rows, vectors: Vectors, tokens: Sequence[Tokens]) -> None:
        """Append the windows of whole passages in one step; a failure leaves the log as it was.

        Args:
            rows: One `ROW` for each window.
            vectors: Shape (rows, dimension).
            tokens: Token vectors of each window, shape (its tokens, token dimension).

        Raises:
            SearchError: the disk is full, or refuses.
        """
        if not len(rows):
            return
        joined = np.concatenate(tokens).astype(np.int8, copy=False)
        with disk_errors(self._folder):
            first = self._tokens.seek(0, os.SEEK_END) // self._shape.token_dimension
            _append(self._tokens, joined.tobytes())
            sums = np.array([zlib.crc32(np.ascontiguousarray(some, np.int8).data) for some in tokens], SUM)
            payload = rows.astype(ROW, copy=False).tobytes() + sums.tobytes()
            payload += vectors.astype("<f2", copy=False).tobytes()
            crc = block_sum(len(rows), first, len(joined), memoryview(payload))
            _append(self._vectors, BLOCK.pack(BLOCK_MAGIC, len(rows), first, len(joined), crc) + payload)

    def close(self) -> None:
        """Let go of the files."""
        self._vectors.close()
        self._tokens.close()


def rewrite_log(folder: Path, shape: Shape, contents: Contents, kept: NDArray[np.bool_]) -> None:
    """Write the rows that are kept as the next generation and drop the ones before, under the writer's lock.

    What has damaged token vectors is not kept.

    Raises:
        SearchError: the disk refuses; the generation that was read stays.
    """
    new, building = contents.generation + 1, folder / "building"
    shutil.rmtree(building, ignore_errors=True)
    with disk_errors(folder):
        building.mkdir(mode=0o700)
    empty = empty_log(shape, new, HEAD.size)
    writer = LogWriter(building, shape, empty)
    try:
        rows = np.flatnonzero(kept & whole_passages(contents))
        for part in np.array_split(rows, max(1, len(rows) // REWRITTEN_ROWS)):
            ends = contents.token_starts[part] + contents.rows["tokens"][part]
            pairs = zip(contents.token_starts[part].tolist(), ends.tolist(), strict=True)
            tokens = [contents.tokens[start:end] for start, end in pairs]
            writer.append(contents.rows[part], contents.vectors[part], tokens)
    finally:
        writer.close()
    with disk_errors(folder):
        for built, final in zip(
            reversed(files_of(building, new)), reversed(files_of(folder, new)), strict=True
        ):
            # The vectors come last: with them the generation is there.
            built.replace(final)
        building.rmdir()
        for generation in generations(folder)[1:]:
            for file in files_of(folder, generation):
                file.unlink(missing_ok=True)


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses into an error that says what to do."""
    try:
        yield
    except OSError as error:
        raise SearchError(
            f"cannot keep vectors in '{folder}': {error.strerror}",
            "make room, or name another folder by 'cache_dir'; what was built is kept",
        ) from error


def _begin(file: Path, shape: Shape) -> None:
    """Make a file of vectors, its head before its name, so that no reader takes it for a broken one."""
    begun = file.with_suffix(".begun")
    with _open(begun) as stream:
        stream.truncate(0)
        _append(stream, shape.head)
    begun.replace(file)


def _open(file: Path) -> BinaryIO:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    return os.fdopen(descriptor, "r+b", buffering=0)


def _append(file: BinaryIO, data: bytes) -> None:
    """Write all of ``data`` at the end, or nothing."""
    before = file.seek(0, os.SEEK_END)
    view = memoryview(data)
    try:
        while view:
            view = view[file.write(view) :]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(before)
        raise
