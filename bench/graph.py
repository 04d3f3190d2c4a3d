"""Measure how smoothly the graph of a vault moves, in the trace of a real browser.

    python -m bench.graph VAULT [--state FOLDER] [--seconds 5] [--pictures FOLDER]

VAULT is any folder of Markdown notes; nothing in it is changed. The index is kept in FOLDER, so that a second
run need not make it again. The pointer moves sixty times a second, as a hand moves it: it does not wait for
the page. Counted are the frames that Chromium's trace says it drew (``DrawFrame``), the pauses between them,
the longest task of the page, and what a frame cost the browser's processes, the layout's worker included.
Without a graphics card Chromium draws with the processor, which is the hardest case.
"""

import argparse
import asyncio
import json
import math
import os
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from app.dependencies import VaultClient
from app.tests.web.browser.serving import TOKEN, chromium, indexed, own_settings, serving

CATEGORIES = ["disabled-by-default-devtools.timeline.frame", "devtools.timeline"]
TASKS = ("FireAnimationFrame", "EventDispatch", "FunctionCall", "HandlePostMessage")

RATE = 60
"""Moves of the pointer in a second."""
WAIT_MS = 180_000
SIGMA = "document.getElementById('whole-graph').graph"
RENDERER = """() => {
  const context = document.createElement("canvas").getContext("webgl2");
  const known = context.getExtension("WEBGL_debug_renderer_info");
  return known ? context.getParameter(known.UNMASKED_RENDERER_WEBGL) : "unknown";
}"""
HEAD = (
    "| | frames a second | median pause, ms | 95 of 100 within | longest | longest task | processor a frame |"
)


@dataclass(frozen=True, slots=True)
class Row:
    """What one way of moving came to; times in milliseconds."""

    name: str
    rate: float
    pauses: list[float]
    longest_task: float
    processor: float

    def __str__(self) -> str:
        within = quantiles(self.pauses, n=20)[-1]
        return (
            f"| {self.name} | {self.rate:.1f} | {median(self.pauses):.0f} | {within:.0f} |"
            f" {max(self.pauses):.0f} | {self.longest_task:.0f} | {self.processor:.0f} |"
        )


async def _moves(page: Page, seconds: float, place: Callable[[float], tuple[float, float]]) -> None:
    """Move the pointer along a path of time, waiting for the clock and not for the page."""
    clock = asyncio.get_running_loop()
    begun, sent = clock.time(), []
    while (past := clock.time() - begun) < seconds:
        sent.append(asyncio.create_task(page.mouse.move(*place(past))))
        await asyncio.sleep(1 / RATE)
    await asyncio.gather(*sent)


async def _middle(page: Page) -> tuple[float, float]:
    box = await page.locator("#whole-graph").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def watch(page: Page, seconds: float) -> None:
    """Let the picture move by itself."""
    await page.wait_for_timeout(seconds * 1000)


async def pan(page: Page, seconds: float) -> None:
    """Drag the picture in circles."""
    x, y = await _middle(page)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await _moves(
        page, seconds, lambda past: (x + 180 * math.sin(2 * past), y + 120 * (1 - math.cos(2 * past)))
    )
    await page.mouse.up()


async def zoom(page: Page, seconds: float) -> None:
    """Turn the wheel: five steps in, five out, and again."""
    await page.mouse.move(*await _middle(page))
    clock = asyncio.get_running_loop()
    begun, step, sent = clock.time(), 0, []
    while clock.time() - begun < seconds:
        sent.append(asyncio.create_task(page.mouse.wheel(0, -120 if step % 10 < 5 else 120)))
        step += 1
        await asyncio.sleep(0.2)
    await asyncio.gather(*sent)


async def point(page: Page, seconds: float) -> None:
    """Lead the pointer over the notes, which lights up one after the other."""
    x, y = await _middle(page)
    await _moves(page, seconds, lambda past: (x + 110 * math.sin(1.7 * past), y + 110 * math.sin(2.3 * past)))


def _below(root: int) -> Iterator[int]:
    """The processes that came from one, itself among them."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [root]
    for one in found:
        yield one
        found += [child for child, parent in parents.items() if parent == one]


def _processor() -> float:
    """Return the seconds of processor that the browser has had, all its processes together."""
    ticks = 0
    for process in _below(os.getpid()):
        folder = Path("/proc", str(process))
        try:
            if b"chrom" in (folder / "cmdline").read_bytes():
                ticks += sum(map(int, (folder / "stat").read_text().rpartition(")")[2].split()[11:13]))
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


async def measured(
    browser: Browser, page: Page, name: str, moving: Callable[[Page, float], Awaitable[None]], seconds: float
) -> Row:
    """Trace what one way of moving does."""
    clock = asyncio.get_running_loop()
    await browser.start_tracing(page=page, categories=CATEGORIES)
    begun, had = clock.time(), _processor()
    await moving(page, seconds)
    took, cost = clock.time() - begun, _processor() - had
    events: list[dict[str, Any]] = json.loads(await browser.stop_tracing())["traceEvents"]
    frames = sorted(event["ts"] / 1000 for event in events if event["name"] == "DrawFrame")
    pauses = [after - before for before, after in pairwise(frames)]
    page_threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = (
        event.get("dur", 0) / 1000
        for event in events
        if event["name"] in TASKS and (event["pid"], event["tid"]) in page_threads
    )
    return Row(name, len(frames) / took, pauses, max(tasks, default=0), 1000 * cost / max(1, len(frames)))


async def run(url: str, seconds: float, pictures: Path | None) -> None:
    """Open the graph, move it in each way, and print the figures."""

    async def picture(name: str) -> None:
        if pictures is not None:
            await page.screenshot(path=pictures / f"{name}.png")

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = await (
            await browser.new_context(base_url=url, viewport={"width": 1280, "height": 800})
        ).new_page()
        page.set_default_timeout(WAIT_MS)
        await page.context.request.get(f"/enter?token={TOKEN}")
        clock = asyncio.get_running_loop()
        begun = clock.time()
        await page.goto("/graph")
        await page.wait_for_function(f"() => {SIGMA}")
        first = clock.time() - begun
        rows = [
            await measured(browser, page, "while it is laid out", watch, seconds / 2),
            await measured(browser, page, "dragged meanwhile", pan, seconds / 2),
        ]
        await picture("laid out")
        await page.wait_for_selector("#whole-graph[data-drawn]")
        whole = clock.time() - begun
        show_all = page.get_by_role("button", name="Show all")
        for name, moving in (("dragged", pan), ("zoomed", zoom), ("pointed at", point)):
            await show_all.click()
            await page.wait_for_timeout(1000)
            rows.append(await measured(browser, page, name, moving, seconds))
            await page.wait_for_timeout(1000)
            await picture(name)
        notes, links = await page.evaluate(f"[{SIGMA}.getGraph().order, {SIGMA}.getGraph().size]")
        print(f"{notes} notes, {links} links; chromium {browser.version}, {await page.evaluate(RENDERER)}")
        print(
            f"first picture after {first:.1f} s, laid out after {whole:.1f} s; load {os.getloadavg()[0]:.1f}"
        )
        print(f"\n{HEAD}\n|{' --- |' + ' ---: |' * 6}", *rows, sep="\n")
        await browser.close()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("vault", type=Path)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--pictures", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        vault = indexed(VaultClient(asked.vault, own_settings(asked.state or Path(folder))))
        with serving(vault) as served:
            asyncio.run(run(served.url, asked.seconds, asked.pictures))


if __name__ == "__main__":
    main()
