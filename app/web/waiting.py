"""Handlers whose work ends at its next step once the browser has gone, or asks for something newer."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from app.stopping import GivenUp, awaited

CLOSED = 499
"""The status that logs show for a request whose browser went; nobody receives it."""


def while_awaited(answer: Callable[[Request], Response]) -> Callable[[Request], Awaitable[Response]]:
    """Have a handler work in a thread, and told to stop where its request is aborted.

    One that has not begun by then never does.
    """

    async def handle(request: Request) -> Response:
        try:
            with awaited():
                working = asyncio.create_task(asyncio.to_thread(answer, request))
                going = asyncio.create_task(_gone(request))
                try:
                    await asyncio.wait((working, going), return_when=asyncio.FIRST_COMPLETED)
                    if not working.done():
                        raise GivenUp
                    return working.result()
                finally:
                    going.cancel()
                    working.cancel()
        except GivenUp:
            return Response(status_code=CLOSED)

    return handle


async def _gone(request: Request) -> None:
    """Return when the browser has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
