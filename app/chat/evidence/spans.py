"""The spans of a note: sentences, list items, table rows, steps, code and properties, each with its place."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Literal

from app.markdown.outline import LineIndex, TextRun
from app.markdown.parse import running_text
from app.markdown.plain import code_lines, plain_line
from app.markdown.properties import find_properties
from app.markdown.sentences import sentence_starts
from app.vault.dates import dated_heading

Kind = Literal["sentence", "item", "row", "code", "steps", "property"]

LONGEST = 300
"""Characters of a span; what has more is cut where sentences end, else between words."""
STEPS_CHARS = 1500
"""Longest list of steps, and longest block of code, that is one span."""

_ITEM = re.compile(r"[\s>]*(?:[-*+]|(?P<number>\d{1,9})[.)])[ \t]+")
_CALLOUT = re.compile(r"\[![\w-]+\][+-]?[ \t]*(?P<title>[^\n]*)\n?")
_FIELD = re.compile(r"[*_]{0,3}[^\W\d][\w -]{0,40}[*_]{0,3}::?[*_]{0,3}[ \t]+\S")
_ROW_RULE = re.compile(r"[\s>]*\|?[ \t:]*-[\s|:-]*")
_HTML_ROW = re.compile(r"<tr\b.*?</tr>", re.IGNORECASE | re.DOTALL)
_PROPERTY = re.compile(r"^[^\s#:'\"-][^:\n]*:(?=[ \t\n])", re.MULTILINE)
_PIECE = re.compile(rf"[\s\S]{{0,{LONGEST - 1}}}\S(?!\S)|[\s\S]{{1,{LONGEST}}}")
_STRUCK = re.compile(r"\W*~~[^~]*~~\W*")
_TELLS = re.compile(r"\w[\s\S]*\w")


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a note that can be quoted by itself, from ``start`` to ``end`` of the note's text.

    ``text`` stands there byte for byte, on the lines ``first`` to ``last``, from 1. ``block`` numbers the
    paragraph, list, table or block of code it stands in, within the note.
    """

    kind: Kind
    text: str
    start: int
    end: int
    first: int
    last: int
    headings: tuple[str, ...] = ()
    """The headings above it, outermost first."""
    above: str = ""
    """What introduces it: the line before its list with the items above it, or the header of its table."""
    before: str = ""
    """The sentence before it in its paragraph, which may say of whom it is."""
    day: str = ""
    """The day of the dated heading above it, such as ``2025-07-14``; empty where there is none."""
    block: int = 0

    @property
    def is_struck(self) -> bool:
        """Whether all of it is struck through, and so no longer holds."""
        return _STRUCK.fullmatch(self.text) is not None

    @property
    def plain(self) -> str:
        """Its text as a reader sees it, in one line."""
        return plain_text(self.text)


def spans_of(text: str) -> list[Span]:
    """Cut the text of a note into spans, in order; headings, rules and comments are none."""
    found = _Reader(text).spans()
    steps = [one for one in _steps(text, found) if len(one.text) <= STEPS_CHARS]
    inside = {one.block for one in steps}
    properties = list(_properties(text))
    return sorted(
        [*properties, *steps, *(one for one in found if one.block not in inside)], key=lambda one: one.start
    )


def plain_text(text: str) -> str:
    """Return a text as a reader sees it, in one line."""
    return " ".join(filter(None, map(plain_line, text.split("\n"))))


def joined(text: str, spans: Sequence[Span]) -> Span:
    """Return neighbouring spans of one note as one, with what stands between them."""
    first, last = spans[0], spans[-1]
    return replace(first, text=text[first.start : last.end], end=last.end, last=last.last)


