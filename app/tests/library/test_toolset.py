"""The toolset on an agent of pydantic-ai: any dependencies, results as data, approval now or later."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDenied
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from app.chat.agent import ask_vault
from app.chat.ask.concat import Document
from app.dependencies import ChatDependencies, ProposedWrite
from app.library.toolset import VaultToolset
from app.notes.models import Touched
from app.notes.proposal import Proposal
from app.notes.tools import note_operations
from app.search.models import ShownResults
from app.search.tools import vault_search
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import contents
from app.vault.client import VaultClient

NOTES: dict[str, str | bytes] = {"A.md": "# Larch\n\nThe larch came late.\n"}
CHANGE = {"operation": "append", "path": "A", "content": "more"}


@dataclass
class Shop:
    """What an app's own tools need; no vault in it."""

    customer: str


def calling(name: str, arguments: dict[str, Any]) -> FunctionModel:
    """A model that calls one tool, then says what it returned."""

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        if returned:
            return ModelResponse([TextPart(returned[0].model_response_str())])
        assert name in [tool.name for tool in info.function_tools]
        return ModelResponse([ToolCallPart(name, arguments)])

    return FunctionModel(respond)


def returned(messages: list[ModelMessage]) -> ToolReturnPart:
    [part] = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
    return part


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault(NOTES)


@pytest.mark.asyncio
@pytest.mark.parametrize("deps", [None, Shop("Alasdair")])
async def test_it_works_with_any_dependencies(vault: VaultClient, deps: Shop | None) -> None:
    agent = Agent(calling("search", {"query": "larch"}), deps_type=Shop, toolsets=[VaultToolset(vault)])
    run = await agent.run("?", deps=deps)  # type: ignore[arg-type]
    assert "1. A.md:1-3" in run.output
    found = returned(run.all_messages())
    assert isinstance(found.metadata, ShownResults)
    assert found.metadata.results[0].path == "A.md"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("name", "arguments", "right"),
    [
        ("search", {"q": "larch"}, "query"),
        ("vault_search", {"operation": "fast", "q": "larch", "n": 3}, "query"),
        ("note_operations", {"operation": "read", "note_path": "A"}, "path"),
    ],
)
async def test_names_that_models_guess_are_taken(
    vault: VaultClient, name: str, arguments: dict[str, Any], right: str
) -> None:
    agent = Agent(
        calling(name, arguments),
        deps_type=ChatDependencies,
        tools=[vault_search, note_operations],
        toolsets=[VaultToolset(vault)],
    )
    run = await agent.run("?", deps=ChatDependencies(vault))
    assert "The larch came late." in run.output
    assert f"' was read as '{right}', its name here." in run.output


@pytest.mark.asyncio
async def test_a_conversation_with_results_can_be_saved(vault: VaultClient) -> None:
    for name, arguments in (("search", {"query": "larch"}), ("read", {"path": "X"})):
        agent = Agent(calling(name, arguments), toolsets=[VaultToolset(vault)])
        run = await agent.run("?")
        back = ModelMessagesTypeAdapter.validate_json(run.all_messages_json())
        assert returned(back).content == returned(run.all_messages()).content
        assert isinstance(returned(back).metadata, dict)


@pytest.mark.asyncio
async def test_a_question_is_answered_by_the_model_that_runs_the_agent(vault: VaultClient) -> None:
    asked: list[list[str]] = []

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        tools = [tool.name for tool in info.function_tools]
        asked.append(tools)
        if "ask" not in tools:
            return ModelResponse([TextPart("The larch came late [1].")])
        if isinstance(messages[-1].parts[-1], ToolReturnPart):
            return ModelResponse([TextPart("I asked.")])
        return ModelResponse([ToolCallPart("ask", {"question": "Was the larch late?"})])

    run = await Agent(FunctionModel(respond), toolsets=[VaultToolset(vault)]).run("?")
    assert asked == [["search", "read", "ask"], ["search", "read", "tree"], ["search", "read", "ask"]]
    document = returned(run.all_messages()).metadata
    assert isinstance(document, Document)
    assert document.overview == "The larch came late (`A.md` lines 1-3)."
    assert [claim.verdict for claim in document.claims] == ["supported"]


def deferring(vault: VaultClient, toolset: Any = None) -> Agent[None, Any]:
    given = toolset or VaultToolset(vault, ["write"])
    name = "write" if toolset is None else "notes_write"
    return Agent(calling(name, CHANGE), output_type=[str, DeferredToolRequests], toolsets=[given])


