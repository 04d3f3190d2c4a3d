"""Talks outlive the page and the server: they are kept, found, gone on with, renamed and deleted."""

import asyncio
import re
import stat
from collections.abc import AsyncIterator
from pathlib import Path

from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, FunctionModel
from starlette.testclient import TestClient

from app.dependencies import ProposedWrite
from app.tests.conftest import MakeVault
from app.tests.web.talk.test_answering import LEXICAL, NOTES, events
from app.vault.client import VaultClient
from app.web.app import build_app
from app.web.talk import history
from app.web.talk.routes import run_turn
from app.web.talk.sessions import Event, PageTurn, Proposal, Session, Talk

TOKEN = "a-token-of-some-length"


def come_in(vault: VaultClient, talk: Talk | None = None) -> TestClient:
    """Start a server of its own, as after a restart, and come in."""
    app = build_app(vault, token=TOKEN)
    if talk is not None:
        app.state.talk = talk
    client = TestClient(app, base_url="http://127.0.0.1:8766", raise_server_exceptions=False)
    assert client.post("/enter", data={"token": TOKEN}).status_code == 200
    page = client.get("/ask").text
    client.headers["X-CSRF-Token"] = page.split('name="csrf-token" content="')[1].split('"')[0]
    return client


def kept_files(vault: VaultClient) -> list[Path]:
    return sorted(vault.settings.state_folder.glob("journal/*/talks/*.json"))


def names(client: TestClient, address: str = "/ask/talks") -> list[str]:
    return re.findall(r'action="/ask/talks/([0-9a-f]+)/open"', client.get(address).text)


