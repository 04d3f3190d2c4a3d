"""Measure what `ask` answers without a language model: what it quotes, and whether it knows when to refuse.

    python -m bench.answers SET [SET ...] [--vault NAME=FOLDER] [--work DIR] [--no-deep] [--near]

Each SET is a folder of questions with `answers.jsonl`, and `human.jsonl` where there is one, or of questions
alone, or `examples`: eighty questions to the example vault. A folder without `corpus.jsonl` needs the vault
of its name. The questions of each set are asked of the others' notes too, which should refuse them; with
``--near`` those near to what the notes say as well, which `near.py` reads and makes. Ends with an exit status
of 1 where a quotation is not the note's own text at the lines it names.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.search.searcher import searcher_for
from app.vault.client import VaultClient
from bench.answers.asking import Outcome, ask_all, vault_of
from bench.answers.cases import Case
from bench.answers.near import exchanged, read_near
from bench.answers.sets import AnswerSet, foreign, named_vaults, read_sets
from bench.answers.tables import (
    print_faults,
    print_foreign,
    print_keyed,
    print_near,
    print_short,
    write_cases,
)


def measure(
    sets: Sequence[AnswerSet], work: Path, has_vectors: bool, most_foreign: int, has_near: bool, cases: Path
) -> bool:
    """Ask and print everything; return whether each quotation is the note's own text."""
    homes = {each.home: each for each in sets}
    vaults = {home: vault_of(each, work, has_vectors) for home, each in homes.items()}
    own: dict[str, list[Outcome]] = {}
    groups: list[tuple[str, list[Outcome]]] = []
    for each in sets:
        outcomes = ask_all(vaults[each.home], each.cases)
        groups.append((each.name, outcomes))
        own.setdefault(each.home, []).extend(outcomes)
        if any(case.must for case in each.cases):
            print_keyed(each.name, outcomes)
        elif any(case.answers for case in each.cases):
            print_short(each.name, outcomes)
        sys.stdout.flush()
    rows = []
    for asked, other, questions in foreign(sets, most_foreign) if most_foreign else ():
        there = ask_all(vaults[other.home], questions)
        groups.append((f"{asked.name} of {other.home}", there))
        rows.append((asked.name, other.home, there, own[other.home]))
    if rows:
        print_foreign(rows)
    if has_near:
        near = [
            (name, home.home, ask_all(vaults[home.home], asked))
            for home in homes.values()
            for name, asked in _near(home, vaults[home.home], sets)
            if asked
        ]
        print_near(near)
        groups += [(f"{name} {home}", there) for name, home, there in near]
    write_cases(cases, groups)
    for client in vaults.values():
        searcher_for(client).close()
    return print_faults([outcome for _, outcomes in groups for outcome in outcomes])


def _near(
    home: AnswerSet, client: VaultClient, sets: Sequence[AnswerSet]
) -> Iterator[tuple[str, list[Case]]]:
    """Yield the questions near to what the notes of a vault say, by what they are called."""
    for part in ("fit", "held"):
        yield f"near, {part}", read_near(home.home, part)
    own = [case for each in sets if each.home == home.home for case in each.cases if case.evidence]
    yield "exchanged", list(exchanged(client, own))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--vault", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--work", type=Path, help="where vaults, indexes and cases are kept, and used again")
    parser.add_argument("--no-deep", action="store_true", help="search by words alone")
    parser.add_argument(
        "--foreign", type=int, default=20, help="questions of a set asked of each other vault"
    )
    parser.add_argument("--near", action="store_true", help="ask those near to what the notes say too")
    parser.add_argument("--cases", type=Path, help="where each question is written to, with its quotations")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        sets = read_sets(options.sets, named_vaults(options.vault), work)
        cases = options.cases or work / f"cases-{'words' if options.no_deep else 'deep'}.jsonl"
        is_exact = measure(sets, work, not options.no_deep, options.foreign, options.near, cases)
        if options.work or options.cases:
            print(f"\nEach question: {cases}")
    sys.exit(0 if is_exact else 1)


if __name__ == "__main__":
    main()
