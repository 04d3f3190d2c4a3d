"""Files below one folder: read whole, written in one step, never outside of it."""

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from app.errors import (
    ConflictError,
    NoteExistsError,
    NoteNotFoundError,
    NoteUnreadableError,
    VaultError,
    WriteError,
)
from app.walk import Place, told, walked

# Without O_NONBLOCK, opening a FIFO would wait for a writer for ever.
READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
READ_ATTEMPTS = 3
TEMPORARY_PREFIX = ".vault-assistant-"


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file and its state just before they were read."""

    data: bytes
    stat: os.stat_result


def content_hash(data: bytes) -> str:
    """Name the content of a file: BLAKE2b of its bytes, 16 bytes long, as 32 hexadecimal digits."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def read_file(root: Path, path: str, limit: int) -> Content:
    """Read a regular file whole.

    Args:
        root: The folder nothing is read outside of; itself free of links.
        path: POSIX, relative to `root`.
        limit: The most bytes that are read.

    Raises:
        NoteNotFoundError: there is no such file.
        NoteUnreadableError: it is larger than `limit`, not a regular file, or access is refused.
        PathError: a link on the path leads out of `root`.
    """
    with told(path, NoteUnreadableError), walked(root, path) as place:
        return _read(place, path, limit)[0]


def real_path(root: Path, path: str) -> str:
    """Tell where an existing file really is below `root`, links resolved; raises as `read_file` does."""
    with told(path, NoteUnreadableError), walked(root, path) as place:
        _check_readable(_stat(place), path, None)
        return place.path


def file_mode(root: Path, path: str) -> int:
    """Give the permissions of an existing file; raises as `read_file` does."""
    with told(path, NoteUnreadableError), walked(root, path) as place:
        return stat.S_IMODE(_stat(place).st_mode)


