"""Searching in a real browser: as one types, by facets, by the keys alone."""

import re

from playwright.sync_api import expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import TOKEN, Served, Watched
from app.tests.web.browser.test_browser_looks import serious


def test_the_address_that_was_printed_lets_one_in_once_and_leads_to_the_search(
    example: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = open_page(example, "/")
    page.context.clear_cookies()
    assert page.goto("/").status == 401  # type: ignore[union-attr]
    watched.complaints.clear()
    page.goto(f"/enter?token={TOKEN}")
    page.wait_for_url(f"{example.url}/")
    assert page.get_by_role("searchbox").is_visible()
    assert TOKEN not in page.url


def test_results_come_as_one_types_without_loading_the_page_again(
    example: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = open_page(example)
    page.get_by_role("searchbox").press_sequentially("larch", delay=20)
    expect(page.locator(".results mark").first).to_have_text(re.compile("larch", re.IGNORECASE))
    assert page.get_by_role("searchbox").input_value() == "larch"
    page.wait_for_url(re.compile(r"[?&]q=larch"))
    pages = [url for url in watched.requests if url == f"{example.url}/"]
    assert len(pages) == 1


def test_a_facet_narrows_and_can_be_dropped(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/?q=larch")
    facet = page.locator("#facets a", has_text="projects").first
    count = int(facet.locator("xpath=following-sibling::span").inner_text())
    facet.click()
    expect(page.locator(".chips")).to_contain_text("projects")
    assert re.search(rf"of {count}\b", page.locator(".count").inner_text())
    paths = page.locator("h2 + .where").all_inner_texts()
    assert paths
    assert all(path.startswith("projects / ") for path in paths)
    page.locator(".chips a").first.click()
    expect(page.locator(".chips")).to_have_count(0)


def test_a_result_says_why_and_can_be_copied(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/?q=larch", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Why this?").first.click()
    expect(page.locator(".why .message").first).to_contain_text("larch")
    copy = page.get_by_role("button", name="Copy as link").first
    copy.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert re.fullmatch(r"\[\[.+\]\]", page.evaluate("navigator.clipboard.readText()"))
    assert (page.get_by_role("link", name="Open in Obsidian").first.get_attribute("href") or "").startswith(
        "obsidian://open?vault=vault&file="
    )


def test_with_the_keys_alone_one_searches_chooses_and_opens(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/status")
    page.keyboard.press("/")
    page.wait_for_url(f"{example.url}/")
    page.keyboard.press("Tab")
    page.keyboard.press("/")
    box = page.get_by_role("searchbox")
    expect(box).to_be_focused()
    # In one go: what is found for half a word must not come in between.
    page.keyboard.insert_text("larch")
    expect(page.locator(".results mark").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    chosen = page.locator("[data-result]").nth(1)
    expect(chosen).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(box).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-result]").first).to_be_focused()
    address = page.locator("[data-result]").first.get_attribute("href") or ""
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{address}")


def test_enter_opens_the_first_result_of_the_words_in_the_box_alone(
    example: Served, open_page: OpenPage
) -> None:
    page = open_page(example)
    box = page.get_by_role("searchbox")
    box.focus()
    page.keyboard.press("Enter")
    assert page.url == f"{example.url}/"
    page.keyboard.insert_text("larch")
    expect(page.locator(".results[data-query=larch]")).to_be_visible()
    address = page.locator("[data-result]").first.get_attribute("href") or ""
    box.press("Enter")
    page.wait_for_url(f"**{address}")


def test_escape_leads_from_a_result_back_to_the_box(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/?q=larch")
    box = page.get_by_role("searchbox")
    box.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-result]").nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_be_focused()
    assert box.input_value() == "larch"


def test_the_switcher_leads_to_a_note_by_the_keyboard_alone(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/status")
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Name of a note")
    expect(box).to_be_focused()
    expect(page.get_by_role("option")).to_have_count(12)
    page.keyboard.type("callum")
    expect(page.get_by_role("option").first).to_contain_text("Callum Reid")
    expect(page.get_by_role("option", selected=True)).to_contain_text("people/Callum Reid")
    assert serious(page) == {}
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    page.keyboard.press("Control+k")
    page.keyboard.type("petrel acc")
    expect(page.get_by_role("option").first).to_contain_text("Petrel accounts")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/note/projects/petrel/bucket/Petrel%20accounts.md"))
    page.keyboard.press("Control+k")
    page.keyboard.type("ballast keel")
    page.keyboard.press("Shift+Enter")
    page.wait_for_url(re.compile(r"/\?q=ballast%20keel"))


def test_the_switcher_opens_again_before_the_page_has_taken_its_focus_back(
    example: Served, open_page: OpenPage
) -> None:
    page = open_page(example, "/status")
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Name of a note")
    expect(box).to_be_focused()
    # In one turn of the page, so that no frame is drawn between the two keys.
    page.evaluate("""() => {
        document.getElementById("switcher").close();
        document.getElementById("switcher-typed").dispatchEvent(
            new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true, cancelable: true }));
    }""")
    expect(box).to_be_focused()
