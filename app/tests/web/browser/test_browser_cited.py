"""Numbers for what an answer cites."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_number_shows_its_lines_as_text_and_leads_to_them(
    own_example: Served, open_page: OpenPage, scheme: str
) -> None:
    page = answered(own_example, open_page, color_scheme=scheme, viewport=PHONE)
    assert serious(page) == {}
    assert fits(page)
    number = page.locator(".answer .cite").first
    note = Path(own_example.vault.root, "projects/petrel/changelog.md").read_text(encoding="utf-8")
    assert number.get_attribute("title") == "\n".join(note.split("\n")[31:33])
    assert page.locator(".answer .cite").nth(2).get_attribute("title") is None
    number.click()
    page.wait_for_url("**/note/projects/petrel/changelog.md?lines=32-33#cited")
    expect(page.locator("#cited")).to_be_in_viewport()
