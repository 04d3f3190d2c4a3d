"""The line of ``chat`` on a real terminal, an answer that is stopped, and questions from a pipe."""

import io
import sys

import pytest
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.function import FunctionModel

from app.bootstrap import open_vault
from app.chat.conversation import Conversation
from app.dependencies import ChatDependencies
from app.tests.cli import conftest
from app.tests.cli.session import END, ENTER, INTERRUPT, TAB, UP, Session

CHAT = {"LC_ALL": "C"}


def leave(session: Session) -> None:
    """End a chat by Ctrl-D, once its line is there: one that is pressed before goes to nobody."""
    session.type("x")
    session.wait_for("> x")
    session.type("\x7f" + END)


def test_earlier_lines_come_back_and_commands_are_completed(garden: str) -> None:
    with Session("chat", "--vault", garden, environment=CHAT) as session:
        session.wait_for(">")
        session.type("/h" + TAB)
        session.wait_for("> /help")
        session.type(ENTER)
        session.wait_for("forget the conversation")
        session.type("serre ?" + ENTER)
        session.wait_for("serre.md")
        # Ctrl-C gives up what stands on the line.
        session.type("half a line")
        session.wait_for("> half a line")
        session.type(INTERRUPT + "y")
        session.wait_for("> y")
        session.type("\x7f" + UP)
        session.wait_for("> serre ?")
        session.type(UP)
        session.wait_for("> /help")
        session.type(INTERRUPT)
        leave(session)
        assert session.end() == 0
        assert "Traceback" not in session.text


def test_what_was_said_of_a_stopped_answer_is_remembered(garden: str) -> None:
    conversation = Conversation(
        ChatDependencies(open_vault(garden)), FunctionModel(lambda *_: ModelResponse([]))
    )
    conversation.keep_stopped("How is it heated?", "It is electric, and\n")
    text = "It is electric, and\n\n(The answer was stopped here.)"
    first, second = conversation.messages
    assert isinstance(first, ModelRequest)
    assert isinstance(second, ModelResponse)
    assert [part.content for part in first.parts if isinstance(part, UserPromptPart)] == ["How is it heated?"]
    assert second.parts == [TextPart(text)]
    assert [(each.question, each.answer) for each in conversation.exchanges] == [("How is it heated?", text)]


@pytest.mark.parametrize("words", [["-"], []])
def test_a_question_comes_from_a_pipe(
    run: conftest.Run, garden: str, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("Le chauffage de la serre\nest-il électrique ?\n"))
    answered = run("ask", *words, "--vault", garden)
    assert answered.code == 0
    assert "Le chauffage de la serre est électrique, décidé le 14 juillet." in answered.out
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run("ask", *words, "--vault", garden).code == 2
