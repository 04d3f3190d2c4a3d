"""Loose parameters become one valid request, or one clear error."""

from datetime import date
from typing import Any

import pytest

from app.errors import BadRequestError
from app.search.request import PARAMETERS, parse_request


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
        ("scoped", "'scopes' required for scoped search"),
        ("keyword", "'query' required for keyword search"),
    ],
)
def test_a_missing_parameter_is_named(operation: str, message: str) -> None:
    with pytest.raises(BadRequestError) as caught:
        parse(operation)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("operation", "parameters", "message"),
    [
        ("fulltext", {"query": "x", "limit": 0}, "'limit' must be from 1 to 100 (got 0)"),
        (
            "fulltext",
            {"query": "x", "limit": True},
            "'limit' must be a whole number from 1 to 100 (got True)",
        ),
        ("semantic", {"query": "x"}, "Unknown operation: semantic"),
        ("by_link", {"note_path": "x", "depth": 4}, "'depth' must be from 1 to 3 (got 4)"),
        ("fast", {"query": "x", "min_score": 1.5}, "'min_score' must be from 0 to 1 (got 1.5)"),
        ("fast", {"queries": []}, "'queries' is empty"),
        ("fast", {"query": "x", "scopes": [" "]}, "'scopes' is empty"),
        ("by_tag", {"tags": [1]}, "'tags' must be a list of texts (got [1])"),
        ("fulltext", {"query": "x", "explain": "maybe"}, "'explain' must be true or false (got 'maybe')"),
        ("fast", {"query": "x", "note_path": "y"}, "operation 'fast' cannot use 'note_path' (got 'y')"),
        ("fast", {"query": "x", "top": 3}, "unknown parameter 'top'"),
    ],
)
def test_a_wrong_value_is_named(operation: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRequestError) as caught:
        parse(operation, **parameters)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (
            {"limit": "3", "explain": "true", "min_score": "0.5"},
            {"limit": 3, "explain": True, "min_score": 0.5},
        ),
        ({"queries": '["TVA", "bilan"]'}, {"queries": ("TVA", "bilan")}),
        ({"queries": "[status:done]"}, {"queries": ("[status:done]",)}),
        ({"query": "TVA", "queries": ["bilan", "TVA"]}, {"queries": ("TVA", "bilan")}),
        ({"queries": ["*", "bilan"]}, {"queries": ("bilan",)}),
        ({"scopes": '["p/*", "q/*"]'}, {"scopes": ("p/*", "q/*")}),
        ({"tags": ["a", " ", ""]}, {"tags": ("a",)}),
        ({"tags": ["garden", "shed, garden"]}, {"tags": ("garden", "shed")}),
        ({"tags": ",garden,, shed"}, {"tags": ("garden", "shed")}),
        ({"tags": '["garden, shed"]'}, {"tags": ("garden", "shed")}),
        ({"start_date": "2025-02"}, {"start": date(2025, 2, 1)}),
        ({"end_date": "2025-02"}, {"end": date(2025, 2, 28)}),
        ({"note_path": PARAMETERS["note_path"].default}, {"note_path": None}),
    ],
)
def test_loose_values_are_read_as_they_are_meant(given: dict[str, Any], meant: dict[str, Any]) -> None:
    request = parse("fast", **({} if "queries" in given else {"query": "x"}) | given)
    assert {name: getattr(request, name) for name in meant} == meant
