"""A note, or a part of it, as HTML: links lead to pages of ours, embedded notes stand in their place."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from app.errors import VaultError
from app.markdown.targets import Target, read_target
from app.notes.document import Document, Span, block_of, open_document, section_of
from app.sentences import said
from app.vault.paths import NotePath, is_note_name
from app.web.files import MEDIA, PICTURES
from app.web.pages import note_url, play_url
from app.web.render.cleaning import clean_blocks, readable_block, readable_tag
from app.web.render.formula import draw_formulas
from app.web.render.obsidian_rules import add_block_rules, add_inline_rules
from app.web.render.targets import CITED, Targets, kind_of

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MOST_COLOURED = 20_000
"""Longer code is shown without colours: what that takes is not always in step with its length."""
MOST_NESTING = 60
MOST_STEPS = 5
"""Most steps a character of running text that looking for the ends of links and footnotes may take."""
BOXES = {" ": "to do", "x": "done", "X": "done", "/": "in progress", "-": "cancelled"}
"""What the sign in the box of a task means."""

MOST_DEPTH = 3
"""Notes within notes."""
MOST_EMBEDS = 30
MOST_FRAMES = 30
"""Sounds, films and diagrams that one page shows; the others are links, and text."""
MOST_CHARS = 100_000
"""Most characters that one page shows, embedded notes included."""
_SIZE = re.compile(r"(?:(?P<said>.*)\|)?\s*(?P<wide>[0-9]{1,4})(?:x(?P<high>[0-9]{1,4}))?", re.DOTALL)
_PLAYER = re.compile(
    r'<a class="(player(?: player-video)?)" href="(/play/(?!\.)(?:[^"/%]|%(?!2e)|/(?!\.))*)"'
    r'[^>]*>([^<>"]*)</a>',
    re.IGNORECASE,
)
"""What plays an attachment, as a link. Frames come in after a note is cleaned, and lead nowhere else."""


class _Inline(ParserInline):
    """Reads running text; brackets within brackets cost no more than `MOST_STEPS` allows.

    Each bracket that may begin a link or footnote is followed to its end, past all brackets within it. A few
    steps a character do that in any text that somebody wrote; after them, brackets are brackets.
    """

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:  # noqa: ANN401
        """Read a text; a footnote's within another shares the steps of the whole."""
        if "steps" in env:
            return super().parse(src, md, env, tokens)
        env["steps"] = MOST_STEPS * len(src)
        try:
            return super().parse(src, md, env, tokens)
        finally:
            del env["steps"]

    def skipToken(self, state: StateInline) -> None:  # noqa: N802 - the library's name
        """Step over one sign; to the end of the text where no step is left, so that nothing is found."""
        state.env["steps"] -= 1
        if state.env["steps"] < 0:
            state.pos = state.posMax
        else:
            super().skipToken(state)


@cache
def markdown() -> MarkdownIt:
    """Return the parser; it renders with a `NoteRenderer` as ``env["note"]``."""
    made = MarkdownIt()
    made.inline = _Inline()
    made.configure(
        "commonmark",
        {"html": True, "maxNesting": MOST_NESTING, "linkify": True, "highlight": coloured},
    )
    made.enable(["table", "strikethrough", "linkify"])
    _link_addresses(made)
    made.use(footnote_plugin)
    add_inline_rules(made)
    add_block_rules(made)
    rules = {
        "wikilink": _wikilink,
        "embed": _embed,
        "tag": _tag,
        "box": _box,
        "cited": _cited,
        "plain": _plain,
        "comment": _nothing,
        "link_open": _link_open,
        "image": _image,
        "softbreak": _softbreak,
        "html_inline": _html_inline,
        "html_block": _html_block,
    }
    for name, rule in rules.items():
        made.add_render_rule(name, rule)
    # Threads share it, and a ruler compiles its table when it is first asked.
    made.render("", {"has_anchors": False})
    return made


