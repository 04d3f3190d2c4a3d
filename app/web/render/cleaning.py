"""What of a note's HTML reaches the page."""

import re
from collections.abc import Iterable, Iterator
from html import escape

import nh3

OWN_FILES = "/file/"
TAGS = {
    *("p", "br", "hr", "strong", "b", "em", "i", "s", "del", "ins", "u", "sub", "sup", "small", "mark"),
    *("kbd", "code", "pre", "blockquote", "a", "img", "span", "div", "details", "summary", "abbr", "q"),
    *("ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "figure", "figcaption"),
    *("table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "section"),
}  # fmt: skip
ATTRIBUTES = {
    "*": {"id", "class"},
    "a": {"href", "title"},
    "img": {"src", "alt", "title", "width", "height"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "details": {"open"},
    "abbr": {"title"},
    "span": {"role", "aria-label"},
}
SCHEMES = {"http", "https", "mailto", "obsidian"}
_ANCHOR = re.compile(r"(?:[hb]-[\w-]*|cited|fn(?:ref)?(?:-[0-9]+-)?[0-9]+(?::[0-9]+)?)")
_CLASS = re.compile(
    r"callout(?:-title|-[a-z][\w-]*)?|task|done|box|cited|embed(?:-title|-missing)?|missing|tag|formula|shown-apart"
    r"|outside|language-[\w+-]+|tok-[a-z0-9]+|left|center|right|footnotes(?:-sep|-list)?"
    r"|footnote-(?:ref|item|backref)|player(?:-video)?"
)
_NUMBER = re.compile(r"[0-9]{1,4}")

_SWALLOWING = (
    "script|style|textarea|title|xmp|iframe|noembed|noframes|noscript|plaintext|template|svg|math|select"
)
"""Elements whose inside is no text to a browser: what follows one that is not closed would be lost."""
_OPENED = re.compile(rf"<({_SWALLOWING})(?=[\s/>])", re.IGNORECASE)
_CLOSED = re.compile(rf"</({_SWALLOWING})\s*>", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)(?:\s[^<>]*)?(/?)>")
MOST_OPEN = 60
"""Elements within each other, as HTML, that are followed."""
_VOID = {"br", "hr", "img"}
_NAMED = {
    *TAGS,
    "iframe",
    *("audio", "button", "center", "cite", "col", "colgroup", "font", "form", "input", "label", "nav"),
    *("main", "article", "aside", "header", "footer", "object", "embed", "param", "picture", "source", "tt"),
    *("var", "samp", "video", "wbr", "bdi", "bdo", "big", "link", "meta", "option", "ruby", "rb", "rp", "rt"),
    *("time", "strike", "dfn", "data", "base", "body", "html", "head", "hgroup", "map"),
}  # fmt: skip
"""Names of HTML. Other words between angle brackets, such as ``List<Note>``, were meant as text."""


def own_classes(value: str) -> str | None:
    """Return of the classes of an element those of our own making; None where there are none."""
    return " ".join(word for word in value.split() if _CLASS.fullmatch(word)) or None


def clean(html: str) -> str:
    """Keep what shows and drop what acts: scripts, styles, forms, frames, handlers, foreign pictures."""
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=_kept,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )


def _kept(tag: str, name: str, value: str) -> str | None:
    """Return the value of an attribute that is kept; names and classes are those of our own making alone."""
    if name == "id":
        return value if _ANCHOR.fullmatch(value) else None
    if name == "class":
        return own_classes(value)
    if tag == "img" and name == "src":
        return value if value.startswith(OWN_FILES) else None
    if name in ("width", "height", "colspan", "rowspan", "start"):
        return value if _NUMBER.fullmatch(value) else None
    if name == "role":
        return value if value == "img" else None
    return value


def clean_blocks(blocks: Iterable[tuple[str, bool]]) -> str:
    """Clean the blocks of a note one by one, so that what one leaves open ends with it.

    An element that stands as HTML around other blocks, such as ``<details>``, is cleaned with them.

    Args:
        blocks: The HTML of each, and whether it was written as HTML in the note.
    """
    return "".join(clean(html) for html in _joined(blocks))


def _joined(blocks: Iterable[tuple[str, bool]]) -> Iterator[str]:
    held: list[str] = []
    opened: list[str] = []
    for html, is_written in blocks:
        held.append(html)
        if is_written:
            _follow(html, opened)
        if not opened:
            yield "".join(held)
            held.clear()
    yield from held


def _follow(html: str, opened: list[str]) -> None:
    """Note which elements some HTML opens, and which it closes."""
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name not in TAGS or name in _VOID or tag[3]:
            continue
        if not tag[1] and len(opened) < MOST_OPEN:
            opened.append(name)
        elif name in opened:
            while opened.pop() != name:
                pass


def readable_tag(written: str) -> str:
    """Return a tag in running text as HTML; as text where it is none or would hide what follows it."""
    name = re.match(r"</?([a-zA-Z][a-zA-Z0-9-]*)", written)
    is_html = name is None or (name[1].lower() in _NAMED and not _OPENED.match(written.replace("</", "<", 1)))
    return written if is_html else escape(written)


def readable_block(written: str) -> str:
    """Return a block of HTML that hides nothing of what follows: what is not closed is shown as text."""
    start = written.rfind("<!--")
    if start >= 0 and written.find("-->", start) < 0:
        written = written[:start] + escape(written[start:])
    closed = {tag[1].lower(): tag.start() for tag in _CLOSED.finditer(written)}
    for opened in _OPENED.finditer(written):
        if closed.get(opened[1].lower(), -1) < opened.start():
            shown = escape(written[opened.start() :]).strip().replace("\n", "<br>\n")
            return f"{written[: opened.start()]}<p>{shown}</p>\n"
    return written
