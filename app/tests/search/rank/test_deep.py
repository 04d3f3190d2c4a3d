"""deep: every filter holds in every list, the literal comes first, and what cannot run is done without."""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.config.settings import IndexDefinition, IndexSettings, Settings
from app.search import search
from app.search.models import Hit, SearchResult, SearchResults
from app.search.query.evaluate import query_filter
from app.search.query.filters import chunk_filter
from app.search.query.parse import parse_query
from app.search.rank.deep import meaning_of
from app.search.rank.pipeline import rank
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault, ShareExports
from app.tests.search.conftest import Find, paths
from app.vault.client import VaultClient

WORDS = [
    "harbour", "boat", "rope", "sail", "tide", "lamp", "stone", "bread", "winter", "garden", "seed",
    "letter", "budget", "plan", "deer",
]  # fmt: skip


def indexed(model: Path | str | None) -> IndexSettings:
    return IndexSettings(indexes={"notes": IndexDefinition(embedding_model=str(model) if model else None)})


def some_notes(count: int, seed: int = 0) -> dict[str, str]:
    """Notes in three folders with tags, days and sections, of words drawn by chance."""
    chance = random.Random(seed)
    notes = {}
    for number in range(count):
        body = "\n\n".join(
            f"## Part {part}\n" + " ".join(chance.choices(WORDS, k=chance.randint(3, 60)))
            for part in range(3)
        )
        day = f"2025-0{1 + number % 9}-1{number % 10}"
        notes[f"{'abc'[number % 3]}/n{number}.md"] = f"---\ntags: [t{number % 4}]\ndate: {day}\n---\n{body}\n"
    return notes


@pytest.fixture(scope="module")
def vault(
    tmp_path_factory: pytest.TempPathFactory, tiny_model: Path, share_exports: ShareExports
) -> VaultClient:
    """Thirty notes and a private one, indexed and embedded once for all tests that only read."""
    root = tmp_path_factory.mktemp("vault")
    for path, text in (some_notes(30) | {"private/secret.md": "harbour boat rope sail tide\n"}).items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    (root / ".obsidian").mkdir()
    (root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["private/"]}')
    cache = share_exports(tmp_path_factory.mktemp("cache"))
    made = VaultClient(root, Settings(index=indexed(tiny_model), chunk_chars=300, cache_dir=cache))
    searcher_for(made).update()
    assert searcher_for(made).embed().remaining == 0
    return made


FILTERS: list[dict[str, Any]] = [
    {},
    {"folder": "a"},
    {"tags": ["t1", "t2"]},
    {"start_date": "2025-03", "end_date": "2025-05"},
    {"scopes": ["a/**#Part 1", "b/n1#Part 2"]},
    {"queries": ['harbour "rope sail"', "winter tag:#t3"]},
    {"queries": ["section:(seed letter) boat path:b"]},
]


@pytest.mark.parametrize("filters", FILTERS, ids=str)
def test_no_list_returns_a_chunk_outside_the_mask(vault: VaultClient, filters: dict[str, Any]) -> None:
    request = parse_request({"operation": "deep", "query": "a boat at the harbour", **filters})
    searcher = searcher_for(vault)
    view = searcher.view()
    assert view.vectors is not None
    chunks = chunk_filter(view, request)
    mean, notices = meaning_of(view)
    found = 0
    for text in request.queries:
        query = parse_query(text)
        allowed = chunks.mask & view.snapshot.chunks_of(query_filter(view, query))
        ranking = rank(view, query, chunks, None, mean)
        assert {"words", "vectors"} <= set(ranking.legs)
        for leg in (*ranking.legs.values(), ranking.docs):
            assert allowed[leg].all()
            found += len(leg)
        assert ranking.rows == sorted(ranking.rows, key=lambda row: -row[1])
        assert all(0 <= score <= 1 for _, score in ranking.rows)
    assert found
    assert notices == ()
    hits = searcher.search(request).results
    assert all(vault.root.joinpath(hit.path).is_file() and "secret" not in hit.path for hit in hits)


