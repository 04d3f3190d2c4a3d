"""A person's yes or no to a change, asked in the terminal."""

import sys
from typing import TextIO

from app.dependencies import ProposedWrite
from app.llm.loop import ask_waiting
from app.notices import Language
from app.sentences import said
from app.showing import showing
from app.spoken import spoken

YES = frozenset({"y", "yes", "o", "oui"})
"""A yes in either language, whichever the question was asked in."""
QUESTION = "Write this? [y/N] "
QUESTIONS = {
    "delete": "Delete? [y/N] ",
    "move": "Move? [y/N] ",
    "undo": "Take this back? [y/N] ",
}
"""By operation, where the change is more than a text that is written."""
COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
RESET = "\x1b[0m"


def format_change(change: ProposedWrite, *, colours: bool = False, language: Language = "en") -> str:
    """Write what would be done and its diff, for a person to judge."""
    lines = []
    for line in showing(change.said(language) or f"{change.operation} {change.path}").split("\n"):
        colour = COLOURS.get(line[:1], "") if colours else ""
        lines.append(f"{colour}{line}{RESET}" if colour else line)
    return "\n".join(lines)


def ask_person(
    change: ProposedWrite,
    *,
    language: Language | None = None,
    colours: bool | None = None,
    answers: TextIO | None = None,
    screen: TextIO | None = None,
) -> bool:
    """Show a change and wait for an answer; anything but a clear yes is a no.

    In ``colours`` where nothing else is said and it is shown on a terminal.
    """
    screen = screen or sys.stderr
    answers = answers or sys.stdin
    sys.stdout.flush()
    language = language or spoken()
    is_coloured = screen.isatty() if colours is None else colours
    shown = format_change(change, colours=is_coloured, language=language)
    screen.write(f"\n{shown}\n{said(QUESTIONS.get(change.operation, QUESTION), language)}")
    screen.flush()
    answer = answers.readline()
    if not answer.endswith("\n"):
        screen.write("\n")
    return answer.strip().casefold() in YES


async def approve(change: ProposedWrite) -> bool:
    """Ask the person on the thread that waits, in `app.llm.loop.run`, for the work this is called from."""
    return await ask_waiting(lambda: ask_person(change))
