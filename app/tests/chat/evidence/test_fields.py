"""Which properties a question asks for, in both languages."""

import pytest

from app.chat.evidence.answer_type import AnswerType, answer_type_of
from app.chat.evidence.fields import asks_for, fields_of, is_such, words_asking
from app.chat.evidence.gather import gather
from app.chat.evidence.reader import read
from app.tests.conftest import MakeVault


@pytest.mark.parametrize(
    ("question", "name", "words"),
    [
        ("When was Ines born?", "birthday", {"born"}),
        ("Quand est née Inès ?", "né le", {"est", "nee"}),
        ("Where does Ines live?", "ville", {"live"}),
        ("Who does Ines report to?", "manager", {"report", "to"}),
        ("Qui est le chef du chantier ?", "responsable", {"chef"}),
        ("What does Ines do for a living?", "job", {"for", "a", "living"}),
        ("When does the lease run out?", "lease end", {"run", "out"}),
        ("Pourquoi ne pas prendre le four ?", "né le", set()),
        ("When was Ines born?", "start date", set()),
        ("Who painted the hull?", "manager", set()),
    ],
)
def test_the_words_of_a_question_ask_for_what_a_field_is_called(
    question: str, name: str, words: set[str]
) -> None:
    assert words_asking(list(fields_of(question)), name) == words


@pytest.mark.parametrize(
    ("answer_type", "value", "expected"),
    [
        (AnswerType.TIME, "1987-03-12", True),
        (AnswerType.TIME, "soon", False),
        (AnswerType.AGE, "1987-03-12", True),
        (AnswerType.PLACE, "Nantes", True),
        (AnswerType.PLACE, "1987-03-12", False),
        (AnswerType.MONEY, "41,000 €", True),
        (AnswerType.MONEY, "painter", False),
        (AnswerType.REASON, "painter", False),
        (AnswerType.ANYTHING, "hull", False),
    ],
)
def test_a_value_is_of_the_kind_asked_for_and_not_said_already(
    answer_type: AnswerType, value: str, expected: bool
) -> None:
    assert is_such(answer_type, value, "Ines and the hull?", "field") is expected


@pytest.mark.parametrize(
    ("question", "name", "expected"),
    [
        ("What is our account number with Ines?", "account number", True),
        ("what is the boat's status?", "status", True),
        ("De quelle race est le chat ?", "race", True),
        ("Who is the client?", "client", True),
        ("What did the client say of the deadline?", "client", False),
        ("Who told the client?", "client", False),
        ("À qui l'ai-je emprunté ?", "emprunté à", True),
    ],
)
def test_a_name_that_stands_in_a_question_is_asked_for_by_what_stands_before_it(
    question: str, name: str, expected: bool
) -> None:
    telling = [word for word in name.split() if len(word) > 1]
    assert asks_for(answer_type_of(question), question, name, telling) is expected


NOTES = {
    "Ines.md": "---\nbirthday: 1987-03-12\nmanager: Hugo\n---\n# Ines\n\nInes paints hulls in March and April.\n",
    "Hugo.md": "---\nbirthday: 1975-10-01\ncity: Brest\n---\n# Hugo\n\nHugo sails in May with Ines.\n",
}


@pytest.mark.parametrize(
    ("question", "quotation"),
    [
        ("When was Ines born?", "birthday: 1987-03-12"),
        ("When was Hugo born?", "birthday: 1975-10-01"),
        ("Who does Ines report to?", "manager: Hugo"),
        ("Where does Hugo live?", "city: Brest"),
    ],
)
def test_the_property_of_whom_the_question_names_is_quoted_first(
    tiny_vault: MakeVault, question: str, quotation: str
) -> None:
    vault = tiny_vault(NOTES)
    assert read(gather(vault, question)).quoted[0].claim.quotation == quotation


@pytest.mark.parametrize(
    ("question", "quotation"),
    [("what is the budget of the shed?", "budget: 900 €"), ("what did the shed cost?", "cost: 1,240 €")],
)
def test_a_property_that_is_named_is_not_crowded_out_by_another_of_its_kind(
    tiny_vault: MakeVault, question: str, quotation: str
) -> None:
    vault = tiny_vault({"Shed.md": "---\ncost: 1,240 €\nbudget: 900 €\n---\n# Shed\n\nA roof and a door.\n"})
    quoted = [one.claim.quotation for one in read(gather(vault, question)).quoted]
    assert quoted[0] == quotation
    assert not {"cost: 1,240 €", "budget: 900 €"} <= set(quoted)
