"""Why a note was not found: every step that can lose it, over real files, and what brings it up."""

from typing import Any

import pytest

from app.search.answer import answer
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.search.why import Why
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

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


@pytest.mark.parametrize("folder", ["private", "nowhere"])
def test_an_excluded_note_is_answered_for_like_none(vault: VaultClient, folder: str) -> None:
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


@pytest.mark.parametrize(
    ("note", "query", "parameters", "step", "reason"),
    [
        ("Larch", "larch late", {}, "found", "'larch.md' is found at place 1 of 5, with a score of 0.97"),
        ("photo.png", "larch", {}, "no note", "'photo.png' is no note: only notes are searched"),
        ("larch", "larch late", {"folder": "old"}, "filtered", "'larch.md' does not pass the folder"),
        ("larch", "larch", {"start_date": "2025-03-03"}, "filtered", "'larch.md' does not pass the dates"),
        ("larch", "larch", {"scopes": ["old/*"]}, "filtered", "'larch.md' does not pass the scopes"),
        ("larch", "larch", {"folder": "old", "tags": ["stone"]}, "filtered", "'larch.md' does not pass the folder and the tags"),
        ("larch", "larch tag:#stone -late", {}, "filtered",
         "the query asks for tag:#stone and -late, which 'larch.md' does not meet"),
        ("larch", "friday kiln stone", {}, "no words", "'larch.md' holds no word of the question"),
        ("kiln", "larch late oak", {"min_score": 0.9}, "low score", "'kiln.md' lacks late, oak"),
    ],
)  # fmt: skip
def test_every_step_that_can_lose_a_note_is_named(
    vault: VaultClient, note: str, query: str, parameters: dict[str, object], step: str, reason: str
) -> None:
    found = ask(vault, note, query, **parameters)
    assert (found.step, reason in found.reasons) == (step, True), found.reasons


@pytest.mark.parametrize(
    ("path", "settings", "step"),
    [
        ("inbox/new.md", {}, "left out"),
        (
            "old/oak.md",
            {"index": {"default": "notes", "indexes": {"notes": {"exclude": ["old/**"]}}}},
            "not indexed",
        ),
        ("old/oak.md", {"max_note_bytes": 1000}, "no words"),
    ],
)
def test_unsearched_is_told(tiny_vault: MakeVault, path: str, settings: dict[str, Any], step: str) -> None:
    vault = tiny_vault({"overview.md": "x", "projects/a/state.md": "x", path: "larch " * 200}, **settings)
    assert ask(vault, path, "larch").step == step


def test_of_several_queries_one_is_enough(vault: VaultClient) -> None:
    assert ask(vault, "larch", None, queries=["larch tag:#stone", "larch late"]).step == "found"
    found = ask(vault, "larch", None, queries=["larch tag:#stone", "path:old larch"])
    assert found.step == "filtered"
    assert "path:old" in found.reasons[0]
    assert "#stone" in found.reasons[0]


def test_the_tool_says_it_beside_the_results(vault: VaultClient) -> None:
    text = answer(vault, {"operation": "fast", "query": "friday", "note_path": "larch", "explain": True})
    assert "1. kiln.md" in text
    assert "\nNote: 'larch.md' holds no word of the question." in text
    assert "\nNote: 'larch.md' lacks friday." in text


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
