"""Cut a note into the pieces that a group can be asked of: blocks, sections and tasks."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.search.query.tree import Unit
from app.search.records import NoteOutline

Range = tuple[int, int]
"""First and last line, from 1."""

_ITEM = re.compile(r"[ \t>]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)")
_BLANK = re.compile(r"[ \t>]*$")
_DONE = frozenset("xX")


def pieces(unit: Unit, outline: NoteOutline, lines: Sequence[str]) -> Iterator[str]:
    """Give the texts of a note's pieces of one kind, in order."""
    for first, last in ranges(unit, outline, lines):
        yield "\n".join(lines[first - 1 : last])


def ranges(unit: Unit, outline: NoteOutline, lines: Sequence[str]) -> Iterator[Range]:
    """Give the lines of a note's pieces of one kind, in order."""
    if unit == "line":
        return ((number, number) for number in range(1, len(lines) + 1))
    if unit == "section":
        # Before the first heading stands a section too, the properties with it.
        return _between([1, *(line for line in outline.headings if line > 1)], len(lines))
    if unit == "block":
        return _between(sorted({1, *outline.blocks} if outline.body > 1 else outline.blocks), len(lines))
    return _tasks(unit, outline, lines)


def _between(starts: Sequence[int], last: int) -> Iterator[Range]:
    return ((start, after - 1) for start, after in pairwise([*starts, last + 1]))


def _tasks(unit: Unit, outline: NoteOutline, lines: Sequence[str]) -> Iterator[Range]:
    """Give each task with the lines that go on with it; items below it are pieces of their own."""
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
