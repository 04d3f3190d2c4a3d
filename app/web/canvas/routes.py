"""The page of one canvas: a picture to move about in, and its cards as a list."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from app.markdown.targets import Target
from app.search.excerpt import clip
from app.search.results import uri
from app.search.searcher import searcher_for
from app.search.view import View
from app.vault.files import read_file
from app.vault.paths import is_note_name
from app.web.bases.show import NoteTables
from app.web.canvas.content import Arrow, Card, Content, Kind, read_canvas
from app.web.canvas.picture import Line, draw, number, view_box
from app.web.files import missing, shown_file
from app.web.guard import POLICY
from app.web.note import DIAGRAM
from app.web.pages import context_of, page, play_url, reader_language
from app.web.render.note import Budget, NoteRenderer, Tables
from app.web.render.targets import PICTURES, PLAYED, VIDEOS, Targets, kind_of

MOST_BYTES = 5_000_000
CARD_CHARS = 8_000
"""Of the text of one card; the rest of a note is a click away."""
MOST_NOTES = 60
"""Cards that show the text of a note; the others are links."""
LISTED_CHARS = 300
TITLE_CHARS = 90
_ADDRESS = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_SIGNS = re.compile(r"^[#>\-*+\s]+|[*_`=]{2,}|!?\[\[|\]\]", re.MULTILINE)


@dataclass(slots=True)
class _Drawn:
    """A card as the page shows it.

    ``title`` is what the list calls it, ``url`` where it leads, ``words`` what a text begins with, ``html``
    its inside. ``player`` is the address of what plays; ``is_cut`` says that a text goes on elsewhere.
    """

    number: int
    kind: Kind
    box: dict[str, str]
    colour: str
    title: str
    url: str = ""
    words: str = ""
    html: str = ""
    player: str = ""
    is_film: bool = False
    is_cut: bool = False
    group: str = ""
    leads: list[tuple[int, str, str]] = field(default_factory=list)
    """Cards that arrows lead to: the number, the title, and what stands on the arrow."""


@dataclass(frozen=True, slots=True)
class _DrawnLine:
    """An arrow as the page shows it."""

    line: Line
    label: str
    colour: str


class _Hand:
    """Draws the cards of one canvas; all that they show comes out of one budget."""

    def __init__(self, targets: Targets, path: str, tables: Tables) -> None:
        self._targets, self._path, self._tables = targets, path, tables
        self._budget = Budget(embeds=MOST_NOTES)

    def draw(self, number_of: int, card: Card) -> _Drawn:
        """Draw one card."""
        make = {"text": self._text, "file": self._file, "link": self._link, "group": self._group}
        return make[card.kind](number_of, card)

    def _text(self, at: int, card: Card) -> _Drawn:
        portion = self._portion()
        shown = card.said[: portion.chars]
        portion.chars -= len(shown)
        # Numbers below are those of notes that are embedded.
        html = self._renderer(portion).render_among(shown, 1000 + at)
        self._take(portion)
        return _Drawn(
            at,
            card.kind,
            _box(card),
            card.colour,
            title=_title(card.said),
            words=_plain(card.said, LISTED_CHARS),
            html=Markup(html),
            is_cut=len(shown) < len(card.said),
        )

    def _file(self, at: int, card: Card) -> _Drawn:
        found = self._targets.find(f"/{card.said}", self._path) if card.said.strip("/") else None
        name = card.said.rpartition("/")[2].removesuffix(".md")
        target = Target(f"/{card.said}", card.subpath, f"{name} > {card.subpath}" if card.subpath else name)
        if found is None:
            shown = Markup('<span class="missing">{}</span>').format(card.said)
            return _Drawn(at, card.kind, _box(card), card.colour, title=card.said, html=shown)
        url = self._targets.url(target, self._path) or ""
        kind = kind_of(found)
        if kind in PLAYED and self._budget.frames > 0:
            self._budget.frames -= 1
            return _Drawn(
                at, card.kind, _box(card), card.colour, title=name, url=url, player=play_url(found),
                is_film=kind in VIDEOS,
            )  # fmt: skip
        portion = self._portion()
        if kind in PICTURES:
            target = Target(target.file, "", "")
        html = self._renderer(portion).render_embedded(target)
        is_cut = is_note_name(found) and portion.chars <= 0
        self._take(portion)
        return _Drawn(
            at, card.kind, _box(card), card.colour, title=target.display or name, url=url,
            html=Markup(html), is_cut=is_cut,
        )  # fmt: skip

    def _link(self, at: int, card: Card) -> _Drawn:
        url = card.said if _ADDRESS.fullmatch(card.said) else ""
        return _Drawn(at, card.kind, _box(card), card.colour, title=card.said[:500], url=url)

    def _group(self, at: int, card: Card) -> _Drawn:
        found = self._targets.find(f"/{card.background}", self._path) if card.background else None
        is_picture = found is not None and kind_of(found) in PICTURES
        url = self._targets.url(Target(f"/{card.background}", "", ""), self._path) if is_picture else None
        return _Drawn(at, card.kind, _box(card), card.colour, title=card.said[:TITLE_CHARS], url=url or "")

    def _renderer(self, budget: Budget) -> NoteRenderer:
        return NoteRenderer(self._targets, self._path, budget=budget, tables=self._tables)

    def _portion(self) -> Budget:
        """Return what one card may take of the page's budget; nothing in its text plays."""
        return Budget(embeds=self._budget.embeds, chars=min(self._budget.chars, CARD_CHARS), frames=0)

    def _take(self, portion: Budget) -> None:
        """Count what a card took."""
        self._budget.chars -= min(self._budget.chars, CARD_CHARS) - max(portion.chars, 0)
        self._budget.embeds = portion.embeds


