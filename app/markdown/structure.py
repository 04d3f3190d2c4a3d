"""Read the block structure of a note, as CommonMark, tables and Obsidian's own blocks have it."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.ruler import Ruler
from markdown_it.rules_block import (
    StateBlock,
    blockquote,
    code,
    fence,
    heading,
    hr,
    html_block,
    list_block,
    table,
)
from markdown_it.token import Token

RunKind = Literal["paragraph", "heading", "cell"]

Rule = Callable[[StateBlock, int, int, bool], bool]
# A list counts two, a quote one. What lies deeper is read as plain text.
MAX_NESTING = 60


@dataclass(frozen=True, slots=True)
class TextRun:
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


class _TooTangledError(Exception):
    """The nesting would cost more time than the text is worth."""


class Outline(StateBlock):
    """The parser's state over one note, which keeps places in the text instead of tokens."""

    def __init__(self, src: str, md: MarkdownIt) -> None:
        super().__init__(src, md, {}, [])
        self.found = _Found()
        self.line_starts = tuple(self.bMarks)
        self.covered = bytearray(self.lineMax)
        # Line and level of the list item whose first paragraph may start with a box.
        self.item = (-1, -1)
        self.row = 0
        # Ordinary notes ask about four times a line; only contrived nesting of quotes gets near this.
        self.patience = 20_000 + 2 * self.lineMax + min(6 * self.lineMax, 300_000)
        self._token = Token("", "", 0)

    def spend(self) -> None:
        """Count one question about a line.

        Raises:
            TooTangledError: there were too many for the length of the note.
        """
        self.patience -= 1
        if self.patience < 0:
            raise _TooTangledError

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
            elif ttype == "heading_open":
                self._add_heading(int(tag[1]), self.line - 1)
            elif ttype == "table_open":
                self.row = 0
            elif ttype == "tr_open":
                # The line of dashes below the first row is no row.
                self._add_cells(self.line + self.row + (self.row > 0))
                self.row += 1
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

    def _add_heading(self, level: int, line: int) -> None:
        first = self.begin(line) + level
        text = self.src[first : self.eMarks[line]].strip(" \t")
        bare = text.rstrip("#")
        if not bare or bare[-1] in " \t":
            text = bare.rstrip(" \t")
        self.found.headings.append((level, text, line))
        self.found.runs.append(TextRun("heading", first, self.src[first : self.eMarks[line]]))

    def _add_cells(self, line: int) -> None:
        first = position = self.begin(line)
        end = self.eMarks[line]
        while position < end:
            bar = self.src.find("|", position, end)
            bar = end if bar < 0 else bar
            if bar == end or self.src[bar - 1 : bar] != "\\":
                self.found.runs.append(TextRun("cell", first, self.src[first:bar]))
                first = bar + 1
            position = bar + 1


@dataclass(frozen=True, slots=True)
class LineIndex:
    """From a place in the text to its 1-based line, where LF alone ends lines."""

    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "LineIndex":
        """Index a text."""
        ends = []
        place = text.find("\n")
        while place >= 0:
            ends.append(place)
            place = text.find("\n", place + 1)
        return cls(tuple(ends))

    def line(self, place: int) -> int:
        """Return the line of a place."""
        return bisect_right(self.ends, place - 1) + 1


def read_structure(src: str, first_line: int) -> tuple[Outline, bool]:
    """Find the blocks of a note.

    Args:
        src: The note's text, each line ended by LF.
        first_line: The line, from 0, where the body starts.

    Returns:
        The filled outline, and whether the structure was given up and all text taken as paragraphs.
    """
    outline, given_up = Outline(src, _PARSER), False
    try:
        _PARSER.block.tokenize(outline, first_line, outline.lineMax)
    except _TooTangledError:
        outline, given_up = Outline(src, _PARSER), True
        outline.found.starts.update(
            line
            for line in range(first_line, outline.lineMax)
            if not outline.isEmpty(line) and (line == first_line or outline.isEmpty(line - 1))
        )
    outline.add_uncovered(first_line)
    return outline, given_up


