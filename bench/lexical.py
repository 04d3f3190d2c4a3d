"""Measure the lexical index beside other engines, and print tables.

    python -m bench.lexical VAULT --work DIR [--corpora real 50000 200000] [--engines NAME ...]

VAULT is any folder of Markdown notes. The corpora and indexes go to DIR and are used again when
they are there. Queries are asked in turn, engine after engine, so that all meet the same machine.
"""

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from app.search.lexical.language import stop_words
from bench import corpora
from bench.engines import Engine, Ours
from bench.others import ENGINES

PASSES = 5
Figures = dict[str, dict[str, float]]

NAMES = {
    "question": "question: three words and three stop words, ms",
    "six": "six-word question, ms",
    "six, first": "six-word question, words never asked before, ms",
    "filter": "six-word question with folder and tag, ms",
    "three": "rare, middling and common word, ms",
    "common": "common word, ms",
    "rare": "rare word, ms",
    "phrase": "phrase, ms",
}


def run_step(step: str, engine: str, work: Path, name: str, index: Path) -> dict[str, float]:
    """Do one step in a process of its own; its wall time is among the figures."""
    command = [sys.executable, "-m", "bench.worker", step, engine, str(work), name, str(index)]
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    if step == "cold":
        figures["cold process to first result, ms"] = (time.perf_counter() - start) * 1000
    return figures


def make_corpora(vault: Path, work: Path, names: Sequence[str]) -> None:
    """Write the corpora that are not there yet."""
    base = list(corpora.real(vault))
    for name in names:
        if not (work / f"{name}.queries.json").exists():
            corpora.write(base if name == "real" else list(corpora.scaled(base, int(name))), work, name)


def ask(engines: Mapping[str, Engine], asked: corpora.Queries) -> Figures:
    """Time every query on every engine in turn; a query's time is its best of several passes."""
    figures: Figures = {}
    for kind in ("question", "six", "filter", "three", "common", "rare", "phrase"):
        words = asked["classes"]["six" if kind == "filter" else kind]
        best: dict[str, list[float]] = {name: [] for name in engines}
        for at, query in enumerate(words):
            calls = {
                name: _call(engine, kind, query, asked["filters"][at]) for name, engine in engines.items()
            }
            times: dict[str, list[float]] = {name: [] for name in engines}
            for _ in range(PASSES):
                for name, call in calls.items():
                    times[name].append(_milliseconds(call))
            for name in engines:
                best[name].append(min(times[name][1:]))
        figures[NAMES[kind]] = {name: median(best[name]) for name in engines}
    return figures


def ask_first(engines: Mapping[str, Engine], asked: corpora.Queries) -> dict[str, float]:
    """Time questions on engines that keep nothing of an earlier one."""
    found: dict[str, float] = {}
    for name, engine in engines.items():
        times = []
        for query in asked["classes"]["six"]:
            engine.forget()
            engine.search(["warm"])
            times.append(_milliseconds(partial(engine.search, query)))
        found[name] = median(times)
    return found


def _call(engine: Engine, kind: str, words: list[str], filtered: tuple[str, str]) -> Callable[[], object]:
    if kind == "phrase":
        return lambda: engine.phrase(words)
    if kind == "question" and not isinstance(engine, Ours):
        words = [word for word in words if word not in stop_words(0)]
    return lambda: engine.search(words, filtered if kind == "filter" else None)


def _milliseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def measure(work: Path, name: str, chosen: Sequence[str]) -> Figures:
    """Measure the chosen engines on one corpus."""
    by_engine: dict[str, dict[str, float]] = {}
    opened: dict[str, Engine] = {}
    for engine in chosen:
        index = work / name / engine.replace(" ", "-").replace(",", "")
        kept = index.with_suffix(".build.json")
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(run_step("build", engine, work, name, index)))
        figures = json.loads(kept.read_text())
        run_step("cold", engine, work, name, index)
        figures |= run_step("cold", engine, work, name, index)
        copy = index.with_suffix(".copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(index, copy)
        figures |= run_step("update", engine, work, name, copy)
        shutil.rmtree(copy)
        by_engine[engine] = figures
        opened[engine] = ENGINES[engine](index)
        opened[engine].open()
    asked = corpora.read_queries(work, name)
    table = ask(opened, asked)
    table[NAMES["six, first"]] = ask_first(opened, asked)
    for row in next(iter(by_engine.values())):
        table[row] = {engine: by_engine[engine][row] for engine in chosen}
    return table


def print_table(title: str, table: Figures, chosen: Sequence[str]) -> None:
    """Print one corpus's figures in Markdown; in brackets, how many times this engine's figure."""
    print(f"\n### {title}\n\n| | {' | '.join(chosen)} |\n|---|{'---:|' * len(chosen)}")
    for row, figures in table.items():
        own = figures[chosen[0]]
        cells = [f"{figures[engine]:.3g}{_times(figures[engine], own)}" for engine in chosen]
        print(f"| {row} | {' | '.join(cells)} |")


def _times(figure: float, own: float) -> str:
    return f" ({figure / own:.2g}×)" if own and figure != own else ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("vault", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--corpora", nargs="+", default=["real", "50000", "200000"])
    parser.add_argument("--engines", nargs="+", default=list(ENGINES), choices=list(ENGINES))
    options = parser.parse_args()
    make_corpora(options.vault, options.work, options.corpora)
    for name in options.corpora:
        asked = corpora.read_queries(options.work, name)
        title = f"{name}: {asked['words']:,} words, {asked['vocabulary']:,} distinct"
        print_table(title, measure(options.work, name, options.engines), options.engines)


if __name__ == "__main__":
    main()
