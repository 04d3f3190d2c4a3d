"""Notes as resources: a bounded list, read by address, excluded notes never."""

import json
import os
from collections.abc import Callable
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp.types import ResourceTemplateReference, TextResourceContents

from app.mcp.resources import MOST
from app.tests.mcp.conftest import LEXICAL, connected, said
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio


async def test_notes_are_listed_newest_first_with_their_addresses(vault: VaultClient, mode: str) -> None:
    for number, path in enumerate(("Home.md", "Money/Ledger.md", "Work/Deep notes/Été à Brest.md")):
        os.utime(vault.root / path, (1_700_000_000 + number, 1_700_000_000 + number))
    os.utime(vault.root / "Work/Greenhouse.md", (1_600_000_000, 1_600_000_000))
    async with connected(vault, mode) as client:
        listed = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
    assert [(str(one.uri), one.name) for one in listed] == [
        ("note:///Work/Deep%20notes/%C3%89t%C3%A9%20%C3%A0%20Brest.md", "Work/Deep notes/Été à Brest.md"),
        ("note:///Money/Ledger.md", "Money/Ledger.md"),
        ("note:///Home.md", "Home.md"),
        ("note:///Work/Greenhouse.md", "Work/Greenhouse.md"),
    ]
    assert [template.uri_template for template in templates] == ["note:///{+path}"]


async def test_what_cannot_be_seen_in_a_note_is_written_out(tiny_vault: Callable[..., Any]) -> None:
    vault = tiny_vault({"A.md": "# A\n\n\x1b[31mkiln\u2028\u202ered\r\nend\r"}, index=LEXICAL)
    shown = "\\x1b[31mkiln\\u2028\\u202ered"
    async with connected(vault, tools=["all"]) as client:
        (content,) = (await client.read_resource("note:///A.md")).contents
        answered = said(await client.call_tool("ask", {"question": "kiln red end"}))
        found = await client.call_tool("search", {"query": "kiln"})
        read = said(await client.call_tool("read", {"path": "A"}))
    assert isinstance(content, TextResourceContents)
    assert content.text == f"# A\n\n{shown}\nend\\r"
    assert "\\x1b[31mkiln \\u202ered end" in answered
    assert shown in read
    # Clients show the data to their models as well.
    for text in (answered, said(found), read, json.dumps(found.structured_content, ensure_ascii=False)):
        assert not set(text) & set("\x1b\u2028\u202e")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("note:///private/Diary.md", "no note at 'private/Diary.md'"),
        ("note:///Diary", "no note at 'Diary'"),
        ("note:///../outside.md", "leads out of the vault"),
        ("note:///%2e%2e/outside.md", "leads out of the vault"),
        ("note:///%252e%252e%252foutside.md", "leads out of the vault"),
        ("note:///Nowhere.md", "no note at 'Nowhere.md'"),
        ("note:///.obsidian/app.json", "is hidden: a name on it starts with a dot"),
        ("file:///etc/passwd", "is no address of a note"),
    ],
)
async def test_what_must_not_be_read_is_not(
    vault: VaultClient, mode: str, address: str, message: str
) -> None:
    (vault.root.parent / "outside.md").write_text("Outside.\n")
    async with connected(vault, mode) as client:
        with pytest.raises(MCPError, match=message):
            await client.read_resource(address)


async def test_a_long_note_is_cut_and_says_so(tiny_vault: Callable[..., Any]) -> None:
    vault = tiny_vault({"Long.md": "x" * 20_000}, index=LEXICAL, ask_chars=8000)
    async with connected(vault) as client:
        (content,) = (await client.read_resource("note:///Long.md")).contents
    assert isinstance(content, TextResourceContents)
    assert content.text == "x" * 8000 + "\n\n[cut at 8000 of 20000 characters]\n"


async def test_lists_have_an_end(tiny_vault: Callable[..., Any]) -> None:
    vault = tiny_vault({f"N{number:03}.md": "x" for number in range(MOST + 20)}, index=LEXICAL)
    template = ResourceTemplateReference(type="ref/resource", uri="note:///{+path}")
    async with connected(vault) as client:
        listed = await client.list_resources()
        found = (await client.complete(template, {"name": "path", "value": "N"})).completion
    assert (len({one.uri for one in listed.resources}), listed.next_cursor) == (MOST, None)
    assert (len(found.values), found.total, found.has_more) == (100, MOST + 20, True)


async def test_the_text_of_other_files_is_found_and_read_but_of_no_excluded_one(
    tiny_vault: Callable[..., Any],
) -> None:
    def canvas(text: str) -> str:
        return json.dumps(
            {"nodes": [{"id": "a", "type": "text", "text": f"# Boiler\n{text}", "x": 0, "y": 0}]}
        )

    files = {
        "Home.md": "# Home\n",
        "Plan.canvas": canvas("valve KD-4471"),
        "private/Old.canvas": canvas("valve KD-9999"),
        ".obsidian/app.json": json.dumps({"userIgnoreFilters": ["private/"]}),
    }
    vault = tiny_vault(files, index=LEXICAL)
    async with connected(vault, tools=["all"]) as client:
        (content,) = (await client.read_resource("note:///Plan.canvas")).contents
        assert isinstance(content, TextResourceContents)
        assert content.text == "# Boiler\nBoiler\nvalve KD-4471\n"
        found = said(await client.call_tool("search", {"query": "valve"}))
        assert "1. Plan.canvas, Boiler · lines 1-3" in found
        assert "valve KD-4471" in said(await client.call_tool("read", {"path": "Plan.canvas"}))
        for path in ("private/Old.canvas", "Old.canvas"):
            with pytest.raises(MCPError, match="no note at"):
                await client.read_resource(f"note:///{path}")
            assert "KD-9999" not in said(await client.call_tool("read", {"path": path}))
        for tool, asked in (("search", {"query": "KD-9999"}), ("ask", {"question": "KD-9999 valve"})):
            assert "Old" not in said(await client.call_tool(tool, asked))