class _Reader:
    """Goes through the blocks that the Markdown parser found."""

    def __init__(self, text: str) -> None:
        self._text, self._lines = text, text.split("\n")
        self._index = LineIndex.of(text)
        self._starts = [0, *(end + 1 for end in self._index.ends)]
        self._headings: list[tuple[int, str]] = []
        self._days: list[tuple[int, str]] = []
        self._items: list[tuple[int, str]] = []
        self._before = ""
        self._block = 0

    def spans(self) -> list[Span]:
        """Return the spans of running text, tables and code."""
        runs = running_text(self._text)
        rows = {
            number: [*cells]
            for number, cells in groupby(
                (run for run in runs if run.kind == "cell"), lambda run: self._index.line(run.start)
            )
        }
        blocks: list[tuple[int, TextRun | tuple[int, int] | int]] = [
            *((run.start, run) for run in runs if run.kind != "cell"),
            *((self._starts[number - 1], number) for number in rows),
            *((self._starts[first - 1], (first, last)) for first, last in _ranges(code_lines(self._lines))),
        ]
        found: list[Span] = []
        header = (-1, "")
        for _, block in sorted(blocks, key=lambda one: one[0]):
            if isinstance(block, int):
                line = self._lines[block - 1]
                if _ROW_RULE.fullmatch(line):
                    continue
                if header[0] != block - 1:
                    # The rule below a header is no row.
                    header = (block + 1, line.strip("> \t\r"))
                    self._begin_block()
                else:
                    header = (block, header[1])
                    start = self._starts[block - 1] + len(line) - len(line.lstrip("> \t"))
                    found += self._made("row", start, self._starts[block - 1] + len(line), header[1])
            elif not isinstance(block, TextRun):
                self._begin_block()
                found += self._code(*block)
            elif block.kind == "heading":
                self._enter(block)
            else:
                found += self._paragraph(block)
        return [*found, *self._html()]

    def _begin_block(self) -> None:
        self._block += 1
        self._items = []

    def _enter(self, run: TextRun) -> None:
        line = self._lines[self._index.line(run.start) - 1]
        opening = self._text[self._starts[self._index.line(run.start) - 1] : run.start]
        level = opening.count("#")
        if not level:
            below = self._index.line(run.start + len(run.text))
            level = 1 if below < len(self._lines) and "=" in self._lines[below] else 2
            line = run.text
        text = " ".join(line.strip("> \t\r#").split())
        self._headings = [one for one in self._headings if one[0] < level] + [(level, text)]
        day = dated_heading(text)
        self._days = [one for one in self._days if one[0] < level] + ([(level, str(day))] if day else [])
        self._before = ""
        self._begin_block()

    def _paragraph(self, run: TextRun) -> Iterator[Span]:
        number = self._index.line(run.start)
        opening = self._text[self._starts[number - 1] : run.start]
        item = _ITEM.fullmatch(opening)
        depth = len(opening.expandtabs(4)) - len(opening.expandtabs(4).lstrip("> \t"))
        text = run.text.rstrip()
        if item is None and not (self._items and depth > self._items[0][0]):
            self._begin_block()
            if callout := _CALLOUT.match(text):
                run = TextRun(run.kind, run.start + callout.end(), run.text[callout.end() :])
                text = run.text.rstrip()
                yield from self._sentences(run.start, text, callout["title"].strip())
            else:
                yield from self._sentences(run.start, text, "")
            self._before = text.rpartition("\n")[2].strip() if text.endswith(":") else ""
            return
        if not self._items:
            self._block += 1
        if item is None:
            yield from self._sentences(run.start, text, self._items[-1][1])
            return
        self._items = [one for one in self._items if one[0] < depth]
        above = "\n".join(filter(None, [self._before, *(text for _, text in self._items)]))
        self._items.append((depth, opening.lstrip("> \t") + text.partition("\n")[0]))
        start = run.start - len(opening.lstrip("> \t"))
        if len(text) <= LONGEST:
            yield from self._made("item", start, run.start + len(text), above)
        else:
            yield from self._sentences(run.start, text, above)

    def _sentences(self, start: int, text: str, above: str) -> Iterator[Span]:
        """Cut a paragraph where sentences end, or into lines that each name a value, such as ``due: May``."""
        lines = text.split("\n")
        if len(lines) > 1 and all(_FIELD.match(line.lstrip()) for line in lines):
            borders = [0, *(at + 1 for at, char in enumerate(text) if char == "\n"), len(text)]
            kind: Kind = "item"
        else:
            borders, kind = [0, *sentence_starts(text), len(text)], "sentence"
        before = ""
        for begin, end in pairwise(borders):
            for span in self._made(kind, start + begin, start + end, above):
                yield replace(span, before=before)
                before = span.text if kind == "sentence" else ""

    def _code(self, first: int, last: int) -> Iterator[Span]:
        """Take a block of code whole, without its fences, or line by line where it is long."""
        inside = range(first + 1, last if last > first + 1 and self._is_fence(last) else last + 1)
        if not inside:
            return
        start, end = self._starts[inside[0] - 1], self._line_end(inside[-1])
        if end - start <= LONGEST:
            yield from self._made("code", start, end, self._before)
            return
        for number in inside:
            yield from self._made("code", self._starts[number - 1], self._line_end(number), self._before)

    def _is_fence(self, number: int) -> bool:
        return self._lines[number - 1].strip("> \t\r")[:3] in ("```", "~~~")

    def _html(self) -> Iterator[Span]:
        for row in _HTML_ROW.finditer(self._text):
            yield from self._made("row", row.start(), row.end(), "")

    def _line_end(self, number: int) -> int:
        return self._starts[number - 1] + len(self._lines[number - 1])

    def _made(self, kind: Kind, start: int, end: int, above: str) -> Iterator[Span]:
        """Make a span, or several of a long text, without the whitespace around it."""
        text = self._text[start:end]
        pieces = _PIECE.finditer(text) if kind in ("sentence", "code") else [re.match(r"[\s\S]*", text)]
        for piece in filter(None, pieces):
            inside = piece[0].rstrip() if kind == "code" else piece[0].rstrip().lstrip("> \t\r\n")
            if not _TELLS.search(inside if kind == "code" else plain_text(inside)):
                continue
            begin = start + piece.start() + piece[0].index(inside)
            yield Span(
                kind,
                inside,
                begin,
                begin + len(inside),
                self._index.line(begin),
                self._index.line(begin + len(inside) - 1),
                tuple(heading for _, heading in self._headings),
                above,
                day=self._days[-1][1] if self._days else "",
                block=self._block,
            )


