"""Asking and chatting in a real browser."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from typing import Any

from playwright.sync_api import Page, expect
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served
from app.tests.web.browser.test_browser_looks import PHONE, fits, serious
from app.web.talk.sessions import Talk

NOTE = "people/Callum Reid.md"


def talk_of(served: Served) -> Talk:
    talk: Talk = served.app.state.talk
    return talk


def ask(page: Page, question: str) -> None:
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")


def writer(**call: Any) -> FunctionModel:
    """A model that makes one call of `note_operations`, then repeats what the tool said."""

    async def write(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        last = messages[-1].parts[-1]
        if isinstance(last, ToolReturnPart):
            yield f"Told: {last.content}"
        else:
            yield {0: DeltaToolCall("note_operations", json.dumps(call), tool_call_id=f"w{len(messages)}")}

    return FunctionModel(stream_function=write)


def sayer(*words: str) -> FunctionModel:
    async def say(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        for word in words:
            yield word

    return FunctionModel(stream_function=say)


class Gated:
    """A model that says something, then waits until it may go on, or breaks."""

    def __init__(self, *, breaks: bool = False) -> None:
        self.go_on = threading.Event()
        self.breaks = breaks

    async def _say(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        yield "The **larch** "
        while not self.go_on.is_set():
            await asyncio.sleep(0.01)
        if self.breaks:
            raise RuntimeError("no memory left")
        yield "came *late*."

    @property
    def model(self) -> FunctionModel:
        return FunctionModel(stream_function=self._say)


def test_an_answer_is_cited_saved_and_kept_among_the_talks(own_example: Served, open_page: OpenPage) -> None:
    root = own_example.vault.root
    page = open_page(own_example, "/ask")
    ask(page, "How late was the larch?")
    turn = page.locator(".turn")
    expect(turn.locator(".answer")).to_contain_text("8 July")
    expect(turn.locator(".question")).to_have_text("You asked: How late was the larch?")
    expect(turn.locator(".steps summary")).to_contain_text("1 step")
    cited = turn.locator(".answer a").first.get_attribute("href") or ""
    assert cited.startswith("/note/")
    assert "?lines=" in cited
    assert page.get_by_label("Your question").evaluate("box => box === document.activeElement")
    turn.locator(".passages summary").click()
    block = turn.locator(".block").first
    path, first = block.locator("h3 a").inner_text(), block.locator(".n").first.get_attribute("data-n")
    lines = (root / path).read_text(encoding="utf-8").split("\n")
    assert block.locator("pre").inner_text().split("\n")[0] == lines[int(first or 0) - 1]

    turn.get_by_role("button", name="Save as a note").click()
    expect(turn.get_by_text("Changes made")).to_be_visible()
    path = turn.locator(".written a").inner_text()
    text = (root / path).read_text(encoding="utf-8")
    assert "# How late was the larch?\n" in text
    assert "[[projects/petrel/changelog]] lines 32-34:\n> The larch came on 8 July" in text
    page.reload()
    turn.locator(".written").get_by_role("button").click()
    expect(turn.locator(".written")).to_contain_text("taken back")
    assert not (root / path).exists()

    page.get_by_role("button", name="Start afresh").click()
    expect(page.locator("#empty")).to_be_visible()
    page.get_by_role("link", name="Earlier talks").click()
    page.get_by_text("Rename or delete").click()
    page.get_by_label("Title").fill("The late larch")
    page.get_by_role("button", name="Rename", exact=True).click()
    words = page.get_by_label("Words in a talk")
    words.fill("zeppelin")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No talk has these words.")).to_be_visible()
    words.fill("larch")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="The late larch").click()
    expect(page.locator(".question")).to_contain_text("How late was the larch?")
    page.get_by_role("link", name="Earlier talks").click()
    page.get_by_text("Rename or delete").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".talks li")).to_have_count(0)

    french = open_page(own_example, "/ask", locale="fr-FR")
    french.get_by_label("Votre question").fill("When was the boat launched?")
    french.keyboard.press("Enter")
    expect(french.locator(".left").last).to_have_text("Rien n'a quitté cette machine.")


def test_a_write_is_shown_approved_undone_and_refused(own_example: Served, open_page: OpenPage) -> None:
    file = own_example.vault.root / NOTE
    before = file.read_text(encoding="utf-8")
    line = next(number for number, text in enumerate(before.split("\n"), 1) if text.startswith("# "))
    talk_of(own_example).chat_model = writer(
        operation="update", path=NOTE, lines=f"{line}-{line}", content="# Callum Reid, shipwright"
    )
    page = open_page(own_example, "/ask", viewport=PHONE)
    page.keyboard.type("Say what he does")
    page.keyboard.press("Enter")
    card, approve = page.locator(".write"), page.get_by_role("button", name="Approve")
    expect(card).to_be_focused()
    page.keyboard.press("Enter")
    assert card.locator(".row.gone .text").inner_text().endswith("# Callum Reid")
    assert card.locator(".row.new .text").inner_text().endswith("# Callum Reid, shipwright")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert (fits(page), serious(page)) == (True, {})
    other = page.context.new_page()
    other.goto(page.url)
    page.reload()
    expect(card).to_have_count(1)
    assert file.read_text(encoding="utf-8") == before
    approve.focus()
    page.keyboard.press("Enter")
    for each in (page, other):
        expect(each.locator(".write h3")).to_contain_text("Approved")
        expect(each.locator(".answer")).to_contain_text("Told: Done: update")
    assert "# Callum Reid, shipwright\n" in file.read_text(encoding="utf-8")
    assert serious(page) == {}
    page.get_by_role("button", name=f"Undo: changed {NOTE}").click()
    expect(page.locator(".written")).to_contain_text("taken back")
    assert file.read_text(encoding="utf-8") == before

    talk_of(own_example).chat_model = writer(operation="delete", path=NOTE)
    french = open_page(own_example, "/ask", locale="fr")
    french.get_by_label("Votre question").fill("Supprime-la")
    french.keyboard.press("Enter")
    head = french.locator(".write h3").last
    expect(head).to_contain_text("Écrire ceci")
    french.get_by_role("button", name="Refuser").click()
    expect(head).to_contain_text("Refusé")
    assert file.exists()


def test_a_turn_goes_on_through_a_reload_is_stopped_breaks_and_is_asked_again(
    own_example: Served, open_page: OpenPage
) -> None:
    gated = Gated()
    talk_of(own_example).chat_model = gated.model
    page = open_page(own_example, "/ask")
    other = page.context.new_page()
    other.goto(page.url)
    thought = other.get_by_label("Your question")
    thought.fill("half a thought")
    page.bring_to_front()
    ask(page, "Tell me of the larch")
    expect(other.locator(".said strong")).to_have_text("larch")
    page.reload()
    expect(page.locator(".said strong")).to_have_text("larch")
    gated.go_on.set()
    for each in (page, other):
        expect(each.locator(".answer em")).to_have_text("late")
        expect(each.get_by_role("button", name="Send")).to_be_visible()
    expect(thought).to_have_value("half a thought")

    gated.go_on.clear()
    page.bring_to_front()
    ask(page, "And the oak?")
    expect(page.locator(".said strong")).to_have_text("larch")
    other.get_by_role("button", name="Stop").click()
    for each in (page, other):
        expect(each.locator(".turn").nth(1)).to_contain_text("Stopped; this was said by then:")
        expect(each.locator(".answer strong").nth(1)).to_have_text("larch")
        expect(each.get_by_role("button", name="Send")).to_be_visible()

    gated.breaks = True
    ask(page, "And the elm?")
    expect(page.locator(".said strong")).to_have_text("larch")
    gated.go_on.set()
    expect(page.locator(".turn").nth(2).locator(".message.error")).to_be_visible()
    expect(page.locator(".answer strong").nth(2)).to_have_text("larch")
    gated.breaks = False
    page.get_by_role("button", name="Ask again").last.click()
    expect(page.locator(".turn").nth(3).locator(".answer em")).to_have_text("late")
    thought.fill("")
    page.get_by_role("button", name="Start afresh").click()
    expect(other.locator(".turn")).to_have_count(0)
