"""The statements of a note: its sentences, list items, table rows and lines of code, each with its place."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

from app.markdown.plain import plain_line
from app.markdown.properties import find_properties, read_properties
from app.markdown.sentences import sentence_starts
from app.vault.dates import dated_heading

Kind = Literal["sentence", "item", "row", "code", "property"]

WHOLE_ITEM = 400
"""A list item of more characters is read sentence by sentence."""
SHORTEST = 2
"""Letters; what has fewer states nothing."""
LONGEST = 1_000
"""Characters; what has more is cut between words, and a word of more inside it."""

# What a part takes it keeps (`*+`, `++`), so that a long line is not tried anew from each character.
_QUOTED = r"[ \t]*+(?:>[ \t]*+)*+"
_HEADING = re.compile(rf"{_QUOTED}(?P<signs>#{{1,6}})[ \t]++(?P<text>.*)$")
_ITEM = re.compile(rf"(?P<indent>{_QUOTED})(?P<sign>[-*+]|\d{{1,9}}[.)])[ \t]++(?=\S)")
FENCE = re.compile(rf"{_QUOTED}(?:(?:[-*+]|\d++[.)])[ \t]++)?(?P<sign>`{{3,}}+|~{{3,}}+|\$\$)(?P<rest>.*)$")
_ROW = re.compile(rf"{_QUOTED}\|.*\|[ \t]*+$")
_RULE_OF_TABLE = re.compile(rf"{_QUOTED}[ \t:|]*+-[ \t:|-]*+$")
_HTML_ROW = re.compile(r"[ \t]*+<tr\b", re.IGNORECASE)
_HTML_ROW_END = re.compile(r"</tr>", re.IGNORECASE)
_UNDERLINE = re.compile(r" {0,3}(=++|-++)[ \t]*+")
_MARKS_ONLY = re.compile(rf"{_QUOTED}(?:\[![\w-]++\][+-]?[ \t]*+|(?:[-*_=][ \t]*+){{3,}}+)?$")
_OPENING = re.compile(rf"{_QUOTED}(?:\[![\w-]++\][+-]?[ \t]++)?")
_FIELD = re.compile(rf"{_QUOTED}[*_]{{0,3}}[^\W\d][\w -]{{0,40}}[*_]{{0,3}}::?[*_]{{0,3}}[ \t]++\S")
_PROPERTY = re.compile(r"^[^\s#:'\"-][^:\n]*:(?=[ \t\n])", re.MULTILINE)
_TAG = re.compile(r"<[^<>\n]*+>")
_LETTER = re.compile(r"\w")
_PIECE = re.compile(rf"[\s\S]{{0,{LONGEST - 1}}}\S(?!\S)|[\s\S]{{1,{LONGEST}}}")


class _Line(NamedTuple):
    number: int
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A part of a note that can be quoted by itself, from ``start`` to ``end`` of the note's text.

    ``text`` stands there byte for byte, on the lines ``first`` to ``last``. ``block`` numbers the paragraph,
    list, table or fence it stands in, within the note.
    """

    kind: Kind
    text: str
    start: int
    end: int
    first: int
    last: int
    headings: tuple[str, ...]
    """The headings above it, outermost first."""
    above: str
    """What introduces it: the line before its list with the items above it, or the header of its table."""
    day: str
    """The day of the dated heading above it, such as ``2025-07-14``; empty where there is none."""
    block: int
    is_step: bool = False
    """Whether it is one of several numbered items."""


def statements_of(text: str) -> list[Statement]:
    """Cut the text of a note into statements, in order; properties, headings, rules and blanks are none."""
    return list(_Reader(text).read())


def properties_of(text: str) -> list[Statement]:
    """Return the properties of a note, in order, each with its name and its value as they stand."""
    lines = text.replace("\r", "\n")
    place = find_properties(text, lines)
    if place is None:
        return []
    found: list[Statement] = []
    number = text.count("\n", 0, place.start) + 1
    borders = [one.start() for one in _PROPERTY.finditer(lines, place.start, place.end)]
    for start, end in pairwise([*borders, place.end]):
        inside = text[start:end].rstrip()
        while inside.rpartition("\n")[2].lstrip().startswith("#"):
            inside = inside.rpartition("\n")[0].rstrip()
        first = number + text.count("\n", place.start, start)
        last = first + inside.count("\n")
        if len(inside) <= LONGEST:
            found.append(
                Statement("property", inside, start, start + len(inside), first, last, (), "", "", 0)
            )
    return found


