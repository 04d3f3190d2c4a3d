"""The way to a resident that was met before, found again without reading a setting.

Which resident may answer is said by `app.serving.socket.address_of`, for which the settings have to be read
and checked. What it says follows from a few things that can be looked at: the options, the working folder,
variables, the program's files; the files of settings, and the vault's folder. So a way that was found once is
written down under a digest of the first four, with the state of the other two, and holds while all are the
same. Nothing is imported here that takes long.
"""

import hashlib
import json
import os
import stat
import sys
from collections.abc import Iterator
from typing import Any

from app import __version__
from app.serving.display import has_styles
from app.spoken import spoken
from app.vault.nearest import nearest_vault

SUFFIX = ".way"
PLACES = ("HOME", "TZ", "XDG_CACHE_HOME", "HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE")
"""Variables that decide what a day is, and where models lie."""
PROVIDERS = (
    "API_KEY", "BASE_URL", "PROXY", "ANTHROPIC_", "AWS_", "AZURE_", "GOOGLE_", "OLLAMA_", "OPENAI_",
)  # fmt: skip
"""Parts of the names of variables that decide which language model answers, and whether."""
SETTINGS = ("VAULT_ASSISTANT_", "XDG_")
"""Beginnings of the names of variables that decide the settings."""

State = tuple[int, int, int, int] | None
"""Which file it is, by device and number, its size, and when it changed; None where there is none."""


def ways_folder() -> str:
    """Return where ways are kept: a place that no setting moves."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(cache, "vault-assistant", "resident")


def way_name(vault: str | None, config: str | None, suffix: str = SUFFIX) -> str:
    """Return under which name the way is kept that commands with these options take."""
    variables = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.upper().startswith(SETTINGS) or name in PLACES
    )
    file = None if config is None else os.path.normpath(config)
    return digest((__version__, *code(), os.getcwd(), vault, file, variables)) + suffix


def known_way(vault: str | None, config: str | None) -> str | None:
    """Return the socket of the resident that these options led to; None where that may not hold now."""
    way = known_place(vault, config, SUFFIX)
    try:
        is_there = way is not None and is_private(os.path.dirname(way["socket"]))
        return str(way["socket"]) if way is not None and is_there else None
    except (KeyError, TypeError):
        return None


def known_place(vault: str | None, config: str | None, suffix: str) -> dict[str, Any] | None:
    """Return what was written down of the vault that these options led to; None where that may not hold now.

    Args:
        vault: The option ``--vault``.
        config: The option ``--config``.
        suffix: Ends the names of files that say the same kind of thing.
    """
    folder = ways_folder()
    if not is_private(folder):
        return None
    try:
        with open(os.path.join(folder, way_name(vault, config, suffix)), encoding="utf-8") as file:
            way: dict[str, Any] = json.load(file)
        found = os.stat(way["root"])
        here = nearest_vault(os.getcwd()) if way["is_found"] else way["named"]
        is_same = (
            here == way["named"]
            and os.path.realpath(way["named"]) == way["root"]
            and [found.st_dev, found.st_ino] == way["folder"]
            and all(state_of(path) == (state and tuple(state)) for path, state in way["files"].items())
        )
        return way if is_same else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def state_of(path: str) -> State:
    """Return what of a file tells whether it is as it was."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_ctime_ns


def is_private(folder: str | os.PathLike[str]) -> bool:
    """Return whether a folder is there, and its owner, who is this user, alone may enter."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return (
        stat.S_ISDIR(found.st_mode)
        and found.st_uid == os.getuid()
        and not stat.S_IMODE(found.st_mode) & 0o077
    )


def surroundings() -> str:
    """Return a digest of the variables that decide which language model answers, and whether."""
    deciding = {
        name: value for name, value in os.environ.items() if any(part in name.upper() for part in PROVIDERS)
    }
    return digest(sorted(deciding.items()))


def digest(value: object) -> str:
    """Return a short name for a value made of texts and numbers."""
    return hashlib.blake2b(repr(value).encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()


def code() -> Iterator[tuple[str, int, int]]:
    """Yield the program's files: one that was replaced while a resident runs no longer answers as it does."""
    folders = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in ("tests", "__pycache__"):
                        folders.append(entry.path)
                elif entry.name.endswith(".py"):
                    found = entry.stat()
                    yield entry.path, found.st_mtime_ns, found.st_size


def terminal() -> dict[str, Any]:
    """Return what the form of an answer depends on where it is shown; see `app.showing.Screen`."""
    is_terminal, columns = sys.stdout.isatty(), 0
    if is_terminal:
        from shutil import get_terminal_size

        columns = get_terminal_size().columns
    try:
        folder = os.getcwd()
    except FileNotFoundError:
        folder = ""
    found = {"is_terminal": is_terminal, "has_styles": has_styles(is_terminal), "columns": columns}
    return found | {"folder": folder, "language": spoken()}
