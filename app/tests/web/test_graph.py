"""The graph of the whole vault and around a note: its notes, links and colours, and what stays hidden."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.tests.conftest import MakeVault
from app.tests.web.visiting import LEXICAL, visit

MARKUP = "<img src=x onerror=alert(1)>"
NOTES: dict[str, str | bytes] = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["Secret/"]}',
    "Home.md": "#start [[A]] [[A|again]] [[Nowhere]] [[S]] [[Home]] ![[picture.png]]",
    "Boats/A.md": "#boat/wood [[B]] [[home]]",
    "Boats/B.md": "#boat [[C]]",
    "Boats/Old/C.md": "[[D]] [[nowhere]]",
    "Boats/D.md": "",
    "Secret/S.md": "[[Home]] [[D]] [[Only here]] #secret",
    f"{MARKUP}.md": "[[<b>not written</b>]]",
    "picture.png": b"",
}


@pytest.fixture
def client(tiny_vault: MakeVault) -> TestClient:
    return visit(tiny_vault(NOTES, index=LEXICAL))


def named(data: dict[str, Any]) -> set[tuple[str, str]]:
    """The edges by name."""
    names, ends = [*data["notes"], *data["missing"]], iter(data["edges"])
    return {(names[source], names[target]) for source, target in zip(ends, ends, strict=True)}


def test_the_whole_vault_has_each_link_once_and_the_most_linked_note_first(client: TestClient) -> None:
    data = client.get("/graph.json").json()
    assert data["notes"] == [
        "Boats/A.md",
        "Boats/B.md",
        "Boats/Old/C.md",
        "Boats/D.md",
        "Home.md",
        f"{MARKUP}.md",
    ]
    assert len(data["edges"]) == 10
    assert named(data) == {
        ("Home.md", "Boats/A.md"),
        ("Boats/A.md", "Home.md"),
        ("Boats/A.md", "Boats/B.md"),
        ("Boats/B.md", "Boats/Old/C.md"),
        ("Boats/Old/C.md", "Boats/D.md"),
    }
    assert data["missing"] == []
    assert data["groups"]["folder"] == [["Boats"], [0, 0, 0, 0, -1, -1], 0]
    assert data["groups"]["tag"] == [["boat", "start"], [0, 0, -1, -1, 1, -1], 0]


def test_names_that_no_file_has_are_drawn_where_asked_for(client: TestClient) -> None:
    data = client.get("/graph.json?missing=1").json()
    assert data["missing"] == ["<b>not written</b>", "Nowhere"]
    assert {edge for edge in named(data) if edge[1] in data["missing"]} == {
        ("Home.md", "Nowhere"),
        ("Boats/Old/C.md", "Nowhere"),
        (f"{MARKUP}.md", "<b>not written</b>"),
    }


@pytest.mark.parametrize(
    ("depth", "notes"),
    [
        ("1", ["Home.md", "Boats/A.md"]),
        ("2", ["Home.md", "Boats/A.md", "Boats/B.md"]),
        ("3", ["Home.md", "Boats/A.md", "Boats/B.md", "Boats/Old/C.md"]),
    ],
)
def test_around_a_note_are_those_so_many_links_away_both_ways(
    client: TestClient, depth: str, notes: list[str]
) -> None:
    assert client.get(f"/graph.json?of=Home.md&depth={depth}").json()["notes"] == notes
    back = client.get(f"/graph.json?of=Boats/D.md&depth={depth}").json()["notes"]
    assert back == ["Boats/D.md", "Boats/Old/C.md", "Boats/B.md", "Boats/A.md"][: int(depth) + 1]


def test_folders_are_told_apart_below_what_all_have_in_common(client: TestClient) -> None:
    data = client.get("/graph.json?of=Boats/D.md&depth=3").json()
    assert data["groups"]["folder"] == [["Boats/Old"], [-1, 0, -1, -1], 0]


@pytest.mark.parametrize("depth", ["0", "4", "-1", "two", "9" * 400])
def test_a_depth_out_of_range_is_refused_in_words(client: TestClient, depth: str) -> None:
    answer = client.get(f"/graph?of=Home.md&depth={depth}")
    assert answer.status_code == 400
    assert "give a number from 1 to 3" in answer.text.lower()


@pytest.mark.parametrize("most", ["0", "-1", "20001", "x", "²", "9" * 400])
def test_a_number_of_notes_out_of_range_is_refused_in_words(client: TestClient, most: str) -> None:
    answer = client.get(f"/graph.json?most={most}")
    assert answer.status_code == 400
    assert "give a number from 1 to 20000" in answer.text.lower()


def test_of_more_notes_the_nearest_or_the_most_linked_are_drawn(client: TestClient) -> None:
    data = client.get("/graph.json?of=Boats/D.md&depth=3&most=2").json()
    assert (data["notes"], data["more"]) == (["Boats/D.md", "Boats/Old/C.md"], 2)
    assert named(data) == {("Boats/Old/C.md", "Boats/D.md")}
    data = client.get("/graph.json?most=4").json()
    assert (data["notes"], data["more"]) == (["Boats/A.md", "Boats/B.md", "Boats/Old/C.md", "Boats/D.md"], 2)


def test_the_list_has_the_same_notes_and_counts(client: TestClient) -> None:
    text = client.get("/graph").text
    assert re.findall(r'<li><a href="(/note/[^"]*)">[^<]*</a> <span class="soft">(\d+)<', text) == [
        ("/note/Boats/A.md", "2"),
        ("/note/Boats/B.md", "2"),
        ("/note/Boats/Old/C.md", "2"),
        ("/note/Boats/D.md", "1"),
        ("/note/Home.md", "1"),
        ("/note/%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E.md", "0"),
    ]
    assert MARKUP not in text
    assert "Around Home" in client.get("/graph?of=Home.md").text


def test_an_excluded_note_leaves_no_trace_in_the_graph(client: TestClient) -> None:
    for address in ("/graph", "/graph.json?missing=1", "/graph.json?of=Boats/D.md&depth=3&missing=1"):
        text = client.get(address).text
        assert "Secret" not in text
        assert "secret" not in text
        assert "Only here" not in text
    there, absent = client.get("/graph?of=Secret/S.md"), client.get("/graph?of=Secret/T.md")
    assert (there.status_code, there.text) == (404, absent.text)


def test_a_note_leads_to_the_graph_around_it(client: TestClient) -> None:
    assert 'href="/graph?of=Boats%2FA.md"' in client.get("/note/Boats/A.md").text


def test_a_vault_without_notes_has_an_empty_graph(tiny_vault: MakeVault) -> None:
    client = visit(tiny_vault({}, index=LEXICAL))
    assert client.get("/graph.json?missing=1").json() == {
        "notes": [],
        "missing": [],
        "edges": [],
        "groups": {"folder": [[], [], 0], "tag": [[], [], 0]},
        "more": 0,
    }
    page = client.get("/graph", headers={"Accept-Language": "fr"}).text
    assert "Chaque note sera ici un point" in page
    assert "sigma" not in page


def test_folders_beyond_those_that_have_a_colour_are_counted(tiny_vault: MakeVault) -> None:
    notes: dict[str, str | bytes] = {f"F{at:02}/{n}.md": "x" for at in range(11) for n in range(11 - at)}
    names, of, others = visit(tiny_vault(notes, index=LEXICAL)).get("/graph.json").json()["groups"]["folder"]
    assert names == [f"F{at:02}" for at in range(8)]
    assert (of.count(-1), others) == (3 + 2 + 1, 3)
