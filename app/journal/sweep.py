"""What a write leaves in the vault on its way, removed once the write is over."""

import time
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from app.errors import NoteExistsError, NoteNotFoundError, WriteError
from app.journal.excluded import shown
from app.journal.journal import Journal
from app.journal.models import Entry
from app.journal.steps import folders_of
from app.vault.atomic import content_hash
from app.vault.files import read_file, remove_empty_folder, remove_file, rename_file
from app.vault.hidden import Hidden, hidden_by, is_held_open
from app.vault.work import path_sign

if TYPE_CHECKING:
    from app.vault.client import VaultClient

HELD_SECONDS = 86_400
"""How long a file that another program keeps open is left under its hidden name."""


def tidy(vault: "VaultClient", journal: Journal, undone: tuple[str, ...]) -> None:
    """Remove what writes that were taken back have left: folders they made, copies in ``.trash/``."""
    if not undone:
        return
    for entry in journal.entries():
        if entry.id not in undone:
            continue
        if entry.trashed is not None:
            _remove_copy(vault, entry.trashed, entry.files[0].before)
        remove_folders(vault, entry)


def remove_folders(vault: "VaultClient", entry: Entry) -> None:
    """Remove the folders that a write has made, where nothing is in them.

    Raises:
        WriteError: the system refuses.
    """
    for folder in entry.folders:
        if not remove_empty_folder(vault.root, folder):
            raise WriteError("the empty folder {folder} could not be removed", folder=shown(vault, folder))


def _remove_copy(vault: "VaultClient", path: str, content: str | None) -> None:
    limit = vault.settings.max_note_bytes
    try:
        if content_hash(read_file(vault.root, path, limit).data) != content or is_held_open(vault.root, path):
            # Somebody has changed it, or a program that had the note open may still save to it.
            return
        remove_file(vault.root, path, limit=limit)
    except NoteNotFoundError:
        return
    while path := path.rpartition("/")[0]:
        remove_empty_folder(vault.root, path)


def sweep(vault: "VaultClient", entry: Entry) -> tuple[bool, tuple[str, ...]]:
    """Remove the hidden names of a write, and keep a copy of what another program wrote to one of them.

    Returns:
        Whether all are gone, and the copies.
    """
    swept, copies = True, []
    for folder in folders_of(entry):
        for hidden in hidden_by(vault.root, folder, entry.id):
            names = (
                [hidden.path] if hidden.held is None else [f"{hidden.path}/{name}" for name in hidden.held]
            )
            for name in names:
                if hidden.unfinished or not _is_in_use(vault, entry, name):
                    copies += _clear(vault, entry, hidden, name)
                else:
                    swept = False
            if hidden.held is not None:
                swept = remove_empty_folder(vault.root, hidden.path) and swept
    return swept, tuple(copies)


def _is_in_use(vault: "VaultClient", entry: Entry, name: str) -> bool:
    return is_held_open(vault.root, name) and time.time() - entry.time < HELD_SECONDS


def _clear(vault: "VaultClient", entry: Entry, hidden: Hidden, name: str) -> list[str]:
    """Remove a hidden file whose text is known, or give it a name that people see."""
    state = next((each for each in entry.files if path_sign(each.path) == hidden.sign), entry.files[0])
    if not hidden.unfinished:
        text = content_hash(read_file(vault.root, name, vault.settings.max_note_bytes).data)
        if text not in (state.before, state.after, entry.brought(state.path)):
            return [_keep_copy(vault, name, state.path)]
    remove_file(vault.root, name, limit=vault.settings.max_note_bytes)
    return []


def _keep_copy(vault: "VaultClient", hidden: str, path: str) -> str:
    """Name a text that was saved too late, beside the note that it belongs to."""
    place = PurePosixPath(path)
    day = time.strftime("%Y-%m-%d")
    for number in range(1, 10_000):
        extra = f" {number}" if number > 1 else ""
        copy = str(place.with_name(f"{place.stem} (late edit {day}{extra}){place.suffix}"))
        if vault.is_excluded(path) and not vault.is_excluded(copy):
            # What is private stays so: a name that starts with a dot is in no search.
            copy = str(PurePosixPath(copy).with_name(f".{PurePosixPath(copy).name}"))
        try:
            rename_file(vault.root, hidden, copy)
        except NoteExistsError:
            continue
        return copy
    raise WriteError("there are too many late edits of '{name}'", "remove some of them", name=place.name)
