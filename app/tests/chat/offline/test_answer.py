"""What the offline assistant answers, on the real index and with the real model."""

from app.chat.offline.answer import offline_answer
from app.tests.conftest import MakeVault

NOTES = {
    "Larch.md": "# Larch\n\nThe larch came four weeks late, since the kiln broke down.\n",
    "Log.md": "# Log\n\n## 2025-08-16\n\n### Launched\n\nThe boat went down the slip and Isla broke a bottle.\n\n"
    "## 2025-07-14\n\n### Starboard\n\nThe boat has an inside again.\n",
    "Erwan.md": "# Erwan Maout\n\nErwan Maout keeps the boatyard. He lives at 4 rue du Port.\n",
}


def test_where_no_question_is_answered_the_notes_do_not_say(tiny_vault: MakeVault) -> None:
    question = "Who won the world cup in 1998, and how is goulash cooked in Budapest?"
    document = offline_answer(tiny_vault(NOTES), question, "en", budget=8000)
    assert not document.is_answered
    assert not document.claims


def test_where_the_notes_do_not_say_the_nearest_lines_are_shown(tiny_vault: MakeVault) -> None:
    document = offline_answer(tiny_vault(NOTES), "How old is the kiln of Quentin?", "en", budget=8000)
    assert document.overview.startswith(
        "The notes do not seem to say.\nWhat comes nearest:\n“The larch came four"
    )
    assert "(`Larch.md` line 3)" in document.overview
