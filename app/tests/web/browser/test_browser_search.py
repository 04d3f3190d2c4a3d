"""Searching in a real browser: as one types, by facets, by the keys alone."""

import re

from playwright.sync_api import expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import TOKEN, Served, Watched
from app.tests.web.browser.test_browser_looks import serious


def test_one_comes_in_searches_chooses_and_opens(
    example: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = open_page(example, "/")
    page.context.clear_cookies()
    assert page.goto("/").status == 401  # type: ignore[union-attr]
    watched.complaints.clear()
    page.goto(f"/enter?token={TOKEN}")
    page.wait_for_url(f"{example.url}/")
    page.goto("/status")
    page.keyboard.press("/")
    page.wait_for_url(f"{example.url}/")
    page.keyboard.press("Tab")
    page.keyboard.press("/")
    box, results = page.get_by_role("searchbox"), page.locator("[data-result]")
    expect(box).to_be_focused()
    page.keyboard.press("Enter")
    assert page.url == f"{example.url}/"

    # Results come without loading the page again.
    loaded = watched.requests.count(page.url)
    box.press_sequentially("larch", delay=20)
    expect(page.locator(".results[data-query=larch] mark").first).to_be_visible()
    assert watched.requests.count(f"{example.url}/") == loaded
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(results.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(results.first).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_be_focused()
    assert box.input_value() == "larch"

    # Those of the words come a moment after the results.
    facet = page.locator("#facets a[href*='q=larch']", has_text="projects").first
    count = int(facet.locator("xpath=following-sibling::span").inner_text())
    facet.click()
    expect(page.locator(".chips")).to_contain_text("projects")
    assert re.search(rf"of {count}\b", page.locator(".count").inner_text())
    paths = page.locator("h2 + .where").all_inner_texts()
    assert paths
    assert all(path.startswith("projects / ") for path in paths)
    page.locator(".chips a").first.click()
    expect(page.locator(".chips")).to_have_count(0)

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Why this?").first.click()
    expect(page.locator(".why .message").first).to_contain_text("larch")
    page.get_by_role("button", name="Copy as link").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert re.fullmatch(r"\[\[.+\]\]", page.evaluate("navigator.clipboard.readText()"))
    in_obsidian = page.get_by_role("link", name="Open in Obsidian").first.get_attribute("href") or ""
    assert in_obsidian.startswith("obsidian://open?vault=vault&file=")

    address = results.first.get_attribute("href") or ""
    box.press("Enter")
    page.wait_for_url(f"**{address}")

    # The switcher leads to a note by its name.
    page.keyboard.press("Control+k")
    name, options = page.get_by_role("combobox", name="Name of a note"), page.get_by_role("option")
    expect(name).to_be_focused()
    expect(options).to_have_count(12)
    page.keyboard.type("callum")
    expect(page.get_by_role("option", selected=True)).to_contain_text("people/Callum Reid")
    assert serious(page) == {}
    page.keyboard.press("Escape")
    expect(name).to_be_hidden()
    page.keyboard.press("Control+k")
    page.keyboard.type("petrel acc")
    expect(options.first).to_contain_text("Petrel accounts")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/note/projects/petrel/bucket/Petrel%20accounts.md"))
    page.keyboard.press("Control+k")
    page.keyboard.type("ballast keel")
    page.keyboard.press("Shift+Enter")
    page.wait_for_url(re.compile(r"/\?q=ballast%20keel"))
