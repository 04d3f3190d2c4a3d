"""A note on the page: as Obsidian shows it, linked both ways, and harmless whatever it holds."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.markdown.parse import parse_note
from app.tests.conftest import MakeVault
from app.tests.measuring import LEAST_SECONDS, LEAST_TURNS, MOST_CALLS, calls_of, seconds_of
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


# What Obsidian shows


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
    "written",
    [
        *(
            "[[Tom & Jerry]]",
            "[[ tom & jerry.md#h|x]]",
            "| [[Tom & Jerry\\|x]] |\n|---|\n",
            "[t](Tom%20&%20Jerry.md)",
        ),
        *("[t](Tom%20&amp;%20Jerry.md)", "[t](<Tom &#38; Jerry>)", "[t](Tom&#32;&amp;&#x20;Jerry.md&#35;h)"),
        *("[t](T%6Fm%20\\&%20Jerry\\.md\\#h 't')", "[a [b]](\n./Tom%20&%20Jerry.md\n(t))"),
        *(
            "[t][k]\n\n[k]: Tom%20&%20Jerry.md",
            "[k]\n\n> [K]:\n> <Tom & Jerry>\n> 't'",
            "[k][]\n\n- [k]:Tom%20&amp;%20Jerry",
        ),
        *("---\nup: '[[Tom & Jerry|it''s]]'\n---\n", '---\nup:\n- "[t](Tom%20\\x26%20Jerry.md)"\n---\n'),
        *(
            "---\nup: >-\n  [t](<Tom & Jerry>)\n---\n",
            "[t](/Tom%20%26%20Jerry)",
            "%% x %% ==[t](Tom%20&%20Jerry)==",
        ),
    ],
)
def test_every_spelling_of_a_link_that_the_page_opens_is_counted(tiny_vault: MakeVault, written: str) -> None:
    vault = tiny_vault({"N.md": written, "Tom & Jerry.md": "# h\n"}, index=LEXICAL)
    client = visit(vault)
    assert (
        len(re.findall(r'<a href="/note/Tom%20%26%20Jerry.md(?:#h-h)?"', client.get("/note/N.md").text)) == 1
    )
    assert "Linked from 1 note<" in client.get("/note/Tom%20%26%20Jerry.md").text
    assert len(parse_note(vault.read("N").text).links) == 1


def test_a_picture_that_is_not_there_is_named_and_not_measured(show: Visit) -> None:
    html = show("one ![[gone.png|100]] two ![[lost.png|a boat|100x50]]")
    assert re.findall(r'<span class="missing">(.*?)</span>', html) == ["gone.png", "a boat"]


def test_headings_and_blocks_are_where_the_links_lead(show: Visit) -> None:
    html = show("# The *second* part\n\na line ^b1\n\n- an item ^it\n\n# Part\n# Part\n")
    assert '<h1 id="h-the-second-part">' in html
    assert '<p id="b-b1">a line</p>' in html
    assert '<li id="b-it">an item</li>' in html
    assert re.findall(r'<h1 id="(h-part[^"]*)"', html) == ["h-part", "h-part-2"]


def test_markdown_links_into_the_vault_lead_there_too(show: Visit) -> None:
    html = show(
        "[a](Some%20note.md#Two) [b](<Some note>) [c](https://example.org) [d](no.md)", {"Some note.md": ""}
    )
    assert '<a href="/note/Some%20note.md#h-two"' in html
    assert '<a href="/note/Some%20note.md" rel' in html
    assert '<a href="https://example.org" class="outside" rel="noopener noreferrer nofollow">c</a>' in html
    assert '<a class="missing" rel="noopener noreferrer nofollow">d</a>' in html


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


def test_pictures_are_shown_in_the_size_that_is_asked_for(show: Visit) -> None:
    html = show(
        "![[b.png|300]] ![[b.png|30x20]] ![alt](b.png) ![far](https://example.org/x.png)", {"b.png": b"x"}
    )
    assert '<img src="/file/b.png" alt="b.png" width="300">' in html
    assert '<img src="/file/b.png" alt="b.png" width="30" height="20">' in html
    assert '<img src="/file/b.png" alt="alt">' in html
    sized = show("![[b.png|a boat|30x20]] ![a boat|40](b.png)", {"b.png": b"x"})
    assert '<img src="/file/b.png" alt="a boat" width="30" height="20">' in sized
    assert '<img src="/file/b.png" alt="a boat" width="40">' in sized
    # Nothing is loaded from elsewhere: it is a link.
    assert '<a class="outside" href="https://example.org/x.png"' in html
    assert html.count("<img") == 3


def test_callouts_open_and_closed(show: Visit) -> None:
    html = show(
        "> [!warning] Mind *this*\n> text\n\n> [!tip]- Folded\n> - inside\n\n> [!note]\n\n> no callout\n"
    )
    assert (
        '<div class="callout callout-warning">\n<p class="callout-title">Mind <em>this</em></p>\n<p>text</p>'
        in html
    )
    assert re.search(
        r'<details class="callout callout-tip">\s*<summary class="callout-title">Folded</summary>\s*<ul>',
        html,
    )
    assert '<p class="callout-title">Note</p>' in html
    assert "<blockquote>\n<p>no callout</p>\n</blockquote>" in html


def test_tasks_have_boxes(show: Visit) -> None:
    html = show("- [ ] open\n- [x] done\n- [/] begun\n- [?] odd\n- [link](N.md)\n")
    boxes = re.findall(
        r'<li class="([^"]*)"><span class="box" role="img" aria-label="([^"]*)">([^<]*)</span>', html
    )
    assert boxes == [
        ("task", "to do", ""),
        ("task done", "done", "✓"),
        ("task", "in progress", "/"),
        ("task", "?", "?"),
    ]


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


def test_a_line_ends_where_it_ends(show: Visit) -> None:
    text = "status: open\nprio: high  \nlast\n"
    assert "status: open<br>\nprio: high<br>\nlast" in show(text)
    assert "status: open\nprio: high<br>\nlast" in show(
        text, {".obsidian/app.json": '{"strictLineBreaks": true}'}
    )


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


def test_an_element_around_markdown_stays_around_it(show: Visit) -> None:
    html = show("<details><summary>More</summary>\n\n**inside**\n\n</details>\n\nafter")
    inside, after = html.split("</details>")
    assert inside.startswith("<details><summary>More</summary>")
    assert "<p><strong>inside</strong></p>" in inside
    assert after.strip() == "<p>after</p>"


def test_footnotes_lead_down_and_back(show: Visit) -> None:
    html = show(
        "One[^a], two^[said *here*].\n\n[^a]: The first.\n\n![[O]]", {"O.md": "Of O[^1].\n\n[^1]: Its own.\n"}
    )
    marks = re.findall(r'<sup class="footnote-ref"><a href="#([^"]*)" id="([^"]*)"', html)
    assert marks == [("fn1", "fnref1"), ("fn2", "fnref2"), ("fn-29-1", "fnref-29-1")]
    assert all(f'<li id="{note}" class="footnote-item">' in html for note, _ in marks)
    assert all(f'<a href="#{mark}" class="footnote-backref"' in html for _, mark in marks)
    assert "said <em>here</em>" in html


def test_limits_stand_below_their_word_and_lines_span_what_they_are_over(show: Visit) -> None:
    html = show(
        "$$\n\\lim_{x \\to 0} \\overline{abc} + \\max_i \\underline{de}\n$$\n\nand $\\lim_{x} \\bar{y}$"
    )
    apart, inside = html.split("and ")
    assert re.search(r"<munder><m[io]>lim</m[io]><mrow><mi>x</mi>", apart)
    assert re.search(r"<munder><m[io]>max</m[io]><m(row|i)>", apart)
    assert '<mrow class="over"><mrow><mi>a</mi><mi>b</mi><mi>c</mi></mrow></mrow>' in apart
    assert '<mrow class="under"><mrow><mi>d</mi><mi>e</mi></mrow></mrow>' in apart
    assert "―" not in html.replace("title=", "")
    # In a line of text there is no room below.
    assert re.search(r"<msub><m[io]>lim</m[io]>", inside)


def test_formulas_are_drawn_and_those_not_understood_stay_as_written(show: Visit) -> None:
    html = show("$$\n\\frac{a}{b}\n$$\n\nand $\\foo{$ and $\\href{javascript:alert(1)}{x}$")
    assert '<span class="formula shown-apart"' in html
    assert (
        '<math display="block"><mrow><mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac></mrow></math>'
        in html
    )
    assert '<code class="formula">\\foo{</code>' in html
    assert not re.search(r"<[^>]*href=\"javascript", html)


def test_code_has_colours_where_its_language_is_known(show: Visit) -> None:
    html = show("```python\ndef f(): return '<b>'\n```\n\n```nothing\n<b>\n```\n")
    assert '<code class="language-python"><span class="tok-k">def</span>' in html
    assert "<span class=\"tok-s1\">'&lt;b&gt;'</span>" in html
    assert '<code class="language-nothing">&lt;b&gt;\n</code>' in html


def test_tables_are_aligned_and_addresses_are_links(show: Visit) -> None:
    html = show("|a|b|c|\n|:-|:-:|-:|\n|1|2|3|\n\nsee https://example.org/x. example.org is text")
    assert re.findall(r'<td class="(\w+)">(\d)</td>', html) == [
        ("left", "1"),
        ("center", "2"),
        ("right", "3"),
    ]
    assert '<a href="https://example.org/x" class="outside"' in html
    assert html.count("<a ") == 1


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
    text = (
        "![[f.mp4]] " * 100
        + '\n\n<a class="player" href="/play/../file/f.mp4">x</a> <a class="player" href="/play/%2E%2e/file/f.mp4">the player</a>\n'
    )
    client = visit(tiny_vault({"N.md": text, "f.mp4": b"f"}, index=LEXICAL))
    page = client.get("/note/N.md").text
    assert page.count("<iframe ") == 30
    assert page.count('href="/file/f.mp4"') == 70
    assert set(re.findall('<iframe [^>]*src="([^"]*)"', page)) == {"/play/f.mp4"}
    assert ">the player</a>" in page
    alone = "".join(
        f'<a class="player" href="/play/{path}">x</a>' for path in ("../x", "%2e%2E/x", "a/../x", ".x")
    )
    bad = visit(tiny_vault({"M.md": f"<div>{alone}</div>"}, index=LEXICAL)).get("/note/M.md")
    assert "<iframe" not in bad.text
    assert "frame-src" not in bad.headers["content-security-policy"]


def test_a_note_is_found_by_its_name_alone(tiny_vault: MakeVault) -> None:
    client = visit(tiny_vault({"Folder/Other.md": "x", "Two/S.md": "y", "Three/S.md": "z"}, index=LEXICAL))
    answer = client.get("/note/Other?lines=1", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/note/Folder/Other.md?lines=1#cited")
    assert client.get("/note/S").status_code == 404


# What an address names


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


def test_lines_that_went_show_what_is_left_of_the_note(tiny_vault: MakeVault) -> None:
    client = visit(tiny_vault({"N.md": "one line"}, index=LEXICAL))
    text = " ".join(client.get("/note/N.md?lines=99").text.split())
    assert "This note has 1 line now: line 99, which was cited, is not there any more." in text
    assert "<p>one line</p>" in text


@pytest.mark.parametrize("query", ["?lines=x", "?from=99", "?from=0", "?from=abc"])
def test_lines_that_are_not_there_are_an_error_that_says_so(tiny_vault: MakeVault, query: str) -> None:
    answer = visit(tiny_vault({"N.md": "one line"}, index=LEXICAL)).get("/note/N.md" + query)
    assert answer.status_code == 400
    assert "&#39;lines&#39; is" in answer.text


# What is around it


@pytest.fixture
def linked(tiny_vault: MakeVault) -> TestClient:
    notes: dict[str, str | bytes] = {
        "A.md": "---\ntags: [x/y]\nsee: '[[B|that]]'\ndone: true\nweb: https://example.org\nn: null\n---\n# First\n\n## Under\n\n[[B]]\n",
        "B.md": "[[C]]\n",
        "C.md": "[[D]]\n",
        "D.md": "",
        "Z.md": "nothing\n\nto [[A]] and [[A#Under]]\n\n<b>[[A]]</b>\n",
    }
    return visit(tiny_vault(notes, index=LEXICAL))


def test_of_a_note_without_backlinks_it_is_said(linked: TestClient) -> None:
    assert ">No note links here</h2>" in linked.get("/note/Z.md").text
    french = linked.get("/note/Z.md", headers={"Accept-Language": "fr"}).text
    assert ">Aucune note n'y mène</h2>" in french.replace("&#39;", "'")


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


def test_properties_are_a_table_with_links(linked: TestClient) -> None:
    text = linked.get("/note/A.md").text
    rows = dict(re.findall(r'<th scope="row">(\w+)</th>\s*<td><span class="value">(.*?)</span></td>', text))
    assert rows == {
        "tags": '<a class="tag" href="/?tag=x%2Fy" rel="noopener noreferrer nofollow">#x/y</a>',
        "see": '<a href="/note/B.md" rel="noopener noreferrer nofollow">that</a>',
        "done": "yes",
        "web": '<a class="outside" href="https://example.org" rel="noopener noreferrer nofollow">https://example.org</a>',
        "n": "",
    }


def test_the_outline_leads_to_the_headings(linked: TestClient) -> None:
    text = linked.get("/note/A.md").text
    assert re.findall(r'<li class="level-(\d)"><a href="#([^"]*)">(.*?)</a>', text) == [
        ("1", "h-first", "First"),
        ("2", "h-under", "Under"),
    ]


def test_a_missing_note_names_what_is_called_alike(linked: TestClient) -> None:
    answer = linked.get("/note/Folder/z.md")
    assert answer.status_code == 404
    assert "There is no such note or file." in answer.text
    assert '<a href="/note/Z.md">Z.md</a>' in answer.text


# Hostile notes


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
    "unclosed": '<div title="x <script>alert(1)</script>',
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_note_shows_and_does_nothing(show: Visit, text: str) -> None:
    html = show(text, query="?lines=1")
    tags = re.findall(r"<[^>]*>", html)
    allowed = r"</?(p|h1|ul|li|div|blockquote|b|em|a|img|span|code|pre|details|summary|br)\b"
    assert all(re.match(allowed, tag) for tag in tags), tags
    for tag in tags:
        assert not re.search(r"\s(on\w+|style|hx-|data-|srcset|name)", tag), tag
        assert not re.search(r"=\"\s*(javascript|data|vbscript):", tag, re.IGNORECASE), tag
        assert "evil.example" not in tag
        assert not re.search(r'id="(?!h-|b-|cited")', tag), tag
        assert not re.search(r'class="[^"]*\b(top|chips)\b', tag), tag


@pytest.mark.parametrize(
    "text",
    [
        lambda n: "[[" * n,
        lambda n: "[" * 2 * n,
        lambda n: "> " * n,
        lambda n: "|a" * n + "\n" + "|-" * n + "\n" + "|\n" * 5,
        lambda n: "<b>" * n,
        lambda n: "<div>\n\n" * n,
        lambda n: "<script>" * n,
        lambda n: "^[" * n,
        lambda n: "[^a]" * n,
        lambda n: "https://" * n,
        lambda n: "$a$ " * n,
    ],
    ids=[
        "links",
        "brackets",
        "quotes",
        "table",
        "tags",
        "blocks",
        "scripts",
        "notes",
        "marks",
        "addresses",
        "formulas",
    ],
)
def test_a_note_of_nothing_but_signs_costs_as_much_as_it_is_long(
    show: Visit, text: Callable[[int], str]
) -> None:
    show(text(10))  # what is loaded once is loaded
    small, large = (calls_of(lambda size=size: show(text(size))) for size in (500, 1_000))  # type: ignore[misc]
    assert large < MOST_CALLS * small
    # The time too, which sees what a call does inside; what took the square of it would be sixteen times as much.
    for turns in (1, LEAST_TURNS):
        few, many = (seconds_of(lambda size=size: show(text(size)), turns) for size in (1_000, 4_000))  # type: ignore[misc]
        if many < 8 * max(few, LEAST_SECONDS):
            return
    pytest.fail(f"{many:.2f} s, and {few:.2f} s for a quarter of it")
