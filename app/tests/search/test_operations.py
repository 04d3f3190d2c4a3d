"""The operations that give notes: by day, by tag, by all that is asked for together, and by their text."""

from typing import Any

import pytest

from app.errors import BadRequestError
from app.search.models import SearchResults
from app.tests.conftest import MakeVault
from app.tests.engines import on_every_engine
from app.tests.search.conftest import Find, paths
from app.vault.client import VaultClient

pytestmark = on_every_engine

DATED = {
    "a.md": "---\ncreated: 2025-01-31T23:50:00+02:00\nupdated: 2025-06-01\n---\n",
    "b.md": "---\ndate: 2025-02-01\nmodified: 2025-06-03\n---\n",
    "journal/2025-02-02.md": "rien\n",
    "c.md": "---\ncreated: 2025-02-30\ndate: 2025-02-03\n---\n",
}
TAGGED = {
    "a.md": "---\ntags: [Projet/Serre, idée]\nupdated: 2025-01-03\n---\n",
    "b.md": "---\nupdated: 2025-01-02\n---\nun #projet inline\n",
    "c.md": "---\nupdated: 2025-01-01\n---\n#projetil et #idee\n",
}
JOINED = {
    "x/a.md": "---\ntags: [p, q]\ncreated: 2025-01-01\n---\nserre [[hub]]\n",
    "x/b.md": "---\ntags: [p]\ncreated: 2025-02-01\n---\nserre serre [[hub]]\n",
    "y/c.md": "---\ntags: [p, q]\ncreated: 2025-03-01\n---\nserre [[x/b]]\n",
    "hub.md": "centre\n",
}
TEXTS = {
    "a.md": "La serre est ouverte. Décision prise.\n",
    "b.md": "Une décision sans rapport.\n",
    "d/Serre.md": "Rien que le nom.\n",
    "e.md": "resserrement, status: en-cours ⏫\n",
    "f.md": "C++ et l'été, 会議の記録です, en cours\n",
}
FOUND: list[tuple[str, dict[str, str], dict[str, Any], list[str] | set[str]]] = [
    ("by_date", DATED, {"start_date": "2025-01-31", "end_date": "2025-02-02"}, ["journal/2025-02-02.md", "b.md", "a.md"]),
    ("by_date", DATED, {"start_date": "2025-02-03", "end_date": "2025-02-03"}, ["c.md"]),
    ("by_date", DATED, {"start_date": "2025-06", "end_date": "2025-06", "date_field": "modified"}, ["b.md", "a.md"]),
    ("by_tag", TAGGED, {"tags": ["projet"]}, ["a.md", "b.md"]),
    ("by_tag", TAGGED, {"tags": "#PROJET/serre/"}, ["a.md"]),
    ("by_tag", TAGGED, {"tags": ["idée", "idee"]}, ["a.md", "c.md"]),
    ("by_tag", TAGGED, {"tags": ["idée", "projet"], "match_all": True}, ["a.md"]),
    ("by_tag", JOINED, {"tags": ["p"], "folder": "X", "scopes": ["*/b.md", "y/*"]}, ["x/b.md"]),
    ("by_tag", JOINED, {"tags": ["p"], "start_date": "2025-02", "end_date": "2025-02"}, ["x/b.md"]),
    ("combined", JOINED, {"query": "serre"}, {"x/a.md", "x/b.md", "y/c.md"}),
    ("combined", JOINED, {"query": "serre", "tags": ["p", "q"], "match_all": True, "folder": "X"}, ["x/a.md"]),
    ("combined", JOINED, {"query": "serre", "start_date": "2025-02", "end_date": "2025-02"}, ["x/b.md"]),
    ("combined", JOINED, {"scopes": ["y/*"], "tags": ["q"]}, ["y/c.md"]),
    ("combined", JOINED, {"note_path": "hub", "query": "serre", "tags": ["q"]}, ["x/a.md"]),
    ("combined", JOINED, {"note_path": "hub", "depth": 2, "tags": ["q"]}, {"x/a.md", "y/c.md"}),
    ("combined", JOINED, {"note_path": "x/b", "direction": "forward"}, ["hub.md"]),
    ("combined", TAGGED, {"scopes": ["?.md"]}, ["a.md", "b.md", "c.md"]),
    ("fulltext", TEXTS, {"query": "serre décision"}, ["a.md"]),
    ("fulltext", TEXTS, {"query": "serre"}, ["d/Serre.md", "a.md", "e.md"]),
    ("fulltext", TEXTS, {"query": "DECISION"}, {"a.md", "b.md"}),
    ("fulltext", TEXTS, {"query": '"serre est"'}, ["a.md"]),
    ("fulltext", TEXTS, {"query": '"est serre"'}, []),
    ("fulltext", TEXTS, {"query": "décision -serre"}, ["b.md"]),
    ("fulltext", TEXTS, {"query": 'décision -"sans rapport"'}, ["a.md"]),
    ("fulltext", TEXTS, {"query": "en-cours"}, ["e.md"]),
    ("fulltext", TEXTS, {"query": "⏫"}, ["e.md"]),
    ("fulltext", TEXTS, {"query": "C++ l'été"}, ["f.md"]),
    ("fulltext", TEXTS, {"query": "記録"}, ["f.md"]),
]  # fmt: skip


