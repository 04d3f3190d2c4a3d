"""Where a link or a jump in a shown note leads."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from app.markdown.models import Heading
from app.markdown.targets import Target
from app.search.view import View
from app.sentences import Language
from app.vault.paths import is_note_name, nfc
from app.web.pages import file_url, note_url

CITED = "cited"
"""The first of the lines that an address names."""
_MARKS = re.compile(r"[\[\]*_`=~\\]")
_ODD = re.compile(r"[^\w-]+")

_PAGE = re.compile(r"page=[0-9]{1,5}")


def heading_anchor(text: str) -> str:
    """Return the anchor of a heading, from its text as written or as a link names it."""
    return "h-" + _ODD.sub("-", _MARKS.sub("", nfc(text)).casefold()).strip("-")


def anchored(headings: Iterable[Heading]) -> Iterator[tuple[Heading, str]]:
    """Yield headings with their anchors; of those that are called alike, the second ends in ``-2``."""
    used = Counter[str]()
    for heading in headings:
        anchor = heading_anchor(heading.text)
        used[anchor] += 1
        yield heading, anchor if used[anchor] == 1 else f"{anchor}-{used[anchor]}"


def block_anchor(name: str) -> str:
    """Return the anchor of a block, from its name without the caret."""
    return "b-" + name.casefold()


def _subpath_anchor(subpath: str) -> str:
    """Return the anchor that the part of a link after its ``#`` means; empty for none."""
    last = subpath.rpartition("#")[2].strip()
    if not last:
        return ""
    return block_anchor(last[1:]) if last.startswith("^") else heading_anchor(last)


@dataclass(frozen=True)
class Targets:
    """Finds what links mean; what the vault excludes is as if it were not there.

    ``language`` is that of whoever reads the page.
    """

    view: View
    language: Language = "en"

    @cached_property
    def keeps_line_ends(self) -> bool:
        """Whether a line that ends within a paragraph ends on the page, by the vault's own setting."""
        return not self.view.vault.obsidian.strict_line_breaks

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
            return file_url(found) + (f"#{target.subpath}" if _PAGE.fullmatch(target.subpath) else "")
        here = not target.file and anchor
        return ("" if here else note_url(found)) + (f"#{quote(anchor)}" if anchor else "")


def kind_of(path: str) -> str:
    """Return the ending of a file's name, in lower case."""
    return path.rpartition(".")[2].lower()
