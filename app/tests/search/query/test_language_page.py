"""docs/query-language.md: every example finds what the page says."""

import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from app.config.settings import Settings
from app.errors import BadRequestError
from app.search.query.parse import OPERATORS, parse_query
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for
from app.tests.search.conftest import paths
from app.tests.search.query.conftest import Opened
from app.vault.client import VaultClient

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "query-language.md").read_text(encoding="utf-8")


def rows(header: str) -> list[tuple[str, ...]]:
    """Give the rows of all tables with a header, the query without its backticks."""
    found = []
    for table in re.findall(rf"^{re.escape(header)}\n\| ---.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE):
        for line in table.splitlines():
            query, *cells = (cell.strip() for cell in line.strip("| ").split(" | "))
            found.append((query.strip("`"), *cells))
    return found


EXAMPLES = rows("| query | asks for | finds |")
ERRORS = rows("| query | answer |")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Open the vault once on each engine: on the one that the settings name when it is first asked for."""

    @cache
    def open_(engine: str) -> Searcher:
        folder = tmp_path_factory.mktemp(engine)
        shutil.copytree(ROOT / "examples" / "vault", folder / "vault")
        found = searcher_for(VaultClient(folder / "vault", Settings(cache_dir=folder / "cache")))
        # A search waits for the index for some seconds only, which a busy machine exceeds.
        found.update()
        return found

    return open_


@pytest.fixture
def example(opened: Opened, every_engine: str) -> Searcher:
    return opened(every_engine)


@pytest.mark.parametrize(("query", "meaning", "finds"), EXAMPLES, ids=[row[0] for row in EXAMPLES])
def test_an_example_finds_what_the_page_says(query: str, meaning: str, finds: str, example: Searcher) -> None:
    results = example.search(parse_request({"operation": "fulltext", "query": query, "limit": 100}))
    found = sorted(path.removesuffix(".md") for path in paths(results))
    if count := re.fullmatch(r"(\d+) notes", finds):
        assert len(found) == int(count[1])
    else:
        assert found == ([] if finds == "nothing" else finds.split(", "))


@pytest.mark.parametrize(("query", "answer"), ERRORS, ids=[row[0] for row in ERRORS])
def test_an_error_reads_as_the_page_says(query: str, answer: str) -> None:
    with pytest.raises(BadRequestError, match=re.escape(answer)):
        parse_query(query)


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_page_shows_every_operator(operator: str) -> None:
    assert any(f"{operator}:" in row[0] for row in EXAMPLES)


def test_the_explanation_on_the_page_is_the_real_one(example: Searcher, every_engine: str) -> None:
    [shown] = re.findall(r"--explain '(.*)' --vault", PAGE)
    request = parse_request({"operation": "fulltext", "query": shown, "explain": True})
    [told] = [notice for notice in example.search(request).notices if "asks for" in notice]
    [page] = re.findall(r"^```text\nNote: (.* asks for .*)\.\n```$", PAGE, re.MULTILINE)
    # What an engine elsewhere did not give cannot be counted.
    uncounted = re.sub(r" \(\d+ notes?, \d+ left\)", "", page)
    assert str(told) == (page if every_engine == "local" else uncounted)
