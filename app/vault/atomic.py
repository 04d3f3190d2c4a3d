"""One file in an open folder: read when it is settled, replaced in one step, never over another's change."""

import errno
import hashlib
import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from app.errors import ConflictError, NoteExistsError, NoteNotFoundError, NoteUnreadableError, VaultError
from app.sentences import Sentence
from app.system import CREATE_FLAGS, READ_FLAGS, is_written_elsewhere
from app.vault.attributes import Attributes, give
from app.vault.walk import Place
from app.vault.work import UNFINISHED, Work

GRACE_SECONDS = 0.25
"""How long a program that is just saving a note is waited for."""
_STEP_SECONDS = 0.002

# Without O_NONBLOCK, opening a FIFO would wait for a writer for ever.
READ_ATTEMPTS = 3

# renameat2 of Linux and renameatx_np of macOS take the same arguments and the same flag for a swap.
_SWAP = 2
_NEW = 4 if sys.platform == "darwin" else 1
_UNABLE = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM)

# Between a swap and its taking back, another writer of ours would build on what is about to go.
_replacing = threading.Lock()


def _others_write(descriptor: int, patience: float = GRACE_SECONDS) -> bool:
    """Find out whether another program has an open file open for writing, and wait a moment for it to end.

    Not on Linux, and on disks that know no leases, nobody can tell, and the answer is no.

    Args:
        descriptor: The file, opened for reading only, under a name that nobody else finds.
        patience: Seconds to wait for the other program.
    """
    until = time.monotonic() + patience
    while is_written_elsewhere(descriptor):
        if time.monotonic() >= until:
            return True
        time.sleep(_STEP_SECONDS)
    return False


class Content(NamedTuple):
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
    try:
        before = os.fstat(descriptor)
        check_readable(before, path, limit)
        parts: list[bytes] = []
        size = 0
        # One byte more than there should be, which a file that grew meanwhile gives.
        asked = before.st_size + 1
        while part := os.read(descriptor, min(asked, limit + 1 - size)):
            parts.append(part)
            size += len(part)
            if size > limit:
                raise _too_large(path, size, limit)
            if size == before.st_size:
                break
            asked = 1 << 20
        after = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    settled = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    return Content(b"".join(parts), before), settled


def check_readable(found: os.stat_result, path: str, limit: int | None) -> None:
    """Refuse what cannot be read as a file of at most `limit` bytes."""
    if stat.S_ISDIR(found.st_mode):
        raise NoteNotFoundError("no note at '{path}'", "that is a folder", path=path)
    if not stat.S_ISREG(found.st_mode):
        raise NoteUnreadableError("'{path}' is not a regular file", path=path)
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


def is_held(taken: Place, path: str) -> bool:
    """Wait a moment for whoever has a file open for writing; tell whether somebody still has."""
    check_readable(stat_of(taken), path, None)
    descriptor = os.open(taken.name, READ_FLAGS, dir_fd=taken.folder)
    try:
        return _others_write(descriptor)
    finally:
        os.close(descriptor)


def _too_large(path: str, size: int, limit: int) -> NoteUnreadableError:
    return NoteUnreadableError(
        "'{path}' is too large: {size} bytes",
        "the setting 'max_note_bytes' allows {limit}",
        path=path,
        size=size,
        limit=limit,
    )


def _conflict(path: str) -> ConflictError:
    """Say that a note is not what was read."""
    return ConflictError(
        "'{path}' changed since it was read", "read it again; nothing was written", path=path
    )


def exchange(folder: int, name: str, other: str) -> bool:
    """Swap what two names in an open folder stand for.

    Args:
        folder: Descriptor of the folder.
        name: One name in it.
        other: The other.

    Returns:
        Whether it was done; False where the system or the disk cannot.

    Raises:
        OSError: one of the names is missing, or the system refuses.
    """
    return _rename(folder, name, folder, other, _SWAP)


def rename_new(folder: int, name: str, new_folder: int, new_name: str) -> bool:
    """Rename a file to a name that must be free.

    Returns:
        Whether it was done; False where the system or the disk cannot.

    Raises:
        FileExistsError: the name is taken.
        OSError: the file is missing, or the system refuses.
    """
    return _rename(folder, name, new_folder, new_name, _NEW)


def _rename(folder: int, name: str, new_folder: int, new_name: str, flag: int) -> bool:
    call = _system_call()
    if call is None:
        return False
    import ctypes

    if call(folder, os.fsencode(name), new_folder, os.fsencode(new_name), flag) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNABLE:
        return False
    raise OSError(number, os.strerror(number), new_name)