def _ranges(numbers: frozenset[int]) -> list[tuple[int, int]]:
    """Return the runs of some numbers, each by its first and its last."""
    ordered = sorted(numbers)
    starts = [one for one in ordered if one - 1 not in numbers]
    return list(zip(starts, (one for one in ordered if one + 1 not in numbers), strict=True))


def _steps(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield each list with several numbered items as one span."""
    for _, group in groupby(spans, lambda one: one.block):
        items = list(group)
        numbered = [one for one in items if one.kind == "item" and one.text[0].isdigit()]
        if len(numbered) > 1:
            yield replace(joined(text, items), kind="steps")


def _properties(text: str) -> Iterator[Span]:
    """Yield the properties of a note, each with its name and its value as they stand."""
    lines = text.replace("\r", "\n")
    place = find_properties(text, lines)
    if place is None:
        return
    index = LineIndex.of(text)
    borders = [one.start() for one in _PROPERTY.finditer(lines, place.start, place.end)]
    for start, end in pairwise([*borders, place.end]):
        inside = text[start:end].rstrip()
        while inside.rpartition("\n")[2].lstrip().startswith("#"):
            inside = inside.rpartition("\n")[0].rstrip()
        stop = start + len(inside)
        if len(inside) <= LONGEST and inside.partition(":")[2].strip():
            yield Span("property", inside, start, stop, index.line(start), index.line(stop - 1))
