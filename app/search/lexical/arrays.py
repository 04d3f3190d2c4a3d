"""A file of named flat arrays: written in one go, read by mapping it to memory without a copy."""

import json
import mmap
import struct
import tempfile
from collections.abc import Mapping
from pathlib import Path
from shutil import copyfileobj
from types import TracebackType
from typing import IO, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from app.errors import IndexCorruptError

Array = NDArray[Any]

_MAGIC = b"LEXARR01"
_TAIL = struct.Struct("<QQI8s")
_ALIGN = 64
_SPOOL_BYTES = 4 << 20

_NARROW = (np.uint8, np.uint16, np.uint32)


def narrow(values: Array) -> Array:
    """Give integers in the smallest type that holds them all, little-endian."""
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
        """Write the file, and give its length in bytes."""
        directory: dict[str, tuple[str, int, int]] = {}
        with self.path.open("wb") as out:
            out.write(_MAGIC.ljust(_ALIGN, b"\0"))
            for name, spool in self._spools.items():
                start, size = out.tell(), spool.tell()
                spool.seek(0)
                copyfileobj(spool, out, 1 << 20)
                out.write(b"\0" * (-size % _ALIGN))
                directory[name] = (self._types[name], start, size)
            listing = json.dumps(directory).encode()
            start = out.tell()
            out.write(listing)
            out.write(_TAIL.pack(start, len(listing), crc32(listing), _MAGIC))
            return out.tell()


def read_arrays(path: Path, length: int) -> Mapping[str, Array]:
    """Map the arrays of a file; they stay valid when the file is removed.

    Raises:
        FileNotFoundError: The file is not there.
        IndexCorruptError: It is not ``length`` bytes long, or its directory is damaged.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if size != length or size < _ALIGN + _TAIL.size:
            raise IndexCorruptError(f"'{path.name}' has {size} bytes where {length} were written")
        source = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    start, listed, check, magic = _TAIL.unpack_from(source, size - _TAIL.size)
    listing = source[start : start + listed]
    if magic != _MAGIC or source[: len(_MAGIC)] != _MAGIC or crc32(listing) != check:
        raise IndexCorruptError(f"'{path.name}' is damaged")
    return {
        name: np.frombuffer(source, kind, nbytes // np.dtype(kind).itemsize, offset)
        for name, (kind, offset, nbytes) in json.loads(listing).items()
    }
