"""Changes to a note's text that leave every other byte as it stands."""

import re

from app.errors import BadRequestError
from app.markdown.parse import parse_note
from app.notes.document import (
    LINES,
    Document,
    Span,
    block_of,
    body_of,
    is_called_like,
    read_range,
    section_of,
    trimmed,
)
from app.notes.models import NoteRequest
from app.sentences import Quoted

# Lines that begin a block of their own wherever they stand, so that no blank line is needed before.
_OWN_BLOCK = re.compile(r"\s*(?:[-*+]\s|\d{1,9}[.)]\s|>|\||```|~~~)")
_SAME_KIND = (re.compile(r"\s*>"), re.compile(r"\s*\|"))


def update(document: Document, request: NoteRequest) -> bytes:
    """Replace the whole content, or a heading's section, a block, or lines.

    The property block stays where the new content brings none, a heading's own line always, and a block's
    name where it does not repeat it.
    """
    content = document.own_newlines(request.content or "")
    if request.heading is not None:
        return _replace_section(document, request.heading, content)
    if request.block is not None:
        return _replace_block(document, request.block, content)
    if request.lines is not None:
        span = read_range(document, request.lines)
        if span.skipped:
            raise BadRequestError(
                "'{name}' is {value}",
                "only whole lines can be replaced",
                name=LINES,
                value=Quoted(request.lines),
            )
        return _replace(document, span, content)
    kept = document.raw[: document.start_of(document.parsed.body_line)]
    return document.encode(kept + content if keeps_properties(document, request) else content)


def keeps_properties(document: Document, request: NoteRequest) -> bool:
    """Return whether an update of the whole keeps the property block because the new content brings none."""
    return (
        not (request.heading or request.block or request.lines)
        and document.parsed.frontmatter != "none"
        and parse_note(request.content or "").frontmatter == "none"
    )


def append(document: Document, request: NoteRequest) -> bytes:
    """Add content at the end, or at the end of a heading's section."""
    content = document.own_newlines(request.content or "")
    if request.heading is None:
        return document.encode(_insert(document, len(document.raw), document.line_count, content))
    section = section_of(document, request.heading)
    head = body_of(document, section)
    inner = trimmed(document, head)
    last = inner.last if inner.last >= inner.first else head.first - 1
    return document.encode(_insert(document, document.start_of(last + 1), last, content))


def take_heading(document: Document, heading: str, content: str) -> tuple[str, str]:
    """Take the heading of the section that a text is for, however it is written, off the text's beginning.

    Returns:
        The heading; empty where none stands there. And the text without it.

    Raises:
        BadRequestError: the text goes on with the heading below that section, which would stand twice.
    """
    section, added = section_of(document, heading), Document(document.path, content.encode())
    headings, rest, taken = document.parsed.headings, list(added.parsed.headings), ""
    own = next(each for each in headings if each.line == section.first)
    if rest and is_called_like(rest[0], own) and not _OWN_BLOCK.match(added.line(rest[0].line)):
        first = rest[0].line
        if not added.text[: added.start_of(first)].strip():
            taken = rest.pop(0).text
            body = body_of(added, Span(first, added.line_count))
            content = added.text[added.start_of(body.first) :].lstrip("\r\n")
    below = next((each for each in headings if each.line > section.last), None)
    if below and (
        twice := [each for each in rest if each.level <= own.level and is_called_like(each, below)]
    ):
        raise BadRequestError(
            "the text holds the heading '{twice}' too, which would stand twice in '{path}'",
            "give what belongs under '{own}' alone",
            twice=twice[0].text,
            path=document.path,
            own=own.text,
        )
    return taken, content


def _replace_section(document: Document, heading: str, content: str) -> bytes:
    body = body_of(document, section_of(document, heading))
    inner = trimmed(document, body)
    if inner.last >= inner.first:
        return _replace(document, inner, content.lstrip("\r\n") if inner.first > body.first else content)
    return document.encode(_insert(document, document.start_of(body.first), body.first - 1, content))


def _replace_block(document: Document, block: str, content: str) -> bytes:
    span = block_of(document, block)
    name = "^" + block.strip().lstrip("#").removeprefix("^")
    old = document.text[document.start_of(span.first) : document.start_of(span.last + 1)].rstrip()
    if old.casefold().endswith(name.casefold()) and not content.rstrip().casefold().endswith(name.casefold()):
        body = content.rstrip("\r\n")
        content = f"{body} {old[-len(name) :]}" + content[len(body) :]
    return _replace(document, span, content)


def _replace(document: Document, span: Span, content: str) -> bytes:
    start, end = document.start_of(span.first), document.start_of(span.last + 1)
    old = document.raw[start:end]
    if content and not content.endswith(("\n", "\r")) and (old.endswith("\n") or end < len(document.raw)):
        content += document.newline
    elif content.endswith("\n") and end == len(document.raw) and old and not old.endswith("\n"):
        # The note had no newline at its end, and that is not what was asked to change.
        content = content.removesuffix("\n").removesuffix("\r")
    return document.encode(document.raw[:start] + content + document.raw[end:])


def _insert(document: Document, offset: int, line_before: int, content: str) -> str:
    """Put content between whole lines, with a blank line where Markdown would otherwise join it."""
    if not content:
        return document.raw
    newline = document.newline
    before, after = document.raw[:offset], document.raw[offset:]
    if before and not before.endswith(("\n", "\r")):
        before += newline
    previous = document.line(line_before) if line_before else ""
    if previous.strip() and _needs_blank(previous, content):
        before += newline
    if not content.endswith(("\n", "\r")):
        content += newline
    if after.strip() and not after.startswith(("\n", "\r", "#")):
        content += newline
    return before + content + after


def _needs_blank(previous: str, content: str) -> bool:
    first = content.partition("\n")[0]
    if not first.strip() or first[0].isspace():
        return False
    if any(kind.match(first) for kind in _SAME_KIND):
        return not any(kind.match(first) and kind.match(previous) for kind in _SAME_KIND)
    return not _OWN_BLOCK.match(first)
