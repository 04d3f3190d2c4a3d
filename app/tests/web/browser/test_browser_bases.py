"""A base in a real browser: its views, its table on a phone, and the same in a note."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, indexed, own_settings, serving
from app.tests.web.browser.test_browser_looks import PHONE, fits, serious
from app.vault.client import VaultClient

BASE = """
filters: file.inFolder("Boats")
formulas: {per_year: (price / age).round(1)}
summaries: {price: Sum}
views:
  - type: table
    name: All boats
    order: [file.name, file.folder, status, price, age, formula.per_year, owner, file.tags, file.mtime, done]
    groupBy: {property: status, direction: ASC}
  - {type: cards, name: Dear, filters: price > 1500, order: [file.name, price]}
"""


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("bases")
    root = Path(folder, "vault")
    (root / "Boats").mkdir(parents=True)
    (root / "List.base").write_text(BASE, encoding="utf-8")
    (root / "Note.md").write_text(f"# Note\n\n```base{BASE}```\n\n![[List.base#Dear]]\n", encoding="utf-8")
    for at in range(1, 4):
        (root / f"Boats/Boat {at}.md").write_text(
            f"---\nstatus: {'open' if at < 3 else 'done'}\nprice: {at * 1000}\nage: {at + 6}\nowner: '[[Note]]'\n"
            f"done: {'true' if at == 3 else 'false'}\ntags: [boat/wood]\n---\n",
            encoding="utf-8",
        )
    with serving(indexed(VaultClient(root, own_settings(folder)))) as served:
        yield served


def test_views_are_changed_and_rows_lead_to_their_notes(bases: Served, open_page: OpenPage) -> None:
    page = open_page(bases, "/base/List.base")
    expect(page.locator(".base-group")).to_have_text(["done", "open"])
    expect(page.locator("tbody td:first-child")).to_have_text(["Boat 3", "Boat 1", "Boat 2"])
    page.get_by_role("link", name="Dear").click()
    expect(page.get_by_role("link", name="Dear")).to_have_attribute("aria-current", "page")
    expect(page.locator("tbody tr")).to_have_text(
        [re.compile(r"Boat 2\s*2000"), re.compile(r"Boat 3\s*3000")]
    )
    expect(page.locator(".message")).to_contain_text("cards")
    page.get_by_role("link", name="Boat 2").click()
    page.wait_for_url("**/note/Boats/Boat%202.md")


@pytest.mark.parametrize("address", ["/base/List.base", "/note/Note.md"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_table_is_accessible_and_scrolls_by_itself_on_a_phone(
    bases: Served, open_page: OpenPage, address: str, scheme: str
) -> None:
    page = open_page(bases, address, color_scheme=scheme, viewport={"width": 390, "height": 800})
    assert fits(page)
    assert serious(page) == {}
    expect(page.locator("table td", has_text="Boat 3").first).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 800})
    assert fits(page)
    page.set_viewport_size({"width": 1200, "height": 800})
    assert fits(page)
    assert serious(page) == {}


def test_a_wide_base_is_read_on_a_phone(open_page: OpenPage, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    order = "[file.name, status, long, file.mtime, file.size, file.tags]"
    (vault / "B.base").write_text(f"views: [{{type: table, name: All, order: {order}}}]")
    words = "a rather long text that would not fit into one cell of a phone"
    for at in range(3):
        (vault / f"A note {at}.md").write_text(
            f"---\nstatus: in progress\nlong: {words}\ntags: [a, b]\n---\nx\n"
        )
    with serving(indexed(VaultClient(vault, own_settings(tmp_path)))) as served:
        page = open_page(served, "/base/B.base", viewport=PHONE)
        assert fits(page)
        name = page.get_by_role("cell", name="A note 1", exact=True)
        row = page.get_by_role("row", name="A note 1").bounding_box()
        assert row is not None
        assert row["height"] < 160
        before = name.bounding_box()
        page.locator(".base-wide").evaluate("box => { box.scrollLeft = 300 }")
        # The name stays in sight while the rest is pushed aside.
        assert name.bounding_box() == before
        assert serious(page) == {}
