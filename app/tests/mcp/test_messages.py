"""A message that cannot be read is answered with the reason, and the server goes on."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from app.limits import MESSAGE_BYTES
from app.mcp.http import http_app
from app.serving.address import Address
from app.tests.mcp.conftest import LEXICAL, make_server
from app.vault.client import VaultClient

Send = Callable[[bytes], dict[str, Any]]


def call(number: object, query: str) -> bytes:
    arguments = {"operation": "fast", "query": query}
    parameters = {"name": "search", "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": parameters}).encode()


@pytest.fixture(scope="module")
def send(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Send]:
    """A server over standard input; sends it a line and gives the next line that comes."""
    root = tmp_path_factory.mktemp("stdio")
    (root / "vault").mkdir()
    (root / "vault/A.md").write_text("larch")
    config = root / "config.json"
    config.write_text(
        json.dumps({"index": LEXICAL.model_dump(mode="json"), "cache_dir": str(root / "cache")})
    )
    server = subprocess.Popen(
        [sys.executable, "-m", "app.cli.main", "mcp", "--vault", str(root / "vault"), "--config", str(config)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "HOME": str(root)},
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None
    stdin, stdout = server.stdin, server.stdout

    def said(line: bytes) -> dict[str, Any]:
        stdin.write(line + b"\n")
        stdin.flush()
        answer: dict[str, Any] = json.loads(stdout.readline())
        return answer

    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    started = said(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}).encode())
    assert started["result"]["serverInfo"]["name"] == "vault-assistant"
    stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    yield said
    server.communicate(timeout=200)
    assert server.returncode == 0


UNREADABLE = [
    pytest.param(
        call(7, "half").replace(b"half", b"\\ud83d"), 7, -32700, "no JSON that can be read", id="lone surrogate"
    ),
    pytest.param(
        b'{"method":"tools/call","params":{"name":"\\udc00"},"jsonrpc":"2.0","id":"last"}',
        "last", -32700, "no JSON that can be read", id="the number stands last",
    ),
    pytest.param(
        b'{"jsonrpc":"2.0","id":8,"method":"x","params":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        None, -32700, "recursion limit", id="nested",
    ),
    pytest.param(b"this is no JSON", None, -32700, "expected ident", id="no JSON"),
    pytest.param(b'[{"id": 3}]', None, -32600, "no message of JSON-RPC 2.0", id="no call"),
    pytest.param(b'{"jsonrpc":"2.0","id":10}', 10, -32600, "no message of JSON-RPC 2.0", id="nothing asked"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "number", "code", "words"), UNREADABLE)
def test_a_line_that_cannot_be_read_gets_a_reply(
    line: bytes, number: object, code: int, words: str, send: Send
) -> None:
    answer = send(line)
    assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", number, code)
    assert words in answer["error"]["message"]
    found = send(call(11, "larch"))
    assert "1. A.md" in found["result"]["content"][0]["text"]


def test_a_query_of_a_megabyte_is_told_the_limit(send: Send) -> None:
    answer = send(call(12, "a " * 500_000))
    assert answer["id"] == 12
    assert answer["result"]["isError"] is True
    text = answer["result"]["content"][0]["text"]
    assert text == "Error: 'query' has 1,000,000 characters. 10,000 are the most"


@pytest.mark.asyncio
async def test_over_http_a_message_that_is_too_long_is_refused(vault: VaultClient) -> None:
    app = http_app(make_server(vault)[0], Address(), None)
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app), timeout=300) as http,
    ):
        body = call(1, "a" * MESSAGE_BYTES)
        answer = await http.post("http://127.0.0.1:8765/mcp", content=body, headers=headers)
    assert answer.status_code == 413
