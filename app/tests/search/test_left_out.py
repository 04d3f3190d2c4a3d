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


def test_an_excluded_note_is_no_part_of_it(vault: VaultClient, find: Find) -> None:
    before = find(vault, "fast", query="marmoset").notices
    assert told(find(vault, "fast", query="marmoset")) == [NEVER]
    (vault.root / "inbox/secret/plan.md").unlink()
    assert find(vault, "fast", query="marmoset").notices == before
