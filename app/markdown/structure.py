"""Read the block structure of a note, as CommonMark, tables and Obsidian's own blocks have it."""

import re
from collections.abc import Callable, Mapping

from markdown_it import MarkdownIt
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock, blockquote, code, fence, hr, html_block, list_block
from markdown_it.rules_block.table import MAX_AUTOCOMPLETED_CELLS

from app.markdown.outline import Outline, TooTangledError

Rule = Callable[[StateBlock, int, int, bool], bool]
# A list counts two, a quote one. What lies deeper is read as plain text.
MAX_NESTING = 60


def read_structure(src: str, first_line: int) -> tuple[Outline, bool]:
    """Find the blocks of a note.

    Args:
        src: The note's text, each line ended by LF.
        first_line: The line, from 0, where the body starts.

    Returns:
        The filled outline, and whether the structure was given up and all text taken as paragraphs.
    """
    outline, given_up = Outline(src, _PARSER), False
    try:
        _PARSER.block.tokenize(outline, first_line, outline.lineMax)
    except TooTangledError:
        outline, given_up = Outline(src, _PARSER), True
        outline.found.starts.update(
            line
            for line in range(first_line, outline.lineMax)
            if not outline.isEmpty(line) and (line == first_line or outline.isEmpty(line - 1))
        )
    outline.add_uncovered(first_line)
    return outline, given_up


