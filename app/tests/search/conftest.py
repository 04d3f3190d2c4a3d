"""A whole vault in three lines, searched for real."""

from collections.abc import Callable
from typing import Any

import pytest

from app.search.models import SearchResults
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.vault.client import VaultClient

Find = Callable[..., SearchResults]


@pytest.fixture
def find() -> Find:
    """Ask a vault: ``find(vault, "by_tag", tags=["a"])``."""

    def ask(vault: VaultClient, operation: str, **parameters: Any) -> SearchResults:
        return searcher_for(vault).search(parse_request({"operation": operation, "limit": 100, **parameters}))

    return ask


def paths(results: SearchResults) -> list[str]:
    """Give the paths of results, in order."""
    return [result.path for result in results.results]
