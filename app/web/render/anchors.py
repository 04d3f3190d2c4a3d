"""The names by which a part of a rendered note is jumped to."""

import re

from app.vault.paths import nfc

CITED = "cited"
"""The first of the lines that an address names."""

_MARKS = re.compile(r"[\[\]*_`=~\\]")
_ODD = re.compile(r"[^\w-]+")


def heading_anchor(text: str) -> str:
    """Give the anchor of a heading, from its text as written or as a link names it."""
    return "h-" + _ODD.sub("-", _MARKS.sub("", nfc(text)).casefold()).strip("-")


def block_anchor(name: str) -> str:
    """Give the anchor of a block, from its name without the caret."""
    return "b-" + name.casefold()


def subpath_anchor(subpath: str) -> str:
    """Give the anchor that the part of a link after its ``#`` means; empty for none."""
    last = subpath.rpartition("#")[2].strip()
    if not last:
        return ""
    return block_anchor(last[1:]) if last.startswith("^") else heading_anchor(last)
