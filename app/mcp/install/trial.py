"""Start the server as a client would, and ask it something."""

import asyncio
from pathlib import Path
from tempfile import TemporaryFile
from typing import TextIO, cast

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

from app.errors import VaultError
from app.sentences import Sentence

PATIENCE_SECONDS = 60.0
SAID_CHARS = 500


def try_server(command: str, arguments: tuple[str, ...]) -> Sentence:
    """Start a server from the home folder with only the variables that clients pass on, and search.

    Returns:
        What was asked and answered, in one line.

    Raises:
        VaultError: it does not start, or does not answer; the message has what it said.
    """
    with TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        try:
            return asyncio.run(
                asyncio.wait_for(_asked(command, arguments, cast(TextIO, said)), PATIENCE_SECONDS)
            )
        except Exception as error:
            said.seek(0)
            tail = " ".join(said.read().split())[-SAID_CHARS:]
            reason = tail or f"{type(error).__name__}: {error}"
            raise VaultError(
                "the server does not answer, so nothing was written: {reason}",
                "start it by hand: {started}",
                reason=reason,
                started=" ".join([command, *arguments]),
            ) from error


async def _asked(command: str, arguments: tuple[str, ...], said: TextIO) -> Sentence:
    how = StdioServerParameters(command=command, args=list(arguments), cwd=Path.home())
    async with Client(stdio_client(how, errlog=said)) as client:
        tools = tuple(tool.name for tool in (await client.list_tools()).tools)
        heard = Sentence("it offers {tools}", tools=tools)
        if "search" not in tools:
            return heard
        result = await client.call_tool("search", {"query": "*", "limit": 1, "max_chars": 500})
        if result.is_error:
            raise VaultError(
                "".join(block.text for block in result.content if isinstance(block, TextContent))
            )
        return Sentence("{heard}; asked for the newest note, it answers", heard=heard)
