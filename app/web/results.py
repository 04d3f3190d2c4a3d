"""Results as the search page shows them, with what the query found marked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from app.search.index.snapshot import VaultSnapshot
from app.search.marking import Marker
from app.search.models import SearchResult
from app.web.pages import note_url

_UNLINKABLE = re.compile(r"[\[\]|#^]")
_MARK, _END = Markup("<mark>"), Markup("</mark>")


def marked(marker: Marker, text: str) -> Markup:
    """Return a text, escaped, with ``<mark>`` around what was found."""
    parts = (_MARK + escape(part) + _END if found else escape(part) for part, found in marker.parts(text))
    return Markup("").join(parts)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an excerpt; number 0 where it is not known."""

    number: int
    text: Markup


@dataclass(frozen=True, slots=True)
class Found:
    """One result, ready to be shown; ``place`` counts from 1 over all pages."""

    place: int
    title: Markup
    path: str
    heading: str
    url: str
    lines: str
    excerpt: tuple[Line, ...]
    tags: tuple[str, ...]
    day: str
    score: float
    uri: str
    wikilink: str


def show(snapshot: VaultSnapshot, marker: Marker, result: SearchResult, place: int) -> Found:
    """Prepare one result."""
    moment = result.created if result.date_field == "created" else result.modified
    return Found(
        place=place,
        title=marked(marker, result.title),
        path=result.path,
        heading=result.heading or "",
        url=note_url(result.path, result.lines or ""),
        lines=result.lines or "",
        excerpt=tuple(_excerpt(marker, result.excerpt_lines)),
        tags=tuple(result.tags),
        day=result.date or (moment.date().isoformat() if moment else ""),
        score=result.score,
        uri=result.uri,
        wikilink=wikilink(snapshot, result.path, result.heading or ""),
    )


def _excerpt(marker: Marker, rows: Sequence[tuple[int, str]]) -> list[Line]:
    shown = [Line(number, marked(marker, text)) for number, text in rows]
    if rows and rows[0] == (1, "---"):
        # Properties are worth showing only where something was found in them.
        end = next((at for at, (_, text) in enumerate(rows) if at and text == "---"), len(rows) - 1)
        if not any("<mark>" in line.text for line in shown[: end + 1]):
            shown = shown[end + 1 :]
    return [line for line in shown if line.text.strip("- ")]


def wikilink(snapshot: VaultSnapshot, path: str, heading: str = "") -> str:
    """Write a link to a note, by its name where no other has it, and to the last of a path of headings."""
    whole = path[:-3] if path[-3:].lower() == ".md" else path
    name = whole.rpartition("/")[2]
    target = name if len(snapshot.resolver.candidates(name)) == 1 else whole
    last = heading.rpartition(" > ")[2].strip()
    return f"[[{target}#{last}]]" if last and not _UNLINKABLE.search(last) else f"[[{target}]]"
