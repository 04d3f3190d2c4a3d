"""What a canvas file holds, as JSON Canvas 1.0 has it: bounded, and with a count of what is left out."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

MOST_CARDS = 1000
MOST_ARROWS = 2000
REACH = 1_000_000.0
"""Farthest place and largest size, in the pixels of a canvas."""
LEAST_SIZE = 20.0
MOST_CHARS = 20_000
"""Of one text; a longer one is cut."""
MOST_NAME_CHARS = 300
_COLOUR = re.compile(r"[1-6]|#(?:[0-9a-fA-F]{3}){1,2}")

Kind = Literal["text", "file", "link", "group"]
Side = Literal["top", "right", "bottom", "left"]
_SAID: dict[Kind, str] = {"text": "text", "file": "file", "link": "url", "group": "label"}
"""The field that says what a card shows."""


@dataclass(frozen=True, slots=True)
class Card:
    """A node. ``said`` is its text, path, address or label; ``colour`` a number, a ``#rrggbb``, or empty."""

    kind: Kind
    x: float
    y: float
    width: float
    height: float
    said: str
    subpath: str = ""
    colour: str = ""
    background: str = ""

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return self.x + self.width / 2, self.y + self.height / 2

    def holds(self, other: "Card") -> bool:
        """Return whether the centre of another card lies on this one."""
        x, y = other.middle
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge between two cards, by their numbers; ``ends`` says whether it has a head there and there."""

    source: int
    target: int
    sides: tuple[Side | None, Side | None]
    ends: tuple[bool, bool]
    label: str = ""
    colour: str = ""


@dataclass(slots=True)
class Content:
    """The cards and arrows of a canvas, as they lie over each other, the lowest first.

    ``is_readable`` is false where the file is no canvas at all. ``odd`` counts cards without a place or of no
    known kind, ``lost`` arrows that lead nowhere, the others those beyond what one page shows.
    """

    cards: list[Card] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    is_readable: bool = True
    odd: int = 0
    lost: int = 0
    more_cards: int = 0
    more_arrows: int = 0


def read_canvas(data: bytes) -> Content:
    """Read a canvas file, whatever it holds."""
    written = data.decode("utf-8-sig", "replace")
    content = Content()
    try:
        # A new canvas is an empty file.
        found = json.loads(written) if written.strip() else {}
    except (ValueError, RecursionError):
        return Content(is_readable=False)
    if not isinstance(found, dict):
        return Content(is_readable=False)
    names = _add_cards(content, found.get("nodes"))
    _add_arrows(content, found.get("edges"), names)
    return content


def _add_cards(content: Content, nodes: object) -> dict[str, int]:
    """Add the cards; return their numbers by their names."""
    names: dict[str, int] = {}
    for node in _mappings(nodes):
        card = None if node is None else _card(node)
        if card is None:
            content.odd += 1
        elif len(content.cards) == MOST_CARDS:
            content.more_cards += 1
        else:
            assert node is not None
            if name := _text(node.get("id"), MOST_NAME_CHARS):
                names.setdefault(name, len(content.cards))
            content.cards.append(card)
    return names


def _add_arrows(content: Content, edges: object, names: Mapping[str, int]) -> None:
    for edge in _mappings(edges):
        arrow = None if edge is None else _arrow(edge, names)
        if arrow is None:
            content.lost += 1
        elif len(content.arrows) == MOST_ARROWS:
            content.more_arrows += 1
        else:
            content.arrows.append(arrow)


def _mappings(values: object) -> Iterator[Mapping[str, Any] | None]:
    """Yield what is a mapping in a list; None for anything else in it."""
    for value in values if isinstance(values, list) else ():
        yield value if isinstance(value, dict) else None


def _card(node: Mapping[str, Any]) -> Card | None:
    kind = next((known for known in get_args(Kind) if known == node.get("type")), None)
    place = [_number(node.get(name)) for name in ("x", "y", "width", "height")]
    if kind is None or None in place:
        return None
    x, y, width, height = (number for number in place if number is not None)
    return Card(
        kind=kind,
        x=x,
        y=y,
        width=max(width, LEAST_SIZE),
        height=max(height, LEAST_SIZE),
        said=_text(node.get(_SAID[kind]), MOST_CHARS),
        subpath=_text(node.get("subpath"), MOST_NAME_CHARS).lstrip("#"),
        colour=_colour(node),
        background=_text(node.get("background"), MOST_NAME_CHARS),
    )


def _arrow(edge: Mapping[str, Any], names: Mapping[str, int]) -> Arrow | None:
    ends = [names.get(_text(edge.get(name), MOST_NAME_CHARS)) for name in ("fromNode", "toNode")]
    source, target = ends
    if source is None or target is None:
        return None
    return Arrow(
        source=source,
        target=target,
        sides=(_side(edge.get("fromSide")), _side(edge.get("toSide"))),
        ends=(edge.get("fromEnd") == "arrow", edge.get("toEnd") != "none"),
        label=" ".join(_text(edge.get("label"), MOST_NAME_CHARS).split()),
        colour=_colour(edge),
    )


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Compared first: a whole number of JSON may be too long for a float, and NaN lies nowhere.
    return float(value) if -REACH <= value <= REACH else None


def _side(value: object) -> Side | None:
    return next((side for side in get_args(Side) if side == value), None)


def _colour(value: Mapping[str, Any]) -> str:
    colour = value.get("color")
    return colour if isinstance(colour, str) and _COLOUR.fullmatch(colour) else ""


def _text(value: object, most: int) -> str:
    """Return a text as it can be shown: JSON may hold halves of surrogate pairs."""
    return value[:most].encode("utf-8", "replace").decode() if isinstance(value, str) else ""
