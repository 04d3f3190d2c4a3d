"""A person's yes or no, from the tool call to the file."""

import asyncio
import io
import signal
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.chat import approval
from app.chat.approval import ask_person, format_change
from app.chat.conversation import Conversation
from app.config.settings import Writes
from app.dependencies import ChatDependencies, ProposedWrite
from app.llm.loop import run
from app.notices import Language
from app.showing import showing
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

CHANGE = ProposedWrite("append", "A.md", "--- a/A.md\n+++ b/A.md\n@@ -1 +1,2 @@\n one\n-two\n+three")


async def appends(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
    """Play a model that appends a line, then repeats what the tool said."""
    last = messages[-1].parts[0]
    if not isinstance(last, ToolReturnPart):
        arguments = '{"operation": "append", "path": "A", "content": "more"}'
        yield {0: DeltaToolCall("note_operations", arguments, tool_call_id="1")}
    else:
        yield str(last.content)


def converse(
    vault: VaultClient, monkeypatch: pytest.MonkeyPatch, answer: str, writes: Writes = "ask"
) -> tuple[str, str]:
    """Run one turn with a person who types ``answer``; give the reply and the screen."""
    screen = io.StringIO()
    asked_on: list[threading.Thread] = []

    def ask(change: ProposedWrite) -> bool:
        asked_on.append(threading.current_thread())
        return ask_person(change, answers=io.StringIO(answer), screen=screen)

    monkeypatch.setattr(approval, "ask_person", ask)
    dependencies = ChatDependencies(vault, writes=writes, approve=approval.approve)
    conversation = Conversation(dependencies, FunctionModel(stream_function=appends))
    reply = run(conversation.ask("add it", lambda _: None, lambda _: None, trace_id="t1"))
    assert asked_on in ([], [threading.main_thread()])
    return reply, screen.getvalue()


@pytest.mark.parametrize("answer", ["y\n", "Yes\n", "oui\n", " O \n"])
def test_a_yes_writes(tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    vault = tiny_vault({"A.md": "one\n"})
    reply, screen = converse(vault, monkeypatch, answer)
    assert reply.startswith("Done: append to 'A.md'.")
    assert "+more" in screen
    assert screen.rstrip().endswith("Write this? [y/N]")
    assert "more" in (vault.root / "A.md").read_text()


@pytest.mark.parametrize("answer", ["n\n", "\n", "", "maybe\n", "yikes\n"])
def test_anything_else_writes_nothing(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    vault = tiny_vault({"A.md": "one\n"})
    reply, _ = converse(vault, monkeypatch, answer)
    assert "declined" in reply
    assert (vault.root / "A.md").read_text() == "one\n"


def test_where_writes_are_allowed_nobody_is_asked(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tiny_vault({"A.md": "one\n"})
    reply, screen = converse(vault, monkeypatch, "n\n", writes="allow")
    assert reply.startswith("Done:")
    assert screen == ""
    assert "more" in Path(vault.root, "A.md").read_text()


def test_colours_stand_only_on_a_terminal() -> None:
    assert format_change(CHANGE) == CHANGE.diff
    coloured = format_change(CHANGE, colours=True).split("\n")
    assert coloured[4:] == ["\x1b[31m-two\x1b[0m", "\x1b[32m+three\x1b[0m"]
    assert coloured[3] == " one"


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


def test_a_question_of_interrupted_work_is_never_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    ended = threading.Event()

    def ask(change: ProposedWrite) -> bool:
        asked.append(change.path)
        if change.path == "first":
            raise KeyboardInterrupt
        return True

    async def ask_for(path: str) -> bool:
        return await approval.approve(ProposedWrite("append", path, ""))

    async def stubborn() -> None:
        try:
            await asyncio.gather(ask_for("first"), ask_for("second"))
        finally:
            # Nobody waits any more: it ends at once, and does not hold up the end of the process.
            with pytest.raises(asyncio.CancelledError):
                await ask_for("third")
            ended.set()

    async def later() -> bool:
        await asyncio.to_thread(ended.wait)
        return await ask_for("fourth")

    monkeypatch.setattr(approval, "ask_person", ask)
    with pytest.raises(KeyboardInterrupt):
        run(stubborn())
    assert run(later()) is True
    assert asked == ["first", "fourth"]


def test_a_question_that_the_work_gave_up_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    given_up = threading.Event()

    def ask(change: ProposedWrite) -> bool:
        asked.append(change.path)
        given_up.wait()
        return True

    async def work() -> None:
        first = asyncio.create_task(approval.approve(ProposedWrite("append", "first", "")))
        second = asyncio.create_task(approval.approve(ProposedWrite("append", "second", "")))
        while not asked:
            await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait([second])
        given_up.set()
        assert await first

    monkeypatch.setattr(approval, "ask_person", ask)
    run(work())
    assert asked == ["first"]


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_that_another_thread_receives_ends_the_wait() -> None:
    async def signalled() -> None:
        await asyncio.sleep(0.1)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        await asyncio.Event().wait()

    with pytest.raises(KeyboardInterrupt):
        run(signalled())


@pytest.mark.parametrize(
    ("operation", "english", "french"),
    [
        ("append", "Write this? [y/N]", "Écrire ceci ? [o/N]"),
        ("delete", "Delete? [y/N]", "Supprimer ? [o/N]"),
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