async def shown_to_a_person(agent: Agent[None, Any]) -> tuple[list[ModelMessage], str, dict[str, Any]]:
    """The conversation, saved and read back, with the call that waits and what a person is shown of it."""
    run = await agent.run("?")
    assert isinstance(run.output, DeferredToolRequests)
    [call] = run.output.approvals
    history = ModelMessagesTypeAdapter.validate_json(run.all_messages_json())
    return history, call.tool_call_id, run.output.metadata.get(call.tool_call_id, {})


@pytest.mark.asyncio
async def test_a_deferred_call_makes_exactly_what_was_shown(vault: VaultClient) -> None:
    before = contents(vault)
    history, call, shown = await shown_to_a_person(deferring(vault))
    assert shown["path"] == "A.md"
    assert "+more" in shown["diff"]
    assert contents(vault) == before
    # Another request: another agent, and another object for the vault.
    again, agreed = deferring(VaultClient(vault.root)), DeferredToolResults(approvals={call: True})
    second = await again.run(message_history=history, deferred_tool_results=agreed)
    assert second.output.startswith("Done: append to 'A.md'")
    assert contents(vault)["A.md"] == "# Larch\n\nThe larch came late.\n\nmore\n"
    assert isinstance(returned(second.new_messages()).metadata, Touched)
    # Approved twice, it is made once.
    third = await again.run(message_history=history, deferred_tool_results=agreed)
    assert third.output.startswith("Error: no change waits under this token")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (ToolDenied("not today"), "not today"),
        # Nobody was shown what a person altered.
        (ToolApproved(override_args={**CHANGE, "content": "less"}), "it was made, withdrawn or altered"),
    ],
)
async def test_a_call_that_is_denied_or_altered_writes_nothing(
    vault: VaultClient, answer: ToolDenied | ToolApproved, said: str
) -> None:
    agent, before = deferring(vault, VaultToolset(vault, ["write"]).prefixed("notes")), contents(vault)
    history, call, _ = await shown_to_a_person(agent)
    results = DeferredToolResults(approvals={call: answer})
    second = await agent.run(message_history=history, deferred_tool_results=results)
    assert said in second.output
    assert contents(vault) == before


@pytest.mark.asyncio
async def test_without_deferred_calls_somebody_else_has_to_agree(vault: VaultClient) -> None:
    """docs/embedding.md says so at its first `write`: a toolset is not told what a run's output may be."""
    before = contents(vault)

    def agent(toolset: VaultToolset) -> Agent[None, str]:
        return Agent(calling("write", CHANGE), toolsets=[toolset])

    with pytest.raises(UserError, match="DeferredToolRequests"):
        await agent(VaultToolset(vault, ["write"])).run("?")
    run = await agent(VaultToolset(vault, ["write"], writes="propose")).run("?")
    proposal = returned(run.all_messages()).metadata
    assert isinstance(proposal, Proposal)
    assert run.output.startswith("Nothing was written yet: a person has to agree to this change.\n")
    assert proposal.token not in run.output
    assert contents(vault) == before
    run = await agent(VaultToolset(vault, ["write"], approve=lambda change: True)).run("?")
    assert run.output.startswith("Done: append to 'A.md'.")


async def _agrees(change: ProposedWrite) -> bool:
    return change.path == "A.md"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "approve",
    [lambda change: change.path == "A.md", _agrees, lambda change: _agrees(change)],
    ids=["blocks", "async", "gives a coroutine"],
)
async def test_whoever_approves_may_be_any_function(vault: VaultClient, approve: Callable[..., Any]) -> None:
    toolset = VaultToolset(vault, ["write"], approve=approve)
    assert (await Agent(calling("write", CHANGE), toolsets=[toolset]).run("?")).output.startswith("Done: ")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        (vault_search, {"operation": "fast", "query": "larch"}, "have no attribute 'vault', being None"),
        (note_operations, {"operation": "read", "path": "A"}, "have no attribute 'vault', being a Shop"),
        (ask_vault, {"question": "How late?"}, "have a str as 'vault'"),
    ],
)
async def test_dependencies_without_a_vault_are_said_in_one_line(
    tool: Callable[..., Any], arguments: dict[str, Any], said: str
) -> None:
    odd = type("Deps", (), {"vault": "~/Notes"})()
    deps = None if "None" in said else Shop("A") if "Shop" in said else odd
    agent = Agent(calling(tool.__name__, arguments), deps_type=object, tools=[tool])
    run = await agent.run("?", deps=deps)
    assert run.output == f"Error: the agent's dependencies {said}. give it deps with a VaultClient as 'vault'"
