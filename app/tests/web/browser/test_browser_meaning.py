"""Results by meaning, which join those by words while one looks at them."""

import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from app.search.models import Ranking, SearchRequest
from app.search.operations import OPERATIONS
from app.search.view import View
from app.stopping import GivenUp, is_given_up
from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, serving
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


def test_meaning_joins_takes_nothing_away_that_is_in_use_and_stops_when_typing_goes_past(
    embedded: Served, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)
    page = open_page(embedded, viewport={"width": 1200, "height": 500})
    said, box = page.locator("#meaning"), page.get_by_role("searchbox")
    box.fill("newcomer")
    expect(said).to_have_text("looking by meaning …")
    assert held.began.wait(WAIT_SECONDS)
    box.fill("petrel")
    expect(page.locator(".results[data-query=petrel]")).to_be_visible()
    held.go.set()
    expect(said).to_have_text("found by meaning too")
    assert held.ended == ["given up: newcomer", "answered: petrel"]

    held.go.clear()
    page.goto(f"/?q={QUESTION}")
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
