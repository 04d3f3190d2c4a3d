"""Clients are told of changes in the vault, and of none that they may not know of."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp.shared.message import SessionMessage
from mcp.types import (
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    ResourceListChangedNotification,
    ResourceUpdatedNotification,
)

from app.mcp import changes
from app.search.searcher import searcher_for
from app.serving.keeper import Keeper
from app.tests.mcp.conftest import make_server
from app.vault.client import VaultClient

pytest.importorskip("watchfiles")
pytestmark = pytest.mark.asyncio

HOME = "note:///Home.md"


async def started(vault: VaultClient, **choices: Any) -> tuple[Any, Keeper]:
    """A server whose keeper watches already."""
    server, keeper = make_server(vault, **choices)
    keeper.start()
    assert await asyncio.to_thread(keeper.wait, 60)
    return server, keeper


def ended(vault: VaultClient, keeper: Keeper) -> None:
    keeper.close()
    searcher_for(vault).close()


@asynccontextmanager
async def silent(server: Any) -> AsyncIterator[None]:
    """A client of the handshake that lists the notes, and then reads nothing any more."""
    # Without room between the two, whoever sends waits until it is read, as with a pipe that is full.
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)

    async def ask(number: int, method: str, params: dict[str, Any]) -> None:
        request = JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=params)
        await to_server.send(SessionMessage(request))
        answer = (await from_server.receive()).message
        assert isinstance(answer, JSONRPCResponse)
        assert answer.id == number

    async with anyio.create_task_group() as tasks, to_server, from_server:
        tasks.start_soon(server.run, incoming, outgoing, server.create_initialization_options())
        about = {"name": "silent", "version": "1"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
        await ask(1, "initialize", hello)
        begun = JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")
        await to_server.send(SessionMessage(begun))
        await ask(2, "resources/list", {})
        yield
        tasks.cancel_scope.cancel()


@pytest.mark.slow
async def test_a_client_that_does_not_read_keeps_no_other_waiting(
    vault: VaultClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    heard = asyncio.Event()

    async def hear(message: Any) -> None:
        if isinstance(message, ResourceListChangedNotification):
            heard.set()

    caplog.set_level(logging.INFO)
    server, keeper = await started(vault)
    try:
        async with silent(server), Client(server, mode="legacy", message_handler=hear) as client:
            await client.list_resources()
            # The first change is told while the bound is far away: nobody is waited for.
            monkeypatch.setattr(changes, "TELL_SECONDS", 300.0)
            (vault.root / "Fresh.md").write_text("zephyr")
            await asyncio.wait_for(heard.wait(), 300)
            assert "client_not_told" not in caplog.messages
            heard.clear()
            monkeypatch.setattr(changes, "TELL_SECONDS", 0.2)
            for name in ("Fresher.md", "Freshest.md"):
                (vault.root / name).write_text("zephyr")
                await asyncio.wait_for(heard.wait(), 300)
                heard.clear()
                await asyncio.sleep(1)
            # It was forgotten at the first of the two; the other client is told of all.
            [forgotten] = [record for record in caplog.records if record.message == "client_not_told"]
            assert vars(forgotten)["error"] == "it read nothing for 0.2 seconds"
    finally:
        ended(vault, keeper)


@pytest.mark.slow
async def test_a_client_that_listens_is_told(vault: VaultClient) -> None:
    server, keeper = await started(vault)
    try:
        async with Client(server) as client:
            assert client.server_capabilities is not None
            assert client.server_capabilities.resources is not None
            assert client.server_capabilities.resources.subscribe is True
            async with client.listen(resources_list_changed=True, resource_subscriptions=[HOME]) as events:
                (vault.root / "private" / "New.md").write_text("quixotry")
                (vault.root / "Money" / "Ledger.md").write_text("# Ledger\n\nOther.\n")
                (vault.root / "Home.md").write_text("# Home\n\nOther.\n")
                assert await asyncio.wait_for(anext(aiter(events)), 300) == ResourceUpdated(HOME)
                (vault.root / "Fresh.md").write_text("zephyr")
                assert await asyncio.wait_for(anext(aiter(events)), 300) == ResourcesListChanged()
            names = [one.name for one in (await client.list_resources()).resources]
    finally:
        ended(vault, keeper)
    assert "Fresh.md" in names
    assert "private/New.md" not in names


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:resources/(un)?subscribe is removed")
async def test_a_client_of_the_handshake_is_told(vault: VaultClient) -> None:
    told: list[Any] = []

    async def hear(message: Any) -> None:
        told.append(message)

    async def heard(kind: type) -> Any:
        for _ in range(3_000):
            for one in told:
                if isinstance(one, kind):
                    told.remove(one)
                    return one
            await asyncio.sleep(0.1)
        raise AssertionError(told)

    server, keeper = await started(vault)
    try:
        async with Client(server, mode="legacy", message_handler=hear) as client:
            assert client.server_capabilities is not None
            assert client.server_capabilities.resources is not None
            assert client.server_capabilities.resources.subscribe is True
            assert client.server_capabilities.resources.list_changed is True
            await client.subscribe_resource(HOME)
            (vault.root / "Money" / "Ledger.md").write_text("# Ledger\n\nOther.\n")
            (vault.root / "Home.md").write_text("# Home\n\nOther.\n")
            updated = await heard(ResourceUpdatedNotification)
            assert updated.params.uri == HOME
            (vault.root / "private" / "New.md").write_text("quixotry")
            (vault.root / "Fresh.md").write_text("zephyr")
            await heard(ResourceListChangedNotification)
            await client.unsubscribe_resource(HOME)
            (vault.root / "Home.md").write_text("# Home\n\nAgain.\n")
            (vault.root / "Fresh.md").unlink()
            await heard(ResourceListChangedNotification)
            assert told == []
    finally:
        ended(vault, keeper)
