"""The addresses of Ask: the page, a question and its stream of events, a person's word on a write, undo."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Collection
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import cast, get_args

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from app.bootstrap import new_trace_id
from app.chat.save import FOLDER, save_conversation
from app.config.settings import OFFLINE
from app.errors import BadRequestError
from app.journal.journal import Journal
from app.limits import MESSAGE_CHARS, QUERY_CHARS, check_text
from app.llm.log import Sending, sending
from app.llm.masks import is_elsewhere
from app.notes.answer import NoteCall
from app.notes.gate import Gate
from app.sentences import LANGUAGES, said
from app.vault.client import VaultClient
from app.web.door import BrowserSession
from app.web.pages import page, reader_language, render
from app.web.status import MOST_SENT, SENT_CHARS, read_log
from app.web.talk.history import keep, talks
from app.web.talk.sessions import Event, Mode, PageTurn, Proposal, SentTo, Session, Step, Talk

KEEP_SECONDS = 2.0
"""How often a talk is written while an answer goes on."""
SHOWN_TALKS = 5
"""Earlier talks that an empty page names."""


@dataclass(frozen=True, slots=True)
class Written:
    """One write that was done, and whether it was taken back since."""

    id: str
    operation: str
    path: str
    undone: bool

    @property
    def holds_talk(self) -> bool:
        """Whether it is what was said, saved as a note that is still there."""
        folders = {said(FOLDER, language) for language in LANGUAGES}
        return self.operation == "create" and not self.undone and self.path.partition("/")[0] in folders


def writes_of(vault: VaultClient, trace_ids: Collection[str]) -> dict[str, list[Written]]:
    """Return the writes of some turns, by their trace ids, oldest first; excluded notes are not named."""
    found: dict[str, list[Written]] = {name: [] for name in trace_ids}
    if not found:
        return found
    for entry in Journal(vault).entries():
        if entry.trace_id in found and entry.operation != "undo" and not vault.is_excluded(entry.path):
            written = Written(entry.id, entry.operation, entry.path, entry.undone)
            found[entry.trace_id].append(written)
    return found


def take_back(vault: VaultClient, name: str, trace_id: str) -> str:
    """Take one write back, if nothing was written to its note since; the person's click is the approval.

    Args:
        vault: The vault.
        name: The write, as its journal entry is called.
        trace_id: Names the turn that takes it back, in the journal.

    Returns:
        What was done, as a sentence.

    Raises:
        BadRequestError: there is no such write, or a later one has to be taken back first.
        VaultError: the note changed since, or writing is not allowed.
    """
    entry = next((each for each in Journal(vault).entries() if each.id == name), None)
    if entry is None or entry.undone:
        raise BadRequestError("there is no such write to take back", "load the page again")
    refused = vault.settings.writes == "refuse"
    gate = Gate("refuse" if refused else "ask", by_agent=False, can_ask=True)
    call = NoteCall(vault, {"operation": "undo", "path": f"/{entry.path}"}, gate, trace_id=trace_id)
    call.begin()
    if call.plan is None or call.plan.undoes != (name,):
        raise BadRequestError(
            "'{path}' was written to since", "take the later write back first", path=entry.path
        )
    return call.decide(approved=True).partition("\n")[0]


async def run_turn(talk: Talk, session: Session, turn: PageTurn) -> None:
    """Answer a turn, whoever follows it, and keep it."""
    over = asyncio.Event()
    keeping = asyncio.create_task(_keep_until(over, talk, session))
    left = Sending(turn.trace_id)
    try:
        # The agent library takes a second to import.
        answering = await asyncio.to_thread(import_module, "app.web.talk.answering")
        with sending(turn.trace_id) as left:
            await answering.answer_turn(talk, session, turn)
    finally:
        turn.sent = tuple(
            SentTo(model, count, is_here=not is_elsewhere(where, model))
            for (model, where), count in Counter(left.sent).items()
        )
        session.end(turn)
        over.set()
        try:
            # Also where this was cancelled.
            await asyncio.shield(keeping)
            await asyncio.shield(asyncio.to_thread(_show_early_end, talk.vault, turn))
        finally:
            session.tell(turn, "end", turn)


async def _keep_until(over: asyncio.Event, talk: Talk, session: Session) -> None:
    """Keep a talk while it goes on, and once it is over: a server that is killed loses little of it."""
    while not over.is_set():
        await asyncio.to_thread(keep, talk.vault, session)
        with suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), KEEP_SECONDS)
    await asyncio.to_thread(keep, talk.vault, session)


def _show_early_end(vault: VaultClient, turn: PageTurn) -> None:
    """Show what was said by then in a turn that was stopped or failed."""
    if turn.state != "done" and turn.text:
        from app.web.talk.answering import shown_text

        turn.answer, turn.sources = shown_text(vault, turn.text, turn.number)


async def _follow(request: Request, talk: Talk, session: Session, turn: PageTurn) -> AsyncIterator[str]:
    """Yield what happens in a turn, beginning with how it stands.

    ``begin`` and ``end`` bring the turn's HTML, ``step`` plain text, ``said`` the HTML of what was said so
    far, ``asked`` and ``decided`` the HTML of a proposed write. The turn goes on when nobody follows it.
    """
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    session.listeners.add(queue)
    try:
        # Nothing is awaited in between, so that nothing is missed and nothing told twice.
        yield _event("begin", _data_of(request, turn))
        runs, shown = session.running is turn, turn.answer
        while runs:
            event = await queue.get()
            if event is None:
                break
            of, name, value = event
            if of is not turn:
                continue
            if name == "end":
                break
            if name == "said":
                # Of several that wait, the first brings all.
                if turn.answer != shown:
                    shown = turn.answer
                    yield _event(name, {"html": render(request, "ask_answer.html", turn=turn)})
            elif isinstance(value, Proposal):
                html = render(request, "ask_write.html", proposal=value)
                yield _event(name, {"id": value.id, "html": html})
            elif isinstance(value, Step):
                yield _event(name, {"text": value.words[reader_language(request)]})
    finally:
        session.listeners.discard(queue)
    if turn.state != "running":
        html = await _render_turn(request, talk, turn)
        yield _event("end", {"number": turn.number, "html": html})


def _data_of(request: Request, turn: PageTurn) -> dict[str, object]:
    html = render(request, "ask_turn.html", turn=turn, written={turn.trace_id: []})
    return {"number": turn.number, "html": html}


async def _render_turn(request: Request, talk: Talk, turn: PageTurn) -> str:
    """Show a turn as it stands, with the writes that came of it."""
    written = await asyncio.to_thread(writes_of, talk.vault, [turn.trace_id])
    return render(request, "ask_turn.html", turn=turn, written=written)


def _event(name: str, data: object) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def talk_routes() -> list[BaseRoute]:
    """Return the routes of Ask; the application's state holds its `Talk` as ``talk``."""
    return [
        Route("/ask", _show),
        Route("/ask/turns", _begin, methods=["POST"]),
        Route("/ask/turns/{number:int}.md", _document),
        Route("/ask/turns/{number:int}/events", _rejoin),
        Route("/ask/turns/{number:int}/sent", _sent),
        Route("/ask/now", _now),
        Route("/ask/writes/{name}", _decide, methods=["POST"]),
        Route("/ask/stop", _stop, methods=["POST"]),
        Route("/ask/undo", _undo, methods=["POST"]),
        Route("/ask/save", _save, methods=["POST"]),
        Route("/ask/new", _forget, methods=["POST"]),
    ]


