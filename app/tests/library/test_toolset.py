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
from app.dependencies import ProposedWrite
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
async def test_a_conversation_with_results_can_be_saved(vault: VaultClient) -> None:
    for name, arguments in (("search", {"query": "larch"}), ("read", {"path": "A"}), ("read", {"path": "X"})):
        agent = Agent(calling(name, arguments), toolsets=[VaultToolset(vault)])
        run = await agent.run("?")
        back = ModelMessagesTypeAdapter.validate_json(run.all_messages_json())
        assert returned(back).content == returned(run.all_messages()).content
        assert isinstance(returned(back).metadata, dict)


@pytest.mark.asyncio
async def test_it_can_be_prefixed_in_two_ways(vault: VaultClient) -> None:
    for toolset in (
        VaultToolset(vault, ["read"], prefix="notes_"),
        VaultToolset(vault, ["read"]).prefixed("notes"),
    ):
        agent = Agent(calling("notes_read", {"path": "A"}), toolsets=[toolset])
        assert "The larch came late." in (await agent.run("?")).output


@pytest.mark.asyncio
async def test_arguments_of_the_wrong_kind_are_said_to_the_model(vault: VaultClient) -> None:
    agent = Agent(calling("search", {"query": "larch", "colour": "red"}), toolsets=[VaultToolset(vault)])
    assert (await agent.run("?")).output.startswith("Error: unknown parameter 'colour'")


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


def deferring(vault: VaultClient, arguments: dict[str, Any], toolset: Any = None) -> Agent[None, Any]:
    given = toolset or VaultToolset(vault, ["write"])
    name = "write" if toolset is None else "notes_write"
    return Agent(calling(name, arguments), output_type=[str, DeferredToolRequests], toolsets=[given])


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "arguments",
    [CHANGE, {"changes": [CHANGE, {"operation": "create", "path": "N", "content": "n"}]}],
    ids=["one", "batch"],
)
async def test_a_deferred_call_makes_exactly_what_was_shown(
    vault: VaultClient, arguments: dict[str, Any]
) -> None:
    before = contents(vault)
    first = await deferring(vault, arguments).run("?")
    assert isinstance(first.output, DeferredToolRequests)
    [call] = first.output.approvals
    shown = first.output.metadata[call.tool_call_id]
    assert shown["path"] == "A.md"
    assert "+more" in shown["diff"]
    assert contents(vault) == before
    history = ModelMessagesTypeAdapter.validate_json(first.all_messages_json())
    # Another request: another agent, and another object for the vault.
    again = deferring(VaultClient(vault.root), arguments)
    second = await again.run(
        message_history=history,
        deferred_tool_results=DeferredToolResults(approvals={call.tool_call_id: True}),
    )
    assert second.output.startswith("Done: append to 'A.md'")
    assert contents(vault)["A.md"] == "# Larch\n\nThe larch came late.\n\nmore\n"
    assert isinstance(returned(second.new_messages()).metadata, Touched)
    # Approved twice, it is made once.
    third = await again.run(
        message_history=history,
        deferred_tool_results=DeferredToolResults(approvals={call.tool_call_id: True}),
    )
    assert third.output.startswith("Error: no change waits under this token")


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


@pytest.mark.asyncio
async def test_what_a_person_alters_is_not_made_since_nobody_was_shown_it(vault: VaultClient) -> None:
    first = await deferring(vault, CHANGE).run("?")
    assert isinstance(first.output, DeferredToolRequests)
    [call] = first.output.approvals
    before = contents(vault)
    agreed = ToolApproved(override_args={"operation": "append", "path": "A", "content": "less"})
    second = await deferring(vault, CHANGE).run(
        message_history=first.all_messages(),
        deferred_tool_results=DeferredToolResults(approvals={call.tool_call_id: agreed}),
    )
    assert str(second.output).startswith(
        "Error: no change waits under this token. it was made, withdrawn or altered"
    )
    assert contents(vault) == before


