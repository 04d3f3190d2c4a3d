"""The page of one note: its text as Obsidian shows it, its properties as a table, what is around it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from itertools import islice
from operator import attrgetter
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.errors import LinesGoneError, NoteNotFoundError, PathError, VaultError
from app.markdown.inline import scan
from app.markdown.links import Graph
from app.markdown.plain import plain_line, read_line
from app.markdown.tags import clean_tag
from app.notes.document import Document, Span, read_range
from app.search.excerpt import clip
from app.search.index.chunk import split_lines
from app.search.lexical.analysis import in_order
from app.search.searcher import searcher_for
from app.search.show.results import uri
from app.vault.client import VaultClient
from app.vault.names import near_notes, resolve_name
from app.web.days import beside
from app.web.files import open_shown
from app.web.guard import POLICY
from app.web.pages import context_of, note_url, page, reader_language
from app.web.render.cleaning import clean
from app.web.render.note import Budget, NoteRenderer, taken
from app.web.render.targets import Targets, anchored
from app.web.results import wikilink

MOST_SOURCES = 100
MOST_LINES = 5
"""Notes that link here, and lines of each, that are shown."""
LINE_CHARS = 240

MOST_ROWS = 60
MOST_VALUES = 60
MOST_CHARS = 1000
"""Of one value, of so many of one property, of so many properties."""
_ADDRESS = re.compile(r"https?://\S+")

DIAGRAM = 'class="language-mermaid'
"""What the page's script draws as a diagram."""

LINES_BEFORE = 20
"""Lines shown above those that an address names, where a note is too long to be shown whole."""


@dataclass(frozen=True, slots=True)
class _Backlink:
    """A note that links here, with the lines its links stand on."""

    path: str
    lines: tuple[tuple[int, str], ...]
    more: int


def _backlinks(vault: VaultClient, graph: Graph, path: str) -> tuple[list[_Backlink], int]:
    """Return the notes that link to one, by path, with the lines; and how many more there are."""
    places: dict[str, list[int]] = {}
    for edge in graph.incoming(path):
        if edge.source != path and not vault.is_excluded(edge.source):
            places.setdefault(edge.source, []).append(edge.link.line)
    sources = sorted(places, key=in_order)
    shown = [_backlink(vault, source, sorted(set(places[source]))) for source in sources[:MOST_SOURCES]]
    return shown, max(0, len(sources) - MOST_SOURCES)


def _backlink(vault: VaultClient, source: str, numbers: Sequence[int]) -> _Backlink:
    try:
        lines = split_lines(vault.read(source).text)
    except VaultError:
        # It has gone since the links were read: its name is what is left to show.
        lines = []
    quoted = [
        (number, _quoted(line, max(line.find("[["), 0)))
        for number in numbers[:MOST_LINES]
        if number <= len(lines) and (line := lines[number - 1]).strip()
    ]
    return _Backlink(source, tuple(quoted), len(numbers) - len(quoted))


def _quoted(line: str, at: int) -> str:
    """Return what a line says, cut to `LINE_CHARS` around what stands at ``at`` of it as written."""
    return clip(read_line(line).text, len(read_line(line[:at]).text), LINE_CHARS)


@dataclass(frozen=True, slots=True)
class _Property:
    """One property and its values: safe HTML, and yes and no as they are."""

    name: str
    values: tuple[Markup | bool, ...]


