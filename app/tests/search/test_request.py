"""Loose parameters become one valid request, or one clear error."""

from datetime import date
from typing import Any

import pytest

from app.errors import BadRequestError
from app.search.request import OPERATION_NAMES, PARAMETERS, parse_request


def parse(operation: str, **parameters: Any) -> Any:
    return parse_request({"operation": operation, **parameters})


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ("fulltext", "'query' required for fulltext search"),
        ("by_tag", "'tags' required for tag search"),
        ("by_link", "'note_path' required for link search"),
        ("by_date", "'start_date' or 'end_date' required"),
        ("combined", "at least one search criteria required"),
        ("fast", "'query' or 'queries' required for fast search"),
        ("deep", "'query' or 'queries' required for deep search"),
        ("scoped", "'scopes' required for scoped search"),
        ("keyword", "'query' required for keyword search"),
    ],
)
def test_a_missing_parameter_is_named(operation: str, message: str) -> None:
    with pytest.raises(BadRequestError) as caught:
        parse(operation)
    assert caught.value.message == message


@pytest.mark.parametrize("operation", ["", "semantic", None, 3])
def test_an_unknown_operation_lists_the_valid_ones(operation: object) -> None:
    with pytest.raises(BadRequestError) as caught:
        parse_request({"operation": operation, "query": "x"})
    assert str(caught.value) == f"Unknown operation: {operation}. Valid: " + ", ".join(OPERATION_NAMES)


@pytest.mark.parametrize(
    ("operation", "parameters", "message"),
    [
        ("fulltext", {"query": "x", "limit": 0}, "'limit' must be from 1 to 100 (got 0)"),
        (
            "fulltext",
            {"query": "x", "limit": "many"},
            "'limit' must be a whole number from 1 to 100 (got 'many')",
        ),
        (
            "fulltext",
            {"query": "x", "limit": True},
            "'limit' must be a whole number from 1 to 100 (got True)",
        ),
        ("fulltext", {"query": "x", "max_chars": 499}, "'max_chars' must be from 500 to 1,000,000 (got 499)"),
        ("by_link", {"note_path": "x", "depth": 4}, "'depth' must be from 1 to 3 (got 4)"),
        ("by_date", {"start_date": "today", "date_field": "born"}, "unknown date_field 'born'"),
        ("fast", {"query": "x", "min_score": 1.5}, "'min_score' must be from 0 to 1 (got 1.5)"),
        ("fast", {"queries": []}, "'queries' is empty"),
        ("fast", {"query": "   "}, "'query' or 'queries' required for fast search"),
        ("fast", {"query": "x", "scopes": [" "]}, "'scopes' is empty"),
        ("by_tag", {"tags": [1]}, "'tags' must be a list of texts (got [1])"),
        ("fulltext", {"query": "x", "explain": "maybe"}, "'explain' must be true or false (got 'maybe')"),
        ("fast", {"query": "x", "note_path": "y"}, "operation 'fast' cannot use 'note_path' (got 'y')"),
        ("fast", {"query": "x", "top": 3}, "unknown parameter 'top'"),
    ],
)
def test_a_value_that_cannot_be_meant_is_an_error_that_names_it(
    operation: str, parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadRequestError) as caught:
        parse(operation, **parameters)
    assert caught.value.message == message


def test_a_start_after_the_end_is_an_error() -> None:
    with pytest.raises(BadRequestError, match="start date 2025-02-01 lies after end date 2025-01-31"):
        parse("by_date", start_date="2025-02-01", end_date="2025-01-31")


def test_months_become_their_first_and_last_day() -> None:
    request = parse("by_date", start_date="2025-02", end_date="2025-02")
    assert (request.start, request.end) == (date(2025, 2, 1), date(2025, 2, 28))


def test_a_single_text_is_a_list_of_one_and_blanks_are_dropped() -> None:
    request = parse("fast", queries="TVA", tags=["a", " ", ""], scopes="projects/*")
    assert (request.queries, request.tags, request.scopes) == (("TVA",), ("a",), ("projects/*",))


@pytest.mark.parametrize(
    "tags",
    [
        *("garden, shed", "garden,shed", "garden ,shed,", ",garden,, shed", '["garden, shed"]'),
        *(["garden, shed"], ["garden", "shed, garden"]),
    ],
)
@pytest.mark.parametrize("operation", PARAMETERS["tags"].used_by)
def test_commas_stand_between_tags(operation: str, tags: object) -> None:
    needed: dict[str, dict[str, Any]] = {
        **{each: {"query": "a, b"} for each in ("fulltext", "fast", "deep")},
        "by_link": {"note_path": "a, b"},
        "by_date": {"start_date": "2025"},
        "scoped": {"query": "x", "scopes": ["{a,b}"]},
    }
    request = parse(operation, tags=tags, **needed.get(operation, {}))
    assert request.tags == ("garden", "shed")
    # What may hold a comma keeps it.
    assert request.query in ("a, b", "x", "")
    assert (request.note_path, request.scopes) in ((None, None), ("a, b", None), (None, ("{a,b}",)))


def test_a_list_that_comes_as_json_is_a_list() -> None:
    request = parse("fast", queries='["TVA", "bilan"]', tags=' ["a"]', scopes='["p/*", "q/*"]')
    assert (request.queries, request.tags, request.scopes) == (("TVA", "bilan"), ("a",), ("p/*", "q/*"))
    assert parse("keyword", query="x", search_terms='["a", "b"]').search_terms == ("a", "b")


@pytest.mark.parametrize("text", ["[status:done]", "[broken", '["a", 1]', "[[Home]]", "x"])
def test_a_text_that_is_no_json_list_of_texts_is_one_item(text: str) -> None:
    assert parse("fast", queries=text).queries == (text,)


def test_query_and_queries_are_merged_once_each() -> None:
    assert parse("fast", query="TVA", queries=["bilan", "TVA"]).queries == ("TVA", "bilan")


def test_a_star_is_ignored_beside_other_words() -> None:
    assert parse("fast", queries=["*", "bilan"]).queries == ("bilan",)
    assert parse("fast", queries=["*"]).queries == ("*",)


def test_defaults_of_parameters_an_operation_cannot_use_are_no_error() -> None:
    assert parse(
        "by_tag", tags=["x"], **{n: row.default for n, row in PARAMETERS.items() if n != "tags"}
    ).tags == ("x",)


def test_numbers_and_flags_may_come_as_text() -> None:
    request = parse("fast", query="x", limit="3", explain="true", min_score="0.5")
    assert (request.limit, request.explain, request.min_score) == (3, True, 0.5)


def test_deep_implies_its_mode() -> None:
    assert parse("deep", query="x", mode="deep").mode == "deep"


def test_every_operation_says_what_it_uses() -> None:
    assert {name for row in PARAMETERS.values() for name in row.used_by} == set(OPERATION_NAMES)
    assert [name for name, row in PARAMETERS.items() if not row.used_by] == []
