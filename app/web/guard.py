"""Lets no request through that is not the person's own, and sets what every answer carries."""

import hmac
from collections.abc import Awaitable, Callable, Collection
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.limits import ADDRESS_FIELDS, BODY_BYTES
from app.sentences import Sentence
from app.serving.http import read_body, replay
from app.web.door import BrowserSession, Door

LOOKS, ENTRY = "/static/", "/enter"
"""What is served without a session: the page's own looks, and the way in."""
SAFE = ("GET", "HEAD")
CSRF_HEADER = "x-csrf-token"
CSRF_FIELD = "csrf"
FORM = "application/x-www-form-urlencoded"

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    # "no-referrer" would make browsers send "Origin: null" with our own forms.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Refuse = Callable[[Request, int, str, str], Response]


class Guard:
    """An ASGI middleware: the name the server is called by, the origin, the session, and the form's token.

    Args:
        app: What is guarded.
        door: Knows the sessions.
        names: The names by which the server may be called, without the port.
        refuse: Makes the answer from a request, a status, a message and a hint.
    """

    def __init__(self, app: ASGIApp, door: Door, names: Collection[str], refuse: Refuse) -> None:
        self._app, self._door, self._names, self._refuse = app, door, names, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        session = self._session(scope, headers)
        scope.setdefault("state", {})["session"] = session
        told = _with_headers(send)
        refused = self._refusal(scope, headers, session)
        if refused is None and scope["method"] not in SAFE:
            body = await read_body(receive, BODY_BYTES)
            if body is None:
                refused = (
                    413,
                    Sentence("the request is larger than {size:,} bytes", size=BODY_BYTES),
                    "send less at once",
                )
            elif headers.get("content-type", "").startswith(FORM) and body.count(b"&") >= ADDRESS_FIELDS:
                refused = (
                    400,
                    Sentence("the form has more than {most} fields", most=ADDRESS_FIELDS),
                    "send less at once",
                )
            else:
                receive = replay(body, receive)
                if session is not None and not _carries(session, headers, body):
                    refused = (403, "the form is from another session", "load the page again")
        if refused is not None:
            await self._refuse(Request(scope), *refused)(scope, receive, told)
            return
        await self._app(scope, receive, told)

    def _session(self, scope: Scope, headers: Headers) -> BrowserSession | None:
        cookie = SimpleCookie()
        try:
            cookie.load(headers.get("cookie", ""))
        except CookieError:
            return None
        held = cookie.get(cookie_name(scope))
        return self._door.session(held.value) if held is not None else None

    def _refusal(
        self, scope: Scope, headers: Headers, session: BrowserSession | None
    ) -> tuple[int, str, str] | None:
        """Say why a request is refused before its body is read: status, message, hint."""
        host = headers.get("host", "").lower()
        if _name(host) not in self._names:
            return 421, "this server is not called that", "name it with --allow-host, if it is"
        origin = headers.get("origin")
        if scope["method"] not in SAFE and origin is not None and not _is_own(origin, scope, host):
            return 403, "the request comes from another page", "use this page's own forms"
        if scope["query_string"].count(b"&") >= ADDRESS_FIELDS:
            return (
                400,
                Sentence("the address has more than {most} parameters", most=ADDRESS_FIELDS),
                "narrow by fewer at once",
            )
        if session is None and scope["path"] != ENTRY and not scope["path"].startswith(LOOKS):
            return 401, "this browser has not come in yet", "open the address that 'serve' printed"
        return None


def cookie_name(scope: Scope) -> str:
    """Return the name of the session's cookie: browsers keep one jar for all ports of a host."""
    server = scope.get("server") or ("", 0)
    return f"vault-assistant-{server[1]}"


def _name(host: str) -> str:
    """Drop the port."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _is_own(origin: str, scope: Scope, host: str) -> bool:
    parts = urlsplit(origin)
    return parts.scheme == scope["scheme"] and parts.netloc.lower() == host


def _carries(session: BrowserSession, headers: Headers, body: bytes) -> bool:
    """Return whether a request carries its session's token, in a header or in its form."""
    given = headers.get(CSRF_HEADER)
    if given is None and headers.get("content-type", "").partition(";")[0].strip().lower() == FORM:
        fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=ADDRESS_FIELDS)
        given = fields.get(CSRF_FIELD, [""])[0]
    return given is not None and hmac.compare_digest(given.encode(), session.csrf.encode())


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def told(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return told