async def _show(request: Request) -> Response:
    """Show what was asked and answered so far, and the box for the next question."""
    talk, session = mine(request)
    turns = list(session.turns)
    written = await asyncio.to_thread(writes_of, talk.vault, [turn.trace_id for turn in turns])
    return page(
        request,
        "ask.html",
        turns=turns,
        earlier=[] if turns else (await asyncio.to_thread(talks, talk.vault))[:SHOWN_TALKS],
        has_notes=bool(turns or (await asyncio.to_thread(talk.vault.scan)).notes),
        written=written,
        question=request.query_params.get("q", "")[:QUERY_CHARS],
        model=talk.chat_model.model_name if talk.chat_model else talk.vault.settings.model or "",
        writes=talk.vault.settings.writes,
        can_save=session.running is None and bool(session.exchanges()),
    )


async def _begin(request: Request) -> Response:
    """Take a question, and stream what is done about it as server-sent events.

    Who answers is decided here, unless the question was asked before: then it is who answered it.
    """
    talk, session = mine(request)
    fields = await request.form()
    question = str(fields.get("question", ""))
    by_model = talk.chat_model is not None or talk.vault.settings.model not in (None, OFFLINE)
    mode = str(fields.get("mode", "")) or session.who_answers(question, by_model=by_model)
    if mode not in get_args(Mode):
        raise BadRequestError(
            "unknown mode '{mode}'", "it is one of {valid}", mode=mode[:40], valid=", ".join(get_args(Mode))
        )
    check_text(question, "question", QUERY_CHARS if mode == "ask" else MESSAGE_CHARS)
    turn = session.begin(
        cast(Mode, mode),
        question,
        new_trace_id(),
        talk.vault.obsidian.rules,
        language=reader_language(request),
    )
    session.work = asyncio.create_task(run_turn(talk, session, turn))
    return _events(request, talk, session, turn)


def _events(request: Request, talk: Talk, session: Session, turn: PageTurn) -> Response:
    return StreamingResponse(_follow(request, talk, session, turn), media_type="text/event-stream")


async def _rejoin(request: Request) -> Response:
    """Stream the rest of a turn that was begun before, by this page or another."""
    talk, session = mine(request)
    turn = session.turn(request.path_params["number"])
    if turn is None:
        raise HTTPException(404)
    return _events(request, talk, session, turn)


