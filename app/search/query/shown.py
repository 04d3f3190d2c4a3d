"""Find the lines of a note that show why a query found it."""

from collections.abc import Iterable, Iterator, Sequence

from app.errors import BadRequestError
from app.search.query.match import question
from app.search.query.pattern import Clock
from app.search.query.texts import Passage
from app.search.query.tree import And, Match, Node, Not, Or, Text, Within
from app.search.query.units import Range, ranges
from app.search.records import NoteOutline


def shown_lines(parts: Iterable[Node], raw: str, outline: NoteOutline, clock: Clock) -> list[int]:
    """List the lines, from 1, on which a word or expression stands that a note was found by.

    What was asked of a task, a block or a section is shown where such a piece holds all of it. Once the
    clock has run out no more are looked for: that the note is found does not depend on them.
    """
    lines = raw.split("\n")
    found: set[int] = set()
    try:
        for part in parts:
            found.update(_places(part, lines, outline, clock))
    except BadRequestError:
        return sorted(found)
    return sorted(found)


def _places(node: Node, lines: Sequence[str], outline: NoteOutline, clock: Clock) -> Iterator[int]:
    if isinstance(node, And | Or):
        for part in node.parts:
            yield from _places(part, lines, outline, clock)
    elif isinstance(node, Not):
        # What a note lacks stands nowhere; only what is denied twice does.
        if isinstance(node.part, Not):
            yield from _places(node.part.part, lines, outline, clock)
    elif isinstance(node, Within):
        asks = question(node.part, clock)
        for first, last in _pieces(node, outline, lines):
            if asks(Passage("\n".join(lines[first - 1 : last]))):
                leaves = [first] if first == last else _in_piece(node.part, lines, (first, last), clock)
                yield from leaves
    elif isinstance(node, Text | Match) and node.target in ("note", "content"):
        yield from _standing(node, lines, (1, len(lines)), clock)


def _pieces(node: Within, outline: NoteOutline, lines: Sequence[str]) -> Iterator[Range]:
    if node.unit == "heading":
        return ((line, line) for line in outline.headings)
    # Another name of a note stands in its properties, whose lines say nothing else.
    return iter(()) if node.unit == "alias" else ranges(node.unit, outline, lines)


def _in_piece(part: Node, lines: Sequence[str], piece: Range, clock: Clock) -> Iterator[int]:
    if isinstance(part, And | Or):
        for inner in part.parts:
            yield from _in_piece(inner, lines, piece, clock)
    elif isinstance(part, Within):
        yield from _in_piece(part.part, lines, piece, clock)
    elif isinstance(part, Text | Match):
        yield from _standing(part, lines, piece, clock)


def _standing(leaf: Text | Match, lines: Sequence[str], piece: Range, clock: Clock) -> Iterator[int]:
    asks = question(leaf, clock)
    first, last = piece
    return (number for number in range(first, last + 1) if asks(Passage(lines[number - 1])))
