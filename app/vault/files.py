"""Files named by their path below one folder: read whole, written in one step, never outside of it."""

import errno
import os
import stat
from contextlib import ExitStack
from pathlib import Path

from app.errors import NoteNotFoundError, NoteUnreadableError, VaultError, WriteError
from app.system import READ_FLAGS
from app.vault.atomic import (
    Content,
    check_readable,
    confirm,
    discard,
    exists_already,
    name_new,
    read_place,
    replace,
    stat_of,
    stat_or_none,
    take_down,
    temporary_file,
)
from app.vault.attributes import Attributes, attributes_of
from app.vault.walk import Place, told, walked
from app.vault.work import Work


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
        return read_place(place, path, limit)[0]


def read_part(root: Path, path: str, first: int, last: int) -> bytes:
    """Read the bytes of a regular file from one place to another, both counted from 0 and included.

    Fewer come where the file ends before; raises as `read_file` does.
    """
    with told(path, NoteUnreadableError), walked(root, path) as place:
        check_readable(stat_of(place), path, None)
        with os.fdopen(os.open(place.name, READ_FLAGS, dir_fd=place.folder), "rb") as file:
            check_readable(os.fstat(file.fileno()), path, None)
            file.seek(first)
            return file.read(last - first + 1)


def file_size(root: Path, path: str) -> int:
    """Return the bytes of an existing regular file; raises as `read_file` does."""
    with told(path, NoteUnreadableError), walked(root, path) as place:
        found = stat_of(place)
        check_readable(found, path, None)
        return found.st_size


def real_path(root: Path, path: str) -> str:
    """Return where an existing file really is below `root`, links resolved; raises as `read_file` does."""
    with told(path, NoteUnreadableError), walked(root, path) as place:
        check_readable(stat_of(place), path, None)
        return place.path


def future_path(root: Path, path: str) -> str:
    """Tell where a file that may not be there yet, like the folders above it, would be made, links resolved.

    Raises:
        WriteError: the system refuses to look.
        PathError: a link on the path leads out of `root`.
    """
    with told(path, WriteError), walked(root, path, missing=True) as place:
        return place.path


def file_attributes(root: Path, path: str) -> Attributes:
    """Read what an existing file has besides its bytes; raises as `read_file` does."""
    with told(path, NoteUnreadableError), walked(root, path) as place:
        return _attributes(place, path)


def _attributes(place: Place, path: str) -> Attributes:
    check_readable(stat_of(place), path, None)
    descriptor = os.open(place.name, READ_FLAGS, dir_fd=place.folder)
    try:
        return attributes_of(descriptor)
    finally:
        os.close(descriptor)


def write_file(
    root: Path,
    path: str,
    data: bytes,
    *,
    limit: int,
    expected_hash: str | None = None,
    create: bool = False,
    attributes: Attributes | None = None,
    work: Work | None = None,
) -> None:
    """Put `data` at a path in one step: a reader finds the old content or the new, whole.

    Missing folders are made. Permissions, owner and extended attributes of a file that was there are kept
    as far as disk and user can; another hard link to it keeps the old content.

    Args:
        root: The folder nothing is written outside of; itself free of links.
        path: POSIX, relative to `root`.
        data: The new content.
        limit: The most bytes read of the old content, to compare its hash.
        expected_hash: `content_hash` of what must be there.
        create: Whether the file must not exist yet.
        attributes: Those of a file that was not there, by default those of any new file; of one that was
            there, only the time of change is taken from them.
        work: Marks hidden names, and is told what failed after the file was in its place.

    Raises:
        NoteExistsError: `create`, and something is there.
        ConflictError: the content is not the expected one; nothing was written.
        NoteNotFoundError: a hash is expected and there is no file.
        WriteError: the system refuses, or the file is not a regular one or marked read-only.
        PathError: a link on the path leads out of `root`.
    """
    work = work or Work()
    with told(path, WriteError), walked(root, path, create=not expected_hash) as place:
        before = stat_or_none(place)
        if create and before is not None:
            raise exists_already(path)
        if before is None and expected_hash:
            raise NoteNotFoundError("no note at '{path}'", path=path)
        if before is not None:
            _check_writable(before, path)
            attributes = _attributes(place, path).changed_at(attributes.mtime_ns if attributes else None)
        with temporary_file(place, data, attributes, work) as temporary:
            if before is None:
                name_new(temporary, place, path)
            else:
                replace(temporary, place, path, limit, expected_hash, work)
        confirm(place.folder, path, work)


