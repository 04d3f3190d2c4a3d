"""Clients that nobody here wrote, where they are on PATH: the inspector, fastmcp, and the conformance suite.

They are installed by `npm install -g @modelcontextprotocol/inspector @modelcontextprotocol/conformance`, which want
Node 22, and by `pip install fastmcp` in an environment of its own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.tests.mcp.conftest import EVERY_TOOL
from app.vault.client import VaultClient

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[3] / "docs" / "mcp.md"
CONFIG = {"index": {"indexes": {"notes": {"embedding_model": None}}}, "writes": "allow"}
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "pack": ({"question": "Is the heating electric?", "max_tokens": 300}, "The heating is electric."),
    "search": ({"query": "electric heating", "limit": 1}, "1. Work/Greenhouse.md:1-6"),
    "read": ({"path": "Greenhouse"}, "6 | The heating is electric."),
    "write": ({"operation": "append", "path": "Home", "content": "Warm."}, "Done: append to 'Home.md'."),
    "ask": ({"question": "Is the heating electric?"}, "## Work/Greenhouse.md"),
    "wksm_search": ({"query": "electric", "k": 1}, '"path": "Work/Greenhouse.md"'),
}
HOME = "note:///Home.md"
FASTMCP = """
import asyncio, json, os, sys
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

async def main():
    program, *arguments = json.loads(sys.argv[1])
    said = {}
    async with Client(StdioTransport(program, arguments, env=dict(os.environ))) as client:
        said["tools"] = [tool.name for tool in await client.list_tools()]
        for name, (given, _) in json.loads(sys.argv[2]).items():
            result = await client.call_tool(name, given)
            said[name] = [result.content[0].text, result.structured_content]
        said["resources"] = [one.name for one in await client.list_resources()]
        said["home"] = (await client.read_resource("note:///Home.md"))[0].text
        said["templates"] = [one.uri_template for one in await client.list_resource_templates()]
        said["prompts"] = [one.name for one in await client.list_prompts()]
        prompt = await client.get_prompt("find_and_cite", {"question": "Electric?"})
        said["prompt"] = prompt.messages[0].content.text
    print(json.dumps(said))

asyncio.run(main())
"""
FIXTURE = re.compile(
    r"unknown tool 'test_|unknown prompt 'test_|'test://|'json_schema_2020_12_tool' not found|Method not found"
)
"""How a scenario fails that asks for what the suite wants a server to have for it."""
CONFORMS = {
    "server-initialize", "ping", "completion-complete", "tools-list", "resources-list", "prompts-list",
    "server-sse-multiple-streams", "dns-rebinding-protection", "server-sse-polling",
}  # fmt: skip
"""The scenarios that pass; all others ask for what the suite wants."""


def found(program: str, package: str) -> str:
    place = shutil.which(program)
    if place is None:
        pytest.skip(f"{program} is not on PATH: install {package}")
    return place


@pytest.fixture
def command(vault: VaultClient, tmp_path: Path) -> list[str]:
    config = tmp_path / "config.json"
    config.write_text(json.dumps(CONFIG))
    return [sys.executable, "-m", "app.cli.main", "mcp", "--vault", str(vault.root), "--config", str(config)]


def check(name: str, text: str, data: Any) -> None:
    """What one tool gave, as text and as data."""
    assert CALLS[name][1] in text, name
    assert "quixotry" not in text
    keys = {"pack": "passages", "search": "hits", "read": "text", "ask": "answer", "wksm_search": "hits"}
    assert (data is None) == (name == "write")
    if data is not None:
        assert data[keys[name]], name


def test_the_inspector_drives_every_method(vault: VaultClient, command: list[str], tmp_path: Path) -> None:
    inspector = found("mcp-inspector", "@modelcontextprotocol/inspector with npm")
    entries = tmp_path / "servers.json"
    server = {"command": command[0], "args": command[1:], "env": dict(os.environ)}
    entries.write_text(json.dumps({"mcpServers": {"notes": server}}))

    def run(method: str, *more: str) -> Any:
        done = subprocess.run(
            [inspector, "--cli", "--config", str(entries), "--server", "notes", "--method", method, *more],
            capture_output=True, text=True, check=False, timeout=200,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    assert [tool["name"] for tool in run("tools/list")["tools"]] == list(EVERY_TOOL)
    for name, (arguments, _) in CALLS.items():
        given = [each for key, value in arguments.items() for each in ("--tool-arg", f"{key}={value}")]
        result = run("tools/call", "--tool-name", name, *given)
        check(name, result["content"][0]["text"], result.get("structuredContent"))
    assert vault.read("Home.md").text.endswith("Warm.\n")
    assert HOME in [one["uri"] for one in run("resources/list")["resources"]]
    assert run("resources/read", "--uri", HOME)["contents"][0]["text"].startswith("# Home\n")
    [template] = run("resources/templates/list")["resourceTemplates"]
    assert template["uriTemplate"] == "note:///{+path}"
    assert [one["name"] for one in run("prompts/list")["prompts"]] == ["daily_review", "find_and_cite"]
    prompt = run("prompts/get", "--prompt-name", "find_and_cite", "--prompt-args", "question=Electric?")
    assert prompt["messages"][0]["content"]["text"].startswith("Answer from my notes alone: Electric?")


def test_fastmcp_drives_every_method(vault: VaultClient, command: list[str]) -> None:
    python = Path(found("fastmcp", "fastmcp with pip")).with_name("python")
    done = subprocess.run(
        [str(python), "-c", FASTMCP, json.dumps(command), json.dumps(CALLS)],
        capture_output=True, text=True, check=False, timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["tools"] == list(EVERY_TOOL)
    for name in CALLS:
        check(name, *said[name])
    assert vault.read("Home.md").text.endswith("Warm.\n")
    assert said["resources"][0] == "Home.md"
    assert said["home"].startswith("# Home\n")
    assert said["templates"] == ["note:///{+path}"]
    assert said["prompts"] == ["daily_review", "find_and_cite"]
    assert said["prompt"].startswith("Answer from my notes alone: Electric?")


def test_the_conformance_suite_passes(command: list[str], tmp_path: Path) -> None:
    suite = found("conformance", "@modelcontextprotocol/conformance with npm")
    version = subprocess.run([suite, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if f" {version}, nine pass" not in " ".join(PAGE.read_text(encoding="utf-8").split()):
        pytest.skip(f"the page is of another version of the suite than {version}")
    server = subprocess.Popen(
        [*command, "--http", "--port", "0", "--no-token"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert server.stderr is not None
    try:
        server.stderr.readline()
        url = re.search(r"http://127\.0\.0\.1:\d+/mcp", server.stderr.readline())
        assert url is not None
        results = tmp_path / "results"
        subprocess.run(
            [suite, "server", "--url", url[0], "--suite", "all", "--output-dir", str(results)],
            capture_output=True, check=False, timeout=300,
        )  # fmt: skip
    finally:
        server.terminate()
        server.communicate(timeout=200)
    passed = set()
    for file in results.glob("*/checks.json"):
        [name] = re.findall(r"^server-(.+)-\d{4}-\d\d-\d\dT", file.parent.name)
        failures = [one["errorMessage"] for one in json.loads(file.read_text()) if one["status"] == "FAILURE"]
        passed |= set() if failures else {name}
        assert all(FIXTURE.search(message) for message in failures), (name, failures)
    assert passed == CONFORMS
