"""The passages of a file in the making, and the text that they become."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from app.sentences import Sentence
from app.vault.attachments.kinds import MOST_CHARS, PLACE, Extracted

CELL = " | "
"""What stands between the cells of a row."""
MOST_PLACE = 80
_LIKE_PLACE = re.compile(f"^{PLACE}", re.MULTILINE)


class Passage(NamedTuple):
    """A piece of a file's text and where it stands, such as ``page 3``; ``level`` counts from 1."""

    place: str
    text: str
    level: int = 1


class Passages:
    """Passages in the making: words become lines, and lines the text below a place."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._lines: list[str] = []
        self._made = [Passage("", "")]

    def line(self) -> None:
        """End a line."""
        lines = (" ".join(line.split()).strip("| ") for line in "".join(self.words).split("\n"))
        self._lines += filter(None, lines)
        self.words = []

    def place(self, name: str, level: int = 1) -> None:
        """Begin a new place."""
        self.line()
        self._made[-1] = self._made[-1]._replace(text="\n".join(self._lines))
        self._made.append(Passage(name, "", level))
        self._lines = []

    def heading(self, level: int) -> None:
        """End a line that names a place."""
        name, self.words = "".join(self.words), []
        if name.strip():
            self.place(name, level)

    def done(self) -> list[Passage]:
        """Return all of them."""
        self.place("")
        return self._made[:-1]


def joined(passages: Iterable[Passage], *, escapes: bool = True) -> Extracted:
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
        parts += [_LIKE_PLACE.sub(f" {PLACE}", text) if escapes else text] if text else []
    long = Sentence("only the first {count} characters are read", count=MOST_CHARS)
    return Extracted("".join(f"{part}\n" for part in parts), (long,) if left < 0 else ())


def _plain(text: str) -> str:
    """Return a text with line feeds at line ends, and without what no text holds."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n").replace("\0", "")
    return "\n".join(line.rstrip() for line in lines.split("\n")).strip("\n")
