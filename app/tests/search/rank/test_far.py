"""Words that no note has: what lies nearest in meaning is offered apart, and never shown as found."""

import json

import pytest

from app.cli.forms import Form, printed
from app.search import search
from app.search.answer import answer
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.showing import Screen
from app.vault.client import VaultClient

NONSENSE = "xqzvk blorf"
SAID = "none of the notes searched has any of these words, and none is likely to answer"
UNREAD = "searched 40 notes and 1 file; 1 PNG, 1 base not searched"


def test_nonsense_finds_nothing_and_the_nearest_stand_apart(embedded_example: VaultClient) -> None:
    results = searcher_for(embedded_example).search(parse_request({"operation": "deep", "query": NONSENSE}))
    assert (results.results, results.total, results.notices) == ([], 0, [SAID, UNREAD])
    nearest = [hit.path for hit in search(embedded_example, NONSENSE, "deep", limit=3)]
    assert [result.path for result in results.nearest] == nearest


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("heating appliance", "bucket/Devis poêle.md"),
        # A rarer word, of which the model has pieces alone.
        ("joinery", "projects/low-tide-letters/tasks.md"),
    ],
)
def test_other_words_find_what_notes_say(embedded_example: VaultClient, question: str, path: str) -> None:
    results = searcher_for(embedded_example).search(parse_request({"operation": "deep", "query": question}))
    assert (results.nearest, SAID in results.notices) == ([], False)
    assert results.total > 0
    assert path == results.results[0].path


def test_the_few_notes_that_a_filter_leaves_are_kept(embedded_example: VaultClient) -> None:
    asked = {"operation": "deep", "query": NONSENSE, "folder": "cuisine"}
    results = searcher_for(embedded_example).search(parse_request(asked))
    assert (results.nearest, SAID in results.notices) == ([], False)
    assert {result.path.partition("/")[0] for result in results.results} == {"cuisine"}


def test_every_surface_says_so(embedded_example: VaultClient) -> None:
    request = parse_request({"operation": "deep", "query": NONSENSE})
    results = searcher_for(embedded_example).search(request)
    first = results.nearest[0]
    for_models = answer(embedded_example, {"operation": "deep", "query": NONSENSE})
    assert f"\n\n1. {first.path}:{first.lines}" in for_models
    screen = Screen(is_terminal=True, columns=80, language="en")
    shown, _ = printed(results, request, Form(), screen)
    assert "Nearest in meaning:" in shown
    assert first.path in shown
    piped, _ = printed(results, request, Form(), Screen())
    assert piped == ""
    data_text, _ = printed(results, request, Form(), Screen(), as_json=True)
    data = json.loads(data_text)
    assert (data["total"], data["results"]) == (0, [])
    assert [one["path"] for one in data["nearest"]] == [one.path for one in results.nearest]