def _link_addresses(made: MarkdownIt) -> None:
    """Make links of whole addresses alone, as Obsidian does: ``example.org`` is text."""
    assert made.linkify is not None
    made.linkify.set({"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
    for scheme in ("ftp:", "//"):
        made.linkify.add(scheme, None)


def _softbreak(self: RendererHTML, tokens: list[Token], at: int, options: object, env: Any) -> str:  # noqa: ANN401
    note: NoteRenderer = env["note"]
    return "<br>\n" if note.targets.keeps_line_ends else "\n"


def _html_inline(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    return readable_tag(tokens[at].content)


def _html_block(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    return readable_block(tokens[at].content)


def _wikilink(self: RendererHTML, tokens: list[Token], at: int, options: object, env: Any) -> str:  # noqa: ANN401
    note: NoteRenderer = env["note"]
    return note.linked(tokens[at].meta["target"], embed=tokens[at].meta["embed"])


def _embed(self: RendererHTML, tokens: list[Token], at: int, options: object, env: Any) -> str:  # noqa: ANN401
    note: NoteRenderer = env["note"]
    return note.embedded(tokens[at].meta["target"], tokens[at].meta["anchor"])


def _tag(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    tag = tokens[at].content
    return f'<a class="tag" href="/?{escape(urlencode({"tag": tag}))}">#{escape(tag)}</a>'


def _box(self: RendererHTML, tokens: list[Token], at: int, options: object, env: Any) -> str:  # noqa: ANN401
    note: NoteRenderer = env["note"]
    sign = tokens[at].content
    # A sign of somebody's own stands for itself.
    meaning = said(BOXES[sign], note.targets.language) if sign in BOXES else sign
    shown = "✓" if sign in "xX" else escape(sign.strip())
    return f'<span class="box" role="img" aria-label="{escape(meaning)}">{shown}</span> '


def _cited(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    return f'<span id="{CITED}"></span>'


def _plain(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    return escape(tokens[at].content)


def _nothing(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    return ""


def _link_open(self: RendererHTML, tokens: list[Token], at: int, options: Any, env: Any) -> str:  # noqa: ANN401
    """Lead a link into the vault to the page of what it means."""
    note: NoteRenderer = env["note"]
    href = str(tokens[at].attrGet("href") or "")
    target = read_target(href, "")
    if target is None:
        if href.startswith(("http:", "https:")):
            tokens[at].attrJoin("class", "outside")
    else:
        url = note.url(target)
        if url is None:
            # Without an address it is no link, and says so.
            tokens[at].attrs = {"class": "missing"}
        else:
            tokens[at].attrSet("href", url)
    return str(self.renderToken(tokens, at, options, env))


def _image(self: RendererHTML, tokens: list[Token], at: int, options: Any, env: Any) -> str:  # noqa: ANN401
    """Show a picture of the vault; one from elsewhere is a link, for no request leaves this machine."""
    note: NoteRenderer = env["note"]
    source = str(tokens[at].attrGet("src") or "")
    alt = str(self.renderInlineAsText(tokens[at].children or [], options, env))
    target = read_target(source, alt)
    if target is None:
        return f'<a class="outside" href="{escape(source)}">{escape(alt or source)}</a>'
    return note.linked(Target(target.file, target.subpath, alt), embed=True)


@dataclass
class Budget:
    """What one page may still embed."""

    embeds: int = MOST_EMBEDS
    chars: int = MOST_CHARS
    frames: int = MOST_FRAMES


@dataclass(frozen=True)
class NoteRenderer:
    """Renders one note; ``around`` are the notes it is embedded in, so that none is shown within itself."""

    targets: Targets
    path: str
    around: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)

    def render(self, lines: Sequence[str], first_line: int, cited: Span | None = None) -> str:
        """Render some lines of the note.

        Args:
            lines: The lines.
            first_line: The number of the first, from 1.
            cited: The lines to be marked.

        Returns:
            HTML that shows and does nothing else.
        """
        return _PLAYER.sub(
            r'<iframe class="\1" src="\2" title="\3"></iframe>',
            draw_formulas(self._cleaned(lines, first_line, cited)),
            count=MOST_FRAMES,
        )

    def render_answer(self, text: str, number: int) -> str:
        """Render an answer, whose block quotes hold lines of notes.

        They are shown as on the page of a note, without anchors and players. Of everything else each
        character is shown: HTML and comments are text, and each line ends where it does.

        Args:
            text: The Markdown.
            number: One that no other answer of the page has, by which its footnotes are told apart.
        """
        env = {"note": self, "first_line": 1, "has_anchors": False, "docId": str(number), "answer": True}
        return draw_formulas(clean_blocks(_blocks(text, env)))

    def _cleaned(self, lines: Sequence[str], first_line: int, cited: Span | None = None) -> str:
        # Of a note within a note no part can be jumped to, so that each anchor is there once.
        env: dict[str, Any] = {"note": self, "first_line": first_line, "has_anchors": not self.around}
        if cited is not None:
            env["cited"] = (cited.first, cited.last)
        if self.around:
            # Footnotes of a note within a note have names of their own.
            env["docId"] = str(self.budget.embeds)
        return clean_blocks(_blocks("\n".join(lines), env))

    def embedded(self, target: Target, anchor: str | None = None) -> str:
        """Render what an embed shows: a picture, a note or a part of one, else a link."""
        found = self.targets.find(target.file, self.path)
        if found is None:
            return f'<p class="embed-missing">{_missing(_name(target))}</p>'
        if not is_note_name(found):
            return f"<p>{self.linked(target, embed=True)}</p>"
        if found in (*self.around, self.path) or len(self.around) >= MOST_DEPTH or self.budget.embeds <= 0:
            return f"<p>{self.linked(target)}</p>"
        self.budget.embeds -= 1
        try:
            body = self._part(NotePath(found), target.subpath)
        except VaultError:
            # It went, or has no such part: the link is what is left of it.
            return f'<p class="embed-missing">{self.linked(target)}</p>'
        named = f' id="{escape(anchor)}"' if anchor else ""
        title = f'<p class="embed-title">{self.linked(target)}</p>'
        return f'<div class="embed"{named}>{title}{body}</div>'

    def _part(self, path: NotePath, subpath: str) -> str:
        document = open_document(self.targets.view.vault, path)
        span = Span(document.parsed.body_line, document.line_count)
        if subpath.startswith("^"):
            span = block_of(document, subpath)
        elif subpath:
            span = section_of(document, subpath)
        lines = taken(document, span, self.budget)
        inner = NoteRenderer(self.targets, path, (*self.around, self.path), self.budget)
        return inner._cleaned(lines, span.first)

    def url(self, target: Target) -> str | None:
        """Return the address of what a link in this note means; None where there is nothing."""
        url = self.targets.url(target, self.path)
        is_here = url is not None and url.startswith("#")
        return f"{note_url(self.path)}{url}" if is_here and self.around else url

    def linked(self, target: Target, *, embed: bool = False) -> str:
        """Render a link, or the picture that an embed means."""
        found = self.targets.find(target.file, self.path)
        url = self.url(target)
        if url is None or found is None:
            said = _sized(target.display)[0] if embed else target.display
            return _missing(said or _name(target))
        kind = kind_of(found) if embed else ""
        if kind in PICTURES:
            said, box = _sized(target.display)
            alt = said or found.rpartition("/")[2]
            return f'<img src="{escape(url)}" alt="{escape(alt)}"{box}>'
        if kind in MEDIA and self.budget.frames > 0:
            self.budget.frames -= 1
            named = escape(target.display or found.rpartition("/")[2])
            style = "player player-video" if MEDIA[kind].startswith("video/") else "player"
            return f'<a class="{style}" href="{escape(play_url(found))}">{named}</a>'
        return f'<a href="{escape(url)}">{escape(target.display or _name(target))}</a>'


def _blocks(text: str, env: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Render a text block by block; say of each whether it was written as HTML."""
    made = markdown()
    tokens, first, depth = made.parse(text, env), 0, 0
    if "answer" in env:
        _show_each_sign(tokens)
    for at, token in enumerate(tokens):
        depth += token.nesting
        if depth == 0:
            yield made.renderer.render(tokens[first : at + 1], made.options, env), token.type == "html_block"
            first = at + 1


def lines_of_code(answer: str) -> frozenset[int]:
    """Return the lines of an answer, from 0, that stand in blocks of code."""
    return frozenset(line for _, lines in _code_blocks(answer, {"answer": True}) for line in range(*lines))


def fence_around(document: Document, line: int) -> str:
    """Return the line that begins the fenced block of code which goes on at a line; empty where none does."""
    first = document.parsed.body_line
    text = "\n".join(document.line(number) for number in range(first, line + 1))
    for kind, (start, end) in _code_blocks(text, {}):
        if kind == "fence" and first + start < line < first + end:
            return document.line(first + start)
    return ""


def _code_blocks(text: str, env: dict[str, Any]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield of each block of code its kind and its lines, from 0, the last excluded."""
    tokens = list[Token]()
    markdown().block.parse(text, markdown(), env, tokens)
    for token in tokens:
        if token.type in ("fence", "code_block") and token.map is not None:
            yield token.type, (token.map[0], token.map[1])


def _show_each_sign(tokens: Sequence[Token]) -> None:
    """Show what stands outside of block quotes as it is said."""
    depth = 0
    for token in tokens:
        if token.type.startswith("blockquote_"):
            depth += token.nesting
        elif depth == 0:
            for child in token.children or ():
                if child.type in ("html_inline", "comment"):
                    child.type = "plain"
                elif child.type == "softbreak":
                    child.type = "hardbreak"


def _sized(display: str) -> tuple[str, str]:
    """Take the size off a picture's caption: ``a boat|300x200``; give it as attributes."""
    size = _SIZE.fullmatch(display)
    if size is None:
        return display, ""
    high = f' height="{size["high"]}"' if size["high"] else ""
    return (size["said"] or "").strip(), f' width="{size["wide"]}"{high}'


def taken(document: Document, span: Span, budget: Budget) -> list[str]:
    """Return the lines of a span, as many as the budget allows."""
    lines: list[str] = []
    for number in range(span.first, span.last + 1):
        line = document.line(number).replace("\r", " ")
        if len(line) >= budget.chars:
            # A first line that is longer than all is cut; any other is left for the next page.
            lines += [line[: budget.chars]] if not lines else []
            budget.chars = 0
            break
        budget.chars -= len(line) + 1
        lines.append(line)
    return lines


def _name(target: Target) -> str:
    return " > ".join(part for part in (target.file, *target.subpath.split("#")) if part)


def _missing(name: str) -> str:
    return f'<span class="missing">{escape(name)}</span>'


@lru_cache(maxsize=200)
def coloured(code: str, language: str, _attributes: str = "") -> str:
    """Return code as HTML, its parts in spans by their kind, where the language is known."""
    lexer = _lexer(language.lower()) if language and len(code) <= MOST_COLOURED else None
    if lexer is None:
        return escape(code)
    from pygments import highlight
    from pygments.formatters.html import HtmlFormatter

    return str(highlight(code, lexer, HtmlFormatter(nowrap=True, classprefix="tok-")))


@lru_cache(maxsize=200)
def _lexer(language: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
