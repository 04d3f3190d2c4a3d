"""One call of a tool: how its progress is told while it runs, and the form of its result."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from mcp.types import CallToolResult, TextContent

from app.mcp.surface import ToolCall
from app.showing import Told, cut, json_text
from app.stopping import awaited

PAUSE_SECONDS = 0.1
SILENT_SECONDS = 1.0
"""How long a client hears nothing at most; many take a call that is silent for too long for lost."""
WORKING = "working on it"
MOST_OF_INDEX = 0.99
"""What an index that is up to date counts for: the first step counts as 1, and is more."""

ERROR_CHARS = 1000


@dataclass
class ProgressSteps:
    """What a call says of itself as it goes; it may say so from any thread."""

    said: list[str] = field(default_factory=list)

    def tell(self, text: str) -> None:
        """Say what is being done now."""
        self.said.append(text)


@asynccontextmanager
async def reported(call: ToolCall) -> AsyncIterator[ProgressSteps]:
    """Report the steps of a call, and the index being brought up to date meanwhile, to its client.

    What the call does in threads stops where the client cancels it.
    """
    for keeper in call.keepers:
        if keeper.is_awaited:
            await asyncio.to_thread(keeper.hurry)
    steps = ProgressSteps()
    reporter = _Reporter(call, steps)
    task = asyncio.create_task(reporter.run())
    try:
        with awaited():
            yield steps
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await reporter.report()


class _Reporter:
    def __init__(self, call: ToolCall, steps: ProgressSteps) -> None:
        self._session, self._keepers, self._steps = call.context.session, call.keepers, steps
        self._told, self._last, self._text = 0, 0.0, WORKING
        self._spoke = time.monotonic()

    async def run(self) -> None:
        while True:
            await self.report()
            await asyncio.sleep(PAUSE_SECONDS)

    async def report(self) -> None:
        """Tell what is new, or that the same goes on.

        What a client is told only grows: each step counts as one, and what happens before the next as a part.
        """
        while self._told < len(self._steps.said):
            text = self._steps.said[self._told]
            self._told += 1
            await self._say(float(self._told), None, text)
        if not self._told:
            await self._report_index()
        if time.monotonic() - self._spoke >= SILENT_SECONDS:
            left = self._told + 1 - self._last
            await self._say(self._last + left / 100, None, self._text)

    async def _report_index(self) -> None:
        if steps := [step for keeper in self._keepers if (step := keeper.step)]:
            said = "indexing: {} of {} notes"
        elif steps := [step for keeper in self._keepers if (step := keeper.passages)]:
            said = "building vectors: {} of {} passages"
        else:
            return
        done, total = (sum(numbers) for numbers in zip(*steps, strict=True))
        part = min(done / max(total, 1), MOST_OF_INDEX)
        if part > self._last:
            await self._say(part, 1.0, said.format(done, total))

    async def _say(self, progress: float, total: float | None, text: str) -> None:
        self._last, self._text, self._spoke = progress, text, time.monotonic()
        await self._session.report_progress(progress, total, text)


def text_result(text: str) -> CallToolResult:
    """Return what a tool says, as an error where one stands behind it."""
    failed = isinstance(text, Told) and isinstance(text.value, Exception)
    shown = cut(text, ERROR_CHARS) if failed else text
    return CallToolResult(content=[TextContent(text=shown)], is_error=failed)


def data_result(data: dict[str, Any], text: str | None = None, *, failed: bool = False) -> CallToolResult:
    """Return data, and the same as text for clients that do not read data."""
    shown = json_text(data) if text is None else text
    return CallToolResult(content=[TextContent(text=shown)], structured_content=data, is_error=failed)
