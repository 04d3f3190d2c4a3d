"""Ask one passage whether a query holds of it, and find the lines that show why."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from app.errors import BadRequestError
from app.search.index.documents import NoteOutline
from app.search.index.texts import LONG_TEXT, TextForms, without_case
from app.search.lexical.analysis import fold
from app.search.query.pattern import Clock
from app.search.query.tree import And, Match, Node, Not, Or, Text, Unit, Within
from app.vault.paths import normalized, plain_signs

Question = Callable[[TextForms], bool]
Range = tuple[int, int]
"""First and last line, from 1."""
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)")
_BLANK = re.compile(r"[ \t>]*$")
_CODE = re.compile(r"([^\W\d_]+)([0-9]+)")
_DONE = frozenset("xX")


def question(node: Node, clock: Clock) -> Question:
    """Turn a tree of texts and expressions into a function that asks it of a passage."""
    if isinstance(node, Text):
        finds = finder(node)
        if node.folds:
            return lambda passage: finds(passage.folded)
        return (lambda passage: finds(passage.written)) if node.case else lambda passage: finds(passage.plain)
    if isinstance(node, Match):
        find = node.pattern.find
        return lambda passage: find(passage.raw, clock) is not None
    if isinstance(node, Not):
        asks = question(node.part, clock)
        return lambda passage: not asks(passage)
    if isinstance(node, And):
        first, *others = [question(part, clock) for part in node.parts]
        if len(others) == 1:
            [second] = others
            return lambda passage: first(passage) and second(passage)
        return lambda passage: first(passage) and all(other(passage) for other in others)
    if isinstance(node, Or):
        questions = [question(part, clock) for part in node.parts]
        return lambda passage: any(asks(passage) for asks in questions)
    if isinstance(node, Within) and node.unit == "line":
        asks, key = question(node.part, clock), key_of(node.part)
        return lambda passage: any(map(asks, _lines(key, passage)))
    raise AssertionError(f"{node} is not asked of a passage")


def finder(node: Text) -> Callable[[str], bool]:
    """Make the function that looks for a text in one of its own form; a blank meets any run of blanks."""
    words = wanted(node).split()
    if len(words) == 1:
        [word] = words
        if node.folds and (hyphened := with_hyphen(word)):
            return lambda text: word in text or hyphened in text
        return lambda text: word in text
    if len(whole := " ".join(words)) > LONG_TEXT:
        return lambda text: whole in " ".join(text.split())
    search = re.compile(r"\s+".join(map(re.escape, words))).search
    return lambda text: search(text) is not None


def with_hyphen(word: str) -> str:
    """Return a code of letters and digits with a hyphen: "grd-0054" for "grd0054"; empty for other words."""
    code = _CODE.fullmatch(word)
    return f"{code[1]}-{code[2]}" if code else ""


def wanted(node: Text) -> str:
    """Return a text in the form in which passages are searched for it, with single blanks."""
    return form_of(node)(" ".join(normalized("NFC", node.text).split()))


def form_of(node: Text) -> Callable[[str], str]:
    """Return the function that turns a text into the form that a node compares."""
    return fold if node.folds else plain_signs if node.case else without_case


def _lines(key: str, passage: TextForms) -> Iterator[TextForms]:
    """Yield the lines of a text that have ``key`` without case; all lines where there is no key."""
    raw = passage.raw
    plain = passage.plain if key else ""
    # A text that is longer or shorter without case has its lines at other places.
    if not key or len(plain) != len(raw):
        yield from map(TextForms, raw.split("\n"))
        return
    at = plain.find(key)
    while at >= 0:
        start = plain.rfind("\n", 0, at) + 1
        end = plain.find("\n", at)
        end = len(raw) if end < 0 else end
        yield TextForms(raw[start:end], plain[start:end])
        at = plain.find(key, end)


def key_of(part: Node) -> str:
    """Return the longest piece without blanks that a passage with ``part`` must have; empty for none."""
    if isinstance(part, Text) and not part.folds:
        return max(without_case(wanted(part)).split(), key=len, default="")
    if isinstance(part, And):
        return max(map(key_of, part.parts), key=len)
    return ""


def pieces(unit: Unit, outline: NoteOutline, lines: Sequence[str]) -> Iterator[str]:
    """Yield the texts of a note's pieces of one kind, in order."""
    for first, last in _ranges(unit, outline, lines):
        yield "\n".join(lines[first - 1 : last])


