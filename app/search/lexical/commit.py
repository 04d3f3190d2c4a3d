"""A commit: the file that names the segments of the index, and the folder it stands in. It is data alone."""

import json
import os
import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.errors import IndexCorruptError
from app.search.lexical.arrays import ArrayFileWriter, Arrays
from app.search.lexical.segment import ArraySegment, SegmentFile

if TYPE_CHECKING:
    from filelock import FileLock

FORMAT = 4
"""Raised when what stands in the folder changes, so that older indexes are made anew."""

COMMIT = re.compile(r"(\d{1,18})\.commit")
LOCK = "write.lock"
NAME = re.compile(r"[0-9a-z]{1,32}")
MOST_SEGMENTS = 10_000
MOST_DOCUMENTS = 1 << 32

UNREADABLE = (
    OSError, struct.error, ValueError, TypeError, LookupError, AttributeError,
    ArithmeticError, RecursionError, MemoryError,
)  # fmt: skip
"""What reading a file that is damaged, or not what it claims to be, can raise."""


class SegmentList(list[ArraySegment]):
    """The segments of one commit, with the caller's record of the vault."""

    vault_data: bytes = b""


def write_lock(folder: Path) -> "FileLock":
    """Return the lock of whoever writes the index; it ends with its process."""
    from filelock import FileLock

    return FileLock(folder / LOCK, mode=0o600, thread_local=False, is_singleton=False)


def latest_generation(folder: Path) -> int:
    """Return the number of the last commit, -1 where there is none; one listing of the folder."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - asked before each search
    except FileNotFoundError:
        return -1
    numbers = (found[1] for name in names if (found := COMMIT.fullmatch(name)))
    return max(map(int, numbers), default=-1)


def read_commit(folder: Path) -> tuple[int, SegmentList]:
    """Read the last commit.

    Raises:
        FileNotFoundError: A later one replaced it meanwhile.
        IndexCorruptError: It cannot be read.
    """
    generation = latest_generation(folder)
    try:
        return generation, _read(folder / f"{generation}.commit")
    except (FileNotFoundError, IndexCorruptError):
        raise
    except UNREADABLE as error:
        raise IndexCorruptError(
            "the index in '{folder}' cannot be read ({reason})", folder=folder, reason=error
        ) from error


def _read(path: Path) -> SegmentList:
    arrays = Arrays(path)
    listed = json.loads(arrays["segments"].tobytes())
    if listed["format"] != FORMAT:
        raise IndexCorruptError("'{name}' was made by another version", name=path.name)
    if len(listed["segments"]) > MOST_SEGMENTS:
        raise IndexCorruptError(
            "'{name}' names more than {most_segments} segments", name=path.name, most_segments=MOST_SEGMENTS
        )
    segments = SegmentList()
    for at, (name, count, length) in enumerate(listed["segments"]):
        if not NAME.fullmatch(name) or not 0 <= count < MOST_DOCUMENTS or length < 0:
            raise IndexCorruptError(
                "'{name}' names a segment '{segment}' that cannot be", name=path.name, segment=name
            )
        segment, bits = ArraySegment(count, length, name), arrays[f"dead.{at}"]
        if len(bits) not in (0, -(-count // 8)):
            raise IndexCorruptError(
                "'{name}' does not say which documents of '{segment}' are deleted",
                name=path.name,
                segment=name,
            )
        # Where no bits are kept, none is deleted.
        if len(bits):
            segment.dead = np.unpackbits(bits, count=count).astype(np.bool_)
        segments.append(segment)
    segments.vault_data = arrays["vault"].tobytes()
    return segments


def write_commit(folder: Path, generation: int, segments: SegmentList) -> None:
    """Publish a commit in one rename, then remove every file that it does not name."""
    listed = [(segment.segid, segment.count, segment.length) for segment in segments]
    new, final = folder / f"{generation}.new", folder / f"{generation}.commit"
    # A killed commit may have left it, and whoever comes here holds the lock.
    new.unlink(missing_ok=True)
    with ArrayFileWriter(new) as out:
        out.add_bytes("segments", json.dumps({"format": FORMAT, "segments": listed}).encode())
        out.add_bytes("vault", segments.vault_data)
        for at, segment in enumerate(segments):
            out.add(f"dead.{at}", np.packbits(segment.dead)[: None if segment.dead.any() else 0])
        out.finish()
    new.replace(final)
    kept = {final.name, LOCK, *(segment.filename for segment in segments)}
    for path in folder.iterdir():
        if path.name not in kept and not path.is_dir():
            path.unlink(missing_ok=True)


def open_segment(folder: Path, segment: ArraySegment) -> SegmentFile:
    """Map the file of a segment.

    Raises:
        FileNotFoundError: A later commit removed it.
        IndexCorruptError: It cannot be read.
    """
    try:
        file = SegmentFile(folder / segment.filename, segment.length)
    except (FileNotFoundError, IndexCorruptError):
        raise
    except UNREADABLE as error:
        raise IndexCorruptError(
            "'{filename}' cannot be read ({reason})", filename=segment.filename, reason=repr(error)
        ) from error
    if file.count != segment.count:
        raise IndexCorruptError(
            "'{filename}' holds {count} documents, not {known}",
            filename=segment.filename,
            count=file.count,
            known=segment.count,
        )
    return file
