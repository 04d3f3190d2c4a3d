"""What a client is shown, and what each tool answers, in both generations of the protocol."""

import inspect
import json
import re
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from app.errors import BadRequestError
from app.mcp.catalogue import ENTRIES
from app.mcp.start import make_server
from app.mcp.tools import DATA_CHARS
from app.notes.operations import OPERATIONS as NOTE_OPERATIONS
from app.notes.tools import note_operations
from app.search.answer import keyword_search, search
from app.search.named.search import wksm_search
from app.search.request import OPERATION_NAMES
from app.search.searcher import searcher_for
from app.search.tools import vault_search
from app.tests.llm.conftest import server as server
from app.tests.llm.server import ModelServer
from app.tests.mcp.conftest import EVERY_TOOL, LEXICAL, connected, said
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio

CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "vault_search": ({"operation": "fast", "query": "heating"}, "Work/Greenhouse.md:1-6"),
    "note_operations": ({"operation": "read", "path": "Greenhouse"}, "The heating is electric."),
    "ask": ({"question": "Is the heating electric?"}, "## Work/Greenhouse.md"),
    "search": ({"queries": ["heating"]}, '"path": "Work/Greenhouse.md"'),
    "keyword_search": ({"query": "heating", "search_terms": ["heat\\w+"]}, '"path": "Work/Greenhouse.md"'),
    "wksm_search": ({"query": "heating"}, '"path": "Work/Greenhouse.md"'),
    "read": ({"path": "Greenhouse", "lines": "4-6"}, "6 | The heating is electric."),
    "tree": ({"path": "Work"}, "Greenhouse.md (80 bytes)"),
}


async def test_every_tool_answers(vault: VaultClient, mode: str) -> None:
    assert tuple(CALLS) == EVERY_TOOL == tuple(ENTRIES)
    async with connected(vault, mode, tools=["all"]) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == list(EVERY_TOOL)
        for name, (arguments, expected) in CALLS.items():
            result = await client.call_tool(name, arguments)
            assert not result.is_error, said(result)
            assert expected in said(result), name
            assert "quixotry" not in said(result), name


async def test_the_default_tools_are_four_and_their_schemas_are_small(vault: VaultClient) -> None:
    async with connected(vault) as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == ["vault_search", "note_operations", "ask", "wksm_search"]
    listed = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
    assert len(json.dumps(listed, ensure_ascii=False).encode()) < 8 * 1024


async def test_tools_are_chosen_by_name(vault: VaultClient) -> None:
    async with connected(vault, tools=["tree,read", "search"]) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["search", "read", "tree"]
        with pytest.raises(MCPError, match="unknown tool 'ask'; valid: search, read, tree"):
            await client.call_tool("ask", {"question": "what?"})
    with pytest.raises(BadRequestError, match="unknown tool 'serch'"):
        make_server(vault, tools=["serch"])


async def test_the_tools_say_whether_they_change_anything(vault: VaultClient) -> None:
    async with connected(vault, tools=["all"]) as client:
        hints = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    changing = {name for name, hint in hints.items() if hint and not hint.read_only_hint}
    assert changing == {"note_operations"}
    assert {name for name, hint in hints.items() if hint and hint.destructive_hint} == {"note_operations"}
    assert all(hint is not None and hint.open_world_hint is False for hint in hints.values())


@pytest.mark.parametrize("name", EVERY_TOOL)
async def test_an_unknown_argument_is_refused(vault: VaultClient, mode: str, name: str) -> None:
    async with connected(vault, mode, tools=["all"]) as client:
        schema = next(tool for tool in (await client.list_tools()).tools if tool.name == name).input_schema
        result = await client.call_tool(name, {**CALLS[name][0], "paht": "x"})
    assert schema["additionalProperties"] is False
    assert result.is_error
    assert said(result).startswith("Error: unknown parameter 'paht'. valid: ")


async def test_what_models_write_for_lists_numbers_and_flags_is_understood(vault: VaultClient) -> None:
    given = {
        "operation": "fast",
        "queries": '["heating", "chauffage"]',
        "limit": "1",
        "links": "true",
        "tags": None,
    }
    async with connected(vault) as client:
        text = said(await client.call_tool("vault_search", given))
    assert text.startswith("fast: 1-1 of 3 results")
    assert "obsidian://open?vault=vault&file=" in text


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("ask", {}, "'question' is missing"),
        ("ask", {"question": 3}, "'question' is '3'. it must be text"),
        ("search", {"queries": ["x"], "limit": True}, "'limit' is 'True'. it must be a whole number"),
        ("search", {"queries": ["x"], "explain": "maybe"}, "'explain' is 'maybe'. it must be true or false"),
        ("search", {"queries": [1]}, "'queries' is '[1]'. it must be a list of texts"),
        ("search", {"queries": ["x"], "min_score": "high"}, "'min_score' is 'high'. it must be a number"),
        ("search", {"queries": ["x"], "mode": "wild"}, "unknown mode 'wild'"),
        ("vault_search", {"operation": "by_tag"}, "'tags' required for tag search"),
        ("vault_search", {"operation": "guess"}, "Unknown operation: guess. Valid: fulltext"),
        ("note_operations", {"operation": "read", "path": "Nowhere"}, "no note at 'Nowhere'"),
        ("read", {"path": "Greenhouse", "lines": "90-99"}, "'lines' is '90-99'"),
        ("tree", {"path": "../.."}, "leads out of the vault"),
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
        result = await client.call_tool("search", {"queries": ["heating", "chauffage"], "mode": "fast"})
    hits = search(vault, ["heating", "chauffage"], "fast")
    assert len(hits) == 3
    assert result.structured_content == {
        "hits": [
            {
                "path": hit.path, "score": hit.score, "lines": hit.lines, "title": hit.title,
                "chunk_with_context": hit.chunk_with_context, "heading": hit.heading, "tags": list(hit.tags),
                "date": hit.date, "uri": hit.uri, "relevance_reason": None,
            }
            for hit in hits
        ],
        "notices": [],
        "left_out": 0,
    }  # fmt: skip
    assert json.loads(said(result)) == result.structured_content


