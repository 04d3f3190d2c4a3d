"""Notes that were written to do harm: whatever is in them, they are only shown."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, Watched, indexed, own_settings, serving
from app.tests.web.browser.test_browser_ask import ask, sayer
from app.tests.web.browser.test_browser_looks import serious
from app.vault.client import VaultClient
from app.web.talk.sessions import Talk

OWN = "window.owned = 1; document.title = 'owned'; alert('owned')"
HOSTILE = {
    "Script.md": f"# Script\n\n<script>{OWN}</script>\n\n<script src='http://evil.example/x.js'></script>\n\nzebra",
    "Handlers.md": (
        f'# Handlers\n\n<img src=x onerror="{OWN}">\n<body onload="{OWN}">\n<details open ontoggle="{OWN}">x</details>\n\n'
        f'<input autofocus onfocus="{OWN}"> <a href="#" onmouseover="{OWN}">over</a> zebra'
    ),
    "Links.md": (
        "# Links\n\n[one](javascript:alert(1)) [two](JaVaScRiPt&#58;alert(1)) <javascript:alert(1)>\n"
        "[three](data:text/html,<script>alert(1)</script>) [[javascript:alert(1)]] [four](vbscript:x)\n"
        "<a href=' javascript:alert(1)'>five</a> ![[javascript:alert(1)]] zebra\n"
    ),
    "Svg.md": (
        f'# Svg\n\n<svg onload="{OWN}"><script>{OWN}</script><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>\n\n'
        "![[evil.svg]] ![x](evil.svg) zebra\n"
    ),
    "evil.svg": f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>{OWN}</script></svg>',
    "evil.html": f"<script>{OWN}</script>",
    "Frames.md": (
        "# Frames\n\n<iframe srcdoc='<script>parent.owned=1</script>'></iframe><iframe src='evil.html'></iframe>\n"
        "<object data='evil.svg'></object><embed src='evil.svg'><base href='http://evil.example/'>\n"
        "<meta http-equiv=refresh content='0;url=http://evil.example/'><form action='http://evil.example/'><button>x</button></form>\n"
        "<link rel=stylesheet href='http://evil.example/x.css'><style>body{display:none}</style>\n"
        "![](http://evil.example/pixel.png) <p style='position:fixed;inset:0'>over</p> zebra\n"
    ),
    "Clobber.md": "# Clobber\n\n<form id=search><input name=q></form><img name=getElementById id=theme> zebra\n",
    "Table.md": "# Table\n\n" + "| a " * 150 + "|\n" + "| - " * 150 + "|\n" + ("| zebra " * 150 + "|\n") * 20,
    "Deep.md": "# Deep\n\n" + "> " * 12 + "zebra\n\n" + "> " * 400 + "low\n\n" + "- " * 300 + "low\n",
    "Wide.md": "# Wide\n\n" + "W" * 20_000 + " zebra\n\n```\n" + "x" * 5000 + "\n```\n",
    "Mermaid.md": f"# Mermaid\n\n```mermaid\ngraph TD\nA[\"<img src=x onerror={OWN!r}>\"]\n```\n\n$\\href{{javascript:alert(1)}}{{x}}$ zebra\n",
    "<img src=x onerror=alert(1)>.md": '---\ntags: ["<script>alert(1)</script>"]\nkey: "<img src=x onerror=alert(1)>"\n---\n# <svg onload=alert(1)> zebra\n',
}  # fmt: skip
NOTES = [name for name in HOSTILE if name.endswith(".md")]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("hostile")
    root = Path(folder, "vault")
    root.mkdir()
    for name, text in HOSTILE.items():
        (root / name).write_text(text, encoding="utf-8")
    with serving(indexed(VaultClient(root, own_settings(folder)))) as served:
        yield served


def test_hostile_notes_are_shown_and_do_nothing(
    hostile: Served, open_page: OpenPage, watched: Watched
) -> None:
    """One page after the other; what was asked of other machines, logged or alerted fails afterwards."""
    page = open_page(hostile, "/?q=zebra", viewport={"width": 390, "height": 800})
    for name in NOTES:
        page.goto("/note/" + name.replace("<", "%3C").replace(">", "%3E"))
        assert "zebra" in page.locator(".note").inner_text(), name
        page.locator(".note").hover(position={"x": 5, "y": 5})
        assert page.evaluate("window.owned") is None, name
        assert "owned" not in page.title(), name
        assert page.locator("main :is(script, object, embed, base, meta, style, form)").count() == 0
        # Ours alone, which draws diagrams and has no origin.
        for frame in page.locator("main iframe").all():
            assert (frame.get_attribute("src"), frame.get_attribute("sandbox")) == (
                "/diagram",
                "allow-scripts",
            )
        assert page.locator("main [style*='fixed']").count() == 0, name
        assert page.evaluate(
            "[...document.querySelectorAll('main *')].flatMap(e => [...e.attributes])"
            ".filter(a => a.name.startsWith('on')).length"
        ) == 0, name  # fmt: skip
        addresses = page.locator("main a[href]").evaluate_all("all => all.map(a => a.protocol)")
        assert set(addresses) <= {"http:", "https:", "obsidian:", "mailto:"}, name
        sources = page.locator("main img").evaluate_all("all => all.map(a => a.src)")
        assert all(source.startswith((f"{hostile.url}/", "data:")) for source in sources if source), name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    page.goto("/note/Mermaid.md")
    drawn = page.frame_locator("iframe.diagram").locator("#place")
    expect(drawn.locator("svg")).to_be_visible()
    assert drawn.evaluate("() => [window.owned ?? null, window.origin]") == [None, "null"]
    assert drawn.locator("img[onerror], script, a[href^=javascript]").count() == 0
    # The picture that the diagram asks for is not loaded, and the browser says so.
    assert all("Content Security Policy" in complaint for complaint in watched.complaints), watched.complaints
    watched.complaints.clear()


def test_hostile_notes_are_found_and_quoted_and_do_nothing(hostile: Served, open_page: OpenPage) -> None:
    page = open_page(hostile, "/?q=zebra", viewport={"width": 390, "height": 800})
    assert len(page.locator("[data-result]").all()) >= 5
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto("/ask")
    page.get_by_label("Your question").fill("Where is the zebra?")
    page.keyboard.press("Enter")
    expect(page.locator(".answer")).to_be_visible()
    ours = 'form[action="/ask/save"]'
    assert page.locator(f".turn :is(script, img, svg, iframe, form:not({ours}))").count() == 0
    assert page.evaluate("window.owned") is None
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_hostile_notes_are_cited_and_do_nothing(hostile: Served, open_page: OpenPage) -> None:
    """The lines of each stand as text at its number."""
    names = [name for name in NOTES if "<" not in name]
    page = open_page(hostile, "/ask", viewport={"width": 390, "height": 800})
    talk: Talk = hostile.app.state.talk
    talk.chat_model = sayer("\n".join(f"- `{name}` lines 1-3" for name in names))
    ask(page, "Name them")
    page.locator(".sources").wait_for()
    for place, name in enumerate(names):
        cite = page.locator(".answer .cite").nth(place)
        first = HOSTILE[name].split("\n")[0]
        assert (cite.get_attribute("title") or "").startswith(first[:500])
        cite.hover()
    assert page.locator(".turn :is(script, object, embed, img, svg, iframe)").count() == 0
    assert page.evaluate(
        "[...document.querySelectorAll('.turn *')].flatMap(e => [...e.attributes])"
        ".filter(a => a.name.startsWith('on') || a.name === 'style').length"
    ) == 0  # fmt: skip
    assert page.evaluate("window.owned") is None
    assert "owned" not in page.title()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


LONG = "W" * 250
NAMED: dict[str, str | dict[str, str]] = {
    "<img src=x onerror=owned=1>.md": "---\ntags: ['<script>owned=1</script>', \"' onload='owned=1\"]\n---\n[[\u202eevil]]",
    # A folder that ends with "<" makes the path hold a closing tag.
    "a<": {"script><svg onload=owned=1>.md": "#x/y [[<b onmouseover=owned=1>not written]]"},
    "\"'><img src=x onerror=owned=1>": {"\"onfocus=\"owned=1\" autofocus=\".md": "#tag&lt;"},
    "\u202eevil.md": "---\naliases: ['<script>owned=1</script>', '\u202e']\n---\n#rtl",
    "bell\x07 escape\x1b[31m line\u2028.md": "#control",
    "javascript:owned=1.md": f"[[{LONG}]] [[javascript:owned=2]]",
    "#hash ?query&amp;%00%2e%2e.md": "",
    f"{LONG}.md": "[[<img src=x onerror=owned=1>]] [[a<" + "/script><svg onload=owned=1>]]",
    f"{'é' * 120}.md": "",
    "{{ 7 * 7 }} ${owned=1} __proto__.md": "",
    "constructor.md": "[[__proto__]]",
    "__proto__.md": "#__proto__ #constructor",
}  # fmt: skip
"""Notes whose names, folders and tags would do harm; where a folder stands, what is in it."""


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("named")
    root = Path(folder, "vault")
    for name, held in NAMED.items():
        for inner, text in held.items() if isinstance(held, dict) else [("", held)]:
            file = root / name / inner if inner else root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{text}\n[[Hub]]", encoding="utf-8")
    (root / "Hub.md").touch()
    with serving(indexed(VaultClient(root, own_settings(folder)))) as served:
        yield served


def test_the_notes_around_one_of_hostile_names_are_shown_and_do_nothing(
    named: Served, open_page: OpenPage
) -> None:
    page = open_page(named, viewport={"width": 390, "height": 800})
    for path in [*named.vault.scan().notes]:
        page.goto(f"/around/{quote(path)}")
        assert page.locator("h1").inner_text().startswith("Around ")
        assert page.locator("main :is(script, img, object, embed, base, meta, style, iframe)").count() == 0
        assert page.evaluate(
            "[...document.querySelectorAll('main *')].flatMap(e => [...e.attributes])"
            ".filter(a => a.name.startsWith('on') || a.name === 'style').length"
        ) == 0  # fmt: skip
        assert page.evaluate("window.owned") is None, path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    page.goto("/around/Hub.md")
    drawn = page.locator(".around a")
    assert sorted(drawn.locator("title").all_text_contents()) == sorted(
        path for path in named.vault.scan().notes if path != "Hub.md"
    )
    for one in page.locator(".narrow li a").all():
        assert page.request.get(one.get_attribute("href") or "").ok
    assert serious(page) == {}


@pytest.mark.parametrize("name", ["evil.svg", "evil.html"])
def test_a_hostile_file_opened_by_itself_runs_nothing(
    hostile: Served, open_page: OpenPage, watched: Watched, name: str
) -> None:
    page = open_page(hostile)
    with page.expect_request(f"**/file/{name}"):
        page.evaluate("address => { location.href = address }", f"/file/{name}")
    page.wait_for_timeout(150)
    assert page.evaluate("window.owned") is None
    assert "owned" not in page.title()
    assert all(said.startswith("Blocked script execution") for said in watched.complaints)
    watched.complaints.clear()
