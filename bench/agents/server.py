"""How a client looks for an answer with the tools of the MCP server, over standard input and output."""

import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

from app.config.settings import OFFLINE
from bench.agents.received import Received, numbered, quoted

HITS, PAGES = 5, 2
AROUND = 10
"""Lines before and after the passage of a hit that are read with it."""

Steps = Callable[[Client, str, Received], AsyncIterator[None]]


def process(vault: Path, cache: Path, work: Path, *, has_vectors: bool) -> StdioServerParameters:
    """Say how to start the server of a vault whose index is in a folder."""
    config = work / "agents.json"
    definition: dict[str, Any] = {} if has_vectors else {"embedding_model": None}
    config.write_text(
        json.dumps({"index": {"indexes": {"notes": definition}}} if definition else {}), encoding="utf-8"
    )
    environment = {
        **os.environ,
        "VAULT_ASSISTANT_CACHE_DIR": str(cache),
        "VAULT_ASSISTANT_MODEL": OFFLINE,
    }
    arguments = [
        "-m", "app.cli.entry", "mcp", "--tools", "all", "--read-only", "--vault", str(vault),
        "--config", str(config),
    ]  # fmt: skip
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment)


async def _call(client: Client, tool: str, **arguments: str | int) -> tuple[str, CallToolResult]:
    result = await client.call_tool(tool, dict(arguments))
    text = "\n".join(each.text for each in result.content if isinstance(each, TextContent))
    if result.is_error:
        raise SystemExit(f"{tool} {arguments}: {text}")
    return text, result


def searching(mode: str) -> Steps:
    """Return the way of one search, `fast` or `deep`."""

    async def steps(client: Client, question: str, received: Received) -> AsyncIterator[None]:
        text, _ = await _call(client, "search", operation=mode, query=question, limit=HITS)
        received.take(text, numbered(text))
        yield

    return steps


async def packing(client: Client, question: str, received: Received) -> AsyncIterator[None]:
    """Take evidence in one call, within the budget that a client gets which names none."""
    text, _ = await _call(client, "pack", question=question)
    received.take(text, numbered(text))
    yield


async def asking(client: Client, question: str, received: Received) -> AsyncIterator[None]:
    """Have the question answered without a language model."""
    text, _ = await _call(client, "ask", question=question)
    received.take(text, quoted(text))
    yield


async def searching_and_reading(client: Client, question: str, received: Received) -> AsyncIterator[None]:
    """Search, then read around each hit, best first; then the same with the next page."""
    for page in range(PAGES):
        text, result = await _call(client, "search", query=question, limit=HITS, offset=page * HITS)
        received.take(text, numbered(text))
        yield
        hits = (result.structured_content or {}).get("hits", ())
        for hit in hits:
            first, _, last = str(hit["lines"]).partition("-")
            start, end = max(1, int(first) - AROUND), int(last or first) + AROUND
            text, _ = await _call(client, "read", path=hit["path"], lines=f"{start}-{end}")
            received.take(text, numbered(text))
            yield
        if len(hits) < HITS:
            break
