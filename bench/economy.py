"""What evidence costs: tokens of the texts that agents are given, and how often the answer stands in them.

    python -m bench.economy SET... [--vault NAME=FOLDER] [--work FOLDER] [--deep]

SET is as for ``python -m bench.answers``: a folder of questions with the lines that answer them, or
`examples`. Each question is asked of `fast` with five hits and of `pack`; with ``--deep`` of `deep` as well.
"Touched" counts the questions of which each place that answers, or one that answers by itself, has a line in
the text; "whole" those of which all its lines that say anything are there. Tokens are characters by four, and
as the program counts them.
"""

import argparse
import re
import statistics
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from app.chat.pack import pack
from app.search.answer import answer
from app.tokens import count_tokens
from app.vault.client import VaultClient
from bench.answers.asking import vault_of
from bench.answers.cases import Case, Place
from bench.answers.sets import named_vaults, read_sets

_HEAD = re.compile(r"(?:\d+\.|\[\d+\]) (?P<path>.+?\.md)(?=[:, ]|$)")
_LINE = re.compile(r"\s*(?:> )?(?P<number>\d+) *\| (?P<text>.*)")
_SAYS = re.compile(r"\w|[^\x00-\x7f]")
HITS = 5

Shown = Mapping[str, Mapping[int, str]]
"""Of each note that a text shows, its lines, by number."""


def shown_in(text: str) -> Shown:
    """Read out of a text which lines of which notes it shows."""
    shown: dict[str, dict[int, str]] = {}
    path = ""
    for line in text.split("\n"):
        if found := _HEAD.match(line):
            path = found["path"]
        elif path and (found := _LINE.match(line)):
            shown.setdefault(path, {})[int(found["number"])] = found["text"]
    return shown


def _lines(client: VaultClient, place: Place) -> set[int]:
    """Return the lines of a place that say anything: not those of signs alone."""
    lines = client.read(place.path).text.split("\n")
    return {number for number in range(place.first, place.last + 1) if _SAYS.search(lines[number - 1])}


def stands_in(client: VaultClient, case: Case, shown: Shown) -> tuple[bool, bool]:
    """Tell whether the lines that answer a question are touched by a text, and whether all are in it."""

    def holds(place: Place, every: bool) -> bool:
        wanted, there = _lines(client, place), shown.get(place.path, {}).keys()
        return wanted <= there if every else bool(wanted & there)

    touched, whole = (
        all(holds(place, every) for place in case.evidence) or any(holds(place, every) for place in case.also)
        for every in (False, True)
    )
    return touched, whole


def _ways(deep: bool) -> dict[str, Callable[[VaultClient, str], str]]:
    def by(operation: str) -> Callable[[VaultClient, str], str]:
        def ask(client: VaultClient, question: str) -> str:
            return answer(client, {"operation": operation, "query": question, "limit": HITS})

        return ask

    ways = {name: by(name) for name in ("fast", *(["deep"] if deep else []))}
    return {**ways, "pack": lambda client, question: pack(client, question).text}


def main() -> None:
    """Ask the questions of the sets that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--vault", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--deep", action="store_true", help="Build vectors, and search by meaning as well.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or Path(scratch)
        print("| set | way | questions | touched | whole | characters / 4 | counted | most counted |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        for each in read_sets(options.sets, named_vaults(options.vault), work):
            cases = [case for case in each.cases if case.evidence]
            if not cases:
                continue
            client = vault_of(each, work, options.deep)
            for name, ask in _ways(options.deep).items():
                texts = [ask(client, case.text) for case in cases]
                found = [
                    stands_in(client, case, shown_in(text)) for case, text in zip(cases, texts, strict=True)
                ]
                counts = [count_tokens(text) for text in texts]
                print(
                    f"| {each.name} | {name} | {len(cases)} | {sum(t for t, _ in found)} "
                    f"| {sum(w for _, w in found)} | {statistics.mean(len(text) / 4 for text in texts):.0f} "
                    f"| {statistics.mean(counts):.0f} | {max(counts)} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
