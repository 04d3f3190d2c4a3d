"""A canvas on the page: what is drawn and where, what leads where, and what is left out of a hostile one."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from app.tests.conftest import MakeVault
from app.tests.web.visiting import LEXICAL, visit
from app.web.canvas.content import Arrow, Card, read_canvas
from app.web.canvas.picture import draw, view_box
from app.web.guard import POLICY

Visit = Callable[..., str]
PLACE = {"x": 0, "y": 0, "width": 200, "height": 100}


def canvas(*nodes: dict[str, Any], edges: list[Any] | None = None) -> str:
    return json.dumps({"nodes": [{"id": str(at), **PLACE, **node} for at, node in enumerate(nodes)], "edges": edges or []})  # fmt: skip


@pytest.fixture
def show(tiny_vault: MakeVault) -> Visit:
    """Give the page of ``C.canvas``, with other files around it."""

    def shown(text: str, others: dict[str, str | bytes] | None = None, **headers: str) -> str:
        client = visit(tiny_vault({"C.canvas": text, **(others or {})}, index=LEXICAL))
        answer = client.get("/canvas/C.canvas", headers=headers)
        assert answer.status_code == 200
        return answer.text

    return shown


def inside(page: str) -> list[str]:
    """What each card shows."""
    found = re.findall(r'<div class="inside note"[^>]*>(.*?)</div>\s*</foreignObject>', page, re.DOTALL)
    return [" ".join(each.split()) for each in found]


class Attributes(HTMLParser):
    """The names of all attributes in some HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names += [name for name, _ in attrs]


def message(page: str) -> str:
    found = re.search(r'<p class="message">(.*?)</p>', page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split()) if found else ""


def test_each_kind_of_card_is_drawn_where_it_lies(show: Visit) -> None:
    page = show(
        canvas(
            {"type": "group", "label": "Boat", "x": -50, "y": -50, "width": 900, "height": 400, "color": "4"},
            {"type": "text", "text": "**Mast** and [[Note]]", "color": "#abc"},
            {"type": "file", "file": "sub/Note.md", "subpath": "#Two", "x": 300, "width": 250.5},
            {"type": "link", "url": "https://example.org/?a=1&b=2", "x": 600},
            {"type": "file", "file": "b.png", "x": 900},
        ),
        {"sub/Note.md": "# One\n\nfirst\n\n# Two\n\nsecond", "b.png": b"\x89PNG"},
    )
    assert '<svg viewBox="-110 -110 1270 520"' in page
    assert re.search(r'<g class="card group tone-4">\s*<rect class="ground" rx="14" x="-50" y="-50" width="900" height="400"/>', page)  # fmt: skip
    assert '<g class="card text" color="#abc">' in page
    assert '<foreignObject x="300" y="0" width="250.5" height="100">' in page
    text, note, link, picture = inside(page)
    assert text.startswith('<p><strong>Mast</strong> and <a href="/note/sub/Note.md"')
    assert '<p class="embed-title"><a href="/note/sub/Note.md#h-two" rel="noopener noreferrer nofollow">Note &gt; Two</a>' in note  # fmt: skip
    assert "second" in note
    assert "first" not in note
    assert 'href="https://example.org/?a=1&amp;b=2">https://example.org/?a=1&amp;b=2</a>' in link
    assert '<img src="/file/b.png" alt="b.png">' in picture
    assert " style=" not in page
    # The same without the picture: names, groups and what leads where.
    listed = page.split('<ol class="cards">')[1]
    assert listed.count("<li ") == 4
    assert listed.count('<span class="soft">in Boat</span>') == 3


