"""Who answers, and a question that is changed: what takes the place of what, and when."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, FunctionModel
from starlette.testclient import TestClient

from app.tests.conftest import MakeVault
from app.tests.web.talk.test_answering import LEXICAL, NOTES, events
from app.tests.web.talk.test_history import come_in
from app.tests.web.talk.test_routes import two_notes
from app.web.talk import history
from app.web.talk.routes import run_turn
from app.web.talk.sessions import Event, PageTurn, Session, Talk


def questions(client: TestClient) -> list[str]:
    """What the page shows as asked, in its order."""
    return re.findall(r'data-edit="(.*?)"', client.get("/ask").text)


def test_a_turn_that_wrote_without_asking_keeps_its_place(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES, index=LEXICAL, writes="allow")
    with come_in(vault, Talk(vault, chat_model=FunctionModel(stream_function=two_notes))) as client:
        events(client, "Make them", "chat")
        assert (vault.root / "One.md").read_text() == "One"
        events(client, "Make others", "chat", instead_of=1)
        assert questions(client) == ["Make them", "Make others"]
    (kept,) = history.talks(vault)
    assert kept.questions == ("Make them", "Make others")


@pytest.mark.parametrize(
    ("said", "is_first", "offline", "by_model"),
    [
        ("When was the boat launched?", True, "ask", "ask"),
        ("When was the boat launched?", False, "ask", "chat"),
        ("the larch", True, "ask", "chat"),
        ("Quand le bateau a-t-il été lancé ?", True, "ask", "ask"),
        ("And the oak?", True, "ask", "ask"),
        ("And the oak?", False, "chat", "chat"),
        ("Et le chêne ?", False, "chat", "chat"),
        ("Why?", False, "chat", "chat"),
        ("more", False, "chat", "chat"),
        ("Hello!", True, "chat", "chat"),
        ("Merci beaucoup", False, "chat", "chat"),
        ("Can you add milk to Shopping?", True, "chat", "chat"),
        ("Peux-tu ajouter du lait dans Courses ?", True, "chat", "chat"),
        ("#boat", True, "chat", "chat"),
        ("What links to Petrel?", True, "chat", "chat"),
    ],
)
def test_who_answers_follows_from_what_is_said(
    said: str, is_first: bool, offline: str, by_model: str
) -> None:
    session = Session()
    if not is_first:
        session.begin("ask", "Which larch?", "t1").state = "done"
        assert session.running is not None
        session.end(session.running)
    assert session.who_answers(said, by_model=False) == offline
    assert session.who_answers(said, by_model=True) == by_model


def test_a_question_that_is_changed_is_answered_as_if_it_stood_there_from_the_start() -> None:
    session = Session()
    turn = session.begin("ask", "Which larch?", "t1")
    turn.state = "done"
    session.end(turn)
    assert session.who_answers("Which oak?", by_model=True) == "chat"
    assert session.who_answers("Which oak?", by_model=True, instead_of=turn.number) == "ask"


async def fickle(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
    """Play a model that breaks when it is asked to, thinks for ever, or says what it was asked by then."""
    asked = [str(part.content) for each in messages for part in each.parts if part.part_kind == "user-prompt"]
    told = [text for text in asked if len(text) < 60]
    if told[-1] == "Break":
        yield "So far"
        raise RuntimeError("no memory left")
    if told[-1] == "Think":
        yield "So far"
        await asyncio.sleep(60)
    yield "I was asked: " + " / ".join(told)


def test_a_question_that_is_changed_goes_when_the_new_one_is_answered(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES, index=LEXICAL)
    with come_in(vault, Talk(vault, chat_model=FunctionModel(stream_function=fickle))) as client:
        events(client, "Which oak?", "chat")
        events(client, "Which larch?", "chat")
        failed = events(client, "Break", "chat", instead_of=2)[-1][1]
        assert failed["insteadOf"] == 0
        assert 'role="alert"' in failed["html"]
        assert questions(client) == ["Which oak?", "Which larch?", "Break"]
        (kept,) = history.talks(vault)
        assert [turn.text for turn in history.read(vault, kept.name).turns] == [
            "I was asked: Which oak?",
            "I was asked: Which oak? / Which larch?",
            "So far",
        ]
        # The model is told of the earlier answer as well, until another one takes its place.
        done = events(client, "Which birch?", "chat", instead_of=2)[-1][1]
        assert done["insteadOf"] == 2
        assert "I was asked: Which oak? / Which birch?" in done["html"]
        assert questions(client) == ["Which oak?", "Break", "Which birch?"]
        told = events(client, "And now?", "chat")[-1][1]["html"]
        assert "I was asked: Which oak? / Which birch? / And now?" in told


def test_an_answer_that_is_stopped_takes_nobodys_place(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES, index=LEXICAL)
    talk = Talk(vault, chat_model=FunctionModel(stream_function=fickle))

    async def said(session: Session, question: str, instead_of: int = 0) -> PageTurn:
        turn = session.begin("chat", question, question, vault.obsidian.rules, instead_of=instead_of)
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        session.listeners.add(queue)
        session.work = asyncio.create_task(run_turn(talk, session, turn))
        while (event := await queue.get()) is not None and event[1] != "end":
            if question == "Think" and event[1] == "said":
                session.stop()
        await asyncio.gather(*([session.work] if session.work else []), return_exceptions=True)
        return turn

    async def whole() -> tuple[list[str], str]:
        session = Session()
        await said(session, "Which larch?")
        stopped = await said(session, "Think", instead_of=1)
        assert stopped.state == "stopped"
        shown = [turn.question for turn in session.turns]
        return shown, (await said(session, "And now?")).text

    shown, last = asyncio.run(whole())
    assert shown == ["Which larch?", "Think"]
    assert last == "I was asked: Which larch? / And now?"
    (kept,) = history.talks(vault)
    assert kept.questions == ("Which larch?", "Think", "And now?")