def _first_fitting(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Try the rules that a line's first sign allows; markdown-it would try them all."""
    assert isinstance(state, Outline)
    state.spend()
    place = state.begin(start)
    sign = state.src[place] if place < state.eMarks[start] else ""
    if silent:
        return _interrupts(state, start, end, sign)
    if state.level == 0:
        state.found.starts.add(start)
    rules = (code,) if state.is_code_block(start) else _BLOCKS.get(sign, ())
    if _may_head_table(state, start, end):
        rules = (table, *rules)
    taken = next((rule for rule in rules if rule(state, start, end, False)), None)
    if taken is None:
        _paragraph(state, start, end)
    if taken not in _CONTAINERS:
        state.covered[start : state.line] = b"\1" * (state.line - start)
    return True


def _interrupts(state: Outline, start: int, end: int, sign: str) -> bool:
    """Return whether a line ends the paragraph, quote or list item before it."""
    if state.is_code_block(start):
        return False
    rules = (_ENDING_ITEMS if state.parentType == "list" else _BLOCKS).get(sign, ())
    if any(rule(state, start, end, True) for rule in rules):
        return True
    return (
        state.parentType == "paragraph"
        and _may_head_table(state, start, end)
        and table(state, start, end, True)
    )


def _may_head_table(state: Outline, start: int, end: int) -> bool:
    return start + 1 < end and state.src[state.begin(start + 1) : state.begin(start + 1) + 1] in _TABLE_SIGNS


def _paragraph(state: Outline, start: int, end: int) -> None:
    """Take a paragraph or an underlined heading, in one go over its lines."""
    parent, state.parentType = state.parentType, "paragraph"
    line, level = start + 1, 0
    while line < state.lineMax and not state.isEmpty(line):
        indent = state.sCount[line] - state.blkIndent
        if indent <= 3:
            if indent >= 0 and line < end and (level := _underline(state, line)):
                break
            # Below zero stands a line that a quote has already taken as its own.
            if state.sCount[line] >= 0 and _first_fitting(state, line, state.lineMax, True):
                break
        line += 1
    state.parentType = parent
    if level:
        state.add_setext_heading(level, start, line)
        state.line = line + 1
    else:
        state.add_paragraph(start, line)
        state.line = line


def _underline(state: Outline, line: int) -> int:
    place = state.begin(line)
    sign = state.src[place]
    if sign not in "=-" or state.src[place : state.eMarks[line]].rstrip(" \t").strip(sign):
        return 0
    return 1 if sign == "=" else 2


def closing_line(state: StateBlock, mark: str, start: int, end: int) -> int | None:
    """Return the last line of a block of Obsidian's own: a formula (``$$``) or a comment (``%%``).

    It starts with ``mark`` on the line ``start`` and ends on the next line with another, after which a
    formula's line has to end. A block that never ends is none (None), so that one stray mark does not swallow
    the note.
    """
    after = state.bMarks[start] + state.tShift[start] + len(mark)
    if not state.src.startswith(mark, after - len(mark)) or mark in state.src[after : state.eMarks[start]]:
        return None
    # Where a search for the second mark has failed already.
    unclosed: dict[str, tuple[int, int]] = state.env.setdefault("unclosed", {})
    failed = unclosed.get(mark)
    if failed and failed[0] <= start and end <= failed[1]:
        return None
    for line in range(start + 1, end):
        if state.sCount[line] < state.blkIndent and not state.isEmpty(line):
            return None
        place = state.src.find(mark, state.bMarks[line], state.eMarks[line])
        if place >= 0:
            is_ended = mark == "%%" or not state.src[place + len(mark) : state.eMarks[line]].strip()
            return line if is_ended else None
    unclosed[mark] = (start, end)
    return None


def _formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    last = closing_line(state, "$$", start, end)
    if last is not None and not silent:
        state.line = last + 1
    return last is not None


def _comment(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a comment's lines as plain text, whose links and tags count."""
    assert isinstance(state, Outline)
    last = closing_line(state, "%%", start, end)
    if last is not None and not silent:
        state.add_plain(start, last + 1)
        state.line = last + 1
    return last is not None


_TABLE_SIGNS = frozenset("|:-")
_CONTAINERS: tuple[Rule, ...] = (blockquote, list_block)
_ENDING_ITEMS: Mapping[str, tuple[Rule, ...]] = {
    "`": (fence,),
    "~": (fence,),
    ">": (blockquote,),
    "*": (hr,),
    "-": (hr,),
    "_": (hr,),
}
_BLOCKS: Mapping[str, tuple[Rule, ...]] = {
    **dict.fromkeys("+0123456789", (list_block,)),
    **_ENDING_ITEMS,
    # "* * *" is a thematic break, not a list.
    "*": (hr, list_block),
    "-": (hr, list_block),
    "<": (html_block,),
    "#": (heading,),
    "$": (_formula,),
    "%": (_comment,),
}


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    parser.block.ruler = Ruler()
    parser.block.ruler.push("first_fitting", _first_fitting, {"alt": ["paragraph", "blockquote", "list"]})
    # The ruler compiles its table when first asked, and several threads may ask at once.
    parser.block.ruler.getRules("")
    return parser


_PARSER = _make_parser()
