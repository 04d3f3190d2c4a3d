"""The server over HTTP: many clients, each with the token, none of them a foreign web page."""

import hmac
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mcp.server import Server
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware

from app.errors import BadRequestError
from app.limits import LEAST_TOKEN, MESSAGE_BYTES
from app.serving.address import Address, bind

if TYPE_CHECKING:
    from app.mcp.permission import TokenFile

PATH = "/mcp"


class _OneToken(TokenVerifier):
    """Takes the one token of a server that has no file of tokens."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what is known of whoever has the token."""
        if not hmac.compare_digest(token.encode("utf-8", "surrogatepass"), self._token):
            return None
        return AccessToken(token=token, client_id="token", scopes=[])


def http_app(
    server: Server[Any],
    address: Address,
    token: str | None,
    tokens: "TokenFile | None" = None,
) -> Starlette:
    """Make the SDK's application: it looks at the token, at the names it is called by, and at the message.

    A file of ``tokens`` says which are taken, and what each allows; there is no ``token`` then.

    Raises:
        BadRequestError: there is no token, or one that can be guessed, where others can reach the server.
    """
    names = sorted(set(address.answers_to))
    verifier: TokenVerifier | None = tokens
    if tokens is None:
        check_token(address, token)
        verifier = None if token is None else _OneToken(token)
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[host for name in names for host in (name, f"{name}:*")],
            allowed_origins=[origin for name in names for origin in (f"http://{name}", f"http://{name}:*")],
        ),
        max_request_body_size=MESSAGE_BYTES,
        token_verifier=verifier,
    )
    if verifier is not None:
        # The SDK looks at tokens by itself only where there is an authorization server.
        backend = BearerAuthBackend(verifier)
        app.user_middleware += [
            Middleware(AuthenticationMiddleware, backend=backend),
            Middleware(AuthContextMiddleware),
        ]
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
    tokens: "TokenFile | None" = None,
) -> None:
    """Serve until interrupted.

    Args:
        server: What is served.
        address: Where; port 0 takes any that is free.
        token: What every request must carry; None for no token, on loopback only.
        listening: Is given the URL once connections are taken.
        tokens: Checks the tokens of a file, instead of ``token``.

    Raises:
        BadRequestError: as for `http_app`.
        VaultError: the address cannot be listened on.
    """
    from app.serving.http import serve

    app = http_app(server, address, token, tokens)
    with bind(address) as listener:
        listening(address.url(listener.getsockname()[1]) + PATH)
        serve(app, listener, lifespan="on")
