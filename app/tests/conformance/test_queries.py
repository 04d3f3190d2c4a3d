"""The conformance vault, asked through the operations of a search."""

import shutil
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.config.settings import Settings
from app.search.models import SearchResult
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for
from app.tests.conformance.reading import VAULT, expected
from app.tests.engines import on_every_engine
from app.vault.client import VaultClient
from app.vault.dates import parse_day

pytestmark = on_every_engine

QUERIES = expected()["queries"]
HIDDEN = {*expected()["hidden_from_search"], *expected()["project_vault_left_out"]}
FIELDS = {"created": "created", "updated": "modified"}


def asks_private_links(query: Mapping[str, Any]) -> bool:
    return query["path"] in expected()["hidden_from_search"] and query["direction"] == "forward"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Searcher]:
    """Open the vault once on each engine: on the one that the settings name when it is first asked for."""

    @cache
    def open_(engine: str) -> Searcher:
        folder = tmp_path_factory.mktemp(engine)
        shutil.copytree(VAULT, folder / "vault")
        searcher = searcher_for(VaultClient(folder / "vault", Settings(cache_dir=folder / "cache")))
        searcher.update()
        return searcher

    return open_


@pytest.fixture
def searcher(opened: Callable[[str], Searcher], every_engine: str) -> Searcher:
    return opened(every_engine)


def results(searcher: Searcher, **parameters: Any) -> list[SearchResult]:
    """Return the notes that are found; other files have no place in what is expected."""
    found = searcher.search(parse_request({"limit": 100, **parameters})).results
    return [result for result in found if result.path.endswith(".md")]


def shown(query: Mapping[str, Any]) -> set[str]:
    """The expected notes that a search may show."""
    return {path for path in query["expect"] if path.endswith(".md")} - HIDDEN


def test_the_index_holds_every_note_and_shows_all_but_the_hidden(searcher: Searcher) -> None:
    view = searcher.view()
    files = {"plans/carte.canvas", "médias/notice.pdf"}
    assert set(view.lexical.paths()) == {*expected()["notes"], *files}
    visible = {view.lexical.path(doc) for doc in np.flatnonzero(view.snapshot.visible).tolist()} - files
    assert visible == set(expected()["notes"]) - HIDDEN


@pytest.mark.parametrize("query", [q for q in QUERIES["by_tag"] if q["nested"]], ids=str)
def test_by_tag(query: Mapping[str, Any], searcher: Searcher) -> None:
    found = results(searcher, operation="by_tag", tags=query["tags"], match_all=query["mode"] == "all")
    assert {result.path for result in found} == shown(query)


@pytest.mark.parametrize("query", [q for q in QUERIES["by_link"] if not asks_private_links(q)], ids=str)
def test_by_link(query: Mapping[str, Any], searcher: Searcher) -> None:
    answer = searcher.search(
        parse_request(
            {
                "operation": "by_link",
                "limit": 100,
                "note_path": query["path"],
                "direction": query["direction"],
            }
        )
    )
    either = set(query.get("either", []))
    notes = {result.path for result in answer.results if result.path.endswith(".md")}
    assert notes - either == shown(query) - either
    if unresolved := query.get("unresolved"):
        [told] = [notice for notice in answer.notices if notice.startswith("unresolved links: ")]
        assert sorted(told.removeprefix("unresolved links: ").split(", ")) == sorted(unresolved)
    excluded = len(set(query["expect"]) & set(expected()["hidden_from_search"]))
    counted = [notice for notice in answer.notices if "excluded" in notice]
    assert counted == ([f"{excluded} excluded note not shown"] if excluded else [])


@pytest.mark.parametrize("query", [q for q in QUERIES["by_date"] if q["field"] in FIELDS], ids=str)
def test_by_date_where_a_property_dates_the_note(query: Mapping[str, Any], searcher: Searcher) -> None:
    found = results(
        searcher,
        operation="by_date",
        date_field=FIELDS[query["field"]],
        start_date=query["from"],
        end_date=query["to"],
    )
    dated = {result.path for result in found if result.date_source == "property"}
    assert dated - set(query.get("either", [])) == shown(query)


@pytest.mark.parametrize("query", [q for q in QUERIES["by_date"] if q["field"] == "note"], ids=str)
def test_chunks_under_no_dated_heading_have_the_date_of_their_note(
    query: Mapping[str, Any], searcher: Searcher
) -> None:
    found = results(searcher, operation="fast", query="*", start_date=query["from"], end_date=query["to"])
    changelogs = set(expected()["seed"]["changelogs"])
    # A file name dates what no property does; those answers are not in the list.
    dated = {result.path for result in found if expected()["notes"][result.path]["dates"]["note"]}
    assert dated - changelogs - set(query.get("either", [])) == shown(query) - changelogs


@pytest.mark.parametrize("query", [q for q in QUERIES["by_link"] if asks_private_links(q)], ids=str)
def test_the_links_of_a_private_note_are_not_told(query: Mapping[str, Any], searcher: Searcher) -> None:
    request = parse_request({"operation": "by_link", "note_path": query["path"], "direction": "forward"})
    found = searcher.search(request)
    assert found.results == []
    assert found.notices[0] == f"the note '{query['path']}' does not exist; it is only linked to"


@pytest.mark.parametrize("query", QUERIES["fulltext"], ids=str)
def test_fulltext(query: Mapping[str, Any], searcher: Searcher) -> None:
    assert {result.path for result in results(searcher, operation="fulltext", query=query["query"])} == shown(
        query
    )


@pytest.mark.parametrize("path", expected()["seed"]["changelogs"])
def test_a_changelog_gives_a_chunk_a_day(path: str, searcher: Searcher) -> None:
    found = results(searcher, operation="fast", query="*", scopes=[path])
    days: dict[date | None, None] = dict.fromkeys(
        parse_day(day) for day, _, _ in expected()["seed"]["changelogs"][path]
    )
    assert {parse_day(result.date) for result in found if result.date} >= set(days)


@pytest.mark.parametrize("path", expected()["never_indexed"])
def test_what_obsidian_does_not_show_is_not_there(path: str, searcher: Searcher) -> None:
    assert Path(searcher.vault.root / path).exists()
    assert path not in searcher.view().lexical.paths()
