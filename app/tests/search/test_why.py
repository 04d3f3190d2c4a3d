"""Why a note was not found: every step that can lose it, over real files, and what brings it up."""

from typing import Any

import pytest

from app.search.answer import answer
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.search.why import Why
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

FILLER = {f"log/{number:03}.md": f"# Day {number}\n\nThe kiln was warm.\n" for number in range(1, 120)}
NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "larch.md": "---\ntags: [wood]\ncreated: 2025-03-02\n---\n# Larch\n\nThe larch came late.\n",
    "kiln.md": "# Kiln\n\nThe kiln broke on Friday, and the larch waited.\n",
    "log.md": "# 2025-03-01\n\nThe larch is ordered.\n\n# 2025-04-01\n\nThe larch is paid.\n",
    "private/Plan.md": "# Plan\n\nThe larch is hidden.\n",
    "photo.png": b"\x89PNG",
    "old/oak.md": "# Oak\n\nThe larch stood beside the oak.\n",
}


def ask(vault: VaultClient, note: str, query: str | None, **parameters: Any) -> Why:
    given = {"operation": "fast", "query": query, "note_path": note, "explain": True, **parameters}
    return searcher_for(vault).why(parse_request(given))[0]


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault(NOTES)


def test_a_note_that_is_found_is_said_to_be(vault: VaultClient) -> None:
    found = ask(vault, "Larch", "larch late")
    assert (found.note, found.step, found.place, found.total, found.advice) == ("larch.md", "found", 1, 5, ())
    assert found.reasons == ("'larch.md' is found at place 1 of 5, with a score of 0.97",)


@pytest.mark.parametrize("folder", ["private", "nowhere"])
def test_an_excluded_note_is_answered_for_like_one_that_does_not_exist(
    vault: VaultClient, folder: str
) -> None:
    for name in (f"{folder}/Plan", f"{folder}/Plan.md"):
        found = ask(vault, name, "larch hidden")
        assert (found.step, found.place, found.total, found.advice) == ("unknown", 0, 0, ())
        assert found.reasons == (
            f"there is no note '{name}' to search: none is called so, or it is excluded",
        )
    there = ask(vault, "Plan", "larch hidden")
    (vault.root / "private/Plan.md").unlink()
    assert ask(vault, "Plan", "larch hidden") == there


def test_near_names_are_proposed_and_never_an_excluded_one(vault: VaultClient) -> None:
    assert ask(vault, "lrach", "x").advice == ("notes with a similar name: larch.md",)
    assert ask(vault, "old/oaks", "x").advice == ("notes with a similar name: old/oak.md",)
    assert ask(vault, "Plans", "x").advice == ()


def test_a_name_of_several_notes_is_an_error_that_lists_them(tiny_vault: MakeVault) -> None:
    text = answer(
        tiny_vault({"a/N.md": "x", "b/N.md": "x"}),
        {"operation": "fast", "query": "x", "note_path": "N", "explain": True},
    )
    assert text == "Error: 'N' means several notes. give the path of one: a/N.md, b/N.md"


def test_a_file_that_is_no_note(vault: VaultClient) -> None:
    found = ask(vault, "photo.png", "larch")
    assert (found.step, found.reasons) == (
        "no note",
        ("'photo.png' is no note: only notes are searched",),
    )


def test_what_the_index_leaves_out(tiny_vault: MakeVault) -> None:
    index = {"default": "notes", "indexes": {"notes": {"exclude": ["old/**"], "embedding_model": None}}}
    found = ask(tiny_vault(NOTES, index=index), "old/oak", "larch")
    assert (found.step, found.reasons) == (
        "not indexed",
        ("globs of the index leave 'old/oak.md' out",),
    )


def test_what_a_project_vault_leaves_out(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"overview.md": "larch", "projects/a/state.md": "larch", "inbox/new.md": "larch"})
    for note in ("overview.md", "inbox/new.md"):
        found = ask(vault, note, "larch")
        assert (found.step, found.reasons) == (
            "left out",
            (f"'{note}' is never searched: it is always in the chat's context, or temporary",),
        )


@pytest.mark.parametrize(
    ("parameters", "filters"),
    [
        ({"folder": "old"}, "folder"),
        ({"scopes": ["old/*"]}, "scopes"),
        ({"tags": ["stone"]}, "tags"),
        ({"start_date": "2025-03-03"}, "dates"),
        ({"folder": "old", "tags": ["stone", "wood"]}, "folder"),
        ({"folder": "old", "tags": ["stone"]}, "folder and tags"),
        ({"operation": "scoped", "scopes": ["old/*"]}, "scopes"),
    ],
)
def test_every_filter_that_it_fails_is_named(
    vault: VaultClient, parameters: dict[str, object], filters: str
) -> None:
    found = ask(vault, "larch", "larch late", **parameters)
    assert (found.step, found.place) == ("filtered", 0)
    assert found.reasons == (f"'larch.md' does not pass {filters}",)


