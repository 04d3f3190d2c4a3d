"""An answer as HTML, with a number at each place it cites, which leads to those lines of the note."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape, unescape
from secrets import token_hex
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup

from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import VERBATIM, Citation, Range, find_citations, in_block_quote
from app.errors import VaultError
from app.sentences import Language
from app.showing import in_line
from app.vault.paths import NOTE_SUFFIX, NotePath
from app.web.pages import note_url
from app.web.render.cleaning import own_classes
from app.web.render.note import box, box_said
from app.web.render.obsidian_rules import show_callout, take_box

_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+.!|~&-])")
_LABEL = re.compile(r"!?\[\[(?P<wiki>[^\[\]\n]+)\]\]|!?\[(?P<link>[^\[\]\n]*)\]")
_BEFORE = re.compile(r"[(\[;,.!?…»”\"–—][ \t\u00a0]*\Z")
# What stands between two places that are named in a row, and the day before one that is shown by itself.
_ROW = re.compile(r"[ \t]*(?:[,;&]|and|et)?[ \t]*(?:(?:and|et)[ \t]*)?")
_DAY = re.compile(r"(?<![\w-])(\d{4}-\d\d-\d\d), \Z")
_INTRODUCES = re.compile(r"[*_ \t\u00a0]*:[*_ \t\u00a0]*(?:\n|\Z)")
_BRACKET = re.compile(r"[(\[][ \t\u00a0]*\Z")
_CLOSED = re.compile(r"[ \t\u00a0]*[)\]]")
_MARK = f"source-{token_hex(6)}-"
"""What leads to a place of an answer begins with it; nobody who writes a note or an answer can know it."""
_PLACE = re.compile(rf"\[\]\(#{_MARK}\d+\)")
_NEXT = rf"[ \t]*[,;&]?[ \t]*(?:and|et)?[ \t]*{_PLACE.pattern}"
_GROUP = re.compile(rf"[ \t\u00a0]*[(\[][ \t]*{_PLACE.pattern}(?:{_NEXT})*[ \t]*[)\]](?!\()")
_BLOCK_NAME = re.compile(r"(?:\A|\s+)\^[A-Za-z0-9-]+\s*\Z")
# Of a quotation on one line: “on a Monday. ^launch-date” (2025-07-14, `Launch.md` line 3).
_BLOCK_NAME_IN_MARKS = re.compile(r"\s\^[A-Za-z0-9-]+(\s?[”»\"] \((?:\d{4}-\d\d-\d\d, )?)\Z")
_ELSEWHERE = re.compile(rf'<a href="#(?!{_MARK})[^"]*"[^<>]*>(.*?)</a>', re.DOTALL)
"""A link to a place of the page, which has none of that name."""
_CITE = re.compile(rf'<a href="#{_MARK}(\d{{1,6}})"[^<>]*>(.*?)</a>', re.DOTALL)
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_COMMENT = re.compile(r"<!--.*?-->|%%.*?%%")
_BOX = re.compile(r'(<span class="box" role="img" aria-label=")([^"]*)')
MOST_RANGES = 20
TITLE_CHARS = 120

TAGS = {
    *("p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "a"),
    *("ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"),
    *("table", "thead", "tbody", "tr", "th", "td", "div", "span"),
}  # fmt: skip
"""No picture among them: one from another machine would tell it what was asked."""
ATTRIBUTES = {
    "a": {"href", "title"},
    "ol": {"start"},
    **{name: {"class"} for name in ("div", "p", "li")},
    "span": {"class", "role", "aria-label"},
}
SCHEMES = {"http", "https", "mailto", "obsidian"}
MOST_CHARS = 60_000
"""A longer text is shown as it is written: signs without end would take time without end."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place that an answer cites, by its number in it; ``lines`` is ``9-14``, or empty for a whole note."""

    number: int
    path: str
    title: str
    lines: str

    @property
    def url(self) -> str:
        """The address of these lines."""
        return note_url(self.path, self.lines)

    @property
    def folder(self) -> str:
        """The folder of the note."""
        return self.path.rpartition("/")[0]