async def test_search_says_what_was_left_out_of_what_a_model_was_sent(
    tiny_vault: Any, server: ModelServer
) -> None:
    key = "sk-proj-abcDEF1234567890abcdEFGH"
    # Ollama sends on what it is given for such a model; here it is our own server.
    vault = tiny_vault({"A.md": f"# Kiln\n\nIts key is {key}.\n"}, index=LEXICAL, model="ollama:m-cloud")
    arguments = {"queries": ["kiln"], "mode": "fast", "explain": True}
    async with connected(vault, tools=["search"]) as client:
        data = (await client.call_tool("search", arguments)).structured_content or {}
    notice = "1 text that looks like a key was left out of what was sent to ollama:m-cloud"
    assert [hit["path"] for hit in data["hits"]] == ["A.md"]
    assert notice in data["notices"]
    notices: list[str] = []
    assert [hit.path for hit in search(vault, ["kiln"], "fast", explain=True, notices=notices)] == ["A.md"]
    assert notice in notices
    assert [key in json.dumps(request.body) for request in server.seen] == [False] * len(server.seen)
    assert len(server.seen) >= 2


async def test_keyword_search_gives_the_files_of_the_library(vault: VaultClient) -> None:
    async with connected(vault, tools=["keyword_search"]) as client:
        result = await client.call_tool("keyword_search", {"query": "costs", "search_terms": "heating"})
    found = keyword_search("costs", "heating", vault=vault)
    assert result.structured_content == {
        "files": [
            {"path": file.path, "score": file.score, "reason": file.reason, "lines": list(file.lines)}
            for file in found.files
        ],
        "notices": list(found.notices),
        "left_out": 0,
    }
    assert {file.path for file in found.files} == {"Work/Greenhouse.md", "Money/Ledger.md"}


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
    assert result.structured_content == json.loads(said(result)) == expected
    assert result.is_error == bool(expected["errors"])


async def test_no_answer_passes_its_budget(tiny_vault: Any) -> None:
    vault = tiny_vault({f"N{number}.md": "heating " + "é" * 1300 for number in range(60)}, index=LEXICAL)
    async with connected(vault, tools=["all"]) as client:
        text = said(
            await client.call_tool(
                "vault_search", {"operation": "fast", "query": "heating", "max_chars": 900}
            )
        )
        assert len(text) <= 900
        note = said(
            await client.call_tool("note_operations", {"operation": "read", "path": "N1", "max_chars": 500})
        )
        assert len(note) <= 500
        result = await client.call_tool("search", {"queries": ["heating"], "limit": 60})
        data = result.structured_content or {}
        assert len(said(result)) <= DATA_CHARS + 100
        assert len(data["hits"]) + data["left_out"] == 60
        assert data["left_out"] > 0
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


async def test_a_call_that_waits_for_the_index_is_told_how_far_it_is(tiny_vault: Any, mode: str) -> None:
    text = "\n\n".join(f"# Part {part}\n\n" + f"word{part} heating " * 150 for part in range(30))
    vault = tiny_vault({f"N{number}.md": text for number in range(60)}, index=LEXICAL)
    told: list[tuple[float, str]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, str(message)))

    server, keeper = make_server(vault)
    async with Client(server, mode=mode) as client:
        keeper.start()
        call = {"operation": "fast", "query": "heating"}
        found = await client.call_tool("vault_search", call, progress_callback=hear)
    assert said(found).startswith("fast: 1-10 of 1800 results")
    assert keeper.wait(100)
    assert keeper.step is None
    assert told
    assert all(re.fullmatch(r"indexing: \d+ of 60 notes", message) for _, message in told)
    assert [progress for progress, _ in told] == sorted({progress for progress, _ in told})
    searcher_for(vault).close()


def parameters_of(name: str) -> dict[str, Any]:
    return {parameter.name: parameter.default for parameter in ENTRIES[name].parameters}


async def test_the_tools_take_what_the_chats_tools_and_the_library_take() -> None:
    for name, function in (
        ("vault_search", vault_search),
        ("note_operations", note_operations),
        ("search", search),
        ("wksm_search", wksm_search),
    ):
        # The first is the vault, or what gives it; only the command line may name any image, and what a program
        # is told in a list of its own stands in the tool's answer.
        besides = ("any_image", "notices")
        library = [each for each in list(inspect.signature(function).parameters)[1:] if each not in besides]
        assert list(parameters_of(name)) == library, name
    chat = inspect.signature(note_operations).parameters
    own = parameters_of("note_operations")
    assert own == {name: None if name == "operation" else chat[name].default for name in own}


async def test_the_operations_are_the_codes_and_each_is_explained() -> None:
    choices = {name: ENTRIES[name].parameters[0].choices for name in ("vault_search", "note_operations")}
    assert choices["vault_search"] == OPERATION_NAMES
    assert set(choices["note_operations"]) == set(NOTE_OPERATIONS)
    for name, operations in choices.items():
        words = re.findall(r"\w+", ENTRIES[name].about.split("\n", 1)[1])
        assert [operation for operation in operations if operation not in words] == []
