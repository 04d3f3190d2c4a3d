"""One file at an open place, looked at and read settled."""

import hashlib
import os
import stat
from dataclasses import dataclass

from app.errors import ConflictError, NoteNotFoundError, NoteUnreadableError
from app.files.writers import others_write
from app.walk import Place

# Without O_NONBLOCK, opening a FIFO would wait for a writer for ever.
READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
READ_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file and its state just before they were read."""

    data: bytes
    stat: os.stat_result


def content_hash(data: bytes) -> str:
    """Name the content of a file: BLAKE2b of its bytes, 16 bytes long, as 32 hexadecimal digits."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def read_place(place: Place, path: str, limit: int) -> tuple[Content, bool]:
    """Read a file, again if it changed meanwhile; also tell whether it settled."""
    for _ in range(READ_ATTEMPTS):
        content, settled = _read_once(place, path, limit)
        if settled:
            break
    return content, settled


def _read_once(place: Place, path: str, limit: int) -> tuple[Content, bool]:
    # A device may act when opened, so it is looked at first.
    check_readable(stat_of(place), path, limit)
    descriptor = os.open(place.name, READ_FLAGS, dir_fd=place.folder)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        before = os.fstat(descriptor)
        check_readable(before, path, limit)
        parts: list[bytes] = []
        size = 0
        while part := file.read(min(limit + 1 - size, 1 << 20)):
            parts.append(part)
            size += len(part)
            if size > limit:
                raise _too_large(path, size, limit)
        after = os.fstat(descriptor)
    settled = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    return Content(b"".join(parts), before), settled


def check_readable(found: os.stat_result, path: str, limit: int | None) -> None:
    """Refuse what cannot be read as a file of at most `limit` bytes."""
    if stat.S_ISDIR(found.st_mode):
        raise NoteNotFoundError(f"no note at '{path}'", "that is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise NoteUnreadableError(f"'{path}' is not a regular file")
    if limit is not None and found.st_size > limit:
        raise _too_large(path, found.st_size, limit)


def check_hash(place: Place, path: str, limit: int, expected: str) -> None:
    """Refuse to go on where the file has not the expected content.

    Raises:
        ConflictError: it has another one, or is being written to.
    """
    content, settled = read_place(place, path, limit)
    if not settled or content_hash(content.data) != expected:
        raise conflict(path)


def stat_of(place: Place) -> os.stat_result:
    """Look at what stands at a place, not following a link."""
    return os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)


def stat_or_none(place: Place) -> os.stat_result | None:
    """Look at what stands at a place; None where there is nothing."""
    try:
        return stat_of(place)
    except FileNotFoundError:
        return None


def is_held(taken: Place, path: str) -> bool:
    """Wait a moment for whoever has a file open for writing; tell whether somebody still has."""
    check_readable(stat_of(taken), path, None)
    descriptor = os.open(taken.name, READ_FLAGS, dir_fd=taken.folder)
    try:
        return others_write(descriptor)
    finally:
        os.close(descriptor)


def _too_large(path: str, size: int, limit: int) -> NoteUnreadableError:
    return NoteUnreadableError(
        f"'{path}' is too large: {size} bytes", f"the setting 'max_note_bytes' allows {limit}"
    )


def conflict(path: str) -> ConflictError:
    """Say that a note is not what was read."""
    return ConflictError(f"'{path}' changed since it was read", "read it again; nothing was written")
