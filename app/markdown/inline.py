"""Find links, tags, formulas and comments in running text, in linear time, emphasis around a tag included.

The index and the page both ask here, so that what is a link or a tag for one is one for the other.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from app.markdown.models import LinkKind
from app.markdown.tags import TAG, clean_tag
from app.markdown.targets import (
    FILE_END,
    Destination,
    Target,
    read_definition,
    read_destination,
    read_target,
    read_wikilink,
)

_WORTH_A_LOOK = re.compile(r"\[\[|\][(:]|#|\^")
_WORTH_SHOWING = re.compile(r"\[\[|#|\$|%%")
_OPENING = re.compile(r"\\|`+|\$+|<|!?\[|\]")
_BACKTICKS = re.compile(r"`+")
_CLOSING_DOLLAR = re.compile(r"(?<![\s\\$])\$(?![0-9$])")
_MARKUP = re.compile(
    r"<(?:"
    r"[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+"  # <https://address>
    r"|/[A-Za-z][A-Za-z0-9-]*+\s*+"
    r"|[A-Za-z][A-Za-z0-9-]*+"
    r"(?:\s++[A-Za-z_:][A-Za-z0-9:._-]*+(?:\s*+=\s*+(?:[^\"'=<>`\s]++|'[^']*+'|\"[^\"]*+\"))?+)*+\s*+/?"
    r")>"
)
_BLOCK_ID = re.compile(r"\^([A-Za-z0-9-]+)")
_EMPHASIS = frozenset({"*", "**", "***", "_", "__", "___", "~~", "=="})


class FoundLink(NamedTuple):
    """A link with its place in the scanned text; its file part is written from ``at`` to ``stop``."""

    target: Target
    kind: LinkKind
    embed: bool
    start: int
    end: int
    at: int
    stop: int


class FoundTag(NamedTuple):
    """A tag without its ``#``, and the place of what is written, ``#`` included."""

    name: str
    start: int
    end: int


class FoundFormula(NamedTuple):
    """A formula without its dollars, and its place with them."""

    text: str
    start: int
    end: int


class FoundComment(NamedTuple):
    """The place of a comment, from ``%%`` to ``%%``. Links and tags inside it are found nevertheless."""

    start: int
    end: int


Span = FoundLink | FoundTag | FoundFormula | FoundComment


@dataclass(slots=True)
class Inline:
    """What stands in one run of text; places count from its start."""

    links: list[FoundLink] = field(default_factory=list)
    tags: list[FoundTag] = field(default_factory=list)
    formulas: list[FoundFormula] = field(default_factory=list)
    comments: list[FoundComment] = field(default_factory=list)
    block_id: tuple[str, int] | None = None


def holds_anything(text: str) -> bool:
    """Return whether a text may hold a link, a tag or a block id; most lines of prose hold none."""
    return _WORTH_A_LOOK.search(text) is not None


def scan(text: str, *, defines: bool = False) -> Inline:
    """Read one paragraph, heading or table cell.

    Lines are divided by LF; what is not text, such as the mark of a quote, has been replaced by blanks. A
    paragraph ``defines`` what its first lines say of the kind ``[label]: target``.
    """
    found = Inline()
    if holds_anything(text):
        scanner = _Scanner(text, found)
        scanner.read_constructs(scanner.read_definitions() if defines else 0)
        scanner.read_tags()
        scanner.read_block_id()
    return found


def scan_spans(text: str) -> Mapping[int, Span]:
    """Return Obsidian's own constructs in one paragraph, heading or table cell, by their first place.

    These are wikilinks, tags, formulas and comments. Inside a comment the other three are found too, as
    `scan` finds them; who leaves out the comment leaves out these.
    """
    if not _WORTH_SHOWING.search(text):
        return {}
    found = Inline()
    scanner = _Scanner(text, found)
    scanner.read_constructs()
    scanner.read_tags()
    scanner.read_comments()
    spans: list[Span] = [link for link in found.links if link.kind == "wikilink"]
    spans += (*found.tags, *found.formulas, *found.comments)
    return {span.start: span for span in spans}