def test_arrows_run_between_sides_with_their_heads_labels_and_colours(show: Visit) -> None:
    page = show(
        canvas(
            {"type": "text", "text": "from"},
            {"type": "text", "text": "to", "x": 400},
            edges=[
                {"fromNode": "0", "toNode": "1", "fromSide": "bottom", "toSide": "top", "label": "a <b>", "color": "2"},
                {"fromNode": "0", "toNode": "1", "fromEnd": "arrow", "toEnd": "none", "color": "#123456"},
                {"fromNode": "0", "toNode": "gone"},
                "nothing",
            ],
        )
    )  # fmt: skip
    arrows = re.findall(r'<g class="(arrow[^"]*)"( color="[^"]*")?>\s*<path d="M([^ ]*) [^"]*"/>\s*<polygon points="([^ ]*) ', page)  # fmt: skip
    assert arrows == [
        ("arrow tone-2", "", "100,100", "500,0"),
        ("arrow", ' color="#123456"', "214,50", "200,50"),
    ]
    assert "a &lt;b&gt;</text>" in page
    assert message(page) == "Not shown: 2 arrows between cards that are not shown"
    assert re.search(r'href="#card-1">to</a> <span class="soft">a &lt;b&gt;</span>', page)


def test_without_sides_an_arrow_takes_the_nearest() -> None:
    here, below = Card("text", 0, 0, 200, 100, ""), Card("text", 0, 300, 200, 100, "")
    line = draw(Arrow(0, 1, (None, None), (False, True)), [here, below])
    assert line.path == "M100,100 C100,200 100,200 100,286"
    assert line.heads == ("100,300 93,286 107,286",)
    assert (line.x, line.y) == ("100", "198.2")
    assert view_box([here, below]) == "-60 -60 320 520"


def test_what_is_excluded_is_as_if_it_were_not_there(tiny_vault: MakeVault) -> None:
    files: dict[str, str | bytes] = {
        ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
        "private/C.canvas": canvas({"type": "text", "text": "secret"}),
        "private/Diary.md": "secret",
        "private/me.png": b"\x89PNG",
        "A.canvas": canvas(
            {"type": "file", "file": "private/Diary.md"},
            {"type": "file", "file": "private/Gone.md"},
            {"type": "group", "label": "g", "background": "private/me.png"},
            {"type": "text", "text": "![[Diary]] [[private/C.canvas]]"},
        ),
    }
    client = visit(tiny_vault(files, index=LEXICAL))
    hidden, gone = client.get("/canvas/private/C.canvas"), client.get("/canvas/private/D.canvas")
    assert (hidden.status_code, gone.status_code) == (404, 404)
    assert hidden.text == gone.text.replace("D.canvas", "C.canvas")
    assert client.get("/browse/private").status_code == 404
    assert "private" not in client.get("/browse/").text
    page = client.get("/canvas/A.canvas").text
    diary, missing, text = inside(page)
    assert diary.replace("Diary", "Gone") == missing
    assert "secret" not in page
    assert '"/file/private' not in page
    assert '"/canvas/private' not in page
    assert text.count('<span class="missing">') == 2


@pytest.mark.parametrize(
    "path", ["A.md", "list.csv", "../C.canvas", ".obsidian/x.canvas", "C.canvas/", "no.canvas"]
)
def test_nothing_but_a_canvas_of_the_vault_is_one(tiny_vault: MakeVault, path: str) -> None:
    client = visit(tiny_vault({"A.md": "", "list.csv": "", "C.canvas": "", ".obsidian/x.canvas": "{}"}, index=LEXICAL))  # fmt: skip
    assert client.get("/canvas/" + path.replace("..", "%2e%2e")).status_code == 404
    assert client.get("/canvas/C.canvas").status_code == 200


def test_links_and_embeds_of_a_canvas_lead_to_it_and_its_folder_lists_it(tiny_vault: MakeVault) -> None:
    files: dict[str, str | bytes] = {
        "b/My plan.canvas": "{}",
        "N.md": "[[My plan.canvas]] ![[My plan.canvas]]",
    }
    client = visit(tiny_vault(files, index=LEXICAL))
    assert client.get("/note/N.md").text.count('<a href="/canvas/b/My%20plan.canvas"') == 2
    listed = client.get("/browse/b").text
    assert '<li class="canvas"><a href="/canvas/b/My%20plan.canvas">My plan</a> <span class="soft">canvas</span></li>' in listed  # fmt: skip
    assert '<a href="/browse/b">b</a> <span class="soft">1</span>' in client.get("/browse/").text


