"""The graph of the notes in a real browser: drawn, walked by keyboard, accessible, and without a script."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, Watched, indexed, own_settings, serving
from app.tests.web.browser.test_browser_looks import PHONE, fits, serious
from app.vault.client import VaultClient

WINDOW: ViewportSize = {"width": 1200, "height": 800}

MARKUP = "<img src=x onerror=owned=1>"


@pytest.fixture(autouse=True)
def drawn_by_software(watched: Watched) -> Iterator[None]:
    """Without a graphics card the driver remarks that reading pixels back is slow; any other complaint counts."""
    yield
    watched.complaints[:] = [said for said in watched.complaints if "GPU stall due to ReadPixels" not in said]


def wait_drawn(page: Page, count: int | None = None) -> None:
    expected = re.compile(r"\d+") if count is None else str(count)
    expect(page.locator("#whole-graph")).to_have_attribute("data-drawn", expected)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_graph_is_walked_by_keyboard_and_accessible_on_a_phone(
    example: Served, open_page: OpenPage, scheme: str
) -> None:
    page = open_page(
        example, "/graph?of=people/Callum%20Reid.md&depth=1", viewport=PHONE, color_scheme=scheme
    )
    wait_drawn(page)
    assert serious(page) == {}
    assert fits(page)
    graph = page.locator("#whole-graph")
    graph.focus()
    page.keyboard.press("ArrowRight")
    expect(graph).to_have_attribute("data-chosen", "people/Callum Reid.md")
    expect(page.get_by_role("status")).to_contain_text("Callum Reid · people")
    data = page.evaluate("fetch('/graph.json?of=people/Callum%20Reid.md&depth=1').then(a => a.json())")
    ends = list(zip(data["edges"][::2], data["edges"][1::2], strict=True))
    beside = {data["notes"][end] for edge in ends if 0 in edge for end in edge if end != 0}
    # Where its neighbours lie is for the layout to say; in one of four directions there is one.
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        if (chosen := graph.get_attribute("data-chosen")) != "people/Callum Reid.md":
            break
    assert chosen in beside
    ratio = "document.getElementById('whole-graph').graph.getCamera().ratio"
    before = page.evaluate(ratio)
    page.keyboard.press("+")
    closer = page.evaluate(ratio)
    page.keyboard.press("-")
    page.keyboard.press("-")
    farther = page.evaluate(ratio)
    page.keyboard.press("0")
    assert closer < before < farther
    assert page.evaluate(ratio) == 1
    assert serious(page) == {}
    assert fits(page)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/note/" in url)
    assert page.evaluate("decodeURIComponent(location.pathname)") == f"/note/{chosen}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_whole_graph_is_accessible_in_each_of_its_states(
    example: Served, open_page: OpenPage, scheme: str
) -> None:
    page = open_page(example, "/graph?missing=1", viewport=PHONE, color_scheme=scheme)
    wait_drawn(page)

    def holds() -> None:
        for size in (PHONE, WINDOW):
            page.set_viewport_size(size)
            assert serious(page) == {}
            assert fits(page)

    holds()
    page.get_by_label("Colours").first.select_option("tag")
    page.get_by_label("Find in the graph").fill("a")
    expect(page.get_by_role("status")).to_have_text(re.compile(r"Found: \d+"))
    holds()
    page.keyboard.press("Enter")
    expect(page.locator("#graph-card b")).to_be_visible()
    holds()
    page.locator(".as-list summary").click()
    expect(page.locator(".as-list li").first).to_be_visible()
    holds()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_vault_without_notes_says_so(open_page: OpenPage, tmp_path: Path, scheme: str) -> None:
    (tmp_path / "vault").mkdir()
    with serving(indexed(VaultClient(tmp_path / "vault", own_settings(tmp_path)))) as served:
        page = open_page(served, "/graph", viewport=PHONE, color_scheme=scheme)
        expect(page.locator("main")).to_contain_text("There is no note yet.")
        expect(page.locator("#whole-graph")).to_have_count(0)
        assert serious(page) == {}
        assert fits(page)


def test_a_picture_that_cannot_be_drawn_leaves_the_list(
    example: Served, open_page: OpenPage, watched: Watched
) -> None:
    page = open_page(example, "/tags")
    page.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext ="
        " function (kind, ...rest) { return kind === '2d' ? get.call(this, kind, ...rest) : null; };"
    )
    page.goto("/graph")
    expect(page.get_by_role("status")).to_contain_text("The graph could not be drawn")
    expect(page.locator(".as-list li").first).to_be_visible()
    expect(page.locator("#whole-graph")).to_be_hidden()
    assert serious(page) == {}
    # Sigma asks for WebGL as it is loaded, and is not there then.
    assert watched.complaints == [
        "Cannot read properties of null (reading 'getParameter')",
        "Sigma is not defined",
    ]
    watched.complaints.clear()


def test_a_name_is_found_in_the_graph_and_opened(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/graph")
    wait_drawn(page)
    page.get_by_label("Find in the graph").fill("helene")
    expect(page.get_by_role("status")).to_have_text("Found: 1")
    page.keyboard.press("Enter")
    expect(page.locator("#whole-graph")).to_be_focused()
    expect(page.locator("#graph-card b")).to_have_text("Hélène Vasseur")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/note/people/H%C3%A9l%C3%A8ne%20Vasseur.md"))


def test_without_scripts_the_notes_are_a_list(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/graph", java_script_enabled=False)
    expect(page.locator("#whole-graph")).to_be_hidden()
    page.locator(".as-list summary").click()
    page.locator(".as-list a", has_text="people/Callum Reid").click()
    expect(page).to_have_url(re.compile("/note/people/Callum%20Reid.md"))


def test_names_with_markup_are_drawn_as_text(open_page: OpenPage, tmp_path: Path) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    (root / f"{MARKUP}.md").write_text(f"[[Other]] [[<svg onload=owned=1>]] #{'x' * 300}", encoding="utf-8")
    (root / "Other.md").write_text("", encoding="utf-8")
    with serving(indexed(VaultClient(root, own_settings(tmp_path)))) as served:
        page = open_page(served, "/graph?missing=1", viewport=PHONE)
        wait_drawn(page, 3)
        page.get_by_label("Colours").first.select_option("tag")
        page.get_by_label("Find in the graph").fill("img")
        page.keyboard.press("Enter")
        expect(page.locator("#graph-card b")).to_have_text(MARKUP)
        assert page.locator("main :is(img, svg)").count() == 0
        assert page.evaluate("window.owned") is None
        assert fits(page)


COUNTED = """
window.drawn = [];
const draw = WebGL2RenderingContext.prototype.drawArrays;
WebGL2RenderingContext.prototype.drawArrays = function (mode, first, count) {
  if (mode === this.LINES) window.drawn.push(count / 2);
  return draw.call(this, mode, first, count);
};"""


def test_links_thin_out_while_the_picture_moves_and_are_all_there_at_rest(
    open_page: OpenPage, tmp_path: Path
) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    for note in range(250):
        links = " ".join(f"[[{(note + step) % 250}]]" for step in range(1, 15))
        (root / f"{note}.md").write_text(links, encoding="utf-8")
    with serving(indexed(VaultClient(root, own_settings(tmp_path)))) as served:
        page = open_page(served, "/tags")
        page.add_init_script(COUNTED)
        page.goto("/graph")
        wait_drawn(page, 250)
        assert page.evaluate("drawn.at(-1)") == 3500
        box = page.locator("#whole-graph").bounding_box()
        assert box is not None
        page.evaluate("drawn.length = 0")
        page.mouse.move(box["x"] + 30, box["y"] + 30)
        page.mouse.down()
        page.mouse.move(box["x"] + 90, box["y"] + 60, steps=3)
        page.mouse.up()
        page.wait_for_function("() => drawn.at(-1) === 3500")
        assert page.evaluate("drawn[0]") < 3500


def test_a_note_under_the_pointer_lights_up_with_its_neighbours_and_the_rest_dims(
    example: Served, open_page: OpenPage
) -> None:
    page = open_page(example, "/graph?of=people/Callum%20Reid.md&depth=1")
    wait_drawn(page)
    graph = page.locator("#whole-graph")
    expect(graph).not_to_have_class(re.compile("dimmed"))
    lit = """() => {
      const canvas = document.querySelector(".sigma-lit"), empty = document.createElement("canvas");
      [empty.width, empty.height] = [canvas.width, canvas.height];
      return canvas.toDataURL() !== empty.toDataURL();
    }"""
    assert page.evaluate(lit) is False
    box = graph.bounding_box()
    assert box is not None
    spot = page.evaluate(
        "() => { const { graph } = document.getElementById('whole-graph');"
        " return graph.graphToViewport(graph.getGraph().getNodeAttributes('0')); }"
    )
    page.mouse.move(box["x"] + spot["x"] + 1, box["y"] + spot["y"] + 1)
    expect(graph).to_have_class(re.compile("dimmed"))
    assert page.evaluate(lit) is True
    page.mouse.move(box["x"] + 3, box["y"] + 3)
    expect(graph).not_to_have_class(re.compile("dimmed"))
    assert page.evaluate(lit) is False
    page.mouse.click(box["x"] + spot["x"] + 1, box["y"] + spot["y"] + 1)
    page.wait_for_url(re.compile("/note/people/Callum%20Reid.md"))


def test_what_is_linked_with_nothing_stands_around_what_is(open_page: OpenPage, tmp_path: Path) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    for note in range(30):
        (root / f"{note}.md").write_text(f"[[{note + 1}]]" if note < 12 else "", encoding="utf-8")
    with serving(indexed(VaultClient(root, own_settings(tmp_path)))) as served:
        page = open_page(served, "/graph")
        wait_drawn(page, 30)
        reach: dict[str, float] = dict(
            page.evaluate(
                "() => document.getElementById('whole-graph').graph.getGraph()"
                ".mapNodes((_, { label, x, y }) => [label, Math.hypot(x, y)])"
            )
        )
    linked = [reach.pop(str(note)) for note in range(13)]
    assert max(linked) < min(reach.values())
    assert len({round(value, 3) for value in reach.values()}) <= 2
    assert max(reach.values()) <= 1.01


def test_names_do_not_cover_each_other_and_the_rest_of_the_folders_is_named(
    open_page: OpenPage, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    for at in range(10):
        (vault / f"Folder {at}").mkdir(parents=True)
        for n in range(6):
            text = " ".join(f"[[A rather long name {at} {other}]]" for other in range(6))
            (vault / f"Folder {at}" / f"A rather long name {at} {n}.md").write_text(text)
    with serving(indexed(VaultClient(vault, own_settings(tmp_path)))) as served:
        page = open_page(served, "/graph", viewport=PHONE)
        wait_drawn(page)
        expect(page.locator("#graph-legend li")).to_have_count(9)
        expect(page.locator("#graph-legend li").last).to_have_text("other folders: 2")
        boxes = page.evaluate("document.getElementById('whole-graph').names()")
        assert len(boxes) > 3
        for at, one in enumerate(boxes):
            for other in boxes[:at]:
                assert one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]
        button = page.get_by_role("button", name="Draw")
        assert button.evaluate("b => getComputedStyle(b).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_a_graph_of_few_notes_shows_their_names_at_once(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/graph?of=people/Callum%20Reid.md&depth=1", viewport=WINDOW)
    wait_drawn(page)
    notes = page.evaluate("fetch('/graph.json?of=people/Callum%20Reid.md&depth=1').then(a => a.json())")[
        "notes"
    ]
    page.wait_for_function("document.getElementById('whole-graph').names().length > 1")
    # Where two names would cover each other, one is left out.
    assert page.evaluate("document.getElementById('whole-graph').names().length") >= 0.7 * len(notes)


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_what_a_box_of_the_graph_is_for_can_be_read_whole(
    example: Served, open_page: OpenPage, locale: str
) -> None:
    for window in (WINDOW, PHONE):
        page = open_page(example, "/graph", viewport=window, locale=locale)
        wait_drawn(page)
        room, needed = page.evaluate(
            """() => {
                const box = document.getElementById("graph-find"), style = getComputedStyle(box);
                const context = document.createElement("canvas").getContext("2d");
                context.font = style.font;
                const room = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
                return [room, context.measureText(box.placeholder).width];
            }"""
        )
        assert needed <= room
