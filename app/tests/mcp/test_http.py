"""The server over HTTP: only with the token, only by its own name, and not for foreign web pages."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from app.errors import BadRequestError
from app.mcp.http import http_app
from app.serving.address import Address
from app.tests.mcp.conftest import Person, make_server, said
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio

LOOPBACK = Address()
TOKEN = "a token of decent length"
RIGHT = {"Authorization": f"Bearer {TOKEN}"}
INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip
ACCEPT = {"Accept": "application/json, text/event-stream"}


@asynccontextmanager
async def serving(
    vault: VaultClient, address: Address = LOOPBACK, token: str | None = TOKEN
) -> AsyncIterator[Any]:
    """The application, as a transport that needs no socket."""
    server, _ = make_server(vault)
    app = http_app(server, address, token)
    async with app.router.lifespan_context(app):
        yield httpx2.ASGITransport(app)


async def post(transport: Any, url: str = "http://127.0.0.1:8765/mcp", **headers: str) -> httpx2.Response:
    async with httpx2.AsyncClient(transport=transport, timeout=300) as client:
        return await client.post(url, json=INITIALIZE, headers={**ACCEPT, **headers})


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (RIGHT, 200),
        ({}, 401),
        ({"Authorization": "Bearer wrong token, same size"}, 401),
        ({"Authorization": TOKEN}, 401),
        ({"Authorization": f"Bearer {TOKEN} "}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": f"bearer {TOKEN}"}, 200),
        ({"Authorization": "Bearer "}, 401),
        ({**RIGHT, "Origin": "http://127.0.0.1:8765"}, 200),
        ({**RIGHT, "Origin": "http://localhost:3000"}, 200),
        ({**RIGHT, "Origin": "https://evil.example"}, 403),
        ({**RIGHT, "Origin": "http://localhost.evil.example:80"}, 403),
        ({**RIGHT, "Origin": "null"}, 403),
        ({**RIGHT, "Host": "evil.example"}, 421),
        ({**RIGHT, "Host": "evil.example:8765"}, 421),
        ({**RIGHT, "Host": "127.0.0.1.evil.example:8765"}, 421),
        ({**RIGHT, "Host": "localhost:8765"}, 200),
        ({**RIGHT, "Host": "localhost"}, 200),
        ({**RIGHT, "Host": "[::1]:8765"}, 200),
    ],
)
async def test_who_is_let_in(vault: VaultClient, headers: dict[str, str], status: int) -> None:
    async with serving(vault) as transport:
        assert (await post(transport, **headers)).status_code == status


async def test_without_a_token_the_names_still_count(vault: VaultClient) -> None:
    async with serving(vault, token=None) as transport:
        assert (await post(transport)).status_code == 200
        assert (await post(transport, Origin="https://evil.example")).status_code == 403
        assert (await post(transport, Host="evil.example")).status_code == 421


async def test_off_loopback_a_token_is_needed_and_the_names_are_those_given(vault: VaultClient) -> None:
    with pytest.raises(BadRequestError, match=r"'0\.0\.0\.0' can be reached by other machines"):
        http_app(make_server(vault)[0], Address("0.0.0.0"), None)
    async with serving(vault, Address("0.0.0.0", names=("notes.home",))) as transport:
        assert (await post(transport, **RIGHT, Host="notes.home:8765")).status_code == 200
        assert (await post(transport, **RIGHT, Host="evil.example:8765")).status_code == 421
        assert (await post(transport, Host="notes.home:8765")).status_code == 401
        assert (await post(transport, **RIGHT, Origin="https://evil.example")).status_code == 403


async def test_a_real_server_works_with_the_official_client(vault: VaultClient, tmp_path: Any) -> None:
    config = tmp_path / "config.json"
    config.write_text('{"index": {"indexes": {"notes": {"embedding_model": null}}}}')
    server = subprocess.Popen(
        [sys.executable, "-m", "app.cli.main", "mcp", "--vault", str(vault.root), "--config", str(config),
         "--http", "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert server.stderr is not None
    try:
        token = re.search(r": (\S+)$", server.stderr.readline().strip())
        url = re.search(r"Serving (http://127\.0\.0\.1:\d+/mcp);", server.stderr.readline())
        assert token is not None
        assert url is not None
        for mode in ("auto", "legacy"):
            person = Person()
            async with httpx2.AsyncClient(
                headers={"Authorization": f"Bearer {token[1]}"}, timeout=300
            ) as http:
                transport = streamable_http_client(url[1], http_client=http)
                async with Client(transport, mode=mode, elicitation_callback=person) as client:
                    found = await client.call_tool("search", {"operation": "fast", "query": "electric"})
                    assert "1. Work/Greenhouse.md" in said(found)
                    change = {"operation": "append", "path": "Home", "content": f"Over HTTP, {mode}."}
                    assert not (await client.call_tool("write", change)).is_error
            assert len(person.asked) == 1
        async with httpx2.AsyncClient(timeout=300) as http:
            refused = await http.post(url[1], json=INITIALIZE, headers=ACCEPT)
        assert refused.status_code == 401
    finally:
        server.terminate()
        out, _ = await asyncio.to_thread(server.communicate, timeout=200)
    assert out == ""
    assert vault.read("Home.md").text.endswith("Over HTTP, auto.\n\nOver HTTP, legacy.\n")
