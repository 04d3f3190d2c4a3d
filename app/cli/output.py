"""What every command prints: data on stdout and everything else on stderr."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from app.notices import Notice
from app.sentences import Worded, said
from app.serving import display
from app.showing import Screen, error_lines, json_text, showing
from app.spoken import spoken
from app.vault.here import folder_from, note_from, path_from, target_from, working_folder

if TYPE_CHECKING:
    from app.vault.client import VaultClient

FOUND, NOTHING, FAILED, INTERRUPTED = 0, 1, 2, 130
MOST_COLUMNS = 100
"""Longer lines are hard to read."""
_SIGN, _HELD = re.compile(" (?=[:;?!»])|(?<=«) "), "\0"
"""The blank beside a sign of French, where no line is broken, and what stands for it meanwhile."""
_LABEL = re.compile(r"\S+(?: \S+)? {2,}(?=\S)|- | +")
"""A word before what is said of it, the sign of a list, a margin: a long line goes on below its end."""


def note_named(vault: "VaultClient", written: str) -> str:
    """Return the name of a note that was typed where the person stands; see `app.vault.here.note_from`."""
    return note_from(vault.root, working_folder(), written)


def folder_named(vault: "VaultClient", written: str | None) -> str | None:
    """Return the name of a folder that was typed where the person stands."""
    return None if written is None else folder_from(vault.root, working_folder(), written)


def target_named(vault: "VaultClient", written: str) -> str:
    """Return the path of what is to be made, as it was typed where the person stands."""
    return target_from(vault.root, working_folder(), written)


def place_named(vault: "VaultClient", path: str) -> str:
    """Return a path in the vault as other programs open it from where the person stands."""
    return path_from(vault.root, working_folder(), path)


def show(text: str) -> None:
    """Print data, ending with one newline; a sentence of the program in the person's language, `wrapped`."""
    text = wrapped(said(text, screen().language)) if isinstance(text, Worded) else text
    say(text if text.endswith("\n") else text + "\n")


def say(text: str) -> None:
    """Print data as it is; on a terminal, with what it would obey written out."""
    display.write(showing(text) if sys.stdout.isatty() else text)


def show_bytes(notes: Sequence[bytes]) -> None:
    """Print texts of notes as they are; on a terminal, with what it would obey written out."""
    if sys.stdout.isatty():
        from app.vault.encoding import decode

        say("".join(decode(data).text for data in notes))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(b"".join(notes))
        sys.stdout.buffer.flush()


def screen() -> Screen:
    """Return where is printed to."""
    is_terminal = sys.stdout.isatty()
    columns = shutil.get_terminal_size().columns if is_terminal else 0
    return Screen(is_terminal, display.has_styles(is_terminal), columns, working_folder(), spoken())


def show_printed(out: str, err: str = "") -> None:
    """Print what was made for this screen; what stands in it has passed `showing` already."""
    display.write(out)
    if err:
        tell(err, end="")


def show_json(value: object) -> None:
    """Print data as JSON that people can read."""
    show(json_text(value, indent=2))


def tell(text: str, end: str = "\n") -> None:
    """Say something that is not data; a sentence of the program in the person's language, `filled`."""
    text = filled(said(text, screen().language)) if isinstance(text, Worded) else text
    sys.stdout.flush()
    sys.stderr.write(text + end)
    sys.stderr.flush()


def tell_notice(notice: Notice) -> None:
    """Say something that is not data as a sentence, in the person's language; broken between words."""
    tell(filled(showing(notice.said(screen().language) + ".")))


def filled(text: str) -> str:
    """Break what is said beside data between words, where a terminal shows it; a blank at its end stays."""
    if not sys.stderr.isatty():
        return text
    width = min(shutil.get_terminal_size().columns, MOST_COLUMNS)
    lines = "\n".join(_broken(line, width - 1) for line in text.rstrip(" ").split("\n"))
    return lines + " " * text.endswith(" ")


def wrapped(text: str) -> str:
    """Break data that is prose between words, on a terminal; what stands further in goes on there."""
    if not (columns := screen().columns):
        return text
    return "\n".join(_broken(line, min(columns, MOST_COLUMNS)) for line in text.split("\n"))


def _broken(text: str, width: int) -> str:
    """Break a line between words."""
    label = _LABEL.match(text)
    return textwrap.fill(
        _SIGN.sub(_HELD, text),
        width,
        subsequent_indent=" " * len(label[0]) if label else "",
        break_long_words=False,
        break_on_hyphens=False,
    ).replace(_HELD, " ")


def tell_error(message: str, hint: str = "") -> None:
    """Say what went wrong, on one line, and what would be right, on another; a terminal's are broken."""
    for line in error_lines(message, hint, screen().language).splitlines():
        tell(filled(line))


def asked(question: str) -> str | None:
    """Ask a person something on the terminal, and return the answer; None at the end of input."""
    tell(f"{filled(said(question, screen().language))} ", end="")
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        tell("")
    return answer.strip() if answer else None


def agrees(question: str) -> bool:
    """Ask a person; anything but a clear yes, in either language, is a no."""
    from app.chat.approval import YES

    return (asked(question) or "").casefold() in YES


def is_interactive() -> bool:
    """Return whether a person can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def close_pipe() -> None:
    """Keep the interpreter from complaining about a reader that went away."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def flush() -> None:
    """Hand over what was printed so far to whoever reads along."""
    sys.stdout.flush()
