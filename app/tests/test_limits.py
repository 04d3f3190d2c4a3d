"""What is too much is refused with the limit named, the same way through every door."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import limits
from app.chat.ask.answer import ask
from app.errors import BadRequestError, PathError
from app.limits import LIST_ITEMS, MESSAGE_CHARS, QUERY_CHARS, check_list, check_text, shown
from app.notes.answer import operate
from app.search.answer import answer, search
from app.search.named.search import wksm_search
from app.tests.conftest import MakeVault
from app.tests.web.conftest import LEXICAL, visit
from app.vault.client import VaultClient
from app.vault.paths import normalize_path

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
        ({"operation": "fast", "queries": ["a" * 10_001]}, "'queries' has 10,001 characters. 10,000 are the most"),
        (
            {"operation": "fast", "queries": [f"{n}" + "a" * 9_000 for n in range(6)]},
            "the items of 'queries' have 54,006 characters together. 50,000 are the most",
        ),
        ({"operation": "by_tag", "tags": ["t" * 1_001]}, "'tags' has 1,001 characters. 1,000 are the most"),
        (
            {"operation": "scoped", "query": "a", "scopes": "a*" * 501},
            "'scopes' has 1,002 characters. 1,000 are the most",
        ),
        ({"operation": "by_link", "note_path": "a" * 4_097}, "'note_path' has 4,097 characters. 4,096 are the most"),
        (
            {"operation": "by_date", "start_date": "1" * 1_001},
            "'start_date' has 1,001 characters. 1,000 are the most",
        ),
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
        ({"lines": "9" * 5_000}, "'lines' has 5,000 characters. 1,000 are the most"),
        ({"expected_hash": "f" * 1_001}, "'expected_hash' has 1,001 characters. 1,000 are the most"),
        ({"heading": LONE}, "'heading' holds a lone surrogate (U+D83D), which is no text. send it as valid Unicode"),
        ({"path": LONE}, "'path' holds a lone surrogate (U+D83D), which is no text. send it as valid Unicode"),
        ({"path": "a/" * 3_000}, f"the path '{'a/' * 20}…' is longer than 4096 bytes. shorten it"),
        ({"path": "é" * 127 + "bc"}, f"the name '{'é' * 40}…' has 256 bytes. 255 are the most"),
    ],
)  # fmt: skip
def test_a_note_operation_that_asks_too_much_is_told_the_limit(
    parameters: dict[str, Any], message: str, vault: VaultClient
) -> None:
    assert operate(vault, {"operation": "read", "path": "A", **parameters}) == f"Error: {message}"


def test_a_name_as_long_as_the_system_allows_is_a_note(vault: VaultClient) -> None:
    name = "é" * 126
    assert len(f"{name}.md".encode()) == 255
    assert not operate(vault, {"operation": "create", "path": name, "content": "x"}).startswith("Error")
    assert vault.read(f"{name}.md").text == "x"
    # The ending counts, given or not.
    for too_long in ("x" * 256, "x" * 253, "x" * 253 + ".md", "x" * 256 + "/y"):
        with pytest.raises(PathError, match="has 256 bytes"):
            normalize_path(too_long)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda vault: search(vault, "a" * 10_001, "fast"), "'queries' has 10,001 characters"),
        (lambda vault: ask(vault, "a" * 10_001), "'question' has 10,001 characters"),
        (lambda vault: ask(vault, LONE), "'question' holds a lone surrogate"),
    ],
)
def test_python_is_told_the_limit_too(
    call: Callable[[VaultClient], Any], message: str, vault: VaultClient
) -> None:
    with pytest.raises(BadRequestError, match=re.escape(message)):
        call(vault)


def test_the_search_of_an_index_says_it_among_its_errors(vault: VaultClient) -> None:
    assert wksm_search(vault, "a" * 10_001, "notes").errors == (
        "'query' has 10,001 characters. 10,000 are the most",
    )


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


def test_the_page_takes_no_form_of_very_many_fields(vault: VaultClient) -> None:
    client = visit(vault)
    refused = client.post("/ask/turns", data={f"f{n}": "x" for n in range(1_500)})
    assert refused.status_code == 400
    assert "the form has more than 250 fields" in refused.text.lower()


@pytest.mark.parametrize(("mode", "most"), [("ask", QUERY_CHARS), ("chat", MESSAGE_CHARS)])
def test_a_question_on_the_page_has_its_limit(mode: str, most: int, vault: VaultClient) -> None:
    client = visit(vault)
    token = client.get("/status").text.split('name="csrf-token" content="')[1].split('"')[0]
    data = {"mode": mode, "question": "a" * (most + 1)}
    refused = client.post("/ask/turns", data=data, headers={"X-CSRF-Token": token})
    assert refused.status_code == 400
    assert f"&#39;question&#39; has {most + 1:,} characters" in refused.text


def test_checks_let_through_what_reaches_the_limit() -> None:
    check_text("a" * 5, "x", 5)
    check_list(["a" * 5] * LIST_ITEMS, "x", 5)
    assert shown("a" * 60) == repr("a" * 60)
    assert shown("a" * 61) == repr("a" * 59 + "…")
