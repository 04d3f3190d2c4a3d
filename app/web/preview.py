"""What stands at a place of a note, in a few rendered lines: for whoever points at a link to it."""

from hashlib import blake2b
from html import escape

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from app.errors import LinesGoneError, VaultError
from app.notes.document import Document, Span, block_of, read_range
from app.search.searcher import searcher_for
from app.showing import in_line
from app.web.files import open_shown
from app.web.note import show_properties
from app.web.pages import context_of, page, reader_language
from app.web.render.cleaning import clean_still
from app.web.render.glance import glance
from app.web.render.note import Budget, NoteRenderer, taken
from app.web.render.targets import Targets, anchored

LINES_AFTER = 50
MOST_CHARS = 20_000
"""Lines after, and characters before those that are meant, that are read for the blocks they stand in."""
PROPERTY_CHARS = 800
MOST_EMBEDS = 2
NAME_CHARS = 120


def preview_part(request: Request) -> Response:
    """Show a few lines of a note; a browser that has them already, by their hash, is told so.

    Nothing is kept by the browser beyond its page, as of every note.
    """
    vault, params = context_of(request).vault, request.query_params
    document = open_shown(vault, request.path_params["path"])
    lines, anchor = params.get("lines", ""), params.get("at", "")
    is_gone = False
    try:
        cited = read_range(document, lines) if lines else None
    except LinesGoneError:
        cited, is_gone = None, True
    wanted = cited or _anchored(document, anchor) or _beginning(document)
    properties = list[object]()
    if wanted.first < document.parsed.body_line:
        view = searcher_for(vault).view()
        properties += show_properties(document, Targets(view, reader_language(request)), clean_still)
    html, is_cut = ("", False) if properties else _rendered(request, document, wanted)
    answer = page(
        request,
        "preview.html",
        title=in_line(document.parsed.display_title, NAME_CHARS),
        folder=in_line(document.path.rpartition("/")[0], NAME_CHARS),
        lines=lines,
        properties=properties,
        html=Markup(html),
        is_cut=is_cut,
        is_gone=is_gone,
        line_count=document.line_count,
    )
    tag = f'"{blake2b(bytes(answer.body), digest_size=12).hexdigest()}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"ETag": tag})
    answer.headers["ETag"] = tag
    return answer


def _beginning(document: Document) -> Span:
    """Return the text of a note, without a heading that says its title again."""
    first = document.parsed.body_line
    while first <= document.line_count and not document.line(first).strip():
        first += 1
    headings = document.parsed.headings
    if headings and headings[0].line == first and headings[0].text == document.parsed.display_title:
        first += 1
    return Span(first, max(first, document.line_count))


def _anchored(document: Document, anchor: str) -> Span | None:
    """Return the lines of the section or block that an anchor of the note's page stands for."""
    if anchor.startswith("b-"):
        try:
            return block_of(document, anchor.removeprefix("b-"))
        except VaultError:
            return None
    named = list(anchored(document.parsed.headings))
    for at, (heading, name) in enumerate(named):
        if name == anchor:
            after = (other.line for other, _ in named[at + 1 :] if other.level <= heading.level)
            return Span(heading.line, next(after, document.line_count + 1) - 1)
    return None


def _rendered(request: Request, document: Document, wanted: Span) -> tuple[str, bool]:
    body = document.parsed.body_line
    if wanted.first < body:
        # Properties that cannot be read: they are shown as they are written.
        numbers = range(wanted.first, min(wanted.last, body - 1) + 1)
        text = "\n".join(document.line(number) for number in numbers)
        return f"<pre>{escape(text[:PROPERTY_CHARS])}</pre>", len(text) > PROPERTY_CHARS
    first = _start(document, wanted.first)
    around = Budget(chars=2 * MOST_CHARS)
    lines = taken(document, Span(first, min(document.line_count, wanted.last + LINES_AFTER)), around)
    view = searcher_for(context_of(request).vault).view()
    budget = Budget(embeds=MOST_EMBEDS, chars=MOST_CHARS, frames=0)
    return glance(
        NoteRenderer(Targets(view, reader_language(request)), document.path, budget=budget),
        lines,
        first,
        wanted,
    )


def _start(document: Document, wanted: int) -> int:
    """Return the line to read from, so that the block in which a line stands is read as in the whole note.

    A heading ends every block; of a section that is very long, as much is read as `MOST_CHARS` allows.
    """
    heads = [heading.line for heading in document.parsed.headings if heading.line <= wanted]
    first, room = wanted, MOST_CHARS
    while first > max([document.parsed.body_line, *heads[-1:]]):
        room -= len(document.line(first - 1)) + 1
        if room < 0:
            break
        first -= 1
    return first
