"""Numbers for what an answer cites, and previews of what links mean: by mouse, keyboard and touch."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, Watched
from app.tests.web.browser.test_browser_ask import ask, sayer, talk_of
from app.tests.web.browser.test_browser_looks import PHONE, fits, serious

SAID = (
    "The larch came late (`projects/petrel/changelog.md` lines 32-33; `journal/2025-07-14.md` lines 9-12).\n\n"
    "- [[Erwan Maout]]\n- `people/Callum Reid.md` lines 9-11"
)


def answered(served: Served, open_page: OpenPage, **options: object) -> Page:
    """Open a talk whose answer cites four places."""
    talk_of(served).chat_model = sayer(SAID)
    page = open_page(served, "/ask", **options)
    ask(page, "Say how late the larch was")
    page.locator(".sources").wait_for()
    return page


def previews(watched: Watched) -> list[str]:
    return [url.partition("/preview/")[2] for url in watched.requests if "/preview/" in url]


def test_an_answer_numbers_its_places_and_names_them_below(own_example: Served, open_page: OpenPage) -> None:
    page = answered(own_example, open_page)
    assert page.locator(".answer").inner_text().replace("\xa0", " ").replace("\u202f", " ") == (
        "The larch came late 1 2.\n\nErwan Maout 3\nCallum Reid 4"
    )
    assert [" ".join(row.split()) for row in page.locator(".sources li").all_inner_texts()] == [
        "1 changelog projects/petrel · lines 32-33",
        "2 2025-07-14 journal · lines 9-12",
        "3 Erwan Maout people",
        "4 Callum Reid people · lines 9-11",
    ]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == SAID
    page.reload()
    expect(page.locator(".answer .cite")).to_have_count(4)


def test_pointing_at_a_number_shows_its_lines_and_moves_nothing(
    own_example: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = answered(own_example, open_page)
    assert previews(watched) == []
    number = page.locator(".answer .cite").first
    before = page.evaluate("[document.documentElement.scrollHeight, scrollY]")
    number.hover()
    card = page.locator("#preview")
    expect(card).to_be_visible()
    expect(card).to_have_role("tooltip")
    expect(card.locator(".note")).to_contain_text("The larch came on 8 July instead of 10 June")
    expect(card.locator(".preview-where")).to_have_text("projects/petrel · lines 32-33")
    expect(number).to_have_accessible_description(re.compile("^changelog .* The larch came on 8 July"))
    assert page.evaluate("[document.documentElement.scrollHeight, scrollY]") == before
    # Over the card it stays; beside both it goes.
    card.hover()
    page.wait_for_timeout(400)
    expect(card).to_be_visible()
    page.mouse.move(2, 2)
    expect(card).to_be_hidden()
    assert number.get_attribute("aria-describedby") is None
    number.click()
    page.wait_for_url("**/note/projects/petrel/changelog.md?lines=32-33#cited")
    expect(page.locator(".cited").first).to_contain_text("The larch came on 8 July")


def test_nothing_is_asked_for_a_number_that_is_passed_over(
    own_example: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = answered(own_example, open_page)
    # On a busy machine the pointer may not leave before the time has come.
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.locator(".answer .cite").first.hover()
    page.mouse.move(2, 2)
    page.clock.run_for(5000)
    assert previews(watched) == []
    expect(page.locator("#preview")).to_have_count(0)


def test_what_was_left_before_it_came_is_given_up(own_example: Served, open_page: OpenPage) -> None:
    page = answered(own_example, open_page)
    ended: list[str] = []
    page.on("requestfailed", lambda request: ended.append(request.url))
    page.route("**/preview/**", lambda route: None)
    with page.expect_request("**/preview/**"):
        page.locator(".answer .cite").first.hover()
    with page.expect_event("requestfailed"):
        page.mouse.move(2, 2)
    assert [url.partition("/preview/")[2] for url in ended] == ["projects/petrel/changelog.md?lines=32-33"]


def test_by_keyboard_focus_shows_escape_closes_and_enter_opens(
    own_example: Served, open_page: OpenPage
) -> None:
    page = answered(own_example, open_page)
    page.locator(".answer .cite").nth(1).focus()
    page.keyboard.press("Shift+Tab")
    card = page.locator("#preview")
    expect(card.locator(".preview-title")).to_have_text("changelog")
    page.keyboard.press("Tab")
    expect(card.locator(".preview-title")).to_have_text("2025-07-14")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(page.locator(".answer .cite").nth(1)).to_be_focused()
    page.keyboard.press("Tab")
    expect(card.locator(".preview-title")).to_have_text("Erwan Maout")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(card).to_be_visible()
    expect(card.locator(".preview-title")).to_have_text("changelog")
    page.keyboard.press("Enter")
    page.wait_for_url("**/note/projects/petrel/changelog.md?lines=32-33#cited")


def test_the_first_touch_shows_the_lines_and_the_way_to_the_note(
    own_example: Served, open_page: OpenPage
) -> None:
    page = answered(own_example, open_page, viewport=PHONE, has_touch=True, is_mobile=True)
    page.locator(".answer .cite").first.tap()
    card = page.get_by_role("dialog", name="changelog")
    expect(card).to_contain_text("The larch came on 8 July")
    expect(card.get_by_role("link", name="Open the note")).to_be_focused()
    assert page.url.endswith("/ask")
    assert fits(page)
    box = card.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] + box["height"] <= 800
    card.get_by_role("button", name="Close").tap()
    expect(card).to_be_hidden()
    expect(page.locator(".answer .cite").first).to_be_focused()
    page.locator(".answer .cite").nth(3).tap()
    page.get_by_role("dialog", name="Callum Reid").get_by_role("link", name="Open the note").tap()
    page.wait_for_url("**/note/people/Callum%20Reid.md?lines=9-11#cited")


def test_a_second_touch_opens_the_note(own_example: Served, open_page: OpenPage) -> None:
    page = answered(own_example, open_page, viewport=PHONE, has_touch=True, is_mobile=True)
    page.locator(".answer .cite").first.tap()
    expect(page.get_by_role("dialog", name="changelog")).to_be_visible()
    page.locator(".answer .cite").first.tap()
    page.wait_for_url("**/note/projects/petrel/changelog.md?lines=32-33#cited")


def test_a_long_touch_shows_the_lines_too(own_example: Served, open_page: OpenPage) -> None:
    page = answered(own_example, open_page, viewport=PHONE, has_touch=True, is_mobile=True)
    number = page.locator(".answer .cite").nth(1)
    # What a browser tells of a finger that stays.
    number.dispatch_event("pointerdown", {"pointerType": "touch"})
    assert number.evaluate(
        "one => one.dispatchEvent(new PointerEvent('contextmenu', {bubbles: true, cancelable: true}))"
    ) is False  # fmt: skip
    expect(page.get_by_role("dialog", name="2025-07-14")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_and_previews_are_accessible(own_example: Served, open_page: OpenPage, scheme: str) -> None:
    page = answered(own_example, open_page, color_scheme=scheme)
    for place in range(4):
        page.locator(".answer .cite").nth(place).hover()
        expect(page.locator("#preview")).to_be_visible()
        assert serious(page) == {}
        # It may lie over the next number.
        page.keyboard.press("Escape")
        expect(page.locator("#preview")).to_be_hidden()
    page.close()
    page = answered(
        own_example, open_page, color_scheme=scheme, viewport=PHONE, has_touch=True, is_mobile=True
    )
    page.locator(".answer .cite").nth(1).tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert serious(page) == {}
    assert fits(page)


def test_what_comes_below_a_pointer_that_lies_still_is_not_shown(
    example: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = open_page(example, "/note/people/Callum%20Reid.md")
    page.mouse.move(500, 300)
    # A link grows over the page, as results do that come while one types.
    page.locator(".note a", has_text="Petrel").first.evaluate(
        "link => Object.assign(link.style, { position: 'fixed', inset: '0', zIndex: 9 })"
    )
    page.wait_for_timeout(800)
    assert previews(watched) == []
    page.mouse.move(510, 310)
    expect(page.locator("#preview .preview-title")).to_have_text("Petrel")


def test_links_of_a_note_and_of_its_sidebar_show_what_they_mean(
    example: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = open_page(example, "/note/people/Callum%20Reid.md")
    page.locator(".note a", has_text="Petrel").first.hover()
    card = page.locator("#preview")
    expect(card.locator(".preview-title")).to_have_text("Petrel")
    expect(card.locator(".note")).to_contain_text("A clinker dinghy, 4.6 metres, larch on oak")
    assert card.locator("img").evaluate("image => image.complete")
    assert serious(page) == {}
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.locator(".line-quoted").first.hover()
    expect(card).to_be_visible()
    # What was shown is shown again without being sent again.
    with page.expect_response("**/preview/projects/petrel/description.md?*") as answer:
        page.locator(".note a", has_text="Petrel").first.hover()
    assert answer.value.status == 304
    expect(card.locator(".preview-title")).to_have_text("Petrel")
    page.goto("/note/projects/petrel/bucket/Scarfing.md")
    page.locator('.note a[href*="#b-rivets"]').hover()
    expect(card.locator(".note")).to_have_text(
        "Nothing glued that was riveted. If it cannot be undone with a hammer, we do not do it."
    )


@pytest.mark.parametrize("height", [420, 560, 760, 1200])
def test_a_preview_never_lies_over_its_link_nor_beyond_the_window(
    example: Served, open_page: OpenPage, height: int
) -> None:
    page = open_page(example, "/note/people/Callum%20Reid.md", viewport={"width": 1100, "height": height})
    link = page.locator(".note a", has_text="Petrel").first
    link.scroll_into_view_if_needed()
    link.hover()
    card = page.locator("#preview")
    card.locator("img").evaluate("image => image.decode()")
    around, own = card.bounding_box(), link.bounding_box()
    assert around is not None
    assert own is not None
    assert around["y"] >= own["y"] + own["height"] or around["y"] + around["height"] <= own["y"]
    assert around["y"] >= 0
    assert around["y"] + around["height"] <= height
    assert around["height"] > 100


def test_results_show_their_lines_to_the_mouse_and_not_to_the_arrows(
    example: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = open_page(example, "/?q=larch")
    page.locator("#q").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-result]").first).to_be_focused()
    page.wait_for_timeout(700)
    assert previews(watched) == []
    page.locator("[data-result]").nth(1).hover()
    expect(page.locator("#preview .note")).to_contain_text("larch")
    assert serious(page) == {}
    page.locator("#q").press("Escape")
    expect(page.locator("#preview")).to_be_hidden()


def test_a_link_of_a_note_is_followed_by_the_first_touch(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/note/people/Callum%20Reid.md", viewport=PHONE, has_touch=True, is_mobile=True)
    page.locator(".note a", has_text="Petrel").first.tap()
    page.wait_for_url("**/note/projects/petrel/description.md")


def test_a_link_to_what_the_vault_came_to_exclude_shows_nothing(
    own_example: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = open_page(own_example, "/note/people/Callum%20Reid.md")
    settings = own_example.vault.root / ".obsidian" / "app.json"
    told = json.loads(settings.read_text(encoding="utf-8"))
    told["userIgnoreFilters"] = [*told.get("userIgnoreFilters", []), "projects/petrel/"]
    settings.write_text(json.dumps(told), encoding="utf-8")
    with page.expect_response("**/preview/projects/petrel/description.md?*") as answer:
        page.locator(".note a", has_text="Petrel").first.hover()
    assert answer.value.status == 404
    assert "clinker" not in page.content()
    expect(page.locator("#preview")).to_be_hidden()
    assert watched.complaints.pop().startswith("Failed to load resource")


def test_a_note_without_a_graph_weighs_little(example: Served, open_page: OpenPage) -> None:
    page = open_page(example)
    sizes: dict[str, int] = {}
    page.on("response", lambda answer: sizes.update({answer.url: answer.request.sizes()["responseBodySize"]}))
    page.goto("/note/people/Callum%20Reid.md", wait_until="networkidle")
    assert any("preview.js" in url for url in sizes)
    assert not any("preview.css" in url for url in sizes)
    assert sum(sizes.values()) < 120_000
