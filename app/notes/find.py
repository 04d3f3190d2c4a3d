"""Which note a request means, and whether it may be touched."""

import unicodedata

from app.dependencies import VaultClient, VaultScan
from app.errors import NoteExistsError, PathError, WriteError
from app.files import future_path
from app.names import drop_vault_prefix
from app.notes.models import NoteRequest
from app.obsidian import SETTINGS_FILE
from app.paths import NotePath, normalize_path, path_key

# What a person may do with an excluded note; a summary would show it to a model.
SHOWN_TO_A_PERSON = ("read", "info")

CONTROL = frozenset({"Cc", "Zl", "Zp"})
"""Unicode's categories of control characters, line and paragraph separators."""
CONTROL_NAMES = {"\n": "a newline", "\r": "a carriage return", "\t": "a tab"}


def existing(vault: VaultClient, request: NoteRequest) -> NotePath:
    """Find the note that a request is about, where it really is.

    Raises:
        NoteNotFoundError: there is none.
        PathError: the name is malformed or ambiguous, or the note excluded and a model asks.
    """
    path = vault.resolve(request.path)
    real = vault.real_path(path)
    for each in (path, real):
        refuse_excluded(vault, request, each, request.path)
    return real


def unlinked(vault: VaultClient, request: NoteRequest) -> NotePath:
    """Find the note as `existing` does, but refuse one that is reached through a symbolic link."""
    path = vault.resolve(request.path)
    if (real := existing(vault, request)) != path:
        raise WriteError(f"'{path}' is reached through a symbolic link", f"name '{real}' itself")
    return path


def target(vault: VaultClient, request: NoteRequest, written: str, scan: VaultScan) -> NotePath:
    """Give the path of a note to be made, its folders spelled as those that are there.

    Raises:
        PathError: the path is malformed, holds a control character in a name that is not there yet, or
            would be excluded and a model asks.
    """
    path = drop_vault_prefix(normalize_path(written), scan)
    folders = {path_key(folder): folder for folder in scan.folders}
    folder, _, name = path.rpartition("/")
    rest: list[str] = [name]
    while folder and path_key(folder) not in folders:
        folder, _, last = folder.rpartition("/")
        rest.insert(0, last)
    spelled = NotePath("/".join([*([folders[path_key(folder)]] if folder else []), *rest]))
    # A symbolic link on the way may lead to a folder that is excluded, or hidden.
    for each in (spelled, normalize_path(future_path(vault.root, spelled))):
        refuse_excluded(vault, request, each, written)
    if spelled not in scan.notes:
        _refuse_control("/".join(rest))
    return spelled


def refuse_twin(path: NotePath, scan: VaultScan, besides: str = "") -> None:
    """Refuse a path that differs only in case from a note's, `besides` one that moves away.

    Raises:
        NoteExistsError: there is such a note.
    """
    key = path_key(path)
    for other in scan.notes:
        if path_key(other) == key and other != besides:
            raise NoteExistsError(f"there is a note at '{other}' already", "choose another path")


def _refuse_control(name: str) -> None:
    """Refuse a new name that breaks lines wherever it is shown, and that nobody could type again."""
    for sign in name:
        if unicodedata.category(sign) in CONTROL:
            called = CONTROL_NAMES.get(sign, "a control character")
            shown = "".join(
                ascii(each)[1:-1] if unicodedata.category(each) in CONTROL else each for each in name
            )
            raise PathError(f"the name '{shown}' holds {called} (U+{ord(sign):04X})", "leave it out")


def refuse_excluded(vault: VaultClient, request: NoteRequest, path: str, written: str) -> None:
    """Refuse a note that the vault's settings hide, unless a person asks.

    Args:
        vault: The vault.
        request: What is asked.
        path: Where the note is; not repeated to the caller.
        written: What the caller wrote.

    Raises:
        PathError: it is hidden.
    """
    if not vault.is_excluded(path) or (request.allow_excluded and request.operation in SHOWN_TO_A_PERSON):
        return
    if vault.obsidian.hides_all:
        raise PathError(
            "no note can be used, for what the vault's settings exclude is not known",
            f"a person can mend '{SETTINGS_FILE}'; 'status' says what is wrong with it",
        )
    raise PathError(
        f"the vault's settings exclude '{written}'",
        "only read and info work on it" if request.allow_excluded else "only a person can open it",
    )
