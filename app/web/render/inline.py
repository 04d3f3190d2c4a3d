"""Obsidian's own signs in running text, as rules of markdown-it: links, tags, comments, marks, formulas."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from app.markdown.targets import TAG_SIGNS, clean_tag, read_wikilink

MOST = 1000
"""Longest construct, in characters, so that signs that nothing closes cost little."""

_TAG = re.compile("#" + TAG_SIGNS + "+")
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(?![\s$])([^\n$]*?)(?<![\s\\])\$(?![0-9])", re.DOTALL)


def add_inline_rules(markdown: MarkdownIt) -> None:
    """Teach a parser these signs."""
    ruler = markdown.inline.ruler
    ruler.before("link", "wikilink", _wikilink)
    ruler.before("emphasis", "highlight", _highlight)
    ruler.before("emphasis", "comment", _comment)
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


def _comment(state: StateInline, silent: bool) -> bool:
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
