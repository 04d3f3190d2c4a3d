"""Whether a text holds a thing of the kind that is asked for."""

import pytest

from app.chat.evidence.answer_type import AnswerType
from app.chat.evidence.answer_values import holds_answer

HELD = [
    (AnswerType.NUMBER, "The default is 20.", "what is the default", True),
    (AnswerType.NUMBER, "We paid for letter 6.", "how much was letter 6", False),
    (AnswerType.NUMBER, "Deux devis sur trois.", "combien de devis", True),
    (AnswerType.MONEY, "We paid £9,400 for it.", "what did it cost", True),
    (AnswerType.MONEY, "Un poêle à 4 350 €, posé.", "combien coûte le poêle", True),
    (AnswerType.MONEY, "Forty nails, two of them bent.", "what did the nails cost", False),
    (AnswerType.MONEY, "Marta has Fridays free.", "what does Marta earn", False),
    (AnswerType.MONEY, "€ 640 for the bike.", "what did the 640 euro bike cost", False),
    (AnswerType.MONEY, "Ils en veulent quatre-vingt-dix balles.", "combien coûte la selle", True),
    (AnswerType.MONEY, "The section gets 2.4k dollars a year.", "what is the budget", True),
    (AnswerType.PERCENTAGE, "Fixed at 1.85 pct until the end.", "what is the rate", True),
    (AnswerType.WEIGHT, "Compter sept cents grammes de sucre.", "combien de grammes", True),
    (AnswerType.WEIGHT, "It comes in at two hundredweight.", "how heavy is the kiln", True),
    (AnswerType.EXTENT, "Canapé L 2m10 x P 0,95", "le canapé fait combien de large", True),
    (AnswerType.EXTENT, "Oscar on the door frame: 4'2\" in January.", "how tall is Oscar", True),
    (AnswerType.DISTANCE, "A mile and a quarter down the lane.", "how far is the beach", True),
    (AnswerType.DURATION, "Une bonne heure au four.", "combien de temps", True),
    (AnswerType.DURATION, "The best part of half a day.", "how long is the crossing", True),
    (AnswerType.DURATION, "Take one 3 times a day.", "how long do I take them", False),
    (AnswerType.FREQUENCY, "Blue pill 2x/day with food.", "how often", True),
    (AnswerType.FREQUENCY, "Arroser matin et soir.", "tous les combien", True),
    (AnswerType.TEMPERATURE, "Gas mark 4, middle shelf.", "how hot is the oven", True),
    (AnswerType.AGE, "Her little brother Finn, 7, is allergic to nuts.", "how old is Finn", True),
    (AnswerType.AGE, "He left Cork at nineteen.", "how old was he", True),
    (AnswerType.AGE, "The pool opens at 10 am.", "how old is the pool", False),
    (AnswerType.AGE, "We meet at 5 tomorrow, at once.", "how old is he", False),
    (AnswerType.EMAIL, "_@_", "what is his email", False),
    (AnswerType.EMAIL, "Look at README.md first.", "what is his email", False),
    (AnswerType.WEBSITE, "It runs on node.js/express.", "what is the website", False),
    (AnswerType.DURATION, "We need a second opinion.", "how long does it take", False),
    (AnswerType.COLOUR, "Salmon for dinner, with mint.", "what colour is the door", False),
    (AnswerType.TELEPHONE, "Plumber: no. 020 7946 0018", "what is his number", True),
    (AnswerType.YEAR, "Bought second-hand in '09.", "what year", True),
    (AnswerType.YEAR, "Bâtie en mil neuf cent trente-deux.", "quelle année", True),
    (AnswerType.YEAR, "We drove 1998 km around Norway.", "what year", False),
    (AnswerType.TELEPHONE, "Membership no. 10048217, at reception.", "what is their number", False),
    (AnswerType.TELEPHONE, "Mutuelle : contrat n° 75 20 14 803", "à quel numéro la joindre", False),
    (AnswerType.TELEPHONE, "At sea the number is 196.", "who do I call", True),
    (AnswerType.CONTACT, "Fuite : appeler Marc Dubois.", "qui appeler pour une fuite", True),
    (AnswerType.CONTACT, "At sea the number is 196.", "who do I call at sea", True),
    (AnswerType.CONTACT, "The boiler leaks again.", "who do I call if the boiler leaks", False),
    (AnswerType.EMAIL, "j_moss (at) mossandco.example", "what is her email", True),
    (AnswerType.WEBSITE, "docs.caisse.example/v2/index.html", "lien vers la doc", True),
    (AnswerType.ADDRESS, "Back to PO Box 118, Swindon.", "what is the address", True),
    (AnswerType.COLOUR, "Garage door RAL 7016, satin.", "what colour is the door", True),
    (AnswerType.BIRTH, "Nadia – bday 3rd Sept, likes gin.", "when is Nadia's birthday", True),
    (AnswerType.PERCENTAGE, "A deposit of 20 %.", "what percentage", True),
    (AnswerType.WEIGHT, "La presse fait soixante kilos.", "combien pèse la presse", True),
    (AnswerType.WEIGHT, "The press is 60 centimetres wide.", "what does the press weigh", False),
    (AnswerType.DISTANCE, "Forty minutes across the sand.", "how far is the islet", True),
    (AnswerType.DURATION, "Quarante minutes à feu doux.", "combien de temps", True),
    (AnswerType.DURATION, "Le mur fait 2,10 m.", "pour quelle durée", False),
    (AnswerType.EXTENT, "Le mur fait 2,10 m.", "how long is the wall", True),
    (AnswerType.NUMBER, "Une presse, un peu lourde.", "combien de presses", False),
    (AnswerType.FREQUENCY, "Fed twice a day.", "how often is she fed", True),
    (AnswerType.FREQUENCY, "Vermifuge tous les trois mois.", "tous les combien", True),
    (AnswerType.FREQUENCY, "She eats fish.", "how often is she fed", False),
    (AnswerType.TEMPERATURE, "Gratiner à 220 °C.", "à quelle température", True),
    (AnswerType.AGE, "They turn nine in June.", "how old are they", True),
    (AnswerType.AGE, "Il a quarante ans.", "quel âge a-t-il", True),
    (AnswerType.AGE, "Built in Ullapool in 1961.", "how old is the boat", True),
    (AnswerType.AGE, "She taught chemistry until 2012.", "how old is she", False),
    (AnswerType.AGE, "The warranty ran for seven years.", "how old is he", False),
    (AnswerType.CLOCK, "Rehearsals at half past seven.", "what time", True),
    (AnswerType.CLOCK, "Fermé à midi.", "à quelle heure", True),
    (AnswerType.CLOCK, "Closed on Tuesdays.", "what time does it close", False),
    (AnswerType.YEAR, "Tubé en 1994.", "de quelle année", True),
    (AnswerType.TELEPHONE, "phone: 01584 555 019", "what is her number", True),
    (AnswerType.TELEPHONE, "Call 196 from a telephone.", "who do I call", True),
    (AnswerType.TELEPHONE, "Signed on 2025-07-14.", "what is her number", False),
    (AnswerType.EMAIL, "Write to nora@example.org.", "what is her email", True),
    (AnswerType.EMAIL, "She answers e-mails at night.", "what is her email", False),
    (AnswerType.WEBSITE, "See https://example.org for more.", "what is their website", True),
    (AnswerType.ADDRESS, "12, rue du Bœuf, au fond.", "quelle est l'adresse", True),
    (AnswerType.ADDRESS, "She lives above the bakery.", "what is her address", False),
    (AnswerType.COLOUR, "Front door: Studio Green.", "what colour is the door", True),
    (AnswerType.COLOUR, "The colour was never settled.", "what colour is the door", False),
    (AnswerType.TIME, "It went in on Saturday.", "when did it go in", True),
    (AnswerType.TIME, "Décidé le 14 juillet.", "quand a-t-on décidé", True),
    (AnswerType.TIME, "The hull is red.", "when was the hull painted", False),
    (AnswerType.TIME, "The boat has an inside again.", "when was it launched", False),
    (AnswerType.TIME, "Le bateau a été repeint par Erwan.", "quand sera-t-il lancé", False),
    (AnswerType.TIME, "You may use the key.", "when was it cut", False),
    (AnswerType.TIME, "It was cut in May.", "when was it cut", True),
    (AnswerType.TIME, "On le lance en été.", "quand sera-t-il lancé", True),
    (AnswerType.TIME, "Il a été lancé l’été dernier.", "quand a-t-il été repeint", True),
    (AnswerType.TIME, "C'était il y a un an.", "quand sera-t-il lancé", True),
    (AnswerType.BIRTH, "Paul Riou, né à Brest le 3 mars 1951.", "quand est né Paul", True),
    (AnswerType.BIRTH, "He ran the light from 1970 on.", "when was he born", False),
    (AnswerType.BIRTH, "Paul ne vient que le 3 mars.", "quand est né Paul", False),
    (AnswerType.PERSON, "It was built by Alasdair Reid.", "who built it", True),
    (AnswerType.PERSON, "Petrel was built on the shore.", "who built Petrel", False),
    (AnswerType.PERSON, "The hedge is cut in September.", "who cuts the hedge", False),
    (AnswerType.PLACE, "Set it in `config.json`.", "where do I set it", True),
    (AnswerType.REASON, "We left because of the pop-ups.", "why did we leave", True),
    (AnswerType.REASON, "Parce que le gaz coûte cher.", "pourquoi l'électricité", True),
    (AnswerType.STEPS, "1. Click the button.", "how do I postpone", True),
    (AnswerType.STEPS, "Il faut laisser reposer la pâte.", "comment faire", True),
    (AnswerType.ANYTHING, "Anything at all.", "what", False),
]


@pytest.mark.parametrize(("answer_type", "text", "question", "held"), HELD)
def test_what_holds_it(answer_type: AnswerType, text: str, question: str, held: bool) -> None:
    assert holds_answer(answer_type, text, question) is held


def test_a_number_below_a_price_is_a_price() -> None:
    assert holds_answer(AnswerType.MONEY, "| MOT | 407 |", "what did it cost", "| Work | Cost |")
    assert not holds_answer(AnswerType.MONEY, "| MOT | 407 |", "what did it cost", "| Work | Page |")


def test_a_date_below_a_heading_of_birthdays_is_one() -> None:
    assert holds_answer(AnswerType.BIRTH, "Anna: 3 May", "when was Anna born", "Birthdays")
    assert not holds_answer(AnswerType.BIRTH, "Anna: 3 May", "when was Anna born", "Visits")
