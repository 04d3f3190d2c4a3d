"""What a note holds, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from app.vault.dates import dated_heading

LinkKind = Literal["wikilink", "markdown"]
FrontmatterState = Literal["ok", "none", "invalid"]


class Link(NamedTuple):
    """A link or embed, as written.

    ``target`` is the file part, percent-decoded in Markdown links, empty for the note itself; ``subpath``
    is what follows the first ``#``; ``display`` the shown text. ``line`` is 1-based, and
    ``text[start:end]`` is the file part as it is written. ``quote`` is the sign that begins the value of a
    property, such as ``"``, where the link is one, and empty elsewhere.
    """

    target: str
    subpath: str
    display: str
    line: int
    kind: LinkKind
    embed: bool
    start: int
    end: int
    quote: str = ""


class Heading(NamedTuple):
    """A heading: its level from 1 to 6, its text as written, its 1-based line."""

    level: int
    text: str
    line: int


class Task(NamedTuple):
    """A list item with a box: the sign in the box, the first line of text, its 1-based line."""

    status: str
    text: str
    line: int


class NamedBlock(NamedTuple):
    """A block that has a name to link to, without its caret, and the 1-based line of that name."""

    id: str
    line: int


@dataclass(frozen=True, slots=True)
class ParsedNote:
    """Everything the program reads in one note; sequences are in file order, lines 1-based.

    ``block_starts`` are the lines where a top-level block or list item starts; ``body_line`` is the first
    line after the property block. ``tags`` stand without ``#``, each once, in their first spelling.
    ``shown`` is what a file that is no note is shown as.
    """

    title: str
    h1: str | None
    aliases: tuple[str, ...]
    frontmatter: FrontmatterState
    properties: Mapping[str, Any]
    tags: tuple[str, ...]
    headings: tuple[Heading, ...]
    tasks: tuple[Task, ...]
    blocks: tuple[NamedBlock, ...]
    links: tuple[Link, ...]
    block_starts: tuple[int, ...]
    body_line: int
    problems: tuple[str, ...]
    shown: str = ""

    @property
    def display_title(self) -> str:
        """The H1 where the note has just one and it is no date, else the file name."""
        if self.shown:
            return self.shown
        h1s = [heading.text for heading in self.headings if heading.level == 1 and heading.text]
        return self.title if len(h1s) != 1 or dated_heading(h1s[0]) else h1s[0]
