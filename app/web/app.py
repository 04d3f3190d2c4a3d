"""The application: every address behind the guard, the way in, and one way to show what goes wrong."""

import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

from app.config.settings import logger
from app.errors import NoteNotFoundError, VaultError
from app.sentences import Sentence
from app.serving.address import Address
from app.serving.keeper import Keeper
from app.vault.client import VaultClient
from app.web.around import around_page
from app.web.browse import folder_page, names_data, tags_page
from app.web.days import month_page
from app.web.door import Door
from app.web.files import diagram_part, file_part, play_part
from app.web.guard import HEADERS, Guard, cookie_name
from app.web.note import note_page
from app.web.pages import STATIC, WebContext, context_of, page, refused
from app.web.search import facets_part, meaning_part, search_page, why_part
from app.web.status import progress_part, status_page
from app.web.talk.earlier import earlier_routes
from app.web.talk.routes import talk_routes
from app.web.talk.sessions import Talk
from app.web.waiting import while_awaited

MISSING = ("there is nothing at this address", "search for it, or go back")


async def _enter(request: Request) -> Response:
    """Exchange a token, from the address or from the form, for a session; else show the form."""
    if request.method == "POST":
        fields = parse_qs((await request.body()).decode("utf-8", "replace"), max_num_fields=10)
        token = fields.get("token", [""])[0].strip().rpartition("token=")[2]
    else:
        token = request.query_params.get("token", "")
    session = context_of(request).door.enter(token) if token else None
    if session is None:
        return page(request, "enter.html", status=401 if token else 200, wrong=bool(token))
    # Not a redirect: opened from another site's page, it would not bring a SameSite=Strict cookie along.
    answer = page(request, "entered.html")
    answer.set_cookie(
        cookie_name(request.scope), session.key, path="/", httponly=True, samesite="strict", secure=False
    )
    return answer


async def _alive(_: Request) -> Response:
    """Say that the program answers, and knows this browser."""
    return Response(status_code=204)


def _routes() -> list[BaseRoute]:
    """Return all routes, in the order in which they are tried."""
    return [
        Route("/", while_awaited(search_page)),
        Route("/alive", _alive),
        Route("/facets", while_awaited(facets_part)),
        Route("/meaning", while_awaited(meaning_part)),
        Route("/why", while_awaited(why_part)),
        Route("/note/{path:path}", note_page),
        Route("/browse/{folder:path}", folder_page),
        Route("/tags", tags_page),
        Route("/days/{month:path}", month_page),
        Route("/names", names_data),
        Route("/around/{path:path}", around_page),
        Route("/file/{path:path}", file_part),
        Route("/play/{path:path}", play_part),
        Route("/diagram", diagram_part),
        Route("/status", status_page),
        Route("/status/progress", progress_part),
        Route("/enter", _enter, methods=["GET", "POST"]),
        *talk_routes(),
        *earlier_routes(),
        Mount("/static", GZipMiddleware(_Static(directory=STATIC), compresslevel=6)),
    ]


WITHOUT_ORIGIN = {"diagram.css", "diagram.js", "mermaid-tiny-11.17.2.js"}
"""What a frame loads that has no origin of its own."""


class _Static(StaticFiles):
    """Our own scripts and styles: kept for good by an address that names their content."""

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        is_named = bool(scope["query_string"])
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if is_named else "no-cache"
        if Path(full_path).name in WITHOUT_ORIGIN:
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response


def build_app(
    vault: VaultClient,
    *,
    token: str | None = None,
    address: Address | None = None,
    keeper: Keeper | None = None,
    announce: Callable[[str], None] | None = None,
) -> Starlette:
    """Build the page of a vault.

    Args:
        vault: The vault.
        token: What lets a browser in, any number of times; without it one is made up for each browser.
        address: Where it will listen; says by which names it may be called.
        keeper: What keeps the index; without it one that was not started.
        announce: Is told each new token that was made up after the first.

    Raises:
        BadRequestError: the token can be guessed.
    """
    # What a token opened ends with the server: a browser sends its cookie to whoever answers at this address,
    # also while the server is down.
    door = Door(token, announce)
    app = Starlette(
        routes=_routes(),
        middleware=[Middleware(Guard, door=door, names=(address or Address()).answers_to, refuse=_refuse)],
        exception_handlers={
            VaultError: _vault_error,
            HTTPException: _http_error,
            Exception: _last_resort,
        },
    )
    app.state.context = WebContext(vault, keeper or Keeper(vault), door)
    app.state.talk = Talk(vault)
    return app


def _refuse(request: Request, status: int, message: str, hint: str) -> Response:
    return refused(request, status, message, hint)


def _vault_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, VaultError)
    return refused(request, 404 if isinstance(error, NoteNotFoundError) else 400, error.message, error.hint)


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message, hint = MISSING if error.status_code == 404 else (error.detail, "")
    return refused(request, error.status_code, message, hint)


def _last_resort(request: Request, error: Exception) -> Response:
    logger.error("page_failed", extra={"path": request.url.path, "error": str(error)}, exc_info=error)
    answer = refused(
        request,
        500,
        Sentence("unexpected failure: {kind}", kind=type(error).__name__),
        "run 'serve --debug' to see the log",
    )
    # Starlette gives this answer from outside the guard.
    answer.headers.update(HEADERS)
    return answer
