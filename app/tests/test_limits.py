"""What is too much is refused with the limit named, the same way through every door."""

import re
from pathlib import Path
from typing import Any

import pytest

from app import limits
from app.limits import LIST_ITEMS, QUERY_CHARS
from app.notes.answer import operate
from app.search.answer import answer
from app.tests.conftest import MakeVault
from app.tests.web.conftest import LEXICAL, visit
from app.vault.client import VaultClient

DOCUMENT = Path(__file__).parents[2] / "docs/limits.md"
LONE = "half \ud83d"


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault({"A.md": "# A\n\nlarch kiln\n"}, index=LEXICAL, writes="allow")


def test_the_document_has_every_limit_of_the_code() -> None:
    table = re.findall(r"\| ([0-9,]+)[a-z ]* \| `([A-Z_]+)` \|", DOCUMENT.read_text(encoding="utf-8"))
    numbers = {
        name: value for name, value in vars(limits).items() if name.isupper() and name != "SHOWN_CHARS"
    }
    assert {name: float(number.replace(",", "")) for number, name in table} == numbers


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"operation": "fast", "query": "a" * 10_001}, "'query' has 10,001 characters. 10,000 are the most"),
        (
            {"operation": "fast", "queries": [f"{n}" + "a" * 9_000 for n in range(6)]},
            "the items of 'queries' have 54,006 characters together. 50,000 are the most",
        ),
        ({"operation": "by_tag", "tags": ["t" * 1_001]}, "'tags' has 1,001 characters. 1,000 are the most"),
        ({"operation": "by_link", "note_path": "a" * 4_097}, "'note_path' has 4,097 characters. 4,096 are the most"),
        (
            {"operation": "by_tag", "tags": ["a", LONE]},
            "'tags' holds a lone surrogate (U+D83D), which is no text. send it as valid Unicode",
        ),
    ],
)  # fmt: skip
def test_a_search_that_asks_too_much_is_told_the_limit(
    parameters: dict[str, Any], message: str, vault: VaultClient
) -> None:
    assert answer(vault, parameters) == f"Error: {message}"


@pytest.mark.parametrize("operation", ["fast", "fulltext"])
def test_what_is_just_allowed_is_searched(operation: str, vault: VaultClient) -> None:
    query = ("kiln " * QUERY_CHARS)[:QUERY_CHARS]
    assert "1. A.md" in answer(vault, {"operation": operation, "query": query})
    assert "1. A.md" in answer(vault, {"operation": "fast", "queries": ["kiln"] * LIST_ITEMS})


@pytest.mark.parametrize(
    "value", ["x" * 1_000_000, ["x" * 50_000] * 20, {"x": "y" * 1_000_000}, LONE, "a\nb\x1b[31m"]
)
def test_an_error_quotes_a_value_short_and_printable(value: object, vault: VaultClient) -> None:
    for parameters in (
        {"operation": value},
        {"operation": "fast", "query": "a", "limit": value},
        {"operation": "fast", "query": "a", "mode": value},
        {"operation": "fast", "query": "a", "tags": value if isinstance(value, dict) else [value, 1]},
        {"operation": "by_tag", "tags": "a", "query": value},
    ):
        said = answer(vault, parameters)
        assert said.startswith("Error: ")
        assert len(said) < 500
        assert said.isprintable()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"heading": "h" * 1_001}, "'heading' has 1,001 characters. 1,000 are the most"),
        ({"block": "b" * 1_000_000}, "'block' has 1,000,000 characters. 1,000 are the most"),
        ({"path": LONE}, "'path' holds a lone surrogate (U+D83D), which is no text. send it as valid Unicode"),
        ({"path": "a/" * 3_000}, f"the path '{'a/' * 20}…' is longer than 4096 bytes. shorten it"),
        ({"path": "é" * 127 + "bc"}, f"the name '{'é' * 40}…' has 256 bytes. 255 are the most"),
    ],
)  # fmt: skip
def test_a_note_operation_that_asks_too_much_is_told_the_limit(
    parameters: dict[str, Any], message: str, vault: VaultClient
) -> None:
    assert operate(vault, {"operation": "read", "path": "A", **parameters}) == f"Error: {message}"


def test_the_page_says_the_limit_and_shows_what_was_typed(vault: VaultClient) -> None:
    client = visit(vault)
    refused = client.get("/", params={"q": "a" * 10_001})
    assert refused.status_code == 400
    assert "&#39;query&#39; has 10,001 characters" in refused.text
    for path in ("/", "/facets", "/why"):
        refused = client.get(path, params={"tag": [f"t{n}" for n in range(101)], "at": "1"})
        assert refused.status_code == 400
        assert "&#39;tags&#39; has 101 items" in refused.text
        refused = client.get(path, params={"tag": [f"t{n}" for n in range(3_000)], "at": "1"})
        assert refused.status_code == 400
        assert "the address has more than 250 parameters" in refused.text.lower()
    assert client.get("/", params={"q": "é" * 10_000}).status_code == 200
    for name in ("lines", "from"):
        refused = client.get("/note/A.md", params={name: "9" * 5_000})
        assert refused.status_code == 400
        assert "&#39;lines&#39; has 5,000 characters" in refused.text
