"""The notes of a vault as resources: listed, read by their addresses, and linked to from answers."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    Annotations,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceLink,
    ResourceTemplate,
    TextResourceContents,
)

from app.errors import VaultError
from app.mcp.permission import Permission
from app.notes.find import existing
from app.notes.models import NoteRequest
from app.showing import in_line, showing
from app.vault.client import VaultClient
from app.vault.named import choose, each_of, named, not_named
from app.vault.scan import FileStat

SCHEME = "note:///"
TEMPLATE = SCHEME + "{+path}"
MOST = 500
"""Most notes that are listed; every other one can be read by its address."""
MOST_LINKS = 10
"""Most notes that one answer links to."""
MARKDOWN = "text/markdown"
Context = ServerRequestContext[Any]


class Notes:
    """The notes that a client may see, as resources; of several vaults each by ``name:path``."""

    def __init__(self, permission: Permission) -> None:
        self._permission = permission

    async def page(self, context: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        """Return the notes that are listed, the last modified first."""
        return ListResourcesResult(resources=await asyncio.to_thread(_newest, self._vaults(context)))

    async def templates(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """Return the form of all addresses."""
        template = ResourceTemplate(
            name="note",
            title="A note of the vault",
            uri_template=TEMPLATE,
            description="A note by its path in the vault, percent-encoded, such as note:///Projects/My%20plan.md",
            mime_type=MARKDOWN,
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Return the text of one note, in which what cannot be seen is written out.

        Raises:
            MCPError: there is no such note, or it must not be shown.
        """
        try:
            text = await asyncio.to_thread(_text, self._vaults(context), params.uri)
        except VaultError as error:
            raise MCPError(INVALID_PARAMS, str(error), {"uri": params.uri}) from error
        return ReadResourceResult(
            contents=[TextResourceContents(uri=params.uri, text=text, mime_type=MARKDOWN)]
        )

    def _vaults(self, context: Context) -> dict[str, VaultClient]:
        return {name: vault.client for name, vault in self._permission.visible(context).items()}


def _newest(vaults: Mapping[str, VaultClient]) -> list[Resource]:
    def listed(vault: VaultClient) -> list[FileStat]:
        return [note for note in vault.scan().notes.values() if not vault.is_excluded(note.path)]

    found, _ = each_of(vaults, listed)
    notes = [(named(name, note.path), note) for name, shown in found.items() for note in shown]
    notes.sort(key=lambda one: (-one[1].mtime_ns, one[0]))
    return [
        Resource(uri=address_of(path), name=in_line(path), mime_type=MARKDOWN, size=note.size)
        for path, note in notes[:MOST]
    ]


def _text(vaults: Mapping[str, VaultClient], address: str) -> str:
    name, given = choose(vaults, {"path": path_of(address)}, "path")
    if name is None:
        raise not_named(vaults)
    vault = vaults[name]
    text = showing(vault.read(existing(vault, NoteRequest(operation="read", path=given["path"]))).text)
    most = vault.settings.ask_chars
    return text if len(text) <= most else f"{text[:most]}\n\n[cut at {most} of {len(text)} characters]\n"


def address_of(path: str) -> str:
    """Return the address of a note."""
    return SCHEME + quote(path)


def path_of(address: str) -> str:
    """Return the path that an address names.

    Raises:
        MCPError: it is not the address of a note.
    """
    if not address.startswith(SCHEME):
        raise MCPError(INVALID_PARAMS, f"'{address[:100]}' is no address of a note", {"uri": address})
    return unquote(address.removeprefix(SCHEME))


def links_to(paths: Iterable[str]) -> list[ResourceLink]:
    """Return links to notes, each once, for a person to open: a model has their paths in the text."""
    for_person = Annotations(audience=["user"])
    return [
        ResourceLink(name=in_line(path), uri=address_of(path), mime_type=MARKDOWN, annotations=for_person)
        for path in list(dict.fromkeys(paths))[:MOST_LINKS]
    ]