@pytest.mark.parametrize("text", ["", "  \n", "{}", '{"nodes": []}', '{"nodes": {}, "edges": 3}'])
def test_an_empty_canvas_says_so(show: Visit, text: str) -> None:
    page = show(text)
    assert message(page) == "There is nothing on this canvas yet."
    assert "<svg viewBox" not in page


@pytest.mark.parametrize(
    "text", ["[]", "nothing", '{"nodes": [', "[" * 100_000, '{"a":' * 50_000, "9" * 5000, '"x"', "\x00"]
)
def test_what_is_no_canvas_is_said_in_one_line(show: Visit, text: str) -> None:
    page = show(text)
    assert "This file is no canvas: its text cannot be read as JSON Canvas." in page
    assert "<svg viewBox" not in page


def test_cards_that_lie_nowhere_are_counted_and_the_rest_is_shown(show: Visit) -> None:
    numbers = ("NaN", "Infinity", "1e999", "9" * 400, '"0"', "true", "null", "[]", "2000000")
    odd = [
        f'{{"id":"x","type":"text","text":"odd","x":{number},"y":0,"width":9,"height":9}}'
        for number in numbers
    ]
    odd += ["7", "null", "[]", '{"type":"text"}', '{"type":"film","x":0,"y":0,"width":9,"height":9}']
    odd += ['{"type":["text"],"x":0,"y":0,"width":9,"height":9}']
    good = '{"id":7,"type":"text","text":["no"],"x":1e2,"y":-5,"width":-9,"height":0,"color":"url(#x)"}'
    surrogate = '{"id":"s","type":"text","text":"half \\ud83d of it","x":0,"y":0,"width":90,"height":90}'
    page = show(f'{{"nodes": [{",".join([*odd, good, surrogate])}], "edges": [{{}}, 5]}}')
    assert message(page) == (
        "Not shown: 15 cards without a place or of an unknown kind 2 arrows between cards that are not shown"
    )
    assert [each.removesuffix("</div>") for each in inside(page)] == ["", "<p>half ? of it</p>"]
    assert '<foreignObject x="100" y="-5" width="20" height="20">' in page
    assert "url(#x)" not in page


def test_ten_thousand_cards_and_arrows_in_circles_are_bounded() -> None:
    nodes = [{"id": str(at), "type": "text", "text": "t", **PLACE} for at in range(10_000)]
    edges = [{"fromNode": str(at % 900), "toNode": str((at * 7) % 900)} for at in range(5000)]
    content = read_canvas(json.dumps({"nodes": nodes, "edges": edges}).encode())
    assert (len(content.cards), content.more_cards) == (1000, 9000)
    assert (len(content.arrows), content.more_arrows) == (2000, 3000)


def test_a_card_shows_so_much_and_all_cards_share_one_budget(show: Visit) -> None:
    long = "word " * 20_000
    page = show(
        canvas(
            {"type": "file", "file": "L.md"},
            *({"type": "file", "file": f"{at}.md"} for at in range(70)),
            {"type": "text", "text": long},
        ),
        {"L.md": f"start\n\n{long}\n", **{f"{at}.md": f"note {at}\n" for at in range(70)}},
    )
    first, *notes, text = inside(page)
    assert first.endswith('<p class="soft"><a href="/note/L.md">Go on reading</a></p>')
    assert "word" not in first
    assert sum('class="embed"' in note for note in notes) == 59
    assert '<a href="/note/69.md"' in notes[69]
    assert text.count("word") == 1600
    assert text.endswith('<p class="soft">…</p>')


def test_a_file_that_is_too_large_is_refused_in_one_line(tiny_vault: MakeVault) -> None:
    client = visit(tiny_vault({"C.canvas": " " * 5_000_001}, index=LEXICAL))
    answer = client.get("/canvas/C.canvas")
    assert answer.status_code == 400
    assert "5000000" in answer.text.replace(",", "").replace(" ", "")


