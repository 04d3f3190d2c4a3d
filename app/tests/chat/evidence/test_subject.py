"""What questions are about, beside the kind of value they ask for."""

import pytest

from app.chat.evidence.subject import subject_of

SUBJECTS = {
    "what is the vet's phone number?": ["vet"],
    "how much was the washing machine?": ["washing", "machine"],
    "what did the battery of the car cost?": ["battery", "car"],
    "when was the rabbit vaccinated?": ["rabbit"],
    "how long does the apple pie bake?": ["apple", "pie"],
    "at what temperature does ethanol boil?": ["ethanol"],
    "when is Pavel's birthday?": ["Pavel"],
    "which hotel did we stay at in Rome?": ["Rome"],
    "what did the new door cost?": ["door"],
    "Qui a réparé le toit ?": ["toit"],
    "Combien a coûté le nouveau moteur de la Kangoo ?": ["moteur", "Kangoo"],
    "Quel est le numéro de téléphone du chauffagiste ?": ["chauffagiste"],
    "Quel jour la dentiste reçoit-elle ?": ["dentiste", "reçoit"],
    "Quels vaccins faut-il avant de partir au Kenya ?": ["Kenya"],
    "someone is in trouble on the water, who do I call?": [],
    "la planche du bateau, la fente fait quelle longueur ?": ["fente", "fait"],
    "what is the phone number of Dr. Smith?": ["Dr", "Smith"],
    "what is the wifi password at St. Mary?": ["wifi", "St", "Mary"],
    "what is the phone number of Anna's dentist?": ["Anna", "dentist"],
    "what did Petrel's trailer cost us?": ["Petrel", "trailer"],
    "how much did the rabbit's hutch cost?": ["rabbit", "hutch"],
    "what's the number of the plumber?": ["plumber"],
    "When we went to Lisbon, how much did the hotel cost?": ["hotel"],
    "Quand nous étions à Lisbonne, combien a coûté l'hôtel ?": ["hôtel"],
    "Combien de temps dure le trajet jusqu'à Lyon ?": ["trajet", "Lyon"],
    "how do I restart?": [],
    "": [],
}


@pytest.mark.parametrize(("question", "words"), SUBJECTS.items())
def test_what_a_question_is_about(question: str, words: list[str]) -> None:
    assert [question[one.start : one.end] for one in subject_of(question)] == words


@pytest.mark.parametrize(
    ("question", "head"),
    [("what did the winter tyres cost?", "tyres"), ("combien pèse le pneu neige ?", "pneu")],
)
def test_the_word_that_names_a_thing_counts_most(question: str, head: str) -> None:
    shares = {question[one.start : one.end]: one.share for one in subject_of(question)}
    assert [word for word, share in shares.items() if share == 1] == [head]


def test_names_are_known_by_how_they_are_written() -> None:
    question = "What does Hélène pay for the boat?"
    assert {question[one.start : one.end]: one.is_name for one in subject_of(question)} == {
        "Hélène": True,
        "boat": False,
    }
