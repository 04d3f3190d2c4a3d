"""A vault in an app with an event loop: data comes back, the loop stays free, and events come in their order."""

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from app.chat.ask.events import AskEvent, Done, EvidenceFound, Searching, Verdicts, Words
from app.chat.evidence import order, spans
from app.errors import BadRequestError, ConflictError, NoteNotFoundError
from app.library import vault as module
from app.library.vault import Vault
from app.notes import apply, find, proposal
from app.search.searcher import Searcher
from app.stopping import GivenUp
from app.tests.chat.ask.conftest import VAULT
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import contents

LOG = "projects/petrel/changelog.md"


@pytest.fixture
def vault(tiny_vault: MakeVault) -> Vault:
    return Vault(tiny_vault(VAULT))


def streamed(*steps: str | dict[int, DeltaToolCall]) -> FunctionModel:
    """A model that writes its answer piece by piece; a list of texts is one response."""

    async def respond(
        messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        for step in steps:
            yield step

    return FunctionModel(stream_function=respond, model_name="script")


async def events_of(vault: Vault, question: str, model: FunctionModel | str) -> list[AskEvent]:
    return [event async for event in vault.ask_stream(question, model=model)]


@pytest.mark.asyncio
async def test_hits_are_data(vault: Vault) -> None:
    notices: list[str] = []
    [hit] = await vault.search("larch late", limit=1, notices=notices)
    assert (hit.path, hit.lines, hit.heading) == (LOG, "7-12", "2025-07-14")
    assert await vault.search("larch late", scopes=["tasks.md"]) == []
    with pytest.raises(BadRequestError, match="unknown mode"):
        await vault.search("larch", "slow")


@pytest.mark.asyncio
async def test_a_note_is_read_by_name_and_an_excluded_one_is_not(vault: Vault) -> None:
    assert (await vault.read("tasks")).text == VAULT["tasks.md"]
    for name in ("private/Gift", "Nowhere"):
        with pytest.raises(NoteNotFoundError):
            await vault.read(name)


@pytest.mark.asyncio
async def test_events_of_an_answer_without_a_model(vault: Vault) -> None:
    searching, evidence, words, verdicts, done = await events_of(vault, "How late was the larch?", "offline")
    assert searching == Searching("search: How late was the larch?")
    assert isinstance(evidence, EvidenceFound)
    assert evidence.evidence[0].path == LOG
    assert isinstance(done, Done)
    assert done.document == await vault.ask("How late was the larch?", model="offline")
    assert words == Words(done.document.overview, begins=True)
    assert verdicts == Verdicts(done.document.claims, done.document.remarks)
    assert [claim.verdict for claim in done.document.claims] == ["quoted"]


@pytest.mark.asyncio
async def test_words_come_as_the_model_writes_them(vault: Vault) -> None:
    events = await events_of(
        vault, "Was the larch late?", streamed("The larch came ", "four weeks late [1].")
    )
    assert [event for event in events if isinstance(event, Words)] == [
        Words("The larch came ", begins=True),
        Words("four weeks late [1]."),
    ]
    assert [type(event) for event in events[:2]] == [Searching, EvidenceFound]
    assert [type(event) for event in events[-2:]] == [Verdicts, Done]
    assert isinstance(events[-1], Done)
    assert f"`{LOG}`" in events[-1].document.overview


@pytest.mark.asyncio
async def test_words_inside_the_call_of_the_answer_are_read_out_of_it(vault: Vault) -> None:
    pieces = ['{"overview": "The lar', 'ch came four \\"weeks\\"', ' late [1].", "files": [', "]}"]

    async def respond(
        messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[dict[int, DeltaToolCall]]:
        yield {0: DeltaToolCall(info.output_tools[0].name, "", tool_call_id="a")}
        for piece in pieces:
            yield {0: DeltaToolCall(None, piece)}

    model = FunctionModel(stream_function=respond, model_name="script")
    words = [event for event in await events_of(vault, "Was it late?", model) if isinstance(event, Words)]
    assert "".join(word.text for word in words) == 'The larch came four "weeks" late [1].'
    assert [word.begins for word in words] == [True, False, False]


@pytest.mark.asyncio
async def test_whoever_stops_listening_stops_the_model(vault: Vault) -> None:
    ended = asyncio.Event()

    async def respond(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        try:
            yield "The larch"
            await asyncio.Event().wait()
        finally:
            ended.set()

    model = FunctionModel(stream_function=respond, model_name="script")
    async with aclosing(vault.ask_stream("Was it late?", model=model)) as events:
        async for event in events:
            if isinstance(event, Words):
                break
    await asyncio.wait_for(ended.wait(), 300)


@pytest.mark.asyncio
async def test_whoever_stops_waiting_stops_an_answer_without_a_model(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "How late was the larch, and when was the boat launched?"
    read: list[str] = []
    reading, left = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def spans_of(text: str, *rest: Any) -> Any:
        # The first passage is read until nobody waits any more.
        read.append(text)
        loop.call_soon_threadsafe(reading.set)
        left.wait(300)
        return spans.spans_of(text, *rest)

    monkeypatch.setattr(order, "spans_of", spans_of)
    asking = asyncio.ensure_future(vault.ask(question, model="offline"))
    await asyncio.wait_for(reading.wait(), 300)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    left.set()
    # One answer is worked out at a time, so that this one comes after the end of the other.
    assert (await vault.ask("?", model="offline")).overview
    assert len(read) == 1


@pytest.mark.asyncio
async def test_a_change_is_proposed_in_one_task_and_approved_in_another(vault: Vault) -> None:
    client = vault.client
    before = contents(client)
    waiting = await vault.propose({"operation": "create", "path": "New", "content": "n"})
    assert contents(client) == before
    done = await asyncio.create_task(Vault(client.root).approve(waiting.token))
    assert done == "Done: create 'New.md'.\nhash " + client.read("New.md").hash
    assert await vault.write([{"operation": "append", "path": "New", "content": "m"}])
    assert client.read("New.md").text == "n\n\nm\n"
    late = await vault.propose({"operation": "append", "path": "New", "content": "late"})
    await vault.write({"operation": "append", "path": "New", "content": "first"})
    with pytest.raises(ConflictError):
        await vault.approve(late.token)
    other = await vault.propose({"operation": "append", "path": "New", "content": "other"})
    assert [await vault.withdraw(other.token), await vault.withdraw(other.token)] == [True, False]


async def cancelled_at(
    monkeypatch: pytest.MonkeyPatch, work: Coroutine[Any, Any, object], owner: object, name: str
) -> BaseException | None:
    """Cancel work just before its thread calls a function; return how the work in the thread ended."""
    loop, reached, left = asyncio.get_running_loop(), asyncio.Event(), threading.Event()
    function, run, ended = getattr(owner, name), module.in_thread, queue.Queue[BaseException | None]()

    def called(*given: Any, **named: Any) -> Any:
        loop.call_soon_threadsafe(reached.set)
        left.wait(300)
        return function(*given, **named)

    async def watched(task: Callable[[], object]) -> object:
        def to_its_end() -> object:
            try:
                done = task()
            except BaseException as error:
                ended.put(error)
                raise
            ended.put(None)
            return done

        return await run(to_its_end)

    with monkeypatch.context() as patched:
        patched.setattr(owner, name, called)
        patched.setattr(module, "in_thread", watched)
        working = asyncio.ensure_future(work)
        await asyncio.wait_for(reached.wait(), 300)
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        left.set()
        return await asyncio.to_thread(ended.get, timeout=60)


@pytest.mark.asyncio
async def test_a_cancelled_search_and_a_cancelled_reading_end_at_their_next_step(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with vault:
        ended = await cancelled_at(monkeypatch, vault.search("larch"), Searcher, "_rank")
        assert isinstance(ended, GivenUp)
        ended = await cancelled_at(monkeypatch, vault.read("tasks"), find, "shown_scan")
        assert isinstance(ended, GivenUp)
        assert await vault.search("larch")


@pytest.mark.asyncio
async def test_a_cancelled_write_is_whole_or_not_there(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    client = vault.client
    before, new = contents(client), {"operation": "create", "path": "New", "content": "n"}
    ended = await cancelled_at(monkeypatch, vault.write([new]), proposal, "must_ask")
    assert isinstance(ended, GivenUp)
    waiting = await vault.propose(new)
    ended = await cancelled_at(monkeypatch, vault.approve(waiting.token), proposal, "_plan")
    assert isinstance(ended, GivenUp)
    assert contents(client) == before
    # Once it has begun it comes to its end, and can be taken back.
    assert await cancelled_at(monkeypatch, vault.approve(waiting.token), apply, "_do") is None
    assert client.read("New.md").text == "n"
    assert (await vault.write({"operation": "undo"})).startswith("Done: ")
    assert contents(client) == before
