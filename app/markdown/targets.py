"""The inside of a ``[[wikilink]]`` and of a ``[text](target)``."""

import re
from typing import NamedTuple
from urllib.parse import unquote

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ANGLE = re.compile(r"<((?:[^<>\\\n]|\\.)*+)>")
_STOP = re.compile(r"[\s()\\\x00-\x1f]")
_BLANKS = re.compile(r"[ \t\n]*+")
_TITLE = re.compile(
    r"""(?:"(?:[^"\\]|\\[\s\S])*+"|'(?:[^'\\]|\\[\s\S])*+'|\((?:[^()\\]|\\[\s\S])*+\))[ \t\n]*+"""
)
# CommonMark asks for three at least; without a limit, "[](" repeated costs quadratic time.
_MAX_PARENTHESES = 16


class Target(NamedTuple):
    """Where a link points: file part, part after ``#``, shown text."""

    file: str
    subpath: str
    display: str


def read_wikilink(inside: str) -> Target | None:
    """Take apart the text between ``[[`` and ``]]``; None when it names nothing."""
    name, _, display = inside.partition("|")
    if display or inside.endswith("|"):
        # In a table the bar is written "\|".
        name = name.removesuffix("\\")
    elif name.endswith("\\"):
        return None
    file, _, subpath = name.partition("#")
    target = Target(file.strip(), subpath.strip(), display.strip())
    return target if target.file or target.subpath else None


def read_destination(text: str, start: int) -> tuple[str, int] | None:
    """Read a Markdown link's destination and title.

    Args:
        text: The text that holds the link.
        start: Where the opening parenthesis stands.

    Returns:
        The destination as written and the place after the closing parenthesis; None if it is no link.
    """
    begin = _end(_BLANKS, text, start + 1)
    if angle := _ANGLE.match(text, begin):
        written, end = angle[1], angle.end()
    elif text.startswith("<", begin):
        return None
    else:
        end = _plain_end(text, begin)
        written = text[begin:end]
    after = _end(_BLANKS, text, end)
    if after > end and (title := _TITLE.match(text, after)):
        after = title.end()
    return (written, after + 1) if text[after : after + 1] == ")" else None


def read_target(written: str, display: str) -> Target | None:
    """Take apart a Markdown link's destination; None when empty or outside the vault."""
    if _SCHEME.match(written):
        return None
    file, _, subpath = _ESCAPE.sub(r"\1", written).partition("#")
    target = Target(unquote(file).strip(), unquote(subpath).strip(), display)
    return target if target.file or target.subpath else None


def _plain_end(text: str, position: int) -> int:
    depth = 0
    while stop := _STOP.search(text, position):
        sign = stop[0]
        if sign == "\\" and _ESCAPE.match(text, stop.start()):
            position = stop.start() + 2
            continue
        position = stop.end()
        if sign == "(":
            depth += 1
            if depth > _MAX_PARENTHESES:
                return stop.start()
        elif sign == ")" and depth:
            depth -= 1
        elif sign != "\\":
            return stop.start()
    return len(text)


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position
