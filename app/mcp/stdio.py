"""The server over standard input and output: one client, which started it."""

import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from app.limits import MESSAGE_BYTES
from app.mcp.messages import ENDS, fault_of

Reply = Callable[[SessionMessage], Awaitable[None]]


def serve_stdio(server: Server[Any]) -> None:
    """Serve until the client closes standard input; nothing but the protocol goes to standard output."""
    anyio.run(_serve, server)


async def _serve(server: Server[Any]) -> None:
    with _own_input() as file:
        messages = _Messages(file)
        # It iterates over lines of text, which is all that the library asks of a file.
        async with stdio_server(stdin=cast("anyio.AsyncFile[str]", messages)) as (incoming, outgoing):
            messages.reply = outgoing.send
            await server.run(incoming, outgoing, server.create_initialization_options())


class _Messages:
    """The messages that arrive, a line each; one that cannot be read is answered here, with the reason.

    The library's own reader drops such a message, and its sender waits for ever.
    """

    reply: Reply

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def __aiter__(self) -> "_Messages":
        return self

    async def __anext__(self) -> str:
        while line := await anyio.to_thread.run_sync(self._read):
            fault = fault_of(line) if line.strip() else None
            if fault is not None:
                await self.reply(SessionMessage(fault))
            elif line.strip():
                return line.decode()
        raise StopAsyncIteration

    def _read(self) -> bytes:
        """Read a line; of one that is too long the beginning and the end, which is still too long."""
        line = end = self._file.readline(MESSAGE_BYTES + 1)
        while end and not end.endswith(b"\n"):
            end = self._file.readline(1 << 20)
            line = line[: MESSAGE_BYTES - ENDS] + (line[MESSAGE_BYTES - ENDS :] + end)[-2 * ENDS :]
        return line


@contextmanager
def _own_input() -> Iterator[BinaryIO]:
    """Keep standard input for the protocol: what the tools start reads nothing from it."""
    if sys.platform == "win32":
        yield sys.stdin.buffer
        return
    private, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        # A thread may still wait for a line when the server ends, so nothing is closed under it.
        yield os.fdopen(private, "rb", closefd=False)
    finally:
        os.dup2(private, 0)
