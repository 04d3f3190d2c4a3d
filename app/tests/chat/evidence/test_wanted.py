"""What questions ask for, in both languages, and what holds it."""

import pytest

from app.chat.evidence.wanted import Wanted, focus_of, spoken, wanted_by

QUESTIONS = {
    "How many people read the first letter?": Wanted.NUMBER,
    "how much did the sail cost": Wanted.MONEY,
    "what is the maximum number of lines": Wanted.NUMBER,
    "Combien coûte le poêle ?": Wanted.MONEY,
    "à quel prix est la location": Wanted.MONEY,
    "What did the trailer cost us?": Wanted.MONEY,
    "Quel est le numéro de téléphone du port ?": Wanted.TELEPHONE,
    "what salary does the archive pay": Wanted.MONEY,
    "How old is the captain?": Wanted.AGE,
    "Quel âge a la voisine ?": Wanted.AGE,
    "what is the captain's phone number?": Wanted.TELEPHONE,
    "what's the plumber's number?": Wanted.TELEPHONE,
    "what is the email address of the harbour office?": Wanted.EMAIL,
    "quelle est l'adresse mail du syndic ?": Wanted.EMAIL,
    "what is the captain's address?": Wanted.ADDRESS,
    "quelle est l'adresse du notaire ?": Wanted.ADDRESS,
    "what colour is the hull?": Wanted.COLOUR,
    "De quelle couleur est la coque ?": Wanted.COLOUR,
    "how long does the crossing take?": Wanted.DURATION,
    "Combien de temps dure la traversée ?": Wanted.DURATION,
    "How far is it to the lighthouse?": Wanted.DISTANCE,
    "what does the anchor weigh?": Wanted.WEIGHT,
    "at what temperature does it boil": Wanted.TEMPERATURE,
    "À quelle heure part le car ?": Wanted.CLOCK,
    "which function computes how long the joint is": Wanted.ANYTHING,
    "When was the hull painted?": Wanted.TIME,
    "In what year was he born?": Wanted.YEAR,
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
    "how much of the money is left?": Wanted.MONEY,
    "Quelle somme la ville a-t-elle versée ?": Wanted.MONEY,
    "ça nous coûte combien par mois ?": Wanted.MONEY,
    "à combien s'élève la cotisation ?": Wanted.MONEY,
    "what's the deposit for the hall?": Wanted.MONEY,
    "how long is the plank?": Wanted.EXTENT,
    "how often is the cat fed?": Wanted.FREQUENCY,
    "combien de fois par an ramone-t-on ?": Wanted.FREQUENCY,
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


FOCUSES = {
    "which school did the skipper go to?": "school",
    "what salary does the archive pay": "salary",
    "what is the name of the skipper's dog?": "dog",
    "what does the skipper's wife do?": "wife",
    "who is our optician?": "optician",
    "how many broad beans did we pick": "beans",
    "what is the capital of Australia?": "capital",
    "Quel vin boit-on avec la soupe ?": "vin",
    "de quelle marque est le poêle ?": "marque",
    "combien d'ardoises faut-il ?": "ardoises",
    "quelle est la capitale de l'Australie ?": "capitale",
    "comment s'appelle la maîtresse ?": "maitresse",
    "what happened to the tomatoes?": "",
    "how many people came?": "",
    "what is the best time to ring?": "",
    "where is the router?": "",
    "tasks calendar view": "",
}


@pytest.mark.parametrize("question", FOCUSES)
def test_what_a_question_names(question: str) -> None:
    assert focus_of(question) == FOCUSES[question]
