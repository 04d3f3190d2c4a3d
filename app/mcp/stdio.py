"""The server over standard input and output: one client, which started it."""

from typing import Any

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server


def serve_stdio(server: Server[Any]) -> None:
    """Serve until the client closes standard input; nothing but the protocol goes to standard output."""
    anyio.run(_serve, server)


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
