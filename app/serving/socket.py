"""Where the resident of a vault is met: a socket whose name is a digest of all that decides answers."""

import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from app import __version__
from app.config.paths import model_folder
from app.config.settings import Settings
from app.vault.client import VaultClient

FOLDER = "resident"
SUFFIX = ".sock"
MOST_BYTES = 100
"""Longest path of a socket: the system allows 104 bytes on macOS and 108 on Linux, its end included."""
NOT_DECIDING = {
    "vault", "vaults", "cache_dir", "state_dir", "resident", "writes", "history_chars", "commit_notes",
}  # fmt: skip
"""Settings on which no answer depends, or whose meaning is in the digest in another form."""
PLACES = ("HOME", "TZ", "XDG_CACHE_HOME", "HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE")
"""Variables that decide what a day is, and where models lie."""
PROVIDERS = (
    "API_KEY", "BASE_URL", "PROXY", "ANTHROPIC_", "AWS_", "AZURE_", "GOOGLE_", "OLLAMA_", "OPENAI_",
)  # fmt: skip
"""Parts of the names of variables that decide which language model answers, and whether."""


def address_of(vault: VaultClient) -> Path | None:
    """Return the path of the socket; None where there are no such sockets.

    Processes meet at one path only if vault, settings, the program's code and the surroundings are the same.
    """
    folder = folder_of(vault.settings)
    if folder is None:
        return None
    there = vault.root.stat()
    settings = vault.settings
    parts = (
        __version__,
        *_code(),
        # Another folder that has taken the same path, also in a container, is another vault.
        (str(vault.root), there.st_dev, there.st_ino),
        (str(settings.cache_folder.absolute()), str(settings.state_folder.absolute())),
        settings.model_dump_json(exclude=NOT_DECIDING),
        *_models(settings),
        *(os.environ.get(name) for name in PLACES),
    )
    return folder / (_digest(parts) + SUFFIX)


def folder_of(settings: Settings) -> Path | None:
    """Return the folder of the sockets: in the cache, or where its path is too long, in /tmp."""
    if sys.platform == "win32":
        return None
    folder = settings.cache_folder.absolute() / FOLDER
    if len(os.fsencode(folder / (_digest(()) + SUFFIX))) > MOST_BYTES:
        return Path("/tmp") / f"vault-assistant-{os.getuid()}"
    return folder


def is_private(folder: Path) -> bool:
    """Return whether a folder is there, and its owner, who is this user, alone may enter."""
    try:
        found = folder.lstat()
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
    return _digest(sorted(deciding.items()))


def _digest(value: object) -> str:
    return hashlib.blake2b(repr(value).encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()


def _code() -> Iterator[tuple[str, int, int]]:
    """Yield the program's files: one that was replaced while a resident runs no longer answers as it does."""
    folders = [Path(__file__).parents[1]]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in ("tests", "__pycache__"):
                        folders.append(Path(entry.path))
                elif entry.name.endswith(".py"):
                    found = entry.stat()
                    yield entry.path, found.st_mtime_ns, found.st_size


def _models(settings: Settings) -> Iterator[str]:
    """Name the models by their whole paths where they are folders: a relative one depends on the process."""
    named = [definition.embedding_model for definition in settings.index.indexes.values()]
    for name in (*named, settings.deep.reranker, settings.ask_judge):
        folder = model_folder(name or "")
        yield name or "" if folder is None else str(folder.absolute())