@pytest.mark.asyncio
async def test_a_deferred_call_that_is_denied_writes_nothing(vault: VaultClient) -> None:
    agent = deferring(vault, CHANGE, VaultToolset(vault, ["write"]).prefixed("notes"))
    first = await agent.run("?")
    assert isinstance(first.output, DeferredToolRequests)
    [call] = first.output.approvals
    denied = DeferredToolResults(approvals={call.tool_call_id: ToolDenied("not today")})
    second = await agent.run(message_history=first.all_messages(), deferred_tool_results=denied)
    assert "not today" in second.output
    assert contents(vault) == {name: text for name, text in NOTES.items() if isinstance(text, str)}


@pytest.mark.asyncio
async def test_pydantic_ais_own_approval_around_it_works_too(vault: VaultClient) -> None:
    inner = VaultToolset(vault, ["write"], writes="allow")
    agent = Agent(
        calling("write", CHANGE),
        output_type=[str, DeferredToolRequests],
        toolsets=[inner.approval_required(lambda ctx, tool, arguments: arguments["operation"] != "undo")],
    )
    first = await agent.run("?")
    assert isinstance(first.output, DeferredToolRequests)
    [call] = first.output.approvals
    results = DeferredToolResults(approvals={call.tool_call_id: True})
    second = await agent.run(message_history=first.all_messages(), deferred_tool_results=results)
    assert second.output.startswith("Done: ")


async def _agrees(change: ProposedWrite) -> bool:
    return change.path == "A.md"


class _Dialog:
    async def __call__(self, change: ProposedWrite) -> bool:
        return change.path == "A.md"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "approve",
    [lambda change: change.path == "A.md", _agrees, lambda change: _agrees(change), _Dialog()],
    ids=["blocks", "async", "gives a coroutine", "object"],
)
async def test_whoever_approves_may_be_any_function(vault: VaultClient, approve: Callable[..., Any]) -> None:
    toolset = VaultToolset(vault, ["write"], approve=approve)
    assert (await Agent(calling("write", CHANGE), toolsets=[toolset]).run("?")).output.startswith("Done: ")

    class Deps:
        pass

    deps: Any = Deps()
    deps.vault, deps.writes, deps.approve = vault, "ask", approve
    agent = Agent(calling("note_operations", CHANGE), deps_type=Deps, tools=[note_operations])
    assert (await agent.run("?", deps=deps)).output.startswith("Done: ")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (vault_search, {"operation": "fast", "query": "larch"}),
        (note_operations, {"operation": "read", "path": "A"}),
        (ask_vault, {"question": "How late?"}),
    ],
)
@pytest.mark.parametrize(
    ("deps", "said"),
    [
        (None, "have no attribute 'vault', being None"),
        (Shop("A"), "have no attribute 'vault', being a Shop"),
        (type("Deps", (), {"vault": "~/Notes"})(), "have a str as 'vault'"),
    ],
)
async def test_dependencies_without_a_vault_are_said_in_one_line(
    tool: Callable[..., Any], arguments: dict[str, Any], deps: Any, said: str
) -> None:
    agent = Agent(calling(tool.__name__, arguments), deps_type=object, tools=[tool])
    run = await agent.run("?", deps=deps)
    assert run.output == f"Error: the agent's dependencies {said}. give it deps with a VaultClient as 'vault'"


@pytest.mark.asyncio
async def test_a_vault_alone_is_enough_for_the_tools(vault: VaultClient) -> None:
    deps = type("Deps", (), {"vault": vault})()
    for tool, arguments in (
        (vault_search, {"operation": "fast", "query": "larch"}),
        (note_operations, {"operation": "read", "path": "A"}),
    ):
        agent = Agent(calling(tool.__name__, arguments), deps_type=object, tools=[tool])
        assert "The larch came late." in (await agent.run("?", deps=deps)).output


def test_a_context_is_no_parameter(vault: VaultClient) -> None:
    for tool in VaultToolset(vault).tools.values():
        assert "ctx" not in tool.function_schema.json_schema["properties"]
