"""The way to a file below one folder, walked name by name so that a link swapped in leads nowhere.

No path is ever handed to the system whole: each folder on it is opened relative to the one above,
without following links. A symbolic link is read, checked and walked like the path it stands for.
"""

import errno
import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from app.errors import NoteNotFoundError, NoteUnreadableError, PathError, VaultError, WriteError
from app.sentences import reason_of
from app.system import FOLDER_FLAGS
from app.vault.paths import nfc

MAX_LINKS = 40

_LINK_ERRORS = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)


def _real_name(folder: int, name: str) -> str:
    """Find under which Unicode form a folder holds a name; the name itself where it holds none."""
    if name.isascii():
        return name
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return min((entry for entry in os.listdir(folder) if nfc(entry) == name), default=name)
    return name


class Place(NamedTuple):
    """Where a file is or would be: an open folder and the name in it."""

    folder: int
    name: str
    path: str
    """Relative to the root, links resolved, NFC."""


@contextmanager
def walked(
    root: Path, path: str, *, create: bool = False, follow: bool = True, missing: bool = False
) -> Iterator[Place]:
    """Walk to the place of `path` and keep its folder open meanwhile.

    Args:
        root: The folder that is never left; itself free of links.
        path: POSIX, relative to `root`.
        create: Whether missing folders are made.
        follow: Whether a link at the very end is followed, inside `root`; otherwise it is refused.
        missing: Whether the walk may end at a folder that is not there; the place is then that folder's,
            but for its `path`, which is where the whole way would lead.

    Raises:
        PathError: a link leads out of `root` or in a circle.
        IsADirectoryError: the path is `root` itself.
        WriteError: a link at the end, where it is not followed.
        OSError: as the system says it; see `told`.
    """
    folders = [os.open(root, FOLDER_FLAGS)]
    names: list[str] = []
    todo = deque(path.split("/"))
    links = 0
    ended = False
    try:
        while todo:
            name = todo.popleft()
            if name in ("", "."):
                continue
            if name == "..":
                if not names:
                    raise _outside(path)
                os.close(folders.pop())
                names.pop()
                continue
            name = _real_name(folders[-1], name)
            target = _link_target(folders[-1], name)
            if target is None and not todo:
                yield Place(folders[-1], name, nfc("/".join([*names, name])))
                return
            links += target is not None
            if links > MAX_LINKS:
                raise PathError("the symbolic links on '{path}' lead in a circle", path=path)
            if target is None:
                try:
                    folders.append(_open_folder(folders[-1], name, create=create))
                    names.append(name)
                except FileNotFoundError:
                    # What comes after ".." is there again, and may be a link.
                    if not missing or ".." in todo:
                        raise
                    ended = True
                except OSError as error:
                    if error.errno not in _LINK_ERRORS or _link_target(folders[-1], name) is None:
                        raise
                    # A link was swapped in between the look and the opening: look again.
                    links += 1
                    todo.appendleft(name)
                if ended:
                    rest = [part for part in todo if part not in ("", ".")]
                    yield Place(folders[-1], name, nfc("/".join([*names, name, *rest])))
                    return
            elif not todo and not follow:
                raise WriteError("'{path}' is a symbolic link", "name the note it leads to", path=path)
            elif target.startswith("/"):
                while names:
                    os.close(folders.pop())
                    names.pop()
                todo.extendleft(reversed(_below(root, target, path)))
            else:
                todo.extendleft(reversed(target.split("/")))
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    finally:
        for folder in folders:
            os.close(folder)


def _open_folder(parent: int, name: str, *, create: bool) -> int:
    if create:
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=parent)
    return os.open(name, FOLDER_FLAGS, dir_fd=parent)


def _link_target(folder: int, name: str) -> str | None:
    try:
        return os.readlink(name, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise


def _below(root: Path, target: str, path: str) -> list[str]:
    """Express an absolute link target relative to `root`."""
    for base in (target, os.path.realpath(target)):
        if base == str(root) or base.startswith(f"{root}/"):
            return base[len(str(root)) :].split("/")
    raise _outside(path)


@contextmanager
def told(path: str, refused: type[VaultError]) -> Iterator[None]:
    """Turn what the system says into our own errors."""
    try:
        yield
    except FileNotFoundError as error:
        raise NoteNotFoundError("no note at '{path}'", path=path) from error
    except IsADirectoryError as error:
        raise PathError("'{path}' is a folder", "name a file", path=path) from error
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise PathError(
                "a name on '{path}…' is too long for the disk", "shorten it", path=path[:80]
            ) from error
        if error.errno in _LINK_ERRORS and refused is NoteUnreadableError:
            raise NoteNotFoundError(
                "no note at '{path}'", "a file or link is in the way", path=path
            ) from error
        raise refused("cannot access '{path}': {reason}", path=path, reason=reason_of(error)) from error


def _outside(path: str) -> PathError:
    return PathError(
        "a symbolic link on '{path}' leads outside the vault", "only files inside it are used", path=path
    )
