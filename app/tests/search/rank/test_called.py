"""What is named comes first: a note called as the query stands before every passage that mentions it."""

from datetime import date, timedelta

import pytest

from app.search import search
from app.search.models import Operation
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.tests.search.rank.conftest import Embedded
from app.vault.client import VaultClient

DAYS = [date(2025, 1, 1) + timedelta(days=number) for number in range(40)]
NOTES = {
    **{f"daily/{day}.md": f"Cycled {n} miles, ate sourdough with cheese in Brest.\n" for n, day in enumerate(DAYS)},
    "Sourdough.md": "Flour, water, salt, and eighteen hours in the cold.\n",
    "cuisine/Far breton.md": "---\naliases: [prune flan]\n---\nLait, œufs, farine.\n",
    "cuisine/Crêpe.md": "Farine de sarrasin et sel.\n",
    "home/C++.md": "Templates.\n",
    "Élan.md": "Un grand cerf.\n",
    "Elan.md": "A plan for more speed.\n",
    "log.md": "".join(f"Read the readme, a far breton, prune flan, crepe and C++ on day {n}.\n\n" for n in range(9)),
}  # fmt: skip


@pytest.fixture(scope="module")
def vault(embedded: Embedded) -> VaultClient:
    return embedded(NOTES)


@pytest.mark.parametrize("mode", ["fast", "deep"])
@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("sourdough", "Sourdough.md"),
        ("SOURDOUGHS", "Sourdough.md"),
        ("crepes", "cuisine/Crêpe.md"),
        ("far breton", "cuisine/Far breton.md"),
        ("prune flan", "cuisine/Far breton.md"),
        ("C++", "home/C++.md"),
        ("2025-01-20", "daily/2025-01-20.md"),
        ("élan", "Élan.md"),
        ("elan", "Elan.md"),
    ],
)
def test_a_note_that_is_named_is_first(vault: VaultClient, query: str, path: str, mode: str) -> None:
    first, *others = search(vault, query, mode, limit=20)
    assert first.path == path
    assert all(first.score >= other.score for other in others)


@pytest.mark.parametrize(("more", "first"), [({}, "Sourdough.md"), ({"scopes": ["daily/**"]}, "daily/")])
def test_a_filter_holds_for_a_named_note(vault: VaultClient, more: dict[str, object], first: str) -> None:
    operation: Operation = "scoped" if more else "fast"
    request = parse_request({"operation": operation, "query": "sourdough", "limit": 5, **more})
    results = searcher_for(vault).search(request)
    assert results.results[0].path.startswith(first)
    assert results.total == 40 + (not more)
