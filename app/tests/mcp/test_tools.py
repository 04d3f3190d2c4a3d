"""What a client is shown, and what each tool answers, in both generations of the protocol."""

import json
from typing import Any

import pytest

from app.library.definitions import DEFINITIONS
from app.search.answer import search
from app.search.named.models import SearchOutput
from app.search.named.search import wksm_search
from app.tests.llm.conftest import server as server
from app.tests.mcp.conftest import EVERY_TOOL, LEXICAL, Person, connected, said
from app.tokens import count_tokens
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio

CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "pack": ({"question": "Is the heating electric?"}, "1. Work/Greenhouse.md:4-6"),
    "search": ({"query": "electric heating"}, "1. Work/Greenhouse.md:1-6"),
    "read": ({"path": "Greenhouse", "lines": "4-6"}, "6 | The heating is electric."),
    "write": ({"operation": "append", "path": "Home", "content": "Warm."}, "Done: append to 'Home.md'."),
    "ask": ({"question": "Is the heating electric?"}, "## Work/Greenhouse.md"),
    "wksm_search": ({"query": "heating"}, '"path": "Work/Greenhouse.md"'),
}


async def test_every_tool_answers(vault: VaultClient, mode: str) -> None:
    assert tuple(CALLS) == EVERY_TOOL == tuple(DEFINITIONS)
    person = {"elicitation_callback": Person()}
    async with connected(vault, mode, tools=["all"], client=person) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == list(EVERY_TOOL)
        for name, (arguments, expected) in CALLS.items():
            result = await client.call_tool(name, arguments)
            assert not result.is_error, said(result)
            assert expected in said(result), name
            assert "quixotry" not in said(result), name


async def test_the_tools_say_whether_they_change_anything(vault: VaultClient) -> None:
    async with connected(vault, tools=["all"]) as client:
        hints = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    changing = {name for name, hint in hints.items() if hint and not hint.read_only_hint}
    assert changing == {"write"}
    assert {name for name, hint in hints.items() if hint and hint.destructive_hint} == {"write"}
    assert hints["write"] is not None
    assert hints["write"].idempotent_hint is False
    assert all(hint is not None and hint.open_world_hint is False for hint in hints.values())


@pytest.mark.parametrize("name", EVERY_TOOL)
async def test_an_unknown_argument_is_refused(vault: VaultClient, mode: str, name: str) -> None:
    async with connected(vault, mode, tools=["all"]) as client:
        schema = next(tool for tool in (await client.list_tools()).tools if tool.name == name).input_schema
        result = await client.call_tool(name, {**CALLS[name][0], "paht": "x"})
    assert schema["additionalProperties"] is False
    assert result.is_error
    assert said(result).startswith("Error: unknown parameter 'paht'. valid: ")


GUESSED: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    ("pack", {"q": "Is the heating electric?"}, {"q": "question"}),
    ("search", {"q": "electric heating", "top_k": 1}, {"q": "query", "top_k": "limit"}),
    ("search", {"operation": "by_tag", "tag": "garden", "n": 1}, {"tag": "tags", "n": "limit"}),
    ("search", {"operation": "by_link", "path": "Home"}, {"path": "note_path"}),
    ("read", {"note_path": "Greenhouse"}, {"note_path": "path"}),
    ("write", {"operation": "append", "path": "Home", "text": "Warm."}, {"text": "content"}),
    ("ask", {"query": "Is the heating electric?"}, {"query": "question"}),
    ("wksm_search", {"text": "heating", "n": 1}, {"text": "query", "n": "k"}),
]


