"""Time the query language on a large vault: ``python bench/query.py SOURCE [--notes 6500]``.

SOURCE is any vault; its sections are shuffled into as many notes as asked for, with words, names, tags
and properties varied, in a temporary folder. Every figure is the median of three runs, each on a fresh
snapshot, so that no mask is cached; "warm" runs keep the texts that an earlier query has read.
"""

import argparse
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from app.config.settings import Settings
from app.dependencies import VaultClient
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for

SECTION = re.compile(r"^(?=#{1,6} )", re.MULTILINE)
STATUSES = ("draft", "review", "done", "en-cours", "bloqué")
NAMES = ("amber", "basalt", "cedar", "delta", "ember", "fjord", "granit", "houle", "iris", "jade", "kelp")

WORDS = "recurring task due date"
QUERIES = {
    "index terms": ["tag:#topic/iris", "[status:done]", "[due:<2025-03-01]", "path:area7", "-tag:#topic",
                    "tag:#topic/iris [status:draft] -path:area7"],
    "phrase": ['"due date"', '"status: en-cours"'],
    "line:": ["line:kelp42", "line:iris",
              "line:recurrence", "line:(recurrence weekly)", "line:(tasks due)", "line:task"],
    "other scopes": ["section:(due recurrence)", "block:(due recurrence)", "task-todo:(due)"],
    "regular expression": [r"/\d{4}-\d{2}-\d{2}/", r"/^- \[ \] .*due/", r"/(?<!un)known\s+\w+ing/",
                           r"/\bt\w+k\w*\b.*\bzzz/"],
}  # fmt: skip


def make_vault(source: Path, folder: Path, notes: int, seed: int = 7) -> None:
    rng = random.Random(seed)
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(source.rglob("*.md"))]
    sections = [part for text in texts for part in SECTION.split(text) if len(part) > 40]
    for number in range(notes):
        size, body = rng.randint(400, 4200), ""
        while len(body) < size:
            body += varied(rng, rng.choice(sections)[:2500]) + "\n\n"
        name = f"{rng.choice(NAMES)} {rng.choice(NAMES)} {number}"
        file = folder / f"area{number % 23}" / f"{rng.choice(NAMES)}" / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        head = (
            f"---\nstatus: {rng.choice(STATUSES)}\ntags: [topic/{rng.choice(NAMES)}]\n"
            f"due: 2025-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}\nprice: {rng.randint(1, 90)}\n---\n"
        )
        file.write_text(f"{head}# {name}\n\n{body}", encoding="utf-8")


def varied(rng: random.Random, text: str) -> str:
    def word(match: re.Match[str]) -> str:
        return f"{rng.choice(NAMES)}{rng.randrange(4000)}" if rng.random() < 0.04 else match[0]

    return re.sub(r"[a-zà-ÿ]{5,}", word, text)


def median(run: Callable[[], object], times: int = 3) -> float:
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        run()
        spent.append(time.perf_counter() - begun)
    return statistics.median(spent) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("source", type=Path)
    parser.add_argument("--notes", type=int, default=6500)
    parser.add_argument("--keep", type=Path, help="a folder to make the vault in, and use again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = options.keep or Path(temporary)
        vault = root / "vault"
        if not vault.exists():
            make_vault(options.source, vault, options.notes)
        client = VaultClient(vault, Settings(cache_dir=root / "cache"))
        searcher = searcher_for(client)
        searcher.update()
        size = sum(path.stat().st_size for path in vault.rglob("*.md")) / 1e6
        print(f"{int(searcher.view().snapshot.visible.sum())} notes, {size:.1f} MB\n")
        measure(client, searcher)


def measure(client: VaultClient, searcher: Searcher) -> None:
    from app.search.index.snapshot import VaultSnapshot
    from app.search.index.texts import Texts
    from app.search.query.evaluate import query_filter
    from app.search.query.parse import parse_query
    from app.search.view import View

    lexical = searcher.view().lexical
    warm = View(VaultSnapshot(lexical), client)
    query_filter(warm, parse_query("tag:#topic path:area [status:done] -/zzz/"))

    def fresh(texts: Texts | None = None) -> View:
        view = View(VaultSnapshot(lexical), client)
        if texts is not None:
            view.snapshot.texts = texts
        # What every search makes anyway is no cost of the query.
        _ = view.snapshot.visible, view.snapshot.keys
        return view

    print("| kind | query | notes | cold, ms | warm, ms |\n| --- | --- | ---: | ---: | ---: |")
    for kind, texts in QUERIES.items():
        for text in texts:
            query = parse_query(text)
            kept = Texts(lexical.text)
            count = int(query_filter(fresh(kept), query).sum())
            cold_ms = median(lambda query=query: query_filter(fresh(), query))  # type: ignore[misc]
            warm_ms = median(
                lambda query=query, kept=kept: query_filter(fresh(kept), query)  # type: ignore[misc]
            )
            print(f"| {kind} | `{text}` | {count} | {cold_ms:.1f} | {warm_ms:.1f} |")
    print("\n| search of passages | without the filter, ms | with it, ms |\n| --- | ---: | ---: |")
    for operator in QUERIES["index terms"]:
        alone, filtered = (
            median(lambda text=text: ranked(fresh(), text), 15)  # type: ignore[misc]
            for text in (WORDS, f"{operator} {WORDS}")
        )
        print(f"| `{operator} {WORDS}` | {alone:.2f} | {filtered:.2f} |")


def ranked(view: object, text: str) -> None:
    from app.search.operations import OPERATIONS

    OPERATIONS["fast"](view, parse_request({"operation": "fast", "query": text}))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
