"""Where the lines of a canvas run, as the attributes of SVG take it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.web.canvas.content import Arrow, Card, Side

MARGIN = 60.0
HEAD_LONG, HEAD_WIDE = 14.0, 7.0
"""Length of an arrow's head, and half its width."""
LEAST_BEND, MOST_BEND = 40.0, 240.0
_AWAY: dict[Side, tuple[int, int]] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """An arrow as it is drawn: the path, its heads as polygons, and where its label stands."""

    path: str
    heads: tuple[str, ...]
    x: str
    y: str


def view_box(cards: Sequence[Card]) -> str:
    """Return the part of the plane that has all cards in it, with a margin."""
    if not cards:
        return "0 0 800 500"
    left, top = min(card.x for card in cards) - MARGIN, min(card.y for card in cards) - MARGIN
    right = max(card.x + card.width for card in cards) + MARGIN
    bottom = max(card.y + card.height for card in cards) + MARGIN
    return " ".join(map(number, (left, top, right - left, bottom - top)))


def number(value: float) -> str:
    """Return a number as SVG reads it, to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


def draw(arrow: Arrow, cards: Sequence[Card]) -> Line:
    """Draw an arrow from the side of one card to that of another; without sides, between the nearest two."""
    source, target = cards[arrow.source], cards[arrow.target]
    start_side = arrow.sides[0] or _facing(source, target)
    end_side = arrow.sides[1] or _facing(target, source)
    start, end = _on(source, start_side), _on(target, end_side)
    bend = min(MOST_BEND, max(LEAST_BEND, math.dist(start, end) / 2))
    # The line ends where a head begins, so that it does not show beside its tip.
    first = _out(start, start_side, HEAD_LONG if arrow.ends[0] else 0)
    last = _out(end, end_side, HEAD_LONG if arrow.ends[1] else 0)
    after, before = _out(start, start_side, bend), _out(end, end_side, bend)
    middle = [(a + 3 * b + 3 * c + d) / 8 for a, b, c, d in zip(first, after, before, last, strict=True)]
    heads = [
        _head(point, side)
        for point, side, has_head in zip((start, end), (start_side, end_side), arrow.ends, strict=True)
        if has_head
    ]
    path = f"M{_pair(first)} C{_pair(after)} {_pair(before)} {_pair(last)}"
    return Line(path, tuple(heads), number(middle[0]), number(middle[1]))


def _facing(card: Card, other: Card) -> Side:
    """Return the side of a card that looks to another one."""
    x, y = (there - here for here, there in zip(card.middle, other.middle, strict=True))
    if abs(x) * card.height >= abs(y) * card.width:
        return "right" if x >= 0 else "left"
    return "bottom" if y >= 0 else "top"


def _on(card: Card, side: Side) -> Point:
    (x, y), (across, down) = card.middle, _AWAY[side]
    return x + across * card.width / 2, y + down * card.height / 2


def _out(point: Point, side: Side, far: float) -> Point:
    across, down = _AWAY[side]
    return point[0] + across * far, point[1] + down * far


def _head(tip: Point, side: Side) -> str:
    across, down = _AWAY[side]
    x, y = _out(tip, side, HEAD_LONG)
    wings = [(x + down * HEAD_WIDE * sign, y + across * HEAD_WIDE * sign) for sign in (1, -1)]
    return " ".join(_pair(point) for point in (tip, *wings))


def _pair(point: Point) -> str:
    return f"{number(point[0])},{number(point[1])}"
