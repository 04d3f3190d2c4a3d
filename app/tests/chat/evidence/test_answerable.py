"""Whether what was found answers a question at all, on the example vault with the real model."""

import pytest

from app.chat.evidence.answerable import answer_chance, features_of
from app.chat.evidence.gather import gather
from app.chat.evidence.reader import asked_of
from app.chat.evidence.weigh import candidates_of, weighed
from app.config.settings import Settings
from app.search.lexical.dictionary import rarity
from app.search.lexical.language import LANGUAGE_CODES
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient


def signs(vault: VaultClient, question: str) -> dict[str, float]:
    found = gather(vault, question)
    asked = asked_of(found)
    return features_of(asked, weighed(asked, candidates_of(asked, found.evidence)))


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
    assert chance(embedded_example, "How late was Quentin's helicopter?") < least


@pytest.mark.parametrize(
    ("language", "word", "question"),
    [("en", "hire", "could we hire the larch?"), ("fr", "refuser", "comment refuser le conduit ?")],
)
def test_an_everyday_word_that_is_missing_tells_little(
    embedded_example: VaultClient, language: str, word: str, question: str
) -> None:
    unsaid = signs(embedded_example, question)["unsaid"]
    assert 0 < unsaid <= rarity(word, LANGUAGE_CODES.index(language)) < 0.7


def test_a_slip_of_the_pen_is_not_a_missing_word(embedded_example: VaultClient) -> None:
    right, slip, other = (
        signs(embedded_example, f"How late was the {word}?")["unsaid"]
        for word in ("larch", "larhc", "xylophone")
    )
    assert right == slip < other


def test_without_meaning_there_is_no_sign_of_it(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"Boat.md": "# Boat\n\nThe hull was painted by Erwan Maout.\n"})
    assert set(signs(vault, "Who painted the hull?")) == {
        *("always", "words of the best", "words of all", "search"),
        *("name missing", "another time"),
    }


NAMED = "# Rhian\n\nRhian keeps three hens on the terrace."


@pytest.mark.parametrize(
    ("question", "value"),
    [("did Quentin see the hens of Rhian?", 1.0), ("did Rhian keep hens?", 0.0)],
)
def test_a_name_is_there_or_missing(tiny_vault: MakeVault, question: str, value: float) -> None:
    assert signs(tiny_vault({"Rhian.md": NAMED}), question)["name missing"] == value


HONEY = """# Hives

The first harvest gave 14 kg of honey on 20 July 2025.

## 2023-06-30

Nine jars of honey, and two for the neighbours.
"""


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how much honey did the harvest give in 2024?", 1.0),
        ("how much honey did the harvest give in August 2025?", 1.0),
        ("how much honey did the harvest give in 2025?", 0.0),
        ("how much honey did the harvest give in July?", 0.0),
        ("how much honey did the harvest give?", 0.0),
        ("how many jars of honey for the neighbours in 2023?", 0.0),
        ("how many jars of honey for the neighbours in 2021?", 1.0),
    ],
)
def test_what_is_dated_otherwise_is_of_another_time(
    tiny_vault: MakeVault, question: str, value: float
) -> None:
    assert signs(tiny_vault({"Hives.md": HONEY}), question)["another time"] == value


@pytest.mark.parametrize(
    ("path", "text", "question", "value"),
    [
        ("2025-06-02.md", "Anna leaves for Sweden from 3 to 24 July.", "When does Anna leave in July?", 0.0),
        ("2025-06-02.md", "Anna leaves for Sweden.", "When did Anna leave in July 2025?", 1.0),
        ("2025-07-02.md", "Anna leaves for Sweden.", "When did Anna leave in July 2025?", 0.0),
        ("Anna.md", "Anna leaves for Sweden.", "When did Anna leave in July 2025?", 0.0),
        ("Anna.md", "Anna leaves between May 2025 and August 2025.", "Where was Anna in July 2025?", 0.0),
        ("Anna.md", "---\ndate: 2025-07-03\n---\nAnna left. In 2024 too.", "Anna in July 2025?", 0.0),
        ("2025-06-02.md", "Anna leaves for Sweden.", "It is cold today, where is Anna?", 0.0),
    ],
)
def test_every_date_around_a_text_tells_its_time(
    tiny_vault: MakeVault, path: str, text: str, question: str, value: float
) -> None:
    assert signs(tiny_vault({path: text + "\n"}), question)["another time"] == value


@pytest.mark.parametrize(
    ("question", "is_missing"),
    [
        ("How late was the larch in October?", 0),
        ("How late was the larch on Wednesday?", 0),
        ("How late was the larch for Barnaby?", 1),
    ],
)
def test_months_and_days_are_no_names_that_are_missing(
    embedded_example: VaultClient, question: str, is_missing: float
) -> None:
    assert signs(embedded_example, question)["name missing"] == is_missing
