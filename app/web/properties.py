"""A note's properties as rows of a table."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from app.markdown.targets import clean_tag, read_wikilink
from app.notes.document import Document
from app.web.render.clean import clean
from app.web.render.note import NoteRenderer
from app.web.render.targets import Targets

MOST_ROWS = 60
MOST_VALUES = 60
MOST_CHARS = 1000
"""Of one value, of so many of one property, of so many properties."""

_LINK = re.compile(r"\[\[([^\[\]\n]{1,500})\]\]")
_ADDRESS = re.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True)
class Property:
    """One property and its values, as safe HTML."""

    name: str
    values: tuple[Markup, ...]


def show_properties(document: Document, targets: Targets) -> list[Property]:
    """Show a note's properties: links lead somewhere, tags to a search, everything else is text."""
    note = NoteRenderer(targets, document.path)
    return [
        Property(
            str(name),
            # Cleaned like the note itself.
            tuple(Markup(clean(_shown(note, str(name), one))) for one in _values(value)),
        )
        for name, value in islice(document.parsed.properties.items(), MOST_ROWS)
    ]


def _values(value: object) -> Iterator[object]:
    if isinstance(value, list | tuple | set):
        yield from islice(value, MOST_VALUES)
    else:
        yield value


def _shown(note: NoteRenderer, name: str, value: Any) -> str:  # noqa: ANN401 - whatever YAML holds
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping | list):
        return f"<code>{escape(json.dumps(value, ensure_ascii=False, default=str)[:MOST_CHARS])}</code>"
    text = str(value)[:MOST_CHARS]
    if name.casefold() in ("tags", "tag") and (tag := clean_tag(text)) is not None:
        return f'<a class="tag" href="/?{escape(urlencode({"tag": tag}))}">#{escape(tag)}</a>'
    if _ADDRESS.fullmatch(text):
        return f'<a class="outside" href="{escape(text)}">{escape(text)}</a>'
    parts, done = [], 0
    for match in _LINK.finditer(text):
        target = read_wikilink(match[1])
        if target is not None:
            parts += [escape(text[done : match.start()]), note.linked(target)]
            done = match.end()
    return "".join([*parts, escape(text[done:])])