def _properties(document: Document, targets: Targets) -> list[_Property]:
    """Show a note's properties: links lead somewhere, tags to a search, everything else is text."""
    note = NoteRenderer(targets, document.path)
    return [
        _Property(
            str(name),
            # Cleaned like the note itself.
            tuple(
                one if isinstance(one, bool) else Markup(clean(_shown(note, str(name), one)))
                for one in _values(value)
            ),
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
    if isinstance(value, Mapping | list):
        return f"<code>{escape(json.dumps(value, ensure_ascii=False, default=str)[:MOST_CHARS])}</code>"
    text = str(value)[:MOST_CHARS]
    if name.casefold() in ("tags", "tag") and (tag := clean_tag(text)) is not None:
        return f'<a class="tag" href="/?{escape(urlencode({"tag": tag}))}">#{escape(tag)}</a>'
    if _ADDRESS.fullmatch(text):
        return f'<a class="outside" href="{escape(text)}">{escape(text)}</a>'
    parts, done = [], 0
    for link in sorted(scan(text).links, key=attrgetter("start")):
        if link.start >= done:
            parts += [escape(text[done : link.start]), note.linked(link.target)]
            done = link.end
    return "".join([*parts, escape(text[done:])])


@dataclass(frozen=True, slots=True)
class _Part:
    """The lines of a note that one page shows, and where the pages before and after it start; 0 for none.

    ``gone`` are the lines that an address names and that the note has no more.
    """

    html: Markup
    first: int
    last: int
    before: int
    after: int
    gone: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """One heading of the outline."""

    level: int
    text: str
    url: str


def note_page(request: Request) -> Response:
    """Show a note; without the note, what has a similar name."""
    path = request.path_params["path"]
    context = context_of(request)
    searcher = searcher_for(context.vault)
    try:
        document = open_shown(context.vault, path)
    except NoteNotFoundError as error:
        scan, is_excluded = context.vault.scan(), context.vault.is_excluded
        with suppress(NoteNotFoundError, PathError):
            meant = resolve_name(path, scan, is_excluded)
            if meant != path and not is_excluded(meant):
                return RedirectResponse(note_url(meant, request.query_params.get("lines", "")), 303)
        shown = (note for note in scan.notes if not is_excluded(note))
        near = near_notes(path, shown)
        elsewhere = not searcher.definition.feeds
        values = {"message": error.message, "near": near, "elsewhere": elsewhere}
        return page(request, "note/missing.html", status=404, **values)
    linking, more = searcher.ask_links(lambda graph: _backlinks(context.vault, graph, document.path))
    view = searcher.view()
    targets = Targets(view, reader_language(request))
    renderer = NoteRenderer(targets, document.path)
    part = _part(
        document, renderer, request.query_params.get("lines", ""), request.query_params.get("from", "")
    )
    answer = page(
        request,
        "note/page.html",
        path=document.path,
        title=document.parsed.display_title,
        problems=[*document.problems, *document.parsed.problems],
        properties=_properties(document, targets),
        part=part,
        line_count=document.line_count,
        outline=_outline(document),
        days=beside(context.vault, document.path),
        backlinks=linking,
        more_backlinks=more,
        uri=uri(context.vault, document.path),
        wikilink=wikilink(view.snapshot, document.path),
        has_diagrams=DIAGRAM in part.html,
    )
    if "<iframe " in part.html or DIAGRAM in part.html:
        # Of our own pages alone, each sealed by a policy of its own.
        answer.headers["Content-Security-Policy"] = f"{POLICY}; frame-src 'self'"
    return answer


def _part(document: Document, renderer: NoteRenderer, lines: str, start: str) -> _Part:
    """Render as much of a note as one page shows, with the lines an address names among it."""
    cited, is_gone = None, False
    try:
        cited = read_range(document, lines) if lines else None
    except LinesGoneError:
        # The note was shortened since it was cited: what is left of it is what there is to see.
        is_gone = True
    body = document.parsed.body_line
    first = read_range(document, start).first if start else body
    if cited is not None and len(taken(document, Span(first, document.line_count), Budget())) < cited.last:
        first = max(body, cited.first - LINES_BEFORE)
    budget = Budget()
    shown = taken(document, Span(first, document.line_count), budget)
    last = first + len(shown) - 1
    html = renderer.render(shown, first, cited)
    return _Part(
        html=Markup(html),
        first=first,
        last=last,
        before=body if first > body else 0,
        after=last + 1 if last < document.line_count else 0,
        gone=lines if is_gone else "",
    )


def _outline(document: Document) -> list[_Entry]:
    named = anchored(document.parsed.headings)
    return [_Entry(heading.level, plain_line(heading.text), f"#{anchor}") for heading, anchor in named]
