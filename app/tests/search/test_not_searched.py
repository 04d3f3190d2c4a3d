"""What lies in the vault and is not searched is said once, where nothing was found by words."""

import json
from typing import Any

import pytest

from app.notices import Language, NoticeKind
from app.search.query import suggest
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find
from app.vault.client import VaultClient

CARD = '{"nodes": [{"id": "1", "type": "text", "text": "Valve KD-4471"}]}'
FILES = {
    "Home.md": "# Home\n\nThe kiln stands in the shed.\n",
    "Plan.canvas": CARD,
    "Docs/a.pdf": b"%PDF-1.4 KD-4471",
    "Docs/B.PDF": b"%PDF-1.4",
    "private/c.pdf": b"%PDF-1.4",
    ".obsidian/app.json": json.dumps({"userIgnoreFilters": ["private/"]}),
    ".obsidian/x.docx": "x",
}
SAID = "searched 1 note; 2 PDF, 1 canvas not searched"


def said(
    vault: VaultClient, find: Find, operation: str, language: Language = "en", **parameters: Any
) -> list[str]:
    notices = find(vault, operation, **parameters).notices
    return [notice.said(language) for notice in notices if notice.kind is NoticeKind.NOT_ALL_SEARCHED]


@pytest.mark.parametrize("operation", ["fast", "fulltext", "combined", "scoped"])
def test_a_word_of_a_canvas_finds_nothing_and_says_what_is_not_read(
    tiny_vault: MakeVault, find: Find, operation: str
) -> None:
    vault = tiny_vault(FILES)
    scopes: Any = {"scopes": ["Home.md"]} if operation == "scoped" else {}
    assert said(vault, find, operation, query="KD-4471", **scopes) == [SAID]
    assert said(vault, find, operation, "fr", query="KD-4471", **scopes) == [
        "recherche dans 1 note ; non parcouru : 2 PDF, 1 canvas"
    ]


def test_a_search_that_finds_something_does_not_look(
    tiny_vault: MakeVault, find: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tiny_vault(FILES)
    monkeypatch.setattr(suggest, "not_searched", None)
    assert find(vault, "fast", query="kiln").total == 1
    assert find(vault, "by_tag", tags=["none"]).notices[0] == "searched 1 note"


def test_a_vault_of_notes_alone_is_searched_whole(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"Home.md": "# Home\n", "LICENSE": "x"})
    assert find(vault, "fast", query="KD-4471").notices == ["searched 1 note"]


def test_of_many_kinds_the_commonest_are_named(tiny_vault: MakeVault, find: Find) -> None:
    names = [
        f"{number}.{kind}" for number, kind in enumerate(("PNG", "png", "docx", "x", "y", "z", "webm", "md5"))
    ]
    vault = tiny_vault({"Home.md": "x", **dict.fromkeys(names, "x")})
    assert said(vault, find, "fast", query="KD-4471") == [
        "searched 1 note; 2 PNG, 1 DOCX, 1 X, 1 Y, 1 Z and 2 more not searched"
    ]