@pytest.mark.parametrize(("name", "given", "names"), GUESSED)
async def test_a_name_that_models_guess_is_taken_and_said_once(
    vault: VaultClient, name: str, given: dict[str, Any], names: dict[str, str]
) -> None:
    """The answer is that to the right names, by which nothing is said."""
    right = {names.get(key, key): value for key, value in given.items()}
    person = {"elicitation_callback": Person()}
    async with connected(vault, tools=["all"], client=person) as client:
        guessed, called = await client.call_tool(name, given), await client.call_tool(name, right)
    assert not guessed.is_error, said(guessed)
    for key, value in names.items():
        assert said(guessed).count(f"'{key}' was read as '{value}', its name here.") == 1
    assert "was read as" not in said(called)
    if name not in ("write", "wksm_search"):
        assert said(guessed).startswith(said(called).strip())


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("search", {"q": "x", "query": "y"}, "unknown parameter 'q'. valid: "),
        ("ask", {}, "'question' is missing"),
        ("search", {"query": "x", "limit": True}, "'limit' must be a whole number from 1 to 100 (got True)"),
        ("search", {"query": "x", "max_tokens": 9}, "'max_tokens' must be from 100"),
        ("read", {"path": "Work/Greenhouse.md:90-99"}, "'lines' is '90-99'"),
        ("read", {"operation": "append", "path": "Greenhouse"}, "unknown operation 'append'. valid: read, info, summarize, tree"),
        ("write", {"operation": "read", "path": "Home"}, "unknown operation 'read'. valid: create, update"),
    ],
)  # fmt: skip
async def test_what_is_wrong_with_a_call_is_one_line(
    vault: VaultClient, name: str, given: dict[str, Any], message: str
) -> None:
    async with connected(vault, tools=["all"]) as client:
        result = await client.call_tool(name, given)
    text = said(result)
    assert result.is_error
    assert text.startswith("Error: ")
    assert message in text
    assert "\n" not in text


async def test_search_gives_the_hits_of_the_library(vault: VaultClient, mode: str) -> None:
    async with connected(vault, mode, tools=["search"]) as client:
        result = await client.call_tool("search", {"queries": ["heating", "chauffage"]})
    hits = search(vault, ["heating", "chauffage"], "fast")
    assert len(hits) == 3
    data = result.structured_content or {}
    assert (data["total"], data["left"], data["notices"]) == (3, 0, [])
    assert data["hits"] == [
        {
            "path": hit.path, "lines": hit.lines, "score": round(hit.score, 4), "title": hit.title,
            "heading": hit.heading, "tags": list(hit.tags), "chunk_with_context": hit.chunk_with_context,
            **({"date": hit.date} if hit.date else {}),
        }
        for hit in hits
    ]  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [{"query": "heating"}, {"query": "heating", "k": 1}, {"query": "heating", "index": "nowhere"},
     {"query": ""}, {"query": "x", "k": 0}, {"query": "x", "query_image": "Home.md"}],
    ids=["found", "one", "no-such-index", "no-query", "no-hits-wanted", "image-for-words"],
)  # fmt: skip
async def test_wksm_search_gives_the_document_of_the_library(
    vault: VaultClient, mode: str, arguments: dict[str, Any]
) -> None:
    expected = wksm_search(vault, **arguments).data()
    async with connected(vault, mode) as client:
        result = await client.call_tool("wksm_search", arguments)
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
    assert schemas["wksm_search"] == SearchOutput.model_json_schema(mode="serialization")
    assert result.structured_content == json.loads(said(result)) == expected
    assert result.is_error == bool(expected["errors"])


async def test_no_answer_passes_its_budget(tiny_vault: Any) -> None:
    vault = tiny_vault({f"N{number}.md": "heating " + "é" * 1300 for number in range(60)}, index=LEXICAL)
    async with connected(vault, tools=["all"]) as client:
        result = await client.call_tool("search", {"query": "heating", "max_chars": 900})
        data = result.structured_content or {}
        assert len(said(result)) <= 900
        assert len(data["hits"]) + data["left"] == data["total"] == 60
        assert len(json.dumps(data, ensure_ascii=False)) < 2000
        assert (
            count_tokens(said(await client.call_tool("search", {"query": "heating", "max_tokens": 300})))
            <= 300
        )
        assert len(said(await client.call_tool("read", {"path": "N1", "max_chars": 500}))) <= 500
        tree = await client.call_tool("read", {"operation": "tree", "max_chars": 500})
        assert len(said(tree)) <= 500
        nonsense = said(await client.call_tool("read", {"path": "x" * 50_000}))
        assert len(nonsense) <= 1000


async def test_the_search_agent_reports_its_steps(vault: VaultClient, mode: str) -> None:
    told: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async with connected(vault, mode) as client:
        await client.call_tool("ask", {"question": "What is the heating?"}, progress_callback=hear)
    assert told[0][0] == 1
    assert "search" in str(told[0][1])
    assert [progress for progress, _ in told] == sorted({progress for progress, _ in told})
