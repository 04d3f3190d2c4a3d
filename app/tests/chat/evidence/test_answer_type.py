"""What questions ask for, in both languages, and what holds it."""

import pytest

from app.chat.evidence.answer_type import VALUES, AnswerType, answer_type_of, spoken
from app.chat.evidence.focus import focus_of

QUESTIONS = {
    "How many people read the first letter?": AnswerType.NUMBER,
    "how much did the sail cost": AnswerType.MONEY,
    "what is the maximum number of lines": AnswerType.NUMBER,
    "Combien coûte le poêle ?": AnswerType.MONEY,
    "à quel prix est la location": AnswerType.MONEY,
    "What did the trailer cost us?": AnswerType.MONEY,
    "Quel est le numéro de téléphone du port ?": AnswerType.TELEPHONE,
    "what salary does the archive pay": AnswerType.MONEY,
    "How old is the captain?": AnswerType.AGE,
    "Quel âge a la voisine ?": AnswerType.AGE,
    "what is the captain's phone number?": AnswerType.TELEPHONE,
    "what's the plumber's number?": AnswerType.TELEPHONE,
    "how can I reach the pilot by phone?": AnswerType.TELEPHONE,
    "comment joindre le pilote par téléphone ?": AnswerType.TELEPHONE,
    "how do I call a function?": AnswerType.STEPS,
    "what is the email address of the harbour office?": AnswerType.EMAIL,
    "quelle est l'adresse mail du syndic ?": AnswerType.EMAIL,
    "what is the captain's address?": AnswerType.ADDRESS,
    "quelle est l'adresse du notaire ?": AnswerType.ADDRESS,
    "what colour is the hull?": AnswerType.COLOUR,
    "De quelle couleur est la coque ?": AnswerType.COLOUR,
    "how long does the crossing take?": AnswerType.DURATION,
    "Combien de temps dure la traversée ?": AnswerType.DURATION,
    "How far is it to the lighthouse?": AnswerType.DISTANCE,
    "what does the anchor weigh?": AnswerType.WEIGHT,
    "at what temperature does it boil": AnswerType.TEMPERATURE,
    "À quelle heure part le car ?": AnswerType.CLOCK,
    "which function computes how long the joint is": AnswerType.ANYTHING,
    "When was the hull painted?": AnswerType.TIME,
    "In what year was he born?": AnswerType.BIRTH,
    "In what year was it built?": AnswerType.YEAR,
    "Quand est né Paul ?": AnswerType.BIRTH,
    "Inès est née quand ?": AnswerType.BIRTH,
    "c'est quand l'anniversaire de Callum ?": AnswerType.BIRTH,
    "when was the birthday party moved to?": AnswerType.TIME,
    "Quand est-ce que le bac ne part pas ?": AnswerType.TIME,
    "the plane was first developed when?": AnswerType.TIME,
    "Quand le devis a-t-il été signé ?": AnswerType.TIME,
    "Depuis quand le bateau est-il à l'eau ?": AnswerType.TIME,
    "Who built the boat?": AnswerType.PERSON,
    "À qui a-t-on prêté la radio ?": AnswerType.PERSON,
    "C'est qui notre contact à la mairie ?": AnswerType.PERSON,
    "comment s'appelle la voisine ?": AnswerType.PERSON,
    "Where are the spare keys?": AnswerType.PLACE,
    "Où est rangée la clé ?": AnswerType.PLACE,
    "Où habite la voisine ?": AnswerType.PLACE,
    "c'est quand la fête du port ?": AnswerType.TIME,
    "What is the lead time of the timber?": AnswerType.DURATION,
    "in which folder do I put it": AnswerType.PLACE,
    "Why did we leave the platform?": AnswerType.REASON,
    "Pourquoi avoir choisi le mélèze ?": AnswerType.REASON,
    "how much of the money is left?": AnswerType.MONEY,
    "combien d'argent nous reste-t-il ?": AnswerType.MONEY,
    "Quelle somme la ville a-t-elle versée ?": AnswerType.MONEY,
    "ça nous coûte combien par mois ?": AnswerType.MONEY,
    "à combien s'élève la cotisation ?": AnswerType.MONEY,
    "what's the deposit for the hall?": AnswerType.MONEY,
    "how long is the plank?": AnswerType.EXTENT,
    "how often is the cat fed?": AnswerType.FREQUENCY,
    "combien de fois par an ramone-t-on ?": AnswerType.FREQUENCY,
    "How do I restart the server?": AnswerType.STEPS,
    "Comment fait-on le far breton ?": AnswerType.STEPS,
    "my lists are wrong. what do I do?": AnswerType.STEPS,
    "tasks calendar view": AnswerType.ANYTHING,
    "la note qui parle de la serre": AnswerType.ANYTHING,
    "when I tick it, the copy vanishes": AnswerType.ANYTHING,
    "quand je coche la tâche, elle disparaît": AnswerType.ANYTHING,
    "tea or coffee, ou du vin": AnswerType.ANYTHING,
}