async def remembers(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
    """Play a model that says what it was asked before."""
    asked = [str(part.content) for each in messages for part in each.parts if part.part_kind == "user-prompt"]
    yield "I was asked: " + " / ".join(text for text in asked if len(text) < 60)


def test_a_talk_is_there_after_a_restart_and_goes_on(vault: VaultClient) -> None:
    model = FunctionModel(stream_function=remembers)
    with come_in(vault, Talk(vault, chat_model=model)) as client:
        events(client, "Which larch?", "chat")
        before = events(client, "How is the greenhouse heated?")[-1][1]["html"]
    with come_in(vault, Talk(vault, chat_model=model)) as client:
        assert 'class="turn"' not in client.get("/ask").text
        [name] = names(client)
        assert names(client, "/ask") == [name]
        opened = client.post(f"/ask/talks/{name}/open", follow_redirects=False)
        assert (opened.status_code, opened.headers["location"]) == (303, "/ask")
        page = client.get("/ask").text
        assert "I was asked: Which larch?" in page
        answer = before.split('<div class="answer note">')[1].split("</div>")[0]
        assert "The heating is electric." in answer
        assert answer in page
        # What the model was told is told again.
        told = "Which larch? / How is the greenhouse heated? / And then?"
        assert told in events(client, "And then?", "chat")[-1][1]["html"]
        assert names(client) == [name]
    [file] = kept_files(vault)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_talks_are_found_renamed_and_deleted(vault: VaultClient) -> None:
    with come_in(vault) as client:
        events(client, "How is the greenhouse heated?")
        client.post("/ask/new")
        events(client, "What of Home?")
        second, first = names(client)
        assert names(client, "/ask/talks?q=HEATING+greenhouse") == [first]
        assert names(client, "/ask/talks?q=nowhere") == []
        client.post(f"/ask/talks/{first}/title", data={"title": "  Warm   <plants> "})
        assert "Warm &lt;plants&gt;" in client.get("/ask/talks").text
        assert names(client, "/ask/talks?q=plants") == [first]
        for wrong in ("0" * 16, "..%2f..%2fx", "x"):
            assert client.post(f"/ask/talks/{wrong}/open").status_code in (400, 404)
            assert client.post(f"/ask/talks/{wrong}/delete").status_code in (400, 404)
        assert client.post(f"/ask/talks/{first}/title", data={"title": "  "}).status_code == 400
        assert client.post(f"/ask/talks/{second}/delete", follow_redirects=False).status_code == 303
        assert names(client) == [first]
        assert [file.stem for file in kept_files(vault)] == [first]
        # The page that showed it starts afresh.
        assert 'class="turn"' not in client.get("/ask").text


def test_a_page_that_is_open_hides_it_too(vault: VaultClient) -> None:
    with come_in(vault) as client:
        events(client, "How is the greenhouse heated?")
        assert "electric" in client.get("/ask").text
        (vault.root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["Work/"]}')
        page = client.get("/ask").text
        assert "The vault excludes other notes than when this was answered" in page
        assert "electric" not in page
        assert client.get("/ask/turns/1.md").status_code == 404
        [name] = names(client)
        assert names(client, "/ask/talks?q=electric") == []
        with come_in(VaultClient(vault.root, vault.settings)) as other:
            other.post(f"/ask/talks/{name}/open")
            assert "electric" not in other.get("/ask").text
        (vault.root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["private/"]}')
        # Nothing of it is lost.
        assert "electric" in client.get("/ask").text


def test_what_is_not_to_be_kept_is_not(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES, index=LEXICAL, keep_talks=False)
    with come_in(vault) as client:
        events(client, "How is the greenhouse heated?")
        assert names(client) == []
        assert "Talks are not kept" in client.get("/ask/talks").text
    assert kept_files(vault) == []


async def slowly(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
    """Play a model that says something and then thinks for ever."""
    yield "The **larch** came"
    await asyncio.sleep(60)
    yield " late."


async def begun(
    vault: VaultClient, model: FunctionModel
) -> tuple[Session, PageTurn, "asyncio.Queue[Event | None]"]:
    """Begin a turn, and follow it until something was said."""
    session, queue = Session(), asyncio.Queue[Event | None]()
    session.listeners.add(queue)
    turn = session.begin("chat", "Which larch?", "t1", vault.obsidian.rules)
    session.work = asyncio.create_task(run_turn(Talk(vault, chat_model=model), session, turn))
    while (event := await queue.get()) is not None and event[1] not in ("said", "end"):
        pass
    assert event is not None
    return session, turn, queue


def test_what_was_said_is_kept_when_it_is_stopped(vault: VaultClient) -> None:
    async def stopped() -> PageTurn:
        session, turn, queue = await begun(vault, FunctionModel(stream_function=slowly))
        assert "The <strong>larch</strong> came" in turn.answer
        work = session.work
        session.stop()
        assert await queue.get() == (turn, "end", turn)
        assert work is not None
        await asyncio.gather(work, return_exceptions=True)
        return turn

    turn = asyncio.run(stopped())
    assert (turn.state, turn.text) == ("stopped", "The **larch** came")
    [found] = history.talks(vault)
    [kept] = history.read(vault, found.name).turns
    assert (kept.state, kept.text) == ("stopped", "The **larch** came")


def test_a_turn_that_ran_when_the_server_ended_is_cut_short(vault: VaultClient) -> None:
    async def killed() -> None:
        session, _, _ = await begun(vault, FunctionModel(stream_function=slowly))
        while not kept_files(vault):
            await asyncio.sleep(0.01)
        # As the file stands when the process is killed now.
        [file] = kept_files(vault)
        data = file.read_bytes()
        work = session.work
        session.stop()
        assert work is not None
        await asyncio.gather(work, return_exceptions=True)
        file.write_bytes(data)

    asyncio.run(killed())
    with come_in(vault) as client:
        [name] = names(client)
        client.post(f"/ask/talks/{name}/open")
        assert "The server ended while this was being answered." in client.get("/ask").text
        assert client.get("/ask/now").json() == {"last": 1, "running": False}


def test_a_write_that_waited_when_the_server_ended_is_named_as_not_made(vault: VaultClient) -> None:
    session = Session()
    turn = session.begin("chat", "Make a note", "t1", vault.obsidian.rules)
    turn.proposals.append(Proposal("p", ProposedWrite("create", "New.md", "")))
    turn.proposals.append(Proposal("q", ProposedWrite("create", "Made.md", ""), "approved"))
    history.keep(vault, session)
    with come_in(vault) as client:
        [name] = names(client)
        client.post(f"/ask/talks/{name}/open")
        page = client.get("/ask").text
        assert "Not made: New.md" in page
        assert 'value="approve"' not in page
        assert "Made.md" not in page
