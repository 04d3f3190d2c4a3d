"""A small vault behind a server, and the official client in front of it."""

import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client
from mcp.server import Server
from mcp.types import CallToolResult, ElicitRequestParams, ElicitResult, TextContent

from app.config.settings import IndexDefinition, IndexSettings
from app.mcp.start import serve_vaults
from app.serving.keeper import Keeper
from app.vault.client import VaultClient
from app.vault.named import ALONE

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"], "trashOption": "local"}',
    "Home.md": "# Home\n\nSee [[Greenhouse]] and [[Diary]].\n",
    "Work/Greenhouse.md": "---\ntags: [garden/glass]\n---\n# Greenhouse\n\nThe heating is electric. [[Ledger]].\n",
    "Work/Deep notes/Été à Brest.md": "# Été\n\nLe chauffage de la serre.\n",
    "Money/Ledger.md": "# Ledger\n\nThe heating cost a zephyrine fortune. See [[Greenhouse]].\n",
    "private/Diary.md": "# Diary\n\nThe heating kept a quixotry secret.\n",
}
EVERY_TOOL = ("pack", "search", "read", "write", "ask", "wksm_search")
MODES = ("2026-07-28", "legacy")
"""Both generations of the protocol: one call a request, and a session after a handshake."""

LEXICAL = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=None)})


def age(vault: VaultClient) -> None:
    """Make the notes look settled, so that the index reads each of them once."""
    for note in vault.root.rglob("*.md"):
        os.utime(note, (time.time() - 3600, time.time() - 3600))


@pytest.fixture
def vault(tiny_vault: Callable[..., VaultClient]) -> VaultClient:
    made = tiny_vault(NOTES, index=LEXICAL)
    age(made)
    return made


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def make_server(vault: VaultClient, **choices: Any) -> tuple[Server[Any], Keeper]:
    """Make the server of one vault, and what keeps its index."""
    server, [keeper] = serve_vaults({ALONE: vault}, **choices)
    return server, keeper


@asynccontextmanager
async def connected(
    vault: VaultClient, mode: str = MODES[0], *, client: dict[str, Any] | None = None, **choices: Any
) -> AsyncIterator[Client]:
    """Connect the official client to a server of a vault, in memory."""
    server, _ = make_server(vault, **choices)
    async with Client(server, mode=mode, **(client or {})) as opened:
        yield opened


class Person:
    """Answers the questions that a server has for the person behind a client."""

    def __init__(self, action: str = "accept", approve: bool | None = True) -> None:
        self.action, self.approve = action, approve
        self.asked: list[str] = []

    async def __call__(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        content = None if self.approve is None else {"approve": self.approve}
        return ElicitResult(action=self.action, content=content)  # type: ignore[arg-type]


def said(result: CallToolResult) -> str:
    """The text of an answer."""
    return "".join(block.text for block in result.content if isinstance(block, TextContent))
