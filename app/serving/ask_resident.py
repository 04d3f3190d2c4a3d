"""Have a resident answer, where one is there; without one, or when it fails, the caller does it alone."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from app.config.file import FILE_NAME
from app.config.folders import config_folder, replace_file
from app.config.settings import FILE_VARIABLE, logger
from app.serving import wire
from app.serving.front import about
from app.serving.known import SUFFIX as WAY
from app.serving.known import State, is_private, state_of, way_name, ways_folder
from app.serving.socket import SUFFIX, address_of, folder_of
from app.serving.wire import Frame, GoneError
from app.vault.client import VaultClient

SETTLED_SECONDS = 10.0
"""A file of settings that changed so shortly ago may have done so since it was read: no way is kept then."""


def answer_by_resident(
    vault: VaultClient,
    request: Frame,
    tell: Callable[[str], None] = lambda text: None,
    *,
    options: tuple[str | None, Path | None] = (None, None),
) -> Frame | None:
    """Have a command answered: ``out`` and ``err`` to be printed, and its exit ``code``.

    Args:
        vault: The vault.
        request: What is asked; see `app.serving.resident`.
        tell: Is given each call of a tool, as one short line.
        options: The vault and the configuration file as they were named, by which a later command finds the
            same resident without reading the settings.

    Returns:
        The answer; None where no resident gives one, for whatever reason.
    """
    try:
        path = _path(vault)
        if path is None:
            return None
        _remember(vault, path, *options)
        return wire.asked(path, request | about(), tell)
    except GoneError as error:
        logger.info("resident_not_used", extra={"error": str(error)})
        return None


def _path(vault: VaultClient) -> str | None:
    folder = folder_of(vault.settings)
    if not vault.settings.resident or folder is None or not is_private(folder):
        return None
    try:
        # Where nobody listens at all, the digest need not be computed.
        if not any(file.name.endswith(SUFFIX) for file in folder.iterdir()):
            return None
        path = address_of(vault)
    except OSError as error:
        raise GoneError(str(error)) from error
    return str(path) if path is not None and path.exists() else None


def _remember(vault: VaultClient, socket: str, named: str | None, config: Path | None) -> None:
    """Write down which way these options lead; see `app.serving.known`."""
    folder = Path(ways_folder())
    try:
        files = files_of_settings(config)
        path = folder / way_name(named, None if config is None else str(config))
        if files is None or _socket_in(path) == socket:
            return
        way = {"socket": socket, **way_to(vault, named, files)}
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_private(folder):
            for other in folder.glob(f"*{WAY}"):
                leads_to = _socket_in(other)
                if leads_to is None or not Path(leads_to).exists():
                    other.unlink(missing_ok=True)
            replace_file(path, json.dumps(way).encode())
    except OSError as error:
        logger.info("way_not_written", extra={"error": str(error)})


def way_to(vault: VaultClient, named: str | None, files: dict[str, State]) -> Frame:
    """Return what has to be the same for options to mean a vault again."""
    found = vault.root.stat()
    return {
        "named": vault.named,
        "is_found": named is None and vault.settings.vault is None,
        "root": str(vault.root),
        "folder": [found.st_dev, found.st_ino],
        "files": files,
    }


def _socket_in(way: Path) -> str | None:
    """Return where a way leads; None where there is none, or it cannot be read."""
    try:
        socket = json.loads(way.read_bytes())["socket"]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return socket if isinstance(socket, str) else None


def files_of_settings(config: Path | None) -> dict[str, State] | None:
    """Return the state of each file that decides the settings; None where that is not settled."""
    if named := config or os.environ.get(FILE_VARIABLE):
        paths = [Path(named).expanduser().absolute()]
    else:
        # The working folder's file holds only where it is trusted, which more than its state decides.
        paths = [Path(FILE_NAME).absolute(), config_folder() / FILE_NAME]
        if paths[0].exists():
            return None
    files = {str(path): state_of(str(path)) for path in paths}
    latest = max((state[3] for state in files.values() if state is not None), default=0)
    return files if latest < time.time_ns() - SETTLED_SECONDS * 1e9 else None
