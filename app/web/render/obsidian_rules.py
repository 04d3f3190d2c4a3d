"""Obsidian's own blocks and its signs in running text, as rules of markdown-it."""

import re
from collections.abc import Iterator, MutableMapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from app.markdown.targets import TAG_SIGNS, clean_tag, read_wikilink
from app.web.render.targets import CITED, block_anchor, heading_anchor

_CALLOUT = re.compile(r"\[!([A-Za-z][\w-]{0,30})(?:\|[^\]\n]*)?\]([+-]?)[ \t]*([^\n]*)(?:\n|\Z)")
_BOX = re.compile(r"\[([^\[\]\n])\](?=\s)[ \t]*")
_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)\s*\Z")
MOST_RUN = 20_000
"""A longer paragraph, in characters, is shown as it is written: its signs could cost quadratic time."""
DONE = "xX-"
"""Signs in the box of a task that nobody need look at any more."""

MOST = 1000
"""Longest construct, in characters, so that signs that nothing closes cost little."""
_TAG = re.compile("#" + TAG_SIGNS + "+")
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(?![\s$])([^\n$]*?)(?<![\s\\])\$(?![0-9])", re.DOTALL)


def add_block_rules(markdown: MarkdownIt) -> None:
    """Teach a parser these blocks."""
    markdown.block.ruler.before(
        "fence", "comment", _comment_block, {"alt": ["paragraph", "blockquote", "list"]}
    )
    markdown.core.ruler.after("block", "own_blocks", _own_blocks)
    markdown.core.ruler.after("inline", "own_places", _own_places)


def _comment_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Skip what stands between two lines that start and end with ``%%``."""
    if not state.src.startswith("%%", state.bMarks[start] + state.tShift[start]):
        return False
    first = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].rstrip()
    line = start
    if len(first) < 4 or not first.endswith("%%"):
        if "%%" in first[2:]:
            return False
        line = start + 1
        while line < end and "%%" not in state.src[state.bMarks[line] : state.eMarks[line]]:
            line += 1
        if line >= end:
            return False
    if not silent:
        state.line = line + 1
    return True


def _own_blocks(state: StateCore) -> None:
    """Turn quotes into callouts, and take boxes and names of blocks out of the text."""
    tokens, at = state.tokens, 0
    while at < len(tokens):
        if tokens[at].type == "blockquote_open":
            _callout(tokens, at)
        elif tokens[at].type == "inline" and len(tokens[at].content) > MOST_RUN:
            tokens[at].type = "plain"
        elif tokens[at].type == "inline":
            _box(tokens, at)
            if tokens[at - 1].type == "paragraph_open" and (name := _BLOCK_ID.search(tokens[at].content)):
                tokens[at].content = tokens[at].content[: name.start()]
                if state.env["has_anchors"]:
                    _carrier(tokens, at).attrSet("id", block_anchor(name[1]))
        at += 1


def _callout(tokens: list[Token], at: int) -> None:
    if [token.type for token in tokens[at + 1 : at + 3]] != ["paragraph_open", "inline"]:
        return
    opening, inline = tokens[at], tokens[at + 2]
    match = _CALLOUT.match(inline.content)
    if match is None:
        return
    kind, fold, title = match[1].lower(), match[2], match[3].strip()
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


def _box(tokens: list[Token], at: int) -> None:
    """Note the sign in the box of a task."""
    if at < 2 or tokens[at - 2].type != "list_item_open":
        return
    if box := _BOX.match(tokens[at].content + " "):
        tokens[at].content = tokens[at].content[box.end() :]
        tokens[at].meta = {"box": box[1]}
        tokens[at - 2].attrSet("class", "task done" if box[1] in DONE else "task")


def _carrier(tokens: list[Token], at: int) -> Token:
    """Give the token around some text that is shown as an element."""
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
    """Give an embed without the paragraph of which it is all; any other paragraph as it is."""
    opening, inline, _ = paragraph
    children = [child for child in inline.children or [] if child.type != "cited"]
    if len(children) != 1 or children[0].type != "wikilink" or not children[0].meta["embed"]:
        return paragraph
    is_cited = len(children) < len(inline.children or [])
    anchor = CITED if is_cited else opening.attrGet("id")
    return [Token("embed", "", 0, meta={"target": children[0].meta["target"], "anchor": anchor}, block=True)]


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
    """Give what is shown as an element, the token whose text it is, and its lines: from 0, last excluded."""
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
    ruler.before("link", "wikilink", _wikilink)
    ruler.before("emphasis", "highlight", _highlight)
    ruler.before("emphasis", "comment", _comment_inline)
    ruler.before("escape", "formula", _formula)
    ruler.push("tag", _tag)


def _wikilink(state: StateInline, silent: bool) -> bool:
    embed = state.src.startswith("![[", state.pos)
    if not embed and not state.src.startswith("[[", state.pos):
        return False
    inside = state.pos + 2 + embed
    close = state.src.find("]]", inside, min(state.posMax, inside + MOST))
    text = state.src[inside:close]
    target = read_wikilink(text) if close > 0 and "\n" not in text and "[[" not in text else None
    if target is None:
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        token.meta = {"target": target, "embed": embed}
    state.pos = close + 2
    return True


def _tag(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "#" or (state.pos and not state.src[state.pos - 1].isspace()):
        return False
    match = _TAG.match(state.src, state.pos, state.posMax)
    tag = clean_tag(match[0]) if match else None
    if match is None or tag is None:
        return False
    if not silent:
        state.push("tag", "", 0).content = tag
    state.pos = match.end()
    return True


def _highlight(state: StateInline, silent: bool) -> bool:
    start = state.pos + 2
    if not state.src.startswith("==", state.pos) or state.src[start : start + 1].isspace():
        return False
    close = state.src.find("==", start + 1, min(state.posMax, start + MOST))
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


def _comment_inline(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("%%", state.pos):
        return False
    close = state.src.find("%%", state.pos + 2, min(state.posMax, state.pos + MOST))
    if close < 0:
        return False
    state.pos = close + 2
    return True


def _formula(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    match = _FORMULA.match(state.src, state.pos, min(state.posMax, state.pos + MOST))
    if match is None:
        return False
    if not silent:
        token = state.push("code_inline", "code", 0)
        token.attrSet("class", "formula")
        token.content = match[1] or match[2] or ""
    state.pos = match.end()
    return True
