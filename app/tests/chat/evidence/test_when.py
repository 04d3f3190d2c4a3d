"""The day of what could be quoted, and questions of what holds now."""

import pytest

from app.chat.evidence.gather import gather
from app.chat.evidence.reader import asked_of, read
from app.chat.evidence.weigh import candidates_of, compare
from app.chat.evidence.when import CALENDAR, asks_of_the_past, day_of, lies_in
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

NOTES = {
    "Committee 2026-03-05.md": "# Committee\n\n## Summer party\n\nIt will be held at the farm of Marek.\n",
    "Committee 2026-06-11.md": "# Committee\n\n## Summer party\n\nIt will be held at the boathouse of Jo.\n",
    "Diary.md": "# Diary\n\n## 2026-02-10\n\nThe pond froze.\n\n## Ice\n\nNobody skated.\n",
    "Weeks/2026-W12.md": "# Week\n\nThe frogs came.\n",
}


@pytest.mark.parametrize(
    ("question", "is_past"),
    [
        ("Where is the summer party?", False),
        ("who looks after the money now that Sandra has gone", False),
        ("où est-ce que la fête aura lieu ?", False),
        ("Qui tient la caisse maintenant ?", False),
        ("Where was the summer party?", True),
        ("When did we decide it?", True),
        ("où étions-nous en vacances ?", True),
        ("Qu'a-t-on décidé ?", True),
        ("Who wrote the first letter?", True),
        ("", False),
    ],
)
def test_which_questions_ask_of_what_was(question: str, is_past: bool) -> None:
    assert asks_of_the_past(question) is is_past


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    made = tiny_vault(NOTES)
    searcher = searcher_for(made)
    searcher.update()
    assert searcher.embed().remaining == 0
    return made


def test_the_day_of_a_span_is_that_of_its_heading_or_of_its_note(vault: VaultClient) -> None:
    asked = asked_of(found := gather(vault, "frogs, pond, skated, farm, boathouse"))
    days = {one.span.text: day_of(one.note, one.span) for one in candidates_of(asked, found.evidence)}
    assert days["It will be held at the farm of Marek."] == "2026-03-05"
    assert days["The pond froze."] == "2026-02-10"
    # The heading without a date is no part of the day before.
    assert days["Nobody skated."] == ""
    assert days["The frogs came."] == "2026-03-22"


def outdated(vault: VaultClient, question: str) -> dict[str, bool]:
    asked = asked_of(found := gather(vault, question))
    return {one.note.path: one.is_outdated for one in compare(asked, candidates_of(asked, found.evidence))}


def test_of_two_days_that_say_the_same_the_later_holds_now(vault: VaultClient) -> None:
    question = "Where is the summer party?"
    told = outdated(vault, question)
    assert (told["Committee 2026-03-05.md"], told["Committee 2026-06-11.md"]) == (True, False)
    first = read(gather(vault, question)).quoted[0].claim
    assert first.quotation == "It will be held at the boathouse of Jo."


@pytest.mark.parametrize("question", ["Where was the summer party?", "Where is the party in March 2026?"])
def test_what_was_is_not_outdated(vault: VaultClient, question: str) -> None:
    assert not any(outdated(vault, question).values())


def test_a_month_that_may_be_a_first_name_is_a_name() -> None:
    assert {"october", "wednesday", "fevrier", "jeudi"} <= CALENDAR
    assert not {"april", "june", "august", "avril"} & CALENDAR


def test_a_span_lies_in_a_time_or_in_another_one(vault: VaultClient) -> None:
    asked = asked_of(found := gather(vault, "did the pond freeze in February 2026, and the frogs?"))
    assert asked.window is not None
    spans = {
        one.span.text: lies_in(asked.window, one.note, one.span)
        for one in candidates_of(asked, found.evidence)
    }
    assert spans["The pond froze."] is True
    assert spans["The frogs came."] is False
