"""One file at an open place: read settled, replaced in one step, never at the cost of another's write."""

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from app.errors import NoteExistsError, VaultError
from app.files.attributes import Attributes, give
from app.files.exchange import exchange, rename_new
from app.files.reading import (
    Content,
    check_hash,
    conflict,
    content_hash,
    is_held,
    read_place,
    stat_of,
    stat_or_none,
)
from app.files.work import UNFINISHED, Work
from app.walk import Place

CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

# Between a swap and its taking back, another writer of ours would build on what is about to go.
_replacing = threading.Lock()


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
            work.warn(hidden.path, f"a hidden file beside it could not be removed ({error.strerror})")


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
        work.warn(path, f"the disk did not confirm it ({error.strerror}); a power failure now may undo it")


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
                    raise conflict(path)
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
        raise conflict(path)


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
    return NoteExistsError(f"there is a note at '{path}' already", "choose another path")
