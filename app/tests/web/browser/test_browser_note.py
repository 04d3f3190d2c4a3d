"""Reading notes in a real browser: links, backlinks, the graph, and what stays hidden."""

import re

from playwright.sync_api import expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served
from app.tests.web.browser.test_browser_looks import PHONE, fits, serious

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


def test_a_note_is_opened_its_links_followed_and_every_syntax_shown(
    own_example: Served, open_page: OpenPage
) -> None:
    page = open_page(own_example, "/?q=grandson+of+Alasdair", viewport=PHONE)
    page.locator("[data-result]").first.click()
    page.wait_for_url(re.compile("/note/people/Callum%20Reid.md"))
    page.locator(".note a", has_text="Petrel").first.click()
    page.wait_for_url(re.compile("/note/projects/petrel/description.md"))
    expect(page.locator(".note h1")).to_have_text("Petrel")
    assert page.locator(".note img").evaluate("image => image.complete && image.naturalWidth > 0")

    page.goto("/note/people/Callum%20Reid.md")
    page.get_by_role("link", name="Graph of notes").click()
    page.wait_for_url("**/around/people/Callum%20Reid.md")
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

    (own_example.vault.root / "Syntax.md").write_text(SYNTAX, encoding="utf-8")
    (own_example.vault.root / "tone.wav").write_bytes(b"RIFF")
    page.goto("/note/Syntax.md")
    expect(page.locator(".note p").first).to_contain_text("names <script> and goes on.")
    expect(page.get_by_text("Mermaid does not understand this")).to_be_visible()
    expect(page.frame_locator("iframe.diagram").locator("svg")).to_contain_text("Larch")
    expect(page.locator("pre", has_text="graph LR")).to_be_hidden()
    expect(page.locator("pre", has_text="nothing that is known")).to_be_visible()
    assert page.locator("math").evaluate("math => math.getBoundingClientRect().width") > 10
    assert page.locator("td.right").evaluate("cell => getComputedStyle(cell).textAlign") == "right"
    expect(page.frame_locator("iframe.player").locator("audio")).to_be_visible()
    page.locator("summary.callout-title").click()
    expect(page.get_by_text("inside").first).to_be_visible()
    page.locator(".footnote-ref a").click()
    expect(page.locator(".footnote-item")).to_be_in_viewport()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert (fits(page), serious(page)) == (True, {})