def _ranges(unit: Unit, outline: NoteOutline, lines: Sequence[str]) -> Iterator[Range]:
    """Return the lines of a note's pieces of one kind, in order."""
    if unit == "line":
        return ((number, number) for number in range(1, len(lines) + 1))
    if unit == "section":
        # Before the first heading stands a section too, the properties with it.
        return _between([1, *(section.line for section in outline.sections if section.line > 1)], len(lines))
    if unit == "block":
        return _between(sorted({1, *outline.blocks} if outline.body > 1 else outline.blocks), len(lines))
    return _tasks(unit, outline, lines)


def _between(starts: Sequence[int], last: int) -> Iterator[Range]:
    return ((start, after - 1) for start, after in pairwise([*starts, last + 1]))


def _tasks(unit: Unit, outline: NoteOutline, lines: Sequence[str]) -> Iterator[Range]:
    """Yield each task with the lines that go on with it; items below it are pieces of their own."""
    starts = set(outline.blocks)
    for status, line in outline.tasks:
        if (unit == "task-todo" and status != " ") or (unit == "task-done" and status not in _DONE):
            continue
        last = line
        while last < len(lines) and last + 1 not in starts and not _ends_item(lines[last]):
            last += 1
        yield line, last


def _ends_item(line: str) -> bool:
    return _BLANK.match(line) is not None or _ITEM.match(line) is not None


class _Shown(NamedTuple):
    """One note: its lines, as they stand and as passages that keep their other forms for all questions."""

    lines: list[str]
    passages: list[TextForms]
    outline: NoteOutline
    clock: Clock


def shown_lines(parts: Iterable[Node], raw: str, outline: NoteOutline, clock: Clock) -> list[int]:
    """List the lines, from 1, on which a word or expression stands that a note was found by.

    What was asked of a task, a block or a section is shown where such a piece holds all of it. Once the
    clock has run out no more are looked for: that the note is found does not depend on them.
    """
    lines = raw.split("\n")
    note = _Shown(lines, [TextForms(line) for line in lines], outline, clock)
    found: set[int] = set()
    with suppress(BadRequestError):
        for part in dict.fromkeys(parts):
            found.update(_places(part, note, (1, len(lines))))
    return sorted(found)


def _places(node: Node, note: _Shown, piece: Range) -> Iterator[int]:
    """Yield the lines of a piece of a note on which stands what the note was found by."""
    first, last = piece
    if isinstance(node, And | Or):
        for part in dict.fromkeys(node.parts):
            yield from _places(part, note, piece)
    elif isinstance(node, Not):
        # What a note lacks stands nowhere; only what is denied twice does.
        if isinstance(node.part, Not):
            yield from _places(node.part.part, note, piece)
    elif isinstance(node, Within):
        asks = question(node.part, note.clock)
        for start, end in _pieces(node, note):
            if first <= start and end <= last:
                whole = note.passages[start - 1]
                if start < end:
                    whole = TextForms("\n".join(note.lines[start - 1 : end]))
                if asks(whole):
                    yield from [start] if start == end else _places(node.part, note, (start, end))
    elif isinstance(node, Text | Match) and node.target in ("note", "content"):
        asks = question(node, note.clock)
        yield from (number for number in range(first, last + 1) if asks(note.passages[number - 1]))


def _pieces(node: Within, note: _Shown) -> Iterator[Range]:
    if node.unit == "heading":
        return ((section.line, section.line) for section in note.outline.sections)
    # Another name of a note stands in its properties, whose lines say nothing else.
    return iter(()) if node.unit == "alias" else _ranges(node.unit, note.outline, note.lines)
