"""Ways to a note without a search: folders, tags, names."""

import re

import pytest
from starlette.testclient import TestClient

from app.tests.conftest import MakeVault
from app.tests.web.conftest import LEXICAL, visit

NOTES: dict[str, str | bytes] = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["Secret/", "Boats/hidden"]}',
    "Home.md": "#a #boat/wood #boat-x/deep",
    "Boats/Petrel.md": "---\naliases: [The skiff, Été]\n---\n#boat",
    "Boats/Old/Larch & oak.md": "#boat/wood/oak",
    "Boats/hidden.md": "#secret",
    "Secret/S.md": "#secret",
    "Zoé.md": "",
}


def listed(page: str) -> list[tuple[str, str, str]]:
    return re.findall(r'<li[^>]*><a href="([^"]*)"[^>]*>\s*([^<]*)</a> <\w+ class="soft"[^>]*>([^<]*)<', page)


def test_a_folder_shows_its_folders_and_notes(client: TestClient) -> None:
    top = listed(client.get("/browse/").text)
    assert [(url, name) for url, name, _ in top] == [
        ("/browse/Boats", "Boats"),
        ("/note/Home.md", "Home"),
        ("/note/Zo%C3%A9.md", "Zoé"),
    ]
    assert top[0][2] == "2"
    below = client.get("/browse/Boats").text
    assert [(url, name) for url, name, _ in listed(below)] == [
        ("/browse/Boats/Old", "Old"),
        ("/note/Boats/Petrel.md", "Petrel"),
    ]
    assert '<a class="quiet" href="/?folder=Boats">Search in this folder</a>' in below
    assert "Larch &amp; oak" in client.get("/browse/Boats/Old").text


@pytest.mark.parametrize("folder", ["Secret", "Nowhere", "Boats/Petrel.md", "../x", ".obsidian"])
def test_a_folder_of_excluded_notes_is_like_one_that_is_not_there(client: TestClient, folder: str) -> None:
    answer = client.get(f"/browse/{folder.replace('..', '%2e%2e')}")
    assert answer.status_code == 404
    assert "There is no such folder." in answer.text


def test_tags_are_nested_and_counted_without_excluded_notes(client: TestClient) -> None:
    assert listed(client.get("/tags").text) == [
        ("/?tag=a", "#a", "1"),
        ("/?tag=boat", "#boat", "3"),
        ("/?tag=boat%2Fwood", "wood", "2"),
        ("/?tag=boat%2Fwood%2Foak", "oak", "1"),
        ("/?tag=boat-x", "#boat-x", "1"),
        ("/?tag=boat-x%2Fdeep", "deep", "1"),
    ]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("petrel", ["Petrel"]),
        ("PETR", ["Petrel"]),
        ("ete", ["Été"]),
        ("skiff", ["The skiff"]),
        ("zoe", ["Zoé"]),
        ("boats oak", ["Larch & oak"]),
        ("petral", ["Petrel"]),
        ("hidden", []),
        ("xyzzy", []),
    ],
)
def test_a_note_is_found_by_any_of_its_names(client: TestClient, typed: str, names: list[str]) -> None:
    found = client.get("/names", params={"q": typed}).json()
    assert [each["name"] for each in found] == names


def test_names_are_in_the_order_of_a_file_list(tiny_vault: MakeVault) -> None:
    notes = {f"{name}.md": "" for name in ("Day 10", "Day 2", "day 1", "Área")}
    page = visit(tiny_vault(notes, index=LEXICAL)).get("/browse/").text
    shown = re.findall(r'<a href="/note/[^"]*">([^<]*)</a>', page.split('class="listed notes"')[1])
    assert shown == ["Área", "day 1", "Day 2", "Day 10"]
