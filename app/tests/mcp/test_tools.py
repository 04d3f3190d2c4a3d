"""What a client is shown, and what each tool answers, in both generations of the protocol."""

import json
import re
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import ResourceLink, TextResourceContents

from app.errors import BadRequestError
from app.library.definitions import DEFINITIONS
from app.search.answer import search
from app.search.named.models import SearchOutput
from app.search.named.search import wksm_search
from app.search.searcher import searcher_for
from app.tests.llm.conftest import server as server
from app.tests.llm.server import ModelServer
from app.tests.mcp.conftest import EVERY_TOOL, LEXICAL, Person, connected, make_server, said
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


async def test_a_hit_is_read_by_the_place_that_it_names(vault: VaultClient, mode: str) -> None:
    async with connected(vault, mode) as client:
        found = await client.call_tool("search", {"query": "chauffage"})
        (hit,) = (found.structured_content or {})["hits"]
        place = f"{hit['path']}:{hit['lines']}"
        assert f"A whole passage or note: read, with path={place!r}." in said(found)
        read = await client.call_tool("read", {"path": place})
    assert read.structured_content == {
        "path": "Work/Deep notes/Été à Brest.md",
        "text": "1 | # Été\n2 | \n3 | Le chauffage de la serre.",
        "lines": "1-3",
        "of": 3,
        "hash": vault.read("Work/Deep notes/Été à Brest.md").hash,
        "cut": False,
    }
    assert "1 | # Été\n2 | \n3 | Le chauffage de la serre.\n</note>" in said(read)
    assert f"hash {read.structured_content['hash']}" in said(read)


async def test_answers_link_to_their_notes(vault: VaultClient, mode: str) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "electric heating"}),
        ("ask", {"question": "Is the heating electric?"}),
        ("pack", {"question": "Is the heating electric?"}),
        ("read", {"path": "Greenhouse"}),
        ("read", {"operation": "info", "path": "Greenhouse"}),
    ]
    async with connected(vault, mode) as client:
        for name, arguments in calls:
            result = await client.call_tool(name, arguments)
            links = [block for block in result.content if isinstance(block, ResourceLink)]
            assert links[0].uri == "note:///Work/Greenhouse.md", name
            assert links[0].annotations is not None
            assert links[0].annotations.audience == ["user"]
            assert len({link.uri for link in links}) == len(links)
            (content, *_) = (await client.read_resource(links[0].uri)).contents
            assert isinstance(content, TextResourceContents)
            assert "The heating is electric." in content.text


async def test_what_is_given_as_data_has_the_shape_that_was_told(vault: VaultClient, mode: str) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        *((name, arguments) for name, (arguments, _) in CALLS.items() if name != "write"),
        ("search", {"query": "zephyr nothing"}),
        ("search", {"operation": "by_tag", "tags": ["garden"]}),
        ("search", {"operation": "keyword", "query": "heat", "search_terms": ["heat"]}),
        ("read", {"operation": "tree"}),
        ("read", {"operation": "info", "path": "Home"}),
        ("read", {"operation": "summarize", "path": "Home"}),
        ("ask", {"question": "Who is the king of France?"}),
        ("pack", {"question": "quixotry"}),
    ]
    async with connected(vault, mode) as client:
        shapes = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        for name, arguments in calls:
            result = await client.call_tool(name, arguments)
            assert not result.is_error
            jsonschema.validate(result.structured_content, shapes[name])


async def test_an_answer_as_data_says_what_it_rests_on(vault: VaultClient) -> None:
    async with connected(vault) as client:
        data = (await client.call_tool("ask", {"question": "Is the heating electric?"})).structured_content
    assert data is not None
    assert data["is_answered"] is True
    assert data["claims"][0]["quotation"] == "The heating is electric. [[Ledger]]."
    assert (data["claims"][0]["path"], data["claims"][0]["lines"]) == ("Work/Greenhouse.md", "6")
    assert data["notes"][0] == {"path": "Work/Greenhouse.md"}


async def test_tools_are_chosen_by_name(vault: VaultClient) -> None:
    async with connected(vault, tools=["read,pack", "search"]) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["pack", "search", "read"]
        with pytest.raises(MCPError, match="unknown tool 'ask'; valid: pack, search, read"):
            await client.call_tool("ask", {"question": "what?"})
    with pytest.raises(BadRequestError, match="unknown tool 'serch'"):
        make_server(vault, tools=["serch"])


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


async def test_what_models_write_for_lists_numbers_and_flags_is_understood(vault: VaultClient) -> None:
    given = {
        "queries": '["heating", "chauffage"]',
        "limit": "1",
        "links": "true",
        "tags": None,
    }
    async with connected(vault) as client:
        text = said(await client.call_tool("search", given))
        one, two = [
            said(await client.call_tool("search", {"operation": "by_tag", "tags": tags}))
            for tags in (["garden", "shed"], "garden, shed")
        ]
    assert text.startswith("fast: 1-1 of 3 results")
    assert "obsidian://open?vault=vault&file=" in text
    assert one == two
    assert "Work/Greenhouse.md" in one


