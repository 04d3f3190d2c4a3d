"""The questions that one text asks, taken apart."""

import pytest

from app.chat.evidence.questions import questions_in

SEVERAL = {
    "How late was the larch, and when was the boat launched?": [
        "How late was the larch?",
        "when was the boat launched?",
    ],
    "Who is Erwan Maout and what did he sell us?": [
        "Who is Erwan Maout?",
        "what did he sell us, Erwan Maout?",
    ],
    "What does the boat cost and who pays for it?": ["What does the boat cost?", "who pays for it, boat?"],
    "Where is the key? Who has the spare one?": ["Where is the key?", "Who has the spare one, key?"],
    "Who came, and when?": ["Who came?", "when came?"],
    "What happened in Lisbon, who was there and what did we eat?": [
        "What happened in Lisbon?",
        "who was there, Lisbon?",
        "what did we eat, Lisbon?",
    ],
    "Où et quand a eu lieu la réunion ?": ["Où a eu lieu la réunion?", "quand a eu lieu la réunion?"],
    "À qui ai-je prêté la perceuse et depuis quand ?": [
        "À qui ai-je prêté la perceuse?",
        "depuis quand ai-je prêté la perceuse?",
    ],
    "Qui est Hélène et quel est son numéro de téléphone ?": [
        "Qui est Hélène?",
        "quel est son numéro de téléphone, Hélène?",
    ],
    "Quand le bateau a-t-il été lancé, et qui était là ?": [
        "Quand le bateau a-t-il été lancé?",
        "qui était là, bateau lancé?",
    ],
}
ONE = [
    "What is the wifi password?",
    "what is the price of the sail and the colour of the hull",
    "The man who built the boat and who lives in Brest",
    "Quel est le menuisier qui a fait la table et qui habite à Brest ?",
    "What do I do if it rains and when the wind blows?",
    "Quand je coche la tâche et quand elle disparaît, que faire ?",
    "Which notes mention Ann and where she lives?",
    "larch and oak",
    "Who? What? When? Where?",
    f"{'It was a long day. ' * 20}Who came, and when?",
    "",
]


@pytest.mark.parametrize("text", SEVERAL)
def test_each_question_of_a_text_can_be_asked_alone(text: str) -> None:
    assert [one.asked for one in questions_in(text)] == SEVERAL[text]


@pytest.mark.parametrize("text", ONE)
def test_one_question_stays_as_it_is(text: str) -> None:
    assert [(one.typed, one.asked) for one in questions_in(text)] == [(text, text)]


def test_a_question_is_named_as_it_was_typed() -> None:
    assert [one.typed for one in questions_in("Who is Ann, and where does she live?")] == [
        "Who is Ann",
        "where does she live",
    ]
