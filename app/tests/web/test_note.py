"""A note on the page: as Obsidian shows it, linked both ways, and harmless whatever it holds."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.tests.conftest import MakeVault
from app.tests.web.conftest import LEXICAL, visit

Visit = Any


@pytest.fixture
def show(tiny_vault: MakeVault) -> Visit:
    """Give the rendered text of the note ``N.md``, with other notes around it."""

    def shown(text: str, others: dict[str, str | bytes] | None = None, query: str = "") -> str:
        client = visit(tiny_vault({"N.md": text, **(others or {})}, index=LEXICAL))
        answer = client.get(f"/note/N.md{query}")
        assert answer.status_code == 200
        return article(answer.text)

    return shown


def article(page: str) -> str:
    return page.split('<div class="note">')[1].split("</article>")[0].rsplit("</div>", 1)[0].strip()


def test_wikilinks_lead_to_notes_headings_blocks_and_nowhere(show: Visit) -> None:
    html = show(
        "[[Other]] [[Other#The *second* part|there]] [[Other#^b1]] [[#Here]] [[nowhere|gone]]",
        {"Folder/Other.md": "# The *second* part\n\na line ^b1\n"},
    )
    assert re.findall(r'<a href="([^"]*)"[^>]*>(.*?)</a>', html) == [
        ("/note/Folder/Other.md", "Other"),
        ("/note/Folder/Other.md#h-the-second-part", "there"),
        ("/note/Folder/Other.md#b-b1", "Other &gt; ^b1"),
        ("#h-here", "#Here".strip("#")),
    ]
    assert '<span class="missing">gone</span>' in html


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("![[b.png|30x20]]", '<img src="/file/b.png" alt="b.png" width="30" height="20">'),
        ("![a boat|40](b.png)", '<img src="/file/b.png" alt="a boat" width="40">'),
        ("![far](https://example.org/x.png)", '<a class="outside" href="https://example.org/x.png"'),
        ("![[gone.png|100]]", '<span class="missing">gone.png</span>'),
        ("[a](Some%20note.md#Two)", '<a href="/note/Some%20note.md#h-two"'),
        ("[d](no.md)", '<a class="missing" rel="noopener noreferrer nofollow">d</a>'),
        ("> [!warning] Mind *this*\n> text", '<p class="callout-title">Mind <em>this</em></p>'),
        ("> [!tip]- Folded\n> x", '<details class="callout callout-tip">'),
        ("- [/] begun", '<span class="box" role="img" aria-label="in progress">/</span>'),
        ("```python\nx = '<b>'\n```", "<span class=\"tok-s1\">'&lt;b&gt;'</span>"),
        ("|a|\n|-:|\n|3|", '<td class="right">3</td>'),
        ("a\nb", "a<br>\nb"),
        ("$\\foo{$", '<code class="formula">\\foo{</code>'),
    ],
)
def test_markdown_is_shown_as_obsidian_shows_it(show: Visit, text: str, wanted: str) -> None:
    assert wanted in show(text, {"b.png": b"x", "Some note.md": ""})


def test_headings_and_blocks_are_where_the_links_lead(show: Visit) -> None:
    html = show("# The *second* part\n\na line ^b1\n\n- an item ^it\n\n# Part\n# Part\n")
    assert '<h1 id="h-the-second-part">' in html
    assert '<p id="b-b1">a line</p>' in html
    assert '<li id="b-it">an item</li>' in html
    assert re.findall(r'<h1 id="(h-part[^"]*)"', html) == ["h-part", "h-part-2"]


def test_an_embedded_note_section_or_block_stands_in_its_place(show: Visit) -> None:
    others: dict[str, str | bytes] = {
        "O.md": "---\nx: 1\n---\n# One\n\nfirst\n\n# Two\n\nsecond ^b\n\nthird\n"
    }
    whole = show("before\n\n![[O]]\n\nafter", others)
    assert whole.index("before") < whole.index("first") < whole.index("third") < whole.index("after")
    assert "x: 1" not in whole
    assert '<div class="embed"><p class="embed-title"><a href="/note/O.md"' in whole
    section = show("![[O#Two]]", others)
    assert "first" not in section
    assert "second" in section
    assert "third" in section
    block = show("![[O#^b]]", others)
    assert "second" in block
    assert "third" not in block
    assert '<p class="embed-missing">' in show("![[O#No such part]]", others)


def test_notes_within_each_other_end_in_a_link(show: Visit) -> None:
    html = show("start\n\n![[O]]", {"O.md": "other\n\n![[N]]\n\n![[O]]"})
    assert html.count("start") == 1
    assert html.count('class="embed"') == 1
    assert '<a href="/note/N.md" rel="noopener noreferrer nofollow">N</a>' in html


def test_embeds_are_bounded(show: Visit) -> None:
    others: dict[str, str | bytes] = {
        f"{n}.md": "\n\n".join(f"![[{m}]]" for m in range(12)) for n in range(12)
    }
    html = show("![[0]]", others)
    assert html.count('class="embed"') == 30


def test_tags_marks_comments_and_formulas(show: Visit) -> None:
    html = show("#a/b and x#no, ==**m**== %%hidden%% $a_1*b*$ `#code`\n\n%%\nall\n\nhidden\n%%\n\nend\n")
    assert '<a class="tag" href="/?tag=a%2Fb" rel="noopener noreferrer nofollow">#a/b</a> and x#no' in html
    assert "<mark><strong>m</strong></mark>" in html
    assert "hidden" not in html
    assert (
        '<span class="formula" title="a_1*b*"><math display="inline"><mrow><msub><mi>a</mi><mn>1</mn></msub>'
        in html
    )
    assert "<code>#code</code>" in html
    assert "<p>end</p>" in html


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "a `<script>` and <script> b\n\nc",
            ["<p>a <code>&lt;script&gt;</code> and &lt;script&gt; b</p>", "<p>c</p>"],
        ),
        ("see <style> and <template> here\n\nc", ["see &lt;style&gt; and &lt;template&gt; here", "<p>c</p>"]),
        ("List<String> and Map<K, V>\n\nc", ["List&lt;String&gt; and Map&lt;K, V&gt;", "<p>c</p>"]),
        ("<script>\nwas never closed\n\nc", ["&lt;script&gt;<br>\nwas never closed", "c</p>"]),
        ("a\n\n<!-- open\n\nc", ["<p>a</p>", "&lt;!-- open", "c"]),
        ("<b>open\n\nc", ["<b>open</b>", "<p>c</p>"]),
        ("a\n\n</div></article>\n\nc", ["<p>a</p>", "<p>c</p>"]),
        ("![[O]]\n\nc", ["<p>in O <textarea> x".replace("<textarea>", "&lt;textarea&gt;"), "<p>c</p>"]),
    ],
)
def test_no_html_hides_what_stands_after_it(show: Visit, text: str, wanted: list[str]) -> None:
    html = show(text, {"O.md": "in O <textarea> x"})
    assert all(part in html for part in wanted), html


def test_footnotes_lead_down_and_back(show: Visit) -> None:
    html = show(
        "One[^a], two^[said *here*].\n\n[^a]: The first.\n\n![[O]]", {"O.md": "Of O[^1].\n\n[^1]: Its own.\n"}
    )
    marks = re.findall(r'<sup class="footnote-ref"><a href="#([^"]*)" id="([^"]*)"', html)
    assert marks == [("fn1", "fnref1"), ("fn2", "fnref2"), ("fn-29-1", "fnref-29-1")]
    assert all(f'<li id="{note}" class="footnote-item">' in html for note, _ in marks)
    assert all(f'<a href="#{mark}" class="footnote-backref"' in html for _, mark in marks)
    assert "said <em>here</em>" in html


def test_sounds_and_films_are_played_in_a_frame_of_ours(tiny_vault: MakeVault) -> None:
    files: dict[str, str | bytes] = {"N.md": "![[a b.mp3]] ![[f.MP4]] ![[d.pdf#page=3]]", "a b.mp3": b"0123456789", "f.MP4": b"f", "d.pdf": b"%PDF", "P.md": "no frame"}  # fmt: skip
    client = visit(tiny_vault(files, index=LEXICAL))
    answer = client.get("/note/N.md")
    assert re.findall(r"<iframe [^>]*>", answer.text) == [
        '<iframe class="player" src="/play/a%20b.mp3" title="a b.mp3">',
        '<iframe class="player player-video" src="/play/f.MP4" title="f.MP4">',
    ]
    assert '<a href="/file/d.pdf#page=3"' in answer.text
    assert answer.headers["content-security-policy"].endswith("; frame-src 'self'")
    assert "frame-src" not in client.get("/note/P.md").headers["content-security-policy"]
    player = client.get("/play/a%20b.mp3")
    assert '<audio controls preload="metadata" src="/file/a%20b.mp3">' in player.text
    assert "script-src" not in player.headers["content-security-policy"]
    assert "sandbox allow-same-origin" in player.headers["content-security-policy"]
    assert player.headers["x-frame-options"] == "SAMEORIGIN"
    assert client.get("/play/d.pdf").status_code == 404
    part = client.get("/file/a%20b.mp3", headers={"Range": "bytes=2-4"})
    assert (part.status_code, part.content, part.headers["content-range"]) == (206, b"234", "bytes 2-4/10")
    assert client.get("/file/a%20b.mp3", headers={"Range": "bytes=-3"}).content == b"789"
    assert client.get("/file/a%20b.mp3", headers={"Range": "bytes=20-"}).status_code == 416


def test_a_page_has_so_many_frames_and_none_that_a_note_writes(tiny_vault: MakeVault) -> None:
    written = "".join(
        f'<a class="player" href="/play/{path}">x</a>' for path in ("../x", "%2e%2E/x", "a/../x", ".x")
    )
    notes: dict[str, str | bytes] = {
        "N.md": "![[f.mp4]] " * 100,
        "M.md": f"<div>{written}</div>",
        "f.mp4": b"f",
    }
    client = visit(tiny_vault(notes, index=LEXICAL))
    page = client.get("/note/N.md").text
    assert (page.count("<iframe "), page.count('href="/file/f.mp4"')) == (30, 70)
    bad = client.get("/note/M.md")
    assert "<iframe" not in bad.text
    assert "frame-src" not in bad.headers["content-security-policy"]


def test_lines_are_marked_and_jumped_to(show: Visit) -> None:
    text = "---\na: 1\n---\n# One\n\nfirst\nsecond\n\n- item\n- other\n\n```\ncode\n```\n"
    html = show(text, query="?lines=7")
    assert '<p class="cited"><span id="cited"></span>first<br>\nsecond</p>' in html
    assert html.count("cited") == 2
    html = show(text, query="?lines=4-10")
    assert '<h1 class="cited" id="h-one"><span id="cited"></span>One</h1>' in html
    assert html.count('class="cited"') == 4
    assert html.count('id="cited"') == 1
    assert '<code class="cited" id="cited">code' in show(text, query="?lines=13")


def test_a_note_too_long_for_one_page_is_read_on(tiny_vault: MakeVault) -> None:
    text = "".join(f"line {number} {'x' * 80}\n\n" for number in range(1, 3001))
    client = visit(tiny_vault({"N.md": text}, index=LEXICAL))
    first = client.get("/note/N.md").text
    following = int(re.findall(r"/note/N.md\?from=(\d+)", first)[0])
    shown = following // 2
    assert f"line {shown} x" in first
    assert f"line {shown + 1} x" not in first
    assert f"line {shown + 1} x" in client.get(f"/note/N.md?from={following}").text
    cited = article(client.get("/note/N.md?lines=5001").text)
    assert '<span id="cited"></span>line 2501 ' in cited
    assert "line 2490 " not in cited


@pytest.mark.parametrize("query", ["?lines=x", "?from=99", "?from=0", "?from=abc"])
def test_lines_that_are_not_there_are_an_error_that_says_so(tiny_vault: MakeVault, query: str) -> None:
    answer = visit(tiny_vault({"N.md": "one line"}, index=LEXICAL)).get("/note/N.md" + query)
    assert answer.status_code == 400
    assert "&#39;lines&#39; is" in answer.text


@pytest.fixture
def linked(tiny_vault: MakeVault) -> TestClient:
    notes: dict[str, str | bytes] = {
        "A.md": "# First\n\n## Under\n\n[[B]]\n",
        "Z.md": "nothing\n\nto [[A]] and [[A#Under]]\n\n<b>[[A]]</b>\n",
    }
    return visit(tiny_vault(notes, index=LEXICAL))


def test_backlinks_come_with_their_lines(linked: TestClient) -> None:
    text = linked.get("/note/A.md").text.split("Linked from 1 note<")[1]
    assert '<a href="/note/Z.md" title="Z.md">Z</a>' in text
    lines = re.findall(
        r'<a class="line-quoted" href="([^"]*)"><span class="n" aria-hidden="true">(\d+)</span>(.*?)</a>',
        text,
    )
    assert lines == [
        ("/note/Z.md?lines=3#cited", "3", "to A and A#Under"),
        ("/note/Z.md?lines=5#cited", "5", "A"),
    ]


HOSTILE = {
    "script": "<script>alert(1)</script>",
    "script in a list": "- <script>alert(1)</script>",
    "handler": '<img src="/file/x.png" onerror="alert(1)"> <b onclick=alert(1)>b</b>',
    "address": '[a](javascript:alert(1)) <a href="javascript:alert(1)">b</a> <a href="JaVaScRiPt&#58;alert(1)">c</a>',
    "data address": '[a](data:text/html;base64,PHNjcmlwdD4=) <a href="data:text/html,x">b</a>',
    "svg": '<svg onload="alert(1)"><script>alert(1)</script><a xlink:href="javascript:alert(1)">x</a></svg>',
    "math": '<math><mtext><style><img src onerror="alert(1)"></style></mtext></math>',
    "frame": '<iframe src="https://evil.example"></iframe><object data="x"></object><embed src="x">',
    "form": '<form action="/ask/turns" method="post"><input name="question"><button>go</button></form>',
    "style": '<style>body{display:none}</style><p style="position:fixed">x</p>',
    "base": '<base href="https://evil.example"><meta http-equiv="refresh" content="0"><link rel="stylesheet" href="x">',
    "htmx": '<div hx-get="/x" hx-trigger="load" data-hx-post="/y" data-copy="z">x</div>',
    "foreign picture": '<img src="https://evil.example/x.png"> <img srcset="https://evil.example/y.png">',
    "names": '<p id="q">x</p><p id="search" class="top chips" name="mode">y</p>',
    "callout": '> [!x"><script>alert(1)</script>] <img src=x onerror=alert(1)>',
    "wikilink": '[[N|<img src=x onerror=alert(1)>]] [["><script>alert(1)</script>]] ![[N#"><script>alert(1)</script>]]',
    "tag": "#a<script>alert(1)</script>",
    "box": "- [<] <script>alert(1)</script>",
    "fence": '```"><script>alert(1)</script>\n<script>alert(2)</script>\n```',
    "comment": "<!-- --><script>alert(1)</script><!-- -->",
    "formula": "$\\href{javascript:alert(1)}{x}$",
    "unclosed": '<div title="x <script>alert(1)</script>',
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_note_shows_and_does_nothing(show: Visit, text: str) -> None:
    html = show(text, query="?lines=1")
    tags = re.findall(r"<[^>]*>", html)
    allowed = (
        r"</?(p|h1|ul|li|div|blockquote|b|em|a|img|span|code|pre|details|summary|br|math|m(i|n|o|row|text))\b"
    )
    assert all(re.match(allowed, tag) for tag in tags), tags
    for tag in tags:
        assert not re.search(r"\s(on\w+|style|hx-|data-|srcset|name)", tag), tag
        assert not re.search(r"=\"\s*(javascript|data|vbscript):", tag, re.IGNORECASE), tag
        assert "evil.example" not in tag
        assert not re.search(r'id="(?!h-|b-|cited")', tag), tag
        assert not re.search(r'class="[^"]*\b(top|chips)\b', tag), tag
