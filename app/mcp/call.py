"""One call of a tool: how its progress is told while it runs, and the form of its result."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from mcp.types import CallToolResult, TextContent

from app.mcp.surface import ToolCall
from app.showing import Told, cut, json_text

PAUSE_SECONDS = 0.1

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
    """Report the steps of a call, and the index being brought up to date meanwhile, to its client."""
    for keeper in call.keepers:
        if keeper.is_awaited:
            await asyncio.to_thread(keeper.hurry)
    steps = ProgressSteps()
    reporter = _Reporter(call, steps)
    task = asyncio.create_task(reporter.run())
    try:
        yield steps
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await reporter.report()


class _Reporter:
    def __init__(self, call: ToolCall, steps: ProgressSteps) -> None:
        self._session, self._keepers, self._steps = call.context.session, call.keepers, steps
        self._told, self._last = 0, 0.0

    async def run(self) -> None:
        while True:
            await self.report()
            await asyncio.sleep(PAUSE_SECONDS)

    async def report(self) -> None:
        """Tell what is new; what a client is told only grows, so the index counts as less than one step."""
        while self._told < len(self._steps.said):
            text = self._steps.said[self._told]
            self._told += 1
            await self._session.report_progress(float(self._told), None, text)
        if self._told:
            return
        if steps := [step for keeper in self._keepers if (step := keeper.step)]:
            said = "indexing: {} of {} notes"
        elif steps := [step for keeper in self._keepers if (step := keeper.passages)]:
            said = "building vectors: {} of {} passages"
        else:
            return
        done, total = (sum(numbers) for numbers in zip(*steps, strict=True))
        part = done / max(total, 1)
        if part > self._last:
            self._last = part
            await self._session.report_progress(part, 1.0, said.format(done, total))


def text_result(text: str) -> CallToolResult:
    """Return what a tool says, as an error where one stands behind it."""
    failed = isinstance(text, Told) and isinstance(text.value, Exception)
    shown = cut(text, ERROR_CHARS) if failed else text
    return CallToolResult(content=[TextContent(text=shown)], is_error=failed)


def data_result(data: dict[str, Any], text: str | None = None, *, failed: bool = False) -> CallToolResult:
    """Return data, and the same as text for clients that do not read data."""
    shown = json_text(data) if text is None else text
    return CallToolResult(content=[TextContent(text=shown)], structured_content=data, is_error=failed)
