"""The server over standard input and output: one client, which started it."""

import json
from contextlib import suppress
from typing import Any

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError


def serve_stdio(server: Server[Any]) -> None:
    """Serve until the client closes standard input; nothing but the protocol goes to standard output."""
    anyio.run(_serve, server)


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        to_server, readable = anyio.create_memory_object_stream[SessionMessage | Exception](0)

        async def pass_on() -> None:
            # The SDK drops a message that cannot be read, and its sender waits for ever.
            async with to_server:
                async for message in incoming:
                    if isinstance(message, ValidationError):
                        await outgoing.send(SessionMessage(fault_of(message)))
                    else:
                        await to_server.send(message)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pass_on)
            await server.run(readable, outgoing, server.create_initialization_options())
            tasks.cancel_scope.cancel()


def fault_of(error: ValidationError) -> JSONRPCError:
    """Return the reply to a message that cannot be read; it says which call that was, if it can be told."""
    first = error.errors(include_url=False)[0]
    number = None
    with suppress(ValueError, RecursionError, AttributeError):
        # Python reads what the SDK's parser refuses, such as half of a character.
        found = json.loads(first["input"]) if isinstance(first["input"], str) else first["input"]
        number = found.get("id") if type(found.get("id")) in (int, str) else None
    if first["type"] != "json_invalid":
        code, said = INVALID_REQUEST, "the message is JSON, but no message of JSON-RPC 2.0"
    else:
        code, said = PARSE_ERROR, f"the message is no JSON that can be read: {first['ctx']['error']}"
    return JSONRPCError(jsonrpc="2.0", id=number, error=ErrorData(code=code, message=said))
