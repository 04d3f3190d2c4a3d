"""How near texts lie to a question, whatever the model's own scale is."""

import numpy as np
import pytest

from app.chat.evidence.gather import gather
from app.chat.evidence.nearness import Meaning, scale_of
from app.chat.evidence.quote import asked_of
from app.search.embedding.embedder import Embedder, Encoded, Spans
from app.vault.client import VaultClient


class Flat:
    """A model for which all texts are alike, as one of random weights nearly is."""

    fingerprint = "flat"
    dimension = 4
    max_pieces = 100

    def spans(self, texts: list[str]) -> list[Spans]:
        return [[(0, len(text))] for text in texts]

    def encode(self, texts: list[str]) -> list[Encoded]:
        ones = np.full(4, 0.5, np.float32)
        return [Encoded(ones, ones[None, :]) for _ in texts]

    def encode_query(self, text: str) -> Encoded:
        return self.encode([text])[0]


@pytest.fixture
def meaning(embedded_example: VaultClient) -> Meaning:
    meaning = asked_of(gather(embedded_example, "How much did we pay for the used sail?")).meaning
    assert meaning is not None
    return meaning


def test_what_answers_is_nearer_than_what_does_not(meaning: Meaning) -> None:
    answer, other = meaning.near(["The second-hand sail cost 340 euros.", "The cat sleeps on the blankets."])
    assert answer.words > other.words


def test_the_scale_of_the_model_that_comes_along_tells(meaning: Meaning) -> None:
    scale = scale_of(meaning.embedder)
    assert scale.tells
    assert scale.words(scale.words_apart) == pytest.approx(0)
    assert scale.words(scale.words_alike) == pytest.approx(1)


def test_a_model_for_which_all_is_alike_tells_nothing() -> None:
    flat: Embedder = Flat()  # type: ignore[assignment]
    assert not scale_of(flat).tells


def test_an_empty_text_is_no_error(meaning: Meaning) -> None:
    (nothing,) = meaning.near([""])
    assert np.isfinite(nothing.words)


def test_a_question_in_a_language_that_the_model_does_not_know_is_compared_by_words(
    embedded_example: VaultClient,
) -> None:
    assert asked_of(gather(embedded_example, "Wie viel hat das gebrauchte Segel gekostet?")).meaning is None


def test_a_word_lies_nearest_to_one_that_means_the_same(meaning: Meaning) -> None:
    boat, far, same = meaning.nearest(["boat", "birthday", "Sail"], ["dinghy", "sail", "harbour"])
    assert 0 <= far < boat < same == pytest.approx(1, abs=1e-3)
    assert meaning.nearest(["boat"], []) == [0]
    assert meaning.nearest([], ["boat"]) == []


def test_words_of_the_question_are_told_apart(meaning: Meaning) -> None:
    near, far = meaning.near(["The second-hand sail cost 340 euros.", "The cat sleeps on the blankets."])
    sail = meaning.question.index("sail")
    assert meaning.near_at(near, sail, sail + 4) > meaning.near_at(far, sail, sail + 4)
    assert meaning.near_at(near, 500, 501) == 0
    assert near.pieces.min() >= 0
    assert near.pieces.max() <= 1
