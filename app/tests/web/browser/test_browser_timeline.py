"""The timeline in a real browser: from a bar to its month and back, by keyboard alone, and with hostile names."""

import re
from pathlib import Path

from playwright.sync_api import expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, indexed, own_settings, serving
from app.tests.web.browser.test_browser_looks import PHONE, fits, serious
from app.vault.client import VaultClient


def test_a_month_is_reached_from_the_timeline_by_keyboard_and_keeps_the_folder(
    example: Served, open_page: OpenPage
) -> None:
    page = open_page(example, "/timeline")
    page.get_by_label("Folder").select_option("journal")
    page.get_by_role("button", name="Show").press("Enter")
    page.wait_for_url(re.compile("folder=journal"))
    month = page.get_by_role("link", name=re.compile("^August 2025: [1-9]"))
    month.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/days/2025-08\?folder=journal$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("August 2025")
    expect(page.get_by_text("Only notes in journal")).to_be_visible()
    page.get_by_role("link", name="Timeline").press("Enter")
    page.wait_for_url(re.compile(r"/timeline\?folder=journal&year=2025#year-2025$"))


def test_the_squares_of_a_year_are_for_the_pointer_and_out_of_the_way_of_the_keyboard(
    example: Served, open_page: OpenPage
) -> None:
    page = open_page(example, "/timeline?year=2025")
    assert page.locator(".squares a").count() > 5
    page.locator("#year-2025 .months a").last.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.squares')") is None
    page.locator(".squares a", has_text=re.compile("2025-08-16: ")).click()
    page.wait_for_url(re.compile("2025-08"))


def test_hostile_folders_and_tags_of_a_timeline_are_text(open_page: OpenPage, tmp_path: Path) -> None:
    folder = "\"'><img src=x onerror=owned=1>"
    (tmp_path / "vault" / folder).mkdir(parents=True)
    (tmp_path / "vault" / folder / "\u202e2025-07-14 <svg onload=owned=1>.md").write_text(
        "---\ndate: 2025-07-14\ntags: ['<script>owned=1</script>', x]\n---\n# <img src=x onerror=owned=1>\n",
        encoding="utf-8",
    )
    with serving(indexed(VaultClient(tmp_path / "vault", own_settings(tmp_path)))) as served:
        page = open_page(served, "/timeline", viewport=PHONE)
        page.get_by_label("Folder").select_option(folder)
        page.get_by_label("Tag").select_option("x")
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_text(f"Only notes in {folder} #x")).to_be_visible()
        assert serious(page) == {}
        assert fits(page)
        page.get_by_role("link", name="July 2025: 1 note").click()
        page.wait_for_url(re.compile("/days/2025-07"))
        expect(page.locator(".listed a")).to_have_text("<img src=x onerror=owned=1>")
        assert page.locator("main :is(img, script, svg)").count() == 0
        assert page.evaluate("window.owned") is None
        assert fits(page)
