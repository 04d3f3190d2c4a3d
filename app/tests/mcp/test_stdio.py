"""The server as a process of its own, over its standard input and output."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from app.tests.mcp.conftest import MODES, Person, said
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio

LEXICAL = {"index": {"indexes": {"notes": {"embedding_model": None}}}}


@pytest.fixture
def command(vault: VaultClient, tmp_path: Path) -> list[str]:
    config = tmp_path / "config.json"
    config.write_text(json.dumps(LEXICAL))
    return ["-m", "app.cli.main", "mcp", "--vault", str(vault.root), "--config", str(config)]


def process(command: list[str], *more: str) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=[*command, *more], env=dict(os.environ))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_that_starts_the_server_works_with_it(
    vault: VaultClient, command: list[str], mode: str
) -> None:
    person = Person()
    async with Client(process(command), mode=mode, elicitation_callback=person) as client:
        assert client.protocol_version == (MODES[0] if mode == "auto" else "2025-11-25")
        assert client.server_info is not None
        assert client.server_info.name == "vault-assistant"
        assert [tool.name for tool in (await client.list_tools()).tools][:2] == ["pack", "search"]
        found = await client.call_tool("search", {"query": "chauffage serre"})
        assert "Work/Deep notes/Été à Brest.md:1-3" in said(found)
        change = {"operation": "append", "path": "Home", "content": "Über stdio."}
        assert not (await client.call_tool("write", change)).is_error
        fresh = await client.call_tool("search", {"query": "Über stdio"})
        assert "1. Home.md" in said(fresh)
    assert len(person.asked) == 1
    assert vault.read("Home.md").text.endswith("Über stdio.\n")


async def test_nothing_but_the_protocol_goes_to_standard_output(command: list[str]) -> None:
    calls: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                                                     "clientInfo": {"name": "test", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "ask", "arguments": {"question": "The heating?"}}},
        {"id": 3, "method": "tools/call", "params": {"name": "nothing", "arguments": {}}},
    ]  # fmt: skip
    server = subprocess.Popen(
        [sys.executable, *command, "--debug"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None
    for call in calls:
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **call}) + "\n")
    server.stdin.write("this is no JSON\n")
    server.stdin.flush()
    answers: dict[int, dict[str, Any]] = {}
    while not {1, 2, 3} <= set(answers):
        message = json.loads(server.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        answers[message.get("id") or 0] = message
    rest, log = server.communicate(timeout=200)
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert server.returncode == 0
    assert answers[1]["result"]["serverInfo"]["title"] == "Notes of vault"
    assert "heating" in answers[2]["result"]["content"][0]["text"]
    assert answers[3]["error"]["message"].startswith("unknown tool 'nothing'")
    assert "vault_search_called" in log or "ask" in log
