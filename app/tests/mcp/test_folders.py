"""A server that is given some folders: what lies outside does not exist for any tool or resource."""

import json
from typing import Any

import pytest

from app.errors import BadRequestError, PathError
from app.tests.mcp.conftest import Person, connected, make_server, said
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio

PROBES: list[tuple[str, dict[str, Any]]] = [
    *(
        ("search", {"operation": operation, "query": query})
        for operation in ("fast", "fulltext", "combined")
        for query in ("zephyrine", "zephyrin", "*", "Ledgr", "links-to:Ledger", 'linked-from:"Ledger"')
    ),
    ("search", {"operation": "by_link", "note_path": "Greenhouse", "direction": "both", "depth": 3}),
    ("search", {"operation": "by_date", "start_date": "2001-01-01"}),
    ("search", {"operation": "by_tag", "tags": ["garden"]}),
    ("search", {"operation": "scoped", "scopes": ["Money/**"], "query": "heating"}),
    ("search", {"operation": "keyword", "query": "heating", "search_terms": ["zephyr", "heating"]}),
    *(
        ("write" if operation == "delete" else "read", {"operation": operation, "path": path})
        for operation in ("read", "info", "summarize", "delete")
        for path in ("Ledger", "Money/Ledger", "Ledgr", "Work/Greenhouse")
        if (operation, path) != ("delete", "Work/Greenhouse")
    ),
    ("write", {"operation": "append", "path": "Ledger", "content": "x"}),
    ("write", {"operation": "undo"}),
    ("ask", {"question": "What did the heating cost in zephyrine?"}),
    ("search", {"queries": ["heating", "zephyrine"]}),
    ("pack", {"question": "What did the heating cost in zephyrine?"}),
    ("search", {"operation": "keyword", "query": "cost", "search_terms": ["zephyr", "heating"]}),
    ("wksm_search", {"query": "heating zephyrine"}),
    ("read", {"path": "Money/Ledger"}),
    ("read", {"operation": "tree"}),
    ("read", {"operation": "tree", "path": "Money"}),
    ("read", {"operation": "tree", "path": "Monye"}),
]


async def test_nothing_outside_the_folders_is_ever_shown(vault: VaultClient, mode: str) -> None:
    # Written through the whole vault, so that the journal knows of it.
    async with connected(vault, client={"elicitation_callback": Person()}) as client:
        change = {"operation": "append", "path": "Money/Ledger", "content": "More zephyrine."}
        assert not (await client.call_tool("write", change)).is_error
    before = vault.read("Money/Ledger.md").text
    async with connected(
        vault, mode, tools=["all"], folders=["Work"], client={"elicitation_callback": Person()}
    ) as client:
        found = [said(await client.call_tool(name, arguments)) for name, arguments in PROBES]
        listed = (await client.list_resources()).resources
    for probe, text in zip(PROBES, found, strict=True):
        # A link in a visible note names it, and so do the caller's own words.
        spoken = text.replace("[[Ledger]]", "").replace(str(probe[1].get("path")), "")
        assert "fortune" not in spoken, probe
        assert "Money/Ledger" not in spoken, (probe, text)
        assert "Home.md" not in spoken, probe
    assert [one.name for one in listed] == ["Work/Deep notes/Été à Brest.md", "Work/Greenhouse.md"]
    assert vault.read("Money/Ledger.md").text == before


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search", {"operation": "by_link", "note_path": "Money/Ledger"}),
        ("search", {"operation": "fast", "query": "heating", "folder": "Money"}),
        ("search", {"operation": "fulltext", "query": 'heating links-to:"Money/Ledger"'}),
        ("search", {"operation": "scoped", "query": "heating", "scopes": ["Money"]}),
        ("search", {"operation": "keyword", "query": "heating", "search_terms": ["heat"], "folder": "Money"}),
        ("write", {"operation": "create", "path": "Money/Ledger", "content": "x"}),
        ("write", {"operation": "move", "path": "Greenhouse", "new_path": "Money/Ledger"}),
        ("read", {"operation": "tree", "path": "Money"}),
        ("read", {"path": "Money/Ledger"}),
    ],
)
async def test_no_answer_tells_whether_a_name_outside_exists(
    vault: VaultClient, name: str, arguments: dict[str, Any]
) -> None:
    written = json.dumps(arguments).replace("Money", "Mfney")
    # A note that is shown links to [[Ledger]], which tells the name; in which folder one is called so, it does not.
    about_links = "by_link" in written or "links-to" in written
    made_up = json.loads(written if about_links else written.replace("Ledger", "Ledfer"))
    async with connected(
        vault, tools=["all"], folders=["Work"], client={"elicitation_callback": Person()}
    ) as client:
        real = said(await client.call_tool(name, arguments))
        other = said(await client.call_tool(name, made_up))
    assert other.replace("Mfney", "Money").replace("Ledfer", "Ledger") == real


async def test_links_to_a_note_that_moves_are_rewritten_outside_too(vault: VaultClient) -> None:
    async with connected(vault, folders=["Work"], client={"elicitation_callback": Person()}) as client:
        moved = {"operation": "move", "path": "Greenhouse", "new_path": "Work/Glasshouse"}
        text = said(await client.call_tool("write", moved))
    assert "Money" not in text
    assert "Home" not in text
    assert "See [[Glasshouse]]." in vault.read("Money/Ledger.md").text


async def test_a_link_that_leads_outside_is_not_followed(vault: VaultClient) -> None:
    (vault.root / "Work" / "Way.md").symlink_to(vault.root / "Money" / "Ledger.md")
    async with connected(vault, folders=["Work"], tools=["all"]) as client:
        for name, arguments in (
            ("read", {"operation": "read", "path": "Work/Way.md"}),
            ("read", {"path": "Work/Way"}),
        ):
            result = await client.call_tool(name, arguments)
            assert result.is_error
            assert "fortune" not in said(result)


async def test_a_folder_that_is_not_there_is_an_error(vault: VaultClient) -> None:
    with pytest.raises(BadRequestError, match="no folder 'Wrok' in the vault"):
        make_server(vault, folders=["Wrok"])
    with pytest.raises(PathError):
        make_server(vault, folders=["../vault"])
