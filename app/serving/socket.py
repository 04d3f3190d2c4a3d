"""Where the resident of a vault is met: a socket whose name is a digest of all that decides answers."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from app import __version__
from app.config.paths import model_folder
from app.config.settings import Settings
from app.serving.known import PLACES, code, digest
from app.vault.client import VaultClient

FOLDER = "resident"
SUFFIX = ".sock"
MOST_BYTES = 100
"""Longest path of a socket: the system allows 104 bytes on macOS and 108 on Linux, its end included."""
NOT_DECIDING = {
    "vault", "vaults", "cache_dir", "state_dir", "resident", "writes", "history_chars", "commit_notes",
}  # fmt: skip
"""Settings on which no answer depends, or whose meaning is in the digest in another form."""


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
        *code(),
        # Another folder that has taken the same path, also in a container, is another vault.
        (str(vault.root), there.st_dev, there.st_ino),
        (str(settings.cache_folder.absolute()), str(settings.state_folder.absolute())),
        settings.model_dump_json(exclude=NOT_DECIDING),
        *_models(settings),
        *(os.environ.get(name) for name in PLACES),
    )
    return folder / (digest(parts) + SUFFIX)


def folder_of(settings: Settings) -> Path | None:
    """Return the folder of the sockets: in the cache, or where its path is too long, in /tmp."""
    if sys.platform == "win32":
        return None
    folder = settings.cache_folder.absolute() / FOLDER
    if len(os.fsencode(folder / (digest(()) + SUFFIX))) > MOST_BYTES:
        return Path("/tmp") / f"vault-assistant-{os.getuid()}"
    return folder


def _models(settings: Settings) -> Iterator[str]:
    """Name the models by their whole paths where they are folders: a relative one depends on the process."""
    named = [definition.embedding_model for definition in settings.index.indexes.values()]
    for name in (*named, settings.deep.reranker, settings.ask_judge):
        folder = model_folder(name or "")
        yield name or "" if folder is None else str(folder.absolute())
