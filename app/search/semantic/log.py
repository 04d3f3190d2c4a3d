"""The append-only log of vectors: blocks of whole passages, checked by their sums, torn ends cut off.

Two files share a generation: ``N.vectors`` holds what every search reads, ``N.tokens`` the token vectors,
which are mapped and read for a few passages at a time. A block of vectors names where its tokens begin, and
is written after them, so that a block that can be read is whole.
"""

import struct
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.errors import IndexCorruptError

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
        return empty_log(shape, 0, HEAD.size)
    vectors_file, tokens_file = files_of(folder, found[0])
    data = memoryview(vectors_file.read_bytes())
    if bytes(data[: HEAD.size]) != shape.head:
        raise IndexCorruptError(f"'{vectors_file}' does not hold vectors of this model")
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
        if crc != block_sum(count, first_token, token_rows, payload) or first_token + token_rows > len(
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
        empty = empty_log(shape, found[0], whole)
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


def block_sum(count: int, first: int, token_rows: int, payload: memoryview) -> int:
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


def empty_log(shape: Shape, generation: int, size: int) -> Contents:
    """Give the contents of a log that holds nothing."""
    return Contents(
        generation,
        size,
        np.zeros(0, ROW),
        np.zeros((0, shape.dimension), np.float16),
        np.zeros(0, np.int64),
        np.zeros(0, np.uint32),
        np.zeros((0, shape.token_dimension), np.int8),
    )
