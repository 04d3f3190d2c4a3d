"""A server that goes away under an open page, and comes back."""

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from app.tests.web.browser.serving import TOKEN, Watched, copied_vault, opened, serving
from app.tests.web.browser.test_browser_looks import serious


def banner(page: Page) -> str:
    expect(page.locator("#unanswered")).to_be_visible()
    return page.locator("#unanswered").inner_text()


def test_a_server_that_goes_is_said_and_its_return_searches_again(
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
    watched.complaints.clear()


def test_what_is_asked_of_a_program_that_was_started_anew_begins_another_talk(
    tmp_path: Path, browser: Browser, watched: Watched
) -> None:
    vault = copied_vault(tmp_path)
    with serving(vault) as first, opened(browser, first, watched) as page:
        page.goto("/ask")
        page.get_by_label("Your question").fill("How late was the larch?")
        page.keyboard.press("Enter")
        expect(page.locator(".answer")).to_be_visible()
        port = urlsplit(first.url).port or 0
        first.stop()
        with serving(vault, port=port):
            page.context.request.get(f"/enter?token={TOKEN}").dispose()
            page.get_by_label("Your question").fill("Who winds the clock?")
            page.keyboard.press("Enter")
            page.wait_for_url("**/ask?q=Who*")
            assert page.get_by_label("Your question").input_value() == "Who winds the clock?"
            expect(page.get_by_role("button", name="How late was the larch?")).to_be_visible()
            expect(page.locator(".turn")).to_have_count(0)
    watched.complaints.clear()


def test_a_program_that_was_started_anew_asks_to_come_in_again(
    tmp_path: Path, browser: Browser, watched: Watched
) -> None:
    vault = copied_vault(tmp_path)
    with serving(vault) as first, opened(browser, first, watched, locale="fr-FR") as page:
        page.goto("/status")
        port = urlsplit(first.url).port or 0
        first.stop()
        page.keyboard.press("Control+k")
        assert banner(page) == "Le programme ne répond pas\u202f; nouvel essai …"
        page.keyboard.press("Escape")
        with serving(vault, port=port):
            link = page.locator("#unanswered").get_by_role("link")
            expect(link).to_contain_text("Le programme a redémarré")
            link.click()
            page.wait_for_url("**/enter")
    watched.complaints.clear()