def test_filters_that_no_passage_passes_together(vault: VaultClient) -> None:
    found = ask(vault, "log", "larch paid", scopes=["log.md#2025-03"], start_date="2025-04-01")
    assert found.reasons == ("'log.md' does not pass the scopes and the dates",)


def test_every_part_of_the_query_that_it_fails_is_named(vault: VaultClient) -> None:
    found = ask(vault, "larch", "larch tag:#stone -late")
    assert (found.step, found.advice) == ("filtered", ())
    assert found.reasons == (
        "the query asks for tag:#stone and -late, which 'larch.md' does not meet",
    )  # fmt: skip


def test_of_several_queries_one_is_enough(vault: VaultClient) -> None:
    assert ask(vault, "larch", None, queries=["larch tag:#stone", "larch late"]).step == "found"
    found = ask(vault, "larch", None, queries=["larch tag:#stone", "path:old larch"])
    assert found.step == "filtered"
    assert "path:old" in found.reasons[0]
    assert "#stone" in found.reasons[0]


def test_without_a_word_of_the_question(vault: VaultClient) -> None:
    found = ask(vault, "larch", "friday kiln stone")
    assert (found.step, found.place, found.total) == ("no words", 0, 1)
    assert found.reasons == (
        "'larch.md' holds no word of the question",
        "'larch.md' lacks friday, kiln, stone",
    )


def test_below_what_is_shown(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({**FILLER, "last.md": "Of all that a kiln can do, " + "baking is the least. " * 40})
    found = ask(vault, "last", "kiln warm")
    assert (found.step, found.place, found.total) == ("below", 120, 120)
    assert found.reasons == (
        "'last.md' stands at place 120 of 120, below the first 10, which are shown",
        "'last.md' lacks warm",
    )
    assert found.advice == ("offset=119 shows it",)
    page = ask(vault, "last", "kiln warm", offset=115)
    assert (page.step, page.place) == ("found", 120)
    near = ask(vault, "log/050", "kiln warm")
    assert (near.step, near.advice) == ("below", (f"limit={near.place} shows it",))


def test_below_the_least_score(vault: VaultClient) -> None:
    found = ask(vault, "kiln", "larch late oak", min_score=0.9)
    assert found.step == "low score"
    assert 0 < found.score < 0.9
    assert found.reasons == (
        f"the best score of 'kiln.md' is {found.score:.2f}, below min_score=0.90",
        "'kiln.md' lacks late, oak",
    )


def test_a_note_that_cannot_be_read_says_so(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"big.md": "larch " * 1000, "a.md": "larch"}, max_note_bytes=1000)
    found = ask(vault, "big", "larch")
    assert found.step == "no words"
    assert any(reason.startswith("'big.md': ") and "6000 bytes" in reason for reason in found.reasons)


def test_the_tool_says_it_beside_the_results(vault: VaultClient) -> None:
    text = answer(
        vault,
        {"operation": "fast", "query": "friday", "note_path": "larch", "explain": True},
    )
    assert "1. kiln.md" in text
    assert "\nNote: 'larch.md' holds no word of the question." in text
    assert "\nNote: 'larch.md' lacks friday." in text


def test_without_explain_a_note_is_refused(vault: VaultClient) -> None:
    text = answer(vault, {"operation": "deep", "query": "friday", "note_path": "larch"})
    assert text == (
        "Error: operation 'deep' cannot use 'note_path' (got 'larch'). it takes one with explain=true, and then "
        "says why that note is not found"
    )


@pytest.mark.slow
def test_by_words_and_by_meaning_and_what_deep_would_find(embedded_example: VaultClient) -> None:
    question = "What should a newcomer know about the neighbourhood?"
    guide = ask(embedded_example, "A visitor's guide to Port-Avel", question)
    assert guide.step in ("no words", "below")
    assert guide.advice[-1 if guide.step == "no words" else -2] == "'deep' finds it at place 1"
    deep = ask(embedded_example, "A visitor's guide to Port-Avel", question, operation="deep")
    assert (deep.step, deep.place) == ("found", 1)
    far = ask(embedded_example, "projects/petrel/tasks", question, operation="deep", limit=1)
    assert far.step == "below"