@cache
def _system_call() -> Callable[..., Any] | None:
    import ctypes

    name = {"linux": "renameat2", "darwin": "renameatx_np"}.get(sys.platform)
    call = getattr(ctypes.CDLL(None, use_errno=True), name, None) if name else None
    if call is not None:
        call.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
        call.restype = ctypes.c_int
    return call


@contextmanager
def temporary_file(place: Place, data: bytes, attributes: Attributes | None, work: Work) -> Iterator[Place]:
    """Write `data` to the disk under a hidden name in the folder; remove what stands there afterwards.

    While the file is not whole its name says so, so that no crash leaves a piece that looks like a text.
    """
    whole = work.hidden_name(place.path)
    name = whole + UNFINISHED
    # Not wider than the file it replaces, not even for a moment; a new file gets the usual mode.
    descriptor = os.open(name, CREATE_FLAGS, 0o666 if attributes is None else 0o600, dir_fd=place.folder)
    done, ours = False, 0
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            ours = os.fstat(descriptor).st_ino
            view = memoryview(data)
            while view:
                view = view[file.write(view) :]
            if attributes is not None:
                give(descriptor, attributes)
            os.fsync(descriptor)
        os.rename(name, whole, src_dir_fd=place.folder, dst_dir_fd=place.folder)
        name = whole
        yield Place(place.folder, name, place.path)
        done = True
    finally:
        # After a failure what stands here may be what was taken down, which must not go.
        if name not in work.left and (done or name != whole or _is_file(place.folder, name, ours)):
            discard(Place(place.folder, name, place.path), work, warn=done)


def discard(hidden: Place, work: Work, *, warn: bool) -> None:
    """Remove a hidden name that is of no more use; where that fails, it is left for later."""
    try:
        os.unlink(hidden.name, dir_fd=hidden.folder)
    except FileNotFoundError:
        return
    except OSError as error:
        work.left.add(hidden.name)
        if warn:
            said = Sentence("a hidden file beside it could not be removed ({reason})", reason=error.strerror)
            work.warn(hidden.path, said)


def _is_file(folder: int, name: str, number: int) -> bool:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_ino == number
    except OSError:
        return False


def confirm(folder: int, path: str, work: Work) -> None:
    """Have the disk confirm the names in a folder; a write is done whatever it answers."""
    try:
        os.fsync(folder)
    except OSError as error:
        said = Sentence(
            "the disk did not confirm it ({reason}); a power failure now may undo it", reason=error.strerror
        )
        work.warn(path, said)


def replace(new: Place, place: Place, path: str, limit: int, expected_hash: str | None, work: Work) -> None:
    """Put a new file in the place of an old one, which must have the expected content where one is given."""
    with _replacing:
        if expected_hash:
            check_hash(place, path, limit, expected_hash)
            # Somebody may write just now. A swap hands out what really stood there, to be looked at.
            ours = stat_of(new).st_ino
            if exchange(new.folder, new.name, place.name):
                if not _has_hash(new, path, limit, expected_hash, work):
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


def _has_hash(taken: Place, path: str, limit: int, expected: str, work: Work) -> bool:
    """Compare a file that was just taken down, once nobody who had it open can write to it any more.

    A program that keeps it open has the file left under its hidden name, to be looked at again later.
    """
    try:
        content, settled, held = _read_last(taken, path, limit)
    except (VaultError, OSError):
        return False
    if not settled or content_hash(content.data) != expected:
        return False
    if held and work.mark:
        work.left.add(taken.name)
    return True


def _read_last(taken: Place, path: str, limit: int) -> tuple[Content, bool, bool]:
    """Read a file under a name that nobody else finds; also tell whether it settled, and is held open."""
    held = is_held(taken, path)
    return *read_place(taken, path, limit), held


def take_down(place: Place, taken: Place, path: str, limit: int, expected_hash: str, work: Work) -> None:
    """Give a file with the expected content another name, in one step, which must be nobody else's.

    Raises:
        ConflictError: it has another content; it stands where it stood.
    """
    with _replacing:
        check_hash(place, path, limit, expected_hash)
        os.rename(place.name, taken.name, src_dir_fd=place.folder, dst_dir_fd=taken.folder)
        # Somebody may have written since the look; nobody finds the file under its new name to write to it.
        if _has_hash(taken, path, limit, expected_hash, work):
            return
        try:
            name_new(taken, place, path)
        except NoteExistsError:
            # A file that is newer still has the last word, as if it had replaced this one.
            os.unlink(taken.name, dir_fd=taken.folder)
        raise _conflict(path)


def name_new(old: Place, new: Place, path: str) -> None:
    """Give a file another name, which must be free."""
    try:
        if rename_new(old.folder, old.name, new.folder, new.name):
            return
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


def exists_already(path: str) -> NoteExistsError:
    """Say that a path is taken."""
    return NoteExistsError("there is a note at '{path}' already", "choose another path", path=path)
