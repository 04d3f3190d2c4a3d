"""A file of named arrays, mapped to memory; each block is held against its sum when it is first looked at."""

import json
import mmap
import os
import struct
import tempfile
from pathlib import Path
from shutil import copyfileobj
from types import TracebackType
from typing import IO, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from app.config.folders import create_file
from app.errors import IndexCorruptError

Array = NDArray[Any]
_MAGIC = b"LEXARR02"
_TAIL = struct.Struct("<QQQI8s")
"""Where the sums start, where the directory starts, how long that is, the sum of both, and the magic."""
_ALIGN = 64
BLOCK = 1 << 16
"""Bytes that have one sum: little enough to read for a single term, much enough to sum up quickly."""
_KINDS = ("|u1", "<u2", "<u4", "<i8")
_PIECE = 1 << 20
_SPOOL_BYTES = 4 << 20
_NARROW = (np.uint8, np.uint16, np.uint32)


def narrow(values: Array) -> Array:
    """Return integers in the smallest type that holds them all, little-endian."""
    if not len(values):
        return values.astype(np.uint8)
    low, high = int(values.min()), int(values.max())
    for kind in _NARROW:
        if low >= 0 and high <= np.iinfo(kind).max:
            return values.astype(np.dtype(kind).newbyteorder("<"))
    return values.astype("<i8")


class ArrayFileWriter:
    """Writes named arrays to one file; each may be given in pieces, in any interleaving.

    Pieces wait in memory, and from 4 MiB in temporary files of the same folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._spools: dict[str, IO[bytes]] = {}
        self._types: dict[str, str] = {}

    def __enter__(self) -> "ArrayFileWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for spool in self._spools.values():
            spool.close()

    def add(self, name: str, values: Array) -> None:
        """Append to the array ``name``; all its pieces have one type."""
        spool: IO[bytes] | None = self._spools.get(name)
        if spool is None:
            spool = tempfile.SpooledTemporaryFile(_SPOOL_BYTES, dir=str(self.path.parent))  # noqa: SIM115
            self._spools[name] = spool
            self._types[name] = values.dtype.str
        elif self._types[name] != values.dtype.str:
            raise TypeError(f"array {name!r} holds {self._types[name]}, not {values.dtype.str}")
        spool.write(np.ascontiguousarray(values).data)

    def add_bytes(self, name: str, data: bytes) -> None:
        """Append raw bytes to the array ``name``."""
        self.add(name, np.frombuffer(data, np.uint8))

    def finish(self) -> int:
        """Write the file to the disk, and give its length in bytes."""
        directory: dict[str, tuple[str, int, int]] = {}
        with create_file(self.path) as out:
            out.write(_MAGIC.ljust(_ALIGN, b"\0"))
            for name, spool in self._spools.items():
                start, size = out.tell(), spool.tell()
                spool.seek(0)
                copyfileobj(spool, out, _PIECE)
                out.write(b"\0" * (-size % _ALIGN))
                directory[name] = (self._types[name], start, size)
            out.flush()
            at, sums, listed = out.tell(), _sums_of(self.path), json.dumps(directory).encode()
            out.write(sums + listed)
            out.write(_TAIL.pack(at, at + len(sums), len(listed), crc32(sums + listed), _MAGIC))
            out.flush()
            os.fsync(out.fileno())
            return out.tell()


def _sums_of(path: Path) -> bytes:
    """Return the sums of all blocks of a file, little-endian."""
    with path.open("rb") as file:
        return np.array([crc32(block) for block in iter(lambda: file.read(BLOCK), b"")], "<u4").tobytes()


class Proved:
    """An array of a file whose parts are proved when they are first looked at."""

    def __init__(self, arrays: "Arrays", values: Array, offset: int) -> None:
        self._arrays, self._values, self._offset = arrays, values, offset
        self.dtype = values.dtype

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, at: slice | Array) -> Array:
        if isinstance(at, slice):
            low, high, _ = at.indices(len(self._values))
        elif at.dtype == np.bool_:
            low, high = 0, len(self._values)
        else:
            low, high = (int(at.min()), int(at.max()) + 1) if len(at) else (0, 0)
        size = self._values.itemsize
        self._arrays.prove(self._offset + low * size, self._offset + high * size)
        found: Array = self._values[at]
        return found


class Arrays:
    """The arrays of one file; they stay valid when the file is removed.

    Raises:
        FileNotFoundError: The file is not there.
        IndexCorruptError: It is not ``length`` bytes long, or its directory is damaged; also raised later,
            by whatever looks at a damaged part.
    """

    def __init__(self, path: Path, length: int | None = None) -> None:
        self._name = path.name
        with path.open("rb") as file:
            size = file.seek(0, 2)
            if size < _ALIGN + _TAIL.size:
                raise IndexCorruptError("'{name}' is cut off: it has {size} bytes", name=path.name, size=size)
            if length not in (None, size):
                raise IndexCorruptError(
                    "'{name}' has {size} bytes where {length} were written",
                    name=path.name,
                    size=size,
                    length=length,
                )
            self._source = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        sums, start, listed, check, magic = _TAIL.unpack_from(self._source, size - _TAIL.size)
        end = self._source[sums : start + listed]
        if magic != _MAGIC or start + listed != size - _TAIL.size or crc32(end) != check:
            raise IndexCorruptError("'{name}' is damaged", name=path.name)
        self._end = sums
        self._sums = np.frombuffer(self._source, "<u4", -(-sums // BLOCK), sums)
        # A row of bytes is asked several times faster than an array.
        self._proved = bytearray(len(self._sums))
        self._directory: dict[str, tuple[str, int, int]] = json.loads(end[start - sums :])
        for name, (kind, offset, nbytes) in self._directory.items():
            if kind not in _KINDS or not 0 <= offset <= offset + nbytes <= sums:
                raise IndexCorruptError(
                    "'{name}' names an array '{array}' that it cannot hold", name=path.name, array=name
                )

    def __getitem__(self, name: str) -> Array:
        kind, offset, nbytes = self._directory[name]
        self.prove(offset, offset + nbytes)
        return np.frombuffer(self._source, kind, nbytes // np.dtype(kind).itemsize, offset)

    def __contains__(self, name: str) -> bool:
        return name in self._directory

    def part_by_part(self, name: str) -> Proved:
        """Return an array that is long, and of which little is looked at."""
        kind, offset, nbytes = self._directory[name]
        values = np.frombuffer(self._source, kind, nbytes // np.dtype(kind).itemsize, offset)
        return Proved(self, values, offset)

    def prove(self, start: int = 0, stop: int | None = None) -> None:
        """Hold the blocks of some bytes, or of the whole file, against their sums, each once.

        Raises:
            IndexCorruptError: One of them is damaged.
        """
        stop = self._end if stop is None else stop
        first, last = start // BLOCK, -(-stop // BLOCK)
        if stop <= start or 0 not in self._proved[first:last]:
            return
        with memoryview(self._source) as view:
            for block in range(first, last):
                at = block * BLOCK
                if (
                    not self._proved[block]
                    and crc32(view[at : min(at + BLOCK, self._end)]) != self._sums[block]
                ):
                    raise IndexCorruptError("'{name}' is damaged", name=self._name)
                self._proved[block] = 1
