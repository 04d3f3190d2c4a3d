"""Measure what evidence costs an agent: tokens, calls and seconds until it stands in what was received.

    python -m bench.agents SET... [--vault NAME=FOLDER] [--work FOLDER] [--deep] [--way NAME]...

SET is as for ``python -m bench.answers``: a folder of questions with the lines that answer them, or
`examples`. Each question is followed by scripts, no model, until the lines that answer it have been received
with the words of its key, or the way ends: one `search` of five hits, one `pack`, `search` and then `read`
around each hit, one `ask` without a language model, and two ways of ripgrep and reading
(`bench/agents/ripgrep.py`). The server is a process of its own, spoken to by the official client. With
``--deep`` it has vectors.

Tokens are of the texts received, as the program counts them (`app/tokens.py`), and where the package
`bpe-openai` is installed also by the tokenizer o200k. "Found" has those of the questions whose evidence was
received, "all" of all. Seconds are of the clock, of one question, the server being warm.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp import Client

from bench.agents import ripgrep, server
from bench.agents.received import Received, counters, holds
from bench.answers.asking import vault_of
from bench.answers.cases import Case
from bench.answers.sets import AnswerSet, named_vaults, read_sets

BY_WORDS = "found by words only"
"""What the server says beside an answer while its model is made ready."""
Way = Callable[[str, Received], AsyncIterator[None]]


@dataclass(frozen=True, slots=True)
class Cost:
    """What one question cost by one way."""

    case: str
    way: str
    is_found: bool
    texts: Sequence[str]
    """What each call gave."""
    seconds: float


async def follow(case: Case, name: str, way: Way, vault: Path) -> Cost:
    """Go a way until the evidence is there, or to its end."""
    received = Received()
    begun = time.perf_counter()
    is_found = False
    spent = 0.0
    steps = way(case.text, received)
    async for _ in steps:
        # The judging is not what is measured.
        spent += time.perf_counter() - begun
        is_found = holds(case, received, vault)
        if is_found or len(received.texts) >= ripgrep.MOST_CALLS:
            break
        begun = time.perf_counter()
    return Cost(case.id, name, is_found, tuple(received.texts), spent)


def by_ripgrep(vault: Path, *, context: bool) -> Way:
    """Return a way of ripgrep and reading."""
    shell = ripgrep.Shell(vault)

    async def way(question: str, received: Received) -> AsyncIterator[None]:
        for _ in ripgrep.steps(shell, question, received, context=context):
            yield

    return way


def by_server(client: Client, steps: server.Steps) -> Way:
    """Return a way of the server's tools."""
    return lambda question, received: steps(client, question, received)


async def measure(of: AnswerSet, work: Path, *, has_vectors: bool, only: Collection[str] = ()) -> list[Cost]:
    """Ask all questions of a set that have evidence, each by all ways, or only by some."""
    vault_of(of, work, has_vectors)
    cache = work / of.home / ("cache" if has_vectors else "cache-words")
    cases = [case for case in of.cases if case.evidence]
    how = server.process(of.vault, cache, work, has_vectors=has_vectors)
    async with Client(how, mode="legacy") as client:
        modes = ("fast", "deep") if has_vectors else ("fast",)
        ways: dict[str, Way] = {
            **{f"search {mode}": by_server(client, server.searching(mode)) for mode in modes},
            "pack": by_server(client, server.packing),
            "search + read": by_server(client, server.searching_and_reading),
            "ask": by_server(client, server.asking),
            "ripgrep, files": by_ripgrep(of.vault, context=False),
            "ripgrep, context": by_ripgrep(of.vault, context=True),
        }
        for name in (*(f"search {mode}" for mode in modes), "ask"):
            # The first question loads what the others find loaded; until then words answer for the meaning.
            while BY_WORDS in (await follow(cases[0], name, ways[name], of.vault)).texts[0]:
                await asyncio.sleep(1)
        asked = {name: way for name, way in ways.items() if name in only or not only}
        return [await follow(case, name, way, of.vault) for name, way in asked.items() for case in cases]


def report(name: str, costs: Sequence[Cost]) -> None:
    """Print a row for each way."""
    counts = counters()
    for way in dict.fromkeys(cost.way for cost in costs):
        own = [cost for cost in costs if cost.way == way]
        found = [cost for cost in own if cost.is_found]
        cells = [name, way, f"{len(found)} of {len(own)}"]
        for count in counts.values():
            spent = {cost.case: sum(map(count, cost.texts)) for cost in own}
            reached = [spent[cost.case] for cost in found] or [0]
            cells.append(f"{statistics.mean(reached):,.0f} / {statistics.median(reached):,.0f}")
            cells.append(f"{statistics.mean(spent.values()):,.0f} / {max(spent.values()):,}")
        cells.append(f"{statistics.mean(len(cost.texts) for cost in own):.1f}")
        cells.append(f"{statistics.mean(cost.seconds for cost in own):.3f}")
        print("| " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--vault", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--deep", action="store_true", help="Build vectors, and search by meaning as well.")
    parser.add_argument(
        "--way", action="append", default=[], metavar="NAME", help="Go this way only; repeat."
    )
    options = parser.parse_args()
    heads = [
        f"{unit}, {what}" for unit in counters() for what in ("found: mean / median", "all: mean / most")
    ]
    cells = ["set", "way", "found", *heads, "calls", "seconds"]
    print("| " + " | ".join(cells) + " |\n| " + " | ".join("---" for _ in cells) + " |", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or Path(scratch)
        work.mkdir(parents=True, exist_ok=True)
        for of in read_sets(options.sets, named_vaults(options.vault), work):
            if any(case.evidence for case in of.cases):
                report(
                    of.name,
                    asyncio.run(measure(of, work, has_vectors=options.deep, only=options.way)),
                )


if __name__ == "__main__":
    main()
