"""Clients are told of changes in the vault, and of none that they may not know of."""

import asyncio
from typing import Any

import pytest
from mcp import Client
from mcp.client.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp.types import ResourceListChangedNotification, ResourceUpdatedNotification

from app.mcp.start import make_server
from app.search.searcher import searcher_for
from app.serving.keeper import Keeper
from app.vault.client import VaultClient

pytest.importorskip("watchfiles")
pytestmark = pytest.mark.asyncio

HOME = "note:///Home.md"


async def started(vault: VaultClient, **choices: Any) -> tuple[Any, Keeper]:
    """A server whose keeper watches already."""
    server, keeper = make_server(vault, **choices)
    keeper.start()
    assert await asyncio.to_thread(keeper.wait, 60)
    # The system says nothing of what happens before its watches stand.
    await asyncio.sleep(2.5)
    return server, keeper


def ended(vault: VaultClient, keeper: Keeper) -> None:
    keeper.close()
    searcher_for(vault).close()


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
                assert await asyncio.wait_for(anext(aiter(events)), 30) == ResourceUpdated(HOME)
                (vault.root / "Fresh.md").write_text("zephyr")
                assert await asyncio.wait_for(anext(aiter(events)), 30) == ResourcesListChanged()
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
        for _ in range(300):
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
