"""Whether a text holds a thing of the kind that is asked for."""

import pytest

from app.chat.evidence.held import holds
from app.chat.evidence.wanted import Wanted

HELD = [
    (Wanted.NUMBER, "The default is 20.", "what is the default", True),
    (Wanted.NUMBER, "We paid for letter 6.", "how much was letter 6", False),
    (Wanted.NUMBER, "Deux devis sur trois.", "combien de devis", True),
    (Wanted.MONEY, "We paid £9,400 for it.", "what did it cost", True),
    (Wanted.MONEY, "Un poêle à 4 350 €, posé.", "combien coûte le poêle", True),
    (Wanted.MONEY, "Forty nails, two of them bent.", "what did the nails cost", False),
    (Wanted.MONEY, "Marta has Fridays free.", "what does Marta earn", False),
    (Wanted.PERCENTAGE, "A deposit of 20 %.", "what percentage", True),
    (Wanted.WEIGHT, "La presse fait soixante kilos.", "combien pèse la presse", True),
    (Wanted.WEIGHT, "The press is 60 centimetres wide.", "what does the press weigh", False),
    (Wanted.DISTANCE, "Forty minutes across the sand.", "how far is the islet", True),
    (Wanted.DURATION, "Quarante minutes à feu doux.", "combien de temps", True),
    (Wanted.DURATION, "Le mur fait 2,10 m.", "pour quelle durée", False),
    (Wanted.EXTENT, "Le mur fait 2,10 m.", "how long is the wall", True),
    (Wanted.NUMBER, "Une presse, un peu lourde.", "combien de presses", False),
    (Wanted.FREQUENCY, "Fed twice a day.", "how often is she fed", True),
    (Wanted.FREQUENCY, "Vermifuge tous les trois mois.", "tous les combien", True),
    (Wanted.FREQUENCY, "She eats fish.", "how often is she fed", False),
    (Wanted.TEMPERATURE, "Gratiner à 220 °C.", "à quelle température", True),
    (Wanted.AGE, "They turn nine in June.", "how old are they", True),
    (Wanted.AGE, "Il a quarante ans.", "quel âge a-t-il", True),
    (Wanted.AGE, "Built in Ullapool in 1961.", "how old is the boat", True),
    (Wanted.AGE, "She taught chemistry until 2012.", "how old is she", False),
    (Wanted.AGE, "The warranty ran for seven years.", "how old is he", False),
    (Wanted.CLOCK, "Rehearsals at half past seven.", "what time", True),
    (Wanted.CLOCK, "Fermé à midi.", "à quelle heure", True),
    (Wanted.CLOCK, "Closed on Tuesdays.", "what time does it close", False),
    (Wanted.YEAR, "Tubé en 1994.", "de quelle année", True),
    (Wanted.TELEPHONE, "phone: 01584 555 019", "what is her number", True),
    (Wanted.TELEPHONE, "Call 196 from a telephone.", "who do I call", True),
    (Wanted.TELEPHONE, "Signed on 2025-07-14.", "what is her number", False),
    (Wanted.EMAIL, "Write to nora@example.org.", "what is her email", True),
    (Wanted.EMAIL, "She answers e-mails at night.", "what is her email", False),
    (Wanted.WEBSITE, "See https://example.org for more.", "what is their website", True),
    (Wanted.ADDRESS, "12, rue du Bœuf, au fond.", "quelle est l'adresse", True),
    (Wanted.ADDRESS, "She lives above the bakery.", "what is her address", False),
    (Wanted.COLOUR, "Front door: Studio Green.", "what colour is the door", True),
    (Wanted.COLOUR, "The colour was never settled.", "what colour is the door", False),
    (Wanted.TIME, "It went in on Saturday.", "when did it go in", True),
    (Wanted.TIME, "Décidé le 14 juillet.", "quand a-t-on décidé", True),
    (Wanted.TIME, "The hull is red.", "when was the hull painted", False),
    (Wanted.PERSON, "It was built by Alasdair Reid.", "who built it", True),
    (Wanted.PERSON, "Petrel was built on the shore.", "who built Petrel", False),
    (Wanted.PERSON, "The hedge is cut in September.", "who cuts the hedge", False),
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


def test_a_number_below_a_price_is_a_price() -> None:
    assert holds(Wanted.MONEY, "| MOT | 407 |", "what did it cost", "| Work | Cost |")
    assert not holds(Wanted.MONEY, "| MOT | 407 |", "what did it cost", "| Work | Page |")
