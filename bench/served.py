"""Measure the page's server on a large vault: its memory, and the processor that a typed key takes.

    python -m bench.served VAULT --work DIR

VAULT is any folder of Markdown notes; nothing in it is changed. The index is kept in DIR. Its vectors are
drawn by chance, since neither memory nor time depends on what they say; questions go through the real model.
The server is the command `serve`, a process of its own. Memory is what the system says of that process. A key
is what the page asks the server for when one is pressed: the results, and then what narrows them. Its cost is
the time that all threads of the server ran, to the nanosecond. Each text is typed once, after another one.
"""

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import quote

from app.config.settings import Settings
from app.dependencies import VaultClient
from app.search import search
from app.search.searcher import searcher_for
from bench.deep import fill
from bench.scale import TYPED

TOKEN = "a-token-for-the-measurement"
FIRST = "weekly review"
MEANT = ("how do I repeat a task", "what is due next week", "hide what is done", "colours of a status")


def settings(work: Path) -> Settings:
    return Settings(cache_dir=work / "cache", state_dir=work / "state")


def prepare(vault: Path, work: Path) -> None:
    """Make the index, with vectors."""
    client = VaultClient(vault, settings(work))
    searcher = searcher_for(client)
    searcher.update()
    lexical = searcher.view().lexical
    made = fill(client, searcher)
    print(f"{len(lexical.paths())} notes, {int(lexical.chunks.sum())} passages; {made} vectors made")


def memory(process: int) -> dict[str, float]:
    """Return what a process holds, in MB: all, what no file backs, and mapped files."""
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    )
    return {name: int(status[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon", "RssFile")}


def told(step: str, process: int) -> None:
    held = memory(process)
    print(f"| {step} | {held['VmRSS']:.0f} | {held['RssAnon']:.0f} | {held['RssFile']:.0f} |", flush=True)


def shares(vault: Path, work: Path) -> None:
    """Do in one process what the server does, a step at a time."""
    own = os.getpid()
    told("imports", own)
    client = VaultClient(vault, settings(work))
    searcher = searcher_for(client)
    search(client, FIRST, "fast")
    told("the index, and a search by words", own)
    view = searcher.view()
    assert view.vectors is not None
    kept = view.vectors.wanted()
    kept.embedder.encode_query(MEANT[0])
    told("the model, and the vector of a question", own)
    search(client, MEANT[0], "deep")
    told("the vectors, and a search by meaning", own)
    for text in MEANT:
        search(client, text, "deep")
    told("more of them", own)


def ran(process: int) -> float:
    """Return the milliseconds for which the threads of a process ran."""
    total = 0
    for thread in Path(f"/proc/{process}/task").iterdir():
        try:
            total += int((thread / "schedstat").read_text("ascii").split()[0])
        except OSError:
            continue
    return total / 1e6


class Browser:
    """What asks the server as the page does."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        self._cookie = ""
        _, headers = self._ask(f"/enter?token={TOKEN}")
        self._cookie = headers["set-cookie"].partition(";")[0]

    def _ask(self, address: str, part: bool = False) -> tuple[bytes, http.client.HTTPMessage]:
        headers = {"Cookie": self._cookie} | ({"HX-Request": "true"} if part else {})
        self._connection.request("GET", address, headers=headers)
        answer = self._connection.getresponse()
        text = answer.read()
        assert answer.status < 300, (address, answer.status, text[:300])
        return text, answer.headers

    def page(self, address: str) -> str:
        """Return a whole page."""
        return self._ask(address)[0].decode()

    def part(self, address: str) -> str:
        """Return what the page's script asks for."""
        return self._ask(address, part=True)[0].decode()


@contextmanager
def served(vault: Path, work: Path) -> Iterator[tuple[Browser, int]]:
    """Run `serve`, until its index is up to date."""
    environment = {
        **os.environ,
        "VAULT_ASSISTANT_CACHE_DIR": str(work / "cache"),
        "VAULT_ASSISTANT_STATE_DIR": str(work / "state"),
        "PYTHONUNBUFFERED": "1",
    }
    command = [sys.executable, "-m", "app.cli.entry", "serve", "--vault", str(vault), "--port", "0"]
    process = subprocess.Popen(
        [*command, "--no-browser", "--token", TOKEN],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        port = next(
            int(found[1]) for line in process.stdout if (found := re.search(r"127\.0\.0\.1:(\d+)", line))
        )
        browser = Browser(port)
        time.sleep(3)
        while "<progress" in browser.part("/status/progress"):
            time.sleep(0.5)
        yield browser, process.pid
    finally:
        process.terminate()
        process.wait(60)


def keys(browser: Browser, process: int) -> list[float]:
    """Type each text, and return what its keys cost the server."""
    costs = []
    for text in TYPED:
        for end in range(1, len(text) + 1):
            query = quote(text[:end])
            before = ran(process)
            browser.part(f"/?q={query}")
            browser.part(f"/facets?q={query}")
            costs.append(ran(process) - before)
    return costs


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("vault", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    asked = parser.parse_args()
    spawn = get_context("spawn")

    def apart(target: object) -> None:
        child = spawn.Process(target=target, args=(asked.vault, asked.work))  # type: ignore[arg-type]
        child.start()
        child.join()
        assert child.exitcode == 0

    apart(prepare)
    head = "| memory, MB | all | of its own | mapped files |\n| --- | ---: | ---: | ---: |"
    print(f"\nOne process, step by step:\n\n{head}", flush=True)
    apart(shares)
    print(f"\nThe server:\n\n{head}", flush=True)
    with served(asked.vault, asked.work) as (browser, process):
        told("started", process)
        browser.page(f"/?q={quote(FIRST)}")
        told("after a search by words", process)
        costs = keys(browser, process)
        told(f"after {len(costs)} keys", process)
        while "data-again" in (first := browser.part(f"/meaning?q={quote(MEANT[0])}")):
            time.sleep(1)
        assert "data-result" in first
        told("after a search by meaning", process)
        for text in MEANT * 5:
            browser.part(f"/meaning?q={quote(text)}")
        told(f"after {5 * len(MEANT)} more", process)
        for address in ("/graph", "/graph.json", "/timeline", "/tags", "/status", "/browse/"):
            browser.page(address)
        told("after the graph, the timeline, tags and status", process)
    low, high = median(costs), quantiles(costs, n=20)[-1]
    print(f"\na key, ms of the server: median {low:.0f}, 95 of 100 within {high:.0f}, most {max(costs):.0f}")
    print(json.dumps({"load": os.getloadavg()[0]}))


if __name__ == "__main__":
    main()
