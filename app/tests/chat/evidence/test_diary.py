"""What happened in a time is answered by what the notes of that time say."""

import pytest

from app.chat.offline.answer import offline_answer
from app.search.rank.dated import asked_besides
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

NOTES = {
    "journal/2025-03-04.md": "# Tuesday\n\nThe physiotherapist looked at my back.\n",
    "journal/2025-03-12.md": "# Wednesday\n\nThe roofer counted eleven broken slates.\n",
    "journal/2025-04-02.md": "# Wednesday\n\nPlanted the potatoes in March weather.\n",
    "Meeting of 8 March 2025.md": "The hall is lent in case of rain.\n",
    "Garden/Journal 2025.md": "# Journal 2025\n\nOf the beds.\n\n## 2025-02-16\nPruned the pears.\n\n## 2025-07-18\nMildew.\n",
    "Slates.md": "What happened to slates happens to roofs. Happened, happens, new.\n",
}
BACK, ROOF, HALL = (
    "The physiotherapist looked at my back.",
    "The roofer counted eleven broken slates.",
    "The hall is lent in case of rain.",
)


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault(NOTES)


def quoted(vault: VaultClient, question: str) -> list[str]:
    document = offline_answer(vault, question, "en", budget=8000)
    return [claim.quotation for claim in document.claims] if document.is_answered else []


@pytest.mark.parametrize(
    "question",
    ["what happened in March 2025?", "Que s'est-il passé en mars 2025 ?", "quoi de neuf en mars 2025"],
)
def test_the_newest_of_a_time_come_first_and_nothing_of_another(vault: VaultClient, question: str) -> None:
    assert quoted(vault, question) == [ROOF, HALL, BACK]


def test_a_day_is_answered_by_its_own_note(vault: VaultClient) -> None:
    assert quoted(vault, "What happened on 12 March 2025?") == [ROOF]


def test_a_time_of_which_no_note_is_has_no_answer(vault: VaultClient) -> None:
    assert quoted(vault, "what happened in May 2024?") == []


def test_what_is_asked_besides_is_answered_from_that_time_alone(vault: VaultClient) -> None:
    best, *others = quoted(vault, "what did the roofer count in March 2025?")
    assert best == ROOF
    assert set(others) <= {BACK, HALL}


@pytest.mark.parametrize(
    "question", ["what happened in the garden in July 2025?", "Que s'est-il passé en juillet 2025 ?"]
)
def test_of_a_note_with_many_days_the_one_asked_for_is_quoted(vault: VaultClient, question: str) -> None:
    assert quoted(vault, question) == ["Mildew."]


def test_what_was_yesterday_is_no_question_for_anything_else() -> None:
    for text in ("Que s'est-il passé", "qu'est-ce qui s'est passé", "quoi de neuf", "what's been happening"):
        assert not asked_besides(f"{text} hier", text), text
    assert asked_besides("Que s'est-il passé au jardin hier", "Que s'est-il passé au jardin") == ["jardin"]
