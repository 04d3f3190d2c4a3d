"""What lies in the vault and is not searched is said once, where nothing was found by words."""

import json
from typing import Any

import pytest

from app.notices import Language, NoticeKind
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find
from app.vault.client import VaultClient

CARD = '{"nodes": [{"id": "1", "type": "text", "text": "Valve KD-4471"}]}'
FILES = {
    "Home.md": "# Home\n\nThe kiln stands in the shed.\n",
    "Plan.base": CARD,
    "Docs/a.png": b"KD-4471",
    "Docs/B.PNG": b"x",
    "private/c.png": b"x",
    ".obsidian/app.json": json.dumps({"userIgnoreFilters": ["private/"]}),
    ".obsidian/x.docx": "x",
}
SAID = "searched 1 note; 2 PNG, 1 base not searched"


def said(
    vault: VaultClient, find: Find, operation: str, language: Language = "en", **parameters: Any
) -> list[str]:
    notices = find(vault, operation, **parameters).notices
    return [notice.said(language) for notice in notices if notice.template is NoticeKind.NOT_ALL_SEARCHED]


@pytest.mark.parametrize("operation", ["fast", "fulltext", "combined", "scoped"])
def test_what_is_not_read_is_said(tiny_vault: MakeVault, find: Find, operation: str) -> None:
    vault = tiny_vault(FILES)
    scopes: Any = {"scopes": ["Home.md"]} if operation == "scoped" else {}
    assert said(vault, find, operation, query="KD-4471", **scopes) == [SAID]
    assert said(vault, find, operation, "fr", query="KD-4471", **scopes) == [
        "recherche dans 1 note ; non parcouru : 2 PNG, 1 base"
    ]
