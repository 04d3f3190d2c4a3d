"""A person's yes or no, from the tool call to the file."""

import io
import threading
from collections.abc import AsyncIterator
from typing import cast

import pytest
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.chat import approval
from app.chat.approval import ask_person, format_change
from app.chat.conversation import Conversation
from app.dependencies import ChatDependencies, ProposedWrite
from app.llm.loop import run
from app.notices import Language
from app.showing import showing
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient


async def appends(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
    """Play a model that appends a line, then repeats what the tool said."""
    last = messages[-1].parts[0]
    if not isinstance(last, ToolReturnPart):
        arguments = '{"operation": "append", "path": "A", "content": "more"}'
        yield {0: DeltaToolCall("note_operations", arguments, tool_call_id="1")}
    else:
        yield str(last.content)


def converse(vault: VaultClient, monkeypatch: pytest.MonkeyPatch, answer: str) -> tuple[str, str]:
    """Run one turn with a person who types ``answer``; give the reply and the screen."""
    screen = io.StringIO()
    asked_on: list[threading.Thread] = []

    def ask(change: ProposedWrite) -> bool:
        asked_on.append(threading.current_thread())
        return ask_person(change, answers=io.StringIO(answer), screen=screen)

    monkeypatch.setattr(approval, "ask_person", ask)
    dependencies = ChatDependencies(vault, writes="ask", approve=approval.approve)
    conversation = Conversation(dependencies, FunctionModel(stream_function=appends))
    reply = run(conversation.ask("add it", lambda _: None, lambda _: None, trace_id="t1"))
    assert asked_on in ([], [threading.main_thread()])
    return reply, screen.getvalue()


@pytest.mark.parametrize(
    ("answer", "said", "text"),
    [
        ("Yes\n", "Done: append to 'A.md'.", "one\n\nmore\n"),
        (" O \n", "Done: append to 'A.md'.", "one\n\nmore\n"),
        ("n\n", "declined", "one\n"),
        ("\n", "declined", "one\n"),
        ("", "declined", "one\n"),
        ("yikes\n", "declined", "one\n"),
    ],
)
def test_a_yes_writes_and_anything_else_does_not(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch, answer: str, said: str, text: str
) -> None:
    vault = tiny_vault({"A.md": "one\n"})
    reply, screen = converse(vault, monkeypatch, answer)
    assert said in reply
    assert "+more" in screen
    assert (vault.root / "A.md").read_text() == text


def test_a_note_cannot_repaint_the_diff() -> None:
    change = ProposedWrite("update", "A.md", "+safe\x1b[2K\x1b[1A\rgone \u202eeman\n+café\u00a0: ok")
    shown = format_change(change, colours=False)
    assert shown == "+safe\\x1b[2K\\x1b[1A\\rgone \\u202eeman\n+café\u00a0: ok"
    assert showing("tab\tand 👩‍🚀 stay\r\n") == "tab\tand 👩‍🚀 stay\n"


def test_after_an_interrupt_the_next_write_is_shown_and_asked_about_afresh(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tiny_vault({"A.md": "one\n"})
    asked: list[str] = []

    def ask(change: ProposedWrite) -> bool:
        asked.append(change.diff)
        if len(asked) < 3:
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(approval, "ask_person", ask)
    dependencies = ChatDependencies(vault, writes=vault.settings.writes, approve=approval.approve)
    conversation = Conversation(dependencies, FunctionModel(stream_function=appends))
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run(conversation.ask("add it", lambda _: None, lambda _: None))
        assert conversation.messages == []
        assert (vault.root / "A.md").read_text() == "one\n"
    reply = run(conversation.ask("add it", lambda _: None, lambda _: None))
    assert reply.startswith("Done: append to 'A.md'.")
    assert len(asked) == 3
    assert (vault.root / "A.md").read_text() == "one\n\nmore\n"


@pytest.mark.parametrize(
    ("operation", "english", "french"),
    [
        ("append", "Write this? [y/N]", "Écrire ceci ? [o/N]"),
        ("undo", "Take this back? [y/N]", "Annuler cette écriture ? [o/N]"),
    ],
)
def test_the_question_is_about_what_is_done(operation: str, english: str, french: str) -> None:
    for language, question in (("en", english), ("fr", french)):
        screen = io.StringIO()
        change = ProposedWrite(operation, "A.md", "what")
        assert ask_person(
            change, language=cast(Language, language), answers=io.StringIO("o\n"), screen=screen
        )
        assert screen.getvalue() == f"\nwhat\n{question} "