class _Next:
    """The next place of a string; asked from left to right, it reads the text once."""

    def __init__(self, text: str, wanted: str) -> None:
        self.text = text
        self.wanted = wanted
        self.place = -1

    def after(self, position: int) -> int:
        """Return the first place from ``position`` on; the text's length when there is none."""
        if self.place < position:
            place = self.text.find(self.wanted, position)
            self.place = len(self.text) if place < 0 else place
        return self.place


class _Bracket(NamedTuple):
    start: int
    inside: int


class _Scanner:
    def __init__(self, text: str, found: Inline) -> None:
        self.text = text
        self.found = found
        # Spans that hide what they hold, in order, never overlapping.
        self.starts: list[int] = []
        self.ends: list[int] = []
        # The same without the text of Markdown links, and with what is escaped: no comment starts in these.
        self.taken: list[tuple[int, int]] = []
        self.escaped: set[int] = set()
        self.brackets: list[_Bracket] = []
        # Links do not nest: below this height only images are still open.
        self.link_floor = 0
        self.line_end = _Next(text, "\n")
        self.wiki_open = _Next(text, "[[")
        self.wiki_close = _Next(text, "]]")
        self.comment_close = _Next(text, "-->")
        self.backticks: dict[int, list[int]] | None = None
        self.dollars: list[int] | None = None
        self.marks: dict[str, set[int]] = {}

    def read_definitions(self) -> int:
        """Find the definitions at the beginning, and return where they end."""
        position = 0
        while destination := read_definition(self.text, position):
            start = self.text.index("[", position)
            self._add_markdown(destination, "", start)
            position = destination.end
        return position

    def read_constructs(self, position: int = 0) -> None:
        while opening := _OPENING.search(self.text, position):
            start, sign = opening.start(), opening[0]
            if sign == "\\":
                self.escaped.add(start + 1)
                position = start + 2
            elif sign == "]":
                position = self._close_bracket(start)
            elif sign[-1] == "[":
                position = self._open_bracket(start, opening.end())
            else:
                end = self._hidden_end(sign, start, opening.end())
                position = opening.end() if end is None else end
                if end is not None:
                    self._hide(start, end)
            if position > opening.end():
                self.taken.append((start, position))

    def _hide(self, start: int, end: int) -> None:
        # A link around an image, or around code, takes the smaller span over.
        while self.starts and self.starts[-1] >= start:
            self.starts.pop()
            self.ends.pop()
        self.starts.append(start)
        self.ends.append(end)

    def _hidden_end(self, sign: str, start: int, end: int) -> int | None:
        if sign[0] == "`":
            return self._code_end(len(sign), end)
        if sign in ("$", "$$"):
            close = self._math_end(start) if sign == "$" else self._display_math_end(end)
            if close is not None:
                self.found.formulas.append(FoundFormula(self.text[end : close - len(sign)], start, close))
            return close
        if sign == "<":
            if self.text.startswith("<!--", start):
                place = self.comment_close.after(start + 2)
                return place + 3 if place < len(self.text) else None
            markup = _MARKUP.match(self.text, start)
            return markup.end() if markup else None
        return None

    def _code_end(self, width: int, position: int) -> int | None:
        if self.backticks is None:
            self.backticks = {}
            for run in _BACKTICKS.finditer(self.text):
                self.backticks.setdefault(len(run[0]), []).append(run.start())
        places = self.backticks.get(width, [])
        index = bisect_left(places, position)
        return places[index] + width if index < len(places) else None

    def _display_math_end(self, position: int) -> int | None:
        place = self.text.find("$$", position)
        return place + 2 if place > position else None

    def _math_end(self, start: int) -> int | None:
        if self.text[start + 1 : start + 2].isspace():
            return None
        if self.dollars is None:
            self.dollars = [match.start() for match in _CLOSING_DOLLAR.finditer(self.text)]
        index = bisect_left(self.dollars, start + 2)
        if index < len(self.dollars) and self.dollars[index] < self.line_end.after(start):
            return self.dollars[index] + 1
        return None

    def _open_bracket(self, start: int, inside: int) -> int:
        if self.text.startswith("[", inside):
            close = self.wiki_close.after(inside + 1)
            if close < self.line_end.after(start) and self.wiki_open.after(inside) > close:
                target = read_wikilink(self.text[inside + 1 : close])
                if target is not None:
                    file_end = FILE_END.search(self.text, inside + 1, close)
                    stop = file_end.start() if file_end else close
                    self._add(target, "wikilink", start, close + 2, inside + 1, stop)
                    return close + 2
        self.brackets.append(_Bracket(start, inside))
        return inside

    def _close_bracket(self, place: int) -> int:
        if not self.brackets:
            return place + 1
        bracket = self.brackets.pop()
        height = len(self.brackets)
        image = self.text[bracket.start] == "!"
        is_open = image or height >= self.link_floor
        self.link_floor = min(self.link_floor, height)
        if not is_open or not self.text.startswith("(", place + 1):
            return place + 1
        destination = read_destination(self.text, place + 1)
        if destination is None:
            return place + 1
        if not image:
            self.link_floor = height
        self._add_markdown(destination, self.text[bracket.inside : place], bracket.start)
        return destination.end

    def _add_markdown(self, found: Destination, display: str, start: int) -> None:
        target = read_target(found.text, display)
        if target is None:
            self._hide(start, found.end)
        else:
            self._add(target, "markdown", start, found.end, found.start, found.stop)

    def _add(self, target: Target, kind: LinkKind, start: int, end: int, at: int, stop: int) -> None:
        self._hide(start, end)
        embed = self.text[start] == "!"
        self.found.links.append(FoundLink(target, kind, embed, start, end, at, stop))

    def _is_hidden(self, position: int) -> bool:
        index = bisect_right(self.starts, position) - 1
        return index >= 0 and position < self.ends[index]

    def read_tags(self) -> None:
        ends = set(self.ends)
        for match in TAG.finditer(self.text):
            start = match.start()
            before = self.text[start - 1] if start else " "
            begin = start
            while begin and self.text[begin - 1] == before:
                begin -= 1
            if self._is_hidden(start) or not (
                before.isspace()
                or start in ends
                or self.text[max(start - 2, 0) : start] == "%%"
                or self._is_paired(self.text[begin:start], begin)
            ):
                continue
            written = match[0].rstrip("_")
            marks = match[0][len(written) :]
            if not self._is_paired(marks, start + len(written)):
                written += marks
            tag = clean_tag(written)
            if tag is not None:
                self.found.tags.append(FoundTag(tag, start, start + len(written)))

    def _is_paired(self, marks: str, place: int) -> bool:
        """Return whether the marks of emphasis at a place, such as ``**``, have others that pair up."""
        if marks not in _EMPHASIS:
            return False
        if marks not in self.marks:
            self.marks[marks] = self._pairs(re.escape(marks), re.escape(marks[0]))
        return place in self.marks[marks]

    def _pairs(self, marks: str, sign: str) -> set[int]:
        """Return where the same marks open some text and close it."""
        pairs, opened = set[int](), -1
        for found in re.finditer(rf"(?<!{sign}){marks}(?!{sign})", self.text):
            start, end = found.span()
            if start in self.escaped or self._is_hidden(start):
                continue
            before, after = self.text[max(start - 1, 0) : start], self.text[end : end + 1]
            if opened >= 0 and not before.isspace() and not after.isalnum():
                pairs |= {opened, start}
                opened = -1
            elif after.strip() and not before.isalnum():
                opened = start
        return pairs

    def read_comments(self) -> None:
        """Find what stands from ``%%`` to ``%%``; code that starts inside does not matter."""
        position = end = at = 0
        while (start := self.text.find("%%", position)) >= 0:
            while at < len(self.taken) and (self.taken[at][1] <= start or self.taken[at][0] < end):
                at += 1
            if at < len(self.taken) and self.taken[at][0] < start:
                position = self.taken[at][1]
                continue
            close = self.text.find("%%", start + 2)
            if close < 0:
                return
            position = end = close + 2
            self.found.comments.append(FoundComment(start, end))

    def read_block_id(self) -> None:
        end = len(self.text.rstrip())
        start = self.text.rfind("^", 0, end)
        if start < 0 or (start and not self.text[start - 1].isspace()) or self._is_hidden(start):
            return
        match = _BLOCK_ID.fullmatch(self.text, start, end)
        if match:
            self.found.block_id = match[1], start
