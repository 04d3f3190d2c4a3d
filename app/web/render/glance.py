"""A few lines of a note as a preview shows them: rendered with the blocks they stand in, and lying still."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from markdown_it.token import Token

from app.notes.document import Span
from app.web.render.cleaning import clean_still
from app.web.render.formula import draw_formulas
from app.web.render.note import NoteRenderer, markdown

MOST_BYTES = 6000
MOST_BLOCKS = 8
WRITTEN_CHARS = 600
"""Of a block that is too long to be rendered, so much is shown as it is written."""
_PARTED = {
    *("bullet_list_open", "ordered_list_open", "list_item_open", "blockquote_open"),
    *("table_open", "tbody_open"),
}


def glance(note: NoteRenderer, lines: Sequence[str], first_line: int, wanted: Span) -> tuple[str, bool]:
    """Render those blocks of a note that stand on some lines, a few at most.

    Args:
        note: Renders the note.
        lines: Lines of the note, which begin where a block does.
        first_line: The number of the first of them, from 1.
        wanted: The lines that are meant.

    Returns:
        HTML that shows and does nothing else, at most `MOST_BYTES` of it, and whether something was left out.
    """
    env: dict[str, Any] = {"note": note, "first_line": first_line, "has_anchors": False}
    first, last = wanted.first - first_line, wanted.last - first_line + 1
    shown, left = list[str](), MOST_BYTES
    for block in _blocks(markdown().parse("\n".join(lines), env), first, last):
        html = _still(block, env)
        size = len(html.encode())
        if not html.strip():
            continue
        if len(shown) == MOST_BLOCKS or size > left:
            if not shown:
                start, end = block[0].map or (first, last)
                shown.append(_written(lines[max(start, first) : min(end, last)]))
            return "".join(shown), True
        shown.append(html)
        left -= size
    return "".join(shown), False


def _written(lines: Sequence[str]) -> str:
    return f"<p>{escape(' '.join(' '.join(lines)[:WRITTEN_CHARS].split()))} …</p>"


def _still(tokens: Sequence[Token], env: dict[str, Any]) -> str:
    made = markdown()
    return draw_formulas(clean_still(made.renderer.render(tokens, made.options, env)))


def _blocks(tokens: Sequence[Token], first: int, last: int) -> Iterator[list[Token]]:
    """Yield the blocks that stand on some lines, from 0, the last excluded; of lists and tables the parts."""
    at = 0
    while at < len(tokens):
        end = _end(tokens, at)
        lines = tokens[at].map
        if lines is not None and lines[0] < last and lines[1] > first:
            yield _parts(tokens[at : end + 1], first, last)
        at = end + 1


def _parts(block: Sequence[Token], first: int, last: int) -> list[Token]:
    """Return what of a block stands on the lines, with a table's head and the text above an inner list."""
    opening, lines = block[0], block[0].map
    if opening.type == "fence" and lines is not None:
        rows, start = opening.content.split("\n"), max(0, first - lines[0] - 1)
        opening.content = "\n".join(rows[start : max(start + 1, last - lines[0] - 1)])
    if opening.type not in _PARTED:
        return list(block)
    kept, inside, at = list[Token](), block[1:-1], 0
    while at < len(inside):
        end = _end(inside, at)
        part, there = inside[at : end + 1], inside[at].map
        is_head = part[0].type == "thead_open" or (opening.type == "list_item_open" and not kept)
        # What has no lines of its own, such as the title of a callout, belongs to the whole.
        if is_head or there is None or (there[0] < last and there[1] > first):
            if opening.type == "ordered_list_open" and not kept and part[0].info.isdecimal():
                opening.attrSet("start", int(part[0].info))
            kept += _parts(part, first, last)
        at = end + 1
    return [opening, *kept, block[-1]]


def _end(tokens: Sequence[Token], at: int) -> int:
    """Return where a block ends that begins at a place."""
    depth = 0
    for end in range(at, len(tokens)):
        depth += tokens[end].nesting
        if depth == 0:
            return end
    return len(tokens) - 1
