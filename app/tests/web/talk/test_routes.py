"""What an assistant may write: asked one by one, refused by silence, and taken back."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.errors import BadRequestError
from app.notes.answer import operate
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient
from app.web.talk.answering import answer_turn
from app.web.talk.routes import take_back, writes_of
from app.web.talk.sessions import MOST_SESSIONS, Event, PageTurn, Proposal, Session, Talk


async def two_notes(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
    """Play a model that makes two notes at once, then repeats what it was told."""
    told = [str(part.content) for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
    if told:
        yield "\n".join(told)
        return
    for number, path in enumerate(("One", "Two")):
        call = {"operation": "create", "path": path, "content": path}
        yield {number: DeltaToolCall("note_operations", json.dumps(call), tool_call_id=f"c{number}")}


def talk(vault: VaultClient, model: FunctionModel | None = None, seconds: float = 10) -> Talk:
    return Talk(vault, chat_model=model or FunctionModel(stream_function=two_notes), approval_seconds=seconds)


async def turn_with(
    talk: Talk, session: Session, words: list[bool]
) -> tuple[PageTurn, list[tuple[str, str]]]:
    """Run one turn, giving a word to each question as it comes; give the turn and what the page was told."""
    told: list[tuple[str, str]] = []
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    session.listeners.add(queue)

    async def follow() -> None:
        while (event := await queue.get()) is not None:
            _, name, value = event
            if isinstance(value, Proposal):
                told.append((name, value.change.path))
                if name == "asked":
                    assert list(session.waiting) == [value.id]
                    session.decide(value.id, approved=words.pop(0))

    following = asyncio.create_task(follow())
    turn = session.begin("chat", "make them", "t1")
    await answer_turn(talk, session, turn)
    queue.put_nowait(None)
    await following
    return turn, told


def test_a_person_is_asked_about_one_write_at_a_time(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "a"})
    turn, told = asyncio.run(turn_with(talk(vault), Session(), [True, False]))
    (first, second) = (path for name, path in told if name == "asked")
    assert told == [("asked", first), ("decided", first), ("asked", second), ("decided", second)]
    assert [each.outcome for each in turn.proposals] == ["approved", "refused"]
    assert (vault.root / first).read_text() == first.removesuffix(".md")
    assert not (vault.root / second).exists()
    assert turn.state == "done"
    assert f"Done: create '{first}'" in turn.text
    assert "Not done: the person declined" in turn.text


def test_silence_is_a_no(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "a"})
    session = Session()
    turn = session.begin("chat", "make them", "t1")
    asyncio.run(answer_turn(talk(vault, seconds=0.02), session, turn))
    assert [each.outcome for each in turn.proposals] == ["expired", "expired"]
    assert [path.name for path in vault.root.iterdir()] == ["A.md"]


def test_what_is_stopped_writes_nothing_and_leaves_the_session_free(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "a"})
    session = Session()

    async def stopped() -> PageTurn:
        turn = session.begin("chat", "make them", "t1")
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        session.listeners.add(queue)
        session.work = asyncio.create_task(answer_turn(talk(vault), session, turn))
        while (event := await queue.get()) is not None and event[1] != "asked":
            pass
        with pytest.raises(BadRequestError, match="another question is being answered"):
            session.begin("ask", "and?", "t2")
        work = session.work
        session.stop()
        await asyncio.gather(work, return_exceptions=True)
        return turn

    turn = asyncio.run(stopped())
    assert (turn.state, [each.outcome for each in turn.proposals]) == ("stopped", ["gone"])
    assert (session.running, session.waiting) == (None, {})
    assert [path.name for path in vault.root.iterdir()] == ["A.md"]
    assert session.begin("ask", "and?", "t2").number == 2


def write(vault: VaultClient, path: str, content: str, trace_id: str) -> None:
    parameters = {"operation": "append", "path": path, "content": content}
    assert operate(vault, parameters, trace_id=trace_id).startswith("Done")


def test_writes_are_taken_back_one_by_one_the_later_first(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "a\n", "B.md": "b\n"})
    write(vault, "A", "one", "t1")
    write(vault, "B", "two", "t1")
    write(vault, "A", "three", "t2")
    (first, other), (later,) = writes_of(vault, ["t1", "t2"]).values()
    assert [(each.operation, each.path) for each in (first, other, later)] == [
        ("append", "A.md"),
        ("append", "B.md"),
        ("append", "A.md"),
    ]
    with pytest.raises(BadRequestError, match=r"'A.md' was written to since"):
        take_back(vault, first.id, "u1")
    assert take_back(vault, later.id, "u2").startswith("Done: take back append 'A.md'")
    take_back(vault, first.id, "u3")
    assert (vault.root / "A.md").read_text() == "a\n"
    assert "two" in (vault.root / "B.md").read_text()
    assert [each.undone for each in writes_of(vault, ["t1"])["t1"]] == [True, False]
    with pytest.raises(BadRequestError, match="no such write"):
        take_back(vault, first.id, "u4")


def test_the_session_idle_longest_is_forgotten_and_no_other(tiny_vault: MakeVault) -> None:
    told = talk(tiny_vault({}))
    kept = told.session("first")
    busy = told.session("busy")
    busy.begin("ask", "x", "t")
    for number in range(MOST_SESSIONS - 2):
        told.session(str(number))
    assert told.session("first") is kept
    told.session("new")
    assert len(told.sessions) == MOST_SESSIONS
    assert told.session("busy") is busy
    assert told.session("first") is kept
    assert "0" not in told.sessions
