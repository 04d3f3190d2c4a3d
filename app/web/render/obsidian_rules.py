"""Obsidian's own blocks and its signs in running text, as rules of markdown-it."""

import re
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, html_block
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from app.markdown.inline import FoundComment, FoundFormula, FoundLink, FoundTag, Span, scan_spans
from app.markdown.structure import closing_line
from app.web.render.targets import CITED, block_anchor, heading_anchor

_CALLOUT = re.compile(r"\[!([A-Za-z][\w-]{0,30})(?:\|[^\]\n]*)?\]([+-]?)[ \t]*([^\n]*)(?:\n|\Z)")
_BOX = re.compile(r"\[([^\[\]\n])\](?=\s)[ \t]*")
_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)\s*\Z")
MOST_RUN = 20_000
"""A longer paragraph, in characters, is shown as it is written: its signs could cost quadratic time."""
DONE = "xX-"
"""Signs in the box of a task that nobody need look at any more."""

MOST_MARKED = 1000
"""Longest highlighted text, in characters, so that signs that nothing closes cost little."""


def add_block_rules(markdown: MarkdownIt) -> None:
    """Teach a parser these blocks."""
    markdown.block.ruler.before(
        "fence", "comment", _comment_block, {"alt": ["paragraph", "blockquote", "list"]}
    )
    markdown.block.ruler.before("fence", "formula", _formula_block, {"alt": ["paragraph", "blockquote"]})
    markdown.block.ruler.at("html_block", _html_block, {"alt": ["paragraph", "reference", "blockquote"]})
    markdown.core.ruler.after("block", "own_blocks", _own_blocks)
    markdown.core.ruler.after("inline", "own_places", _own_places)


def _comment_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Skip a comment that fills one line or several."""
    if state.is_code_block(start) or not _is_of_a_note(state.env, state.tokens):
        return False
    first = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].rstrip()
    fills_line = len(first) >= 4 and first.startswith("%%") and first.endswith("%%")
    last = start if fills_line else closing_line(state, "%%", start, end)
    if last is not None and not silent:
        state.line = last + 1
    return last is not None


def _html_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    return _is_of_a_note(state.env, state.tokens) and html_block(state, start, end, silent)


def _is_of_a_note(env: Mapping[str, Any], tokens: Sequence[Token]) -> bool:
    """Return whether what follows some tokens stands in a note; of an answer, its block quotes do."""
    return (
        "answer" not in env or sum(token.nesting for token in tokens if token.type.startswith("blockq")) > 0
    )


def _formula_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a formula of several lines as a paragraph, whatever its lines look like."""
    last = None if state.is_code_block(start) else closing_line(state, "$$", start, end)
    if last is not None and not silent:
        state.line = last + 1
        state.push("paragraph_open", "p", 1).map = [start, state.line]
        inline = state.push("inline", "", 0)
        inline.content = state.getLines(start, state.line, state.blkIndent, False).strip()
        inline.map, inline.children = [start, state.line], []
        state.push("paragraph_close", "p", -1)
    return last is not None


def _own_blocks(state: StateCore) -> None:
    """Turn quotes into callouts, and take boxes and names of blocks out of the text."""
    tokens, at = state.tokens, 0
    while at < len(tokens):
        if tokens[at].type == "blockquote_open":
            _show_callout(tokens, at, folds="answer" not in state.env)
        elif tokens[at].type == "inline" and len(tokens[at].content) > MOST_RUN:
            tokens[at].type = "plain"
        elif tokens[at].type in ("th_open", "td_open"):
            _align(tokens[at])
        elif tokens[at].type == "inline":
            _take_box(tokens, at)
            name = _BLOCK_ID.search(tokens[at].content) if tokens[at - 1].type == "paragraph_open" else None
            if name and _is_of_a_note(state.env, tokens[:at]):
                tokens[at].content = tokens[at].content[: name.start()]
                if state.env["has_anchors"]:
                    _carrier(tokens, at).attrSet("id", block_anchor(name[1]))
        at += 1


def _show_callout(tokens: list[Token], at: int, *, folds: bool) -> None:
    """Turn a quote into a callout where it begins as one; without ``folds`` what is folded stands open."""
    if [token.type for token in tokens[at + 1 : at + 3]] != ["paragraph_open", "inline"]:
        return
    opening, inline = tokens[at], tokens[at + 2]
    match = _CALLOUT.match(inline.content)
    if match is None:
        return
    kind, fold, title = match[1].lower(), match[2] if folds else "", match[3].strip()
    opening.tag = "details" if fold else "div"
    opening.attrSet("class", f"callout callout-{kind}")
    if fold == "+":
        opening.attrSet("open", "open")
    closing = next(
        token for token in tokens[at:] if token.type == "blockquote_close" and token.level == opening.level
    )
    closing.tag = opening.tag
    tag = "summary" if fold else "p"
    level = opening.level + 1
    said = title or kind.capitalize()
    head = [
        Token("paragraph_open", tag, 1, attrs={"class": "callout-title"}, block=True, level=level),
        Token("inline", "", 0, content=said, children=[], map=inline.map, level=level + 1),
        Token("paragraph_close", tag, -1, block=True, level=level),
    ]
    rest = inline.content[match.end() :]
    if rest.strip():
        inline.content = rest
        inline.map = [inline.map[0] + 1, inline.map[1]] if inline.map else None
        tokens[at + 1 : at + 1] = head
    else:
        tokens[at + 1 : at + 4] = head


def _align(cell: Token) -> None:
    """Say by a class how a table's cell is aligned: no style of a note reaches the page."""
    style = str(cell.attrs.pop("style", ""))
    if style:
        cell.attrSet("class", style.partition(":")[2])


