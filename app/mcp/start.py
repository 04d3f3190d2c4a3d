"""From a vault and a person's choices to a server and the keeper of its index."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.errors import BadRequestError, EngineMissingError, missing_extra
from app.library.definitions import TOOLS
from app.library.tools import VaultTools
from app.library.vault import Vault
from app.mcp.folders import FolderVault, ShownVault
from app.serving.keeper import Keeper
from app.vault.client import VaultClient
from app.vault.named import ALONE, parted

if TYPE_CHECKING:
    from mcp.server import Server


def serve_vaults(
    vaults: Mapping[str, VaultClient],
    *,
    tools: Sequence[str] = (),
    folders: Sequence[str] = (),
    read_only: bool = False,
    by_token: bool = False,
) -> "tuple[Server[Any], list[Keeper]]":
    """Make the server of one or several vaults, and what keeps their indexes, which is not started yet.

    Args:
        vaults: The vaults by name; a single one by the name `ALONE`.
        tools: Names of the tools offered, also several in one text with commas; all of them where none is
            named, or "all".
        folders: The only folders that are shown, of several vaults as ``name:folder``; a vault of which none
            is named is shown whole.
        read_only: Whether nothing that changes a note is offered.
        by_token: Whether a request may see and do only what its token allows.

    Raises:
        EngineMissingError: the extra ``mcp`` is not installed.
        BadRequestError: there is no such tool or folder, or a folder names no vault.
    """
    try:
        from app.mcp.server import build_server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise EngineMissingError(
            "the MCP server needs the package mcp",
            missing_extra("mcp"),
        ) from error
    chosen: list[Any] = [name.strip() for text in tools for name in text.split(",") if name.strip()]
    if not chosen or "all" in chosen:
        chosen = list(TOOLS)
    if read_only:
        chosen = [name for name in chosen if name != "write"]
        if not chosen:
            raise BadRequestError("nothing is left to offer with --read-only", "choose a tool that reads")
    inside: dict[str, list[str]] = {name: [] for name in vaults}
    for folder in folders:
        name, path = (ALONE, folder) if ALONE in vaults else parted(vaults, folder)
        if name is None:
            raise BadRequestError(
                "'{folder}' is a folder of no vault",
                "write NAME:FOLDER, with one of: {vaults}",
                folder=folder,
                vaults=", ".join(vaults),
            )
        inside[name].append(path)
    opened = [_shown(name, vault, inside[name]) for name, vault in vaults.items()]
    served = VaultTools(opened, chosen, writes=None)
    # A disk that does not answer holds a thread, and the clients of a server share them.
    served.in_thread = asyncio.to_thread
    keepers = {name: Keeper(vault.client, with_meaning=True) for name, vault in served.vaults.items()}
    return build_server(served, keepers, by_token=by_token), list(keepers.values())


def _shown(name: str, vault: VaultClient, folders: Sequence[str]) -> Vault:
    if not folders:
        return Vault(vault, name=name or None)
    shown = Vault(ShownVault(vault.root, vault.settings, folders), name=name or None)
    shown.written = FolderVault(vault.root, vault.settings, folders)
    return shown
