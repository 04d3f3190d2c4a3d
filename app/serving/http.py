"""A web server that waits for no connection for ever: limits on heads, bodies, time and number."""

import asyncio
import socket
import sys
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.limits import BODY_SECONDS, CONNECTIONS, HEAD_SECONDS, HEADER_BYTES

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEAD_REFUSED = f"address and headers have more than {HEADER_BYTES:,} bytes"
KEEP_ALIVE_SECONDS = 5
HEAD_TOO_LARGE = 431


class _BoundedConnection(H11Protocol):
    """A connection that waits for a request no longer than agreed; uvicorn itself would wait for ever.

    Where there are too many connections, the one goes that has waited longest for a request: whoever opens
    many and asks nothing locks nobody out.
    """

    deadline: asyncio.TimerHandle | None = None
    waiting_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, for another one if need be."""
        super().connection_made(transport)
        self._wait()
        held = [
            one
            for one in self.connections
            if isinstance(one, _BoundedConnection) and not one.transport.is_closing()
        ]
        if len(held) > CONNECTIONS:
            idle = [one for one in held if one._is_idle]
            oldest = min(idle, key=lambda one: one.waiting_since)
            oldest._refuse(503, f"this server holds {CONNECTIONS} connections at once, and more came")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline with the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what arrived; a deadline runs from the first byte of a head, and of a body, to its last."""
        before = self.conn.their_state
        super().data_received(data)
        after = self.conn.their_state
        if self.transport.is_closing() or after not in (h11.IDLE, h11.SEND_BODY):
            self._stop_waiting()
        elif after is not before or self.deadline is None:
            self._wait()

    def send_400_response(self, msg: str) -> None:
        """Say which limit a head passed that cannot be read."""
        error = sys.exception()
        if isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == HEAD_TOO_LARGE:
            self._refuse(HEAD_TOO_LARGE, HEAD_REFUSED)
        else:
            super().send_400_response(msg)

    @property
    def _is_idle(self) -> bool:
        """Whether no request has arrived that is not answered."""
        return self.conn.their_state is h11.IDLE

    def _wait(self) -> None:
        self._stop_waiting()
        self.waiting_since = self.loop.time()
        seconds = HEAD_SECONDS if self._is_idle else BODY_SECONDS
        self.deadline = self.loop.call_later(seconds, self._give_up, seconds)

    def _stop_waiting(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _give_up(self, seconds: float) -> None:
        self._refuse(408, f"the request did not arrive within {seconds:g} seconds")

    def _refuse(self, status: int, message: str) -> None:
        """Say why, where no answer has begun, and close."""
        self._stop_waiting()
        if self.cycle is not None:
            # Whoever works on the request hears that nobody waits, and says nothing more.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if not self.transport.is_closing() and self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            headers = [("content-type", "text/plain; charset=utf-8"), ("connection", "close")]
            answer = h11.Response(status_code=status, headers=headers)
            for event in (answer, h11.Data(data=f"{message}\n".encode()), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class _BoundedHead:
    """Refuses a head that is too large though it arrived at once, which h11 lets pass; an ASGI middleware."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Check one request."""
        if scope["type"] == "http":
            fields = sum(len(name) + len(value) for name, value in scope["headers"])
            if fields + len(scope["raw_path"]) + len(scope["query_string"]) > HEADER_BYTES:
                await PlainTextResponse(HEAD_REFUSED + "\n", HEAD_TOO_LARGE)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def serve(app: "ASGIApp", listener: socket.socket, **choices: Any) -> None:  # noqa: ANN401 - uvicorn's own
    """Serve until interrupted.

    Args:
        app: What is served.
        listener: The socket, listening.
        choices: Further settings of uvicorn.
    """
    config = uvicorn.Config(
        _BoundedHead(app),
        http=_BoundedConnection,
        ws="none",
        # Without a configuration of its own, uvicorn would log to standard output.
        log_config=None,
        h11_max_incomplete_event_size=HEADER_BYTES,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=2,
        **choices,
    )
    uvicorn.Server(config).run(sockets=[listener])


async def read_body(receive: "Receive", most: int) -> bytes | None:
    """Return a request's body, empty where the client left; None where it has more than ``most`` bytes."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > most:
            return None
        parts.append(part)
        if not message.get("more_body"):
            return b"".join(parts)


def replay(body: bytes, receive: "Receive") -> "Receive":
    """Return what gives the body once more, then whatever follows it."""
    waiting = [body]

    async def again() -> "Message":
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again