async def test_one_query_has_one_name_in_every_operation(vault: VaultClient) -> None:
    async with connected(vault) as client:
        for more in ({"operation": "fulltext"}, {"operation": "keyword", "search_terms": ["electric"]}):
            found = await client.call_tool("search", {"queries": ["electric"], **more})
            assert "Work/Greenhouse.md" in said(found)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("ask", {}, "'question' is missing"),
        ("search", {"query": "x", "limit": True}, "'limit' must be a whole number from 1 to 100 (got True)"),
        ("search", {"queries": [1]}, "'queries' must be a list of texts (got [1])"),
        ("search", {"query": "x", "mode": "wild"}, "unknown mode 'wild'. valid: fast, deep"),
        ("search", {"operation": "by_tag"}, "'tags' required for tag search"),
        ("search", {"query": "x", "max_tokens": 9}, "'max_tokens' must be from 100"),
        ("read", {}, "'path' required for read"),
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


async def test_search_takes_the_parameters_of_the_library_and_those_of_vault_search(
    vault: VaultClient,
) -> None:
    days = {"date_from": "2020-01-01", "date_to": "today"}
    asked = {
        "queries": ["heating"],
        "mode": "fast",
        "scopes": ["Work/**", "Money"],
        **days,
        "min_score": 0.01,
    }
    other = {"operation": "fast", "query": "heating", "scopes": ["Work/**", "Money"], "min_score": 0.01}
    async with connected(vault, tools=["search"]) as client:
        (tool,) = (await client.list_tools()).tools
        found = await client.call_tool("search", {**asked, "explain": True})
        same = await client.call_tool(
            "search", {**other, "start_date": "2020-01-01", "end_date": "today", "explain": True}
        )
        later = await client.call_tool("search", {**asked, "date_from": "today", "date_to": "2020-01-01"})
    assert [*tool.input_schema["properties"]][:5] == ["queries", "mode", "scopes", "date_from", "date_to"]
    assert {"explain", "min_score"} <= {*tool.input_schema["properties"]}
    assert not {"query", "start_date", "end_date"} & {*tool.input_schema["properties"]}
    hits = search(
        vault, ["heating"], "fast", ["Work/**", "Money"], date_from="2020-01-01", min_score=0.01, explain=True
    )
    assert found.structured_content == same.structured_content
    assert [
        (each["path"], each["lines"], each["chunk_with_context"], each["relevance_reason"])
        for each in (found.structured_content or {})["hits"]
    ] == [(hit.path, hit.lines, hit.chunk_with_context, hit.relevance_reason) for hit in hits]
    assert len(hits) == 2
    assert said(later).startswith("Error: ")


async def test_passages_come_whole_while_the_budget_has_room_for_them(tiny_vault: Any) -> None:
    vault = tiny_vault({f"N{number}.md": "heating " + "é" * 600 for number in range(4)}, index=LEXICAL)
    async with connected(vault, tools=["search", "read"]) as client:
        shown = (await client.call_tool("search", {"query": "heating", "max_chars": 1500})).structured_content
        short = (await client.call_tool("search", {"query": "heating", "max_tokens": 900})).structured_content
    assert [len(hit["chunk_with_context"]) > 600 for hit in (shown or {})["hits"]] == [
        True,
        True,
        False,
        False,
    ]
    assert [len(hit["chunk_with_context"]) > 600 for hit in (short or {})["hits"]] == [False] * 3


async def test_search_says_what_was_left_out_of_what_a_model_was_sent(
    tiny_vault: Any, server: ModelServer
) -> None:
    key = "sk-proj-abcDEF1234567890abcdEFGH"
    # Ollama sends on what it is given for such a model; here it is our own server.
    vault = tiny_vault({"A.md": f"# Kiln\n\nIts key is {key}.\n"}, index=LEXICAL, model="ollama:m-cloud")
    arguments = {"query": "kiln", "explain": True}
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


async def test_a_call_that_waits_for_the_index_is_told_how_far_it_is(tiny_vault: Any, mode: str) -> None:
    text = "\n\n".join(f"# Part {part}\n\n" + f"word{part} heating " * 150 for part in range(30))
    vault = tiny_vault({f"N{number}.md": text for number in range(60)}, index=LEXICAL)
    told: list[tuple[float, str]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, str(message)))

    server, keeper = make_server(vault)
    async with Client(server, mode=mode) as client:
        keeper.start()
        found = await client.call_tool("search", {"query": "heating"}, progress_callback=hear)
    assert said(found).startswith("fast: 1-10 of 1800 results")
    assert keeper.wait(300)
    assert keeper.pace is None
    assert told
    assert all(re.fullmatch(r"indexing: \d+ of 60 notes", message) for _, message in told)
    assert [progress for progress, _ in told] == sorted({progress for progress, _ in told})
    searcher_for(vault).close()
