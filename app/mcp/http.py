"""The server over HTTP: many clients, each with the token, none of them a foreign web page."""

import hmac
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mcp.server import Server
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend
from mcp.server.auth.routes import create_protected_resource_routes
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import BadRequestError
from app.limits import LEAST_TOKEN, MESSAGE_BYTES
from app.mcp.messages import fault_of, too_long
from app.serving.address import Address, bind
from app.serving.http import read_body, replay

if TYPE_CHECKING:
    from app.mcp.oauth import TokenChecker
    from app.mcp.permission import TokenFile

PATH = "/mcp"


class _Bearer:
    """Lets no request through that does not carry the token; an ASGI middleware."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request; what is neither a request nor the server's own start and end is dropped."""
        if scope["type"] == "http":
            scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
            if scheme.lower() != "bearer" or not hmac.compare_digest(given.encode(), self._expected):
                refused = PlainTextResponse(
                    "a token is needed: Authorization: Bearer TOKEN\n", 401, {"WWW-Authenticate": "Bearer"}
                )
                await refused(scope, receive, send)
                return
        elif scope["type"] != "lifespan":
            return
        await self._app(scope, receive, send)


class _Readable:
    """Answers a message that cannot be read, with the reason; an ASGI middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the message of one request, and hand on what can be read."""
        # Whoever has no right to be answered is refused further on, unread.
        is_known = "user" not in scope or scope["user"].is_authenticated
        if scope["type"] == "http" and scope["method"] == "POST" and is_known:
            body = await read_body(receive, MESSAGE_BYTES)
            fault = too_long() if body is None else fault_of(body)
            if fault is not None:
                data = fault.model_dump(mode="json", by_alias=True, exclude_unset=True)
                await JSONResponse(data, 413 if body is None else 400)(scope, receive, send)
                return
            receive = replay(body or b"", receive)
        await self._app(scope, receive, send)


def http_app(
    server: Server[Any],
    address: Address,
    token: str | None,
    checker: "TokenChecker | TokenFile | None" = None,
) -> Starlette:
    """Make the application: the token first, then the message, the names it is called by, and the protocol.

    With a ``checker`` there is no token of the server's own: it knows which are taken, and what each allows.

    Raises:
        BadRequestError: there is no token, or one that can be guessed, where others can reach the server.
    """
    names = set(address.answers_to)
    if checker is None:
        check_token(address, token)
    elif checker.auth is not None:
        names.add(str(urlsplit(str(checker.auth.resource_server_url)).hostname))
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[host for name in sorted(names) for host in (name, f"{name}:*")],
            allowed_origins=[
                origin for name in sorted(names) for origin in (f"http://{name}", f"http://{name}:*")
            ],
        ),
        max_request_body_size=MESSAGE_BYTES,
        auth=None if checker is None else checker.auth,
        token_verifier=checker,
    )
    if checker is not None and checker.auth is None:
        # The library looks at tokens by itself only where there is an authorization server.
        backend = BearerAuthBackend(checker)
        app.user_middleware += [
            Middleware(AuthenticationMiddleware, backend=backend),
            Middleware(AuthContextMiddleware),
        ]
    elif checker is not None and checker.auth.resource_server_url is not None:
        # The library's own page names the scope that is required, and not the one to ask for besides.
        app.router.routes[:0] = create_protected_resource_routes(
            checker.auth.resource_server_url, [checker.auth.issuer_url], checker.scopes
        )
    # Behind what looks at tokens.
    app.user_middleware.append(Middleware(_Readable))
    if token is not None and checker is None:
        app.add_middleware(_Bearer, token=token)
    return app


def check_token(address: Address, token: str | None) -> None:
    """Refuse to serve without a token, or with a short one; raises BadRequestError."""
    if token is None and not address.is_loopback:
        raise BadRequestError(
            "'{host}' can be reached by other machines, so a token is needed",
            "give --token, or leave --no-token out",
            host=address.host,
        )
    if token is not None and (len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable()):
        raise BadRequestError(
            "the token must be {least_token} characters or more, all of them ASCII",
            "for example {token}",
            least_token=LEAST_TOKEN,
            token=secrets.token_urlsafe(),
        )


def serve_http(
    server: Server[Any],
    address: Address,
    token: str | None,
    listening: Callable[[str], None],
    checker: "TokenChecker | TokenFile | None" = None,
) -> None:
    """Serve until interrupted.

    Args:
        server: What is served.
        address: Where; port 0 takes any that is free.
        token: What every request must carry; None for no token, on loopback only.
        listening: Is given the URL once connections are taken.
        checker: Checks tokens of an authorization server or of a file, instead of ``token``.

    Raises:
        BadRequestError: as for `http_app`.
        VaultError: the address cannot be listened on.
    """
    from app.serving.http import serve

    app = http_app(server, address, token, checker)
    with bind(address) as listener:
        listening(address.url(listener.getsockname()[1]) + PATH)
        serve(app, listener, lifespan="on")
