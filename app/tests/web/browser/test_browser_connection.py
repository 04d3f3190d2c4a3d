"""A server that goes away under an open page, and comes back."""

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from app.tests.web.browser.serving import TOKEN, Watched, copied_vault, opened, serving
from app.tests.web.browser.test_browser_looks import serious


def banner(page: Page) -> str:
    expect(page.locator("#unanswered")).to_be_visible()
    return page.locator("#unanswered").inner_text()


def test_a_server_that_goes_is_said_and_its_return_goes_on(
    tmp_path: Path, browser: Browser, watched: Watched
) -> None:
    vault = copied_vault(tmp_path)
    with serving(vault) as first, opened(browser, first, watched) as page:
        page.goto("/?q=larch")
        port = urlsplit(first.url).port or 0
        box = page.get_by_role("searchbox")
        expect(page.locator("#unanswered")).to_be_hidden()
        first.stop()
        box.fill("petrel")
        assert banner(page) == "The program does not answer; trying again …"
        # What was found for the words before is there to be seen, and is no answer that can be opened.
        expect(page.locator(".results[data-query=larch]")).to_have_count(1)
        assert page.locator(".columns").evaluate("part => part.inert")
        assert box.input_value() == "petrel"
        assert serious(page) == {}
        with serving(vault, first.app, port):
            expect(page.locator(".results[data-query=petrel]")).to_be_visible()
            expect(page.locator("#unanswered")).to_be_hidden()
            assert not page.locator(".columns").evaluate("part => part.inert")

            page.goto("/ask")
            question = page.get_by_label("Your question")
            question.fill("How late was the larch?")
            page.keyboard.press("Enter")
            expect(page.locator(".answer")).to_be_visible()
        question.fill("Is anybody there?")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert").last).to_contain_text("The program does not answer any more")
        assert question.input_value() == "Is anybody there?"

        # A program that was started anew begins another talk, and has to be come in to again.
        with serving(vault, port=port):
            page.context.request.get(f"/enter?token={TOKEN}").dispose()
            question.fill("Who winds the clock?")
            page.keyboard.press("Enter")
            page.wait_for_url("**/ask?q=Who*")
            assert question.input_value() == "Who winds the clock?"
            expect(page.get_by_role("button", name="How late was the larch?")).to_be_visible()
            expect(page.locator(".turn")).to_have_count(0)
            page.goto("/status")
        page.keyboard.press("Control+k")
        banner(page)
        page.keyboard.press("Escape")
        with serving(vault, port=port):
            page.locator("#unanswered").get_by_role("link").click()
            page.wait_for_url("**/enter")
    watched.complaints.clear()
