"""From a vault and a person's choices to a server and the keeper of its index."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.errors import EngineMissingError
from app.mcp.folders import FolderVault, ShownVault
from app.mcp.surface import DEFAULT_TOOLS, Surface
from app.serving.keeper import Keeper
from app.vault.client import VaultClient

if TYPE_CHECKING:
    from mcp.server import Server


def make_server(
    vault: VaultClient,
    *,
    tools: Sequence[str] = (),
    folders: Sequence[str] = (),
    read_only: bool = False,
) -> "tuple[Server[Any], Keeper]":
    """Make the server of a vault, and what keeps its index, which is not started yet.

    Args:
        vault: The vault.
        tools: Names of the tools offered, also several in one text with commas; "all" for all. By default
            those of `DEFAULT_TOOLS`.
        folders: The only folders that are shown; without any, the whole vault is.
        read_only: Whether nothing that changes a note is offered.

    Raises:
        EngineMissingError: the extra ``mcp`` is not installed.
        BadRequestError: there is no such tool or folder.
    """
    try:
        from app.mcp.catalogue import ENTRIES
        from app.mcp.server import build_server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise EngineMissingError(
            "the MCP server needs the package mcp",
            "install the extra 'mcp': pip install 'vault-assistant[mcp]', or '.[mcp]' in a clone",
        ) from error
    names = [name.strip() for text in tools for name in text.split(",") if name.strip()]
    chosen = tuple(ENTRIES) if "all" in names else tuple(names) or DEFAULT_TOOLS
    shown, written = vault, vault
    if folders:
        shown = ShownVault(vault.root, vault.settings, folders)
        written = FolderVault(vault.root, vault.settings, folders)
    keeper = Keeper(shown, with_meaning=True)
    return build_server(Surface(shown, chosen, read_only, keeper, written)), keeper