class _Reader:
    """Goes through a note once, line by line."""

    def __init__(self, text: str) -> None:
        self._text = text
        lines = text.split("\n")
        starts = accumulate((len(line) + 1 for line in lines), initial=0)
        body = read_properties(text, text.replace("\r", "\n")).body_start
        self._lines = [
            _Line(number, start, line.removesuffix("\r"))
            for number, (start, line) in enumerate(zip(starts, lines, strict=False), 1)
            if start >= body
        ]
        self._starts = [line.start for line in self._lines]
        self._headings: list[tuple[int, str]] = []
        self._days: list[tuple[int, str]] = []
        self._block = 0
        self._before = ""
        """The last line of the block before, which may introduce what follows."""

    def read(self) -> Iterator[Statement]:
        at = 0
        while at < len(self._lines):
            line = self._lines[at].text
            if _MARKS_ONLY.match(line):
                at += 1
            elif heading := _HEADING.match(line):
                self._enter(len(heading["signs"]), heading["text"].rstrip(" \t#"))
                at += 1
            elif underline := self._underline(at):
                self._enter(1 if underline == "=" else 2, line.strip())
                at += 2
            else:
                self._block += 1
                end = self._block_end(at)
                yield from self._statements(at, end)
                last = next((one.text for one in reversed(self._lines[at:end]) if one.text.strip()), "")
                self._before = last if last.rstrip().endswith(":") else ""
                at = end

    def _enter(self, level: int, text: str) -> None:
        self._headings = [one for one in self._headings if one[0] < level] + [(level, text)]
        day = dated_heading(text)
        self._days = [one for one in self._days if one[0] < level] + ([(level, str(day))] if day else [])
        self._before = ""

    def _underline(self, at: int) -> str:
        """Return the sign of the rule that makes a heading of a line; empty where there is none."""
        if at + 1 >= len(self._lines) or _ITEM.match(self._lines[at].text):
            return ""
        rule = _UNDERLINE.fullmatch(self._lines[at + 1].text)
        return rule[1][0] if rule else ""

    def _block_end(self, at: int) -> int:
        """Return where the block ends that begins at a line."""
        first = self._lines[at].text
        if fence := FENCE.match(first):
            return self._fence_end(at, fence)
        if _is_table(self._lines, at):
            # The signs at both ends of rows may be left out of a whole table.
            return self._run_end(at + 2, _ROW.match if _ROW.match(first) else lambda line: "|" in line)
        if _HTML_ROW.match(first):
            place = bisect_left(self._row_ends, at)
            return (self._row_ends[place] if place < len(self._row_ends) else at) + 1
        is_list = _ITEM.match(first) is not None
        end = at + 1
        while end < len(self._lines) and not self._interrupts(end, is_list=is_list):
            end += 1
        return end

    @cached_property
    def _row_ends(self) -> list[int]:
        """Return the lines on which a row of HTML ends."""
        return [at for at, line in enumerate(self._lines) if _HTML_ROW_END.search(line.text)]

    def _fence_end(self, at: int, fence: re.Match[str]) -> int:
        sign = fence["sign"]
        if sign == "$$" and "$$" in fence["rest"]:
            return at + 1
        for end in range(at + 1, len(self._lines)):
            close = FENCE.match(self._lines[end].text)
            inside = self._lines[end].text.strip("> \t")
            if (close and close["sign"].startswith(sign) and not close["rest"].strip()) or (
                sign == "$$" and inside.endswith("$$")
            ):
                return end + 1
        return len(self._lines)

    def _run_end(self, at: int, belongs: Callable[[str], object]) -> int:
        end = at
        while end < len(self._lines) and belongs(self._lines[end].text):
            end += 1
        return end

    def _interrupts(self, at: int, *, is_list: bool) -> bool:
        """Return whether a line begins another block."""
        line = self._lines[at].text
        if _HEADING.match(line) or _HTML_ROW.match(line) or _is_table(self._lines, at):
            return True
        if FENCE.match(line):
            return True
        if not is_list:
            return bool(_MARKS_ONLY.match(line) or _ITEM.match(line))
        if line.strip("> \t"):
            # After a blank line only another item, or what is indented, goes on with a list.
            blank = not self._lines[at - 1].text.strip("> \t")
            return blank and not (_ITEM.match(line) or line.startswith((" ", "\t")))
        return False

    def _statements(self, at: int, end: int) -> Iterator[Statement]:
        lines = self._lines[at:end]
        first = lines[0].text
        if FENCE.match(first):
            yield from self._code(lines)
        elif _is_table(self._lines, at):
            yield from self._rows(lines)
        elif _HTML_ROW.match(first):
            yield from self._made("row", [lines], self._before)
        elif _ITEM.match(first):
            yield from self._items(lines)
        else:
            yield from self._sentences(lines, self._before)

    def _code(self, lines: Sequence[_Line]) -> Iterator[Statement]:
        inside = [line for line in lines if not FENCE.match(line.text)]
        yield from self._made("code", [[line] for line in inside], self._before)

    def _rows(self, lines: Sequence[_Line]) -> Iterator[Statement]:
        yield from self._made("row", [[line] for line in lines[2:]], lines[0].text)

    def _items(self, lines: Sequence[_Line]) -> Iterator[Statement]:
        items: list[list[_Line]] = []
        is_apart = False
        for line in lines:
            if not line.text.strip("> \t"):
                is_apart = True
                continue
            if _ITEM.match(line.text) or is_apart:
                items.append([line])
            else:
                items[-1].append(line)
            is_apart = False
        numbered = sum(_sign(item).isdigit() for item in items) > 1
        parents: list[tuple[int, str]] = []
        for item in items:
            opening = _ITEM.match(item[0].text)
            if opening is None:
                # A paragraph inside an item, after a blank line.
                yield from self._sentences(item, parents[-1][1] if parents else self._before)
                continue
            depth = len(opening["indent"].expandtabs(4))
            parents = [one for one in parents if one[0] < depth]
            above = "\n".join(filter(None, [self._before, *(text for _, text in parents)]))
            parents.append((depth, item[0].text))
            size = item[-1].start + len(item[-1].text) - item[0].start
            if size <= WHOLE_ITEM:
                yield from self._made("item", [item], above, is_step=numbered and _sign(item).isdigit())
            else:
                yield from self._sentences(item, above)

    def _sentences(self, lines: Sequence[_Line], above: str) -> Iterator[Statement]:
        """Cut a paragraph where sentences end, or into lines that each name a value, such as ``due: May``."""
        if len(lines) > 1 and all(_FIELD.match(line.text) for line in lines):
            yield from self._made("item", [[line] for line in lines], above)
            return
        start, end = lines[0].start, lines[-1].start + len(lines[-1].text)
        text = self._text[start:end]
        borders = [0, *sentence_starts(text), len(text)]
        for begin, stop in pairwise(borders):
            yield from self._cut("sentence", start + begin, start + stop, above)

    def _made(
        self, kind: Kind, parts: Sequence[Sequence[_Line]], above: str, *, is_step: bool = False
    ) -> Iterator[Statement]:
        for part in parts:
            end = part[-1].start + len(part[-1].text)
            yield from self._cut(kind, part[0].start, end, above, is_step=is_step)

    def _cut(
        self, kind: Kind, start: int, end: int, above: str, *, is_step: bool = False
    ) -> Iterator[Statement]:
        """Make a statement, or several of a long one, of a text without the signs and blanks around it."""
        text = self._text[start:end]
        # What indents code belongs to it, and the sign of an item shows that it is one.
        opening = 0 if kind == "code" else len(_OPENING.match(text)[0])  # type: ignore[index]  # it matches nothing, too
        opening += 0 if kind == "code" else len(text[opening:]) - len(text[opening:].lstrip())
        start, text = start + opening, text[opening:].rstrip()
        if not _states(text):
            return
        for piece in _PIECE.finditer(text):
            inside = piece[0].lstrip() if piece.start() else piece[0]
            if not _states(inside):
                continue
            end = start + piece.end()
            begin = end - len(inside)
            yield Statement(
                kind,
                inside,
                begin,
                end,
                self._lines[bisect_right(self._starts, begin) - 1].number,
                self._lines[bisect_left(self._starts, end) - 1].number,
                tuple(heading for _, heading in self._headings),
                above,
                self._days[-1][1] if self._days else "",
                self._block,
                is_step,
            )


def plain_text(text: str) -> str:
    """Return a text as a reader sees it, in one line."""
    return " ".join(filter(None, (plain_line(_TAG.sub(" ", line)) for line in text.split("\n"))))


def _states(text: str) -> bool:
    """Return whether a text has enough letters to state something."""
    return len(_LETTER.findall(_TAG.sub("", text))) >= SHORTEST


def _sign(item: Sequence[_Line]) -> str:
    opening = _ITEM.match(item[0].text)
    return opening["sign"].rstrip(".)") if opening else ""


def _is_table(lines: Sequence[_Line], at: int) -> bool:
    """Return whether a table begins at a line: a row with a rule below it."""
    return (
        at + 1 < len(lines)
        and "|" in lines[at].text
        and "-" in lines[at + 1].text
        and "|" in lines[at + 1].text
        and _RULE_OF_TABLE.match(lines[at + 1].text) is not None
    )
