"""The stretches of a note that can be quoted: sections, paragraphs, lists and tables, whole if they fit."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from app.chat.evidence.statement import FENCE, Statement

Range = tuple[int, int]
"""The first and the last of some statements, by their places."""


@dataclass(frozen=True, slots=True)
class Span:
    """Neighbouring statements under one heading; ``text`` is what stands in the note from first to last."""

    text: str
    statements: tuple[Statement, ...]

    @property
    def first(self) -> int:
        """Its first line, from 1."""
        return self.statements[0].first

    @property
    def last(self) -> int:
        """Its last line."""
        return self.statements[-1].last

    def overlaps(self, other: "Span") -> bool:
        """Return whether another span of the same note has any of its characters."""
        mine, others = self.statements, other.statements
        return mine[0].start < others[-1].end and others[0].start < mine[-1].end


def spans_of(text: str, statements: Sequence[Statement], first: int, last: int, most: int) -> list[Span]:
    """Return the spans with a statement on some lines, in order, none twice.

    A section that fits is one span. Of a longer one each paragraph, list, table and fence is, with as many of
    its neighbours as fit; and what does not fit itself is taken statement by statement, with neighbours.

    Args:
        text: The note.
        statements: All of its statements.
        first: The first line.
        last: The last line.
        most: The most characters of a span; a single statement may be longer.
    """
    found: dict[Range, None] = {}
    for section in _runs(statements, lambda one: one.headings):
        begin, end = section
        if statements[end].last < first or statements[begin].first > last:
            continue
        for at in _inside(statements, section, most):
            if statements[at[1]].last >= first and statements[at[0]].first <= last:
                found[at] = None
    return [_span(text, statements, at) for at in found]


def whole_list(text: str, statements: Sequence[Statement], span: Span, most: int) -> Span:
    """Return a span with all of the lists it has a part of, and their introduction, where that fits."""
    first = bisect_left(statements, span.statements[0].start, key=lambda one: one.start)
    last = first + len(span.statements) - 1
    cut = {one.block for one in span.statements if one.kind == "item" or one.is_step}
    places = [at for at, one in enumerate(statements) if one.block in cut]
    if not places:
        return span
    begin, end = min(first, places[0]), max(last, places[-1])
    introduced = begin and begin == places[0] and statements[begin - 1].text.rstrip().endswith(":")
    if introduced and statements[begin - 1].headings == statements[begin].headings:
        begin -= 1
    return span if _size(statements, (begin, end)) > most else _span(text, statements, (begin, end))


def filled(
    text: str, statements: Sequence[Statement], span: Span, most: int, is_shared: Callable[[str], bool]
) -> Span:
    """Return a span with what follows it, then what stands before it under its heading, as far as that fits.

    What a section says of itself often goes on below the next heading. Nothing of another day is taken along,
    nor what many notes share.
    """
    first = bisect_left(statements, span.statements[0].start, key=lambda one: one.start)
    last = first + len(span.statements) - 1
    begin = statements[first]

    def belongs(at: int) -> bool:
        return statements[at].day == begin.day and not all(map(is_shared, statements[at].text.split("\n")))

    while last + 1 < len(statements):
        end = last + 1
        if statements[end].kind != "sentence" and statements[end].block != statements[last].block:
            # A list that is begun is not broken off.
            end = bisect_right(statements, statements[end].block, key=lambda one: one.block) - 1
        if _size(statements, (first, end)) > most or not all(map(belongs, range(last + 1, end + 1))):
            break
        last = end
    while (
        first
        and _size(statements, (first - 1, last)) <= most
        and statements[first - 1].headings == begin.headings
        and belongs(first - 1)
    ):
        first -= 1
    return _with_fence(text, _span(text, statements, (first, last)))


def joined(
    text: str,
    statements: Sequence[Statement],
    one: Span,
    other: Span,
    most: int,
    is_shared: Callable[[str], bool],
) -> Span | None:
    """Return two spans of one note with what stands between them; None where that does not fit.

    Nor are two joined where something in between, or one of both, is of another day, or is what many notes
    share.
    """
    starts = sorted(each.start for span in (one, other) for each in span.statements)
    first, last = (bisect_left(statements, at, key=lambda each: each.start) for at in (starts[0], starts[-1]))
    inside = statements[first : last + 1]
    if _size(statements, (first, last)) > most or len({each.day for each in inside}) > 1:
        return None
    if any(all(map(is_shared, each.text.split("\n"))) for each in inside):
        return None
    return _with_fence(text, _span(text, statements, (first, last)))


def _with_fence(text: str, span: Span) -> Span:
    """Return a span that begins in a block of code and goes on after it with the line that opens it."""
    code, *others = span.statements
    above = text.rfind("\n", 0, max(code.start - 1, 0)) + 1
    opening = text[above : code.start]
    if code.kind != "code" or code.block == span.statements[-1].block or not FENCE.match(opening):
        return span
    opened = replace(code, text=opening + code.text, start=above, first=code.first - 1)
    return Span(opening + span.text, (opened, *others))


def _runs(statements: Sequence[Statement], key: Callable[[Statement], object]) -> Iterator[Range]:
    at = 0
    for _, group in groupby(statements, key):
        count = len(list(group))
        yield at, at + count - 1
        at += count


def _inside(statements: Sequence[Statement], section: Range, most: int) -> Iterator[Range]:
    """Yield the spans of a section."""
    if _size(statements, section) <= most:
        yield section
        return
    first, last = section
    blocks = [
        (first + begin, first + end)
        for begin, end in _runs(statements[first : last + 1], lambda one: one.block)
    ]
    for number, block in enumerate(blocks):
        if _size(statements, block) > most:
            singles = [(at, at) for at in range(block[0], block[1] + 1)]
            yield from (_grown(statements, singles, at, most) for at in range(len(singles)))
        else:
            yield _grown(statements, blocks, number, most)


def _grown(statements: Sequence[Statement], parts: Sequence[Range], at: int, most: int) -> Range:
    """Join a part with those around it while they fit: what introduces it, what follows, then the rest."""
    first = last = at
    if first and statements[parts[at][0]].above:
        first = first - 1 if _fits(statements, parts, first - 1, last, most) else first
    while last + 1 < len(parts) and _fits(statements, parts, first, last + 1, most):
        last += 1
    while first and _fits(statements, parts, first - 1, last, most):
        first -= 1
    return parts[first][0], parts[last][1]


def _fits(statements: Sequence[Statement], parts: Sequence[Range], first: int, last: int, most: int) -> bool:
    return _size(statements, (parts[first][0], parts[last][1])) <= most


def _size(statements: Sequence[Statement], at: Range) -> int:
    return statements[at[1]].end - statements[at[0]].start


def _span(text: str, statements: Sequence[Statement], at: Range) -> Span:
    inside = tuple(statements[at[0] : at[1] + 1])
    return Span(text[inside[0].start : inside[-1].end], inside)
