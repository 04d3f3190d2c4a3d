"""The body of an HTTP request, read once, within a limit, before whoever it is for."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Message, Receive


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
