"""One file at an open place: read settled, replaced in one step, never at the cost of another's write."""

import errno
import hashlib
import os
import secrets
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from app.errors import ConflictError, NoteExistsError, NoteNotFoundError, NoteUnreadableError, VaultError
from app.files.exchange import exchange
from app.walk import Place

# Without O_NONBLOCK, opening a FIFO would wait for a writer for ever.
READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
READ_ATTEMPTS = 3
TEMPORARY_PREFIX = ".vault-assistant-"

# Between a swap and its taking back, another writer of ours would build on what is about to go.
_replacing = threading.Lock()


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
        raise _conflict(path)


def stat_of(place: Place) -> os.stat_result:
    """Look at what stands at a place, not following a link."""
    return os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)


def stat_or_none(place: Place) -> os.stat_result | None:
    """Look at what stands at a place; None where there is nothing."""
    try:
        return stat_of(place)
    except FileNotFoundError:
        return None


@contextmanager
def temporary_file(place: Place, data: bytes, mode: int | None) -> Iterator[Place]:
    """Write `data` to the disk under a hidden name in the folder; remove that name afterwards."""
    name = hidden_name()
    # Not wider than the file it replaces, not even for a moment; a new file gets the usual mode.
    descriptor = os.open(name, CREATE_FLAGS, 0o666 if mode is None else 0o600, dir_fd=place.folder)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            view = memoryview(data)
            while view:
                view = view[file.write(view) :]
            if mode is not None:
                os.fchmod(descriptor, stat.S_IMODE(mode))
            os.fsync(descriptor)
        yield Place(place.folder, name, name)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=place.folder)


def replace(new: Place, place: Place, path: str, limit: int, expected_hash: str | None) -> None:
    """Put a new file in the place of an old one, which must have the expected content where one is given."""
    with _replacing:
        if expected_hash:
            check_hash(place, path, limit, expected_hash)
            # Somebody may write just now. A swap hands out what really stood there, to be looked at.
            ours = stat_of(new).st_ino
            if exchange(new.folder, new.name, place.name):
                if not _has_hash(new, path, limit, expected_hash):
                    _swap_back(new, place, ours)
                    raise _conflict(path)
                return
        os.replace(new.name, place.name, src_dir_fd=new.folder, dst_dir_fd=place.folder)


def _swap_back(taken: Place, place: Place, standing: int) -> None:
    """Put back what was taken down; whatever newer file came meanwhile has the last word."""
    returning = stat_of(taken).st_ino
    while True:
        exchange(taken.folder, taken.name, place.name)
        out = stat_of(taken).st_ino
        if out == standing:
            return
        standing, returning = returning, out


def _has_hash(place: Place, path: str, limit: int, expected: str) -> bool:
    try:
        content, settled = read_place(place, path, limit)
    except (VaultError, OSError):
        return False
    return settled and content_hash(content.data) == expected


def take_down(place: Place, taken: Place, path: str, limit: int, expected_hash: str) -> None:
    """Give a file with the expected content another name, in one step, which must be nobody else's.

    Raises:
        ConflictError: it has another content; it stands where it stood.
    """
    with _replacing:
        check_hash(place, path, limit, expected_hash)
        os.rename(place.name, taken.name, src_dir_fd=place.folder, dst_dir_fd=taken.folder)
        # Somebody may have written since the look; nobody finds the file under its new name to write to it.
        if _has_hash(taken, path, limit, expected_hash):
            return
        try:
            name_new(taken, place, path)
        except NoteExistsError:
            # A file that is newer still has the last word, as if it had replaced this one.
            os.unlink(taken.name, dir_fd=taken.folder)
        raise _conflict(path)


def hidden_name() -> str:
    """Make a name that nobody else uses or can foresee."""
    return TEMPORARY_PREFIX + secrets.token_hex(8)


def name_new(old: Place, new: Place, path: str) -> None:
    """Give a file another name, which must be free."""
    try:
        os.link(old.name, new.name, src_dir_fd=old.folder, dst_dir_fd=new.folder, follow_symlinks=False)
    except FileExistsError as error:
        raise exists_already(path) from error
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        # A disk without hard links: a look just before the renaming is the best it can do.
        if stat_or_none(new) is not None:
            raise exists_already(path) from error
        os.rename(old.name, new.name, src_dir_fd=old.folder, dst_dir_fd=new.folder)
    else:
        os.unlink(old.name, dir_fd=old.folder)


def _too_large(path: str, size: int, limit: int) -> NoteUnreadableError:
    return NoteUnreadableError(
        f"'{path}' is too large: {size} bytes", f"the setting 'max_note_bytes' allows {limit}"
    )


def _conflict(path: str) -> ConflictError:
    return ConflictError(f"'{path}' changed since it was read", "read it again; nothing was written")


def exists_already(path: str) -> NoteExistsError:
    """Say that a path is taken."""
    return NoteExistsError(f"there is a note at '{path}' already", "choose another path")
