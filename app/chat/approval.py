"""A person's yes or no to a change, asked in the terminal."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TextIO, TypeVar

from app.dependencies import ProposedWrite
from app.llm import submit
from app.terminal import visible

T = TypeVar("T")

YES = frozenset({"y", "yes", "o", "oui"})
COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
RESET = "\x1b[0m"


def format_change(change: ProposedWrite, *, colours: bool = False) -> str:
    """Write what would be done and its diff, for a person to judge."""
    lines = []
    for line in visible(change.diff or f"{change.operation} {change.path}").split("\n"):
        colour = COLOURS.get(line[:1], "") if colours else ""
        lines.append(f"{colour}{line}{RESET}" if colour else line)
    return "\n".join(lines)


def ask_person(change: ProposedWrite, *, answers: TextIO | None = None, screen: TextIO | None = None) -> bool:
    """Show a change and wait for an answer; anything but a clear yes is a no."""
    screen = screen or sys.stderr
    answers = answers or sys.stdin
    sys.stdout.flush()
    screen.write("\n" + format_change(change, colours=screen.isatty()) + "\nWrite this? [y/N] ")
    screen.flush()
    answer = answers.readline()
    if not answer.endswith("\n"):
        screen.write("\n")
    return answer.strip().casefold() in YES


class WaitingThread:
    """Lets work on the background loop call back into the thread that waits for it.

    Only that thread may ask the person: an interrupt reaches it, and no stray thread goes on reading the
    terminal afterwards.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()

    async def approve(self, change: ProposedWrite) -> bool:
        """Ask the person, on the waiting thread."""
        answer: Future[bool] = Future()
        self._calls.put((lambda: ask_person(change), answer))
        return await asyncio.wrap_future(answer)

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run ``work`` on the background loop until it ends, answering its calls; an interrupt cancels it."""
        task = submit(work)
        task.add_done_callback(lambda _: self._calls.put(None))
        try:
            while (call := self._calls.get()) is not None:
                function, answer = call
                answer.set_result(function())
            return task.result()
        except BaseException:
            task.cancel()
            raise
