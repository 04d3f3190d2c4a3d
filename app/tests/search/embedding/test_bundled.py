"""The model that comes with the extra, once, for real."""

import pytest

from app.search import search
from app.vault.client import VaultClient


@pytest.fixture
def vault(embedded_example: VaultClient) -> VaultClient:
    return embedded_example


def test_deep_finds_what_fast_misses(vault: VaultClient) -> None:
    question = "What should a newcomer know about the neighbourhood?"
    guide = "guides/A visitor's guide to Port-Avel.md"
    assert guide not in {hit.path for hit in search(vault, question, "fast")}
    assert search(vault, question, "deep", limit=1)[0].path == guide