def test_nothing_on_a_canvas_acts(show: Visit) -> None:
    page = show(
        canvas(
            {"type": "text", "text": "<script>x</script><img src=x onerror=y> </foreignObject></svg><svg onload=z>"},
            {"type": "text", "text": "<a class='player' href='/play/a.mp3'>p</a> <style>*{}</style> <p style='top:0'>"},
            {"type": "link", "url": "javascript:alert(1)"},
            {"type": "group", "label": "</text><script>x</script>", "background": "https://evil.example/x.png"},
            {"type": "file", "file": "<img src=x onerror=y>"},
        )
    )  # fmt: skip
    board = page.split("<svg ")[1].split("</svg>")[0]
    assert not re.search(r"<(script|style|iframe|form|object)", board)
    found = Attributes()
    found.feed(board)
    assert found.names
    assert not [name for name in found.names if name.startswith("on") or name == "style"]
    assert 'href="javascript' not in page
    assert page.count("<svg ") == page.count("</svg>") == 1
    assert '<image href="' not in board


def test_sounds_and_films_play_in_a_frame_and_pictures_lie_behind_groups(tiny_vault: MakeVault) -> None:
    files: dict[str, str | bytes] = {
        "C.canvas": canvas(
            {"type": "file", "file": "a.mp3"},
            {"type": "file", "file": "f.mp4"},
            {"type": "group", "label": "g", "background": "b.png"},
            {"type": "file", "file": "D.canvas"},
            {"type": "file", "file": "d.pdf", "subpath": "#page=3"},
        ),
        "D.canvas": canvas({"type": "text", "text": "x"}),
        **dict.fromkeys(("a.mp3", "f.mp4", "b.png", "d.pdf"), b"x"),
    }
    client = visit(tiny_vault(files, index=LEXICAL))
    answer = client.get("/canvas/C.canvas")
    assert re.findall(r'<iframe class="([^"]*)" src="([^"]*)"', answer.text) == [
        ("player", "/play/a.mp3"),
        ("player player-video", "/play/f.mp4"),
    ]
    assert '<image href="/file/b.png"' in answer.text
    assert '<a href="/canvas/D.canvas"' in answer.text
    assert '<a href="/file/d.pdf#page=3"' in answer.text
    assert answer.headers["content-security-policy"] == f"{POLICY}; frame-src 'self'"
    assert client.get("/canvas/D.canvas").headers["content-security-policy"] == POLICY


def test_a_base_on_a_canvas_is_a_table(show: Visit) -> None:
    page = show(
        canvas({"type": "file", "file": "L.base", "subpath": "#Two"}, {"type": "text", "text": "```base\nfilters: x\n```"}),
        {"L.base": "views: [{name: One}, {name: Two, order: [file.ext], filters: file.ext == 'md'}]", "N.md": ""},
    )  # fmt: skip
    table, none = inside(page)
    assert '<a href="/base/L.base?view=Two"' in table
    assert "<td>md</td>" in table
    assert "No file meets the conditions of this view." in none


def test_footnotes_of_two_cards_are_told_apart(show: Visit) -> None:
    page = show(canvas({"type": "text", "text": "a[^1]\n\n[^1]: one"}, {"type": "text", "text": "b[^1]\n\n[^1]: two"}))  # fmt: skip
    names = re.findall(r' id="(fn[^"]*)"', page)
    assert len(names) == len(set(names)) == 4
    assert set(re.findall(r'href="#(fn[^"]*)"', page)) == set(names)


def test_a_canvas_speaks_french(show: Visit) -> None:
    page = show(canvas({"type": "text", "text": ""}, {}), **{"Accept-Language": "fr"})
    assert message(page) == "Non montrées : 1 carte sans place ou d'un genre inconnu"
    assert "Carte vide" in page
