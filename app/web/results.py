"""Results as the search page shows them, with what the query found marked."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from markupsafe import Markup, escape

from app.markdown.plain import Kind, read_line
from app.search.index.snapshot import VaultSnapshot
from app.search.marking import Marker
from app.search.models import SearchResult
from app.web.pages import note_url

_FENCE = re.compile(r"[\s>]*(?:```|~~~)")
_UNLINKABLE = re.compile(r"[\[\]|#^]")
_MARK, _END = Markup("<mark>"), Markup("</mark>")


def marked(marker: Marker, text: str) -> Markup:
    """Return a text, escaped, with ``<mark>`` around what was found."""
    parts = (_MARK + escape(part) + _END if found else escape(part) for part, found in marker.parts(text))
    return Markup("").join(parts)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an excerpt as a reader sees it; number 0 where it is not known."""

    number: int
    kind: Kind | Literal["code"]
    text: Markup


@dataclass(frozen=True, slots=True)
class Found:
    """One result, ready to be shown; ``place`` counts from 1 over all pages."""

    place: int
    title: Markup
    path: str
    folder: str
    heading: str
    url: str
    lines: str
    excerpt: tuple[Line, ...]
    tags: tuple[str, ...]
    day: str
    uri: str
    wikilink: str


def show(
    snapshot: VaultSnapshot,
    marker: Marker,
    result: SearchResult,
    place: int,
    *,
    flows: bool = False,
    code: Collection[int] = (),
) -> Found:
    """Prepare one result.

    Args:
        snapshot: The index that it was found in.
        marker: Marks the words of the query.
        result: The result.
        place: Which it is, from 1.
        flows: Whether a line that ends within a paragraph goes on in the next.
        code: The lines of its note that stand in blocks of code, by their numbers.
    """
    shown = _excerpt(marker, result.excerpt_lines, code)
    return Found(
        place=place,
        title=marked(marker, result.title),
        path=result.path,
        folder=result.path.rpartition("/")[0],
        heading=_below(result),
        url=note_url(result.path, result.lines or ""),
        lines=result.lines or "",
        excerpt=tuple(_joined(shown) if flows else shown),
        tags=tuple(result.tags),
        day=_day(result),
        uri=result.uri,
        wikilink=wikilink(snapshot, result.path, result.heading or ""),
    )


def _day(result: SearchResult) -> str:
    """Return the day that a passage or its note has, as what narrows by days counts it.

    The time of a file is no such day: it says when something was copied.
    """
    if result.date or result.date_source == "file":
        return result.date or ""
    moment = result.created if result.date_field == "created" else result.modified
    return moment.date().isoformat() if moment else ""


def _below(result: SearchResult) -> str:
    """Return the headings above a passage, without the one that is the note's title."""
    first, _, rest = (result.heading or "").partition(" > ")
    return rest if first == result.title else result.heading or ""


def _excerpt(marker: Marker, rows: Sequence[tuple[int, str]], code: Collection[int]) -> list[Line]:
    shown = list[Line]()
    for number, text in rows:
        if _FENCE.match(text):
            continue
        if number in code:
            shown.append(Line(number, "code", marked(marker, text)))
        else:
            shown.append(_line(marker, number, text))
    if rows and rows[0] == (1, "---"):
        # Properties are worth showing only where something was found in them.
        end = next((number for number, text in rows[1:] if text == "---"), rows[-1][0])
        if not any("<mark>" in line.text for line in shown if line.number <= end):
            shown = [line for line in shown if line.number > end]
    return [line for line in shown if line.text]


def _joined(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield lines, those of one paragraph as one."""
    whole, last = None, 0
    for line in lines:
        goes_on = line.kind == "text" or (whole is not None and line.kind == whole.kind == "quote")
        if whole and goes_on and line.number == last + 1 and whole.kind not in ("heading", "row", "code"):
            whole = replace(whole, text=whole.text + " " + line.text)
        else:
            if whole:
                yield whole
            whole = line
        last = line.number
    if whole:
        yield whole


def _line(marker: Marker, number: int, text: str) -> Line:
    read = read_line(text)
    plain = marked(marker, read.text)
    if "<mark>" not in plain and "<mark>" in (raw := marked(marker, text)):
        # What was found is nothing that a reader would see, such as an address: the line as it is written.
        return Line(number, read.kind, raw)
    return Line(number, read.kind, plain)


def wikilink(snapshot: VaultSnapshot, path: str, heading: str = "") -> str:
    """Write a link to a note, by its name where no other has it, and to the last of a path of headings."""
    target = snapshot.resolver.name_of(path)
    last = heading.rpartition(" > ")[2].strip()
    return f"[[{target}#{last}]]" if last and not _UNLINKABLE.search(last) else f"[[{target}]]"
