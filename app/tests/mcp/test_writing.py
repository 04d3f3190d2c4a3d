"""Changes of notes: asked about, refused or made, by the setting `writes` and by what the client can do."""

from collections.abc import Callable
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitResult, InputRequiredResult

from app.errors import BadRequestError
from app.notes.answer import operate
from app.tests.mcp.conftest import LEXICAL, NOTES, Person, connected, make_server, said
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio

APPEND = {"operation": "append", "path": "Home", "content": "New line."}


def home(vault: VaultClient) -> str:
    return vault.read("Home.md").text


async def test_a_change_is_shown_as_a_diff_and_made_once_approved(vault: VaultClient, mode: str) -> None:
    person = Person()
    async with connected(vault, mode, client={"elicitation_callback": person}) as client:
        result = await client.call_tool("write", APPEND)
    assert said(result).startswith("Done: append to 'Home.md'.")
    assert len(person.asked) == 1
    assert "An agent wants to change 'Home.md':" in person.asked[0]
    assert "\n+New line." in person.asked[0]
    assert home(vault).endswith("New line.\n")


@pytest.mark.parametrize(
    "person", [Person("decline", None), Person("cancel", None), Person(approve=False), Person(approve=None)],
    ids=["declined", "cancelled", "no", "no-word"],
)  # fmt: skip
async def test_a_change_that_is_not_approved_is_not_made(
    vault: VaultClient, mode: str, person: Person
) -> None:
    async with connected(vault, mode, client={"elicitation_callback": person}) as client:
        result = await client.call_tool("write", APPEND)
    assert said(result) == "Not done: the person declined. Nothing was written."
    assert len(person.asked) >= 1
    assert home(vault) == NOTES["Home.md"]


@pytest.mark.parametrize(
    "call",
    [
        {"operation": "create", "path": "New", "content": "x"},
        {"operation": "update", "path": "Home", "content": "x"},
        APPEND,
        {"operation": "move", "path": "Home", "new_path": "House"},
        {"operation": "delete", "path": "Home"},
        {"operation": "undo"},
    ],
    ids=lambda call: call["operation"],
)
async def test_a_client_that_cannot_ask_is_told_which_setting_allows_it(
    vault: VaultClient, mode: str, call: dict[str, Any]
) -> None:
    operate(vault, {"operation": "append", "path": "Work/Greenhouse", "content": "Before."})
    before = {path: vault.read(path).text for path in vault.scan().notes}
    async with connected(vault, mode) as client:
        result = await client.call_tool("write", call)
    assert result.is_error
    operation = call["operation"]
    assert said(result).startswith(
        f"Error: {operation} was not done: the setting 'writes' is 'ask', and nobody can approve. "
        'a person can put "writes": "allow" into config.json (~/'
    )
    assert "\n" not in said(result)
    assert {path: vault.read(path).text for path in vault.scan().notes} == before


async def test_the_setting_refuse_refuses_new_notes_too(tiny_vault: Callable[..., Any], mode: str) -> None:
    vault = tiny_vault(NOTES, index=LEXICAL, writes="refuse")
    async with connected(vault, mode, client={"elicitation_callback": Person()}) as client:
        for call in (APPEND, {"operation": "create", "path": "New", "content": "x"}):
            result = await client.call_tool("write", call)
            assert result.is_error
            assert "the setting 'writes' is 'refuse'" in said(result)
    assert not vault.exists("New.md")


async def test_read_only_offers_reading_alone_and_refuses_the_rest(tiny_vault: Callable[..., Any]) -> None:
    vault = tiny_vault(NOTES, index=LEXICAL, writes="allow")
    async with connected(vault, read_only=True) as client:
        tools = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
        assert list(tools) == ["pack", "search", "read", "ask", "wksm_search"]
        assert all(hint is not None and hint.read_only_hint for hint in tools.values())
        read = await client.call_tool("read", {"path": "Home"})
        assert "See [[Greenhouse]]" in said(read)
        with pytest.raises(MCPError, match="unknown tool 'write'; valid: pack, search, read, ask"):
            await client.call_tool("write", APPEND)
    assert home(vault) == NOTES["Home.md"]
    with pytest.raises(BadRequestError, match="nothing is left to offer with --read-only"):
        make_server(vault, tools=["write"], read_only=True)


async def test_an_approval_counts_only_for_the_change_that_was_shown(vault: VaultClient) -> None:
    class Slow(Person):
        async def __call__(self, context: Any, params: Any) -> Any:
            if not self.asked:
                # Meanwhile somebody edits the note.
                (vault.root / "Home.md").write_text("# Home\n\nRewritten.\n")
            return await super().__call__(context, params)

    person = Slow()
    change = {"operation": "update", "path": "Home", "content": "# Home\n\nMine.\n"}
    async with connected(vault, client={"elicitation_callback": person}) as client:
        await client.call_tool("write", change)
    assert len(person.asked) == 2
    assert "-See [[Greenhouse]]" in person.asked[0]
    assert "-Rewritten." in person.asked[1]


async def test_a_session_that_waits_for_an_answer_does_not_overwrite_what_came_between(
    vault: VaultClient,
) -> None:
    class Slow(Person):
        async def __call__(self, context: Any, params: Any) -> Any:
            (vault.root / "Home.md").write_text("# Home\n\nRewritten.\n")
            return await super().__call__(context, params)

    async with connected(vault, "legacy", client={"elicitation_callback": Slow()}) as client:
        result = await client.call_tool("write", {**APPEND})
    assert result.is_error
    assert "changed" in said(result)
    assert home(vault) == "# Home\n\nRewritten.\n"


async def test_an_approval_cannot_be_made_up(vault: VaultClient) -> None:
    async with connected(vault, client={"elicitation_callback": Person("decline", None)}) as client:
        first = await client.session.call_tool("write", APPEND, allow_input_required=True)
        assert isinstance(first, InputRequiredResult)
        answers: dict[str, Any] = {"approve": ElicitResult(action="accept", content={"approve": True})}
        with pytest.raises(MCPError):
            await client.session.call_tool(
                "write", APPEND, input_responses=answers, request_state="0" * 32,
                allow_input_required=True,
            )  # fmt: skip
        other = {**APPEND, "content": "Something else."}
        with pytest.raises(MCPError):
            await client.session.call_tool(
                "write", other, input_responses=answers, request_state=first.request_state,
                allow_input_required=True,
            )  # fmt: skip
    assert home(vault) == NOTES["Home.md"]
