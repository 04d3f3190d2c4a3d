"""What a write has left under hidden names in a folder."""

import os
from dataclasses import dataclass
from pathlib import Path

from app.errors import NoteNotFoundError, NoteUnreadableError
from app.system import FOLDER_FLAGS
from app.vault.atomic import is_held
from app.vault.paths import nfc
from app.vault.walk import told, walked
from app.vault.work import UNFINISHED, hidden_prefix


@dataclass(frozen=True, slots=True)
class Hidden:
    """A hidden file, or a hidden folder in which a file was set aside."""

    path: str
    sign: str
    """`path_sign` of the path that it was made for."""
    unfinished: bool
    """Whether it is a file that was never written whole."""
    held: tuple[str, ...] | None
    """Names in the folder; None for a file."""


def hidden_by(root: Path, folder: str, mark: str) -> list[Hidden]:
    """List what a write has left in a folder; nothing where the folder is not there.

    Args:
        root: The folder nothing is looked at outside of.
        folder: POSIX, relative to `root`; empty for `root` itself.
        mark: The write's mark; see `Work`.

    Raises:
        NoteUnreadableError: the folder cannot be listed.
        PathError: a link on the way leads out of `root`.
    """
    start = hidden_prefix(mark)
    found: list[Hidden] = []
    try:
        with told(folder, NoteUnreadableError), walked(root, f"{folder}/{start}".lstrip("/")) as place:
            for name in sorted(os.listdir(place.folder)):  # noqa: PTH208 - an open folder
                if name.startswith(start):
                    sign = name.removeprefix(start).partition("-")[0]
                    path = f"{folder}/{name}".lstrip("/")
                    inside = _names_in(place.folder, name)
                    found.append(Hidden(path, sign, name.endswith(UNFINISHED), inside))
    except NoteNotFoundError:
        return []
    return found


def _names_in(parent: int, name: str) -> tuple[str, ...] | None:
    try:
        folder = os.open(name, FOLDER_FLAGS, dir_fd=parent)
    except NotADirectoryError:
        return None
    try:
        return tuple(sorted(os.listdir(folder)))  # noqa: PTH208
    finally:
        os.close(folder)


def is_held_open(root: Path, path: str) -> bool:
    """Find out whether another program has a hidden file open for writing, after a moment's wait."""
    with told(path, NoteUnreadableError), walked(root, path, follow=False) as place:
        return is_held(place, path)


def has_name(root: Path, path: str) -> bool:
    """Find out whether a folder lists a name in exactly this case; a disk may open it in any."""
    try:
        with told(path, NoteUnreadableError), walked(root, path) as place:
            return place.path.rpartition("/")[2] in map(nfc, os.listdir(place.folder))  # noqa: PTH208
    except NoteNotFoundError:
        return False
