"""The notes around one: which they are, where they stand, and what stays hidden."""

import re

from starlette.testclient import TestClient

from app.tests.conftest import MakeVault
from app.tests.web.conftest import LEXICAL, visit

MARKUP = "<img src=x onerror=alert(1)>"
NOTES: dict[str, str | bytes] = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["Secret/"]}',
    "Home.md": f"[[A]] [[A|again]] [[Nowhere]] [[S]] [[Home]] ![[picture.png]] [[{MARKUP}]]",
    "Boats/A.md": "[[B]] [[home]]",
    "Boats/B.md": "[[C]] [[Home]]",
    "Boats/Old/C.md": "x",
    "Secret/S.md": "[[Home]] [[Only here]]",
    f"{MARKUP}.md": "",
    "picture.png": b"",
}


def drawn(page: str) -> list[tuple[str, str, str]]:
    """The address, the kind and the angle of each note in the picture."""
    return re.findall(r'<a href="([^"]*)" class="(\w+)" transform="rotate\(([\d.]+)\)">', page)


def test_the_notes_around_one_stand_in_a_circle_and_in_a_list(client: TestClient) -> None:
    page = client.get("/around/Home.md").text
    assert drawn(page) == [
        ("/note/Boats/A.md", "both", "270.0"),
        ("/note/%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E.md", "to", "30.0"),
        ("/note/Boats/B.md", "from", "150.0"),
    ]
    assert re.findall(r'<text [^>]*class="left" transform="([^"]*)">(\w+)<', page) == [
        ("rotate(-150.0 132 0)", "B")
    ]
    assert re.findall(r"· ([\w ]+)</span></li>", page) == [
        "links both ways",
        "is linked from here",
        "links here",
    ]
    assert MARKUP not in page
    assert "Autour de Home" in client.get("/around/Home.md", headers={"Accept-Language": "fr"}).text


def test_of_many_notes_some_are_drawn_and_the_others_counted(tiny_vault: MakeVault) -> None:
    notes: dict[str, str | bytes] = {f"{n:03}.md": "[[Hub]]" for n in range(100)}
    page = visit(tiny_vault({"Hub.md": "[[099]]", **notes}, index=LEXICAL)).get("/around/Hub.md").text
    found = drawn(page)
    assert len(found) == 40
    assert [url for url, *_ in found[:2]] == ["/note/099.md", "/note/000.md"]
    assert "and 60 more notes" in page
    # Names on the right point away from the middle, those on the left towards it.
    assert page.count('transform="rotate(0 132 0)"') == 21
    assert page.count('class="left" transform="rotate(180 132 0)"') == 19
