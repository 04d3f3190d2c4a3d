"""An answer as HTML, with a link at each place it names, which leads to those lines of the note."""

import re
from collections.abc import Iterator
from functools import cache
from html import escape

import nh3
from markdown_it import MarkdownIt

from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import Citation, Range, find_citations
from app.errors import VaultError
from app.web.pages import note_url

# What the offline assistant quotes, `  12 | text`, and fenced code: shown as it stands.
_NUMBERED = r"(?:^  \d+ *\|[^\n]*(?:\n|\Z))+"
_FENCED = r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?^ {0,3}(?P=fence)[`~]*[ \t]*(?:\n|\Z)|.*\Z)"
_VERBATIM = re.compile(f"(?P<numbered>{_NUMBERED})|{_FENCED}", re.MULTILINE | re.DOTALL)
_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+.!|~&-])")
_LABEL = re.compile(r"!?\[\[(?P<wiki>[^\[\]\n]+)\]\]|!?\[(?P<link>[^\[\]\n]*)\]")

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


def link_citations(text: str, notes: NamedNotes) -> str:
    """Make each note that an answer names a Markdown link; what is not there stays as it is written."""
    return "".join(_parts(text, notes))


def _parts(text: str, notes: NamedNotes) -> Iterator[str]:
    done = 0
    for match in _VERBATIM.finditer(text):
        yield _linked(text[done : match.start()], notes)
        yield _fenced(match["numbered"]) if match["numbered"] else match[0]
        done = match.end()
    yield _linked(text[done:], notes)


def _fenced(lines: str) -> str:
    longest = max((len(run) for run in re.findall("`+", lines)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"\n{fence}\n{lines.rstrip()}\n{fence}\n"


def _linked(text: str, notes: NamedNotes) -> str:
    shown, done = list[str](), 0
    for citation in find_citations(text, notes.written_before):
        try:
            path = notes.find(citation.name)
        except VaultError:
            # The answer was checked before: what is still not there was struck out, or has been deleted.
            continue
        lines = ",".join(map(_range, citation.ranges))
        label = _label(text[citation.start : citation.end], citation)
        shown += [text[done : citation.start], f"[{label}](<{note_url(path, lines)}>)"]
        done = citation.end
    return "".join([*shown, text[done:]])


def _label(written: str, citation: Citation) -> str:
    """Write what a link says: the citation as it stood, without brackets of its own."""
    if citation.form == "code":
        code, mark, rest = written[1:].partition("`")
        return f"`{code}{mark}{_escaped(rest)}"
    match = _LABEL.match(written)
    if match is None:
        return _escaped(written)
    place = "" if citation.place is None else written[citation.place[0] - citation.start :]
    name = match["link"] if match["wiki"] is None else match["wiki"].replace("\\|", "|").rpartition("|")[2]
    return _escaped((name or citation.name) + place)


def _escaped(text: str) -> str:
    return _SIGNS.sub(r"\\\1", text)


def _range(lines: Range) -> str:
    return str(lines[0]) if lines[0] == lines[1] else f"{lines[0]}-{lines[1]}"


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
