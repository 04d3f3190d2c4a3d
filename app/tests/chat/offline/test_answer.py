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


def test_a_link_to_a_block_leads_to_no_other_part_of_its_note(tiny_vault: MakeVault) -> None:
    notes = {
        "log.md": "# log\n\n## 2025-07-14\n\nThe date is the sixteenth of August. ^date\n\n"
        "## 2025-07-12\n\nThe boat has an inside again since this evening.\n",
        "Launch.md": "# Launched\n\nShe went in on the sixteenth of August; it was chosen before: [[log#^date]].\n",
    }
    claim = offline_answer(tiny_vault(notes), "When was the boat launched?", "en", budget=8000).claims[0]
    assert (claim.path, "sixteenth of August" in claim.quotation) == ("Launch.md", True)
