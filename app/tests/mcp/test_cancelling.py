"""A call that its client gives up stops its work, and one that takes long says that it goes on."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from mcp import Client

from app.search import searcher as searching
from app.search.named import ranking as named
from app.search.searcher import searcher_for
from app.tests.llm.conftest import server as server
from app.tests.llm.server import ModelServer, Reply
from app.tests.mcp.conftest import LEXICAL, NOTES, age, make_server
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio

CALLS: dict[str, dict[str, Any]] = {
    "pack": {"question": "Is the heating electric?"},
    "search": {"query": "electric heating"},
    "ask": {"question": "Is the heating electric?"},
    "wksm_search": {"query": "heating"},
}


class Disk:
    """A disk that does not answer until it is told to; and what is shown of notes after it did."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked, self.answer = threading.Event(), threading.Event()
        self.shown = 0
        real = VaultClient.listing

        def listing(vault: VaultClient) -> Any:
            self.asked.set()
            self.answer.wait(300)
            return real(vault)

        monkeypatch.setattr(VaultClient, "listing", listing)
        for module in (searching, named):
            monkeypatch.setattr(module, "Shower", self._counted(module.Shower))

    def _counted(self, real: Any) -> Any:
        def made(*arguments: Any) -> Any:
            self.shown += 1
            return real(*arguments)

        made.result, made.hit = getattr(real, "result", None), getattr(real, "hit", None)  # type: ignore[attr-defined]
        return made


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    made = Disk(monkeypatch)
    yield made
    made.answer.set()


async def given_up(call: "asyncio.Task[Any]") -> None:
    call.cancel()
    with suppress(asyncio.CancelledError):
        await call


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("is_cancelled", [True, False])
async def test_what_is_cancelled_does_not_begin_to_rank(
    vault: VaultClient, mode: str, name: str, is_cancelled: bool, disk: Disk
) -> None:
    server, _ = make_server(vault)
    async with Client(server, mode=mode) as client:
        call = asyncio.create_task(client.call_tool(name, CALLS[name]))
        assert await asyncio.to_thread(disk.asked.wait, 60)
        if is_cancelled:
            await given_up(call)
            # Messages are read in order: once this is answered, the server knows that the other was given up.
            await client.list_tools()
        disk.answer.set()
        if not is_cancelled:
            assert not (await call).is_error
    await asyncio.get_running_loop().shutdown_default_executor()
    assert bool(disk.shown) is not is_cancelled
    searcher_for(vault).close()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("ask", CALLS["ask"]),
        ("search", {"operation": "keyword", "query": "Is it warm?", "search_terms": ["heating"]}),
        ("search", {"query": "heating", "explain": True}),
    ],
)
async def test_a_language_model_is_not_waited_for(
    tiny_vault: Any, server: ModelServer, mode: str, name: str, arguments: dict[str, Any]
) -> None:
    vault = tiny_vault(NOTES, index=LEXICAL, model="ollama:qwen3")
    age(vault)
    # It answers only when the test has ended.
    server.replies = [Reply("Never.", delay=3600)]
    made, _ = make_server(vault)
    async with Client(made, mode=mode) as client:
        call = asyncio.create_task(client.call_tool(name, arguments))
        while not server.seen:
            assert not call.done(), call.result()
            await asyncio.sleep(0.05)
        await given_up(call)
        await client.list_tools()
    await asyncio.wait_for(asyncio.get_running_loop().shutdown_default_executor(), 300)
    assert len(server.seen) == 1
    searcher_for(vault).close()


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
async def test_a_call_that_lasts_says_that_it_goes_on(
    vault: VaultClient, mode: str, name: str, disk: Disk
) -> None:
    told: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert message
        told.append(progress)
        if len(told) == 3:
            disk.answer.set()

    server, _ = make_server(vault)
    async with Client(server, mode=mode) as client:
        result = await client.call_tool(name, CALLS[name], progress_callback=hear)
    assert not result.is_error
    assert len(told) >= 3
    assert told == sorted(set(told))
    searcher_for(vault).close()
