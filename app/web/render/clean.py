"""What of a note's HTML reaches the page: a list of what is known to be harmless, kept by nh3."""

import re

import nh3

TAGS = {
    *("p", "br", "hr", "strong", "b", "em", "i", "s", "del", "ins", "u", "sub", "sup", "small", "mark"),
    *("kbd", "code", "pre", "blockquote", "a", "img", "span", "div", "details", "summary", "abbr", "q"),
    *("ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "figure", "figcaption"),
    *("table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"),
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
OWN_FILES = "/file/"

_ANCHOR = re.compile(r"(?:[hb]-[\w-]*|cited)")
_CLASS = re.compile(
    r"callout(?:-title|-[a-z][\w-]*)?|task|done|box|cited|embed(?:-title|-missing)?|missing|tag|formula"
    r"|outside|language-[\w+-]+|(?:left|center|right)"
)
_NUMBER = re.compile(r"[0-9]{1,4}")


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
    """Give the value of an attribute that is kept; names and classes are those of our own making alone."""
    if name == "id":
        return value if _ANCHOR.fullmatch(value) else None
    if name == "class":
        return " ".join(word for word in value.split() if _CLASS.fullmatch(word)) or None
    if tag == "img" and name == "src":
        return value if value.startswith(OWN_FILES) else None
    if name in ("width", "height", "colspan", "rowspan", "start"):
        return value if _NUMBER.fullmatch(value) else None
    if name == "role":
        return value if value == "img" else None
    return value
