"""Asking and chatting in a real browser."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.tests.web.browser.conftest import OpenPage
from app.tests.web.browser.serving import Served, Watched, copied_vault, opened, serving
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


def test_an_answer_with_its_steps_its_citations_and_its_files(example: Served, open_page: OpenPage) -> None:
    page = open_page(example, "/ask")
    ask(page, "When was the boat launched?")
    turn = page.locator(".turn")
    expect(turn.locator(".answer")).to_contain_text("Here is what the notes say")
    expect(turn.locator(".question")).to_have_text("You asked: When was the boat launched?")
    expect(turn.locator(".steps summary")).to_contain_text("1 step")
    cited = turn.locator(".answer a").first
    assert (cited.get_attribute("href") or "").startswith("/note/")
    assert "?lines=" in (cited.get_attribute("href") or "")
    assert page.get_by_label("Your question").evaluate("box => box === document.activeElement")
    turn.locator(".passages summary").click()
    block = turn.locator(".block").first
    path, first = block.locator("h3 a").inner_text(), block.locator(".n").first.get_attribute("data-n")
    lines = (example.vault.root / path).read_text(encoding="utf-8").split("\n")
    assert block.locator("pre").inner_text().split("\n")[0] == lines[int(first or 0) - 1]


def test_steps_are_shown_as_they_happen(own_example: Served, open_page: OpenPage) -> None:
    go_on = threading.Event()

    async def look(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse(parts=[ToolCallPart("search", {"query": "larch"})])
        await asyncio.to_thread(go_on.wait, 10)
        return ModelResponse(
            parts=[ToolCallPart(info.output_tools[0].name, {"overview": "qux\nquux", "files": []})]
        )

    talk_of(own_example).ask_model = FunctionModel(look)
    page = open_page(own_example, "/ask")
    ask(page, "How late was the larch?")
    expect(page.locator(".steps li")).to_have_text(["search: How late was the larch?", "search: larch"])
    expect(page.locator(".turn")).to_have_attribute("aria-busy", "true")
    assert page.locator(".answer").count() == 0
    go_on.set()
    expect(page.locator(".answer")).to_have_text("qux\nquux (uncited)", use_inner_text=True)
    assert page.locator(".turn").get_attribute("aria-busy") is None


def test_a_chat_shows_its_words_as_they_come_and_is_there_after_a_reload(
    own_example: Served, open_page: OpenPage
) -> None:
    talk_of(own_example).chat_model = sayer("The **larch** ", "came late.")
    page = open_page(own_example, "/ask")
    ask(page, "Tell me of the larch")
    expect(page.locator(".answer strong")).to_have_text("larch")
    ask(page, "And then?")
    expect(page.locator(".turn")).to_have_count(2)
    page.reload()
    assert page.locator(".question").all_inner_texts() == [
        "You asked:\nTell me of the larch",
        "You asked:\nAnd then?",
    ]
    page.get_by_role("button", name="Start afresh").click()
    expect(page.locator(".turn")).to_have_count(0)
    expect(page.locator("#empty")).to_be_visible()


def test_a_write_is_shown_approved_and_undone(own_example: Served, open_page: OpenPage) -> None:
    file = own_example.vault.root / NOTE
    before = file.read_text(encoding="utf-8")
    line = next(number for number, text in enumerate(before.split("\n"), 1) if text.startswith("# "))
    talk_of(own_example).chat_model = writer(
        operation="update", path=NOTE, lines=f"{line}-{line}", content="# Callum Reid, shipwright"
    )
    page = open_page(own_example, "/ask")
    ask(page, "Say what he does")
    card = page.locator(".write")
    expect(card.get_by_role("button", name="Approve")).to_be_visible()
    assert card.locator(".row.gone .text").inner_text().endswith("# Callum Reid")
    assert card.locator(".row.new .text").inner_text().endswith("# Callum Reid, shipwright")
    assert file.read_text(encoding="utf-8") == before
    card.get_by_role("button", name="Approve").click()
    expect(page.locator(".answer")).to_contain_text("Told: Done: update")
    assert "# Callum Reid, shipwright\n" in file.read_text(encoding="utf-8")
    expect(page.locator(".write h3")).to_contain_text("Approved")
    page.get_by_role("button", name=f"Undo: changed {NOTE}").click()
    expect(page.locator(".written")).to_contain_text("taken back")
    assert file.read_text(encoding="utf-8") == before


def test_a_write_is_asked_about_in_the_language_of_the_reader(
    own_example: Served, open_page: OpenPage
) -> None:
    talk_of(own_example).chat_model = writer(operation="delete", path=NOTE)
    page = open_page(own_example, "/ask", locale="fr")
    page.get_by_label("Votre question").fill("Supprime-la")
    page.keyboard.press("Enter")
    head = page.locator(".write h3")
    expect(head).to_contain_text("Écrire ceci")
    expect(head).to_contain_text("Mettre")
    expect(page.locator(".diff figcaption")).to_contain_text("Disparaît")
    page.get_by_role("button", name="Refuser").click()
    expect(head).to_contain_text("Refusé")
    assert (own_example.vault.root / NOTE).exists()


def test_a_write_waits_for_a_page_that_comes_back(own_example: Served, open_page: OpenPage) -> None:
    talk_of(own_example).chat_model = writer(operation="create", path="New", content="yes")
    page = open_page(own_example, "/ask")
    ask(page, "Make a note")
    page.get_by_role("button", name="Approve").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    page.reload()
    expect(page.locator(".write")).to_have_count(1)
    page.get_by_role("button", name="Approve").click()
    for each in (page, other):
        expect(each.locator(".write h3")).to_contain_text("Approved")
        expect(each.locator(".answer")).to_contain_text("Told: Done")
    assert (own_example.vault.root / "New.md").read_text() == "yes"


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


def test_a_turn_goes_on_through_a_reload_and_any_tab_follows_it(
    own_example: Served, open_page: OpenPage
) -> None:
    gated = Gated()
    talk_of(own_example).chat_model = gated.model
    page = open_page(own_example, "/ask")
    ask(page, "Tell me of the larch")
    expect(page.locator(".said strong")).to_have_text("larch")
    assert "**" not in page.locator(".said").inner_text()
    page.reload()
    expect(page.locator(".said strong")).to_have_text("larch")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".said strong")).to_have_text("larch")
    page.goto("about:blank")
    gated.go_on.set()
    expect(other.locator(".answer em")).to_have_text("late")
    page.goto(other.url)
    expect(page.locator(".answer")).to_contain_text("The larch came late.")
    assert page.locator(".turn").get_attribute("aria-busy") is None


def test_what_was_said_stays_when_another_tab_stops_it(own_example: Served, open_page: OpenPage) -> None:
    talk_of(own_example).chat_model = Gated().model
    page = open_page(own_example, "/ask")
    ask(page, "Tell me of the larch")
    expect(page.locator(".said strong")).to_have_text("larch")
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Stop").click()
    for each in (page, other):
        expect(each.locator(".turn")).to_contain_text("Stopped; this was said by then:")
        expect(each.locator(".answer strong")).to_have_text("larch")
        expect(each.get_by_role("button", name="Send")).to_be_visible()


def test_what_was_said_stays_when_the_model_breaks_and_it_is_asked_again(
    own_example: Served, open_page: OpenPage
) -> None:
    gated = Gated(breaks=True)
    talk_of(own_example).chat_model = gated.model
    page = open_page(own_example, "/ask")
    ask(page, "Tell me of the larch")
    expect(page.locator(".said strong")).to_have_text("larch")
    gated.go_on.set()
    expect(page.locator(".turn .message.error")).to_be_visible()
    expect(page.locator(".answer strong")).to_have_text("larch")
    gated.breaks = False
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator(".turn").nth(1).locator(".answer em")).to_have_text("late")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".turn").nth(1).get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("The **larch** came *late*.")


def test_talks_are_listed_found_renamed_gone_on_with_and_deleted(
    own_example: Served, open_page: OpenPage
) -> None:
    page = open_page(own_example, "/ask")
    ask(page, "How late was the larch?")
    expect(page.locator(".answer")).to_be_visible()
    page.get_by_role("button", name="Start afresh").click()
    expect(page.locator("#empty")).to_be_visible()
    page.get_by_role("link", name="Earlier talks").click()
    page.get_by_text("Rename or delete").click()
    page.get_by_label("Title").fill("The late larch")
    page.get_by_role("button", name="Rename", exact=True).click()
    page.get_by_label("Words in a talk").fill("zeppelin")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No talk has these words.")).to_be_visible()
    page.get_by_label("Words in a talk").fill("larch")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="The late larch").click()
    expect(page.locator(".question")).to_contain_text("How late was the larch?")
    expect(page.locator(".answer")).to_be_visible()
    page.get_by_role("link", name="Earlier talks").click()
    page.get_by_text("Rename or delete").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".talks li")).to_have_count(0)


def test_a_write_is_approved_with_the_keyboard_alone(own_example: Served, open_page: OpenPage) -> None:
    talk_of(own_example).chat_model = writer(operation="create", path="New", content="yes")
    page = open_page(own_example, "/ask")
    page.keyboard.type("Make a note")
    page.keyboard.press("Enter")
    expect(page.locator(".write")).to_be_focused()
    page.keyboard.press("Enter")
    assert not (own_example.vault.root / "New.md").exists()
    for _ in range(6):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.value") == "approve":
            break
    page.keyboard.press("Enter")
    expect(page.locator(".answer")).to_contain_text("Told: Done")
    assert (own_example.vault.root / "New.md").read_text() == "yes"


def test_what_a_model_says_does_nothing(own_example: Served, open_page: OpenPage, watched: Watched) -> None:
    talk_of(own_example).chat_model = sayer(
        "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\n\n",
        "![](http://tracker.example/seen.png) [a](javascript:alert(1)) [b](data:text/html,x)\n\n",
        "<svg onload=alert(1)></svg> [c](https://example.org/) **end**",
    )
    page = open_page(own_example, "/ask")
    ask(page, "<b onclick=alert(1)>hello</b>")
    expect(page.locator(".answer strong")).to_have_text("end")
    assert page.locator(".turn :is(script, img, svg, iframe, object)").count() == 0
    # As in a note, a picture from elsewhere is a link, which asks for nothing by itself.
    assert page.locator(".answer a").evaluate_all("all => all.map(a => a.href)") == [
        "http://tracker.example/seen.png",
        "https://example.org/",
    ]
    assert page.locator(".question").inner_text().endswith("<b onclick=alert(1)>hello</b>")
    page.reload()
    assert page.title().startswith("Ask – ")
    assert watched.dialogs == []


def test_a_server_that_is_gone_is_said(browser: Browser, tmp_path: Path) -> None:
    # What the browser complains of is meant here.
    watched = Watched()
    with ExitStack() as open_here:
        with serving(copied_vault(tmp_path)) as served:
            page = open_here.enter_context(opened(browser, served, watched))
            page.goto("/ask")
        ask(page, "Is anybody there?")
        expect(page.get_by_role("alert")).to_contain_text("The program does not answer any more")
        assert page.get_by_label("Your question").input_value() == "Is anybody there?"
    assert watched.hosts == {"127.0.0.1"}


def test_an_answer_alone_is_saved_as_a_note_and_taken_back(own_example: Served, open_page: OpenPage) -> None:
    page = open_page(own_example, "/ask")
    ask(page, "How late was the larch?")
    turn = page.locator(".turn").first
    turn.get_by_role("button", name="Save as a note").click()
    expect(turn.get_by_text("Changes made")).to_be_visible()
    path = turn.locator(".written a").inner_text()
    text = (own_example.vault.root / path).read_text(encoding="utf-8")
    assert path.endswith(" How late was the larch.md")
    assert "# How late was the larch?\n" in text
    assert "[[projects/petrel/changelog]] lines 32-34:\n> The larch came on 8 July" in text
    page.reload()
    turn.locator(".written").get_by_role("button").click()
    expect(turn.locator(".written")).to_contain_text("taken back")
    expect(turn.get_by_role("button", name="Save as a note")).to_be_visible()
    assert not (own_example.vault.root / path).exists()


def test_what_one_window_asks_the_other_shows_without_being_looked_at(
    own_example: Served, open_page: OpenPage, watched: Watched
) -> None:
    gated = Gated()
    talk_of(own_example).chat_model = gated.model
    page = open_page(own_example, "/ask")
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_label("Your question").fill("half a thought")
    page.bring_to_front()
    ask(page, "Tell me of the larch")
    expect(other.locator(".said strong")).to_have_text("larch")
    expect(other.get_by_label("Your question")).to_have_value("half a thought")
    gated.go_on.set()
    expect(other.locator(".answer em")).to_have_text("late")
    expect(other.get_by_role("button", name="Send")).to_be_visible()
    # Nobody asks again and again whether there is something new.
    assert len([url for url in watched.requests if url.endswith("/ask/now")]) <= 2
    other.get_by_label("Your question").fill("")
    page.get_by_role("button", name="Start afresh").click()
    expect(other.locator(".turn")).to_have_count(0)
