"""How a person wants output shown: in which language, in colours or not, and page by page or at once.

Three options say so, before a command or after it: ``--lang fr|en``, ``--color auto|always|never`` and
``--no-pager``. They are taken out of the arguments before a command reads them. Nothing is imported here that
takes long.
"""

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from app.spoken import LANGUAGES, choose

COMPLETE = "__complete"
"""The hidden command that shells call for what may follow."""
COLORS = ("auto", "always", "never")
LESS = "FRX"
"""Options of less: colours as they are, end where the rest fits, leave what was read on the screen."""


class Display(NamedTuple):
    """What was chosen for one command."""

    color: str = "auto"
    is_paged: bool = True


_chosen = Display()


def take_display(arguments: Sequence[str]) -> list[str]:
    """Remember what the arguments say of the display, and return the others."""
    global _chosen
    chosen, language, others, wrong = Display(), None, list[str](), list[str]()
    if arguments[:1] == [COMPLETE]:
        # The words behind it are asked about, and none of them is meant for it.
        return list(arguments)
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if argument == "--":
            others += [argument, *rest]
        elif argument == "--no-pager":
            chosen = chosen._replace(is_paged=False)
        elif name == "--color":
            value = value if equals else next(rest, "")
            if value in COLORS:
                chosen = chosen._replace(color=value)
            else:
                wrong = [name, value]
        elif name == "--lang":
            value = value if equals else next(rest, "")
            found = next((each for each in LANGUAGES if each == value), None)
            if found is None:
                wrong = [name, value]
            language = found or language
        else:
            others.append(argument)
    _chosen = chosen
    choose(language)
    # What is wrong is said by the program, which knows these options before a command.
    return wrong + others


def has_styles(is_terminal: bool) -> bool:
    """Return whether output has colours: as chosen, else on a terminal where nothing speaks against it."""
    if _chosen.color != "auto":
        return _chosen.color == "always"
    return is_terminal and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def write(text: str) -> None:
    """Print a text, through a pager where it is longer than the terminal and somebody sits at one."""
    plain = os.environ.get("NO_PAGER") or os.environ.get("TERM") == "dumb"
    pages = _chosen.is_paged and not plain and sys.stdout.isatty() and sys.stdin.isatty()
    if not (pages and is_longer(text) and _paged(text)):
        sys.stdout.write(text)


def is_longer(text: str) -> bool:
    """Return whether a text takes more rows than the terminal has, with one left for what comes after."""
    import re
    from shutil import get_terminal_size

    size = get_terminal_size()
    if text.count("\n") < size.lines and len(text) < size.columns * size.lines // 2:
        return False
    unseen = re.compile(r"\x1b(?:\[[0-9;]*m|\]8;[^\x1b]*\x1b\\)")
    rows = sum(max(1, -(-len(unseen.sub("", line)) // size.columns)) for line in text.splitlines())
    return rows >= size.lines


def _paged(text: str) -> bool:
    """Show a text in the person's pager, and return whether it did that."""
    import shlex
    import subprocess

    try:
        pager = shlex.split(os.environ.get("PAGER", "less"))
    except ValueError:
        return False
    if not pager or pager == ["cat"]:
        return False
    sys.stdout.flush()
    encoding = (sys.stdout.encoding or "utf-8").lower()
    # Where the system has not the locale that is named, less would show each letter with an accent as bytes.
    charset = {"LESSCHARSET": encoding} if encoding == "utf-8" else {}
    try:
        shown = subprocess.Popen(pager, stdin=subprocess.PIPE, env={"LESS": LESS, **charset, **os.environ})
    except OSError:
        return False
    try:
        shown.communicate(text.encode(encoding, "replace"))
    except BrokenPipeError:
        # The person left before the end.
        pass
    except KeyboardInterrupt:
        # Ctrl-C is the pager's, which ends by itself where it wants to.
        shown.wait()
    # One that failed has shown nothing; one that was stopped has.
    return shown.returncode <= 0
