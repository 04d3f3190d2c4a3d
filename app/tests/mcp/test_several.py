"""Several vaults behind one server: found together, each by its name, and none shown through another."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client
from mcp.client.subscriptions import ResourcesListChanged
from mcp.server import Server

from app.mcp.permission import Permission
from app.mcp.start import serve_vaults
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.mcp.conftest import LEXICAL, MODES, Person, age, said
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio

HOME = {
    "Home.md": "# Home\n\nThe heating at home burns wood. #cosy\n",
    "private/Open.md": "# Open\n\nThe heating of the hut, for all to see.\n",
}


@pytest.fixture
def home(tiny_vault: MakeVault) -> VaultClient:
    made = tiny_vault(HOME, name="home", index=LEXICAL)
    age(made)
    return made


@asynccontextmanager
async def both(
    vault: VaultClient, home: VaultClient, mode: str = MODES[0], person: Person | None = None, **choices: Any
) -> AsyncIterator[Client]:
    server, _ = serve_vaults({"work": vault, "home": home}, **choices)
    async with Client(server, mode=mode, elicitation_callback=person) as opened:
        yield opened


async def test_all_are_searched_and_hits_carry_their_vaults(
    vault: VaultClient, home: VaultClient, mode: str
) -> None:
    async with both(vault, home, mode) as client:
        found = await client.call_tool("search", {"query": "heating"})
        assert found.structured_content is not None
        hits = found.structured_content["hits"]
        # What one of them excludes, private/, is hidden in that one alone.
        assert {hit["path"] for hit in hits} == {
            "work:Work/Greenhouse.md", "work:Money/Ledger.md", "home:Home.md", "home:private/Open.md",
        }  # fmt: skip
        scores = [hit["score"] for hit in hits]
        assert scores == sorted(scores, reverse=True)
        assert "quixotry" not in said(found)
        links = {block.uri for block in found.content if block.type == "resource_link"}
        assert "note:///work%3AWork/Greenhouse.md" in {str(link) for link in links}
        one = await client.call_tool("search", {"query": "heating", "vault": "home", "folder": "private"})
        assert one.structured_content is not None
        assert [hit["path"] for hit in one.structured_content["hits"]] == ["home:private/Open.md"]
        scoped = await client.call_tool("search", {"query": "heating", "scopes": '["home:private/"]'})
        assert scoped.structured_content is not None
        assert [hit["path"] for hit in scoped.structured_content["hits"]] == ["home:private/Open.md"]


async def test_what_a_hit_names_is_read(vault: VaultClient, home: VaultClient, mode: str) -> None:
    async with both(vault, home, mode) as client:
        read = await client.call_tool("read", {"path": "home:Home.md:3"})
        assert read.structured_content is not None
        assert read.structured_content["path"] == "home:Home.md"
        assert read.structured_content["text"] == "3 | The heating at home burns wood. #cosy"
        assert "Greenhouse" in said(await client.call_tool("read", {"path": "Home", "vault": "work"}))
        assert said(await client.call_tool("read", {"path": "Home"})) == (
            "Error: there are several vaults. give vault: work, home"
        )
        hidden = await client.call_tool("read", {"path": "work:private/Diary.md"})
        missing = await client.call_tool("read", {"path": "work:private/Dairy.md"})
        assert said(hidden).replace("Diary", "Dairy") == said(missing)
        tree = await client.call_tool("read", {"operation": "tree", "path": "", "vault": "home"})
        assert "Home.md" in said(tree)
        assert "Greenhouse" not in said(tree)
        wksm = await client.call_tool("wksm_search", {"query": "heating", "vault": "home"})
        assert wksm.structured_content is not None
        assert {hit["path"] for hit in wksm.structured_content["hits"]} == {
            "home:Home.md",
            "home:private/Open.md",
        }


async def test_a_change_names_its_vault_to_the_person_and_is_made_there(
    vault: VaultClient, home: VaultClient, mode: str
) -> None:
    person = Person()
    before = (vault.root / "Home.md").read_text()
    async with both(vault, home, mode, person) as client:
        done = await client.call_tool(
            "write", {"operation": "append", "path": "home:Home.md", "content": "And coal."}
        )
        assert not done.is_error, said(done)
        assert person.asked[0].startswith("An agent wants to change 'home:Home.md':")
        clash = await client.call_tool(
            "write", {"operation": "move", "path": "home:Home.md", "new_path": "work:Moved.md"}
        )
        assert said(clash) == "Error: the call names several vaults: home, work. name one vault"
    assert (home.root / "Home.md").read_text().endswith("And coal.\n")
    assert (vault.root / "Home.md").read_text() == before


async def test_a_vault_that_fails_is_said_and_the_others_answer(
    vault: VaultClient, home: VaultClient, caplog: pytest.LogCaptureFixture
) -> None:
    async with both(vault, home) as client:
        shutil.rmtree(vault.root)
        for tool, asked in (("search", "query"), ("pack", "question"), ("ask", "question")):
            with caplog.at_level("INFO", "vault_assistant"):
                found = await client.call_tool(tool, {asked: "heating at home"})
            assert not found.is_error, said(found)
            assert "home:Home.md" in said(found)
            assert "the vault 'work' did not answer: " in said(found)
        calls = [one.message for one in caplog.records if one.message.startswith("vault_search_")]
        assert calls == ["vault_search_called", "vault_search_answered"]
        listed = {str(one.uri) for one in (await client.list_resources()).resources}
        assert listed == {"note:///home%3AHome.md", "note:///home%3Aprivate/Open.md"}


@asynccontextmanager
async def watched(vaults: dict[str, VaultClient]) -> AsyncIterator[Server[Any]]:
    """A server of some vaults whose keepers see what changes."""
    pytest.importorskip("watchfiles")
    server, keepers = serve_vaults(vaults)
    for keeper in keepers:
        keeper.start()
    try:
        for keeper in keepers:
            assert await asyncio.to_thread(keeper.wait, 60)
        yield server
    finally:
        for keeper, vault in zip(keepers, vaults.values(), strict=True):
            keeper.close()
            searcher_for(vault).close()


@pytest.mark.slow
async def test_nobody_is_told_of_changes_in_a_vault_they_may_not_see(
    vault: VaultClient, home: VaultClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As with a token that names one vault.
    monkeypatch.setattr(Permission, "visible", lambda self, context: {"home": self.surfaces["home"]})
    async with watched({"work": vault, "home": home}) as server:
        async with Client(server) as client, client.listen(resources_list_changed=True) as events:
            (vault.root / "Hidden.md").write_text("new\n")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(aiter(events)), 4)
        async with Client(server) as client, client.listen(resources_list_changed=True) as events:
            (home.root / "Shown.md").write_text("new\n")
            assert await asyncio.wait_for(anext(aiter(events)), 300) == ResourcesListChanged()
