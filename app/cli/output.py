"""What a person sees: data on stdout, everything else on stderr."""

import json
import os
import sys
from contextlib import suppress

from app.showing import in_line, showing

FOUND, NOTHING, FAILED, INTERRUPTED = 0, 1, 2, 130


def show(text: str) -> None:
    """Print data, ending with one newline."""
    say(text if text.endswith("\n") else text + "\n")


def say(text: str) -> None:
    """Print data as it is; on a terminal, with what it would obey written out."""
    sys.stdout.write(showing(text) if sys.stdout.isatty() else text)


def show_json(value: object) -> None:
    """Print data as JSON that people can read."""
    show(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def tell(text: str, end: str = "\n") -> None:
    """Say something that is not data."""
    sys.stdout.flush()
    sys.stderr.write(text + end)
    sys.stderr.flush()


def tell_error(message: str, hint: str = "") -> None:
    """Say what went wrong, on one line, and what would be right, on another."""
    tell("error: " + in_line(" ".join(message.split())))
    if hint:
        tell("hint: " + in_line(" ".join(hint.split())))


def is_interactive() -> bool:
    """Tell whether a person can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def close_pipe() -> None:
    """Keep the interpreter from complaining about a reader that went away."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def sees_progress() -> bool:
    """Tell whether anyone watches stderr."""
    return sys.stderr.isatty()


def flush() -> None:
    """Hand over what was printed so far to whoever reads along."""
    sys.stdout.flush()
