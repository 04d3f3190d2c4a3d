"""What the search agent can do: search, read, look around. It cannot write."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated, get_args

from pydantic import WithJsonSchema
from pydantic_ai import RunContext

from app.chat.ask.briefing import briefing_of
from app.chat.ask.reading import list_folder, read_numbered
from app.chat.evidence.gather import best_mode
from app.dependencies import HasVault, logger
from app.errors import BadRequestError, VaultError, format_error
from app.notes.models import Reading
from app.search.answer import answer
from app.search.models import Mode
from app.showing import Told, cut, in_line
from app.vault.client import VaultClient

SEARCH_CHARS = 4000
READ_CHARS = 12_000
LINE_CHARS = 2000
TREE_CHARS = 4000
ERROR_CHARS = 1000
PASSAGES = 6

# That it may be null as well is not worth its tokens in each request; it is taken all the same.
Text = Annotated[str | None, WithJsonSchema({"type": "string"})]
Texts = Annotated[str | list[str] | None, WithJsonSchema({"type": "string"})]


async def search(
    ctx: RunContext[HasVault],
    query: str | list[str],
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
        query: Words of the notes; or several wordings, or in both languages.
        mode: "fast" by keywords, "deep" by meaning too.
        scope: Where to stay: "project:NAME", a folder, a note or a glob.
        start_date: First day: 2025-07-14, 2025-07, "7 days ago".
        end_date: Last day, inclusive.
        limit: Most passages, to 100.
        offset: How many to skip.
    """
    vault = ctx.deps.vault
    briefing = briefing_of(ctx.deps)
    if briefing and isinstance(query, str) and not (mode or scope or start_date or end_date or offset):
        above = briefing.answers_search(query)
        if above is not None:
            return above
    chosen = mode if mode else await asyncio.to_thread(best_mode, vault)
    if chosen not in get_args(Mode):
        valid = ", ".join(get_args(Mode))
        return format_error(BadRequestError(f"unknown mode {chosen[:40]!r}", f"valid: {valid}"))
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
    return await asyncio.to_thread(answer, vault, parameters, ctx.deps.trace_id)


async def read(ctx: RunContext[HasVault], path: str, lines: Text = None) -> str:
    """Read a note or some of its lines, numbered.

    Args:
        ctx: Gives the vault to read from.
        path: Such as "projects/apollo/state.md".
        lines: Such as "1-45" or "120-"; without it the whole note.
    """
    told = await asyncio.to_thread(read_passage, ctx.deps.vault, path, lines, ctx.deps.trace_id)
    briefing = briefing_of(ctx.deps)
    if briefing and isinstance(told.value, Reading) and told.value.lines:
        numbers = [number for number, _ in told.value.lines]
        above = briefing.answers_reading(told.value.path, numbers[0], numbers[-1])
        if above is not None:
            return Told(above, told.value)
    return told


async def tree(ctx: RunContext[HasVault], path: Text = None) -> str:
    """List folders and notes with their sizes.

    Args:
        ctx: Gives the vault to look around in.
        path: A folder; without it the whole vault.
    """
    vault = ctx.deps.vault
    look = partial(list_folder, vault, path, TREE_CHARS)
    return await asyncio.to_thread(_told, "tree", ctx.deps.trace_id, look)


def read_passage(vault: VaultClient, path: str, lines: str | None, trace_id: str = "") -> Told:
    """Return what the tool `read` answers."""
    return _told("read", trace_id, partial(read_numbered, vault, path, lines, READ_CHARS, LINE_CHARS))


def _told(tool: str, trace_id: str, look: Callable[[], Told]) -> Told:
    """Run a tool; whatever goes wrong becomes one line, an unexpected error with its traceback in the log."""
    try:
        return look()
    except VaultError as error:
        return Told(cut(format_error(error), ERROR_CHARS), error)
    except Exception as error:  # noqa: BLE001 - the last resort of this front door
        logger.error("ask_tool_failed", extra={"trace_id": trace_id, "tool": tool}, exc_info=True)
        return Told(in_line(f"Error: performing {tool}: {' '.join(str(error).split())}", ERROR_CHARS), error)
