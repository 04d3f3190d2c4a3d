"""A person's yes or no to a change, asked in the terminal."""

import asyncio
import sys
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from contextvars import ContextVar, copy_context
from queue import Empty, SimpleQueue
from typing import Any, TextIO, TypeVar

from app.dependencies import ProposedWrite
from app.llm import WAKE_SECONDS, submit
from app.showing import showing

T = TypeVar("T")
Questions = SimpleQueue[tuple[ProposedWrite, "Future[bool]"] | None]

YES = frozenset({"y", "yes", "o", "oui"})
COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
RESET = "\x1b[0m"

# Each piece of work carries its own queue along: what an interrupted one left behind, or still asks while
# it ends, is never taken for a question of the next.
_questions: ContextVar[Questions] = ContextVar("questions")


def format_change(change: ProposedWrite, *, colours: bool = False) -> str:
    """Write what would be done and its diff, for a person to judge."""
    lines = []
    for line in showing(change.diff or f"{change.operation} {change.path}").split("\n"):
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


async def approve(change: ProposedWrite) -> bool:
    """Ask the person on the thread that waits, in `wait_for`, for the work this is called from.

    Only that thread may ask: an interrupt reaches it, and no stray thread goes on reading the terminal
    afterwards.
    """
    answer: Future[bool] = Future()
    _questions.get().put((change, answer))
    return await asyncio.wrap_future(answer)


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` on the background loop until it ends, asking what it wants approved.

    An interrupt cancels it; what it wanted to ask by then is never asked.
    """
    questions: Questions = SimpleQueue()
    context = copy_context()
    context.run(_questions.set, questions)
    task = context.run(submit, work)
    task.add_done_callback(lambda _: questions.put(None))
    try:
        while not task.done():
            with suppress(Empty):
                if (question := questions.get(timeout=WAKE_SECONDS)) is not None:
                    _answer(*question)
        return task.result()
    except BaseException:
        task.cancel()
        raise


def _answer(change: ProposedWrite, answer: "Future[bool]") -> None:
    # The work may have given the question up while another one was being asked.
    if answer.set_running_or_notify_cancel():
        answer.set_result(ask_person(change))
