"""What questions ask for, in both languages, and what holds it."""

import pytest

from app.chat.evidence.wanted import Wanted, holds, spoken, wanted_by

QUESTIONS = {
    "How many people read the first letter?": Wanted.NUMBER,
    "how much did the sail cost": Wanted.NUMBER,
    "what is the maximum number of lines": Wanted.NUMBER,
    "Combien coûte le poêle ?": Wanted.NUMBER,
    "à quel prix est la location": Wanted.NUMBER,
    "What did the trailer cost us?": Wanted.NUMBER,
    "Quel est le numéro de téléphone du port ?": Wanted.NUMBER,
    "When was the hull painted?": Wanted.TIME,
    "In what year was he born?": Wanted.TIME,
    "the plane was first developed when?": Wanted.TIME,
    "Quand le devis a-t-il été signé ?": Wanted.TIME,
    "Depuis quand le bateau est-il à l'eau ?": Wanted.TIME,
    "Who built the boat?": Wanted.PERSON,
    "À qui a-t-on prêté la radio ?": Wanted.PERSON,
    "C'est qui notre contact à la mairie ?": Wanted.PERSON,
    "comment s'appelle la voisine ?": Wanted.PERSON,
    "Where are the spare keys?": Wanted.PLACE,
    "Où est rangée la clé ?": Wanted.PLACE,
    "in which folder do I put it": Wanted.PLACE,
    "Why did we leave the platform?": Wanted.REASON,
    "Pourquoi avoir choisi le mélèze ?": Wanted.REASON,
    "How do I restart the server?": Wanted.STEPS,
    "Comment fait-on le far breton ?": Wanted.STEPS,
    "my lists are wrong. what do I do?": Wanted.STEPS,
    "tasks calendar view": Wanted.ANYTHING,
    "la note qui parle de la serre": Wanted.ANYTHING,
    "when I tick it, the copy vanishes": Wanted.ANYTHING,
    "quand je coche la tâche, elle disparaît": Wanted.ANYTHING,
    "tea or coffee, ou du vin": Wanted.ANYTHING,
}


@pytest.mark.parametrize(("question", "wanted"), QUESTIONS.items())
def test_what_is_asked_for(question: str, wanted: Wanted) -> None:
    assert wanted_by(question) is wanted


HELD = [
    (Wanted.NUMBER, "The default is 20.", "what is the default", True),
    (Wanted.NUMBER, "We paid for letter 6.", "how much was letter 6", False),
    (Wanted.NUMBER, "Deux devis sur trois.", "combien de devis", True),
    (Wanted.TIME, "It went in on Saturday.", "when did it go in", True),
    (Wanted.TIME, "Décidé le 14 juillet.", "quand a-t-on décidé", True),
    (Wanted.TIME, "The hull is red.", "when was the hull painted", False),
    (Wanted.PERSON, "It was built by Alasdair Reid.", "who built it", True),
    (Wanted.PERSON, "Petrel was built on the shore.", "who built Petrel", False),
    (Wanted.PLACE, "Set it in `config.json`.", "where do I set it", True),
    (Wanted.REASON, "We left because of the pop-ups.", "why did we leave", True),
    (Wanted.REASON, "Parce que le gaz coûte cher.", "pourquoi l'électricité", True),
    (Wanted.STEPS, "1. Click the button.", "how do I postpone", True),
    (Wanted.STEPS, "Il faut laisser reposer la pâte.", "comment faire", True),
    (Wanted.ANYTHING, "Anything at all.", "what", False),
]


@pytest.mark.parametrize(("wanted", "text", "question", "held"), HELD)
def test_what_holds_it(wanted: Wanted, text: str, question: str, held: bool) -> None:
    assert holds(wanted, text, question) is held


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Que faut-il avant de partir ?", "Que faut avant de partir ?"),
        ("quels mots a-t-on retenus pour le roman ?", "quels mots a retenus pour le roman ?"),
        ("Où est-ce que nous la rangeons nous-mêmes ?", "Où est que nous la rangeons nous ?"),
        ("where is the add-on for the café", "where is the add-on for the café"),
        ("quand part le porte-avions ?", "quand part le porte-avions ?"),
    ],
)
def test_pronouns_that_french_joins_to_a_verb_are_left_out(question: str, said: str) -> None:
    assert spoken(question) == said
