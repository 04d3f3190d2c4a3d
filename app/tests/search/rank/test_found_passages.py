"""What is found without ranking is what ranking gives."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from app.config.settings import IndexDefinition, IndexSettings, Settings
from app.search.models import Operation
from app.search.operations import OPERATIONS
from app.search.rank.merge import found_passages
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.search.view import View
from app.vault.client import VaultClient

EXAMPLE = Path(__file__).parents[4] / "examples" / "vault"
QUERIES = (
    "budget", "weekly tasks", "or r", "e", "l'", "the", "zyxwvutsrq", "réunion OR heating", '"de la"', "“heating”",
    "boat -draft", "path:journal", "tag:projet serre", "line:(due date)", "[status:active] larch", "⏫", "*",
    "what did we decide last week", "march 2025", '"nobody ever wrote this" heating', "heeting", "(serre OR kiln) 12",
)  # fmt: skip


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    folder = tmp_path_factory.mktemp("found")
    shutil.copytree(EXAMPLE, folder / "vault")
    words = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=None)})
    searcher = searcher_for(VaultClient(folder / "vault", Settings(cache_dir=folder / "cache", index=words)))
    searcher.update()
    return searcher.view()


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("more", [{}, {"start_date": "2025-01-01"}, {"scopes": ["*#*e*"]}])
def test_what_is_found_is_what_is_ranked(view: View, query: str, more: dict[str, object]) -> None:
    operation: Operation = "scoped" if "scopes" in more else "fast"
    request = parse_request({"operation": operation, "query": query, **more}, unlimited=True)
    ranked = OPERATIONS[operation](view, request)
    assert np.flatnonzero(found_passages(view, request)).tolist() == sorted(item.doc for item in ranked.items)


def test_a_tally_counts_by_term(view: View) -> None:
    counts = np.zeros(view.lexical.size, np.int64)
    notes = np.flatnonzero(view.snapshot.visible)
    counts[notes] = np.arange(1, len(notes) + 1)
    terms = view.lexical.terms("tag:")
    expected = {term: int(counts[view.lexical.docs_with(term)].sum()) for term in terms}
    assert view.lexical.tally("tag:", counts) == {term: count for term, count in expected.items() if count}
    assert view.lexical.tally("there is none:", counts) == {}
