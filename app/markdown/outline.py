"""What is found in the blocks of a note: the parser's state over its lines, which keeps places of text."""

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from operator import add, sub
from typing import Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

RunKind = Literal["paragraph", "heading", "cell"]


class TextRun(NamedTuple):
    """Lines of running text that are read together.

    ``text`` starts at ``start`` in the note and is as long as what it stands for: marks of quotes
    between its lines are blanked, so places in it are places in the note.
    """

    kind: RunKind
    start: int
    text: str


@dataclass(slots=True)
class _Found:
    """What the block rules write down; line numbers are those of the parser, from 0."""

    starts: set[int] = field(default_factory=set)
    runs: list[TextRun] = field(default_factory=list)
    headings: list[tuple[int, str, int]] = field(default_factory=list)
    items: list[tuple[str, int]] = field(default_factory=list)


class TooTangledError(Exception):
    """The nesting would cost more time than the text is worth."""


class Outline(StateBlock):
    """The parser's state over one note, which keeps places in the text instead of tokens."""

    def __init__(self, src: str, md: MarkdownIt) -> None:
        super().__init__("", md, {}, [])
        self._mark_lines(src)
        self.found = _Found()
        self.line_starts = tuple(self.bMarks)
        self.covered = bytearray(self.lineMax)
        # Line and level of the list item whose first paragraph may start with a box.
        self.item = (-1, -1)
        # Ordinary notes ask about four times a line; only contrived nesting of quotes gets near this.
        self.patience = 20_000 + 2 * self.lineMax + min(6 * self.lineMax, 300_000)
        self._token = Token("", "", 0)

    def _mark_lines(self, src: str) -> None:
        """Fill the parser's tables of lines, as `StateBlock` would by walking through the text."""
        self.src = src
        lines = src.split("\n")
        if not lines[-1].strip(" \t"):
            # What follows the last LF is a line only where something stands in it.
            lines.pop()
        sizes = list(map(len, lines))
        starts = list(accumulate(sizes, lambda start, size: start + size + 1, initial=0))[: len(lines)]
        shifts = list(map(sub, sizes, [len(line.lstrip(" \t")) for line in lines]))
        # One more line spares the rules from looking whether there is a next one.
        self.bMarks = [*starts, len(src)]
        self.eMarks = [*map(add, starts, sizes), len(src)]
        self.tShift = [*shifts, 0]
        self.sCount = self.tShift.copy()
        if "\t" in src:
            for line in (line for line, shift in enumerate(shifts) if shift):
                self.sCount[line] = len(lines[line][: shifts[line]].expandtabs(4))
        self.bsCount = [0] * (len(lines) + 1)
        self.lineMax = len(lines)

    def spend(self) -> None:
        """Count one question about a line.

        Raises:
            TooTangledError: there were too many for the length of the note.
        """
        self.patience -= 1
        if self.patience < 0:
            raise TooTangledError

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Follow the nesting; nobody reads the token, so all share one."""
        if nesting < 0:
            self.level -= 1
        elif nesting > 0:
            self.level += 1
            if ttype == "list_item_open":
                self.item = (self.line, self.level)
                if self.level == 2:
                    self.found.starts.add(self.line)
        self._token.level = self.level
        return self._token

    def getLines(self, begin: int, end: int, indent: int, keepLastLF: bool) -> str:  # noqa: N802, N803
        """Return nothing: the text of code and markup is not read."""
        return ""

    def is_code_block(self, line: int) -> bool:
        """Return whether a line is indented by four columns or more."""
        return self.sCount[line] - self.blkIndent >= 4

    def begin(self, line: int) -> int:
        """Return the place of a line's first sign after blanks and marks of quotes and items."""
        return self.bMarks[line] + self.tShift[line]

    def line_text(self, line: int) -> str:
        """Return a line without what stands around it."""
        return self.src[self.begin(line) : self.eMarks[line]].strip(MD_TRIM_CHARS)

    def text_of(self, start: int, end: int) -> str:
        """Join lines, as long as what they stand for."""
        if all(self.bMarks[line] == self.line_starts[line] for line in range(start + 1, end)):
            return self.src[self.begin(start) : self.eMarks[end - 1]]
        parts = [self.src[self.begin(start) : self.eMarks[start]]]
        for line in range(start + 1, end):
            first = self.begin(line)
            parts += "\n", " " * (first - self.line_starts[line]), self.src[first : self.eMarks[line]]
        return "".join(parts)

    def add_paragraph(self, start: int, end: int) -> None:
        """Write down a paragraph, and the item it opens."""
        if self.item == (start, self.level):
            self.found.items.append((self.src[self.begin(start) : self.eMarks[start]], start))
        self.found.runs.append(TextRun("paragraph", self.begin(start), self.text_of(start, end)))

    def add_setext_heading(self, level: int, start: int, end: int) -> None:
        """Write down a heading that is underlined; its text may have several lines."""
        text = self.text_of(start, end)
        self.found.headings.append((level, " ".join(text.split()), start))
        self.found.runs.append(TextRun("heading", self.begin(start), text))

    def add_plain(self, start: int, end: int) -> None:
        """Write down the paragraphs among lines that have no other structure."""
        line = start
        while line < end:
            first = line
            while line < end and not self.isEmpty(line):
                line += 1
            if line > first:
                self.found.runs.append(TextRun("paragraph", self.begin(first), self.text_of(first, line)))
            line += 1

    def add_uncovered(self, start: int) -> None:
        """Write down as plain text what no rule has taken, such as lines nested too deeply."""
        line = start
        while (line := self.covered.find(0, line)) >= 0:
            end = self.covered.find(1, line)
            end = self.lineMax if end < 0 else end
            self.add_plain(line, end)
            line = end

    def add_heading(self, level: int, line: int) -> None:
        """Write down a heading that opens with number signs."""
        first = self.begin(line) + level
        text = self.src[first : self.eMarks[line]].strip(" \t")
        bare = text.rstrip("#")
        if not bare or bare[-1] in " \t":
            text = bare.rstrip(" \t")
        self.found.headings.append((level, text, line))
        self.found.runs.append(TextRun("heading", first, self.src[first : self.eMarks[line]]))

    def add_cells(self, line: int) -> None:
        """Write down the cells of a table's row."""
        first = position = self.begin(line)
        end = self.eMarks[line]
        while position < end:
            bar = self.src.find("|", position, end)
            bar = end if bar < 0 else bar
            if bar == end or self.src[bar - 1 : bar] != "\\":
                self.found.runs.append(TextRun("cell", first, self.src[first:bar]))
                first = bar + 1
            position = bar + 1
        if first < end:
            # The row ends in a bar behind a backslash, which divides none.
            self.found.runs.append(TextRun("cell", first, self.src[first:end]))


@dataclass(frozen=True, slots=True)
class LineIndex:
    """From a place in the text to its 1-based line, where LF alone ends lines."""

    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "LineIndex":
        """Index a text."""
        sizes = [len(line) + 1 for line in text.split("\n")]
        return cls(tuple(accumulate(sizes[1:-1], initial=sizes[0] - 1)) if len(sizes) > 1 else ())

    def line(self, place: int) -> int:
        """Return the line of a place."""
        return bisect_right(self.ends, place - 1) + 1
