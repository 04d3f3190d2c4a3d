"""Make the pictures in docs/screenshots: each page of the example vault, in light and dark.

Run by hand, with the extra ``dev`` and a chromium: ``python -m bench.screenshots [FOLDER]``. The answers are
those of the offline assistant; the change that is proposed comes from a scripted model.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.dependencies import VaultClient
from app.tests.web.browser.serving import (
    EXAMPLE,
    Served,
    Watched,
    chromium,
    indexed,
    opened,
    own_settings,
    serving,
)

TARGET = Path(__file__).parents[1] / "docs" / "screenshots"
WINDOW = {"width": 1100, "height": 760}
PHONE = {"width": 390, "height": 760}
SETTLED_MS = 400
"""How long what is fetched later, such as the facets, is waited for, in milliseconds."""
QUESTION = "How late was the larch, and when was the boat launched?"
CHANGE = {
    "operation": "update",
    "path": "projects/petrel/tasks.md",
    "lines": "32-33",
    "content": "- [x] Two pages for the album, before we start embroidering ✅ 2025-08-17\n"
    "- [x] Send copies to Ullapool, with a photograph ✅ 2025-08-26\n",
}


WHY = "Tell me why the larch was late, and how she is built."
BECAUSE = (
    "The larch came on 8 July instead of 10 June, because the kiln broke down "
    "(`projects/petrel/changelog.md` lines 32-33). Strakes two and three are on, with 164 euros of copper "
    "holding them (`projects/petrel/changelog.md` lines 39-40). [[Callum Reid]] builds boats at weekends "
    "(`people/Callum Reid.md` lines 9-11)."
)


async def clerk(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
    """Play a model that answers one question with citations, and else proposes one change."""
    last = messages[-1].parts[-1]
    if WHY in str(getattr(last, "content", "")):
        yield BECAUSE
    elif isinstance(last, ToolReturnPart):
        yield "Both boxes of **Write down the launch** are ticked: `projects/petrel/tasks.md` lines 32-33."
    else:
        yield "I will tick the second box.\n\n"
        yield {0: DeltaToolCall("note_operations", json.dumps(CHANGE), tool_call_id=f"c{len(messages)}")}


def ask(page: Page, question: str) -> None:
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")


def answer(page: Page) -> None:
    page.goto("/ask")
    ask(page, QUESTION)
    page.locator(".answer").wait_for()


def preview(page: Page) -> None:
    page.goto("/ask")
    ask(page, WHY)
    turn = page.locator(".turn", has_text=WHY)
    turn.locator(".sources").wait_for()
    cited = turn.locator(".cite").first
    if page.viewport_size == PHONE:
        cited.tap()
    else:
        cited.hover()
    page.locator("#preview:popover-open").wait_for()


def note_preview(page: Page) -> None:
    page.goto("/note/people/Callum%20Reid.md")
    page.locator(".note a", has_text="Petrel").first.hover()
    page.locator("#preview:popover-open").wait_for()


def proposal(page: Page) -> None:
    page.goto("/ask")
    ask(page, "The copies went to Ullapool, with a photograph. Tick it off.")
    page.get_by_role("button", name="Approve").wait_for()


def written(page: Page) -> None:
    page.get_by_role("button", name="Approve").click()
    page.locator(".written").wait_for()


def why(page: Page) -> None:
    page.goto("/?q=larch")
    page.get_by_role("button", name="Why this?").first.click()
    page.locator(".why .message").first.wait_for()


def note(page: Page) -> None:
    page.goto("/note/projects/petrel/description.md")
    page.locator("#around summary").first.click()
    page.locator("#graph[data-drawn]").wait_for()


def at(address: str) -> Callable[[Page], None]:
    """Make the scene of an address."""

    def go(page: Page) -> None:
        page.goto(address)

    return go


SCENES: dict[str, Callable[[Page], None]] = {
    "search": why,
    "search-narrowed": at("/?q=boat&tag=project/boat&from=2025-07&to=2025-08"),
    "search-nothing": at("/?q=zeppelin"),
    "note": note,
    "note-cited": at("/note/projects/petrel/changelog.md?lines=39-40#cited"),
    "note-preview": note_preview,
    "note-missing": at("/note/projects/petrel/descripton.md"),
    "canvas": at("/canvas/projects/petrel/bucket/rigging.canvas"),
    "base": at("/base/bucket/T%C3%A2ches.base"),
    "ask-empty": at("/ask"),
    "ask": answer,
    "ask-preview": preview,
    "write": proposal,
    "written": written,
    "status": at("/status"),
}
ON_A_PHONE = ("search", "note", "canvas", "ask", "ask-preview", "write")
WITH_A_MODEL = ("ask-preview", "write", "written")
CLERK = FunctionModel(stream_function=clerk, model_name="a scripted model")


def picture(browser: Browser, served: Served, folder: Path, scheme: str) -> None:
    """Go through all scenes in one window, as one person would."""
    # The phone first: it leaves the change unanswered, and so unmade.
    for is_phone in (True, False):
        window = {"viewport": PHONE if is_phone else WINDOW, "has_touch": is_phone}
        with opened(browser, served, Watched(), color_scheme=scheme, **window) as page:
            for name, scene in SCENES.items():
                if is_phone and name not in ON_A_PHONE:
                    continue
                served.app.state.talk.chat_model = CLERK if name in WITH_A_MODEL else None
                scene(page)
                page.wait_for_timeout(SETTLED_MS)
                page.screenshot(path=folder / f"{name}{'-phone' if is_phone else ''}-{scheme}.png")


def main() -> None:
    """Make all of them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            # A name that stays: the page on the index shows it. One each, since the process knows the first.
            own = Path(tempfile.gettempdir(), f"vault-assistant-pictures-{scheme}")
            shutil.rmtree(own, ignore_errors=True)
            shutil.copytree(EXAMPLE, own / "Port-Avel")
            with serving(indexed(VaultClient(own / "Port-Avel", own_settings(own)))) as served:
                picture(browser, served, folder, scheme)
            shutil.rmtree(own)
        browser.close()
    for file in sorted(folder.glob("*.png")):
        print(f"{file.stat().st_size // 1024:5} KB  {file.name}")


if __name__ == "__main__":
    main()
