"""What the offline assistant answers, on the real index and with the real model."""

import pytest

from app.chat.evidence.gather import gather
from app.chat.offline.answer import offline_answer
from app.tests.conftest import MakeVault

NOTES = {
    "Larch.md": "# Larch\n\nThe larch came four weeks late, since the kiln broke down.\n",
    "Log.md": "# Log\n\n## 2025-08-16\n\n### Launched\n\nThe boat went down the slip and Isla broke a bottle.\n\n"
    "## 2025-07-14\n\n### Starboard\n\nThe boat has an inside again.\n",
    "Erwan.md": "# Erwan Maout\n\nErwan Maout keeps the boatyard. He lives at 4 rue du Port.\n",
}


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        (
            "How late was the larch, and when was the boat launched?",
            [("Larch.md", "The larch came four weeks late"), ("Log.md", "The boat went down the slip")],
        ),
        (
            "When was the boat launched and what is Erwan Maout's address?",
            [("Log.md", "The boat went down the slip"), ("Erwan.md", "He lives at 4 rue du Port.")],
        ),
    ],
)
def test_each_question_of_a_text_is_answered(
    tiny_vault: MakeVault, question: str, quoted: list[tuple[str, str]]
) -> None:
    document = offline_answer(tiny_vault(NOTES), question, "en", budget=8000)
    assert len(document.claims) == len(quoted)
    for claim, (path, text) in zip(document.claims, quoted, strict=True):
        assert (claim.path, text in claim.quotation) == (path, True)
    assert not document.remarks


def test_a_question_that_is_not_answered_is_named(tiny_vault: MakeVault) -> None:
    question = "How late was the larch, and who won the football world cup in 1998?"
    document = offline_answer(tiny_vault(NOTES), question, "fr", budget=8000)
    assert [claim.path for claim in document.claims] == ["Larch.md"]
    said = "les notes ne semblent pas dire : « who won the football world cup in 1998 »"
    assert any(said in remark for remark in document.remarks)


def test_where_no_question_is_answered_the_notes_do_not_say(tiny_vault: MakeVault) -> None:
    question = "Who won the world cup in 1998, and how is goulash cooked in Budapest?"
    document = offline_answer(tiny_vault(NOTES), question, "en", budget=8000)
    assert not document.is_answered
    assert not document.claims


def test_evidence_of_several_questions_is_numbered_through(tiny_vault: MakeVault) -> None:
    found = gather(tiny_vault(NOTES), "How late was the larch, and when was the boat launched?")
    assert [one.number for one in found.evidence] == list(range(1, len(found.evidence) + 1))
    assert {one.path for one in found.evidence[:2]} == {"Larch.md", "Log.md"}
    assert len({(one.path, one.first, one.last) for one in found.evidence}) == len(found.evidence)


def test_a_link_to_a_block_leads_to_no_other_part_of_its_note(tiny_vault: MakeVault) -> None:
    notes = {
        "log.md": "# log\n\n## 2025-07-14\n\nThe date is the sixteenth of August. ^date\n\n"
        "## 2025-07-12\n\nThe boat has an inside again since this evening.\n",
        "Launch.md": "# Launched\n\nShe went in on the sixteenth of August; it was chosen before: [[log#^date]].\n",
    }
    claim = offline_answer(tiny_vault(notes), "When was the boat launched?", "en", budget=8000).claims[0]
    assert (claim.path, "sixteenth of August" in claim.quotation) == ("Launch.md", True)
