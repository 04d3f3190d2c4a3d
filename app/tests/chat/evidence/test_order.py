"""In which order spans come, and whether they answer a question at all, with words alone and the real model."""

import pytest

from app.chat.evidence.gather import gather
from app.chat.evidence.nearness import scale_of
from app.chat.evidence.order import answer_chance, candidates_of, chance_numbers, numbers_of, ordered
from app.chat.evidence.quote import asked_of
from app.config.settings import Settings
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient


def numbers(vault: VaultClient, question: str) -> dict[str, float]:
    """What the chance of an answer rests on, and as "chance" the chance itself."""
    found = gather(vault, question)
    asked = asked_of(found)
    spans = ordered(asked, candidates_of(asked, found.evidence))
    return {**chance_numbers(asked, spans), "chance": answer_chance(asked, spans)}


@pytest.mark.parametrize(
    ("answered", "other"),
    [
        ("How late was the larch?", "How late was the helicopter?"),
        ("Quand le conduit a-t-il été ramoné ?", "Quand le saxophone a-t-il été ramoné ?"),
    ],
)
def test_a_question_is_less_likely_answered_where_its_one_word_is_missing(
    embedded_example: VaultClient, answered: str, other: str
) -> None:
    own, far = numbers(embedded_example, answered), numbers(embedded_example, other)
    assert 0 <= own["missing"] < far["missing"]
    assert far["said"] < own["said"] <= 1
    assert far["chance"] < own["chance"]


BLOOD = {
    "Ines.md": "# Ines\n\nInes sails. Her blood group is A positive.\n",
    "Hugo.md": "# Hugo\n\nHugo paints. He was born in Brest.\n",
}


def test_the_thing_of_another_person_is_no_answer(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(BLOOD)
    own, other = (numbers(vault, f"what is the blood group of {name}?") for name in ("Ines", "Hugo"))
    assert (own["name"], other["name"]) == (0, 1)
    assert own["chance"] >= Settings().ask_probability > other["chance"]


HONEY = """# Hives

The first harvest gave 14 kg of honey on 20 July 2025.

## 2023-06-30

Nine jars of honey, and two for the neighbours.
"""


@pytest.mark.parametrize(
    ("path", "text", "question", "is_other"),
    [
        ("Hives.md", HONEY, "how much honey did the harvest give in August 2025?", True),
        ("Hives.md", HONEY, "how much honey did the harvest give in July?", False),
        ("Hives.md", HONEY, "how many jars of honey for the neighbours in 2023?", False),
        ("Hives.md", HONEY, "how many jars of honey for the neighbours in 2021?", True),
        ("2025-06-02.md", "Anna leaves from 3 to 24 July.", "When does Anna leave in July?", False),
        ("2025-06-02.md", "Anna leaves.", "When did Anna leave in July 2025?", True),
        ("2025-07-02.md", "Anna leaves.", "When did Anna leave in July 2025?", False),
        ("Anna.md", "---\ndate: 2025-07-03\n---\nAnna left. In 2024 too.", "Anna left in July 2025?", False),
        ("2025-06-02.md", "Anna leaves.", "It is cold today, where is Anna?", False),
    ],
)
def test_what_is_dated_otherwise_is_of_another_time(
    tiny_vault: MakeVault, path: str, text: str, question: str, is_other: bool
) -> None:
    assert (numbers(tiny_vault({path: text + "\n"}), question)["missing"] == 1) is is_other


def test_a_word_that_a_span_and_all_above_it_lack_speaks_against_it(tiny_vault: MakeVault) -> None:
    note = "---\nowner: Ines\n---\n# Boat\n\n## Mast\n\nIt is of larch.\n\n## Hull\n\nIt is of oak.\n"
    found = gather(tiny_vault({"Boat.md": note}), "what is the mast of the boat of Ines made of?")
    asked = asked_of(found)
    spans = candidates_of(asked, found.evidence)
    lacking = {one.span.text: numbers_of(asked, one)["lacking"] for one in spans}
    assert lacking["It is of larch."] < lacking["It is of oak."]


def test_what_answers_is_nearer_in_meaning_than_what_does_not(embedded_example: VaultClient) -> None:
    meaning = asked_of(gather(embedded_example, "How much did we pay for the used sail?")).meaning
    assert meaning is not None
    answer, other = meaning.near(["The second-hand sail cost 340 euros.", "The cat sleeps on the blankets."])
    assert answer.words > other.words
    scale = scale_of(meaning.embedder)
    assert scale.tells
    assert scale.words(scale.words_apart) == pytest.approx(0)
    assert scale.words(scale.words_alike) == pytest.approx(1)
