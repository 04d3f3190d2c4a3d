"""One turn as server-sent events, from the question to the answer."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from importlib import import_module

from starlette.requests import Request

from app.web.pages import render
from app.web.talk.sessions import Proposal, Session, Talk, Turn
from app.web.talk.written import writes_of


async def stream(request: Request, talk: Talk, session: Session, turn: Turn) -> AsyncIterator[str]:
    """Answer a turn and yield its events.

    ``begin`` and ``end`` bring the turn's HTML, ``step`` and ``text`` plain text, ``asked`` and ``decided``
    the HTML of a proposed write. When nobody takes them any more, the work is cancelled.
    """
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    def emit(name: str, value: object) -> None:
        if isinstance(value, Proposal):
            html = render(request, "ask_write.html", proposal=value)
            queue.put_nowait(_event(name, {"id": value.id, "html": html}))
        else:
            queue.put_nowait(_event(name, {"text": str(value)}))

    yield _event("begin", {"number": turn.number, "html": await render_turn(request, talk, turn)})
    # The agent library takes a second to import.
    answering = await asyncio.to_thread(import_module, "app.web.talk.answering")
    work: asyncio.Task[None] = asyncio.create_task(answering.answer(talk, session, turn, emit))
    session.work = work
    work.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
    finally:
        work.cancel()
        with suppress(asyncio.CancelledError):
            await work
        session.end(turn)
    yield _event("end", {"number": turn.number, "html": await render_turn(request, talk, turn)})


async def render_turn(request: Request, talk: Talk, turn: Turn) -> str:
    """Show a turn as it stands, with the writes that came of it."""
    written = await asyncio.to_thread(writes_of, talk.vault, [turn.trace_id])
    return render(request, "ask_turn.html", turn=turn, written=written)


def _event(name: str, data: object) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