def remove_file(
    root: Path, path: str, *, limit: int, expected_hash: str | None = None, work: Work | None = None
) -> None:
    """Delete a file for good; raises as `write_file` does, and WriteError for a symbolic link."""
    work = work or Work()
    if expected_hash is None:
        with told(path, WriteError), walked(root, path, follow=False) as place:
            check_readable(stat_of(place), path, None)
            os.unlink(place.name, dir_fd=place.folder)
            confirm(place.folder, path, work)
        return
    aside = set_aside(root, path, limit=limit, expected_hash=expected_hash, work=work)
    with told(path, WriteError), walked(root, aside, follow=False) as taken:
        # A program that still has the file open may write to it: it stays until that one is done.
        if taken.name not in work.left:
            discard(Place(taken.folder, taken.name, path), work, warn=True)
    remove_aside(root, aside, work)


def set_aside(root: Path, path: str, *, limit: int, expected_hash: str, work: Work | None = None) -> str:
    """Move a file into a new hidden folder beside it, under its own name; raises as `remove_file` does.

    Nobody can foresee the path that it has then, so nobody can have put a link there to lead out of `root`.

    Returns:
        The new path.
    """
    work = work or Work()
    with told(path, WriteError), walked(root, path, follow=False) as place:
        check_readable(stat_of(place), path, None)
        folder = f"{place.path.rpartition('/')[0]}/{work.hidden_name(place.path)}".lstrip("/")
        try:
            with walked(root, f"{folder}/{place.name}", create=True, follow=False) as taken:
                take_down(place, taken, path, limit, expected_hash, work)
                confirm(place.folder, path, work)
                return taken.path
        except (VaultError, OSError):
            remove_empty_folder(root, folder)
            raise


def remove_aside(root: Path, aside: str, work: Work) -> None:
    """Remove the hidden folder that a file was set aside in; what cannot go yet is left for later."""
    folder = aside.rpartition("/")[0]
    if not remove_empty_folder(root, folder):
        work.left.add(folder)


def rename_file(root: Path, path: str, new_path: str, *, work: Work | None = None) -> None:
    """Move a file within `root`, making missing folders.

    Raises:
        NoteExistsError: something is at `new_path`.
        NoteNotFoundError: nothing is at `path`.
        WriteError: the system refuses, or a symbolic link is at either path.
        PathError: a link on a path leads out of `root`.
    """
    work = work or Work()
    with told(path, WriteError), walked(root, path, follow=False) as old, ExitStack() as opened:
        before = stat_of(old)
        check_readable(before, path, None)
        with told(new_path, WriteError):
            new = opened.enter_context(walked(root, new_path, create=True, follow=False))
        there = stat_or_none(new)
        if there is None:
            name_new(old, new, new_path)
        elif os.path.samestat(there, before) and before.st_nlink == 1:
            # One file under two spellings: the disk ignores case, or only the Unicode form changes.
            name = new_path.rpartition("/")[2]
            os.rename(old.name, name, src_dir_fd=old.folder, dst_dir_fd=new.folder)
        else:
            raise exists_already(new_path)
        confirm(new.folder, new_path, work)
        confirm(old.folder, new_path, work)


def remove_empty_folder(root: Path, path: str) -> bool:
    """Remove a folder if nothing is in it; return False where it is empty and the system refuses."""
    try:
        with walked(root, path, follow=False) as place:
            os.rmdir(place.name, dir_fd=place.folder)
    except OSError as error:
        return error.errno in (errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR)
    except VaultError:
        # A link on the way: it is not the folder that was made.
        return True
    return True


def _check_writable(found: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise WriteError("'{path}' is not a regular file", path=path)
    if not found.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise WriteError("'{path}' is marked read-only", "allow writing to the file first", path=path)
