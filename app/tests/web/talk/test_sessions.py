"""Who answers what is said."""

import pytest

from app.web.talk.sessions import Session


@pytest.mark.parametrize(
    ("said", "is_first", "offline", "by_model"),
    [
        ("When was the boat launched?", True, "ask", "ask"),
        ("When was the boat launched?", False, "ask", "chat"),
        ("the larch", True, "ask", "chat"),
        ("Quand le bateau a-t-il été lancé ?", True, "ask", "ask"),
        ("And the oak?", True, "ask", "ask"),
        ("And the oak?", False, "ask", "chat"),
        ("Hello!", True, "ask", "chat"),
    ],
)
def test_who_answers_follows_from_what_is_said(
    said: str, is_first: bool, offline: str, by_model: str
) -> None:
    session = Session()
    if not is_first:
        session.begin("ask", "Which larch?", "t1").state = "done"
        assert session.running is not None
        session.end(session.running)
    assert session.who_answers(said, by_model=False) == offline
    assert session.who_answers(said, by_model=True) == by_model
