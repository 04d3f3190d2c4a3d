"""The page on MCP is executed on the installed wheel: its commands, its configurations, its calls and its tables."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from app.tests.package.wheel import ROOT, Installed

pytestmark = pytest.mark.slow

TEXT = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
TOOLS = ["pack", "search", "read", "write", "ask", "wksm_search"]


def blocks(*languages: str) -> list[str]:
    return re.findall(rf"^```(?:{'|'.join(languages)})\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """Every command of ours in the shell blocks, without its comment.

    What needs Docker is run by `test_handed_out`; the line that makes a token is left out.
    """
    lines = "".join(block for block in blocks("sh") if "docker run" not in block).splitlines()
    return [line.partition("  #")[0].strip() for line in lines if not line.startswith("python3 -c")]


@pytest.fixture
def notes(own_environment: Path) -> Path:
    folder = own_environment / "Notes"
    shutil.copytree(ROOT / "examples" / "vault", folder)
    return folder


@pytest.fixture
def environment(installed: Installed, own_environment: Path, notes: Path) -> dict[str, str]:
    """What a person's shell has who installed the wheel."""
    return {
        **os.environ,
        "PATH": f"{installed.folder / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(installed.host),
        "HOME": str(own_environment),
    }


def shell(script: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-e", "-c", script], env=environment, cwd=environment["HOME"], input="",
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@asynccontextmanager
async def started(environment: Mapping[str, str], *arguments: str) -> AsyncIterator[Client]:
    """The official client, and the server of the wheel as the client starts it."""
    program = StdioServerParameters(
        command=shutil.which("vault-assistant", path=environment["PATH"]) or "",
        args=["mcp", *arguments],
        env=dict(environment),
    )
    async with Client(program) as client:
        yield client


async def offered(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


def test_the_commands_do_what_the_page_says(environment: dict[str, str], notes: Path) -> None:
    home = Path(environment["HOME"])
    known = commands()
    assert [line.partition(" --")[0] for line in known] == [
        "vault-assistant setup install claude-desktop", "mkdir -p .claude/skills/notes",
        "vault-assistant setup skill", "vault-assistant setup skill",
        "vault-assistant mcp", "vault-assistant mcp",
    ]  # fmt: skip
    asked, made = (shell(f"{known[0]}{yes}", environment) for yes in ("", " --yes"))
    assert '+  "mcpServers": {' in asked.stdout
    assert "nobody is here to approve it" in asked.stderr
    assert made.returncode == 0, made.stderr
    [file] = home.rglob("claude_desktop_config.json")
    [entry] = json.loads(file.read_text(encoding="utf-8"))["mcpServers"].values()
    assert entry["args"] == ["mcp", "--vault", str(notes)]

    garden = home / "code" / "garden"
    garden.mkdir(parents=True)
    done = shell("\n".join([f"cd {garden}", *known[1:4]]), environment)
    assert done.returncode == 0, done.stderr
    for place in (".claude/skills/notes/SKILL.md", "AGENTS.md"):
        assert "vault-assistant find --deep" in (garden / place).read_text(encoding="utf-8")


def test_the_calls_give_what_the_page_shows(environment: dict[str, str], notes: Path, tmp_path: Path) -> None:
    [calls], [shown] = blocks("python"), blocks("text")
    script = tmp_path / "calls.py"
    script.write_text(calls, encoding="utf-8")
    done = shell(f"python {script}", environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == shown.strip()


@pytest.mark.asyncio
async def test_the_configuration_starts_the_server(environment: dict[str, str], notes: Path) -> None:
    entry = json.loads(blocks("json")[0])["mcpServers"]["notes"]
    assert entry["command"] == "vault-assistant"
    arguments = [each.replace("/path/to/Notes", str(notes)) for each in entry["args"][1:]]
    async with started(environment, *arguments) as client:
        # The tables and lists of the page, against what is there.
        table = TEXT.partition("| tool | gives |")[2].partition("\n\n")[0]
        assert await offered(client) == re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == TOOLS
        assert client.protocol_version in TEXT
        prompts = {
            prompt.name: [each.name for each in prompt.arguments or ()]
            for prompt in (await client.list_prompts()).prompts
        }
        said = " ".join(TEXT.split())
        [named] = re.findall(
            r"picked: `(\w+)` \(`(\w+)`\) and `(\w+)` \(`(\w+)`, and `(\w+)` or `(\w+)`", said
        )
        assert prompts == {named[0]: [named[1]], named[2]: list(named[3:])}
        [template] = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "note:///{+path}"
