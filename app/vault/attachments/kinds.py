"""Which files are read for their text, what reads them, and what was read."""

from collections.abc import Collection
from functools import cache
from importlib.machinery import PathFinder
from typing import NamedTuple

from app.sentences import Sentence
from app.vault.paths import is_note_name

READER = "4"
"""Raised whenever a reader gives another text for the same bytes, so that kept texts are not used again."""
CANVAS, PDF = "canvas", "pdf"
OFFICE = frozenset({"docx", "pptx", "xlsx", "odt", "ods", "odp"})
MARKUP = frozenset({"html", "htm", "xhtml", "epub"})
APART = OFFICE | MARKUP | {PDF}
"""What is read in a process of its own: whoever made such a file decides how much work it is."""
MOST_BYTES = 64_000_000
"""A larger file is not read."""
MOST_CHARS = 4_000_000
"""Most characters that are kept of one file."""
READ_SECONDS = 60.0
"""Longest time that one file may take."""
PLACE = "#"
"""What a line begins with that names a place, such as ``# page 3``; once more for a place in a place."""
MOST_PLACE = 80
EXTRA = "attachments"


class Passage(NamedTuple):
    """A piece of a file's text and where it stands, such as ``page 3``; ``level`` counts from 1."""

    place: str
    text: str
    level: int = 1


class Extracted(NamedTuple):
    """The text of a file, and what is wrong with the file or was left out."""

    text: str
    problems: tuple[str, ...] = ()


def ending_of(path: str) -> str:
    """Return the ending of a file's name in small letters, without its dot; empty where it has none."""
    name, dot, ending = path.rpartition("/")[2].rpartition(".")
    return ending.lower() if dot and name else ""


def is_attachment_name(path: str) -> bool:
    """Return whether a path, as it is listed, can be that of a file that is no note."""
    return ending_of(path).isalnum() and not is_note_name(path)


def kind_of(path: str, texts: Collection[str]) -> str:
    """Return what a file is read as, its ending; empty where nothing reads it.

    Args:
        path: The file.
        texts: The endings of files that are read as plain text.
    """
    ending = ending_of(path)
    return ending if ending == CANVAS or ending in APART or ending in texts else ""


@cache
def lacking(kind: str) -> str:
    """Say what would read a kind of file that is not read here; empty where it is read."""
    if kind != PDF:
        return ""
    return "" if PathFinder.find_spec("pypdfium2") else EXTRA


def joined(passages: Collection[Passage], *, escapes: bool = True) -> Extracted:
    """Put passages into one text, each below a line that names its place.

    With ``escapes``, no other line looks as if it named one.
    """
    parts: list[str] = []
    left = MOST_CHARS
    for passage in passages:
        text = _plain(passage.text)
        place = " ".join(_plain(passage.place).split())[:MOST_PLACE].strip()
        parts += [f"{PLACE * passage.level} {place}"] if place else []
        left -= len(text)
        text = text[: len(text) + min(left, 0)] if left > -len(text) else ""
        parts += [_without_places(text) if escapes else text] if text else []
    long = Sentence("only the first {count} characters are read", count=MOST_CHARS)
    return Extracted("".join(f"{part}\n" for part in parts), (long,) if left < 0 else ())


def _plain(text: str) -> str:
    """Return a text with line feeds at line ends, and without what no text holds."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n").replace("\0", "")
    return "\n".join(line.rstrip() for line in lines.split("\n")).strip("\n")


def _without_places(text: str) -> str:
    """Return a text of which no line looks as if it named a place."""
    if PLACE not in text:
        return text
    return "\n".join(f" {line}" if line.startswith(PLACE) else line for line in text.split("\n"))
