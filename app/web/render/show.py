"""The parser of notes, and how it writes what is Obsidian's own."""

from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from app.markdown.targets import Target, read_target
from app.web.render.anchors import CITED
from app.web.render.blocks import add_block_rules
from app.web.render.inline import add_inline_rules

if TYPE_CHECKING:
    from app.web.render.note import NoteRenderer

MOST_NESTING = 60
BOXES = {" ": "to do", "x": "done", "X": "done", "/": "in progress", "-": "cancelled"}


@cache
def markdown() -> MarkdownIt:
    """Give the parser; it renders with a `NoteRenderer` as ``env["note"]``."""
    made = MarkdownIt("commonmark", {"html": True, "breaks": True, "maxNesting": MOST_NESTING})
    made.enable(["table", "strikethrough"])
    add_inline_rules(made)
    add_block_rules(made)
    rules = {
        "wikilink": _wikilink,
        "embed": _embed,
        "tag": _tag,
        "box": _box,
        "cited": _cited,
        "plain": _plain,
        "link_open": _link_open,
        "image": _image,
    }
    for name, rule in rules.items():
        made.add_render_rule(name, rule)
    # Threads share it, and a ruler compiles its table when it is first asked.
    made.render("", {"has_anchors": False})
    return made


def _wikilink(self: RendererHTML, tokens: list[Token], at: int, options: object, env: Any) -> str:  # noqa: ANN401
    note: NoteRenderer = env["note"]
    return note.linked(tokens[at].meta["target"], embed=tokens[at].meta["embed"])


def _embed(self: RendererHTML, tokens: list[Token], at: int, options: object, env: Any) -> str:  # noqa: ANN401
    note: NoteRenderer = env["note"]
    return note.embedded(tokens[at].meta["target"], tokens[at].meta["anchor"])


def _tag(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    tag = tokens[at].content
    return f'<a class="tag" href="/?{escape(urlencode({"tag": tag}))}">#{escape(tag)}</a>'


def _box(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    sign = tokens[at].content
    said = escape(BOXES.get(sign, sign))
    shown = "✓" if sign in "xX" else escape(sign.strip())
    return f'<span class="box" role="img" aria-label="{said}">{shown}</span> '


def _cited(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    return f'<span id="{CITED}"></span>'


def _plain(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    return escape(tokens[at].content)


def _link_open(self: RendererHTML, tokens: list[Token], at: int, options: Any, env: Any) -> str:  # noqa: ANN401
    """Lead a link into the vault to the page of what it means."""
    note: NoteRenderer = env["note"]
    target = read_target(str(tokens[at].attrGet("href") or ""), "")
    if target is not None:
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
