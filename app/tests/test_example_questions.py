"""Real questions to the example vault, and where their answers stand."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from app.config.settings import Settings
from app.search import search
from app.search.index.chunk import split_lines
from app.search.models import SearchResults
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.vault.client import VaultClient

EXAMPLE = Path(__file__).parents[2] / "examples" / "vault"
PETREL, GLACIERE, SEL, LETTERS = (
    f"projects/{name}" for name in ("petrel", "la-glaciere", "livre-de-sel", "low-tide-letters")
)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> VaultClient:
    folder = tmp_path_factory.mktemp("example")
    shutil.copytree(EXAMPLE, folder / "vault")
    return VaultClient(folder / "vault", Settings(cache_dir=folder / "cache"))


def ask(vault: VaultClient, operation: str, **parameters: Any) -> SearchResults:
    return searcher_for(vault).search(parse_request({"operation": operation, "limit": 100, **parameters}))


def paths(results: SearchResults) -> list[str]:
    return [result.path for result in results.results]


@pytest.mark.parametrize("literal", ["status: en-cours", "prio: haute", "[décision]", "2025-07-14", "⏫"])
def test_every_chunk_that_holds_the_text_ranks_above_all_that_do_not(
    literal: str, vault: VaultClient
) -> None:
    """The chunks are compared with a plain reading of the files."""
    everything = search(vault, ["*"], "fast")
    holding = set()
    for hit in everything:
        start, end = map(int, hit.lines.split("-"))
        text = "\n".join(split_lines(vault.read(hit.path).text)[start - 1 : end])
        if literal.casefold() in text.casefold():
            holding.add((hit.path, hit.lines))
    found = [(hit.path, hit.lines) for hit in search(vault, [literal], "fast")]
    assert len(holding) >= 4
    assert set(found[: len(holding)]) == holding


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("Mutuelle du Ponant", f"{GLACIERE}/changelog.md"),
        (
            "Combien la mairie a-t-elle accordé, et sur combien demandé ?",
            f"{GLACIERE}/bucket/Lettre de la mairie.md",
        ),
        ("How late was the larch, and when was the boat launched?", f"{PETREL}/changelog.md"),
    ],
)
def test_a_plain_question_finds_its_note_among_the_first_five(
    question: str, path: str, vault: VaultClient
) -> None:
    assert path in paths(ask(vault, "fast", query=question))[:5]
