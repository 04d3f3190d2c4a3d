"""The property block of a note: found here, read by python-frontmatter through a handler of ours."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import frontmatter
from frontmatter.default_handlers import BaseHandler

from app.markdown.models import FrontmatterState
from app.markdown.tags import clean_tag
from app.markdown.yaml_values import LinkText, Properties, PropertyError, read_yaml

_OPENING = re.compile(r"\ufeff?---(?:\r?\n|\r)")
_CLOSING = re.compile(r"^---[ \t]*$", re.MULTILINE)
_SEPARATORS = re.compile(r"[,\s]+")


@dataclass(frozen=True, slots=True)
class PropertyBlock:
    """What stands in the property block, and where the body starts.

    ``links`` have their places in the note. ``problem`` says why an invalid block could not be read.
    """

    state: FrontmatterState
    values: Mapping[str, Any]
    links: tuple[LinkText, ...]
    body_start: int
    problem: str = ""


class _BlockHandler(BaseHandler):
    """Hands python-frontmatter the block alone, and reads it by our rules of YAML."""

    FM_BOUNDARY = re.compile("")

    def __init__(self) -> None:
        super().__init__()
        self.content = Properties()

    def split(self, text: str) -> tuple[str, str]:
        return text[1:-1], ""

    def load(self, fm: str) -> dict[str, Any]:
        self.content = read_yaml(fm)
        return self.content.values


def read_properties(text: str, lines: str) -> PropertyBlock:
    """Find and read the property block at the head of a note.

    Args:
        text: The note.
        lines: The same, as long, with every line ended by LF.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(lines, opening.end()) if opening else None
    if opening is None or closing is None:
        return PropertyBlock("none", {}, (), 0)
    start, body_start = opening.end(), min(closing.end() + 1, len(text))
    block = text[start : closing.start()]
    handler = _BlockHandler()
    try:
        # The bars keep python-frontmatter from stripping the block, which could break its indentation.
        values, _ = frontmatter.parse(f"|{block}|", handler=handler)
    except PropertyError as error:
        return PropertyBlock("invalid", {}, (), body_start, f"properties not read: {error}")
    links = tuple(_places(block, start, handler.content.links))
    return PropertyBlock("ok", values, links, body_start)


def property_tags(properties: Mapping[str, Any]) -> Iterator[str]:
    """Give the tags among the properties.

    A plain text is divided at commas and blanks, and ``tag`` is read like ``tags``: Obsidian did so up to
    version 1.8, and many vaults rely on it. An item of a list is one tag, or none if it holds a blank.
    """
    for value in _named(properties, "tags", "tag"):
        items = _SEPARATORS.split(value) if isinstance(value, str) else value
        for item in items if isinstance(items, list) else ():
            if isinstance(item, str) and (tag := clean_tag(item)) is not None:
                yield tag


def property_aliases(properties: Mapping[str, Any]) -> tuple[str, ...]:
    """Give a note's other names, each once; ``alias`` and a text with commas are read as in tags."""
    aliases: dict[str, None] = {}
    for value in _named(properties, "aliases", "alias"):
        items = value if isinstance(value, list) else value.split(",") if isinstance(value, str) else [value]
        for item in items:
            if isinstance(item, (str, int, float)) and (name := str(item).strip()):
                aliases.setdefault(name)
    return tuple(aliases)


def _named(properties: Mapping[str, Any], *names: str) -> Iterator[Any]:
    for wanted in names:
        for name, value in properties.items():
            if name.casefold() == wanted:
                yield value


def _places(block: str, start: int, links: list[LinkText]) -> Iterator[LinkText]:
    """Move the links' places from the block, as python-frontmatter passed it on, to the note."""
    # python-frontmatter turns CRLF into LF on the way.
    shortened = [match.start() - index for index, match in enumerate(re.finditer("\r\n", block))]
    for link in links:
        first, last = (place + start + bisect_left(shortened, place) for place in (link.start, link.end))
        inside = block.find(link.text, first - start, last - start)
        place = first if inside < 0 else start + inside
        yield LinkText(link.text, place, place if inside < 0 else place + len(link.text))