def _take_box(tokens: list[Token], at: int) -> None:
    """Take the box of a task out of its text, and note its sign."""
    if at < 2 or tokens[at - 2].type != "list_item_open":
        return
    if box := _BOX.match(tokens[at].content + " "):
        tokens[at].content = tokens[at].content[box.end() :]
        tokens[at].meta = {"box": box[1]}
        tokens[at - 2].attrSet("class", "task done" if box[1] in DONE else "task")


def _carrier(tokens: list[Token], at: int) -> Token:
    """Return the token around some text that is shown as an element."""
    opening = tokens[at - 1]
    if opening.type == "paragraph_open" and opening.hidden and tokens[at - 2].type == "list_item_open":
        return tokens[at - 2]
    return opening


def _own_places(state: StateCore) -> None:
    """Show boxes, set anchors, mark what is cited, and lift embedded notes out of their paragraphs."""
    tokens = state.tokens
    _cite(state.env, tokens)
    used: dict[str, int] = {}
    kept: list[Token] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and state.env["has_anchors"]:
            anchor = heading_anchor(tokens[at + 1].content)
            used[anchor] = used.get(anchor, 0) + 1
            token.attrSet("id", anchor if used[anchor] == 1 else f"{anchor}-{used[anchor]}")
        if token.type == "inline" and "box" in token.meta:
            token.children = [Token("box", "", 0, content=token.meta["box"]), *(token.children or [])]
        kept.append(token)
        if token.type == "paragraph_close" and kept[-2].type == "inline":
            kept[-3:] = _lifted(kept[-3:])
    state.tokens = kept


def _lifted(paragraph: list[Token]) -> list[Token]:
    """Return an embed without the paragraph of which it is all; any other paragraph as it is."""
    opening, inline, _ = paragraph
    children = [child for child in inline.children or [] if child.type != "cited"]
    if len(children) != 1 or children[0].type != "wikilink" or not children[0].meta["embed"]:
        return paragraph
    is_cited = len(children) < len(inline.children or [])
    anchor = CITED if is_cited else opening.attrGet("id")
    meta = {"target": children[0].meta["target"], "anchor": anchor}
    return [Token("embed", "", 0, map=opening.map, meta=meta, block=True)]


def _cite(env: MutableMapping[str, Any], tokens: list[Token]) -> None:
    """Mark the blocks that stand on the cited lines, and set the anchor in the first."""
    cited: tuple[int, int] | None = env.get("cited")
    if cited is None:
        return
    offset: int = env["first_line"]
    is_first = True
    for shown, token, (start, end) in _mapped(tokens):
        if start + offset > cited[1] or end + offset - 1 < cited[0]:
            continue
        shown.attrJoin("class", "cited")
        if is_first and token.type == "inline":
            # Inside, since what is around may be a heading, which has an anchor of its own.
            token.children = [Token("cited", "", 0), *(token.children or [])]
        elif is_first:
            shown.attrSet("id", CITED)
        is_first = False


def _mapped(tokens: list[Token]) -> Iterator[tuple[Token, Token, tuple[int, int]]]:
    """Yield what is shown as an element, the token whose text it is, and its lines: from 0, last excluded."""
    for at, token in enumerate(tokens):
        if token.map is None:
            continue
        if token.type in ("inline", "plain"):
            yield _carrier(tokens, at), token, (token.map[0], token.map[1])
        elif token.type in ("fence", "code_block", "hr", "tr_open"):
            yield token, token, (token.map[0], token.map[1])


def add_inline_rules(markdown: MarkdownIt) -> None:
    """Teach a parser these signs."""
    ruler = markdown.inline.ruler
    ruler.before("escape", "span", _span)
    ruler.before("emphasis", "highlight", _highlight)


def _span(state: StateInline, silent: bool) -> bool:
    """Show what the index reads here: a wikilink, a tag, a formula, or a comment, which is not shown."""
    span = _spans(state).get(state.pos)
    if span is None or span.end > state.posMax:
        return False
    state.pos = span.end
    if silent:
        return True
    match span:
        case FoundLink():
            state.push("wikilink", "", 0).meta = {"target": span.target, "embed": span.embed}
        case FoundTag():
            state.push("tag", "", 0).content = span.name
        case FoundFormula():
            token = state.push("code_inline", "code", 0)
            is_apart = state.src.startswith("$$", span.start)
            token.attrSet("class", "formula shown-apart" if is_apart else "formula")
            token.content = span.text
        case FoundComment() if "answer" in state.env:
            state.push("comment", "", 0).content = state.src[span.start : span.end]
    return True


def _spans(state: StateInline) -> Mapping[int, Span]:
    """Return what stands in a text, which is scanned when it is first asked for."""
    scanned: dict[str, Mapping[int, Span]] = state.env.setdefault("spans", {})
    if state.src not in scanned:
        scanned[state.src] = scan_spans(state.src)
    return scanned[state.src]


def _highlight(state: StateInline, silent: bool) -> bool:
    start = state.pos + 2
    if not state.src.startswith("==", state.pos) or state.src[start : start + 1].isspace():
        return False
    close = state.src.find("==", start + 1, min(state.posMax, start + MOST_MARKED))
    if close < 0 or state.src[close - 1].isspace():
        return False
    if not silent:
        state.push("mark_open", "mark", 1)
        end, state.pos, state.posMax = state.posMax, start, close
        state.md.inline.tokenize(state)
        state.posMax = end
        state.push("mark_close", "mark", -1)
    state.pos = close + 2
    return True
