"""Byte strings pressed one by one, so that each is read alone; what they have in common is learnt before."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import zstandard

from app.errors import IndexCorruptError
from app.search.lexical.arrays import ArrayFileWriter, Arrays, narrow
from app.search.lexical.postings import prefix_sums

LEVEL: Final = 3
MOST_LEARNT: Final = 1 << 16
"""Bytes of what is learnt at most: it is kept in memory, and in the file."""
LEAST_LEARNT: Final = 1 << 12
LEARNT_SHARE: Final = 8
"""It is learnt from so many times its size."""
SAMPLES: Final = 1024
FEWEST_SAMPLES: Final = 64
SAMPLE_BYTES: Final = 2048
PIECE: Final = 256
HASHED: Final = 8
"""Bytes of a piece that is learnt, and of what is counted to choose it. Without them the library tries
several, in four times the time, and learns nothing better."""
AT_ONCE: Final = 1024


def write_packed(out: ArrayFileWriter, name: str, blobs: Sequence[bytes]) -> None:
    """Write byte strings one after the other, each packed, where each starts, and what was learnt of them."""
    learnt = _learnt(blobs)
    packer = zstandard.ZstdCompressor(LEVEL, dict_data=_words(learnt), write_dict_id=False)
    sizes = np.zeros(len(blobs), np.int64)
    for start in range(0, len(blobs), AT_ONCE):
        numbers = range(start, min(start + AT_ONCE, len(blobs)))
        packed = [packer.compress(blob) if (blob := blobs[at]) else b"" for at in numbers]
        sizes[numbers.start : numbers.stop] = list(map(len, packed))
        out.add_bytes(name, b"".join(packed))
    out.add_bytes(name, b"")
    out.add(f"{name}.at", narrow(prefix_sums(sizes)))
    out.add_bytes(f"{name}.learnt", learnt)


def _learnt(blobs: Sequence[bytes]) -> bytes:
    """Return what some of many byte strings have in common; nothing of few."""
    chosen = range(0, len(blobs), max(1, len(blobs) // SAMPLES))
    samples: list[bytes | bytearray | memoryview] = [
        blob[:SAMPLE_BYTES] for at in chosen if (blob := blobs[at])
    ]
    size = min(MOST_LEARNT, sum(map(len, samples)) // LEARNT_SHARE)
    if len(samples) < FEWEST_SAMPLES or size < LEAST_LEARNT:
        return b""
    try:
        return zstandard.train_dictionary(size, samples, k=PIECE, d=HASHED).as_bytes()
    except zstandard.ZstdError:
        # They are too much alike to learn from, and are pressed well without.
        return b""


def _words(learnt: bytes) -> zstandard.ZstdCompressionDict | None:
    return zstandard.ZstdCompressionDict(learnt) if learnt else None


class Packed:
    """Byte strings that follow one another in a file, unpacked one by one; safe to use from many threads."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        self._name, self._at, self._bytes = name, arrays[f"{name}.at"], arrays.part_by_part(name)
        self._learnt = _words(arrays[f"{name}.learnt"].tobytes())
        # One of them is used by one thread at a time.
        self._unpackers: list[zstandard.ZstdDecompressor] = []

    def __len__(self) -> int:
        return len(self._at) - 1

    def __getitem__(self, number: int) -> bytes:
        """Return one of them.

        Raises:
            IndexCorruptError: It cannot be unpacked.
        """
        packed = self._bytes[int(self._at[number]) : int(self._at[number + 1])]
        if not len(packed):
            return b""
        try:
            unpacker = self._unpackers.pop()
        except IndexError:
            unpacker = zstandard.ZstdDecompressor(dict_data=self._learnt)
        try:
            found = unpacker.decompress(packed.data)
        except zstandard.ZstdError as error:
            raise IndexCorruptError(
                "number {number} of {name} cannot be unpacked ({reason})",
                number=number,
                name=self._name,
                reason=error,
            ) from error
        self._unpackers.append(unpacker)
        return found
