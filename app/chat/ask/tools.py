"""What the search agent can do: search, read, look around. It cannot write."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated

from pydantic import WithJsonSchema
from pydantic_ai import RunContext

from app.chat.ask.reading import list_folder, read_numbered
from app.chat.evidence.gather import best_mode
from app.dependencies import HasVault, logger
from app.errors import BadRequestError, VaultError, format_error
from app.notes.models import NoteRequest
from app.parameters import read_value
from app.search.answer import answer
from app.search.request import PARAMETERS
from app.showing import Told, cut, in_line

SEARCH_CHARS = 1800
READ_CHARS = 12_000
LINE_CHARS = 2000
TREE_CHARS = 4000
ERROR_CHARS = 1000
PASSAGES = 5
Queries = Annotated[str | list[str], WithJsonSchema({"type": "array", "items": {"type": "string"}})]
# That it may be null as well is not worth its tokens in each request; it is taken all the same.
Text = Annotated[str | None, WithJsonSchema({"type": "string"})]
Texts = Annotated[str | list[str] | None, WithJsonSchema({"type": "string"})]


async def search(
    ctx: RunContext[HasVault],
    query: Queries,
    mode: Text = None,
    scope: Texts = None,
    start_date: Text = None,
    end_date: Text = None,
    limit: int = PASSAGES,
    offset: int = 0,
) -> str:
    """Rank passages of the notes for a query.

    Args:
        ctx: Gives the vault to search.
        query: Wordings to try.
        mode: fast (keywords) or deep.
        scope: Folder, note or glob.
        start_date: 2025-07-14, 2025-07.
        end_date: Inclusive.
        limit: To 100.
        offset: To skip.
    """
    vault = ctx.deps.vault
    try:
        chosen = read_value(PARAMETERS["mode"], mode or await asyncio.to_thread(best_mode, vault))
    except BadRequestError as error:
        return format_error(error)
    parameters = {
        "operation": chosen,
        "queries": query,
        "scopes": scope or None,
        "start_date": start_date or None,
        "end_date": end_date or None,
        "limit": limit,
        "offset": offset,
        "max_chars": SEARCH_CHARS,
    }
    return await asyncio.to_thread(answer, vault, parameters, ctx.deps.trace_id, reader="read")


async def read(ctx: RunContext[HasVault], path: str, lines: Text = None) -> str:
    """Read a note or some of its lines, numbered.

    Args:
        ctx: Gives the vault to read from.
        path: The note.
        lines: 1-45 or 120-; else all.
    """
    request = NoteRequest(operation="read", path=path, lines=lines or None, max_chars=READ_CHARS)
    look = partial(read_numbered, ctx.deps.vault, request, LINE_CHARS)
    return await asyncio.to_thread(_told, "read", ctx.deps.trace_id, look)


async def tree(ctx: RunContext[HasVault], path: Text = None) -> str:
    """List folders and notes with their sizes.

    Args:
        ctx: Gives the vault to look around in.
        path: A folder; else all.
    """
    look = partial(list_folder, ctx.deps.vault, path, TREE_CHARS)
    return await asyncio.to_thread(_told, "tree", ctx.deps.trace_id, look)


def _told(tool: str, trace_id: str, look: Callable[[], Told]) -> Told:
    try:
        return look()
    except Exception as error:  # noqa: BLE001 - the last resort of this front door
        return as_failure(error, tool, trace_id)


def as_failure(error: Exception, tool: str, trace_id: str) -> Told:
    """Say in one line what went wrong in a tool; an unexpected error goes into the log with its traceback."""
    if isinstance(error, VaultError):
        return Told(cut(format_error(error), ERROR_CHARS), error)
    logger.error("ask_tool_failed", extra={"trace_id": trace_id, "tool": tool}, exc_info=error)
    return Told(in_line(f"Error: performing {tool}: {' '.join(str(error).split())}", ERROR_CHARS), error)
