"""Where a deleted note goes: into the system's trash, below ``.trash/``, or for good."""

import os
from collections.abc import Iterator
from pathlib import PurePosixPath

from app.errors import NoteExistsError, WriteError
from app.journal.models import Disposal
from app.vault.client import VaultClient
from app.vault.files import remove_aside, rename_file, set_aside
from app.vault.paths import NotePath
from app.vault.work import Work

TRASH_FOLDER = ".trash"


def throw_away(
    vault: VaultClient, path: NotePath, disposal: Disposal, expected_hash: str, work: Work
) -> str | None:
    """Remove a note from the vault.

    Args:
        vault: The vault.
        path: The note.
        disposal: Where it goes. Where the system has no usable trash, it goes to ``.trash/``.
        expected_hash: Hash of the content that must be there.
        work: Marks hidden names, and is told what failed after the note was gone.

    Returns:
        Its path below ``.trash/``; None if it did not go there.

    Raises:
        ConflictError: it has another content.
        WriteError: it could not be removed; it is still there, or set aside beside where it was.
    """
    if disposal == "permanent":
        vault.remove(path, expected_hash=expected_hash, work=work)
        return None
    limit = vault.settings.max_note_bytes
    aside = set_aside(vault.root, path, limit=limit, expected_hash=expected_hash, work=work)
    # It is not left there for a program that has it open: that one's text goes with the note.
    work.left.clear()
    trashed = None
    if disposal != "system" or not _to_system_trash(vault, aside):
        trashed = _to_local_trash(vault, aside, path, work)
    remove_aside(vault.root, aside, work)
    return trashed


def _to_system_trash(vault: VaultClient, aside: str) -> bool:
    from send2trash import send2trash

    # The library takes whole paths, so the disk's own name is looked up and links are ruled out first.
    file = vault.root / aside
    try:
        if not file.exists() or os.path.realpath(file) != str(file):
            return False
        send2trash(file)
        return not file.exists()
    except OSError:
        return False


def free_place(vault: VaultClient, path: str) -> str:
    """Return where below ``.trash/`` a note would go: under its own path, numbered where that is taken."""
    return next((place for place in _places(path) if not os.path.lexists(vault.root / place)), "")


def _to_local_trash(vault: VaultClient, aside: str, path: NotePath, work: Work) -> str:
    for trashed in _places(path):
        try:
            rename_file(vault.root, aside, trashed, work=work)
        except NoteExistsError:
            continue
        return trashed
    raise WriteError(
        "'{trash_folder}' holds too many notes named '{name}'",
        "empty it",
        trash_folder=TRASH_FOLDER,
        name=path.rpartition("/")[2],
    )


def _places(path: str) -> Iterator[str]:
    place = PurePosixPath(path)
    for number in range(10_000):
        name = f"{place.stem} {number}{place.suffix}" if number else place.name
        yield str(TRASH_FOLDER / place.with_name(name))
