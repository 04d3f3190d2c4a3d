"""Creating a note shows what is near it: to the person who is asked, and to whoever asked for it."""

import json
from collections.abc import AsyncIterator

import pytest
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.chat.conversation import Conversation
from app.dependencies import ChatDependencies, ProposedWrite
from app.library.vault import Vault
from app.llm.loop import run
from app.tests.conftest import MakeVault
from app.tests.mcp.conftest import Person, connected, said
from app.vault.client import VaultClient

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Wood/Larch.md": "# The trees of the yard\n\nNeedles fall in autumn.\n",
    "Wood/Planks.md": "# Planks of the boat\n\nBent over steam.\n",
    "private/Planks.md": "# Planks of the boat\n\nLarch, steam, needles.\n",
    **{f"Steam/{number}.md": f"# {number}\n\nSteam for the box, {number}.\n" for number in range(8)},
}
CREATE = {"operation": "create", "path": "New/larch", "content": "# Planks of the boat\n\nSteam.\n"}
FIRST = "(near it: 'Wood/Larch.md' (same name), 'Wood/Planks.md' (same title), 'Steam/"


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault(NOTES)


def is_told(text: str, first: str = FIRST) -> bool:
    """Whether a text names what is near, in order: five alike at most, and never what is excluded."""
    assert "private" not in text
    return first in text and 1 <= text.count("Steam/") <= 5


@pytest.mark.asyncio
async def test_over_mcp_the_person_and_the_agent_are_shown_it(vault: VaultClient) -> None:
    person = Person()
    async with connected(vault, tools=["all"], client={"elicitation_callback": person}) as client:
        shown = await client.call_tool("write", {**CREATE, "dry_run": True})
        done = await client.call_tool("write", CREATE)
        other = await client.call_tool("write", {"operation": "append", "path": "Planks", "content": "x"})
    assert is_told(said(shown))
    assert is_told(said(done))
    assert "near it" not in said(other)
    assert [is_told(asked) for asked in person.asked] == [True, False]
    assert (vault.root / "New/larch.md").read_text() == CREATE["content"]


@pytest.mark.asyncio
async def test_a_proposal_has_it_in_either_language(vault: VaultClient) -> None:
    proposal = await Vault(vault).propose([CREATE, {"operation": "create", "path": "Zz", "content": "qwx"}])
    assert is_told(proposal.diff)
    assert is_told(proposal.told)
    french = "(proches d'elle : « Wood/Larch.md » (même nom), « Wood/Planks.md » (même titre), « Steam/"
    assert is_told(proposal.said("fr"), french)


async def creating(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
    """Create the note, then say what the tool said."""
    returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
    call = {0: DeltaToolCall("note_operations", json.dumps(CREATE))}
    yield returned[0].model_response_str() if returned else call


def test_the_chat_shows_it_and_refuses_nothing(vault: VaultClient) -> None:
    asked: list[ProposedWrite] = []

    def approve(change: ProposedWrite) -> bool:
        asked.append(change)
        return True

    dependencies = ChatDependencies(vault, writes="ask", approve=approve)
    conversation = Conversation(dependencies, FunctionModel(stream_function=creating))
    assert is_told(run(conversation.ask("Write it.", lambda _: None, lambda _: None)))
    assert is_told(asked[0].diff)
    assert (vault.root / "New/larch.md").exists()
