"""How near texts lie to a question, whatever the model's own scale is."""

import pytest

from app.chat.evidence.gather import gather
from app.chat.evidence.nearness import Meaning, scale_of
from app.chat.evidence.quote import asked_of
from app.vault.client import VaultClient


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
