"""The page of one note: its text as Obsidian shows it, its properties, what is around it."""

from dataclasses import asdict, dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.errors import NoteNotFoundError
from app.notes.document import Document, Span, lines_of
from app.search.results import uri
from app.search.searcher import searcher_for
from app.vault.names import near_notes
from app.web.around import around, backlinks
from app.web.context import context_of
from app.web.found import wikilink
from app.web.pages import note_url, page
from app.web.properties import show_properties
from app.web.render.anchors import heading_anchor
from app.web.render.clean import clean
from app.web.render.note import Budget, NoteRenderer, taken
from app.web.render.targets import Targets
from app.web.shown import open_shown

LINES_BEFORE = 20
"""Lines shown above those that an address names, where a note is too long to be shown whole."""


@dataclass(frozen=True, slots=True)
class Part:
    """The lines of a note that one page shows, and where the pages before and after it start; 0 for none."""

    html: Markup
    first: int
    last: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Entry:
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
        shown = (note for note in context.vault.scan().notes if not context.vault.is_excluded(note))
        near = near_notes(path, shown)
        return page(request, "note/missing.html", status=404, message=error.message, near=near)
    graph = searcher.graph()
    view = searcher.view()
    targets = Targets(view, context.vault)
    linking, more = backlinks(context.vault, graph, document.path)
    cited = request.query_params.get("lines", "")
    return page(
        request,
        "note/page.html",
        path=document.path,
        title=document.parsed.display_title,
        problems=[*document.problems, *document.parsed.problems],
        properties=show_properties(document, targets),
        part=_part(document, targets, cited, request.query_params.get("from", "")),
        line_count=document.line_count,
        outline=_outline(document),
        backlinks=linking,
        more_backlinks=more,
        uri=uri(context.vault, document.path),
        wikilink=wikilink(view, document.path),
    )


def graph_data(request: Request) -> Response:
    """Give the graph around a note, for the script that draws it."""
    vault = context_of(request).vault
    document = open_shown(vault, request.path_params["path"])
    found = around(searcher_for(vault).graph(), document.path, vault.is_excluded)
    nodes = [{**asdict(node), "url": note_url(node.path)} for node in found.nodes]
    return JSONResponse({"nodes": nodes, "edges": found.edges, "more": found.more})


def _part(document: Document, targets: Targets, lines: str, start: str) -> Part:
    """Render as much of a note as one page shows, with the lines an address names among it."""
    cited = lines_of(document, lines) if lines else None
    body = document.parsed.body_line
    first = lines_of(document, start).first if start else body
    if cited is not None and len(taken(document, Span(first, document.line_count), Budget())) < cited.last:
        first = max(body, cited.first - LINES_BEFORE)
    budget = Budget()
    shown = taken(document, Span(first, document.line_count), budget)
    last = first + len(shown) - 1
    html = NoteRenderer(targets, document.path, budget=Budget()).render(shown, first, cited)
    return Part(
        html=Markup(clean(html)),
        first=first,
        last=last,
        before=body if first > body else 0,
        after=last + 1 if last < document.line_count else 0,
    )


def _outline(document: Document) -> list[Entry]:
    seen: dict[str, int] = {}
    entries = []
    for heading in document.parsed.headings:
        anchor = heading_anchor(heading.text)
        seen[anchor] = seen.get(anchor, 0) + 1
        number = f"-{seen[anchor]}" if seen[anchor] > 1 else ""
        entries.append(Entry(heading.level, heading.text or "(empty)", f"#{anchor}{number}"))
    return entries
