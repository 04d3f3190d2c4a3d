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


def test_backlinks_name_unwritten_notes_and_count_private_ones(vault: VaultClient) -> None:
    callum = ask(vault, "by_link", note_path="Callum Reid")
    assert set(paths(callum)) == {
        f"{SEL}/description.md",
        f"{PETREL}/description.md",
        f"{PETREL}/bucket/Evening on the slip.md",
        "journal/2025-06-21.md",
        "journal/2025-08-16.md",
    }
    assert {"1 excluded note not shown", "1 left-out note not shown"} <= set(callum.notices)
    dougal = ask(vault, "by_link", note_path="Dougal Reid")
    assert set(paths(dougal)) == {f"{PETREL}/tasks.md", "people/Callum Reid.md"}
    assert "the note 'Dougal Reid' does not exist; it is only linked to" in dougal.notices


def test_tags_with_their_children(vault: VaultClient) -> None:
    found = paths(ask(vault, "by_tag", tags=["projet"]))
    assert {path.split("/")[1] for path in found} == {"livre-de-sel", "la-glaciere"}
    assert len(found) == 14
    assert paths(ask(vault, "by_tag", tags=["people/family"])) == ["people/Callum Reid.md"]


def test_notes_created_in_april(vault: VaultClient) -> None:
    found = ask(vault, "by_date", start_date="2025-04-01", end_date="2025-04-30").results
    assert [result.path for result in found if result.date_source != "file"] == [
        f"{PETREL}/bucket/Scarfing.md",
        f"{SEL}/bucket/Ce que dit la voix de Morwenna.md",
        f"{GLACIERE}/bucket/La radio de Mme Le Bihan.md",
    ]


def test_decisions_of_one_month(vault: VaultClient) -> None:
    hits = search(vault, ["[décision]"], "fast", date_from="2025-07", date_to="2025-07")
    days = {(hit.path, hit.date) for hit in hits if "[décision]" in hit.chunk_with_context}
    assert {
        ("changelog.md", "2025-07-14"),
        *((f"{project}/changelog.md", "2025-07-14") for project in (PETREL, GLACIERE, SEL, LETTERS)),
        (f"{SEL}/changelog.md", "2025-07-02"),
        (f"{PETREL}/changelog.md", "2025-07-12"),
        (f"{PETREL}/changelog.md", "2025-07-26"),
    } <= days
    assert all(day is not None and day.startswith("2025-07") for _, day in days)


def test_criteria_together(vault: VaultClient) -> None:
    larch = ask(vault, "combined", query="larch", scopes=["project:petrel"])
    assert set(paths(larch)) >= {
        f"{PETREL}/changelog.md",
        f"{PETREL}/bucket/Petrel accounts.md",
        f"{PETREL}/description.md",
    }
    grant = ask(vault, "combined", query="subvention", tags=["projet/association"])
    assert set(paths(grant)) == {
        f"{GLACIERE}/description.md",
        f"{GLACIERE}/changelog.md",
        f"{GLACIERE}/bucket/Lettre de la mairie.md",
        f"{GLACIERE}/bucket/Inventaire des outils.md",
    }


def test_one_day_of_one_changelog(vault: VaultClient) -> None:
    found = ask(
        vault, "scoped", query="établi", scopes=["vault/projects/la-glaciere/changelog.md#2025-07-14"]
    )
    assert paths(found)[0] == f"{GLACIERE}/changelog.md"
    assert {result.date for result in found.results} == {"2025-07-14"}
    assert "90 €" in (found.results[0].chunk_with_context or "").replace("\u00a0", " ").replace("\u202f", " ")


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


@pytest.mark.parametrize("secret", ["sextant", '"prises étanches"'])
def test_private_and_temporary_notes_are_never_found(secret: str, vault: VaultClient) -> None:
    for operation in ("fast", "fulltext", "combined"):
        found = ask(vault, operation, query=secret)
        assert not [path for path in paths(found) if path.startswith(("private/", "inbox/"))]
        assert not any("private" in notice for notice in found.notices)
