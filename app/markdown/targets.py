"""The inside of a ``[[wikilink]]``, of a ``[text](target)`` and of a ``[label]: target``."""

import re
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it.common.utils import unescapeAll

_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]")
_WRITTEN_APART = re.compile(rf"{_ESCAPE.pattern}|&[#\w]{{1,32}};|#")
FILE_END = re.compile(r"\\?\||#")
"""What follows the file part of a wikilink."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ANGLE = re.compile(r"<((?:[^<>\\\n]|\\.)*+)>")
_STOP = re.compile(r"[\s()\\\x00-\x1f]")
_BLANKS = re.compile(r"[ \t\n]*+")
_TITLE = re.compile(r"""(?:"(?:[^"\\]|\\[\s\S])*+"|'(?:[^'\\]|\\[\s\S])*+'|\((?:[^()\\]|\\[\s\S])*+\))""")
# A label that begins with a caret is that of a footnote.
_LABEL = re.compile(r"[ \t]*+\[(?!\^)(?=\s*+[^\s\]])(?:[^\[\]\\]|\\[\s\S]){1,999}+\]:")
_LINE_END = re.compile(r"[ \t]*+(?:\n|\Z)")
# CommonMark asks for three at least; without a limit, "[](" repeated costs quadratic time.
_MAX_PARENTHESES = 16


class Target(NamedTuple):
    """Where a link points: file part, part after ``#``, shown text."""

    file: str
    subpath: str
    display: str


class Destination(NamedTuple):
    """A Markdown link's destination: what it says, where its file part is written, where the link ends."""

    text: str
    start: int
    stop: int
    end: int


def read_wikilink(inside: str) -> Target | None:
    """Take apart the text between ``[[`` and ``]]``; None when it names nothing."""
    name, _, display = inside.partition("|")
    if display or inside.endswith("|"):
        # In a table the bar is written "\\|".
        name = name.removesuffix("\\")
    elif name.endswith("\\"):
        return None
    file, _, subpath = name.partition("#")
    target = Target(file.strip(), subpath.strip(), display.strip())
    return target if target.file or target.subpath else None


def read_destination(text: str, start: int) -> Destination | None:
    """Read what follows a link's text, from its opening parenthesis on; None if it is no link."""
    found = _destination(text, start + 1)
    if found is None:
        return None
    after = _end(_BLANKS, text, found.end)
    if after > found.end:
        after = _end(_BLANKS, text, _end(_TITLE, text, after))
    return found._replace(end=after + 1) if text.startswith(")", after) else None


def read_definition(text: str, start: int) -> Destination | None:
    """Read ``[label]: target "title"`` from the beginning of its first line; None if it is no definition."""
    label = _LABEL.match(text, start)
    found = _destination(text, label.end()) if label else None
    if found is None or label is None or found.end == _end(_BLANKS, text, label.end()):
        return None
    before = _end(_BLANKS, text, found.end)
    title = _end(_TITLE, text, before) if before > found.end else before
    # What is no title, on a line of its own, is text that follows.
    ended = (title > before and _LINE_END.match(text, title)) or _LINE_END.match(text, found.end)
    return found._replace(end=ended.end()) if ended else None


def read_target(destination: str, display: str) -> Target | None:
    """Take apart a Markdown link's destination, escapes undone; None when empty or outside the vault."""
    if _SCHEME.match(destination):
        return None
    file, _, subpath = destination.partition("#")
    target = Target(unquote(file).strip(), unquote(subpath).strip(), display)
    return target if target.file or target.subpath else None


def _destination(text: str, start: int) -> Destination | None:
    """Read a destination after blanks; None for a bracket or parenthesis that none closes."""
    start = _end(_BLANKS, text, start)
    if angle := _ANGLE.match(text, start):
        (start, stop), end = angle.span(1), angle.end()
    elif text.startswith("<", start) or (plain_end := _plain_end(text, start)) is None:
        return None
    else:
        stop = end = plain_end
    written = text[start:stop]
    apart = _WRITTEN_APART.finditer(written)
    size = next((each.start() for each in apart if unescapeAll(each[0]) == "#"), len(written))
    return Destination(unescapeAll(written), start, start + size, end)


def _plain_end(text: str, position: int) -> int | None:
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
                return None
        elif sign == ")" and depth:
            depth -= 1
        elif sign != "\\":
            return None if depth else stop.start()
    return None if depth else len(text)


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position
