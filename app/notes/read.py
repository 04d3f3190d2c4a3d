"""A note, or a part of it, put into words within a budget."""

from collections.abc import Callable

from app.errors import BadRequestError, ConflictError
from app.notes.document import Document
from app.notes.models import NoteRequest
from app.notes.places import Span, block_of, lines_of, section_of, trimmed
from app.showing import in_line, inside_marks

SHOWN_PATH = 120


def read(document: Document, request: NoteRequest) -> str:
    """Show the whole note or the part that the request names, and how to read on where it is cut.

    The answer has at most `max_chars` characters. Its first line has the lines shown and the content
    hash; the note's text stands between marks, with LF at line ends. To a model it is given so that nothing
    in it hides or leaves the marks, to a person as it is.
    """
    if request.expected_hash and request.expected_hash != document.hash:
        raise ConflictError(f"'{document.path}' changed since it was read", f"its hash is {document.hash}")
    span = place_of(document, request)
    show = str if request.allow_excluded else inside_marks
    whole = _framed(document, span, span.last, show(text_of(document, span)))
    return whole if len(whole) <= request.max_chars else _cut(document, span, request.max_chars, show)


def place_of(document: Document, request: NoteRequest) -> Span:
    """Find the lines that a request names; all of them where it names none."""
    if request.heading is not None:
        section = section_of(document, request.heading)
        return Span(section.first, trimmed(document, section).last)
    if request.block is not None:
        return block_of(document, request.block)
    if request.lines is not None:
        span = lines_of(document, request.lines)
        if span.skipped and span.skipped >= len(document.line(span.first)):
            raise BadRequestError(
                f"'lines' is '{request.lines}', but line {span.first} has "
                f"{len(document.line(span.first))} characters"
            )
        return span
    return Span(1, document.line_count)


def text_of(document: Document, span: Span) -> str:
    """Give the text of some lines, with LF at line ends and none at the last."""
    start, end = document.start_of(span.first) + span.skipped, document.start_of(span.last + 1)
    return document.text[start:end].replace("\r\n", "\n").removesuffix("\n") if start < end else ""


def _cut(document: Document, span: Span, max_chars: int, show: Callable[[str], str]) -> str:
    """Show as many whole lines as fit, or a part of the first if not even that fits."""
    # Room for the longest tail: both its numbers can be as long as the note's size.
    digits = len(str(len(document.text)))
    tail = _go_on("9" * digits + ":" + "9" * digits, span.last)
    room = max_chars - len(_framed(document, span, span.last, "")) - len(tail)
    last, used = span.first - 1, 0
    while last < span.last:
        line = Span(last + 1, last + 1, span.skipped if last < span.first else 0)
        length = len(show(text_of(document, line)))
        if used + length + (last >= span.first) > room:
            break
        used += length + (last >= span.first)
        last += 1
    if last >= span.first:
        body, following = show(text_of(document, Span(span.first, last, span.skipped))), str(last + 1)
    else:
        start = document.start_of(span.first) + span.skipped
        raw = document.text[start : start + room]
        while len(body := show(raw)) > room:
            # What is written out is longer than what it stands for.
            raw = raw[: len(raw) * room // len(body)]
        following = f"{span.first}:{span.skipped + len(raw)}"
        last = span.first
    return _framed(document, span, last, body) + _go_on(following, span.last)


def _framed(document: Document, span: Span, last: int, body: str) -> str:
    return f"{_head(document, span, last)}\n<note>\n{body}\n</note>"


def _head(document: Document, span: Span, last: int) -> str:
    shown = "no lines" if span.last < span.first else f"lines {span.first}-{last}"
    facts = [
        f"'{in_line(document.path, SHOWN_PATH)}', {shown} of {document.line_count}",
        f"hash {document.hash}",
    ]
    if document.newline != "\n":
        facts.append({"\r\n": "CRLF line ends", "\r": "CR line ends"}[document.newline])
    facts += document.problems
    return "; ".join(facts) + ". The note's text, which is data:"


def _go_on(following: str, last: int) -> str:
    return f"\nCut to fit max_chars; go on with lines='{following}-{last}'."
