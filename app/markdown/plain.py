"""A line of a note as a reader sees it, without the signs of Markdown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_LINK = re.compile(r"!?\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]*\]:?")
# A comment that nothing closes is read to the end once, and not anew from each of its signs.
_COMMENT = re.compile(r"%%.*?%%|<!--.*?(?:-->|(?P<open>\Z))", re.DOTALL)
_BLOCK_NAME = re.compile(r"\s\^[\w-]+\s*\Z")
_LINE_OPENING = re.compile(
    r"\s*(?P<quote>(?:>\s*)*)(?:\[![\w-]+\][+-]?\s*)?"
    r"(?:(?P<heading>#{1,6})\s+|(?P<item>[-*+]|\d{1,9}[.)])\s+(?:\[(?P<box>.)\]\s+)?)?"
)
_TAG = re.compile(r"</?(?P<apart>br|hr|p|div|li|t[dhr])?(?(apart)(?=[\s/>])|[A-Za-z])[^<>]*>", re.IGNORECASE)
"""A tag of HTML; words beside one of some stand apart."""
_CELLS = re.compile(r"(?<!\\)\|")
_QUOTE = re.compile(r"[\s>]*")
_RULE = re.compile(r"[\s|:*_=-]*")
_MARKS = re.compile(r"\*+|==|~~|`+|(?<!\w)_+|(?<!_)_++(?!\w)|\\(?=[^\w\s])")
_BLANKS = re.compile(r"\s+")
_PLACES = range(0x10E000, 0x10F000)
"""Private characters, each of which stands for something that is shown as it is written."""
_PLACE = re.compile(f"[{chr(_PLACES[0])}-{chr(_PLACES[-1])}]")
_FENCE = re.compile(r"[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?P<fence>`{3,}|~{3,})")
_LITERAL = re.compile(
    r"(?<![\\`])(?P<ticks>`{1,3})(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|\\(?P<sign>[!-/:-@\[-`{}~])"
    r"|<(?P<address>[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]{1,64}@[^\s<>@]{1,255})>"
    rf"|(?<=[\w)]\s)\*+(?=\s)|{_PLACE.pattern}"
)
"""Code, a sign behind a backslash, an address between angle brackets, and a star that stands alone."""


def code_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers, from 1, of the lines of a note that stand in fenced blocks, and of their fences."""
    found, fence = set[int](), ""
    for number, line in enumerate(lines, 1):
        match = _FENCE.match(line)
        if fence:
            found.add(number)
            # It is closed by as many of the same signs, or more, and nothing after them.
            if match and match["fence"].startswith(fence) and not line[match.end() :].strip():
                fence = ""
        elif match and ("`" not in match["fence"] or "`" not in line[match.end() :]):
            found.add(number)
            fence = match["fence"]
    return frozenset(found)


def plain_line(line: str) -> str:
    """Return a line as a reader sees it: without list signs, emphasis, links' targets and comments."""
    text = _COMMENT.sub(lambda comment: "" if comment["open"] is None else comment[0], line)
    text = _BLOCK_NAME.sub("", text)
    text = text[_LINE_OPENING.match(text).end() :]  # type: ignore[union-attr]  # it matches nothing, too
    text = _FOOTNOTE.sub("", text)
    text = _LINK.sub(lambda link: link[2] or link[1], text)
    text = _MARKDOWN_LINK.sub(lambda link: link[1], text)
    return _BLANKS.sub(" ", _MARKS.sub("", text)).strip()


Kind = Literal["text", "heading", "item", "todo", "done", "quote", "row"]


@dataclass(frozen=True, slots=True)
class PlainLine:
    """What a line says, and what it is; an empty text says nothing, such as a rule."""

    kind: Kind
    text: str


def read_line(line: str) -> PlainLine:
    """Return what a line says by itself, without HTML and the signs of Markdown.

    A row of a table, one that is quoted too, has its cells with a dot between them. What stands in a block of
    code is not for this.
    """
    unquoted = line[_QUOTE.match(line).end() :]  # type: ignore[union-attr]  # it matches nothing, too
    if _RULE.fullmatch(unquoted):
        return PlainLine("text", "")
    if unquoted.startswith("|"):
        cells = (_plain(cell.replace("\\|", "|")) for cell in _CELLS.split(_aliased(unquoted)))
        return PlainLine("row", " · ".join(filter(None, cells)))
    opening = _LINE_OPENING.match(line)
    kind: Kind = "text"
    if opening is not None:
        if opening["heading"]:
            kind = "heading"
        elif opening["box"]:
            kind = "todo" if opening["box"] == " " else "done"
        elif opening["item"]:
            kind = "item"
        elif opening["quote"]:
            kind = "quote"
    return PlainLine(kind, _plain(line))


def _aliased(row: str) -> str:
    """Return a row of a table whose links hold no sign that divides cells."""
    return _LINK.sub(lambda link: (link[2] or link[1]).rstrip("\\"), row)


def _plain(text: str) -> str:
    literals: list[str] = []

    def held(found: re.Match[str]) -> str:
        if len(literals) == len(_PLACES):
            return found[0]
        literals.append((found["code"] or found["sign"] or found["address"] or found[0]).strip())
        return chr(_PLACES[len(literals) - 1])

    rest = _LITERAL.sub(held, text)
    # A picture that is a link is one link within another.
    read = plain_line(_MARKDOWN_LINK.sub(lambda link: link[1], _untagged(rest)))
    return _PLACE.sub(lambda place: literals[ord(place[0]) - _PLACES[0]], read) if literals else read


def _untagged(text: str) -> str:
    return _TAG.sub(lambda tag: " " if tag["apart"] else "", text)
