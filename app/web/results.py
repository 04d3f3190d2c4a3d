"""Results as the search page shows them, with what the query found marked."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from markupsafe import Markup, escape

from app.markdown.plain import Kind, PlainLine, code_lines, plain_line, read_line
from app.markdown.properties import find_properties, read_properties
from app.search.index.chunk import split_lines
from app.search.index.snapshot import VaultSnapshot
from app.search.models import SearchResult
from app.showing import json_text
from app.vault.attachments.kinds import is_attachment_name
from app.web.pages import note_url

_FENCE = re.compile(r"[\s>]*(?:```|~~~)")
_KEY = re.compile(r"([^\s#:-][^:]*):(?=\s|\Z)")
MOST_VALUES = 20
"""Of one property of a result."""
_UNLINKABLE = re.compile(r"[\[\]|#^]")


def marked(result: SearchResult, text: str) -> Markup:
    """Return a text, escaped, with ``<mark>`` around what was found."""
    parts = (f"<mark>{escape(part)}</mark>" if found else escape(part) for part, found in result.marked(text))
    return Markup("".join(parts))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an excerpt as a reader sees it; number 0 where it is not known."""

    number: int
    kind: Kind | Literal["code"]
    text: Markup


@dataclass(frozen=True, slots=True)
class FoundProperty:
    """A property of a note as a reader sees it; yes and no are as they are."""

    name: Markup
    values: tuple[Markup | bool, ...]


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
    properties: tuple[FoundProperty, ...]
    excerpt: tuple[Line, ...]
    tags: tuple[str, ...]
    day: str
    uri: str
    wikilink: str


def show(
    snapshot: VaultSnapshot,
    result: SearchResult,
    place: int,
    *,
    flows: bool = False,
    text: str = "",
) -> Found:
    """Prepare one result.

    Args:
        snapshot: The index that it was found in.
        result: The result.
        place: Which it is, from 1.
        flows: Whether a line that ends within a paragraph goes on in the next.
        text: Its note.
    """
    lines, rows = split_lines(text), result.excerpt_lines
    block = find_properties(text, text.replace("\r", "\n"))
    body = text.count("\n", 0, block.body_start) + 1 if block else 1
    code = code_lines(lines[: max((number for number, _ in rows), default=0)])
    shown = list(_excerpt(result, [row for row in rows if row[0] >= body or not row[0]], code))
    above = [row for row in rows if 0 < row[0] < body]
    # Properties are worth showing only where something was found in them, or nowhere else.
    hits = [row for row in above if "<mark>" in marked(result, row[1])] or ([] if shown else above)
    # A passage may be a whole note: it is opened at the lines that are shown of it.
    seen = [number for number, _ in rows if number]
    return Found(
        place=place,
        title=marked(result, result.title),
        path=result.path,
        folder=result.path.rpartition("/")[0],
        heading=_below(result),
        url=note_url(
            result.path,
            f"{min(seen)}-{max(seen)}" if seen else result.lines or "",
            result.heading or "",
        ),
        lines=result.lines or "",
        properties=tuple(_properties(result, text, lines, hits)) if hits else (),
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
    first, *rest = (result.heading or "").split(" > ")
    return " › ".join(map(plain_line, rest if first == result.title else [first, *rest]))


def _excerpt(result: SearchResult, rows: Sequence[tuple[int, str]], code: Collection[int]) -> Iterator[Line]:
    shown = list[tuple[Line, str]]()
    for number, text in rows:
        if _FENCE.match(text):
            continue
        read = PlainLine("text", text) if number in code else read_line(text)
        kind = "code" if number in code else read.kind
        shown.append((Line(number, kind, marked(result, read.text)), text))
    is_seen = any("<mark>" in line.text for line, _ in shown)
    for line, text in shown:
        if not is_seen and "<mark>" in (raw := marked(result, text)):
            # What was found is nothing that a reader sees, such as an address: the line as it is written.
            yield replace(line, text=raw)
        elif line.text:
            yield line


def _properties(
    result: SearchResult, text: str, lines: Sequence[str], rows: Sequence[tuple[int, str]]
) -> Iterator[FoundProperty]:
    """Yield the properties that stand on some rows of a note."""
    values = read_properties(text, text.replace("\r", "\n")).values
    # A value may go on below its name.
    names = (
        next((key[1] for line in reversed(lines[:number]) if (key := _KEY.match(line))), "")
        for number, _ in rows
    )
    for name in dict.fromkeys(name.strip("\"'") for name in names):
        value = values.get(name)
        several = value if isinstance(value, list) else [value]
        shown = tuple(
            each if isinstance(each, bool) else marked(result, read_line(_said(each)).text)
            for each in several[:MOST_VALUES]
            if each is not None
        )
        if shown:
            yield FoundProperty(marked(result, name), shown)


def _said(value: object) -> str:
    return json_text(value) if isinstance(value, dict | list) else str(value)


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


def wikilink(snapshot: VaultSnapshot, path: str, heading: str = "") -> str:
    """Write a link to a note, by its name where no other has it, and to the last of a path of headings."""
    target = snapshot.resolver.name_of(path)
    last = heading.rpartition(" > ")[2].strip()
    last = last.replace("page ", "page=") if is_attachment_name(path) else last
    return f"[[{target}#{last}]]" if last and not _UNLINKABLE.search(last) else f"[[{target}]]"
