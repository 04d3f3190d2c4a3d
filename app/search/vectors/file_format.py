"""The file format of vectors: an append-only log, each block written whole, a torn end cut off."""

import os
import shutil
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from app.config.folders import replace_file
from app.errors import IndexCorruptError, SearchError
from app.search.private import private_folder
from app.sentences import reason_of

MAGIC = b"VAvec2\0\0"
BLOCK_MAGIC = b"VAb1"
HEAD = struct.Struct("<8s16sII")
"""Magic, digest of the fingerprint, dimension of vectors, dimension of token vectors."""
BLOCK = struct.Struct("<4sIQQI")
"""Magic, rows, first token row, token rows, CRC-32 of what comes before and after it."""
ROW = np.dtype(
    [
        ("hash", "<i8"),
        ("window", "<u4"),
        ("windows", "<u4"),
        ("first", "<u4"),
        ("last", "<u4"),
        ("tokens", "<u4"),
    ]
)
"""One window of a passage: which of how many, the lines of the passage it covers, how many token vectors."""
SUM = np.dtype("<u4")
"""CRC-32 of the token vectors of a window: they are too many to be summed up whenever the log is read."""
Rows = NDArray[np.void]
Vectors = NDArray[np.float16]
Tokens = NDArray[np.int8]

REWRITTEN_ROWS = 2000
"""So many rows make a block when a log is written anew."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a log holds: rows with their vectors, and where in ``tokens`` the token vectors of each begin.

    ``size`` is how far the file of vectors was read, in bytes. ``damaged`` says that blocks were left out.
    """

    generation: int
    size: int
    rows: Rows
    vectors: Vectors
    token_starts: NDArray[np.int64]
    token_sums: NDArray[np.uint32]
    tokens: Tokens
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """What vectors of a log have in common; a log of another shape is not read."""

    digest: bytes
    dimension: int
    token_dimension: int

    @property
    def head(self) -> bytes:
        """The first bytes of the file of vectors."""
        return HEAD.pack(MAGIC, self.digest, self.dimension, self.token_dimension)


def generations(folder: Path) -> list[int]:
    """List the generations in a folder, the newest first."""
    names = (path.stem for path in folder.glob("*.vectors"))
    return sorted((int(name) for name in names if name.isdecimal()), reverse=True)


def files_of(folder: Path, generation: int) -> tuple[Path, Path]:
    """Name the files of vectors and of token vectors of a generation."""
    return folder / f"{generation}.vectors", folder / f"{generation}.tokens"


def read_log(folder: Path, shape: Shape) -> Contents:
    """Read the newest generation; an empty one where there is none.

    Blocks whose sum does not hold are left out; what follows the last whole block is not read.

    Raises:
        IndexCorruptError: the newest file is not a log of this shape.
    """
    found = generations(folder)
    if not found:
        return _empty_log(shape, 0, HEAD.size)
    vectors_file, tokens_file = files_of(folder, found[0])
    data = memoryview(vectors_file.read_bytes())
    if bytes(data[: HEAD.size]) != shape.head:
        raise IndexCorruptError(
            "'{vectors_file}' does not hold vectors of this model", vectors_file=vectors_file
        )
    tokens = _map_tokens(tokens_file, shape.token_dimension)
    at, whole, damaged = HEAD.size, HEAD.size, False
    rows: list[Rows] = []
    vectors: list[Vectors] = []
    starts: list[NDArray[np.int64]] = []
    sums: list[NDArray[np.uint32]] = []
    while at + BLOCK.size <= len(data):
        magic, count, first_token, token_rows, crc = BLOCK.unpack_from(data, at)
        length = count * (ROW.itemsize + SUM.itemsize + 2 * shape.dimension)
        end = at + BLOCK.size + length
        if magic != BLOCK_MAGIC:
            # Without a start nothing that follows can be told apart.
            damaged = True
            break
        if end > len(data):
            break
        payload = data[at + BLOCK.size : end]
        at = whole = end
        if crc != _block_sum(count, first_token, token_rows, payload) or first_token + token_rows > len(
            tokens
        ):
            damaged = True
            continue
        block = np.frombuffer(payload, ROW, count)
        rows.append(block)
        rest = payload[count * ROW.itemsize :]
        sums.append(np.frombuffer(rest, SUM, count))
        rest = rest[count * SUM.itemsize :]
        vectors.append(np.frombuffer(rest, "<f2").reshape(count, shape.dimension))
        counts = block["tokens"].astype(np.int64)
        starts.append(first_token + np.cumsum(counts) - counts)
    if not rows:
        empty = _empty_log(shape, found[0], whole)
        return replace(empty, tokens=tokens, damaged=damaged)
    return Contents(
        found[0],
        whole,
        np.concatenate(rows),
        np.concatenate(vectors),
        np.concatenate(starts),
        np.concatenate(sums),
        tokens,
        damaged,
    )


def _block_sum(count: int, first: int, token_rows: int, payload: memoryview) -> int:
    """Sum up a block by CRC-32."""
    return zlib.crc32(payload, zlib.crc32(struct.pack("<IQQ", count, first, token_rows)))


def whole_passages(contents: Contents) -> NDArray[np.bool_]:
    """Tell for each row whether all token vectors of its passage hold against their sums."""
    broken = [
        int(name)
        for name, start, count, total in zip(
            contents.rows["hash"],
            contents.token_starts,
            contents.rows["tokens"],
            contents.token_sums,
            strict=True,
        )
        if zlib.crc32(contents.tokens[int(start) : int(start) + int(count)].data) != total
    ]
    whole: NDArray[np.bool_] = ~np.isin(contents.rows["hash"], broken)
    return whole


def _map_tokens(file: Path, width: int) -> Tokens:
    try:
        rows = file.stat().st_size // width
        if not rows:
            return np.zeros((0, width), np.int8)
        return np.memmap(file, np.int8, "r", shape=(rows, width))
    except FileNotFoundError:
        return np.zeros((0, width), np.int8)


def _empty_log(shape: Shape, generation: int, size: int) -> Contents:
    """Return the contents of a log that holds nothing."""
    return Contents(
        generation,
        size,
        np.zeros(0, ROW),
        np.zeros((0, shape.dimension), np.float16),
        np.zeros(0, np.int64),
        np.zeros(0, np.uint32),
        np.zeros((0, shape.token_dimension), np.int8),
    )


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
            raise IndexCorruptError("the vectors in '{folder}' are damaged", folder=folder)
        self._shape = shape
        private_folder(folder)
        vectors_file, tokens_file = files_of(folder, contents.generation)
        with disk_errors(folder):
            if not vectors_file.exists():
                # Its head before its name, so that no reader takes it for a broken one.
                replace_file(vectors_file, shape.head)
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
            crc = _block_sum(len(rows), first, len(joined), memoryview(payload))
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
    empty = _empty_log(shape, new, HEAD.size)
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
            "cannot keep vectors in '{folder}': {reason}",
            "make room, or name another folder by 'cache_dir'; what was built is kept",
            folder=folder,
            reason=reason_of(error),
        ) from error


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
