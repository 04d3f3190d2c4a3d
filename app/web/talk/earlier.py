"""The addresses of earlier talks: the list, and opening, renaming and deleting one."""

import asyncio
from importlib import import_module

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from app.errors import BadRequestError
from app.limits import QUERY_CHARS
from app.web.pages import page
from app.web.talk import history
from app.web.talk.routes import mine


def earlier_routes() -> list[BaseRoute]:
    """Return the routes of earlier talks."""
    return [
        Route("/ask/talks", _list),
        Route("/ask/talks/{name}/open", _open, methods=["POST"]),
        Route("/ask/talks/{name}/title", _rename, methods=["POST"]),
        Route("/ask/talks/{name}/delete", _delete, methods=["POST"]),
    ]


async def _list(request: Request) -> Response:
    """List the talks that are kept, or those in which some words stand."""
    talk, _ = mine(request)
    words = request.query_params.get("q", "").strip()[:QUERY_CHARS]
    found = await asyncio.to_thread(history.talks, talk.vault, words)
    kept = talk.vault.settings.keep_talks
    return page(request, "ask_talks.html", talks=found, words=words, is_kept=kept)


async def _open(request: Request) -> Response:
    """Go on with a talk in this browser."""
    talk, session = mine(request)
    name = request.path_params["name"]
    if any(each.talk == name and each.running for each in talk.sessions.values()):
        raise BadRequestError("this talk is being answered in a browser", "wait for it, or stop it there")
    if session.running is not None:
        raise BadRequestError("another question is being answered", "wait for it or stop it first")
    found = await asyncio.to_thread(history.read, talk.vault, name)
    answering = await asyncio.to_thread(import_module, "app.web.talk.answering")
    for number, turn in enumerate(found.turns, 1):
        turn.answer, turn.sources = await asyncio.to_thread(
            answering.shown_text, talk.vault, turn.overview, number, turn.answering
        )
    await session.forget()
    history.resume(talk.vault, session, name, found)
    return RedirectResponse("/ask", 303)


async def _rename(request: Request) -> Response:
    talk, _ = mine(request)
    fields = await request.form()
    title = str(fields.get("title", ""))
    await asyncio.to_thread(history.rename, talk.vault, request.path_params["name"], title)
    return RedirectResponse("/ask/talks", 303)


async def _delete(request: Request) -> Response:
    """Delete a talk; a browser that shows it starts afresh."""
    talk, _ = mine(request)
    name = request.path_params["name"]
    for session in list(talk.sessions.values()):
        if session.talk == name:
            await session.forget()
    await asyncio.to_thread(history.delete, talk.vault, name)
    return RedirectResponse("/ask/talks", 303)
