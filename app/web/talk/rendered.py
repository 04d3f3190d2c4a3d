"""Markdown that a model wrote, as HTML that does nothing but show it."""

from functools import cache
from html import escape

import nh3
from markdown_it import MarkdownIt

TAGS = {
    *("p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "a"),
    *("ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}  # fmt: skip
"""No picture among them: one from another machine would tell it what was asked."""
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto", "obsidian"}
MOST_CHARS = 60_000
"""A longer text is shown as it is written: signs without end would take time without end."""


def render_answer(text: str) -> str:
    """Render Markdown; HTML in it is shown as text, and line ends are kept."""
    if len(text) > MOST_CHARS:
        return f"<pre>{escape(text)}</pre>"
    return nh3.clean(
        _markdown().render(text),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )


@cache
def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 100})
    return made.enable(["table", "strikethrough"])