class Cited:
    """An answer in which each place that it cites has a number.

    Args:
        text: The Markdown of the answer, which is not changed.
        notes: The notes that it may name; what is not among them stays as it is written.
    """

    def __init__(self, text: str, notes: NamedNotes) -> None:
        self._notes = notes
        self._sources: dict[tuple[str, str], Source] = {}
        self.markdown = _GROUP.sub(_ungrouped, "".join(self._parts(text)))
        """The text with a link to its number where its third place is cited."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """The places, by their numbers."""
        return tuple(self._sources.values())

    def _parts(self, text: str) -> Iterator[str]:
        done = 0
        for match in VERBATIM.finditer(text):
            yield from self._linked(text[done : match.start()])
            yield _fenced(match["numbered"]) if match["numbered"] else match[0]
            done = match.end()
        yield from self._linked(text[done:])

    def _linked(self, text: str) -> Iterator[str]:
        done, named = 0, ""
        for citation in find_citations(text, self._notes.written_before):
            try:
                path = self._notes.find(citation.name)
            except VaultError:
                # The answer was checked before: what is still not there was struck out, or has been deleted.
                if citation.form == "wiki" and in_block_quote(text, citation.start):
                    # A link of the note that is quoted, to one that is not written yet: its name shows.
                    yield text[done : citation.start]
                    yield _escaped(_said(text[citation.start : citation.end], citation))
                    done = citation.end
                continue
            before = _BLOCK_NAME_IN_MARKS.sub(r"\1", text[done : citation.start])
            # Of notes in a row, those after one that is named have their names as well.
            is_next = named not in ("", path) and _ROW.fullmatch(before) is not None
            name = self._name(text, citation, path) if is_next or not _is_aside(text, citation) else ""
            named = path if name else ""
            day = None if in_block_quote(text, citation.start) else _DAY.search(before)
            if day is not None and name.startswith(day[1]):
                before = before[: day.start()]
            yield before
            yield self._marks(text, citation, path, name)
            done = citation.end
        yield text[done:]

    def _name(self, text: str, citation: Citation, path: NotePath) -> str:
        return _said(text[citation.start : citation.end], citation) or self._title(path)

    def _marks(self, text: str, citation: Citation, path: NotePath, shown: str) -> str:
        """Write a link for each place that a citation names, the first with a name if one is to be shown."""
        if not citation.ranges and in_block_quote(text, citation.start):
            # A link of the note that is quoted, and not of the answer.
            name = _said(text[citation.start : citation.end], citation)
            return f"[{_escaped(name or path.rpartition('/')[2][:-3])}](<{note_url(path)}>)"
        places = citation.ranges[:MOST_RANGES] or (None,)
        sources = [self._source(path, "" if each is None else _range(each)) for each in places]
        return "\u202f".join(
            f"[{'' if number else _escaped(shown)}](#{_MARK}{source.number})"
            for number, source in enumerate(sources)
        )

    def _source(self, path: NotePath, lines: str) -> Source:
        known = self._sources.get((path, lines))
        if known is None:
            known = Source(len(self._sources) + 1, path, self._title(path), lines)
            self._sources[path, lines] = known
        return known

    def _title(self, path: NotePath) -> str:
        try:
            return in_line(self._notes.open(path).parsed.display_title, TITLE_CHARS)
        except VaultError:
            # It went, or cannot be read: its name is what is left of it.
            return in_line(path.rpartition("/")[2].removesuffix(NOTE_SUFFIX), TITLE_CHARS)


def _ungrouped(group: re.Match[str]) -> str:
    """Take the brackets off places that stand in brackets alone, and keep them with the word before."""
    return "\u00a0" * group[0][0].isspace() + "\u202f".join(_PLACE.findall(group[0]))


def _is_aside(text: str, citation: Citation) -> bool:
    """Return whether a place is no part of the sentence, which reads as well without the name."""
    if not citation.ranges:
        return bool(_BRACKET.search(text, 0, citation.start) and _CLOSED.match(text, citation.end))
    return bool(_BEFORE.search(text, 0, citation.start)) and not _INTRODUCES.match(text, citation.end)


def _said(written: str, citation: Citation) -> str:
    """Return what a wikilink or a link says of its own; empty where a citation is the path of a note."""
    match = _LABEL.match(written) if citation.form in ("wiki", "link") else None
    if match is None:
        return ""
    if match["wiki"] is None:
        return match["link"]
    target, bar, shown = match["wiki"].replace("\\|", "|").partition("|")
    return shown if bar else target.rpartition("/")[2].replace("#", " > ")


def _fenced(lines: str) -> str:
    longest = max((len(run) for run in re.findall("`+", lines)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"\n{fence}\n{lines.rstrip()}\n{fence}\n"


def _escaped(text: str) -> str:
    return _SIGNS.sub(r"\\\1", text)


def _range(lines: Range) -> str:
    return str(lines[0]) if lines[0] == lines[1] else f"{lines[0]}-{lines[1]}"


def show_numbers(
    html: str, sources: Sequence[Source], label: Callable[[Source], str], language: Language = "en"
) -> Markup:
    """Make the citations of an answer what a page shows: a number, which leads to the lines.

    Args:
        html: An answer as `render_answer` gives it.
        sources: Its places.
        label: What somebody who does not see is told of the place of a number that stands alone.
        language: In which the boxes of tasks are read out.
    """

    def shown(match: re.Match[str]) -> str:
        number, text = int(match[1]), match[2]
        if not 0 < number <= len(sources):
            return text
        source = sources[number - 1]
        # With a name the link says by itself where it leads.
        name = Markup('<span class="cite-name">{}</span>\u00a0').format(Markup(text)) if text else ""
        said = "" if text else Markup(' aria-label="{}"').format(label(source))
        return Markup('<a class="cite" href="{}"{}>{}<span class="cite-number">{}</span></a>').format(
            source.url, said, name, number
        )

    said = _BOX.sub(lambda found: found[1] + escape(box_said(unescape(found[2]), language)), html)
    return Markup(_CITE.sub(shown, _ELSEWHERE.sub(r"\1", said)))


def render_answer(text: str, *, strict_line_breaks: bool = False) -> str:
    """Render Markdown; HTML in it is shown as text, and line ends are kept.

    In a block quote, which holds lines of a note, names of blocks such as ``^launch-date`` are not shown, and
    with ``strict_line_breaks``, the vault's own setting, its lines flow together.
    """
    if len(text) > MOST_CHARS:
        return f"<pre>{escape(text)}</pre>"
    return nh3.clean(
        _markdown().render(text, {"strict_line_breaks": strict_line_breaks}),
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=lambda tag, name, value: own_classes(value) if name == "class" else value,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )


@cache
def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 100})
    made.core.ruler.after("block", "own_blocks", _own_blocks)
    made.core.ruler.push("quoted", _as_in_the_note)
    made.add_render_rule("box", _box)
    return made.enable(["table", "strikethrough"])


def _own_blocks(state: StateCore) -> None:
    """Show callouts and tasks as in a note; what is folded there stands open: it was quoted to be read."""
    for at in range(len(state.tokens) - 1, -1, -1):
        if state.tokens[at].type == "blockquote_open":
            show_callout(state.tokens, at, folds=False)
        elif state.tokens[at].type == "inline":
            take_box(state.tokens, at)


def _box(self: RendererHTML, tokens: list[Token], at: int, options: object, env: Any) -> str:  # noqa: ANN401
    # In which language it is said is known when it is shown.
    return box(tokens[at].content, tokens[at].content)


def _as_in_the_note(state: StateCore) -> None:
    """Show quoted lines as the note that they are from shows them."""
    depth = 0
    for token in state.tokens:
        if token.type in ("blockquote_open", "blockquote_close"):
            depth += token.nesting
        if "box" in token.meta:
            token.children = [Token("box", "", 0, content=token.meta["box"]), *(token.children or [])]
        if depth and token.type == "fence":
            token.content = _without_half_a_fence(token.content)
        if depth and token.type == "inline" and token.children:
            _hide_block_name(token.children)
            for child in token.children:
                if child.type == "text":
                    child.content = _COMMENT.sub("", child.content)
            if state.env["strict_line_breaks"]:
                _join_lines(token.children)


def _without_half_a_fence(code: str) -> str:
    """Leave out the end of a code block whose beginning stands above what is quoted."""
    lines = code.split("\n")
    fences = [at for at, line in enumerate(lines) if _FENCE.match(line)]
    if len(fences) % 2 and not any(lines[fences[-1] + 1 :]) and not _FENCE.sub("", lines[fences[-1]]).strip():
        del lines[fences[-1]]
    return "\n".join(lines)


def _hide_block_name(children: list[Token]) -> None:
    last = children[-1]
    if last.type != "text":
        return
    last.content = _BLOCK_NAME.sub("", last.content)
    if not last.content and len(children) > 1 and children[-2].type == "softbreak":
        # It had a line of its own.
        del children[-2:]


def _join_lines(children: list[Token]) -> None:
    for token in children:
        if token.type == "softbreak":
            token.type, token.content = "text", "\n"
