"""deep: every filter holds in every list, the literal comes first, and what cannot run is done without."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.config.settings import IndexDefinition, IndexSettings, Settings
from app.errors import BadRequestError, SearchError
from app.search import search
from app.search.models import SearchResults
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
    "harbour",
    "boat",
    "rope",
    "sail",
    "tide",
    "lamp",
    "stone",
    "bread",
    "winter",
    "garden",
    "seed",
    "letter",
    "budget",
    "plan",
    "deer",
]


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
    {"tags": ["t1"], "folder": "b"},
    {"start_date": "2025-03", "end_date": "2025-05"},
    {"scopes": ["a/*", "c/n2.md"]},
    {"scopes": ["a/**#Part 1", "b/n1#Part 2"]},
    {"scopes": ["c#Part 0"], "start_date": "2025-02"},
    {"queries": ["harbour boat -garden"]},
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


def test_a_heading_scope_counts_only_windows_that_touch_it(tiny_vault: MakeVault, tiny_model: Path) -> None:
    note = "## Boats\n" + "boat " * 120 + "\n\n## Bread\n" + "bread " * 120 + "\n"
    vault = tiny_vault({"n.md": note}, index=indexed(tiny_model), chunk_chars=5000)
    searcher = searcher_for(vault)
    searcher.update()
    searcher.embed()
    view = searcher.view()
    assert view.vectors is not None
    joined = view.vectors.wanted().joined(view.snapshot)
    [doc] = np.flatnonzero(view.lexical.chunks).tolist()
    every = joined.rows(doc, {})
    bread = joined.rows(doc, {doc: ((4, 5),)})
    assert len(every) > len(bread) > 0
    assert all(joined.lines_of(doc, row)[1] >= 4 for row in bread.tolist())
    [hit] = search(vault, "boat", "deep", ["n.md#Bread"])
    assert hit.lines == "4-5"


def test_literal_text_ranks_first_and_is_all_there(tiny_vault: MakeVault, tiny_model: Path) -> None:
    notes = some_notes(40) | {f"z/{n}.md": f"note\nstatus: en-cours {n}\n" for n in range(70)}
    vault = tiny_vault(notes, index=indexed(tiny_model))
    hits = search(vault, "status: en-cours", "deep")
    assert {hit.path for hit in hits[:70]} == {f"z/{n}.md" for n in range(70)}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_all_words_of_a_short_question_come_before_one_of_them(
    tiny_vault: MakeVault, tiny_model: Path, find: Find
) -> None:
    notes = {f"one/{at}.md": f"# Kiln {at}\n\nkiln kiln\n" for at in range(8)}
    notes |= {f"two/{at}.md": f"# Pots {at}\n\npots pots\n" for at in range(8)}
    far = "The letter of the garden says little. " * 30
    vault = tiny_vault(notes | {"both.md": f"pots {far} kiln\n"}, index=indexed(tiny_model))
    assert paths(find(vault, "deep", query="kiln pots"))[0] == "both.md"


def test_deep_finds_what_shares_no_word(tiny_vault: MakeVault, tiny_model: Path, find: Find) -> None:
    vault = tiny_vault(some_notes(9), index=indexed(tiny_model))
    assert paths(find(vault, "fast", query="zzzz")) == []
    assert len(paths(find(vault, "deep", query="zzzz"))) == 9


def test_scoped_and_search_take_the_mode(vault: VaultClient, find: Find) -> None:
    deep = find(vault, "deep", query="winter bread", scopes=["a/*"])
    scoped = find(vault, "scoped", query="winter bread", scopes=["a/*"], mode="deep")
    assert [(r.path, r.lines, r.score) for r in scoped.results] == [
        (r.path, r.lines, r.score) for r in deep.results
    ]
    hits = search(vault, "winter bread", "deep", "a/*", limit=100)
    assert [(h.path, h.lines, h.score) for h in hits] == [(r.path, r.lines, r.score) for r in deep.results]
    least = hits[3].score
    assert [h.score for h in search(vault, "winter bread", "deep", "a/*", min_score=least)] == [
        h.score for h in search(vault, "winter bread", "deep", "a/*") if h.score >= least
    ]


def test_several_queries_merge_with_the_best_score(vault: VaultClient) -> None:
    one, two = (
        {(h.path, h.lines): h.score for h in search(vault, query, "deep")} for query in ("tide", "seed")
    )
    both = {(h.path, h.lines): h.score for h in search(vault, ["tide", "seed"], "deep")}
    assert both == {key: max(one.get(key, 0), two.get(key, 0)) for key in one.keys() | two.keys()}


def test_everything_is_listed_as_in_fast(vault: VaultClient, find: Find) -> None:
    assert paths(find(vault, "deep", query="*")) == paths(find(vault, "fast", query="*"))
    tagged = find(vault, "deep", query="tag:#t1")
    assert paths(tagged) == paths(find(vault, "fast", query="tag:#t1"))


@pytest.mark.parametrize(
    "query",
    ["x", "é", "?", "…", "東京", "नमस्ते", "🌊", "boat " * 2_000, "a" * 5_000, "\u0000", "[CLS] [SEP]"],
)
def test_odd_queries_are_answered(vault: VaultClient, find: Find, query: str) -> None:
    results = find(vault, "deep", query=query)
    assert all(0 <= result.score <= 1 for result in results.results)


@pytest.mark.parametrize("query", ["", "   "])
def test_an_empty_query_is_an_error(vault: VaultClient, find: Find, query: str) -> None:
    with pytest.raises(BadRequestError, match="required for deep search"):
        find(vault, "deep", query=query)


def test_notes_in_unknown_scripts_are_found(tiny_vault: MakeVault, tiny_model: Path, find: Find) -> None:
    vault = tiny_vault(
        {"ja.md": "東京の天気は晴れ\n", "hi.md": "नमस्ते दुनिया\n", "e.md": "", "s.md": "🌊\n"},
        index=indexed(tiny_model),
    )
    results = find(vault, "deep", query="東京")
    assert paths(results)[0] == "ja.md"
    assert set(paths(results)) == {"ja.md", "hi.md", "e.md", "s.md"}


def test_an_index_of_words_alone_says_so(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "x"}, index=indexed(None))
    with pytest.raises(BadRequestError, match="this index has no embedding model"):
        find(vault, "deep", query="x")
    assert paths(find(vault, "fast", query="x")) == ["a.md"]


@pytest.mark.parametrize("damage", ["missing", "empty", "truncated"])
def test_without_its_model_words_answer_and_it_is_said(
    tiny_vault: MakeVault, tiny_model: Path, tmp_path: Path, find: Find, damage: str
) -> None:
    folder = tmp_path / "broken"
    if damage != "missing":
        folder.mkdir()
    if damage == "truncated":
        for file in tiny_model.rglob("*"):
            if file.is_file():
                target = folder / file.relative_to(tiny_model)
                target.parent.mkdir(parents=True, exist_ok=True)
                data = file.read_bytes()
                target.write_bytes(data[: len(data) // 2] if file.suffix == ".safetensors" else data)
    vault = tiny_vault({"a.md": "boat\n", "b.md": "bread\n"}, index=indexed(folder))
    results: SearchResults = find(vault, "deep", query="boat")
    assert paths(results) == ["a.md"]
    assert any(
        notice.startswith("found by words only: ") and "broken" in notice for notice in results.notices
    )


def test_explain_names_the_lists_and_the_nearest_sentence(tiny_vault: MakeVault, tiny_model: Path) -> None:
    vault = tiny_vault(
        {"a.md": "The boat leaves. Bread is sold here.\n", "b.md": "deer\n"}, index=indexed(tiny_model)
    )
    first = search(vault, "bread", "deep", explain=True)[0]
    assert first.relevance_reason is not None
    assert first.relevance_reason.startswith("found by words #1, vectors #")
    assert (
        "; covers 100% of what is asked; matches bread; nearest: Bread is sold here. "
        in first.relevance_reason
    )
    assert first.relevance_reason.endswith("(no language model is configured)")


def test_a_disk_that_refuses_leaves_words_and_says_why(
    tiny_vault: MakeVault, tiny_model: Path, find: Find
) -> None:
    vault = tiny_vault(some_notes(3), index=indexed(tiny_model))
    searcher = searcher_for(vault)
    searcher.update()
    (searcher.folder / "vectors").write_text("in the way")
    with pytest.raises(SearchError, match="cannot keep an index in"):
        searcher.embed()
    results = find(vault, "deep", query="boat")
    assert paths(results) == paths(find(vault, "fast", query="boat"))
    assert any("cannot keep an index in" in notice for notice in results.notices)


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
    # Of the best thirty, those of the month stand further up than they do without it.
    before = [(result.date or "").startswith("2025-04") for result in plain.results]
    assert sum(inside[:10]) > sum(before[:10])
    assert "raised for 'April 2025'" in str(named.results[0].relevance_reason)
    assert "words in the time #" in str(named.results[0].relevance_reason)
    scores = [result.score for result in named.results]
    assert scores == sorted(scores, reverse=True)
    [notice] = [notice for notice in named.notices if "read as" in notice]
    assert (
        notice == '"April 2025" read as 2025-04-01 to 2025-04-30: what answers and lies inside is preferred'
    )


def test_a_question_for_nothing_but_a_time_lists_what_lies_there_first(
    vault: VaultClient, find: Find
) -> None:
    found = find(vault, "deep", query="what happened in April 2025?", limit=100).results
    inside = [(result.date or "").startswith("2025-04") for result in found]
    assert 0 < sum(inside) < len(inside)
    assert inside == sorted(inside, reverse=True)
