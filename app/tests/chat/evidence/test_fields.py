"""Which properties a question asks for, in both languages."""

import pytest

from app.chat.evidence.fields import words_asking
from app.chat.evidence.gather import gather
from app.chat.evidence.quote import read
from app.tests.conftest import MakeVault


@pytest.mark.parametrize(
    ("question", "name", "words"),
    [
        ("what is the boat's status?", "status", {"status"}),
        ("What is our account number with Ines?", "account number", {"account", "number"}),
        ("When was Ines born?", "birthday", {"born"}),
        ("Quand est née Inès ?", "birthday", {"nee"}),
        ("Where does Ines live?", "ville", {"live"}),
        ("Who does Ines report to?", "manager", set()),
        ("Qui est le chef du chantier ?", "responsable", {"chef"}),
        ("What does Ines do for a living?", "job", {"for", "a", "living"}),
        ("When was Ines born?", "start date", set()),
        ("Who painted the hull?", "manager", set()),
    ],
)
def test_the_words_of_a_question_ask_for_what_a_field_is_called(
    question: str, name: str, words: set[str]
) -> None:
    assert words_asking(question, name) == words


NOTES = {
    "Ines.md": "---\nbirthday: 1987-03-12\nmanager: Hugo\n---\n# Ines\n\nInes paints hulls in March and April.\n",
    "Hugo.md": "---\nbirthday: 1975-10-01\ncity: Brest\n---\n# Hugo\n\nHugo sails in May with Ines.\n",
}


@pytest.mark.parametrize(
    ("question", "quotation"),
    [
        ("When was Ines born?", "birthday: 1987-03-12"),
        ("When was Hugo born?", "birthday: 1975-10-01"),
        ("Who is the boss of Ines?", "manager: Hugo"),
        ("Where does Hugo live?", "city: Brest"),
    ],
)
def test_the_property_of_whom_the_question_names_is_quoted_first(
    tiny_vault: MakeVault, question: str, quotation: str
) -> None:
    vault = tiny_vault(NOTES)
    assert read(gather(vault, question)).quoted[0].claim.quotation == quotation
