"""Reading notes in a real browser: links, backlinks, the graph, and what stays hidden."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, indexed, own_settings, serving
from app.tests.web.browser.test_browser_looks import PHONE, fits, serious
from app.vault.client import VaultClient


def test_a_note_is_opened_from_the_search_and_a_wikilink_followed(
    example: Served, open_page: OpenPage
) -> None:
    page = open_page(example, "/?q=grandson+of+Alasdair")
    page.locator("[data-result]").first.click()
    page.wait_for_url(re.compile("/note/people/Callum%20Reid.md"))
    expect(page.locator(".note h1")).to_have_text("Callum Reid")
    page.locator(".note a", has_text="Petrel").first.click()
    page.wait_for_url(re.compile("/note/projects/petrel/description.md"))
    expect(page.locator(".note h1")).to_have_text("Petrel")
    image = page.locator(".note img")
    assert image.evaluate("image => image.complete && image.naturalWidth > 0")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_of_the_notes_around_one_leads_to_each(
    example: Served, open_page: OpenPage, scheme: str
) -> None:
    page = open_page(example, "/note/people/Callum%20Reid.md", viewport=PHONE, color_scheme=scheme)
    page.get_by_role("link", name="Graph of notes").click()
    page.wait_for_url("**/around/people/Callum%20Reid.md")
    assert serious(page) == {}
    assert fits(page)
    drawn = page.locator(".around a")
    assert drawn.count() == page.locator(".narrow li").count() > 3
    for one in drawn.all():
        box = one.locator("text").bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"]
    first = page.locator(".narrow li a").first.get_attribute("href")
    drawn.first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{first}")


SYNTAX = """# Syntax

Running text names <script> and goes on. $e^{i\\pi}$ and a mark[^1].

[^1]: A note below.

| a | b |
|---|--:|
| x | 1 |

```python
def f() -> str:
    return "x"  # why
```

```mermaid
graph LR
  A[Larch] --> B[Boat]
```

```mermaid
nothing that is known
```

> [!warning]- Folded
> inside

> [!tip] Open
> inside

![[tone.wav]]
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_syntax_is_shown_and_accessible(open_page: OpenPage, tmp_path: Path, scheme: str) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    (root / "Syntax.md").write_text(SYNTAX, encoding="utf-8")
    (root / "tone.wav").write_bytes(b"RIFF")
    with serving(indexed(VaultClient(root, own_settings(tmp_path)))) as served:
        page = open_page(
            served, "/note/Syntax.md", color_scheme=scheme, viewport={"width": 390, "height": 800}
        )
        expect(page.locator(".note p").first).to_contain_text("names <script> and goes on.")
        expect(page.get_by_text("Mermaid does not understand this")).to_be_visible()
        diagram = page.frame_locator("iframe.diagram")
        expect(diagram.locator("svg")).to_contain_text("Larch")
        expect(page.locator("pre", has_text="graph LR")).to_be_hidden()
        expect(page.locator("pre", has_text="nothing that is known")).to_be_visible()
        assert page.locator("math").evaluate("math => math.getBoundingClientRect().width") > 10
        assert page.locator("td.right").evaluate("cell => getComputedStyle(cell).textAlign") == "right"
        expect(page.frame_locator("iframe.player").locator("audio")).to_be_visible()
        page.locator("summary.callout-title").click()
        expect(page.get_by_text("inside").first).to_be_visible()
        page.locator(".footnote-ref a").click()
        expect(page.locator(".footnote-item")).to_be_in_viewport()
        assert serious(page) == {}
        assert fits(page)


def test_a_note_weighs_little(example: Served, open_page: OpenPage) -> None:
    page = open_page(example)
    sizes: dict[str, int] = {}
    page.on("response", lambda answer: sizes.update({answer.url: answer.request.sizes()["responseBodySize"]}))
    page.goto("/note/people/Callum%20Reid.md", wait_until="networkidle")
    assert sum(sizes.values()) < 120_000
