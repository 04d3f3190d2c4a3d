"""What else is handed out: the entry for registries, and the image's commands."""

import asyncio
import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent

from app import __version__
from app.tests.package.test_bundle import load_build
from app.tests.package.wheel import ROOT, Installed

TOKEN = "a token of decent length"


def test_what_the_entry_starts_is_the_server_with_the_libraries_of_its_extras() -> None:
    build = load_build()
    build.check_readme()
    entry = build.registry_entry()
    [package] = entry["packages"]
    assert entry["version"] == package["version"] == __version__
    assert 1 <= len(entry["description"]) <= 100
    fetched = {each["value"].partition(">")[0] for each in package["runtimeArguments"]}
    assert fetched == {
        *("mcp", "tomlkit", "watchfiles", "pydantic-ai-slim[openai]", "pydantic-ai-slim[anthropic]"),
    }
    given = [
        part
        for each in package["packageArguments"]
        for part in (each.get("name"), each.get("value", "/notes"))
        if part is not None
    ]
    assert given == ["mcp", "--vault", "/notes"]


@dataclass(frozen=True)
class Stage:
    """One stage of a Dockerfile: its instructions in their order."""

    steps: tuple[tuple[str, str], ...]

    def all(self, name: str) -> list[str]:
        return [rest for word, rest in self.steps if word == name]

    def last(self, name: str) -> str:
        return self.all(name)[-1]


def stages() -> list[Stage]:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", " ")
    found: list[list[tuple[str, str]]] = []
    for line in filter(None, map(str.strip, text.split("\n"))):
        name, _, rest = line.partition(" ")
        if name == "FROM":
            found.append([])
        found[-1].append((name, " ".join(rest.split())))
    return [Stage(tuple(steps)) for steps in found]


def environment(stage: Stage) -> dict[str, str]:
    return dict(pair.split("=", 1) for rest in stage.all("ENV") for pair in shlex.split(rest))


@contextmanager
def served(installed: Installed, vault: Path, data: Path) -> Iterator[str]:
    """Run the command of the image, its folders and its port others; yield where it listens."""
    _, image = stages()
    program, *arguments = json.loads(image.last("ENTRYPOINT")) + json.loads(image.last("CMD"))
    arguments[arguments.index("--port") + 1] = "0"
    places = {"/vault": vault, "/data": data}
    kept = {
        name: re.sub(r"^/(vault|data)", lambda found: str(places[found[0]]), value)
        for name, value in environment(image).items()
    }
    process = subprocess.Popen(
        [installed.folder / "bin" / program, *arguments],
        cwd=data,
        env={"PATH": os.environ["PATH"], "HOME": str(data), **kept, "VAULT_ASSISTANT_MCP_TOKEN": TOKEN},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        said = ""
        for line in process.stderr:
            said += line
            if found := re.search(r"Serving http://\S+:(\d+)/mcp", line):
                yield f"http://127.0.0.1:{found[1]}/mcp"
                return
        raise AssertionError(said)
    finally:
        process.terminate()
        process.communicate(timeout=60)


@pytest.mark.slow
def test_the_images_command_serves_a_vault_that_it_leaves_as_it_is(
    installed: Installed, tmp_path: Path
) -> None:
    vault, data = tmp_path / "My notes", tmp_path / "data"
    vault.mkdir()
    data.mkdir()
    (vault / "Boat.md").write_text("The hull is planked with larch.\n")
    vault.chmod(0o555)

    async def asked(url: str) -> tuple[set[str], str]:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=300) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            names = {tool.name for tool in (await client.list_tools()).tools}
            result: Any = await client.call_tool("search", {"query": "larch"})
            text = "".join(block.text for block in result.content if isinstance(block, TextContent))
            return names, text

    with served(installed, vault, data) as url:
        assert httpx2.post(url, json={}, timeout=300).status_code == 401
        names, text = asyncio.run(asyncio.wait_for(asked(url), 300))
    vault.chmod(0o755)
    assert "Boat.md:1" in text
    assert "search" in names
    assert "write" not in names
    assert [path.name for path in vault.rglob("*")] == ["Boat.md"]
    assert {path.name for path in data.iterdir()} <= {"cache", "state", ".config"}
