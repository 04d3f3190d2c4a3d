"""Results by meaning, which join those by words while one looks at them."""

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from app.search.models import Ranking, SearchRequest
from app.search.operations import OPERATIONS
from app.search.view import View
from app.stopping import GivenUp, is_given_up
from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, Watched, serving
from app.tests.web.browser.test_browser_looks import serious
from app.vault.client import VaultClient

QUESTION = "larch planks for the boat"
WAIT_SECONDS = 300

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def embedded(embedded_example: VaultClient) -> Iterator[Served]:
    with serving(embedded_example) as served:
        yield served


class Held:
    """Searches by meaning that wait until they are let go, or given up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began, self.go, self.ended = threading.Event(), threading.Event(), list[str]()
        self._deep = OPERATIONS["deep"]
        monkeypatch.setitem(OPERATIONS, "deep", self._held)

    def _held(self, view: View, request: SearchRequest) -> Ranking:
        self.began.set()
        for _ in range(WAIT_SECONDS * 100):
            if self.go.wait(0.01) or is_given_up():
                break
        if is_given_up():
            self.ended.append(f"given up: {request.query}")
            raise GivenUp
        self.ended.append(f"answered: {request.query}")
        return self._deep(view, request)


def titles(page: Page) -> list[str]:
    return page.locator(".results h2").all_inner_texts()


def test_meaning_joins_and_takes_nothing_away_that_is_in_use(
    embedded: Served, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)
    page = open_page(embedded, f"/?q={QUESTION}", viewport={"width": 1200, "height": 500})
    said = page.locator("#meaning")
    expect(said).to_have_text("looking by meaning …")
    by_words = titles(page)
    item = page.locator(".results > li").nth(3)
    item.get_by_role("button", name="Why this?").first.click()
    expect(item.locator(".why .message").first).to_be_visible()
    path = item.get_attribute("data-path")
    link = item.locator("[data-result]").first
    link.focus()
    title = link.inner_text()
    before = link.bounding_box()
    held.go.set()
    # What one has begun to look at stays as it is, until one asks for more.
    more = page.locator("#more")
    expect(more).to_be_visible()
    assert titles(page) == by_words
    assert page.evaluate("document.activeElement.closest('li').dataset.path") == path
    stayed = link.bounding_box()
    assert before is not None
    assert stayed is not None
    assert abs(stayed["y"] - before["y"]) < 2
    assert serious(page) == {}
    # By a script, so that nothing but the list moves.
    more.evaluate("button => button.click()")
    expect(said).to_have_text("found by meaning too")
    expect(more).to_be_hidden()
    expect(page.locator(".results[data-mode=deep]")).to_have_count(1)
    assert titles(page) != by_words
    same = page.locator(f".results > li[data-path='{path}']")
    assert same.locator(".why .message").count() == 1
    after = same.locator("[data-result]").first.bounding_box()
    assert after is not None
    # It stands elsewhere in the list, and where it was on the screen.
    assert titles(page).index(title) != by_words.index(title)
    assert abs(after["y"] - stayed["y"]) < 2
    assert serious(page) == {}
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('[data-result]')")


def test_what_comes_late_says_how_much_it_is_and_waits(
    embedded: Served, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)
    page = open_page(embedded, f"/?q={QUESTION}")
    by_words = titles(page)
    expect(page.locator("#meaning")).to_have_text("looking by meaning …")
    page.locator("#found").hover()
    held.go.set()
    more = page.get_by_role("button", name=re.compile("by meaning"))
    expect(more).to_be_visible()
    assert titles(page) == by_words
    said = more.inner_text()
    more.click()
    expect(page.locator("#meaning")).to_have_text("found by meaning too")
    new = len(set(titles(page)) - set(by_words))
    assert said == (f"{new} more by meaning" if new else "Order by meaning too")
    # Other words have nothing to do with it any more.
    page.get_by_role("searchbox").fill("petrel")
    expect(page.locator(".results[data-query=petrel]")).to_be_visible()
    expect(more).to_be_hidden()


def test_what_is_typed_costs_words_and_a_pause_asks_for_meaning(
    embedded: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = open_page(embedded)
    box = page.get_by_role("searchbox")
    box.press_sequentially("newcomer know", delay=30)
    expect(page.locator("#meaning")).to_have_text("found by meaning too")
    assert [url.partition("?")[2] for url in watched.requests if "/meaning" in url] == ["q=newcomer+know"]
    expect(page.locator(".results[data-mode=deep]")).to_be_visible()
    # Enter opens the first of them.
    address = page.locator("[data-result]").first.get_attribute("href") or ""
    box.press("Enter")
    page.wait_for_url(re.compile(re.escape(address.partition("?")[0])))


def test_a_search_by_meaning_that_typing_goes_past_stops(
    embedded: Served, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)
    page = open_page(embedded)
    box = page.get_by_role("searchbox")
    box.fill("newcomer")
    expect(page.locator("#meaning")).to_have_text("looking by meaning …")
    assert held.began.wait(WAIT_SECONDS)
    box.fill("petrel")
    expect(page.locator(".results[data-query=petrel]")).to_be_visible()
    held.go.set()
    expect(page.locator("#meaning")).to_have_text("found by meaning too")
    assert held.ended == ["given up: newcomer", "answered: petrel"]
