"""Unlinked mentions of a note."""

import re

import pytest
from starlette.testclient import TestClient

from app.tests.conftest import MakeVault
from app.tests.web.visiting import LEXICAL, visit

NOTES: dict[str, str | bytes] = {
    "Boats/Petrel.md": "---\naliases: [the old boat, X]\n---\n# The Petrel\n\nPetrel is itself.\n",
    "Says.md": "first\n\nThe petrel <b>sails</b>.\n\nAnd the old boat again, a Petrel.\n\nPetrel three\n\nPetrel four\n",
    "Part.md": "petrels and stormpetrel\n",
    "Links.md": "The Petrel is [[Petrel]].\n",
    "Elsewhere.md": "To [Petrel](https://example.org) and `Petrel` alone, and [[Other|Petrel]].\n",
    "Accent.md": "---\ntitle: Petrel\n---\nnothing in the text\n",
    "Split.md": "the old\nboat\n",
    "Secret/Hidden.md": "the Petrel of secrets\n",
    "Été.md": "",
    "Summer.md": "En ÉTÉ, il fait beau.\n",
    "Other.md": "",
    ".obsidian/app.json": '{"userIgnoreFilters": ["Secret/"]}',
}


@pytest.fixture
def client(tiny_vault: MakeVault) -> TestClient:
    return visit(tiny_vault(NOTES, index=LEXICAL))


def found(page: str) -> dict[str, list[tuple[str, str]]]:
    items = re.findall(r'<li><a href="[^"]*" title="([^"]*)">[^<]*</a>(.*?)</li>', page, re.DOTALL)
    return {
        path: re.findall(r'<span class="n" aria-hidden="true">(\d+)</span>(.*?)</a>', lines, re.DOTALL)
        for path, lines in items
    }


def test_notes_that_say_its_name_and_do_not_link_are_listed_with_their_lines(client: TestClient) -> None:
    page = client.get("/mentions/Boats/Petrel.md", headers={"HX-Request": "true"}).text
    assert found(page) == {
        "Says.md": [
            ("3", "The petrel sails."),
            ("5", "And the old boat again, a Petrel."),
            ("7", "Petrel three"),
        ]
    }
    assert "and 1 more line<" in page
    assert "ecret" not in page


def test_names_are_compared_without_case_in_every_language(client: TestClient) -> None:
    assert found(client.get("/mentions/%C3%89t%C3%A9.md").text) == {
        "Summer.md": [("1", "En ÉTÉ, il fait beau.")]
    }


def test_none_is_said(client: TestClient) -> None:
    assert "No other note says its name without a link." in client.get("/mentions/Split.md").text


def test_there_is_nothing_of_an_excluded_note(client: TestClient) -> None:
    hidden, none = client.get("/mentions/Secret/Hidden.md"), client.get("/mentions/None.md")
    assert hidden.status_code == none.status_code == 404
    assert "of secrets" not in hidden.text


def test_they_are_bounded(tiny_vault: MakeVault) -> None:
    notes: dict[str, str | bytes] = {f"{n}.md": "about Kiln\n" for n in range(40)}
    page = visit(tiny_vault({**notes, "Kiln.md": ""}, index=LEXICAL)).get("/mentions/Kiln.md").text
    assert len(found(page)) == 30
    assert "There are more; search for its name." in page
