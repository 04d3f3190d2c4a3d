"""Web pages and books, read with the parser of the standard library; nothing that they name is loaded."""

import posixpath
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import unquote

from app.vault.attachments.packed import Archive
from app.vault.attachments.passages import Passage, Passages
from app.vault.encoding import decode

_BLANKS = {
    **dict.fromkeys(("address", "article", "aside", "blockquote", "br", "caption", "dd", "div", "dl"), "\n"),
    **dict.fromkeys(("dt", "figure", "footer", "header", "hr", "li", "main", "nav", "ol", "p", "pre"), "\n"),
    **dict.fromkeys(("section", "table", "tr", "ul"), "\n"),
    **dict.fromkeys(("td", "th"), " "),
}
"""What stands in the place of tags."""
_SILENT = frozenset({"script", "style", "template", "noscript", "head"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


class _Page(HTMLParser):
    """Collects the text of a page, cut at its headings."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.made = Passages()
        self._silent: list[str] = []
        self._heading = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent.append(tag)
        elif tag in _HEADINGS and not self._heading:
            self.made.line()
            self._heading = _HEADINGS[tag]
        else:
            self.made.words.append(_BLANKS.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        elif tag in _HEADINGS and self._heading:
            self.made.heading(self._heading)
            self._heading = 0
        else:
            self.made.words.append(_BLANKS.get(tag, ""))

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.made.words.append(data)


def read_html(data: bytes) -> list[Passage]:
    """Read what a page shows, its headings as places."""
    page = _Page()
    page.feed(decode(data).text)
    page.close()
    return page.made.done()


def read_epub(book: Archive) -> Iterator[Passage]:
    """Read the chapters of a book in their order."""
    container = book.elements("META-INF/container.xml", {"rootfile"})
    package = next((given.get("full-path", "") for _, given in container), "")
    pages: dict[str, str] = {}
    for tag, given in book.elements(package, {"item", "itemref"}):
        if tag == "item" and "html" in given.get("media-type", ""):
            pages[given.get("id", "")] = unquote(given.get("href", ""))
        elif page := pages.get(given.get("idref", "")):
            yield from read_html(book.read(posixpath.join(posixpath.dirname(package), page)))