def write_file(
    root: Path,
    path: str,
    data: bytes,
    *,
    limit: int,
    expected_hash: str | None = None,
    create: bool = False,
    mode: int | None = None,
) -> None:
    """Put `data` at a path in one step: a reader finds the old content or the new, whole.

    Missing folders are made. The mode of a file that was there is kept; another hard link to it keeps
    the old content.

    Args:
        root: The folder nothing is written outside of; itself free of links.
        path: POSIX, relative to `root`.
        data: The new content.
        limit: The most bytes read of the old content, to compare its hash.
        expected_hash: `content_hash` of what must be there.
        create: Whether the file must not exist yet.
        mode: Permissions of a file that was not there; by default those of any new file.

    Raises:
        NoteExistsError: `create`, and something is there.
        ConflictError: the content is not the expected one; nothing was written.
        NoteNotFoundError: a hash is expected and there is no file.
        WriteError: the system refuses, or the file is not a regular one or marked read-only.
        PathError: a link on the path leads out of `root`.
    """
    with told(path, WriteError), walked(root, path, create=not expected_hash) as place:
        before = _present(place)
        if create and before is not None:
            raise _exists(path)
        if before is None and expected_hash:
            raise NoteNotFoundError(f"no note at '{path}'")
        if before is not None:
            _check_writable(before, path)
        with _temporary(place, data, mode if before is None else before.st_mode) as temporary:
            if before is None:
                _name_new(temporary, place, path)
            else:
                if expected_hash:
                    _check_hash(place, path, limit, expected_hash)
                os.replace(temporary.name, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
        os.fsync(place.folder)


def remove_file(root: Path, path: str, *, limit: int, expected_hash: str | None = None) -> None:
    """Delete a file for good; raises as `write_file` does, and WriteError for a symbolic link."""
    with told(path, WriteError), walked(root, path, follow=False) as place:
        _check_readable(_stat(place), path, None)
        if expected_hash:
            _check_hash(place, path, limit, expected_hash)
        os.unlink(place.name, dir_fd=place.folder)
        os.fsync(place.folder)


def rename_file(root: Path, path: str, new_path: str) -> None:
    """Move a file within `root`, making missing folders.

    Raises:
        NoteExistsError: something is at `new_path`.
        NoteNotFoundError: nothing is at `path`.
        WriteError: the system refuses, or a symbolic link is at either path.
        PathError: a link on a path leads out of `root`.
    """
    with told(path, WriteError), walked(root, path, follow=False) as old:
        before = _stat(old)
        _check_readable(before, path, None)
        with walked(root, new_path, create=True, follow=False) as new:
            there = _present(new)
            if there is None:
                _name_new(old, new, new_path)
            elif os.path.samestat(there, before) and before.st_nlink == 1:
                # One file under two spellings: the disk ignores case, or only the Unicode form changes.
                name = new_path.rpartition("/")[2]
                os.rename(old.name, name, src_dir_fd=old.folder, dst_dir_fd=new.folder)
            else:
                raise _exists(new_path)
            os.fsync(new.folder)
        os.fsync(old.folder)


def remove_empty_folder(root: Path, path: str) -> None:
    """Remove a folder if nothing is in it; otherwise leave it."""
    with suppress(OSError, VaultError), walked(root, path, follow=False) as place:
        os.rmdir(place.name, dir_fd=place.folder)


def _read(place: Place, path: str, limit: int) -> tuple[Content, bool]:
    """Read a file, again if it changed meanwhile; also tell whether it settled."""
    for _ in range(READ_ATTEMPTS):
        content, settled = _read_once(place, path, limit)
        if settled:
            break
    return content, settled


def _read_once(place: Place, path: str, limit: int) -> tuple[Content, bool]:
    # A device may act when opened, so it is looked at first.
    _check_readable(_stat(place), path, limit)
    descriptor = os.open(place.name, READ_FLAGS, dir_fd=place.folder)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        before = os.fstat(descriptor)
        _check_readable(before, path, limit)
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


def _check_readable(found: os.stat_result, path: str, limit: int | None) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise NoteNotFoundError(f"no note at '{path}'", "that is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise NoteUnreadableError(f"'{path}' is not a regular file")
    if limit is not None and found.st_size > limit:
        raise _too_large(path, found.st_size, limit)


def _check_writable(found: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise WriteError(f"'{path}' is not a regular file")
    if not found.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise WriteError(f"'{path}' is marked read-only", "allow writing to the file first")


def _check_hash(place: Place, path: str, limit: int, expected: str) -> None:
    content, settled = _read(place, path, limit)
    if not settled or content_hash(content.data) != expected:
        raise ConflictError(f"'{path}' changed since it was read", "read it again; nothing was written")


def _stat(place: Place) -> os.stat_result:
    return os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)


def _present(place: Place) -> os.stat_result | None:
    try:
        return _stat(place)
    except FileNotFoundError:
        return None


@contextmanager
def _temporary(place: Place, data: bytes, mode: int | None) -> Iterator[Place]:
    """Write `data` to the disk under a hidden name in the folder; remove that name afterwards."""
    name = TEMPORARY_PREFIX + secrets.token_hex(8)
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


def _name_new(old: Place, new: Place, path: str) -> None:
    """Give a file another name, which must be free."""
    try:
        os.link(old.name, new.name, src_dir_fd=old.folder, dst_dir_fd=new.folder, follow_symlinks=False)
    except FileExistsError as error:
        raise _exists(path) from error
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        # A disk without hard links: a look just before the renaming is the best it can do.
        if _present(new) is not None:
            raise _exists(path) from error
        os.rename(old.name, new.name, src_dir_fd=old.folder, dst_dir_fd=new.folder)
    else:
        os.unlink(old.name, dir_fd=old.folder)


def _too_large(path: str, size: int, limit: int) -> NoteUnreadableError:
    return NoteUnreadableError(
        f"'{path}' is too large: {size} bytes", f"the setting 'max_note_bytes' allows {limit}"
    )


def _exists(path: str) -> NoteExistsError:
    return NoteExistsError(f"there is a note at '{path}' already", "choose another path")
