"""A canvas in a real browser: moved and zoomed by keys, wheel, pointer and fingers, and read without its script."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, indexed, own_settings, serving
from app.tests.web.browser.test_browser_looks import fits, serious
from app.vault.client import VaultClient

BOARD = {
    "nodes": [
        {"id": "g", "type": "group", "x": -40, "y": -60, "width": 1500, "height": 700, "label": "Boat", "color": "4"},
        {"id": "a", "type": "text", "x": 0, "y": 0, "width": 300, "height": 120, "text": "**Mast** [[Note]]", "color": "1"},
        {"id": "b", "type": "file", "x": 600, "y": 0, "width": 300, "height": 120, "file": "Note.md", "color": "#3a4db0"},
        {"id": "c", "type": "link", "x": 4000, "y": 2000, "width": 300, "height": 90, "url": "https://example.org/"},
        *({"id": f"t{tone}", "type": "text", "x": tone * 220, "y": 400, "width": 200, "height": 80, "text": f"tone {tone}", "color": str(tone)}
          for tone in range(1, 7)),
    ],
    "edges": [{"fromNode": "a", "toNode": "b", "label": "port tack", "color": "3"}, {"fromNode": "b", "toNode": "c"}],
}  # fmt: skip


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("boards")
    root = Path(folder, "vault")
    root.mkdir()
    (root / "Plan.canvas").write_text(json.dumps(BOARD), encoding="utf-8")
    (root / "Note.md").write_text("# Note\n\n" + "- a line\n" * 40, encoding="utf-8")
    with serving(indexed(VaultClient(root, own_settings(folder)))) as served:
        yield served


def seen(page: Page) -> list[float]:
    """What part of the plane is seen: x, y, width, height."""
    written = page.locator("#board > svg").get_attribute("viewBox")
    assert written is not None
    return [float(part) for part in written.split()]


def test_a_canvas_is_moved_and_zoomed_by_keys_wheel_and_pointer(boards: Served, open_page: OpenPage) -> None:
    page = open_page(boards, "/canvas/Plan.canvas")
    whole = seen(page)
    assert whole == [-100, -120, 4460, 2270]
    board = page.locator("#board")
    board.focus()
    page.keyboard.press("+")
    closer = seen(page)
    assert closer[2] == pytest.approx(whole[2] / 1.3, abs=0.02)
    page.keyboard.press("ArrowRight")
    assert seen(page)[0] > closer[0]
    assert seen(page)[1:] == closer[1:]
    page.keyboard.press("ArrowDown")
    assert seen(page)[1] > closer[1]
    page.keyboard.press("-")
    page.keyboard.press("0")
    assert seen(page) == whole
    # The page goes on scrolling where there is nothing to move.
    box = board.bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.wait_for_function("before => document.querySelector('#board > svg').viewBox.baseVal.width < before", arg=whole[2])  # fmt: skip
    near = seen(page)
    page.mouse.down()
    page.mouse.move(middle[0] - 100, middle[1] - 50, steps=4)
    page.mouse.up()
    assert seen(page)[0] > near[0]
    assert seen(page)[1] > near[1]
    page.get_by_role("button", name="Show all").click()
    assert seen(page) == whole
    page.get_by_role("button", name="Zoom in").click()
    assert seen(page)[2] < whole[2]


def test_two_fingers_zoom_one_moves_and_a_tapped_card_scrolls(boards: Served, open_page: OpenPage) -> None:
    page = open_page(boards, "/canvas/Plan.canvas", viewport={"width": 390, "height": 800}, has_touch=True)
    whole = seen(page)
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]},
        )

    def drag(x: float, y: float) -> None:
        send("touchStart", (x, y))
        for far in (10, 20, 30, 40):
            send("touchMove", (x, y - far))
        send("touchEnd")

    card = page.locator(".inside", has_text="a line")

    def middle() -> tuple[float, float]:
        box = card.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.7

    for _ in range(2):
        x, y = middle()
        send("touchStart", (x - 20, y), (x + 20, y))
        for far in (30, 50, 80):
            send("touchMove", (x - far, y), (x + far, y))
        send("touchEnd")
    near = seen(page)
    assert near[2] < whole[2] / 8
    assert page.evaluate("visualViewport.scale") == 1
    # On a card that was not chosen a finger moves the canvas, and never the page.
    drag(*middle())
    page.wait_for_function("before => document.querySelector('#board > svg').viewBox.baseVal.y > before", arg=near[1])  # fmt: skip
    moved = seen(page)
    assert moved[2] == near[2]
    assert card.evaluate("card => [scrollY, card.scrollTop]") == [0, 0]
    # A tap at once after a swipe only stops it.
    page.wait_for_timeout(500)
    page.touchscreen.tap(*middle())
    expect(card).to_be_focused()
    drag(*middle())
    page.wait_for_function("() => document.querySelector('.inside.long').scrollTop > 0")
    assert seen(page) == moved
    assert page.evaluate("scrollY") == 0


def test_tab_brings_each_card_into_view_and_its_links_are_followed(
    boards: Served, open_page: OpenPage
) -> None:
    page = open_page(boards, "/canvas/Plan.canvas")
    page.locator("#board").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("group", name="Mast Note")).to_be_focused()
    assert seen(page)[2] < 1600
    page.keyboard.press("Tab")
    expect(page.locator(".inside a", has_text="Note").first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/note/Note.md"))
    page.go_back()
    page.locator(".inside a[href='/note/Note.md']").first.click()
    page.wait_for_url(re.compile("/note/Note.md"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_of_a_canvas_is_accessible(boards: Served, open_page: OpenPage, scheme: str) -> None:
    page = open_page(
        boards, "/canvas/Plan.canvas", color_scheme=scheme, viewport={"width": 390, "height": 800}
    )
    assert fits(page)
    assert serious(page) == {}
    page.set_viewport_size({"width": 1200, "height": 800})
    assert serious(page) == {}


def test_without_its_script_a_canvas_is_a_picture_and_a_list(boards: Served, open_page: OpenPage) -> None:
    page = open_page(boards, "/canvas/Plan.canvas", java_script_enabled=False)
    expect(page.locator(".inside", has_text="tone 6")).to_be_visible()
    expect(page.locator(".tools")).to_be_hidden()
    first = page.locator(".cards li").first
    assert " ".join(first.inner_text().split()) == "Mast Note in Boat → leads to Note port tack"
    assert page.locator(".cards a.outside").get_attribute("href") == "https://example.org/"