def test_vectors_find_exactly_the_nearest_allowed_windows(vault: VaultClient) -> None:
    """The list of vectors equals a plain product of all vectors, for any mask."""
    view = searcher_for(vault).view()
    assert view.vectors is not None
    kept = view.vectors.wanted()
    joined = kept.joined(view.snapshot)
    chance = np.random.RandomState(1)
    for text in ("harbour", "bread in winter", "deer"):
        query = kept.encode_query(text).vector
        mask = view.lexical.chunks & (chance.rand(view.lexical.size) < 0.5)
        best = {}
        for doc in np.flatnonzero(mask).tolist():
            _, cosines = joined.index.best_rows(query, [joined.rows(doc, {})])
            best[doc] = float(cosines[0])
        expected = sorted(best.values(), reverse=True)[:12]
        found = joined.nearest(query, 12, mask, {})
        assert [best[doc] for doc in found[:12]] == pytest.approx(expected, abs=1e-6)


def test_literal_text_ranks_first_and_is_all_there(tiny_vault: MakeVault, tiny_model: Path) -> None:
    notes = some_notes(40) | {f"z/{n}.md": f"note\nstatus: en-cours {n}\n" for n in range(70)}
    vault = tiny_vault(notes, index=indexed(tiny_model))
    hits = search(vault, "status: en-cours", "deep")
    assert {hit.path for hit in hits[:70]} == {f"z/{n}.md" for n in range(70)}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_scoped_and_search_take_the_mode(vault: VaultClient, find: Find) -> None:
    def places(found: Iterable[Hit | SearchResult]) -> list[tuple[str, str | None, float]]:
        return [(one.path, one.lines, one.score) for one in found]

    deep = places(find(vault, "deep", query="winter bread", scopes=["a/*"]).results)
    assert places(find(vault, "scoped", query="winter bread", scopes=["a/*"], mode="deep").results) == deep
    assert places(search(vault, "winter bread", "deep", "a/*", limit=100)) == deep
    least = deep[3][2]
    kept = places(search(vault, "winter bread", "deep", "a/*", min_score=least))
    assert kept == [
        place for place in places(search(vault, "winter bread", "deep", "a/*")) if place[2] >= least
    ]


@pytest.mark.parametrize(
    "query",
    ["é", "?", "東京", "🌊", "boat " * 2_000, "a" * 5_000, "\u0000", "[CLS] [SEP]"],
)
def test_odd_queries_are_answered(vault: VaultClient, find: Find, query: str) -> None:
    results = find(vault, "deep", query=query)
    assert all(0 <= result.score <= 1 for result in results.results)


@pytest.mark.parametrize("is_there", [True, False], ids=["empty", "missing"])
def test_words_find_without_model(tiny_vault: MakeVault, tmp_path: Path, find: Find, is_there: bool) -> None:
    folder = tmp_path / "broken"
    if is_there:
        folder.mkdir()
    results = find(
        tiny_vault({"a.md": "boat\n", "b.md": "bread\n"}, index=indexed(folder)), "deep", query="boat"
    )
    assert paths(results) == ["a.md"]
    assert any(str(one).startswith("found by words only: ") and "broken" in one for one in results.notices)


def test_explain_names_the_lists_and_the_nearest_sentence(tiny_vault: MakeVault, tiny_model: Path) -> None:
    vault = tiny_vault(
        {"a.md": "The boat leaves. Bread is sold here.\n", "b.md": "deer\n"}, index=indexed(tiny_model)
    )
    first = search(vault, "bread", "deep", explain=True)[0]
    assert first.relevance_reason is not None
    assert first.relevance_reason.startswith("found by words #1, vectors #")
    assert "; matches bread; nearest: Bread is sold here. " in first.relevance_reason
    assert first.relevance_reason.endswith("(no language model is configured)")


def test_the_time_a_question_names_comes_first_and_hides_nothing(vault: VaultClient) -> None:
    def asked(text: str) -> SearchResults:
        return searcher_for(vault).search(
            parse_request({"operation": "deep", "query": text, "explain": True}, unlimited=True)
        )

    plain = asked("harbour boat garden")
    named = asked("harbour boat garden in April 2025")
    days = [result.date or "" for result in named.results]
    inside = [day.startswith("2025-04") for day in days]
    assert {(r.path, r.lines) for r in plain.results} <= {(r.path, r.lines) for r in named.results}
    assert inside[0]
    assert "words in the time #" in str(named.results[0].relevance_reason)