async def _now(request: Request) -> Response:
    """Tell a page that was out of sight which turn is the last one, and whether it runs."""
    _, session = mine(request)
    last = session.turns[-1].number if session.turns else 0
    return JSONResponse({"last": last, "running": session.running is not None})


async def _document(request: Request) -> Response:
    """Return an answer as Markdown: of `ask` the same document as on every surface.

    With ``?alone`` it does not say that the offline assistant gave it.
    """
    _, session = mine(request)
    turn = session.turn(request.path_params["number"])
    if turn is None or turn.state == "running" or not turn.text or turn.is_hidden:
        raise HTTPException(404)
    text = turn.text
    if "alone" in request.query_params:
        answering = await asyncio.to_thread(import_module, "app.web.talk.answering")
        text = answering.without_signature(text)
    return PlainTextResponse(text, media_type="text/markdown")


async def _sent(request: Request) -> Response:
    """Show the texts that were sent to language models for a turn, as far as the log still has them."""
    talk, session = mine(request)
    turn = session.turn(request.path_params["number"])
    if turn is None or turn.is_hidden or not turn.sent:
        raise HTTPException(404)
    found = await asyncio.to_thread(read_log, talk.vault, turn.trace_id)
    return page(
        request,
        "ask_sent.html",
        entries=found[::-1][:MOST_SENT],
        more=len(found) - MOST_SENT,
        gone=sum(each.count for each in turn.sent) - len(found),
        sent_chars=SENT_CHARS,
    )


async def _decide(request: Request) -> Response:
    """Approve of a write that waits, or refuse it; anything but a clear yes is a no."""
    _, session = mine(request)
    fields = await request.form()
    session.decide(request.path_params["name"], approved=fields.get("word") == "approve")
    return Response(status_code=204)


async def _stop(request: Request) -> Response:
    """Stop the answer that is under way; a write that waits is not done."""
    mine(request)[1].stop()
    return Response(status_code=204)


async def _undo(request: Request) -> Response:
    """Take a write back, and show its turn anew; of a chat that was saved, say so."""
    talk, session = mine(request)
    fields = await request.form()
    number, name = str(fields.get("turn", "")), str(fields.get("write", ""))
    if name in session.saved:
        await asyncio.to_thread(take_back, talk.vault, name, new_trace_id())
        return page(request, "ask_saved.html", path="", write="")
    turn = session.turn(int(number)) if number.isdecimal() and len(number) < 10 else None
    known = await asyncio.to_thread(writes_of, talk.vault, [turn.trace_id] if turn else [])
    if turn is None or name not in [write.id for write in known[turn.trace_id]]:
        raise BadRequestError("there is no such write to take back", "load the page again")
    await asyncio.to_thread(take_back, talk.vault, name, new_trace_id())
    return Response(await _render_turn(request, talk, turn), media_type="text/html")


async def _save(request: Request) -> Response:
    """Make a note of the conversation, or of one answer, and name it."""
    talk, session = mine(request)
    fields = await request.form()
    turn = _answered(session, str(fields.get("turn", "")))
    exchanges = [turn.exchange()] if turn else session.exchanges()
    if turn is None and session.running is not None:
        raise BadRequestError(
            "another question is being answered", "wait for it or stop it; it may be in another tab"
        )
    if not exchanges:
        raise BadRequestError("there is no conversation to save yet", "ask something first")
    model = talk.ask_model if turn is not None and turn.mode == "ask" else talk.chat_model
    name = model.model_name if model else talk.vault.settings.model or OFFLINE
    # Under the name of the turn, so that it stands there, to be taken back, when the page is loaded again.
    trace_id = turn.trace_id if turn else session.last_said().trace_id
    path = await asyncio.to_thread(
        save_conversation,
        talk.vault,
        exchanges,
        name,
        trace_id=trace_id,
        language=reader_language(request),
    )
    if turn is not None:
        return Response(await _render_turn(request, talk, turn), media_type="text/html")
    written = await asyncio.to_thread(writes_of, talk.vault, [trace_id])
    write = next((each.id for each in reversed(written[trace_id]) if each.path == path), "")
    session.saved.add(write)
    return page(request, "ask_saved.html", path=path, write=write)


def _answered(session: Session, number: str) -> PageTurn | None:
    """Return the turn of a number, whose answer is there to be saved; None without a number."""
    if not number:
        return None
    turn = session.turn(int(number)) if number.isdecimal() and len(number) < 10 else None
    if turn is None or turn.state != "done" or turn.is_hidden:
        raise BadRequestError("there is no such answer to save", "load the page again")
    return turn


async def _forget(request: Request) -> Response:
    """Start afresh."""
    await mine(request)[1].forget()
    return RedirectResponse("/ask", 303)


def mine(request: Request) -> tuple[Talk, Session]:
    """Return who answers, and the session of the browser that asks."""
    talk: Talk = request.app.state.talk
    visitor: BrowserSession = request.scope["state"]["session"]
    session = talk.session(visitor.key)
    session.hide(talk.vault.obsidian.rules)
    return talk, session
