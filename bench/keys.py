"""Measure search as one types: from a key to its results on the screen, in a real browser.

    python -m bench.keys VAULT

VAULT is any folder of Markdown notes; nothing in it is changed. Each key is pressed when the results of the
one before are there. The time runs from the key's event to the frame after the results were put in, so the
pause in which the page waits for a further key is part of it.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Page, sync_playwright

from app.dependencies import VaultClient
from app.serving.keeper import Keeper
from app.tests.web.browser.serving import Watched, chromium, opened, own_settings, serving

TEXTS = (
    "filter by due date",
    "recurring task",
    "done today",
    "sort by priority",
    '"custom status"',
    "dates",
)
WATCH = """() => {
  window.took = [];
  let began = null;
  document.addEventListener("keydown", (event) => { began = event.timeStamp; }, true);
  new MutationObserver(() => {
    const from = began;
    if (from === null) return;
    began = null;
    requestAnimationFrame(() => setTimeout(() => window.took.push(performance.now() - from)));
  }).observe(document.getElementById("found"), { childList: true });
}"""


def typed(page: Page, text: str) -> None:
    """Type a text key by key, waiting for the results of each."""
    box = page.get_by_role("searchbox")
    for letter in text:
        count = page.evaluate("took.length")
        box.press(letter if letter != " " else "Space")
        page.wait_for_function("count => took.length > count", arg=count)
    box.fill("")
    page.wait_for_timeout(300)


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        vault = VaultClient(Path(sys.argv[1]), own_settings(Path(folder)))
        # As `serve` does: it watches the vault, so that a search need not look for changes.
        keeper = Keeper(vault)
        keeper.start()
        keeper.wait()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with serving(vault) as served, opened(browser, served, Watched()) as page:
            page.goto("/")
            page.evaluate(WATCH)
            typed(page, TEXTS[0])
            page.evaluate("took.length = 0")
            for text in TEXTS:
                typed(page, text)
            took: list[float] = page.evaluate("took")
        version = browser.version
        browser.close()
    keys, last = sum(map(len, TEXTS)), quantiles(took, n=20)[-1]
    print(f"{len(vault.scan().notes)} notes, {keys} keys, chromium {version}")
    print(f"key to result, ms: median {median(took):.0f}, 95 of 100 within {last:.0f}, most {max(took):.0f}")


if __name__ == "__main__":
    main()
