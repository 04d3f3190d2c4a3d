"""What the search agent can do: search, read, look around. It cannot write."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import get_args

from pydantic_ai import RunContext

from app.chat.ask.reading import list_folder, read_numbered
from app.chat.evidence.gather import best_mode
from app.dependencies import HasVault, logger
from app.errors import BadRequestError, VaultError, format_error
from app.search.answer import answer
from app.search.models import Mode
from app.showing import Told, cut, in_line
from app.vault.client import VaultClient

SEARCH_CHARS = 6000
READ_CHARS = 12_000
LINE_CHARS = 2000
TREE_CHARS = 4000
ERROR_CHARS = 1000
PASSAGES = 10


async def search(
    ctx: RunContext[HasVault],
    query: str | list[str],
    mode: str | None = None,
    scope: str | list[str] | None = None,
    start_date: str | None = None,
    end_date: str | None = None,
    limit: int = PASSAGES,
    offset: int = 0,
) -> str:
    """Rank the passages of the vault for a query, each with its note, its lines and an excerpt.

    Args:
        ctx: Gives the vault to search.
        query: What to look for, in the words of the notes; or several phrasings, or in both languages.
        mode: "fast" ranks by keywords, in milliseconds: names, dates, tags, statuses such as
            "status: en-cours". "deep" ranks by meaning too, for vague or conceptual questions. Without it,
            the better of those there are.
        scope: Where to stay: "project:NAME", a folder, a note, or a glob such as "projects/*/state.md".
        start_date: First day of the passages: 2025-07-14, 2025-07, or "7 days ago".
        end_date: Last day, inclusive, in the same forms.
        limit: The most passages, 1 to 100.
        offset: How many to skip, to go on where an answer ended.
    """
    vault = ctx.deps.vault
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


async def read(ctx: RunContext[HasVault], path: str, lines: str | None = None) -> str:
    """Read a note, or some of its lines, with their numbers.

    Args:
        ctx: Gives the vault to read from.
        path: The note, relative to the vault, such as "projects/apollo/state.md".
        lines: Such as "1-45" or "120-"; without it the whole note, as far as fits.
    """
    return await asyncio.to_thread(read_passage, ctx.deps.vault, path, lines, ctx.deps.trace_id)


async def tree(ctx: RunContext[HasVault], path: str | None = None) -> str:
    """List the folders and notes of the vault, or of one folder, with their sizes.

    Args:
        ctx: Gives the vault to look around in.
        path: A folder, such as "projects/apollo"; without it the whole vault.
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