def canvas_page(request: Request) -> Response:
    """Show a canvas; one that is excluded is as if it were not there."""
    vault = context_of(request).vault
    asked: str = request.path_params["path"]
    if kind_of(asked) != "canvas":
        raise missing()
    path = shown_file(vault, asked)
    content = read_canvas(read_file(vault.root, path, MOST_BYTES).data)

    def make(view: View) -> list[_Drawn]:
        targets = Targets(view, reader_language(request))
        return _drawn(content, _Hand(targets, path, NoteTables(request, targets)))

    drawn = searcher_for(vault).ask(make)
    has_diagrams = any(DIAGRAM in card.html for card in drawn)
    answer = page(
        request,
        "canvas/page.html",
        path=path,
        title=path.rpartition("/")[2].rpartition(".")[0],
        uri=uri(vault, path),
        content=content,
        groups=[card for card in drawn if card.kind == "group"],
        cards=[card for card in drawn if card.kind != "group"],
        lines=list(_lines(content.arrows, content.cards)),
        view_box=view_box(content.cards),
        has_diagrams=has_diagrams,
        has_bases=any('<div class="base"' in card.html for card in drawn),
    )
    if has_diagrams or any(card.player for card in drawn):
        # Of our own pages alone, as on the page of a note.
        answer.headers["Content-Security-Policy"] = f"{POLICY}; frame-src 'self'"
    return answer


def _drawn(content: Content, hand: _Hand) -> list[_Drawn]:
    drawn = [hand.draw(at, card) for at, card in enumerate(content.cards)]
    for arrow in content.arrows:
        drawn[arrow.source].leads.append((arrow.target, drawn[arrow.target].title, arrow.label))
    groups = [(at, card) for at, card in enumerate(content.cards) if card.kind == "group"]
    # Of groups within each other the smallest is the one that a card belongs to.
    groups.sort(key=lambda each: each[1].width * each[1].height)
    for at, card in enumerate(content.cards):
        if card.kind != "group":
            drawn[at].group = next((drawn[on].title for on, group in groups if group.holds(card)), "")
    return drawn


def _lines(arrows: Sequence[Arrow], cards: Sequence[Card]) -> Iterator[_DrawnLine]:
    for arrow in arrows:
        yield _DrawnLine(draw(arrow, cards), arrow.label, arrow.colour)


def _box(card: Card) -> dict[str, str]:
    """Return the attributes that say where a card lies."""
    return {name: number(getattr(card, name)) for name in ("x", "y", "width", "height")}


def _title(text: str) -> str:
    """Return the first words of a text without signs, as its name."""
    return _plain(next((line for line in text.splitlines() if line.strip()), ""), TITLE_CHARS)


def _plain(text: str, most: int) -> str:
    """Return the beginning of a text on one line, without the signs of Markdown."""
    return clip(" ".join(_SIGNS.sub("", text[: 4 * most]).split()), 0, most)
