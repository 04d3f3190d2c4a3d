"""Find the lines of a note that show why a query found it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.errors import BadRequestError
from app.search.query.match import question
from app.search.query.pattern import Clock
from app.search.query.texts import Passage
from app.search.query.tree import And, Match, Node, Not, Or, Text, Within
from app.search.query.units import Range, ranges
from app.search.records import NoteOutline


@dataclass(frozen=True, slots=True)
class _Shown:
    """One note: its lines, as they stand and as passages that keep their other forms for all questions."""

    lines: list[str]
    passages: list[Passage]
    outline: NoteOutline
    clock: Clock


def shown_lines(parts: Iterable[Node], raw: str, outline: NoteOutline, clock: Clock) -> list[int]:
    """List the lines, from 1, on which a word or expression stands that a note was found by.

    What was asked of a task, a block or a section is shown where such a piece holds all of it. Once the
    clock has run out no more are looked for: that the note is found does not depend on them.
    """
    lines = raw.split("\n")
    note = _Shown(lines, [Passage(line) for line in lines], outline, clock)
    found: set[int] = set()
    try:
        for part in dict.fromkeys(parts):
            found.update(_places(part, note))
    except BadRequestError:
        return sorted(found)
    return sorted(found)


def _places(node: Node, note: _Shown) -> Iterator[int]:
    if isinstance(node, And | Or):
        for part in dict.fromkeys(node.parts):
            yield from _places(part, note)
    elif isinstance(node, Not):
        # What a note lacks stands nowhere; only what is denied twice does.
        if isinstance(node.part, Not):
            yield from _places(node.part.part, note)
    elif isinstance(node, Within):
        asks = question(node.part, note.clock)
        for first, last in _pieces(node, note):
            whole = note.passages[first - 1] if first == last else _joined(note, (first, last))
            if asks(whole):
                yield from [first] if first == last else _in_piece(node.part, note, (first, last))
    elif isinstance(node, Text | Match) and node.target in ("note", "content"):
        yield from _standing(node, note, (1, len(note.lines)))


def _joined(note: _Shown, piece: Range) -> Passage:
    return Passage("\n".join(note.lines[piece[0] - 1 : piece[1]]))


def _pieces(node: Within, note: _Shown) -> Iterator[Range]:
    if node.unit == "heading":
        return ((line, line) for line in note.outline.headings)
    # Another name of a note stands in its properties, whose lines say nothing else.
    return iter(()) if node.unit == "alias" else ranges(node.unit, note.outline, note.lines)


def _in_piece(part: Node, note: _Shown, piece: Range) -> Iterator[int]:
    if isinstance(part, And | Or):
        for inner in part.parts:
            yield from _in_piece(inner, note, piece)
    elif isinstance(part, Within):
        yield from _in_piece(part.part, note, piece)
    elif isinstance(part, Text | Match):
        yield from _standing(part, note, piece)


def _standing(leaf: Text | Match, note: _Shown, piece: Range) -> Iterator[int]:
    asks = question(leaf, note.clock)
    first, last = piece
    return (number for number in range(first, last + 1) if asks(note.passages[number - 1]))
