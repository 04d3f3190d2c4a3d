"""A file of named arrays, mapped to memory; each block is held against its sum when it is first looked at."""

import json
import mmap
import os
import struct
import tempfile
from pathlib import Path
from shutil import copyfileobj
from typing import IO, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from app.config.folders import create_file
from app.errors import IndexCorruptError

Array = NDArray[Any]
_MAGIC = b"LEXARR03"
_TAIL = struct.Struct("<QQQI8s")
"""Where the sums start, where the directory starts, how long that is, the sum of both, and the magic."""
_ALIGN = 64
BLOCK = 1 << 16
"""Bytes that have one sum: little enough to read for a single term, much enough to sum up quickly."""
_SPOOL_BYTES = 4 << 20


def narrow(values: Array) -> Array:
    """Return integers in the smallest type that holds them all, little-endian."""
    low, high = int(values.min(initial=0)), int(values.max(initial=0))
    return values.astype("<i8" if low < 0 or high >> 32 else np.min_scalar_type(high).newbyteorder("<"))


class ArrayFileWriter:
    """Writes named arrays to one file; each may be given in pieces, in any interleaving.

    Pieces wait in memory, and from 4 MiB in temporary files of the same folder.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._spools: dict[str, tuple[str, IO[bytes]]] = {}

    def add(self, name: str, values: Array) -> None:
        """Append to the array ``name``; all its pieces have one type."""
        if name not in self._spools:
            spool: IO[bytes] = tempfile.SpooledTemporaryFile(_SPOOL_BYTES, dir=str(self._path.parent))  # noqa: SIM115
            self._spools[name] = values.dtype.str, spool
        kind, spool = self._spools[name]
        if kind != values.dtype.str:
            raise TypeError(f"array {name!r} holds {kind}, not {values.dtype.str}")
        spool.write(np.ascontiguousarray(values).data)

    def finish(self) -> int:
        """Write the file to the disk, and give its length in bytes."""
        directory: dict[str, tuple[str, int, int]] = {}
        with create_file(self._path) as out:
            for name, (kind, spool) in self._spools.items():
                start, size = out.tell(), spool.tell()
                spool.seek(0)
                copyfileobj(spool, out, 1 << 20)
                out.write(b"\0" * (-size % _ALIGN))
                directory[name] = kind, start, size // np.dtype(kind).itemsize
            out.flush()
            with self._path.open("rb") as file:
                blocks = iter(lambda: file.read(BLOCK), b"")
                sums = np.array(list(map(crc32, blocks)), "<u4").tobytes()
            at, listed = out.tell(), json.dumps(directory).encode()
            out.write(sums + listed)
            out.write(_TAIL.pack(at, at + len(sums), len(listed), crc32(sums + listed), _MAGIC))
            out.flush()
            os.fsync(out.fileno())
            return out.tell()

    def close(self) -> None:
        """Let go of the pieces."""
        for _, spool in self._spools.values():
            spool.close()


class Arrays:
    """The arrays of one file; they stay valid when the file is removed.

    Raises:
        FileNotFoundError: The file is not there.
        IndexCorruptError: It is not ``length`` bytes long, or its directory is damaged; also raised later,
            by whatever looks at a damaged part.
    """

    def __init__(self, path: Path, length: int) -> None:
        self._name = path.name
        with path.open("rb") as file:
            if file.seek(0, 2) != length or length < _TAIL.size:
                raise self._damaged()
            self._source = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._end, start, listed, check, magic = _TAIL.unpack_from(self._source, length - _TAIL.size)
        end = self._source[self._end : length - _TAIL.size]
        if magic != _MAGIC or start + listed != length - _TAIL.size or crc32(end) != check:
            raise self._damaged()
        self._sums = np.frombuffer(self._source, "<u4", -(-self._end // BLOCK), self._end)
        # A row of bytes is asked several times faster than an array.
        self._proved = bytearray(len(self._sums))
        self._arrays: dict[str, tuple[Array, int]] = {
            name: (np.frombuffer(self._source, kind, count, offset), offset)
            for name, (kind, offset, count) in json.loads(end[start - self._end :]).items()
        }

    def __getitem__(self, name: str) -> Array:
        return self.take(name, slice(None))

    def take(self, name: str, at: slice | Array) -> Array:
        """Return some values of an array; no more of it is looked at than lies between them."""
        values, offset = self._arrays[name]
        if isinstance(at, slice):
            low, high, _ = at.indices(len(values))
        else:
            low, high = (int(at.min()), int(at.max()) + 1) if len(at) else (0, 0)
        self.prove(offset + low * values.itemsize, offset + high * values.itemsize)
        found: Array = values[at]
        return found

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
                data = view[block * BLOCK : min((block + 1) * BLOCK, self._end)]
                if not self._proved[block] and crc32(data) != self._sums[block]:
                    raise self._damaged()
                self._proved[block] = 1

    def _damaged(self) -> IndexCorruptError:
        return IndexCorruptError("'{name}' is damaged", name=self._name)
