"""Ask one passage whether a query holds of it, and find the lines that show why."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise

from app.errors import BadRequestError
from app.search.index.documents import LONG_TEXT, NoteOutline, TextForms, without_case
from app.search.lexical.analysis import fold
from app.search.query.tree import And, Clock, Match, Node, Not, Or, Text, Unit, Within, with_hyphen
from app.vault.paths import normalized, plain_signs

Question = Callable[[TextForms], bool]
Range = tuple[int, int]
"""First and last line, from 1."""
_ENDS_ITEM = re.compile(r"[ \t>]*(?:$|(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$))")
"""What a line begins with, or is, that does not go on with the task above it."""
_STATUSES = {"task-todo": " ", "task-done": "xX"}


def question(node: Node, clock: Clock) -> Question:
    """Turn a tree of texts and expressions into a function that asks it of a passage."""
    match node:
        case Text():
            finds = finder(node)
            if node.folds:
                return lambda passage: finds(passage.folded)
            return lambda passage: finds(passage.written if node.case else passage.plain)
        case Match():
            return lambda passage: node.pattern.meets(passage.raw, clock)
        case Not():
            denied = question(node.part, clock)
            return lambda passage: not denied(passage)
        case And():
            every = [question(part, clock) for part in node.parts]
            return lambda passage: all(asks(passage) for asks in every)
        case Or():
            some = [question(part, clock) for part in node.parts]
            return lambda passage: any(asks(passage) for asks in some)
    raise AssertionError(f"{node} is not asked of a passage")


def finder(node: Text) -> Callable[[str], bool]:
    """Make the function that looks for a text in one of its own form; a blank meets any run of whitespace."""
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


def wanted(node: Text) -> str:
    """Return a text in the form in which passages are searched for it, with single blanks."""
    return form_of(node)(" ".join(normalized("NFC", node.text).split()))


def form_of(node: Text) -> Callable[[str], str]:
    """Return the function that turns a text into the form that a node compares."""
    return fold if node.folds else plain_signs if node.case else without_case


def key_of(part: Node) -> str:
    """Return the longest piece without blanks that a passage with ``part`` must have; empty for none."""
    if isinstance(part, Text) and not part.folds:
        return max(without_case(wanted(part)).split(), key=len, default="")
    return max(map(key_of, part.parts), key=len) if isinstance(part, And) else ""


def ranges(unit: Unit, outline: NoteOutline, lines: Sequence[str]) -> Iterator[Range]:
    """Yield the lines of a note's pieces of one kind, in order; an alias has none of its own."""
    if unit == "line":
        yield from ((number, number) for number in range(1, len(lines) + 1))
    elif unit == "heading":
        yield from ((section.line, section.line) for section in outline.sections)
    elif unit in ("section", "block"):
        # Before the first heading stands a section too, the properties with it.
        starts = [section.line for section in outline.sections] if unit == "section" else outline.blocks
        is_first = unit == "section" or outline.body > 1
        cuts = sorted({*starts, 1} if is_first else starts)
        yield from ((start, after - 1) for start, after in pairwise([*cuts, len(lines) + 1]))
    elif unit != "alias":
        yield from _tasks(unit, outline, lines)


def _tasks(unit: Unit, outline: NoteOutline, lines: Sequence[str]) -> Iterator[Range]:
    """Yield each task with the lines that go on with it; items below it are pieces of their own."""
    starts = set(outline.blocks)
    for status, line in outline.tasks:
        if status in _STATUSES.get(unit, status):
            last = line
            while last < len(lines) and last + 1 not in starts and not _ENDS_ITEM.match(lines[last]):
                last += 1
            yield line, last


def shown_lines(parts: Iterable[Node], raw: str, outline: NoteOutline, clock: Clock) -> list[int]:
    """List the lines, from 1, on which a word or expression stands that a note was found by.

    What was asked of a task, a block or a section is shown where such a piece holds all of it. Once the
    clock has run out no more are looked for: that the note is found does not depend on them.
    """
    lines = raw.split("\n")
    # They keep their other forms for all questions.
    passages = [TextForms(line) for line in lines]

    def places(node: Node, first: int, last: int) -> Iterator[int]:
        match node:
            case And() | Or():
                for part in dict.fromkeys(node.parts):
                    yield from places(part, first, last)
            case Not(part=Not(part=part)):
                # What a note lacks stands nowhere; only what is denied twice does.
                yield from places(part, first, last)
            case Within():
                asks = question(node.part, clock)
                for start, end in ranges(node.unit, outline, lines):
                    if first <= start and end <= last:
                        piece = passages[start - 1]
                        if start < end:
                            piece = TextForms("\n".join(lines[start - 1 : end]))
                        if asks(piece):
                            yield from [start] if start == end else places(node.part, start, end)
            case Text(target="note" | "content") | Match(target="note" | "content"):
                asks = question(node, clock)
                yield from (number for number in range(first, last + 1) if asks(passages[number - 1]))

    found: set[int] = set()
    with suppress(BadRequestError):
        for part in dict.fromkeys(parts):
            found.update(places(part, 1, len(lines)))
    return sorted(found)
