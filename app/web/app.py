"""The application: routes behind the guard, and one way to show what goes wrong."""

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from app.dependencies import VaultClient, logger
from app.errors import NoteNotFoundError, VaultError
from app.serving.address import Address
from app.serving.keeper import Keeper
from app.web.context import WebContext
from app.web.door import Door
from app.web.guard import HEADERS, Guard
from app.web.pages import refused
from app.web.routes import routes
from app.web.talk.sessions import Talk

MISSING = ("there is nothing at this address", "search for it, or go back")


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
    door = Door(token, announce)
    app = Starlette(
        routes=routes(),
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
        request, 500, f"unexpected failure: {type(error).__name__}", "run 'serve --debug' to see the log"
    )
    # Starlette gives this answer from outside the guard.
    answer.headers.update(HEADERS)
    return answer
