"""Every page in light and dark, on a phone, and as axe-core sees it."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, Watched
from app.tests.web.browser.test_browser_ask import ask, talk_of, writer

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


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_in_both_colours_and_fits_a_phone(
    example: Served, open_page: OpenPage, watched: Watched, name: str
) -> None:
    page = open_page(example, PAGES[name], viewport=PHONE, color_scheme="light")
    assert luminance(paper(page)) > 0.5
    assert fits(page)
    assert serious(page) == {}
    page.set_viewport_size({"width": 1200, "height": 800})
    page.emulate_media(color_scheme="dark")
    assert luminance(paper(page)) < 0.5
    assert fits(page)
    assert serious(page) == {}
    if name in ("missing", "a query that cannot be read"):
        assert watched.complaints.pop().startswith("Failed to load resource")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_answer_a_proposed_write_and_what_came_of_it_are_accessible(
    own_example: Served, open_page: OpenPage, scheme: str
) -> None:
    talk_of(own_example).chat_model = writer(
        operation="update", path="people/Callum Reid.md", lines="9-9", content="Teaches nothing at weekends."
    )
    page = open_page(own_example, "/ask", viewport=PHONE, color_scheme=scheme)
    ask(page, "When was the boat launched?")
    page.locator(".answer").wait_for()
    page.locator(".steps summary").click()
    assert serious(page) == {}
    assert fits(page)
    ask(page, "Change it")
    page.get_by_role("button", name="Approve").wait_for()
    assert serious(page) == {}
    assert fits(page)
    page.get_by_role("button", name="Approve").click()
    page.locator(".written").wait_for()
    assert serious(page) == {}
    assert fits(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_query_that_goes_wrong_as_it_is_typed_is_accessible(
    example: Served, open_page: OpenPage, scheme: str
) -> None:
    page = open_page(example, "/?q=larch", viewport=PHONE, color_scheme=scheme)
    page.get_by_role("searchbox").fill("larch /(/")
    expect(page.get_by_role("alert")).to_contain_text("This search is incomplete or has a mistake.")
    assert serious(page) == {}
    assert fits(page)


def test_the_box_of_a_question_leaves_a_phone_to_the_answer(own_example: Served, open_page: OpenPage) -> None:
    page = open_page(own_example, "/ask", viewport=PHONE)
    tall = "document.getElementById('talk').getBoundingClientRect().height"
    assert page.evaluate(tall) < 0.16 * PHONE["height"]
    page.get_by_label("Your question").fill("line\n" * 30)
    assert page.evaluate(tall) < 0.5 * PHONE["height"]


@pytest.mark.parametrize("width", [320, 390])
def test_no_word_of_the_question_box_is_broken_in_french(
    own_example: Served, open_page: OpenPage, width: int
) -> None:
    page = open_page(own_example, "/ask", viewport={"width": width, "height": 800}, locale="fr")
    for part in page.locator(".composer-foot :is(label, button:not([hidden]))").all():
        box = part.bounding_box()
        assert box is not None
        # One line of it, within the window.
        assert box["height"] < 44
        assert box["x"] + box["width"] <= width
    assert page.evaluate("(nav => nav.scrollWidth <= nav.clientWidth)(document.querySelector('.top nav'))")
    assert fits(page)


def test_the_chosen_colours_are_kept(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/ask", color_scheme="light")
    page.get_by_role("button", name="Switch between light and dark").click()
    for address in ("/ask", "/status"):
        page.goto(address)
        assert luminance(paper(page)) < 0.5


def test_the_content_can_be_reached_past_the_navigation(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/status")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_axe_would_find_something(example: Served, open_page: OpenPage) -> None:
    """So that silence means something: a picture without words, and a field without a label."""
    page = open_page(example, "/ask")
    page.evaluate(
        "document.querySelector('main').append(document.createElement('img'), document.createElement('input'))"
    )
    assert [rule.partition(":")[0] for rule in serious(page)] == ["image-alt", "label"], json.dumps(
        serious(page)
    )
