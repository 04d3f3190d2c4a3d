"""What a note loads from elsewhere as soon as it is shown."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from markdown_it import MarkdownIt

MOST_NESTING = 50
"""How deep quotes and lists are read."""
_RUNNING = frozenset({"iframe", "frame", "embed", "object", "script", "link", "style", "webview", "portal"})
_WAITING = frozenset({"a", "area"})
"""Tags of HTML whose addresses wait for a click."""
_ADDRESS = re.compile(r"""(?:(?:https?|wss?|ftp):|(?<![:\w])[/\\]{2})[^\s"'<>)\]]+""", re.IGNORECASE)


def loaded(text: str) -> Iterator[str]:
    """Yield the addresses that pictures and tags load, and the tags that need none."""
    if "![" not in text and "<" not in text:
        return
    for block in _Parser("commonmark", {"maxNesting": MOST_NESTING}).enable("table").parse(text):
        for token in (block, *(block.children or ())):
            if token.type == "image" and (found := _ADDRESS.match(str(token.attrs["src"]))):
                yield found[0]
            elif token.type in ("html_block", "html_inline"):
                yield from _Tags(token.content).found


class _Parser(MarkdownIt):
    """Leaves addresses as they are written, whatever they are."""

    def validateLink(self, url: str) -> bool:  # noqa: N802
        """Take any."""
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        """Encode nothing."""
        return url


class _Tags(HTMLParser):
    """What the tags of some HTML load, read as a browser reads them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down what one tag loads."""
        if tag in _RUNNING:
            self.found.append(f"<{tag} …>")
        elif tag not in _WAITING:
            for _, value in attrs:
                self.found += _ADDRESS.findall(re.sub(r"[\t\r\n]", "", value or ""))
