"""Prompts with their arguments, and completion of the names that may be shown."""

from typing import Any

import pytest
from mcp.types import PromptReference, ResourceTemplateReference, TextContent

from app.search.searcher import searcher_for
from app.tests.mcp.conftest import LEXICAL, connected
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio

NOTE = ResourceTemplateReference(type="ref/resource", uri="note:///{+path}")
CITE = PromptReference(type="ref/prompt", name="find_and_cite")


async def test_a_prompt_is_written_from_its_arguments(vault: VaultClient, mode: str) -> None:
    async with connected(vault, mode) as client:
        given = {"question": "What does\nit cost?", "tag": "garden"}
        (cited,) = (await client.get_prompt("find_and_cite", given)).messages
        (review,) = (await client.get_prompt("daily_review", {"day": "2025-07-14"})).messages
        (today,) = (await client.get_prompt("daily_review")).messages
    assert isinstance(cited.content, TextContent)
    assert cited.content.text.startswith(
        "Answer from my notes alone: What does\\nit cost?\n\nBegin with pack"
    )
    assert "Stay with notes of the tag garden." in cited.content.text
    assert isinstance(review.content, TextContent)
    assert "date_from and date_to 2025-07-14," in review.content.text
    assert isinstance(today.content, TextContent)
    assert today.content.text.startswith("Review today with me")


async def test_names_of_notes_and_tags_are_completed(vault: VaultClient, mode: str) -> None:
    searcher_for(vault).update()
    async with connected(vault, mode) as client:

        async def completed(ref: Any, name: str, begun: str) -> list[str]:
            return (await client.complete(ref, {"name": name, "value": begun})).completion.values

        assert await completed(NOTE, "path", "gr") == ["Work/Greenhouse.md"]
        assert await completed(NOTE, "path", "ete") == ["Work/Deep notes/Été à Brest.md"]
        # What begins with the text, as a path or a name, comes first.
        assert await completed(CITE, "note", "e") == [
            "Work/Deep notes/Été à Brest.md",
            "Home.md",
            "Money/Ledger.md",
            "Work/Greenhouse.md",
        ]
        assert await completed(CITE, "tag", "#gla") == ["garden/glass"]
        assert await completed(CITE, "question", "g") == []
        assert await completed(PromptReference(type="ref/prompt", name="other"), "tag", "g") == []


async def test_what_must_not_be_shown_is_not_completed(vault: VaultClient) -> None:
    (vault.root / "private" / "Tagged.md").write_text("#quixotry")
    searcher_for(vault).update()
    async with connected(vault) as client:
        for name, begun in (("note", "diary"), ("note", "private"), ("tag", "quix")):
            found = await client.complete(CITE, {"name": name, "value": begun})
            assert found.completion.values == []
    async with connected(vault, folders=["Work"]) as client:
        found = await client.complete(CITE, {"name": "note", "value": "led"})
        assert found.completion.values == []


async def test_a_name_with_signs_that_act_on_a_terminal_is_not_completed(tiny_vault: Any) -> None:
    vault = tiny_vault({"plain.md": "x", "plain\x1b[2Jevil.md": "x"}, index=LEXICAL)
    async with connected(vault) as client:
        found = (await client.complete(NOTE, {"name": "path", "value": "plain"})).completion
    assert found.values == ["plain.md"]
