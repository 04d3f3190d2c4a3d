"""Read the block structure of a note, as CommonMark, tables and Obsidian's own blocks have it."""

from collections.abc import Callable, Mapping

from markdown_it import MarkdownIt
from markdown_it.ruler import Ruler
from markdown_it.rules_block import (
    StateBlock,
    blockquote,
    code,
    fence,
    heading,
    hr,
    html_block,
    list_block,
    table,
)

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
    place = state.begin(start)
    sign = state.src[place] if place < state.eMarks[start] else ""
    if silent:
        return _interrupts(state, start, end, sign)
    if state.level == 0:
        state.found.starts.add(start)
    rules = (code,) if state.is_code_block(start) else _BLOCKS.get(sign, ())
    if _may_head_table(state, start, end):
        rules = (table, *rules)
    taken = next((rule for rule in rules if rule(state, start, end, False)), None)
    if taken is None:
        _paragraph(state, start, end)
    if taken not in _CONTAINERS:
        state.covered[start : state.line] = b"\1" * (state.line - start)
    return True


def _interrupts(state: Outline, start: int, end: int, sign: str) -> bool:
    """Tell whether a line ends the paragraph, quote or list item before it."""
    if state.is_code_block(start):
        return False
    rules = (_ENDING_ITEMS if state.parentType == "list" else _BLOCKS).get(sign, ())
    if any(rule(state, start, end, True) for rule in rules):
        return True
    return (
        state.parentType == "paragraph"
        and _may_head_table(state, start, end)
        and table(state, start, end, True)
    )


def _may_head_table(state: Outline, start: int, end: int) -> bool:
    return start + 1 < end and state.src[state.begin(start + 1) : state.begin(start + 1) + 1] in _TABLE_SIGNS


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


def _enclosed(mark: str, *, alone: bool) -> Rule:
    """Make the rule for a block between two lines that start with ``mark``.

    ``alone`` asks that nothing follows the second mark. A block that never ends is none, so that one
    stray mark does not swallow the note.
    """

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        assert isinstance(state, Outline)
        after = state.begin(start) + len(mark)
        if (
            not state.src.startswith(mark, after - len(mark))
            or mark in state.src[after : state.eMarks[start]]
        ):
            return False
        failed = state.unclosed.get(mark)
        if failed and failed[0] <= start and end <= failed[1]:
            return False
        for line in range(start + 1, end):
            if state.sCount[line] < state.blkIndent and not state.isEmpty(line):
                return False
            place = state.src.find(mark, state.bMarks[line], state.eMarks[line])
            if place >= 0:
                break
        else:
            state.unclosed[mark] = (start, end)
            return False
        if alone and state.src[place + len(mark) : state.eMarks[line]].strip():
            return False
        if not silent:
            if not alone:
                state.add_plain(start, line + 1)
            state.line = line + 1
        return True

    return rule


_TABLE_SIGNS = frozenset("|:-")
_CONTAINERS: tuple[Rule, ...] = (blockquote, list_block)
_ENDING_ITEMS: Mapping[str, tuple[Rule, ...]] = {
    "`": (fence,),
    "~": (fence,),
    ">": (blockquote,),
    "*": (hr,),
    "-": (hr,),
    "_": (hr,),
}
_BLOCKS: Mapping[str, tuple[Rule, ...]] = {
    **dict.fromkeys("+0123456789", (list_block,)),
    **_ENDING_ITEMS,
    # "* * *" is a thematic break, not a list.
    "*": (hr, list_block),
    "-": (hr, list_block),
    "<": (html_block,),
    "#": (heading,),
    "$": (_enclosed("$$", alone=True),),
    "%": (_enclosed("%%", alone=False),),
}


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    parser.block.ruler = Ruler()
    parser.block.ruler.push("first_fitting", _first_fitting, {"alt": ["paragraph", "blockquote", "list"]})
    # The ruler compiles its table when first asked, and several threads may ask at once.
    parser.block.ruler.getRules("")
    return parser


_PARSER = _make_parser()
