"""What a turn of the talk cites, and what it sent to which model: in a real browser and with a model server of our own."""

from pathlib import Path

from playwright.sync_api import expect

from app.tests.llm.conftest import server as server
from app.tests.llm.server import ModelServer, Reply
from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import copied_vault, serving
from app.tests.web.browser.test_browser_ask import ask
from app.tests.web.browser.test_browser_looks import PHONE, fits, serious

SAID = (
    "The larch came late (`projects/petrel/changelog.md` lines 32-33; `journal/2025-07-14.md` lines 9-12).\n\n"
    "- [[Erwan Maout]]\n- `people/Callum Reid.md` lines 9-11"
)


def test_a_turn_shows_what_was_sent_and_numbers_what_it_cites(
    server: ModelServer, open_page: OpenPage, tmp_path: Path
) -> None:
    server.replies = [Reply(SAID), Reply("No.")]
    with serving(copied_vault(tmp_path, model="ollama:m:cloud")) as served:
        page = open_page(served, "/ask", color_scheme="dark", viewport=PHONE)
        ask(page, "Say how late the larch was")
        expect(page.locator(".left > summary")).to_have_text("Sent to ollama:m:cloud: 1 text")
        page.locator(".left > summary").click()
        texts = page.locator(".left-texts")
        expect(texts.locator("pre")).to_contain_text("[user]\nSay how late the larch was")
        expect(texts).to_contain_text(f"ollama:m:cloud · {server.url}/v1")
        assert (fits(page), serious(page)) == (True, {})
        ask(page, "And the oak?")
        expect(page.locator(".left")).to_have_count(2)
        page.locator(".left > summary").nth(1).click()
        # Of this turn alone.
        expect(texts.nth(1).locator("pre")).to_have_count(1)
        expect(texts.nth(1).locator("pre")).to_contain_text("[user]\nAnd the oak?")

        page.reload()
        turn = page.locator(".turn").first
        answer = turn.locator(".answer").inner_text().replace("\xa0", " ").replace("\u202f", " ")
        assert answer == "The larch came late 1 2.\n\nErwan Maout 3\nCallum Reid 4"
        assert [" ".join(row.split()) for row in turn.locator(".sources li").all_inner_texts()] == [
            "1 changelog projects/petrel · lines 32-33",
            "2 2025-07-14 journal · lines 9-12",
            "3 Erwan Maout people",
            "4 Callum Reid people · lines 9-11",
        ]
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        turn.get_by_role("button", name="Copy").click()
        expect(turn.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == SAID
        number = turn.locator(".answer .cite").first
        note = Path(served.vault.root, "projects/petrel/changelog.md").read_text(encoding="utf-8")
        assert number.get_attribute("title") == "\n".join(note.split("\n")[31:33])
        number.click()
        page.wait_for_url("**/note/projects/petrel/changelog.md?lines=32-33#cited")
        expect(page.locator("#cited")).to_be_in_viewport()
