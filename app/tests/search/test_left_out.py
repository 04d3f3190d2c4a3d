"""An empty answer in a project vault: what was never searched."""

import pytest

from app.search.models import SearchResults
from app.tests.conftest import MakeVault
from app.tests.engines import on_every_engine
from app.tests.search.conftest import Find
from app.vault.client import VaultClient

pytestmark = on_every_engine

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["inbox/secret/"]}',
    "overview.md": "# Overview\n\nThe zeppelin and the Réunion.\n",
    "inbox/new.md": "A zeppelin landed.\n",
    "inbox/secret/plan.md": "The zeppelin is a marmoset.\n",
    "projects/a/state.md": "# State\n\nThe larch is late.\n",
}
NEVER = "never searched: inbox/new.md, overview.md, always in the chat's context, or temporary"


def told(results: SearchResults) -> list[str]:
    return [notice for notice in results.notices if notice.startswith("never searched")]


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault(NOTES)


@pytest.mark.parametrize("operation", ["fast", "fulltext", "combined"])
def test_an_empty_answer_says_what_was_left_out(vault: VaultClient, find: Find, operation: str) -> None:
    results = find(vault, operation, query="zeppelin")
    assert (results.total, told(results)) == (0, [NEVER])


def test_so_does_keyword(vault: VaultClient, find: Find) -> None:
    assert told(find(vault, "keyword", query="where?", search_terms=[r"\bzeppelin\b"])) == [NEVER]


def test_an_excluded_note_is_no_part_of_it(vault: VaultClient, find: Find) -> None:
    before = find(vault, "fast", query="marmoset").notices
    assert told(find(vault, "fast", query="marmoset")) == [NEVER]
    (vault.root / "inbox/secret/plan.md").unlink()
    assert find(vault, "fast", query="marmoset").notices == before


def test_where_something_is_found_nothing_is_said(vault: VaultClient, find: Find) -> None:
    assert told(find(vault, "fast", query="larch zeppelin")) == []


def test_of_many_five_are_named(tiny_vault: MakeVault, find: Find) -> None:
    many = {f"inbox/{n}.md": "zeppelin" for n in range(7)}
    results = find(tiny_vault({**NOTES, **many}), "fast", query="zeppelin")
    assert told(results)[0] == (
        "never searched: inbox/0.md, inbox/1.md, inbox/2.md, inbox/3.md, inbox/4.md and 4 more, always in "
        "the chat's context, or temporary"
    )


def test_elsewhere_nothing_is_left_out(tiny_vault: MakeVault, find: Find) -> None:
    assert told(find(tiny_vault({"a.md": "larch", "inbox/b.md": "oak"}), "fast", query="zeppelin")) == []
