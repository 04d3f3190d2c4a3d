"""The search feature as its users' document asks for it."""

import logging
from pathlib import Path
from unittest.mock import Mock

import pytest

from app.dependencies import ChatDependencies
from app.search.tools import (
    calculate_relevance,
    extract_title,
    extract_wikilinks,
    generate_excerpt,
    vault_search,
)
from app.vault.client import VaultClient


class TestExtractWikilinks:
    def test_simple_links(self) -> None:
        assert extract_wikilinks("See [[Alpha]] and [[dossier/Bêta]], then [[Alpha]].") == [
            "Alpha",
            "dossier/Bêta",
            "Alpha",
        ]

    def test_aliased_links(self) -> None:
        assert extract_wikilinks("[[Alpha|the first]] and [[Alpha#Part|a part]] and ![[photo.png|100]]") == [
            "Alpha",
            "Alpha#Part",
            "photo.png",
        ]

    def test_no_links(self) -> None:
        assert extract_wikilinks("Nothing here: [text](https://example.org), [[]], [[|x]].") == []


class TestExtractTitle:
    def test_h1_heading(self) -> None:
        assert (
            extract_title("---\na: 1\n---\n# Le vrai titre\n\ntexte", "dossier/fichier.md") == "Le vrai titre"
        )

    def test_filename_fallback(self) -> None:
        assert extract_title("## Only an H2", "dossier/fichier.md") == "fichier"


class TestGenerateExcerpt:
    def test_centers_on_match(self) -> None:
        excerpt = generate_excerpt("x " * 200 + "aiguille" + " y" * 200, "aiguille")
        assert len(excerpt) <= 150
        assert 50 < excerpt.index("aiguille") < 90

    def test_strips_frontmatter(self) -> None:
        assert generate_excerpt("---\nsecret: aiguille\n---\ntexte aiguille", "aiguille") == "texte aiguille"


class TestCalculateRelevance:
    def test_title_match_high(self) -> None:
        assert calculate_relevance("some text", "budget", "Budget 2025") >= 0.6
        assert calculate_relevance("the budget", "budget", "Other") < 0.6

    def test_score_capped(self) -> None:
        assert calculate_relevance("budget " * 500, "budget", "budget") == pytest.approx(1.0, abs=0.01)
        assert calculate_relevance("budget " * 500, "budget", "budget") <= 1.0


class TestVaultSearch:
    @pytest.fixture
    def sample_vault(self, tmp_path: Path) -> Path:
        notes = {
            "Projects/API.md": "---\ntags: [project, work/api]\ncreated: 2025-01-10\n---\n# API design\n\nThe payment API, see [[Meeting]].\n",
            "Projects/Garden.md": "---\ntags: [project, home]\ncreated: 2025-02-20\n---\n# Jardin\n\nSemis de tomates. [[API|the API]]\n",
            "Meeting.md": "---\ncreated: 2025-03-05\n---\nMeeting about payment deadlines. #work [[Nowhere]]\n",
            "Daily/2025-03-06.md": "Rien de neuf.\n",
        }
        for path, text in notes.items():
            file = tmp_path / "vault" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return tmp_path / "vault"

    @pytest.fixture
    def mock_ctx(self, sample_vault: Path) -> Mock:
        ctx = Mock()
        ctx.deps = ChatDependencies(vault=VaultClient(vault_path=sample_vault), trace_id="test-123")
        return ctx

    @pytest.mark.asyncio
    async def test_fulltext_finds_matches(self, mock_ctx: Mock) -> None:
        text = await vault_search(mock_ctx, operation="fulltext", query="payment")
        assert text.startswith("fulltext: 2 results for 'payment'")
        assert "Projects/API.md" in text
        assert "Meeting.md" in text
        assert "Garden" not in text

    @pytest.mark.asyncio
    async def test_fulltext_requires_query(self, mock_ctx: Mock) -> None:
        assert (await vault_search(mock_ctx, operation="fulltext")).startswith(
            "Error: 'query' required for fulltext search"
        )

    @pytest.mark.asyncio
    async def test_tag_search_finds_notes(self, mock_ctx: Mock) -> None:
        either = await vault_search(mock_ctx, operation="by_tag", tags=["#work", "home"])
        assert either.startswith("by_tag: 3 results")
        both = await vault_search(mock_ctx, operation="by_tag", tags=["project", "work"], match_all=True)
        assert both.startswith("by_tag: 1 result ")
        assert "Projects/API.md" in both

    @pytest.mark.asyncio
    async def test_link_search_backlinks(self, mock_ctx: Mock) -> None:
        text = await vault_search(mock_ctx, operation="by_link", note_path="Projects/API")
        assert text.startswith("by_link: 1 result ")
        assert "Projects/Garden.md" in text
        forward = await vault_search(
            mock_ctx, operation="by_link", note_path="Meeting.md", direction="forward"
        )
        assert "unresolved links: Nowhere" in forward

    @pytest.mark.asyncio
    async def test_date_search_range(self, mock_ctx: Mock) -> None:
        text = await vault_search(
            mock_ctx, operation="by_date", start_date="2025-02-01", end_date="2025-03-05"
        )
        assert text.startswith("by_date: 2 results")
        assert text.index("Meeting.md") < text.index("Projects/Garden.md")
        daily = await vault_search(
            mock_ctx, operation="by_date", start_date="2025-03-06", end_date="2025-03-06"
        )
        assert "Daily/2025-03-06.md" in daily
        assert "(by name)" in daily

    @pytest.mark.asyncio
    async def test_combined_search(self, mock_ctx: Mock) -> None:
        text = await vault_search(
            mock_ctx,
            operation="combined",
            query="API",
            tags=["project"],
            folder="Projects",
            end_date="2025-01-31",
        )
        assert text.startswith("combined: 1 result ")
        assert "Projects/API.md" in text

    @pytest.mark.asyncio
    async def test_invalid_operation(self, mock_ctx: Mock) -> None:
        assert await vault_search(mock_ctx, operation="telepathy") == (
            "Error: Unknown operation: telepathy. Valid: fulltext, by_tag, by_link, by_date, combined, "
            "fast, deep, scoped, keyword"
        )

    @pytest.mark.asyncio
    async def test_every_call_is_logged_with_its_trace_id(
        self, mock_ctx: Mock, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO, "vault_assistant")
        await vault_search(mock_ctx, operation="fulltext", query="payment")
        await vault_search(mock_ctx, operation="fulltext")
        records = [
            (r.message, vars(r)["trace_id"], vars(r)["operation"])
            for r in caplog.records
            if r.message.startswith("vault_search")
        ]
        assert records == [
            ("vault_search_called", "test-123", "fulltext"),
            ("vault_search_answered", "test-123", "fulltext"),
            ("vault_search_called", "test-123", "fulltext"),
            ("vault_search_failed", "test-123", "fulltext"),
        ]
        assert vars(caplog.records[-1])["parameters"]["limit"] == 10
        assert [vars(record)["query"] for record in caplog.records[-2:]] == [None, None]
        assert [vars(record)["query"] for record in caplog.records[:2]] == ["payment", "payment"]
