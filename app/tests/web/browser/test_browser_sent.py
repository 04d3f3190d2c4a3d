"""What each turn of the talk sent to which model, in a real browser and with a model server of our own."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.tests.llm.conftest import server as server
from app.tests.llm.server import ModelServer, Reply
from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, copied_vault, serving
from app.tests.web.browser.test_browser_ask import ask
from app.tests.web.browser.test_browser_looks import PHONE, fits, serious


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("ollama:m:cloud", "Sent to ollama:m:cloud: 1 text"),
        ("openai-chat:m", "Nothing left this machine: openai-chat:m, which runs on it, was given 1 text"),
    ],
)
def test_each_turn_shows_what_was_sent_to_which_model(
    server: ModelServer, open_page: OpenPage, tmp_path: Path, model: str, said: str
) -> None:
    server.replies = [Reply("The larch came late.")]
    with serving(copied_vault(tmp_path, model=model)) as served:
        page = open_page(served, "/ask", color_scheme="dark", viewport=PHONE)
        ask(page, "Say how late the larch was")
        summary = page.locator(".left > summary")
        # The library of the provider is imported for the first question.
        expect(page.get_by_role("button", name="Send")).to_be_visible(timeout=60_000)
        expect(summary).to_have_text(said)
        summary.click()
        text = page.locator(".left-texts pre")
        expect(text).to_contain_text("[user]\nSay how late the larch was")
        expect(page.locator(".left-texts")).to_contain_text(f"{model} · {server.url}/v1")
        assert serious(page) == {}
        assert fits(page)
        page.reload()
        page.locator(".left > summary").click()
        expect(page.locator(".left-texts pre")).to_have_count(1)
        server.replies = [Reply("No.")]
        ask(page, "And the oak?")
        expect(page.locator(".left")).to_have_count(2)
        expect(page.get_by_role("button", name="Send")).to_be_visible()
        page.locator(".left > summary").nth(1).click()
        # Of this turn alone.
        expect(page.locator(".left-texts").nth(1).locator("pre")).to_have_count(1)
        expect(page.locator(".left-texts").nth(1).locator("pre")).to_contain_text("[user]\nAnd the oak?")
        (served.vault.settings.state_folder / "sent" / "sent.jsonl").unlink()
        page.reload()
        page.locator(".left > summary").first.click()
        expect(page.locator(".left-texts").first).to_have_text("1 text is not in the log any more.")


def test_without_a_model_nothing_leaves(own_example: Served, open_page: OpenPage) -> None:
    page = open_page(own_example, "/ask", locale="fr-FR")
    page.get_by_label("Votre question").fill("When was the boat launched?")
    page.keyboard.press("Enter")
    expect(page.locator(".left")).to_have_text("Rien n'a quitté cette machine.")
    assert serious(page) == {}
