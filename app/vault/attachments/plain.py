"""Canvases and plain text, which are read without further ado."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.sentences import Sentence
from app.showing import cut
from app.vault.attachments.kinds import PLACE, Extracted
from app.vault.attachments.passages import Passage, joined
from app.vault.encoding import decode

Node = Mapping[str, Any]
MOST_TITLE = 40
_HEADING = re.compile(r"^#{1,6}[ \t]+", re.MULTILINE)


class UnreadableError(Exception):
    """A file that cannot be read; its text is the reason, for a person."""


def read_text(data: bytes) -> Extracted:
    """Read a file as plain text.

    Raises:
        UnreadableError: it is none.
    """
    decoded = decode(data)
    if "\0" in decoded.raw:
        raise UnreadableError(Sentence("it is no text"))
    found = joined([Passage("", decoded.text)])
    return found._replace(problems=(*decoded.problems, *found.problems))


def read_canvas(data: bytes) -> Extracted:
    """Read the cards of a canvas, its groups and the labels of its arrows, as Markdown, from the top down.

    Raises:
        UnreadableError: it is no canvas.
    """
    try:
        drawn = json.loads(decode(data).text) if data.strip() else {}
        nodes, edges = _rows(drawn, "nodes"), _rows(drawn, "edges")
    except (ValueError, RecursionError, AttributeError) as error:
        raise UnreadableError(Sentence("it is no canvas as Obsidian writes it")) from error
    nodes.sort(key=lambda node: (_number(node, "y"), _number(node, "x")))
    groups = [node for node in nodes if node.get("type") == "group" and _text(node, "label")]
    cards = (_card(node, groups) for node in nodes)
    return joined([*cards, *_arrows(nodes, edges)], escapes=False)


def _card(node: Node, groups: list[Node]) -> Passage:
    """Return a card below its first words and the name of the innermost group around it."""
    if node in groups:
        return Passage(_text(node, "label"), "")
    place = " › ".join(filter(None, (_group_of(node, groups), _title(node))))
    first, end, rest = _said(node).partition("\n")
    # A heading that is its first line is text below this place, and other headings are places in it.
    return Passage(place, _HEADING.sub("", first) + end + _HEADING.sub(lambda found: PLACE + found[0], rest))


def _title(node: Node) -> str:
    """Return the first words of a card, or the name of the file that it shows."""
    first = _HEADING.sub("", _said(node).partition("\n")[0])
    return cut(_text(node, "file").rpartition("/")[2] or first.strip(), MOST_TITLE)


def _said(node: Node) -> str:
    """Return what a card says, or shows; a link to a file counts as one of a note."""
    match node.get("type"):
        case "file":
            return f"![[{_text(node, 'file')}{_text(node, 'subpath')}]]" if _text(node, "file") else ""
        case "link":
            return _text(node, "url")
        case "group":
            return _text(node, "label")
    return _text(node, "text")


def _group_of(node: Node, groups: list[Node]) -> str:
    x, y = (_number(node, at) + _number(node, size) / 2 for at, size in (("x", "width"), ("y", "height")))
    around = [
        group
        for group in groups
        if 0 <= x - _number(group, "x") <= _number(group, "width")
        and 0 <= y - _number(group, "y") <= _number(group, "height")
    ]
    return _text(min(around, key=lambda group: _number(group, "width"), default={}), "label")


def _arrows(nodes: list[Node], edges: list[Node]) -> Iterator[Passage]:
    """Yield the arrows that have a label, each with the cards that it joins."""
    titles = {str(node.get("id")): _title(node) for node in nodes}
    for edge in edges:
        if label := _text(edge, "label"):
            start, end = (titles.get(str(edge.get(end)), "") for end in ("fromNode", "toNode"))
            yield Passage(label, " → ".join(filter(None, (start, " ".join(label.split()), end))))


def _rows(drawn: Node, name: str) -> list[Node]:
    return [row for row in drawn.get(name) or () if isinstance(row, dict)]


def _text(node: Node, name: str) -> str:
    value = node.get(name)
    return value.strip() if isinstance(value, str) else ""


def _number(node: Node, name: str) -> float:
    value = node.get(name)
    return float(value) if isinstance(value, int | float) else 0.0
