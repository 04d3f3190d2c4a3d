"""The shown scores: probabilities that fall down every list, and never order it."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.search import search
from app.search.lexical.ranker import Told
from app.search.models import Hit, SearchRequest
from app.search.query.filters import chunk_filter
from app.search.query.parse import parse_question
from app.search.rank import likely
from app.search.rank.deep import meaning_of
from app.search.rank.likely import (
    Evidence,
    Table,
    chances,
    evidence_of,
    falling,
    shown,
)
from app.search.rank.pipeline import rank
from app.search.searcher import searcher_for
from app.search.vectors.faiss_index import Background
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find
from app.tests.search.embedding.conftest import MakeModel
from app.tests.search.rank.test_deep import indexed, some_notes
from app.vault.client import VaultClient

NONSENSE = (
    "interest rate of the central bank",
    "install a graphics driver on Linux",
    "chess opening theory",
    "how do volcanoes erupt under glaciers",
)
ANSWERED = {
    "The larch came on 8 July instead of 10 June, four weeks late": "projects/petrel/changelog.md",
    "who sells larch when his kiln works": "people/Erwan Maout.md",
}
QUESTIONS = (*NONSENSE, "the price of larch", "boat", "When was the boat launched?", "who repairs the kiln")


def scores(hits: list[Hit]) -> list[float]:
    return [hit.score for hit in hits]


@pytest.mark.parametrize("mode", ["fast", "deep"])
def test_scores_never_rise_down_a_list(embedded_example: VaultClient, mode: str) -> None:
    for question in QUESTIONS:
        found = scores(search(embedded_example, question, mode))
        assert found == sorted(found, reverse=True)
        assert all(0 <= score <= 1 for score in found)


@pytest.mark.parametrize("mode", ["fast", "deep"])
@pytest.mark.parametrize("question", NONSENSE)
def test_what_no_note_answers_shows_little(embedded_example: VaultClient, mode: str, question: str) -> None:
    assert max(scores(search(embedded_example, question, mode)), default=0.0) < 0.3


@pytest.mark.parametrize("mode", ["fast", "deep"])
@pytest.mark.parametrize(("question", "path"), ANSWERED.items())
def test_what_a_note_says_word_for_word_shows_much(
    embedded_example: VaultClient, mode: str, question: str, path: str
) -> None:
    [first] = search(embedded_example, question, mode, limit=1)
    assert (first.path, first.score > 0.7) == (path, True)


def test_stop_words_alone_make_nothing_likely_where_few_notes_have_them(
    tiny_vault: MakeVault, find: Find
) -> None:
    """Among French notes an English stop word is rare, and still says nothing."""
    notes = {f"{at}.md": f"Le verger, rang {at} : taille des pommiers et récolte.\n" for at in range(30)}
    notes["guide.md"] = "The lunch is shared, and the gate is closed because of the dog.\n"
    vault = tiny_vault(notes)
    asked = find(vault, "fast", query="when is the organic inspection")
    assert [(result.path, result.score < 0.02) for result in asked.results] == [("guide.md", True)]
    # What is asked for by stop words alone has all that was asked for.
    [alone] = find(vault, "fast", query="because of the").results
    assert alone.score > 0.5


@pytest.mark.parametrize("mode", ["fast", "deep"])
def test_scores_do_not_depend_on_how_many_are_asked_for(embedded_example: VaultClient, mode: str) -> None:
    whole = search(embedded_example, "boat larch letters July week salt wood", mode)
    assert len(whole) > likely.HEAD
    for limit in (1, 3, 30):
        assert (
            search(embedded_example, "boat larch letters July week salt wood", mode, limit=limit)
            == whole[:limit]
        )


@pytest.mark.parametrize("mode", ["fast", "deep"])
def test_the_order_does_not_depend_on_the_scores(
    embedded_example: VaultClient, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With tables that say the opposite, the same hits come in the same order, all likeliest at the end."""
    before = search(embedded_example, "who repairs the boat", mode, limit=40)
    for name in ("BY_WORDS", "BY_MEANING"):
        table = getattr(likely, name)
        monkeypatch.setattr(likely, name, Table(table.question, tuple(-weight for weight in table.hit)))
    after = search(embedded_example, "who repairs the boat", mode, limit=40)
    assert [(hit.path, hit.lines) for hit in after] == [(hit.path, hit.lines) for hit in before]
    assert scores(after) != scores(before)
    assert scores(after) == sorted(scores(after), reverse=True)


def test_a_rise_becomes_the_mean_and_the_rest_falls_as_it_ranks() -> None:
    scores = np.array([0.9, 0.8, 0.6, 0.3, 0.0], np.float32)
    found = shown(scores, falling(np.array([0.5, 0.2, 0.6], np.float32)))
    assert found.tolist() == pytest.approx([0.5, 0.4, 0.4, 0.2, 0.0])


def told(*held: tuple[float, ...]) -> Told:
    """Three words of equal worth, of which chunks have those that are not 0."""
    return Told(np.array(held, np.float32), np.sum(held, axis=1, dtype=np.float32))


def test_more_of_what_is_asked_is_likelier() -> None:
    one, all_ = (chances(weighed(told(row))) for row in ((1 / 3, 0, 0), (1 / 3,) * 3))
    assert all_[0] > 2 * one[0]


