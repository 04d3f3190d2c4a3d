"""Where a deleted note goes: into the system's trash, below ``.trash/``, or for good."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote_to_bytes

from app.config.folders import replace_file
from app.errors import NoteExistsError, WriteError
from app.journal.models import Disposal
from app.sentences import Sentence
from app.vault.client import VaultClient
from app.vault.files import remove_aside, rename_file, set_aside
from app.vault.obsidian import TrashOption
from app.vault.paths import NotePath
from app.vault.work import Work

TRASH_FOLDER = ".trash"


def disposal_of(option: TrashOption, permanent: bool) -> Disposal:
    """Decide where a note goes; a vault set to delete for good still needs `permanent` to be said."""
    if permanent:
        return "permanent"
    return "system" if option == "system" else "local"


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
    if disposal != "system" or not _to_system_trash(vault, aside, path, work):
        trashed = _to_local_trash(vault, aside, path, work)
    remove_aside(vault.root, aside, work)
    return trashed


def _to_system_trash(vault: VaultClient, aside: str, path: NotePath, work: Work) -> bool:
    from send2trash import send2trash

    # The library takes whole paths, so the disk's own name is looked up and links are ruled out first.
    file, began = vault.root / aside, time.time()
    try:
        if not file.exists() or os.path.realpath(file) != str(file):
            return False
        send2trash(file)
        if file.exists():
            return False
    except OSError:
        return False
    if sys.platform == "linux":
        try:
            _name_own_place(vault.root, aside, began)
        except OSError as error:
            said = Sentence(
                "the system's trash would restore it into a hidden folder ({reason})", reason=error.strerror
            )
            work.warn(path, said)
    return True


def _name_own_place(root: Path, aside: str, began: float) -> None:
    """Have the system's trash restore a note to its own place, and not to where it was set aside.

    The trash keeps beside each file where it was, as freedesktop.org describes it. Only what was kept just
    now, and names the hidden place that nobody else knows, is changed.
    """
    hidden, _, name = aside.rpartition("/")
    own = "/".join((*hidden.split("/")[:-1], name))
    for folder in _info_folders(root):
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
            # Clocks of file systems are coarse.
            new = [entry.path for entry in entries if entry.stat(follow_symlinks=False).st_mtime > began - 2]
            for file in filter(lambda path: path.endswith(".trashinfo"), new):
                lines = Path(file).read_bytes().splitlines(keepends=True)
                for number, line in enumerate(lines):
                    was = unquote_to_bytes(line.removeprefix(b"Path=").rstrip(b"\r\n"))
                    if line.startswith(b"Path=") and (b"/" + was).endswith(b"/" + os.fsencode(aside)):
                        place = was.removesuffix(os.fsencode(aside)) + os.fsencode(own)
                        lines[number] = b"Path=" + quote(place).encode() + b"\n"
                        replace_file(Path(file), b"".join(lines))
                        return


def _info_folders(root: Path) -> Iterator[Path]:
    """Yield where the system's trashes keep what they know of a vault's files: the user's, and its disk's."""
    home = os.environ.get("XDG_DATA_HOME") or Path("~/.local/share").expanduser()
    yield Path(home, "Trash", "info")
    disk = next(folder for folder in (root, *root.parents) if os.path.ismount(folder))
    yield disk / ".Trash" / str(os.getuid()) / "info"
    yield disk / f".Trash-{os.getuid()}" / "info"


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
