"""What is shown of a note to whoever points at a link to it: a few blocks, which lie still."""

import re

import pytest
from starlette.testclient import TestClient

from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.web.visiting import BASE, LEXICAL, visit
from app.web.app import build_app

LONG_LIST = "\n".join(f"{number}. item {number}" for number in range(1, 41))
ROWS = "\n".join(f"| r{number} | {number} |" for number in range(1, 31))
NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Work/Boat.md": (
        "---\ntags: [wood]\nkey: <b>\n---\n# Boat\n\nThe **larch** came late, see [[Kiln]].\n\n"
        "## Costs\n\nEuros.\n\n### Copper\n\nRivets.\n\n## Costs\n\nAgain.\n\nNamed. ^named\n"
    ),
    "Lists.md": f"{LONG_LIST}\n\n- outer\n  - inner one\n  - inner two\n",
    "Table.md": f"| a | b |\n|---|--:|\n{ROWS}\n",
    "Code.md": "```python\n" + "\n".join(f"line_{number} = {number}" for number in range(40)) + "\n```\n",
    "Callout.md": "> [!warning]- Folded\n> hidden\n> more\n",
    "Embeds.md": "![[Kiln]]\n\n![[private/Secret]]\n\n![[tone.wav]]\n\n![[private/Secret.png]]\n",
    "Kiln.md": "Dries wood. $x^2$\n",
    "Huge.md": "x" * 300_000,
    "Many.md": "\n\n".join(f"Paragraph {number} " + "word " * 60 for number in range(200)),
    "Maths.md": "\n\n".join("$\\frac{a}{b} + \\sqrt{" + "x+" * 200 + "x}$" for _ in range(9)),
    "Empty.md": "",
    "<b>odd & long" + "é" * 100 + ".md": "x",
    "private/Secret.md": "the secret word is zyzzyva",
}


@pytest.fixture
def client(tiny_vault: MakeVault) -> TestClient:
    vault = tiny_vault(NOTES, index=LEXICAL)
    searcher_for(vault).update()
    return visit(vault)


def shown(client: TestClient, address: str) -> str:
    answer = client.get(f"/preview/{address}")
    assert answer.status_code == 200
    return answer.text


def text_of(html: str) -> str:
    """Return what the lines of a preview say."""
    inside = (
        html.partition('<div class="note')[2].partition(">")[2].partition('</div>\n<p class="preview-foot')[0]
    )
    return " ".join(re.sub(r"<[^>]+>", " ", inside).split())


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("Work/Boat.md", "The larch came late, see Kiln . Costs Euros. Copper Rivets. Costs Again. Named."),
        ("Work/Boat.md?lines=7", "The larch came late, see Kiln ."),
        ("Work/Boat.md?lines=2-3", "tags #wood key &lt;b&gt;"),
        ("Work/Boat.md?at=h-costs", "Costs Euros. Copper Rivets."),
        ("Work/Boat.md?at=h-costs-2", "Costs Again. Named."),
        ("Work/Boat.md?at=b-named", "Named."),
        ("Lists.md?lines=17-18", "item 17 item 18"),
        ("Lists.md?lines=44", "outer inner two"),
        ("Table.md?lines=12", "a b r10 10"),
        ("Code.md?lines=5-6", "line_3 = 3 line_4 = 4"),
        ("Callout.md?lines=2", "Folded hidden more"),
        ("Kiln.md?lines=1", "Dries wood. x 2"),
        ("Empty.md", "This note has no text."),
    ],
)
def test_the_blocks_that_stand_on_the_lines_are_shown(client: TestClient, address: str, said: str) -> None:
    assert text_of(shown(client, address)) == said


def test_a_list_goes_on_counting_where_it_is_shown(client: TestClient) -> None:
    assert '<ol start="17">' in shown(client, "Lists.md?lines=17-18")


def test_it_says_which_note_and_which_lines(client: TestClient) -> None:
    html = shown(client, "Work/Boat.md?lines=7-9")
    assert '<p class="preview-title"><a data-open tabindex="-1">Boat</a></p>' in html
    assert '<p class="preview-where">Work · lines 7-9</p>' in html


def test_lines_that_are_gone_are_said_to_be(client: TestClient) -> None:
    html = shown(client, "Work/Boat.md?lines=90-91")
    assert "This note has 21 lines now: line 90-91, which was cited, is not there any more." in html
    assert "The <strong>larch</strong> came late" in html


def test_there_is_nothing_in_it_to_follow_open_or_jump_to(client: TestClient) -> None:
    for name in (*NOTES, "Work/Boat.md?lines=2"):
        if not name.partition("?")[0].endswith(".md") or name.startswith("private"):
            continue
        html = shown(client, name.replace("<", "%3C").replace("&", "%26"))
        note = html.partition('<div class="note')[2].partition("preview-foot")[0]
        assert (
            re.findall(r"<(?:a|details|summary|iframe|form|button|input)\b| (?:id|href|style|on\w+)=", note)
            == []
        )


@pytest.mark.parametrize(
    "name", ["Huge.md", "Many.md", "Maths.md", "Many.md?lines=51-399", "Table.md", "Embeds.md"]
)
def test_it_is_small(client: TestClient, name: str) -> None:
    answer = client.get(f"/preview/{name}")
    assert 300 < len(answer.content) <= 8192
    assert len(text_of(answer.text)) > 20


def test_nothing_of_an_excluded_note_is_shown(client: TestClient) -> None:
    missing = client.get("/preview/nowhere.md")
    for address in ("private/Secret.md", "private/Secret.md?lines=1", "private/Secret.md?at=h-x"):
        answer = client.get(f"/preview/{address}")
        assert (answer.status_code, answer.text) == (404, missing.text.replace("nowhere", "private/Secret"))
    embeds = shown(client, "Embeds.md")
    assert "Dries wood." in embeds
    assert "zyzzyva" not in embeds
    assert "/file/private" not in embeds


@pytest.mark.parametrize(
    "name", ["../outside.md", "%2e%2e/outside.md", ".obsidian/app.json", "Work", "Work/Boat"]
)
def test_what_is_no_note_is_not_shown(client: TestClient, name: str) -> None:
    assert client.get(f"/preview/{name}").status_code in (400, 404)


def test_who_has_not_come_in_sees_nothing(tiny_vault: MakeVault) -> None:
    stranger = TestClient(build_app(tiny_vault(NOTES)), base_url=BASE)
    answer = stranger.get("/preview/Work/Boat.md")
    assert answer.status_code == 401
    assert "larch" not in answer.text


def test_what_a_page_has_already_is_not_sent_again_and_is_kept_nowhere_else(client: TestClient) -> None:
    first = client.get("/preview/Work/Boat.md?lines=7")
    assert first.headers["cache-control"] == "no-store"
    again = client.get("/preview/Work/Boat.md?lines=7", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/preview/Work/Boat.md?lines=9", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200


def test_lines_that_are_not_understood_are_refused(client: TestClient) -> None:
    assert client.get("/preview/Work/Boat.md?lines=x").status_code == 400
