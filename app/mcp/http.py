"""The server over HTTP: many clients, each with the token, none of them a foreign web page."""

import hmac
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import BadRequestError, VaultError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
ANY = ("0.0.0.0", "::", "")
PATH = "/mcp"
LEAST_TOKEN = 16


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens, and the names by which it may be called."""

    host: str = "127.0.0.1"
    port: int = 8765
    names: tuple[str, ...] = ()

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK


class Bearer:
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


def http_app(server: Server[Any], address: Address, token: str | None) -> Starlette:
    """Make the application: the token first, then the names it is called by, then the protocol.

    Raises:
        BadRequestError: there is no token, or one that can be guessed, where others can reach the server.
    """
    check_token(address, token)
    names = [*_names(address)]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[host for name in names for host in (name, f"{name}:*")],
            allowed_origins=[origin for name in names for origin in (f"http://{name}", f"http://{name}:*")],
        ),
    )
    if token is not None:
        app.add_middleware(Bearer, token=token)
    return app


def check_token(address: Address, token: str | None) -> None:
    """Refuse to serve without a token, or with a short one; raises BadRequestError."""
    if token is None and not address.is_loopback:
        raise BadRequestError(
            f"'{address.host}' can be reached by other machines, so a token is needed",
            "give --token, or leave --no-token out",
        )
    if token is not None and (len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable()):
        raise BadRequestError(
            f"the token must be {LEAST_TOKEN} characters or more, all of them ASCII",
            f"for example {secrets.token_urlsafe()}",
        )


def _names(address: Address) -> Sequence[str]:
    """Give the names and addresses by which the server may be called."""
    names = ["127.0.0.1", "localhost", "[::1]", *address.names]
    if address.host in ANY:
        names.append(socket.gethostname())
    elif not address.is_loopback:
        names.append(f"[{address.host}]" if ":" in address.host else address.host)
    return names


def serve_http(
    server: Server[Any], address: Address, token: str | None, listening: Callable[[str], None]
) -> None:
    """Serve until interrupted.

    Args:
        server: What is served.
        address: Where; port 0 takes any that is free.
        token: What every request must carry; None for no token, on loopback only.
        listening: Is given the URL once connections are taken.

    Raises:
        BadRequestError: as for `http_app`.
        VaultError: the address cannot be listened on.
    """
    import uvicorn

    app = http_app(server, address, token)
    with closing(_bound(address)) as listener:
        port = listener.getsockname()[1]
        shown = f"[{address.host}]" if ":" in address.host else address.host or "0.0.0.0"
        # Without a configuration of its own, uvicorn would log to standard output.
        config = uvicorn.Config(app, log_config=None, lifespan="on", timeout_graceful_shutdown=2)
        listening(f"http://{shown}:{port}{PATH}")
        uvicorn.Server(config).run(sockets=[listener])


def _bound(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address.host, address.port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise VaultError(
            f"cannot listen on {address.host}:{address.port}: {error}", "choose another --host or --port"
        ) from error
    return listener
