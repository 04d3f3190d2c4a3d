"""The bundle: what it says of itself is true, and what it starts is the server of the chosen vault."""

import asyncio
import importlib.util
import json
import os
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from app import __version__
from app.tests.package.wheel import ROOT, Installed

pytestmark = pytest.mark.slow
PLACE, VAULT = "${__dirname}", "${user_config.vault}"


def load_build() -> ModuleType:
    """The script that builds what is handed out, as a module."""
    spec = importlib.util.spec_from_file_location("bundle_build", ROOT / "bundle" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def build() -> ModuleType:
    return load_build()


@pytest.fixture
def opened(build: ModuleType, installed: Installed, tmp_path: Path) -> Path:
    """The folder that a program unpacks the bundle into."""
    folder = tmp_path / "opened"
    with zipfile.ZipFile(build.bundle(installed.wheel, tmp_path)) as archive:
        archive.extractall(folder)
    return folder


def manifest(opened: Path) -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads((opened / "manifest.json").read_text(encoding="utf-8"))
    return found


def test_it_holds_what_it_names(opened: Path, installed: Installed) -> None:
    about = manifest(opened)
    own = tomllib.loads((opened / "pyproject.toml").read_text(encoding="utf-8"))
    assert about["version"] == own["project"]["version"] == __version__
    assert about["server"]["entry_point"] in about["server"]["mcp_config"]["args"]
    assert own["project"]["dependencies"] == ["vault-assistant[mcp,watch,openai,anthropic]"]
    [(library, source)] = own["tool"]["uv"]["sources"].items()
    assert library == "vault-assistant"
    assert (opened / source["path"]).read_bytes() == installed.wheel.read_bytes()
    assert {path.name for path in opened.iterdir()} == {
        "LICENSE", "manifest.json", "pyproject.toml", source["path"], about["server"]["entry_point"],
    }  # fmt: skip


def test_what_it_starts_serves_the_vault(opened: Path, installed: Installed, tmp_path: Path) -> None:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.types import TextContent

    notes = tmp_path / "My notes"
    notes.mkdir()
    (notes / "Boat.md").write_text("The hull is planked with larch.\n")
    told = manifest(opened)["server"]["mcp_config"]
    arguments = [each.replace(PLACE, str(opened)).replace(VAULT, str(notes)) for each in told["args"]]
    # uv makes the environment that is here already, and starts the rest in it.
    assert (told["command"], arguments[:3]) == ("uv", ["run", "--directory", str(opened)])
    how = StdioServerParameters(
        command=str(installed.python), args=arguments[3:], cwd=opened, env={**os.environ, "PYTHONPATH": ""}
    )

    async def asked() -> str:
        async with Client(stdio_client(how)) as client:
            assert "search" in [tool.name for tool in (await client.list_tools()).tools]
            result = await client.call_tool("search", {"query": "larch"})
            return "".join(block.text for block in result.content if isinstance(block, TextContent))

    assert "Boat.md:1" in asyncio.run(asyncio.wait_for(asked(), 300))
