"""Where a deleted note goes."""

import os
from pathlib import PurePosixPath

from app.dependencies import VaultClient
from app.errors import NoteExistsError, VaultError, WriteError
from app.files import remove_empty_folder, rename_file, set_aside
from app.notes.models import Disposal
from app.obsidian import TrashOption
from app.paths import NotePath

TRASH_FOLDER = ".trash"


def disposal_of(option: TrashOption, permanent: bool) -> Disposal:
    """Decide where a note goes; a vault set to delete for good still needs `permanent` to be said."""
    if permanent:
        return "permanent"
    return "system" if option == "system" else "local"


def throw_away(vault: VaultClient, path: NotePath, disposal: Disposal, expected_hash: str) -> str | None:
    """Remove a note from the vault.

    Args:
        vault: The vault.
        path: The note.
        disposal: Where it goes. Where the system has no usable trash, it goes to ``.trash/``.
        expected_hash: Hash of the content that must be there.

    Returns:
        Its path below ``.trash/``; None if it did not go there.

    Raises:
        ConflictError: it has another content.
        WriteError: it could not be removed; it is still there, or the message says where.
    """
    if disposal == "permanent":
        vault.remove(path, expected_hash=expected_hash)
        return None
    limit = vault.settings.max_note_bytes
    aside = set_aside(vault.root, path, limit=limit, expected_hash=expected_hash)
    try:
        if disposal == "system" and _to_system_trash(vault, aside):
            return None
        return _to_local_trash(vault, aside, path)
    except VaultError as error:
        _put_back(vault, aside, path, error)
        raise
    finally:
        remove_empty_folder(vault.root, aside.rpartition("/")[0])


def _to_system_trash(vault: VaultClient, aside: str) -> bool:
    from send2trash import send2trash

    # The library takes whole paths, so the disk's own name is looked up and links are ruled out first.
    file = vault.root / aside
    if not file.exists() or os.path.realpath(file) != str(file):
        return False
    try:
        send2trash(file)
    except OSError:
        return False
    return not file.exists()


def _to_local_trash(vault: VaultClient, aside: str, path: NotePath) -> str:
    """Move a note to ``.trash/``, under its own path, numbered where that is taken."""
    place = PurePosixPath(path)
    for number in range(10_000):
        name = f"{place.stem} {number}{place.suffix}" if number else place.name
        trashed = str(TRASH_FOLDER / place.with_name(name))
        try:
            rename_file(vault.root, aside, trashed)
        except NoteExistsError:
            continue
        return trashed
    raise WriteError(f"'{TRASH_FOLDER}' holds too many notes named '{place.name}'", "empty it")


def _put_back(vault: VaultClient, aside: str, path: NotePath, cause: VaultError) -> None:
    """Undo the setting aside.

    Raises:
        WriteError: it cannot be undone; the message says where the note is.
    """
    try:
        rename_file(vault.root, aside, path)
    except VaultError as error:
        raise WriteError(
            f"{cause.message}; the note could not be put back either: {error.message}", f"it is at '{aside}'"
        ) from cause
