"""Questions for tasks are answered by the lines of those tasks."""

from datetime import date

import pytest

from app.chat.offline.answer import offline_answer
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

TODAY = date(2026, 11, 25)
CLASS = """# Classe de 3e B

- [ ] marks 📅 2026-11-27
- [ ] copies 📅 2026-11-24
- [x] seats 📅 2026-11-26
- [-] trip 📅 2026-11-24
- [ ] books
"""


@pytest.fixture
def vault(tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch) -> VaultClient:
    monkeypatch.setattr("app.chat.offline.tasks.local_today", lambda: TODAY)
    home = "Pay the tasks of the plumber.\n\n- [/] roof [due:: 2026-11-26]\n- [ ] attic 📅 2026-12-04\n"
    return tiny_vault({"3B.md": CLASS, "Home.md": home})


def tasks(vault: VaultClient, question: str) -> list[str]:
    claims = offline_answer(vault, question, "en", budget=8000).claims
    return [claim.quotation[6:].split()[0] for claim in claims if claim.quotation.startswith("- [")]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("quelles tâches sont dues cette semaine ?", ["copies", "roof", "marks"]),
        ("what is due this week", ["copies", "roof", "marks"]),
        ("Which tasks are due on Friday?", ["marks"]),
        ("Quelles tâches sont à rendre avant vendredi ?", ["copies", "roof"]),
        ("Que dois-je faire avant la fin de la semaine ?", ["copies", "roof", "marks"]),
        ("what do I have to do by the end of this week?", ["copies", "roof", "marks"]),
        ("tasks due next week", ["attic"]),
        ("quelles tâches sont en retard", ["copies"]),
        ("which tasks are overdue?", ["copies"]),
        ("Which of my tasks are due?", ["copies", "roof", "marks", "attic"]),
        ("Quelles tâches restent à faire dans « Classe de 3e B » ?", ["marks", "copies", "books"]),
        ("Which tasks are still open in “3B”?", ["marks", "copies", "books"]),
        ("Quelles tâches ne sont pas encore faites dans « Home » ?", ["roof", "attic"]),
        ("Which tasks are due this week in “3B” and “Home”?", ["copies", "roof", "marks"]),
    ],
)
def test_tasks_are_quoted_in_order_and_no_others(vault: VaultClient, question: str, found: list[str]) -> None:
    assert tasks(vault, question) == found


@pytest.mark.parametrize("question", ["list my tasks", "liste mes tâches", "do I have any tasks?"])
def test_all_that_are_open_are_listed(vault: VaultClient, question: str) -> None:
    assert sorted(tasks(vault, question)) == ["attic", "books", "copies", "marks", "roof"]


def test_each_is_quoted_with_its_place(vault: VaultClient) -> None:
    answer = offline_answer(vault, "what is overdue", "en", budget=8000)
    assert answer.overview.splitlines()[1:] == ["“- [ ] copies 📅 2026-11-24” (`3B.md` line 4)"]
    assert [(claim.path, claim.lines, claim.verdict) for claim in answer.claims] == [("3B.md", "4", "quoted")]


def test_where_none_is_due_that_is_said(vault: VaultClient) -> None:
    answer = offline_answer(vault, "which tasks are due next month and overdue?", "en", budget=8000)
    assert (answer.overview, answer.is_answered) == ("No open task is one of those.", False)


@pytest.mark.parametrize(
    "question",
    [
        "Which tasks does the plumber have?",
        "what is due to the plumber",
        "Which tasks are done?",
        "What are tasks?",
        "Quelles tâches sont ouvertes dans « Nulle part » ?",
        "Quelles tâches sont ouvertes dans « Home » et « Nulle part » ?",
    ],
)
def test_a_question_that_asks_for_more_is_left_to_the_search(vault: VaultClient, question: str) -> None:
    assert len(tasks(vault, question)) <= 1
