"""The shown scores: probabilities that fall down every list, and never order it."""

import numpy as np
import pytest

from app.search import search
from app.search.models import Hit
from app.search.rank import likely
from app.search.searcher import searcher_for
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
def test_what_is_said_shows_much(embedded_example: VaultClient, mode: str, question: str, path: str) -> None:
    [first] = search(embedded_example, question, mode, limit=1)
    assert (first.path, first.score > 0.7) == (path, True)


def test_rare_stop_words_make_nothing_likely(tiny_vault: MakeVault, find: Find) -> None:
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
    question = "boat larch letters July week salt wood"
    whole = search(embedded_example, question, mode)
    assert len(whole) > likely.HEAD
    for limit in (1, 3, 30):
        assert search(embedded_example, question, mode, limit=limit) == whole[:limit]


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
