"""A model server of our own on loopback: two protocols, scripted replies, and every kind of failure."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from app.tests.llm import protocols

PIECE = 7
"""Characters of one piece of a streamed answer."""


@dataclass(frozen=True)
class Reply:
    """What the server does with one request."""

    text: str = ""
    call: Mapping[str, Any] | None = None
    """Arguments of a call of `tool`, instead of a text."""
    tool: str = "vault_search"
    status: int = 200
    body: bytes | None = None
    """Sent as it is, instead of an answer in the request's protocol."""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    breaks_off: bool = False
    """Whether a streamed answer ends in its middle, the connection closed."""
    pause: float = 0.0
    """Seconds in the middle of a streamed answer."""
    events: Sequence[str] | None = None
    """Streamed as they are, instead of an answer in the request's protocol."""
    finish: str | None = "stop"
    """Why a streamed text of the chat completions ends; "length" when it is cut."""

    def pieces(self) -> list[str]:
        """Cut what is streamed, a text or a call's arguments, into pieces."""
        whole = self.text if self.call is None else json.dumps(self.call)
        return [whole[at : at + PIECE] for at in range(0, len(whole), PIECE)]


@dataclass(frozen=True)
class Seen:
    """A request that came in."""

    path: str
    key: str
    body: dict[str, Any]
    port: int = 0
    """Of the client's side: it tells connections apart."""

    @property
    def results(self) -> list[str]:
        """What the tools returned, as the request tells it."""
        return protocols.results(self.body)


Script = Reply | Callable[[Seen], Reply]


class ModelServer(ThreadingHTTPServer):
    """Answers the first request by the first reply, and so on; the last reply is for all that follow."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.replies: list[Script] = [Reply("ok")]
        self.seen: list[Seen] = []
        self.ending = threading.Event()

    @property
    def url(self) -> str:
        """The address, without the protocol's own path."""
        return f"http://127.0.0.1:{self.server_port}"

    def reply(self, seen: Seen) -> Reply:
        """Give the reply whose turn it is."""
        self.seen.append(seen)
        script = self.replies[min(len(self.seen), len(self.replies)) - 1]
        return script if isinstance(script, Reply) else script(seen)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that hung up: the tests of impatient clients do."""


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        key = self.headers.get("x-api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")
        reply = self.server.reply(Seen(self.path, key, body, self.client_address[1]))
        self.server.ending.wait(reply.delay)
        if reply.body is not None or reply.status != 200:
            self._send(reply, reply.body or b"", "application/json")
        elif not body.get("stream"):
            answer = protocols.answer(self.path, reply.text, reply.tool, reply.call)
            self._send(reply, json.dumps(answer).encode(), "application/json")
        else:
            self._stream(reply)

    def _send(self, reply: Reply, body: bytes, kind: str) -> None:
        self.send_response(reply.status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, reply: Reply) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        events = reply.events if reply.events is not None else list(self._events(reply))
        half = len(events) // 2
        for event in events[:half]:
            self._chunk(event)
        if reply.breaks_off:
            # Without the empty chunk that would say that this is all.
            self.close_connection = True
            return
        self.server.ending.wait(reply.pause)
        for event in (*events[half:], ""):
            self._chunk(event)

    def _chunk(self, event: str) -> None:
        data = event.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _events(self, reply: Reply) -> Iterator[str]:
        is_call = reply.call is not None
        for event in protocols.events(self.path, reply.pieces(), reply.tool, is_call, reply.finish):
            name = event.get("type")
            yield (f"event: {name}\n" if name else "") + f"data: {json.dumps(event)}\n\n"
        if self.path.endswith("/chat/completions"):
            yield "data: [DONE]\n\n"

    def log_message(self, *args: object) -> None:
        pass
