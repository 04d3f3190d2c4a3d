"""Where a link or a jump in a shown note leads, and what of a note's HTML reaches the page."""

import re
from dataclasses import dataclass
from urllib.parse import quote

import nh3

from app.markdown.targets import Target
from app.search.view import View
from app.vault.paths import is_note_name, nfc
from app.web.pages import file_url, note_url

CITED = "cited"
"""The first of the lines that an address names."""
_MARKS = re.compile(r"[\[\]*_`=~\\]")
_ODD = re.compile(r"[^\w-]+")

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

PICTURES = {"png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "svg"}


def heading_anchor(text: str) -> str:
    """Return the anchor of a heading, from its text as written or as a link names it."""
    return "h-" + _ODD.sub("-", _MARKS.sub("", nfc(text)).casefold()).strip("-")


def block_anchor(name: str) -> str:
    """Return the anchor of a block, from its name without the caret."""
    return "b-" + name.casefold()


def _subpath_anchor(subpath: str) -> str:
    """Return the anchor that the part of a link after its ``#`` means; empty for none."""
    last = subpath.rpartition("#")[2].strip()
    if not last:
        return ""
    return block_anchor(last[1:]) if last.startswith("^") else heading_anchor(last)


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
        return " ".join(word for word in value.split() if _CLASS.fullmatch(word)) or None
    if tag == "img" and name == "src":
        return value if value.startswith(OWN_FILES) else None
    if name in ("width", "height", "colspan", "rowspan", "start"):
        return value if _NUMBER.fullmatch(value) else None
    if name == "role":
        return value if value == "img" else None
    return value


@dataclass(frozen=True, slots=True)
class Targets:
    """Finds what links mean; what the vault excludes is as if it were not there."""

    view: View

    def find(self, target: str, source: str) -> str | None:
        """Return the path of the file that is meant, seen from a note; None where there is none to show."""
        found = self.view.snapshot.resolver.resolve(target, source)
        return None if found is None or self.view.vault.is_excluded(found) else found

    def url(self, target: Target, source: str) -> str | None:
        """Return the address a link leads to; None where nothing is there."""
        anchor = _subpath_anchor(target.subpath)
        found = self.find(target.file, source)
        if found is None:
            return None
        if not is_note_name(found):
            return file_url(found)
        here = not target.file and anchor
        return ("" if here else note_url(found)) + (f"#{quote(anchor)}" if anchor else "")


def is_shown_in_place(path: str) -> bool:
    """Return whether a file is shown in place."""
    return path.rpartition(".")[2].lower() in PICTURES