def weighed(told: Told, *meaning: Any) -> Evidence:
    """The evidence for one hit."""
    return evidence_of(np.array([7]), np.array([1]), np.ones(1, np.float32), told, *meaning)


def chance_of(cosine: float, background: Background) -> float:
    """How likely a hit answers that has one word of three, and this cosine."""
    row = told((1 / 3, 0, 0))
    cosines = np.array([cosine], np.float32)
    return float(chances(weighed(row, cosines, background))[0])


def test_cosines_are_read_by_the_background_of_the_vault() -> None:
    """A model whose cosines all lie between .9 and 1 tells the same as one that uses the whole range."""
    wide, narrow = Background(0.1, 0.1, 5.0), Background(0.91, 0.01, 5.0)
    assert chance_of(0.5, wide) == pytest.approx(chance_of(0.95, narrow), abs=1e-4)
    assert chance_of(0.5, wide) > 2 * chance_of(0.1, wide)
    # Of a model that hardly tells one note from another, the same says little.
    assert chance_of(0.5, replace(wide, standing=0.3)) < chance_of(0.5, wide) / 1.5


def test_what_tells_parts_of_a_note_no_better_than_shared_words_lends_nothing() -> None:
    """Below a deviation, words alone say what is shown, whatever the cosine; above it, meaning joins in."""
    by_words = float(chances(weighed(told((1 / 3, 0, 0))))[0])
    for standing in (-0.4, 0.0, 0.64, 1.0):
        of_chance = Background(0.99, 0.004, standing)
        assert [chance_of(cosine, of_chance) for cosine in (0.97, 0.99, 1.0)] == [by_words] * 3
    shown = [chance_of(1.0, Background(0.1, 0.1, standing)) for standing in (1.5, 2.5, 3.5)]
    assert by_words < shown[0] < shown[1] < shown[2]


def test_the_background_is_that_of_the_visible_windows(tiny_vault: MakeVault, make_model: MakeModel) -> None:
    vault = tiny_vault(some_notes(12), index=indexed(make_model()))
    searcher = searcher_for(vault)
    searcher.update()
    searcher.embed()
    view = searcher.view()
    assert view.vectors is not None
    joined = view.vectors.wanted().joined(view.snapshot)
    vectors = joined.index.vectors(np.arange(len(joined.index)))
    pairs = [float(vectors[a] @ vectors[b]) for a in range(len(vectors)) for b in range(a)]
    assert joined.background is not None
    assert joined.background.mean == pytest.approx(np.mean(pairs), abs=1e-4)
    assert joined.background.deviation == pytest.approx(np.std(pairs), abs=1e-4)


def test_of_a_few_windows_there_is_no_background_and_words_tell(
    tiny_vault: MakeVault, tiny_model: Path, find: Find
) -> None:
    vault = tiny_vault({"a.md": "the kiln is cold\n", "b.md": "deer\n"}, index=indexed(tiny_model))
    results = find(vault, "deep", query="kiln cold", explain=True).results
    assert results[0].path == "a.md"
    assert "covers 100% of what is asked" in str(results[0].relevance_reason)


def test_a_model_of_chance_does_not_answer_foreign_questions(
    tiny_vault: MakeVault, make_model: MakeModel, find: Find
) -> None:
    vault = tiny_vault(some_notes(30), index=indexed(make_model(seed=5)))
    for question in NONSENSE:
        found = find(vault, "deep", query=question)
        assert max(result.score for result in (*found.results, *found.nearest)) < 0.3


def test_over_notes_of_many_windows_a_model_of_chance_lends_nothing(
    tiny_vault: MakeVault, make_model: MakeModel
) -> None:
    words = ["kiln", "larch", "boat", "salt", "letter", "timber", "harbour", "rope", "tar", "plank", "keel"]
    chance = random.Random(4)
    notes = {
        f"{at}.md": "\n\n".join(" ".join(chance.choices(words, k=90)) + "." for _ in range(4))
        for at in range(20)
    }
    vault = tiny_vault(notes, index=indexed(make_model(seed=5)))
    searcher = searcher_for(vault)
    searcher.update()
    searcher.embed()
    view = searcher.view()
    assert view.vectors is not None
    background = view.vectors.wanted().joined(view.snapshot).background
    assert background is not None
    assert background.standing < likely.CHANCE
    for question in ("what does the kiln do to a plank", "how do volcanoes erupt under salt"):
        request = SearchRequest(operation="deep", query=question, queries=(question,))
        chunks = chunk_filter(view, request)
        ranking = rank(view, parse_question(question), chunks, None, meaning_of(view)[0])
        assert ranking.evidence is not None
        assert ranking.evidence.meaning is not None
        by_words = chances(ranking.evidence._replace(meaning=None))
        assert chances(ranking.evidence).tolist() == by_words.tolist()
        in_full = ranking.evidence._replace(trust=np.ones_like(ranking.evidence.trust))
        assert chances(in_full).tolist() != by_words.tolist()


def test_explain_shows_what_a_score_is_made_of(embedded_example: VaultClient) -> None:
    first, *_ = search(embedded_example, "antique dinghy restoration cost limit", "deep", explain=True)
    assert first.relevance_reason is not None
    for part in ("found by words #", "vectors #", "covers ", "% of what is asked"):
        assert part in first.relevance_reason
    fast, *_ = search(embedded_example, "larch", "fast", explain=True)
    assert "covers 100% of what is asked" in str(fast.relevance_reason)