def _first_fitting(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Try the rules that a line's first sign allows; markdown-it would try them all."""
    assert isinstance(state, Outline)
    state.spend()
    place = state.bMarks[start] + state.tShift[start]
    sign = state.src[place] if place < state.eMarks[start] else ""
    if silent:
        return _interrupts(state, start, end, sign)
    if state.level == 0:
        state.found.starts.add(start)
    rules = (code,) if state.is_code_block(start) else _BLOCKS.get(sign, ())
    if _heads_table(state, start, end):
        rules = (_table, *rules)
    taken = None
    for rule in rules:
        if rule(state, start, end, False):
            taken = rule
            break
    else:
        _paragraph(state, start, end)
    if taken not in _CONTAINERS:
        state.covered[start : state.line] = b"\1" * (state.line - start)
    return True


def _interrupts(state: Outline, start: int, end: int, sign: str) -> bool:
    """Return whether a line ends the paragraph, quote or list item before it."""
    if state.is_code_block(start):
        return False
    for rule in (_ENDING_ITEMS if state.parentType == "list" else _BLOCKS).get(sign, ()):
        if rule(state, start, end, True):
            return True
    return state.parentType == "paragraph" and _heads_table(state, start, end)


def _paragraph(state: Outline, start: int, end: int) -> None:
    """Take a paragraph or an underlined heading, in one go over its lines."""
    parent, state.parentType = state.parentType, "paragraph"
    line, level = start + 1, 0
    while line < state.lineMax and not state.isEmpty(line):
        indent = state.sCount[line] - state.blkIndent
        if indent <= 3:
            if indent >= 0 and line < end and (level := _underline(state, line)):
                break
            # Below zero stands a line that a quote has already taken as its own.
            if state.sCount[line] >= 0 and _first_fitting(state, line, state.lineMax, True):
                break
        line += 1
    state.parentType = parent
    if level:
        state.add_setext_heading(level, start, line)
        state.line = line + 1
    else:
        state.add_paragraph(start, line)
        state.line = line


def _underline(state: Outline, line: int) -> int:
    place = state.begin(line)
    sign = state.src[place]
    if sign not in "=-" or state.src[place : state.eMarks[line]].rstrip(" \t").strip(sign):
        return 0
    return 1 if sign == "=" else 2


def _heading(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    assert isinstance(state, Outline)
    found = _NUMBER_SIGNS.match(state.src, state.begin(start), state.eMarks[start])
    if found and not silent:
        state.line = start + 1
        state.add_heading(len(found[0]), start)
    return found is not None


def _list(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a list, or tell whether a line begins one, which is asked far more often."""
    assert isinstance(state, Outline)
    found = _MARKER.match(state.src, state.begin(start), state.eMarks[start])
    if not found or not silent:
        return found is not None and list_block(state, start, end, False)
    indent = state.sCount[start]
    if state.listIndent >= 0 and indent - state.listIndent >= 4 and indent < state.blkIndent:
        return False
    if state.parentType != "paragraph" or indent < state.blkIndent:
        return True
    # Among the lines of a paragraph, an item has text, and a number is that of a first item.
    number = found[1]
    return (number is None or int(number) == 1) and not _is_blank(state.src, found.end(), state.eMarks[start])


def _is_blank(src: str, start: int, end: int) -> bool:
    return not src[start:end].strip(" \t")


def _heads_table(state: Outline, start: int, end: int) -> bool:
    """Return whether a line is the head of a table: dashes follow it, for as many columns as it has."""
    below = start + 1
    if below >= end:
        return False
    place = state.bMarks[below] + state.tShift[below]
    # Most lines are told by their first sign; the last one has none.
    if state.src[place : place + 1] not in _TABLE_SIGNS:
        return False
    dashes = _DASHES.fullmatch(state.src, place, state.eMarks[below])
    if not dashes or state.sCount[below] < state.blkIndent or state.is_code_block(below):
        return False
    head = state.line_text(start)
    return (
        "|" in head and not state.is_code_block(start) and _columns(head) == _columns(dashes[0].rstrip(" \t"))
    )


def _columns(row: str) -> int:
    """Count the columns of a row; a bar at its ends and one behind a backslash divide none."""
    bars = row.count("|") - row.count("\\|")
    return bars + 1 - row.startswith("|") - (row.endswith("|") and not row.endswith("\\|"))


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a table whose head was found."""
    assert isinstance(state, Outline)
    parent, state.parentType = state.parentType, "table"
    state.add_cells(start)
    columns, missing = _columns(state.line_text(start)), 0
    line = start + 2
    while line < end and state.sCount[line] >= state.blkIndent and not _first_fitting(state, line, end, True):
        row = state.line_text(line)
        if not row or state.is_code_block(line):
            break
        missing += columns - _columns(row)
        if missing > MAX_AUTOCOMPLETED_CELLS:
            break
        state.add_cells(line)
        line += 1
    state.parentType = parent
    state.line = line
    return True


def closing_line(state: StateBlock, mark: str, start: int, end: int) -> int | None:
    """Return the last line of a block of Obsidian's own: a formula (``$$``) or a comment (``%%``).

    It starts with ``mark`` on the line ``start`` and ends on the next line with another, after which a
    formula's line has to end. A block that never ends is none (None), so that one stray mark does not swallow
    the note.
    """
    after = state.bMarks[start] + state.tShift[start] + len(mark)
    if not state.src.startswith(mark, after - len(mark)) or mark in state.src[after : state.eMarks[start]]:
        return None
    # Where a search for the second mark has failed already.
    unclosed: dict[str, tuple[int, int]] = state.env.setdefault("unclosed", {})
    failed = unclosed.get(mark)
    if failed and failed[0] <= start and end <= failed[1]:
        return None
    for line in range(start + 1, end):
        if state.sCount[line] < state.blkIndent and not state.isEmpty(line):
            return None
        place = state.src.find(mark, state.bMarks[line], state.eMarks[line])
        if place >= 0:
            is_ended = mark == "%%" or not state.src[place + len(mark) : state.eMarks[line]].strip()
            return line if is_ended else None
    unclosed[mark] = (start, end)
    return None


def _formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    last = closing_line(state, "$$", start, end)
    if last is not None and not silent:
        state.line = last + 1
    return last is not None


def _comment(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a comment's lines as plain text, whose links and tags count."""
    assert isinstance(state, Outline)
    last = closing_line(state, "%%", start, end)
    if last is not None and not silent:
        state.add_plain(start, last + 1)
        state.line = last + 1
    return last is not None


_NUMBER_SIGNS = re.compile(r"#{1,6}(?=[ \t]|\Z)")
_MARKER = re.compile(r"(?:[-+*]|([0-9]{1,9})[.)])(?=[ \t]|\Z)")
_DASHES = re.compile(
    # "- " starts an item, and a single sign is no row.
    r"(?!-[ \t])(?=..)\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+"
)
_TABLE_SIGNS = frozenset("|:-")
_CONTAINERS: tuple[Rule, ...] = (blockquote, _list)
_ENDING_ITEMS: Mapping[str, tuple[Rule, ...]] = {
    "`": (fence,),
    "~": (fence,),
    ">": (blockquote,),
    "*": (hr,),
    "-": (hr,),
    "_": (hr,),
}
_BLOCKS: Mapping[str, tuple[Rule, ...]] = {
    **dict.fromkeys("+0123456789", (_list,)),
    **_ENDING_ITEMS,
    # "* * *" is a thematic break, not a list.
    "*": (hr, _list),
    "-": (hr, _list),
    "<": (html_block,),
    "#": (_heading,),
    "$": (_formula,),
    "%": (_comment,),
}


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    parser.block.ruler = Ruler()
    parser.block.ruler.push("first_fitting", _first_fitting, {"alt": ["paragraph", "blockquote", "list"]})
    # The ruler compiles its table when first asked, and several threads may ask at once.
    parser.block.ruler.getRules("")
    return parser


_PARSER = _make_parser()
