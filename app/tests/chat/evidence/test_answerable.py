"""Whether what was found answers a question at all, on the example vault with the real model."""

import pytest

from app.chat.evidence.answerable import answer_chance, signs_of
from app.chat.evidence.gather import gather
from app.chat.evidence.reader import asked_of
from app.chat.evidence.weigh import candidates_of, weighed
from app.config.settings import Settings
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient


def signs(vault: VaultClient, question: str) -> dict[str, float]:
    found = gather(vault, question)
    asked = asked_of(found)
    return signs_of(asked, weighed(asked, candidates_of(asked, found.evidence)))


def chance(vault: VaultClient, question: str) -> float:
    found = gather(vault, question)
    asked = asked_of(found)
    return answer_chance(asked, weighed(asked, candidates_of(asked, found.evidence)))


@pytest.mark.parametrize(
    ("answered", "other"),
    [
        ("How late was the larch?", "How late was the helicopter?"),
        ("When does the market close?", "When does the volcano close?"),
        ("Quand le conduit a-t-il été ramoné ?", "Quand le saxophone a-t-il été ramoné ?"),
    ],
)
def test_a_question_is_less_likely_answered_where_its_one_word_is_missing(
    embedded_example: VaultClient, answered: str, other: str
) -> None:
    own, far = signs(embedded_example, answered), signs(embedded_example, other)
    assert 0 <= own["unsaid"] < far["unsaid"]
    assert far["said"] < own["said"] <= 1
    assert chance(embedded_example, other) < chance(embedded_example, answered)


def test_what_the_notes_do_not_speak_of_at_all_is_refused(embedded_example: VaultClient) -> None:
    least = Settings().ask_probability
    assert chance(embedded_example, "How late was the larch?") >= least
    assert chance(embedded_example, "How late was the helicopter?") < least


def test_a_slip_of_the_pen_is_not_a_missing_word(embedded_example: VaultClient) -> None:
    right, slip, other = (
        signs(embedded_example, f"How late was the {word}?")["unsaid"]
        for word in ("larch", "larhc", "xylophone")
    )
    assert right < slip < other


def test_without_meaning_there_is_no_sign_of_it(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"Boat.md": "# Boat\n\nThe hull was painted by Erwan Maout.\n"})
    assert set(signs(vault, "Who painted the hull?")) == {
        *("always", "words of the best", "words of all", "search"),
        *("name missing", "value missing", "value apart", "value elsewhere"),
    }


NOTE = (
    "# Rhian\n\nRhian keeps three hens on the terrace, and taught chemistry in Swansea until 2012.\n\n"
    "Her hip was mended in March. The hospital asked 340 euros for a walking frame.\n"
)


@pytest.mark.parametrize(
    ("question", "sign", "value"),
    [
        ("how old is Rhian?", "value missing", 1.0),
        ("what is Rhian's phone number?", "value missing", 1.0),
        ("how much was the walking frame?", "value missing", 0.0),
        ("what did the hospital charge for the frame?", "value apart", 0.0),
        ("did Quentin see the hens of Rhian?", "name missing", 1.0),
        ("did Rhian keep hens?", "name missing", 0.0),
    ],
)
def test_what_is_asked_for_is_there_or_missing(
    tiny_vault: MakeVault, question: str, sign: str, value: float
) -> None:
    assert signs(tiny_vault({"Rhian.md": NOTE}), question)[sign] == value


def test_a_thing_that_is_asked_for_by_name_and_is_not_there_is_missing(embedded_example: VaultClient) -> None:
    there, other = (
        signs(embedded_example, f"which {thing} did the larch come from?")["focus missing"]
        for thing in ("kiln", "orthodontist")
    )
    assert there < other
