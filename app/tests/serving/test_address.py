"""Where a server of ours listens."""

import asyncio
import socket

import pytest

from app.errors import VaultError
from app.serving.address import Address, bind


def test_answers_are_sent_at_once() -> None:
    """What asyncio accepts has Nagle's algorithm off; with it, each answer of a page came 40 ms late."""

    async def accepted() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connection = writer.get_extra_info("socket")
            found.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with bind(Address(port=0)) as listener:
            async with await asyncio.start_server(met, sock=listener):
                _, writer = await asyncio.open_connection(*listener.getsockname())
                given = await found
                writer.close()
                await writer.wait_closed()
        return given

    assert asyncio.run(accepted()) == 1


def test_an_address_that_is_taken_is_said() -> None:
    with bind(Address(port=0)) as first:
        port = first.getsockname()[1]
        with pytest.raises(VaultError, match=f"cannot listen on 127.0.0.1:{port}: "):
            bind(Address(port=port))
