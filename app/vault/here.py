"""Paths as a person at a terminal types them and as other programs open them: from the working folder."""

import os
from collections.abc import Callable
from pathlib import Path

from app.vault.paths import NOTE_SUFFIX, is_note_name, path_key


def working_folder() -> str:
    """Return the working folder; empty where it is gone."""
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return ""


def note_from(root: Path, folder: str, written: str) -> str:
    """Return the name of a note as it was typed in a folder, so that it means the same from the vault's root.

    What begins with ``./`` or ``../`` is meant from the working folder, where that lies in the vault. Any
    other path is, where a file is found there by it, with its ending or without. An absolute path is one of
    this computer where it leads into the vault. Whatever is none of these stays as it is, and what leads out
    of the vault does too: whoever looks for a note refuses that.

    Args:
        root: The vault's folder, links on the way to it followed.
        folder: The working folder; empty where it is gone.
        written: What was typed.

    Returns:
        ``./`` and the path from the root, or ``written`` itself.
    """
    return _meant(root, folder, written, _is_note)


def folder_from(root: Path, folder: str, written: str) -> str:
    """Return the name of a folder as `note_from` does that of a note."""
    return _meant(root, folder, written, os.path.isdir)


def scope_from(root: Path, folder: str, written: str) -> str:
    """Return the path of a note or of a folder as `note_from` does; globs and the like stay as they are."""
    return _meant(root, folder, written, lambda place: _is_note(place) or os.path.isdir(place))  # noqa: PTH112


def target_from(root: Path, folder: str, written: str) -> str:
    """Return the path of what is to be made, or of the folder that it goes into.

    A folder of that name is meant, in the working folder or else in the vault's root; where there is none, a
    name in the working folder, or below a folder that is found there.
    """
    here = _meant(root, folder, written, os.path.isdir)
    if here != written or os.path.isdir(root / written):  # noqa: PTH112 - no folder where a name is too long
        return here
    return _meant(root, folder, written, lambda place: os.path.isdir(os.path.dirname(place)))  # noqa: PTH112, PTH120


def path_from(root: Path, folder: str, path: str) -> str:
    """Return the path of a file in the vault as a program that is started in a folder opens it.

    It is written from that folder where this lies in the vault or above it, and whole elsewhere.
    """
    place = str(root / path)
    if not folder or (_inside(str(root), folder) is None and _inside(folder, str(root)) is None):
        return place
    written = os.path.relpath(place, folder)
    # A program would take a name that begins with a dash for an option.
    return f"./{written}" if written.startswith("-") else written


def _meant(root: Path, folder: str, written: str, is_there: Callable[[str], bool]) -> str:
    is_whole = written.startswith("/")
    if not written or written.lstrip("! ").startswith("[[") or not (folder or is_whole):
        return written
    place = os.path.normpath(os.path.join(folder, written))  # noqa: PTH118
    if is_whole:
        # The vault may be reached by another way than the one by which it was opened.
        above, name = os.path.split(place)
        place = os.path.join(os.path.realpath(above), name)  # noqa: PTH118
    if (inside := _inside(str(root), place)) is None:
        return written
    is_dotted = written in (".", "..") or written.startswith(("./", "../"))
    if is_whole or is_there(place) or (is_dotted and _inside(str(root), folder) is not None):
        return f"./{inside}/" if inside and written.endswith("/") else f"./{inside}"
    return written


def _is_note(place: str) -> bool:
    above, name = os.path.split(place)
    try:
        names = os.listdir(above)  # noqa: PTH208
    except (OSError, ValueError):
        return False
    wanted = {path_key(name), path_key(name + NOTE_SUFFIX)}
    return any(path_key(one) in wanted and is_note_name(one) for one in names)


def _inside(folder: str, place: str) -> str | None:
    """Return a path from a folder that holds it, empty for the folder; None where it is outside."""
    if place == folder:
        return ""
    inside = folder if folder.endswith(os.sep) else folder + os.sep
    return place[len(inside) :] if place.startswith(inside) else None
