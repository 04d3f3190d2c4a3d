"""The inside of a ``[[wikilink]]``, of a ``[text](target)`` and of a ``[label]: target``."""

import re
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it.common.utils import unescapeAll
from markdown_it.helpers import parseLinkDestination, parseLinkTitle

_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]")
_WRITTEN_APART = re.compile(rf"{_ESCAPE.pattern}|&[#\w]{{1,32}};|#")
FILE_END = re.compile(r"\\?\||#")
"""What follows the file part of a wikilink."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_BLANKS = re.compile(r"[ \t\n]*+")
# A label that begins with a caret is that of a footnote.
_LABEL = re.compile(r"[ \t]*+\[(?!\^)(?=\s*+[^\s\]])(?:[^\[\]\\]|\\[\s\S]){1,999}+\]:")
_LINE_END = re.compile(r"[ \t]*+(?:\n|\Z)")


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
        after = _end(_BLANKS, text, _title_end(text, after))
    return found._replace(end=after + 1) if text.startswith(")", after) else None


def read_definition(text: str, start: int) -> Destination | None:
    """Read ``[label]: target "title"`` from the beginning of its first line; None if it is no definition."""
    label = _LABEL.match(text, start)
    found = _destination(text, label.end()) if label else None
    if found is None or label is None or found.end == _end(_BLANKS, text, label.end()):
        return None
    before = _end(_BLANKS, text, found.end)
    title = _title_end(text, before) if before > found.end else before
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
    """Return a destination after blanks, which may be empty; None for a bracket that none closes."""
    start = _end(_BLANKS, text, start)
    found = parseLinkDestination(text, start, len(text))
    if not found.ok:
        return None if text.startswith("<", start) else Destination("", start, start, start)
    is_angled = text.startswith("<", start)
    first, last = (start + 1, found.pos - 1) if is_angled else (start, found.pos)
    written = text[first:last]
    apart = _WRITTEN_APART.finditer(written)
    size = next((each.start() for each in apart if unescapeAll(each[0]) == "#"), len(written))
    return Destination(found.str, first, first + size, found.pos)


def _title_end(text: str, start: int) -> int:
    """Return where a title in quotation marks or parentheses ends; its start where there is none."""
    found = parseLinkTitle(text, start, len(text))
    return found.pos if found.ok else start


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position