@pytest.mark.parametrize(("question", "answer_type"), QUESTIONS.items())
def test_what_is_asked_for(question: str, answer_type: AnswerType) -> None:
    assert answer_type_of(question) is answer_type


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
    "Quelle est la maison où il habite ?": "maison",
}


@pytest.mark.parametrize("question", FOCUSES)
def test_what_a_question_names(question: str) -> None:
    assert focus_of(question) == FOCUSES[question]


LED_TO = {
    "do you know what the boiler cost?": AnswerType.MONEY,
    "chimney sweep price": AnswerType.MONEY,
    "tarif licence judo enfant": AnswerType.MONEY,
    "I'd like to know how much the roof came to": AnswerType.MONEY,
    "je voudrais savoir combien on a mis de côté": AnswerType.MONEY,
    "c'est quoi le prix du couvreur ?": AnswerType.MONEY,
    "price and colour of the sail": AnswerType.ANYTHING,
    "boiler engineer phone number": AnswerType.TELEPHONE,
    "c'est quoi le numéro de téléphone du plombier ?": AnswerType.TELEPHONE,
    "which number do I call to cancel?": AnswerType.TELEPHONE,
    "who do I ring if the alarm goes off?": AnswerType.CONTACT,
    "qui appeler si ça sent le gaz ?": AnswerType.CONTACT,
    "email address accountant": AnswerType.EMAIL,
    "url of the staging server": AnswerType.WEBSITE,
    "what is the link between tides and the moon?": AnswerType.ANYTHING,
    "address new dentist": AnswerType.ADDRESS,
    "couleur du fil de terre": AnswerType.COLOUR,
    "minimum age climbing wall": AnswerType.AGE,
    "opening hours swimming pool": AnswerType.CLOCK,
    "how early does the choir start?": AnswerType.CLOCK,
    "How late was the larch?": AnswerType.ANYTHING,
    "how tall is Oscar": AnswerType.EXTENT,
    "length of the warranty": AnswerType.EXTENT,
    "durée du préavis": AnswerType.DURATION,
    "how much notice do we have to give?": AnswerType.DURATION,
    "il pèse combien, le four ?": AnswerType.WEIGHT,
    "combien de sucre pour la confiture ?": AnswerType.NUMBER,
    "de combien le loyer a augmenté en pourcentage ?": AnswerType.PERCENTAGE,
    "how regularly do I do the exercises?": AnswerType.FREQUENCY,
    "anniversaire belle-maman": AnswerType.BIRTH,
    "birthday present ideas": AnswerType.ANYTHING,
    "la date de leur anniversaire de mariage": AnswerType.TIME,
    "année de construction de la maison": AnswerType.YEAR,
    "do you know when we last bled the radiators?": AnswerType.TIME,
    "deadline tax return": AnswerType.TIME,
    "Le double des clés, tu l'as mis où ?": AnswerType.PLACE,
    "la maison où il habite": AnswerType.ANYTHING,
    "what made us drop the cache?": AnswerType.REASON,
    "comment ça se fait que le loyer ait augmenté ?": AnswerType.REASON,
    "marche à suivre renouvellement passeport": AnswerType.STEPS,
}


NO_VALUE = (
    "what phone does Marie recommend?",
    "quel portable as-tu acheté ?",
    "what did I say in the email to Paul?",
    "retrouve-moi le mail de Paul",
    "which websites does the course recommend?",
    "what language is the website written in?",
    "which site did we choose for the wedding?",
    "what is the temp folder used for?",
    "what is the cost function of the model?",
    "what was the budget meeting about?",
    "what is the mobile strategy for next year?",
    "the number of people who call support",
    "how high is the risk of the refactoring?",
    "what happens when the rent is late?",
    "what is the reason for the price?",
    "colour theory notes",
    "weight training plan",
    "frequency response of the amp",
    "I need a phone",
)
"""Questions with the words of a kind of value that ask for none: an answer without one is right."""


@pytest.mark.parametrize("question", NO_VALUE)
def test_what_asks_for_no_value(question: str) -> None:
    assert answer_type_of(question) not in VALUES


@pytest.mark.parametrize(("question", "answer_type"), LED_TO.items())
def test_what_is_led_to_or_only_named(question: str, answer_type: AnswerType) -> None:
    assert answer_type_of(question) is answer_type
