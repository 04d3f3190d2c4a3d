"""Words that no note has: what lies nearest in meaning is offered apart, and never shown as found."""

import json

import pytest

from app.cli.forms import Form, printed
from app.notices import NoticeKind
from app.search import search
from app.search.answer import answer
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.showing import Screen
from app.tests.web.conftest import visit
from app.vault.client import VaultClient

NONSENSE = "xqzvk blorf"
SAID = "none of the notes searched has any of these words, and none is likely to answer"
UNREAD = "searched 40 notes; 1 PNG, 1 base, 1 canvas not searched"


def test_nonsense_finds_nothing_by_meaning_and_the_nearest_stand_apart(
    embedded_example: VaultClient,
) -> None:
    results = searcher_for(embedded_example).search(parse_request({"operation": "deep", "query": NONSENSE}))
    assert (results.results, results.total, results.notices) == ([], 0, [SAID, UNREAD])
    nearest = [hit.path for hit in search(embedded_example, NONSENSE, "deep", limit=3)]
    assert [result.path for result in results.nearest] == nearest


@pytest.mark.parametrize("question", ["larch", "Where do I sleep in Port-Avel?", "xqzvk larch"])
def test_what_has_a_word_or_answers_is_found(embedded_example: VaultClient, question: str) -> None:
    results = searcher_for(embedded_example).search(parse_request({"operation": "deep", "query": question}))
    assert results.nearest == []
    assert results.total > 0
    assert SAID not in results.notices


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("heating appliance", "bucket/Devis poêle.md"),
        ("woodworking", "projects/petrel/bucket/Scarfing.md"),
        ("maritime vessel", "projects/petrel/description.md"),
        ("carpenter", "projects/la-glaciere/changelog.md"),
        # A rarer word, of which the model has pieces alone.
        ("joinery", "projects/low-tide-letters/tasks.md"),
    ],
)
def test_other_words_for_what_the_notes_say_find_it(
    embedded_example: VaultClient, question: str, path: str
) -> None:
    results = searcher_for(embedded_example).search(parse_request({"operation": "deep", "query": question}))
    assert (results.nearest, SAID in results.notices) == ([], False)
    assert results.total > 0
    assert path == results.results[0].path


@pytest.mark.parametrize("question", ["zzgrt plomf wexil", "tduipx", "cwxvd krxkxuc", "typeface"])
def test_what_no_note_has_and_none_is_near_to_finds_nothing(
    embedded_example: VaultClient, question: str
) -> None:
    results = searcher_for(embedded_example).search(parse_request({"operation": "deep", "query": question}))
    assert (results.total, SAID in results.notices) == (0, True)


def test_the_few_notes_that_a_filter_leaves_are_kept(embedded_example: VaultClient) -> None:
    asked = {"operation": "deep", "query": NONSENSE, "folder": "cuisine"}
    results = searcher_for(embedded_example).search(parse_request(asked))
    assert (results.nearest, SAID in results.notices) == ([], False)
    assert {result.path.partition("/")[0] for result in results.results} == {"cuisine"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [("heating appliance", []), ("larhc", ["larhc: searched as larch too"])],
)
def test_of_a_spelling_that_no_note_has_nothing_is_said(
    embedded_example: VaultClient, question: str, expected: list[str]
) -> None:
    results = searcher_for(embedded_example).search(parse_request({"operation": "deep", "query": question}))
    said = [str(notice) for notice in results.notices if notice.kind is NoticeKind.SPELT]
    assert said == expected


def test_every_surface_says_so(embedded_example: VaultClient) -> None:
    request = parse_request({"operation": "deep", "query": NONSENSE})
    results = searcher_for(embedded_example).search(request)
    first = results.nearest[0]
    for_models = answer(embedded_example, {"operation": "deep", "query": NONSENSE})
    assert for_models.startswith(
        f"deep: no results for '{NONSENSE}'\nNote: {SAID}.\nNote: {UNREAD}.\n\nNearest"
    )
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


def test_the_page_says_so_and_counts_nothing(embedded_example: VaultClient) -> None:
    page = visit(embedded_example).get("/meaning", params={"q": NONSENSE}).text
    assert "data-result" not in page
    assert SAID.capitalize() in page
    assert "Near in meaning" in page
    assert '<ul class="facet">' not in page
    assert '<svg class="bars"' not in page
