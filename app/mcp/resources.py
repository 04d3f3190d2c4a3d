"""Notes as resources: listed newest first as far as is useful, and read by their address."""

import asyncio
from typing import Any
from urllib.parse import quote, unquote

from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from app.dependencies import VaultClient
from app.errors import VaultError
from app.notes.find import existing
from app.notes.models import NoteRequest

SCHEME = "note:///"
PAGE = 100
MOST = 500
"""Most notes that are listed; every other one can be read by its address."""
MARKDOWN = "text/markdown"

Context = ServerRequestContext[Any]


class Notes:
    """The notes of a vault that a client may see, as resources."""

    def __init__(self, vault: VaultClient) -> None:
        self._vault = vault

    async def page(self, context: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        """Give one page of the notes, the last modified first."""
        start = _start(params.cursor if params else None)
        resources = await asyncio.to_thread(self._newest)
        end = start + PAGE
        return ListResourcesResult(
            resources=resources[start:end], next_cursor=str(end) if end < len(resources) else None
        )

    async def templates(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """Give the form of all addresses."""
        template = ResourceTemplate(
            name="note",
            title="A note of the vault",
            uri_template=SCHEME + "{+path}",
            description="A note by its path in the vault, percent-encoded, such as note:///Projects/My%20plan.md",
            mime_type=MARKDOWN,
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Give the text of one note.

        Raises:
            MCPError: there is no such note, or it must not be shown.
        """
        try:
            text = await asyncio.to_thread(self._text, params.uri)
        except VaultError as error:
            raise MCPError(INVALID_PARAMS, str(error), {"uri": params.uri}) from error
        return ReadResourceResult(
            contents=[TextResourceContents(uri=params.uri, text=text, mime_type=MARKDOWN)]
        )

    def _newest(self) -> list[Resource]:
        notes = self._vault.scan().notes.values()
        shown = [note for note in notes if not self._vault.is_excluded(note.path)]
        shown.sort(key=lambda note: (-note.mtime_ns, note.path))
        return [
            Resource(uri=address_of(note.path), name=note.path, mime_type=MARKDOWN, size=note.size)
            for note in shown[:MOST]
        ]

    def _text(self, address: str) -> str:
        path = path_of(address)
        text = self._vault.read(existing(self._vault, NoteRequest("read", path=path))).text
        most = self._vault.settings.ask_chars
        return text if len(text) <= most else f"{text[:most]}\n\n[cut at {most} of {len(text)} characters]\n"


def address_of(path: str) -> str:
    """Give the address of a note."""
    return SCHEME + quote(path)


def path_of(address: str) -> str:
    """Give the path that an address names.

    Raises:
        MCPError: it is not the address of a note.
    """
    if not address.startswith(SCHEME):
        raise MCPError(INVALID_PARAMS, f"'{address[:100]}' is no address of a note", {"uri": address})
    return unquote(address.removeprefix(SCHEME))


def _start(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isdecimal() and len(cursor) < 9):
        raise MCPError(INVALID_PARAMS, f"unknown cursor '{cursor[:60]}'")
    return int(cursor)
