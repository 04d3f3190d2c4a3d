"""The offline assistant, on the real agent and tools."""

import asyncio
import re
from pathlib import Path

import pytest

from app.chat.ask.concat import remark
from app.chat.conversation import Conversation
from app.chat.offline.assistant import offline_model
from app.chat.offline.phrases import language_of
from app.dependencies import ChatDependencies
from app.notices import Language, Notice, NoticeKind
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

NOTES = {
    "projects/serre/state.md": (
        "---\nstatus: en-cours\ntags: [serre]\n---\n# Serre\n\n"
        "Le toit attend.\n\n## Chauffage\n\nLe chauffage est électrique,\ndécidé le 14 juillet.\n\nAutre chose.\n"
    ),
    "changelog.md": (
        "# 2025-07-14\n\n## [décision] Chauffer la serre à l'électricité\n\nPlus de gaz.\n\n"
        "# 2025-07-15\n\nRien.\n"
    ),
    "boat.md": "# Boat\n\nThe hull was painted red in May.\n\nSee [[changelog]].\n",
    "kitchen.md": "# Kitchen\n\nThe kitchen was painted too. #idea\n",
}
OFFLINE = remark(Notice(NoticeKind.OFFLINE), "fr")


class Chat:
    """A conversation with the offline assistant that keeps what was said and which tools were called."""

    def __init__(self, vault: VaultClient, language: Language = "en") -> None:
        dependencies = ChatDependencies(vault=vault, writes="refuse", language=language)
        self.conversation = Conversation(dependencies, offline_model(language))
        self.pieces: list[str] = []
        self.calls: list[str] = []

    def ask(self, question: str) -> str:
        self.pieces, self.calls = [], []
        return asyncio.run(self.conversation.ask(question, self.pieces.append, self.calls.append))


@pytest.fixture
def chat(tiny_vault: MakeVault) -> Chat:
    return Chat(tiny_vault(NOTES))


def test_a_french_question_is_answered_in_french_with_notes_and_lines(chat: Chat) -> None:
    answer = chat.ask("Qu'est-ce qui a été décidé pour le chauffage ?")
    assert answer.startswith("Voici ce que disent les notes\u00a0:\n")
    quoted = "> Le chauffage est électrique,\n> décidé le 14 juillet.\n"
    assert f"`projects/serre/state.md` lignes 11-12\u00a0:\n{quoted}" in answer
    assert OFFLINE in answer
    assert answer.count("--model ollama:qwen3") == 1


def test_every_quoted_line_stands_in_its_note_at_its_place(chat: Chat) -> None:
    path, number, checked = "", 0, 0
    for line in chat.ask("la serre, le chauffage").splitlines():
        if match := re.match(r"(?:[\d-]+, )?`(\S+\.md)` lignes? (\d+)", line):
            path, number = match[1], int(match[2])
        elif line.startswith(">"):
            assert NOTES[path].split("\n")[number - 1] == line.removeprefix(">").removeprefix(" ")
            number, checked = number + 1, checked + 1
    assert checked >= 2


def test_nothing_found_says_so_with_the_near_misses_of_the_tool(chat: Chat) -> None:
    answer = chat.ask("zeppelyn")
    assert answer.startswith(
        "I found nothing in the vault for “zeppelyn”.\n\nNote: searched 4 notes.\n\nNote: this is the offline"
    )


@pytest.mark.parametrize("message", ["Delete boat", "undo", "And the kitchen?"])
def test_each_message_is_a_question_of_its_own(chat: Chat, message: str) -> None:
    chat.ask("When was the hull painted?")
    chat.ask(message)
    assert chat.calls == [f"question to the notes: {message}"]
    assert Path(chat.conversation.dependencies.vault.root, "boat.md").exists()


def test_a_question_that_names_no_note_takes_the_words_of_the_one_before_along(
    tiny_vault: MakeVault,
) -> None:
    ines, hugo = "Ines fixes sinks, and not on Mondays.", "Hugo sells bread, and not on Sundays."
    chat = Chat(tiny_vault({"Ines.md": f"# Ines\n\n{ines}\n", "Hugo.md": f"# Hugo\n\n{hugo}\n"}))
    chat.ask("does Ines fix sinks?")
    assert ines in chat.ask("and on Mondays?")
    assert hugo in chat.ask("does Hugo sell bread?")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Où en est la serre ?", "fr"),
        ("décision", "fr"),
        ("Apollo 2025", None),
        ("Who decided about the café?", "en"),
        ("¿Qué dice la nota sobre el perro?", None),
    ],
)
def test_the_language_of_a_question(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_what_the_search_says_besides_is_french_where_the_question_is(tiny_vault: MakeVault) -> None:
    chat = Chat(tiny_vault({**NOTES, "sea.md": "# Sea\n\n[[boat]] and [[Nowhere]]\n"}))
    said = chat.ask("Que disent les notes de « [statut:perdu] tag: x » ?")
    assert "Remarque : aucune note n'a de propriété « statut » ; un texte entre crochets" in said
    assert "Remarque : « tag: » suivi d'une espace est du texte ; un opérateur touche sa valeur." in said
    assert "Note: " not in said


def test_words_that_tell_no_language_are_answered_in_that_of_the_talk_and_then_of_the_reader(
    tiny_vault: MakeVault,
) -> None:
    vault = tiny_vault(NOTES)
    french = Chat(vault, "fr")
    assert french.ask("hull").startswith("Voici ce que disent les notes\u00a0:")
    assert french.ask("When was the hull painted?").startswith("Here is what the notes say:")
    assert french.ask("kitchen").startswith("Here is what the notes say:")
    assert french.ask("zeppelyn").startswith("I found nothing in the vault for “zeppelyn”.")
    assert Chat(vault, "en").ask("hull").startswith("Here is what the notes say:")
