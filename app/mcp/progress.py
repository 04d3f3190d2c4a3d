"""What a client is told while one of its calls runs."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from typing import Any

from mcp.server import ServerRequestContext

from app.serving.keeper import Keeper

PAUSE_SECONDS = 0.1
SILENT_SECONDS = 1.0
"""How long a client hears nothing at most; many take a call that is silent for too long for lost."""
MOST_OF_INDEX = 0.99
"""What an index that is up to date counts for: the first step counts as 1, and is more."""


@asynccontextmanager
async def reported(
    context: ServerRequestContext[Any], keepers: Collection[Keeper]
) -> AsyncIterator[Callable[[str], None]]:
    """Report a call, and the indexes being brought up to date meanwhile, to its client.

    Yields:
        What the call says its steps to, as they begin, from any thread.
    """
    for keeper in keepers:
        if keeper.is_awaited:
            await asyncio.to_thread(keeper.hurry)
    said: list[str] = []
    reporter = _Reporter(context, keepers, said)

    async def go_on() -> None:
        while True:
            await reporter.report()
            await asyncio.sleep(PAUSE_SECONDS)

    task = asyncio.create_task(go_on())
    try:
        yield said.append
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await reporter.report()


class _Reporter:
    def __init__(
        self, context: ServerRequestContext[Any], keepers: Collection[Keeper], said: list[str]
    ) -> None:
        self._session, self._keepers, self._said = context.session, keepers, said
        self._told, self._last, self._text = 0, 0.0, "working on it"
        self._spoke = time.monotonic()

    async def report(self) -> None:
        """Tell what is new, or that the same goes on.

        What a client is told only grows: each step counts as one, and what happens before the next as a part.
        """
        while self._told < len(self._said):
            self._told += 1
            await self._say(float(self._told), None, self._said[self._told - 1])
        if not self._told:
            await self._report_index()
        if time.monotonic() - self._spoke >= SILENT_SECONDS:
            await self._say(self._last + (self._told + 1 - self._last) / 100, None, self._text)

    async def _report_index(self) -> None:
        if paces := [pace for keeper in self._keepers if (pace := keeper.pace)]:
            said = "indexing: {} of {} notes"
        elif paces := [pace for keeper in self._keepers if (pace := keeper.passages_pace)]:
            said = "building vectors: {} of {} passages"
        else:
            return
        done, total = sum(pace.done for pace in paces), sum(pace.total for pace in paces)
        part = min(done / max(total, 1), MOST_OF_INDEX)
        if part > self._last:
            await self._say(part, 1.0, said.format(done, total))

    async def _say(self, progress: float, total: float | None, text: str) -> None:
        self._last, self._text, self._spoke = progress, text, time.monotonic()
        await self._session.report_progress(progress, total, text)
