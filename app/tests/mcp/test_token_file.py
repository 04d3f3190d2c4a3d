"""Tokens of a file: a real server, asked by a real client, while the file changes under it."""

import asyncio
import hashlib
import json
import os
import re
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from app.errors import ConfigError
from app.mcp.permission import TokenFile
from app.tests.conftest import MakeVault
from app.tests.mcp.conftest import LEXICAL, age, said
from app.tests.mcp.test_http import ACCEPT, INITIALIZE
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio
TOKENS = {name: secrets.token_urlsafe(32) for name in ("ada", "bob", "eve")}


def entry(name: str, vaults: list[str], **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "sha256": hashlib.sha256(TOKENS[name].encode()).hexdigest(),
        "vaults": vaults,
        **more,
    }


def write(file: Path, *entries: object) -> None:
    new = file.with_suffix(".new")
    new.touch(mode=0o600)
    new.write_text(json.dumps(entries))
    new.replace(file)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "tokens.json"
    write(made, entry("ada", ["work", "home"], writes=True), entry("bob", ["home"]), entry("eve", ["attic"]))
    return made


@pytest.fixture
def vaults(tiny_vault: MakeVault) -> dict[str, VaultClient]:
    made = {
        name: tiny_vault(
            {f"{name}.md": f"# The {name}\n\nHeating of the {name}.\n"}, name=name, index=LEXICAL
        )
        for name in ("work", "home")
    }
    for vault in made.values():
        age(vault)
    return made


def command(file: Path, vaults: dict[str, VaultClient], *more: str) -> list[str]:
    config = file.with_name("config.json")
    index = {"indexes": {"notes": {"embedding_model": None}}}
    config.write_text(json.dumps({"token_file": str(file), "writes": "allow", "index": index}))
    named = [part for name, vault in vaults.items() for part in ("--vault", f"{name}={vault.root}")]
    begin = [sys.executable, "-m", "app.cli.main", "mcp", *named, "--config", str(config)]
    return [*begin, "--http", "--port", "0", *more]


@asynccontextmanager
async def serving(file: Path, vaults: dict[str, VaultClient]) -> AsyncIterator[str]:
    """The address of a server in a process of its own."""
    process = subprocess.Popen(command(file, vaults), stderr=subprocess.PIPE, text=True)
    with process:
        assert process.stderr is not None
        try:
            told = await asyncio.to_thread(process.stderr.readline)
            url = re.search(r"Serving (http://127\.0\.0\.1:\d+/mcp) with the tokens of ", told)
            assert url is not None, told
            yield url[1]
        finally:
            process.terminate()


@asynccontextmanager
async def connected(url: str, name: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {TOKENS[name]}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=300) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


async def status(url: str, token: str | None) -> int:
    headers = ACCEPT if token is None else {**ACCEPT, "Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(timeout=300) as client:
        return (await client.post(url, json=INITIALIZE, headers=headers)).status_code


async def test_each_token_sees_its_vaults_until_it_is_taken_out(
    file: Path, vaults: dict[str, VaultClient]
) -> None:
    async with serving(file, vaults) as url:
        kept = json.loads(file.read_text())
        # Neither a wrong one, nor a hash, nor one for vaults that are served elsewhere.
        for token in (None, "nothing", kept[0]["sha256"], TOKENS["eve"], TOKENS["ada"] + "x"):
            assert await status(url, token) == 401, token
        async with connected(url, "ada") as ada, connected(url, "bob") as bob:
            seen = said(await ada.call_tool("search", {"query": "heating"}))
            assert "work:work.md" in seen
            assert "home:home.md" in seen
            seen = said(await bob.call_tool("search", {"query": "heating"}))
            assert "home:home.md" in seen
            assert "work" not in seen
            for tool, arguments in (
                ("read", {"path": "work:work.md"}),
                ("search", {"query": "heating", "vault": "work"}),
            ):
                refused = await bob.call_tool(tool, arguments)
                assert refused.is_error
                assert "Heating of the work" not in said(refused)
            change = {"operation": "append", "path": "home:home.md", "content": "Warm."}
            with pytest.raises(MCPError, match="unknown tool 'write'"):
                await bob.call_tool("write", change)
            await ada.call_tool("write", change)
            assert (vaults["home"].root / "home.md").read_text().endswith("Warm.\n")
            # One is taken out, another gets a further vault: at once, in the sessions there are.
            write(file, entry("bob", ["home", "work"]))
            assert "work:work.md" in said(await bob.call_tool("search", {"query": "heating"}))
            assert await status(url, TOKENS["ada"]) == 401
            with pytest.raises(MCPError, match="error response"):
                await ada.call_tool("search", {"query": "heating"})
        # What cannot be used lets nobody in.
        file.write_text("[{")
        assert await status(url, TOKENS["bob"]) == 401
        write(file, entry("bob", ["home"]))
        assert await status(url, TOKENS["bob"]) == 200
        file.chmod(0o640)
        assert await status(url, TOKENS["bob"]) == 401
        file.unlink()
        assert await status(url, TOKENS["bob"]) == 401


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[{", "is wrong: Invalid JSON"),
        ('[{"name": "ada", "sha256": "secret", "vaults": []}]', "at '0.sha256': String should match"),
        (json.dumps([{"name": "ada", "sha256": "0" * 64}]), "at '0.vaults': Field required"),
    ],
)
async def test_a_file_that_is_wrong_is_an_error_that_shows_no_token(
    file: Path, content: str, said: str
) -> None:
    file.write_text(content)
    with pytest.raises(ConfigError) as caught:
        TokenFile(file, ["home"])
    assert said in str(caught.value)
    assert str(file) in str(caught.value)
    assert "secret" not in str(caught.value)


async def test_a_file_that_others_can_read_is_refused(file: Path) -> None:
    for mode in (0o640, 0o604, 0o620, 0o602):
        file.chmod(mode)
        with pytest.raises(ConfigError, match=r"is not yours alone.*chmod 600"):
            TokenFile(file, ["home"])
    file.chmod(0o600)
    os.chown(file, 54321, -1) if os.geteuid() == 0 else file.unlink()
    with pytest.raises(ConfigError, match=r"is not yours alone|cannot be read"):
        TokenFile(file, ["home"])
