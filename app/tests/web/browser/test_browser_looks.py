"""Every page in light and dark, on a phone, and as axe-core sees it."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, Watched

AXE = Path(__file__).parent / "axe" / "axe-core-4.14.1.min.js"
PHONE: ViewportSize = {"width": 390, "height": 800}
PAGES = {
    "search": "/?q=larch",
    "newest": "/",
    "nothing": "/?q=zeppelin",
    "a query that cannot be read": "/?q=larch%20/(/",
    "ask": "/ask",
    "talks": "/ask/talks",
    "note": "/note/projects/petrel/description.md?lines=14-15",
    "tasks": "/note/projects/petrel/tasks.md",
    "table": "/note/projects/petrel/bucket/Petrel%20accounts.md",
    "folders": "/browse/",
    "notes of a folder": "/browse/people",
    "tags": "/tags",
    "month": "/days/2025-08",
    "daily note": "/note/journal/2025-08-16.md",
    "around": "/around/people/Callum%20Reid.md",
    "status": "/status",
    "missing": "/note/nowhere.md",
    "enter": "/enter",
}
SERIOUS = ("serious", "critical")


@cache
def axe_source() -> str:
    return AXE.read_text(encoding="utf-8")


def serious(page: Page) -> dict[str, list[str]]:
    """What axe-core finds that is serious: the rule, and the places."""
    # Evaluated by the debugger, which the page's policy does not hold.
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe_source())
    found: list[dict[str, Any]] = page.evaluate(
        "axe.run({resultTypes: ['violations']}).then(r => r.violations)"
    )
    return {
        f"{each['id']}: {each['help']}": [node["html"][:120] for node in each["nodes"]]
        for each in found
        if each["impact"] in SERIOUS
    }


def fits(page: Page) -> bool:
    """Tell whether nothing makes the page wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def paper(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


def luminance(colour: str) -> float:
    red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255


@pytest.mark.timeout(900)
def test_each_page_is_accessible_in_both_colours_and_fits_a_phone(
    example: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = open_page(example, color_scheme="light")
    for name, address in PAGES.items():
        page.set_viewport_size(PHONE)
        page.emulate_media(color_scheme="light")
        page.goto(address)
        assert luminance(paper(page)) > 0.5
        assert (name, fits(page), serious(page)) == (name, True, {})
        page.set_viewport_size({"width": 1200, "height": 800})
        page.emulate_media(color_scheme="dark")
        assert luminance(paper(page)) < 0.5
        assert (name, fits(page), serious(page)) == (name, True, {})
        if name in ("missing", "a query that cannot be read"):
            assert watched.complaints.pop().startswith("Failed to load resource")

    page.goto("/?q=larch")
    page.get_by_role("searchbox").fill("larch /(/")
    expect(page.get_by_role("alert")).to_contain_text("This search is incomplete or has a mistake.")
    assert serious(page) == {}

    page.goto("/status")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()

    page.get_by_role("button", name="Switch between light and dark").click()
    for address in ("/ask", "/status"):
        page.goto(address)
        assert luminance(paper(page)) > 0.5

    french = open_page(example, "/ask", viewport={"width": 320, "height": 800}, locale="fr")
    for part in french.locator(".composer-foot :is(label, button:not([hidden]))").all():
        box = part.bounding_box()
        assert box is not None
        # One line of it, within the window.
        assert box["height"] < 44
        assert box["x"] + box["width"] <= 320

    # So that silence means something: a picture without words, and a field without a label.
    page.evaluate(
        "document.querySelector('main').append(document.createElement('img'), document.createElement('input'))"
    )
    assert [rule.partition(":")[0] for rule in serious(page)] == ["image-alt", "label"]
