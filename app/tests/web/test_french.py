"""In French no page says a sentence of the table in English."""

import re
from html.parser import HTMLParser

import pytest

from app.sentences import in_french
from app.tests.conftest import MakeVault
from app.tests.web.conftest import LEXICAL, visit
from app.tests.web.test_languages import marked
from app.translation import french

SAID = (
    "aria-label",
    "title",
    "placeholder",
    "data-gone",
    "data-anew",
    "data-none",
    "data-more",
    "data-failed",
)
NOTES: dict[str, str | bytes] = {
    "Journal/2025-07-14.md": "---\ntags: [bateau]\nfini: true\n---\n# Lundi\n\nLe four de [[Jardin]].\n",
    "Jardin.md": "Un four, et ```mermaid``` ici.\n\n```mermaid\ngraph TD; a-->b\n```\n",
    **{
        f"Four/{n:02}.md": f"---\ndate: 2025-0{n % 8 + 1}-03\n---\nfour {n} [[Jardin]]\n"
        for n in range(1, 24)
    },
    "Vide.md": "",
}
PAGES = (
    "/",
    "/?q=four",
    "/?q=four&page=2&tag=bateau&folder=Journal&from=2025-07",
    "/?q=four&page=3",
    "/?q=four&page=9",
    "/?q=introuvable&tag=bateau",
    "/browse/",
    "/browse/Four",
    "/tags",
    "/days/2025-07",
    "/days/2020-01",
    "/note/Jardin.md",
    "/note/Jardin.md?lines=90-91",
    "/note/Journal/2025-07-14.md",
    "/note/Vide.md",
    "/note/Vidde.md",
    "/around/Jardin.md",
    "/around/Vide.md",
    "/ask",
    "/status",
    "/diagram",
    "/nulle-part",
)


class Shown(HTMLParser):
    """What a page shows or has read out, piece by piece."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_script = tag == "script"
        self.pieces += [value for name, value in attrs if name in SAID and value]

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if not self._in_script and data.strip():
            self.pieces.append(" ".join(data.split()))


def english() -> tuple[set[str], set[str]]:
    """Return the sentences whose French is another, and the parts of those with facts that tell them."""
    whole, parts = set[str](), set[str]()
    for sentence, plural in marked().items():
        translated = in_french(sentence, "page") + french().ngettext(sentence, plural or sentence, 2)
        if sentence in translated:
            continue
        pieces = [piece.strip(" :.,;") for piece in re.split(r"%\(\w+\)s|</?code>|\{\w+\}", sentence)]
        if len(pieces) == 1:
            whole.add(sentence)
        parts |= {piece for piece in pieces if " " in piece and len(piece) > 7 and piece not in translated}
    return whole, parts


@pytest.mark.parametrize("address", PAGES)
def test_no_page_says_in_english_what_it_knows_in_french(tiny_vault: MakeVault, address: str) -> None:
    client = visit(tiny_vault(NOTES, index=LEXICAL))
    answer = client.get(address, headers={"Accept-Language": "fr"})
    assert '<html lang="fr">' in answer.text
    shown = Shown()
    shown.feed(answer.text)
    assert len(shown.pieces) > 0
    whole, parts = english()
    assert whole.isdisjoint(shown.pieces)
    assert [(part, piece) for piece in shown.pieces for part in parts if part in piece] == []


def test_the_way_in_is_french_too(tiny_vault: MakeVault) -> None:
    client = visit(tiny_vault(NOTES, index=LEXICAL))
    client.cookies.clear()
    shown = Shown()
    shown.feed(client.get("/enter?token=x", headers={"Accept-Language": "fr"}).text)
    assert "Adresse ou jeton" in shown.pieces
    whole, parts = english()
    assert whole.isdisjoint(shown.pieces)
    assert [(part, piece) for piece in shown.pieces for part in parts if part in piece] == []