def test_what_is_asked_for_is_found_and_nothing_else(tiny_vault: MakeVault, find: Find) -> None:
    for at, notes in enumerate((DATED, TAGGED, JOINED, TEXTS)):
        vault = tiny_vault(notes, name=f"vault {at}")
        for operation, _, parameters, expected in (row for row in FOUND if row[1] is notes):
            found = paths(find(vault, operation, **parameters))
            assert (set(found) if isinstance(expected, set) else found) == expected, (operation, parameters)


@pytest.mark.parametrize("day", ["14/07/2025", "2025-13", "-3 days ago"])
def test_a_form_not_understood_shows_the_accepted_ones(day: str, tiny_vault: MakeVault, find: Find) -> None:
    with pytest.raises(BadRequestError, match="2025-07-14"):
        find(tiny_vault(DATED), "by_date", start_date=day)


def test_a_query_by_tag_suggests_what_the_operation_does(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "#Recette flour", "b.md": "#noël rye"})
    for tag, near in (("recete", "#recette"), ("noel", "#noël")):
        for found in (find(vault, "fast", query=f"tag:#{tag}"), find(vault, "by_tag", tags=[tag])):
            assert f"similar tags: {near}" in [line.lower() for line in found.notices]


def test_what_a_wider_search_would_give_is_said(tiny_vault: MakeVault, find: Find) -> None:
    results = find(tiny_vault(JOINED), "combined", query="serre", folder="y", start_date="2026-01-01")
    assert results.total == 0
    assert "without the folder and the dates there would be 3" in results.notices
    most = find(tiny_vault(JOINED), "fulltext", query="serre centre hub absente")
    assert "no note holds all 4 words; these hold 2 of them" in most.notices


def test_lines_are_those_of_the_pieces_that_were_asked(tiny_vault: MakeVault, find: Find) -> None:
    note = "## Serre\n\n- [x] arroser ⏫\n- [ ] semer ⏫\n\narroser\n\n## Serre et semis\n\n- [/] semer ⏫\n"
    vault = tiny_vault({"a.md": note})
    for query, lines in [
        ("task-todo:(⏫)", "4"),
        ("task:(semer)", "4, 10"),
        ("section:(arroser semer)", "3, 4, 6"),
        ("heading:semis", "8"),
    ]:
        assert [result.lines for result in find(vault, "fulltext", query=query).results] == [lines], query


PROJECT = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["inbox/secret/"]}',
    "overview.md": "# Overview\n\nThe zeppelin and the Réunion.\n",
    "inbox/new.md": "A zeppelin landed.\n",
    "inbox/secret/plan.md": "The zeppelin is a marmoset.\n",
    "projects/a/state.md": "# State\n\nThe larch is late.\n",
}
NEVER = "never searched: inbox/new.md, overview.md, always in the chat's context, or temporary"


def told(results: SearchResults) -> list[str]:
    return [notice for notice in results.notices if notice.startswith("never searched")]


@pytest.fixture
def project(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault(PROJECT)


@pytest.mark.parametrize("operation", ["fast", "fulltext", "combined"])
def test_an_empty_answer_says_what_was_left_out(project: VaultClient, find: Find, operation: str) -> None:
    results = find(project, operation, query="zeppelin")
    assert (results.total, told(results)) == (0, [NEVER])


def test_an_excluded_note_is_no_part_of_it(project: VaultClient, find: Find) -> None:
    before = find(project, "fast", query="marmoset").notices
    assert told(find(project, "fast", query="marmoset")) == [NEVER]
    (project.root / "inbox/secret/plan.md").unlink()
    assert find(project, "fast", query="marmoset").notices == before
