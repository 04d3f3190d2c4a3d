"""Measure what `ask` answers without a language model: what it quotes, and whether it knows when to refuse.

    python -m bench.answers SET [SET ...] [--vault NAME=FOLDER] [--work DIR] [--no-deep] [--near]

Each SET is a folder of questions with `answers.jsonl` or `human.jsonl`, or `examples`: eighty questions to
the example vault. A folder without `corpus.jsonl` needs the vault of its name. The questions of each set are
asked of the others' notes too, which should refuse them; with ``--near`` those near to what the notes say as
well, which `near.py` reads and makes. Ends with an exit status of 1 where a quotation is not the note's own
text at the lines it names.
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from app.search.searcher import searcher_for
from bench.answers.asking import Outcome, ask_all, vault_of
from bench.answers.cases import foreign, named_vaults, read_sets
from bench.answers.near import exchanged, read_near

HEADER = (
    "| | asked | first | together | at the lines | answerable refused | unanswerable refused | "
    "median first | median answer |\n| --- |" + " ---: |" * 8
)
MOST_FAULTS = 20
"""Quotations shown that are not the note's own text."""
Group = tuple[str, list[Outcome]]


def measure(options: argparse.Namespace, work: Path) -> Iterator[Group]:
    """Ask everything, and give what it came to, set by set."""
    sets = read_sets(options.sets, named_vaults(options.vault), work)
    homes = {each.home: each for each in sets}
    vaults = {home: vault_of(each, work, not options.no_deep) for home, each in homes.items()}
    for each in sets:
        yield each.name, ask_all(vaults[each.home], each.cases)
    for asked, other, questions in foreign(sets, options.foreign):
        yield f"{asked.name} of {other.home}", ask_all(vaults[other.home], questions)
    for home in homes if options.near else ():
        for part in ("fit", "held"):
            yield f"near {home}, {part}", ask_all(vaults[home], read_near(home, part))
        own = [case for each in sets if each.home == home for case in each.cases if case.must]
        yield f"exchanged {home}", ask_all(vaults[home], list(exchanged(vaults[home], own)))
    for client in vaults.values():
        searcher_for(client).close()


def row(name: str, outcomes: Sequence[Outcome]) -> str:
    """Write what some questions came to."""
    own = [each for each in outcomes if each.case.is_answerable]
    none = [each for each in outcomes if not each.case.is_answerable]
    quoting = [each for each in outcomes if each.judgement.chars]
    cells = (
        str(len(outcomes)),
        _of(own, lambda each: each.judgement.verdict == "first"),
        _of(own, lambda each: each.judgement.verdict in ("first", "together")),
        _of(own, lambda each: each.judgement.is_at_evidence),
        _of(own, _is_refused),
        _of(none, _is_refused),
        f"{statistics.median(len(each.quotations[0].text) for each in quoting):.0f}" if quoting else "–",
        f"{statistics.median(each.judgement.chars for each in quoting):.0f}" if quoting else "–",
    )
    return f"| {name} | {' | '.join(cells)} |"


def _is_refused(outcome: Outcome) -> bool:
    return outcome.judgement.verdict == "refused"


def _of(outcomes: Sequence[Outcome], is_so: Callable[[Outcome], bool]) -> str:
    """Return such as ``12 of 30``; a dash where there are none."""
    return f"{sum(map(is_so, outcomes))} of {len(outcomes)}" if outcomes else "–"


def write_cases(file: Path, groups: Sequence[Group]) -> None:
    """Write a line of JSON for each question asked."""
    with file.open("w", encoding="utf-8") as lines:
        for name, outcomes in groups:
            for each in outcomes:
                data = {
                    "set": name,
                    "id": each.case.id,
                    "question": each.case.text,
                    "verdict": each.judgement.verdict,
                    "quotations": [
                        {"path": q.path, "lines": q.lines, "text": q.text} for q in each.quotations
                    ],
                    "wanted": list(each.case.must or each.case.answers),
                    "at": [f"{place.path}:{place.first}-{place.last}" for place in each.case.evidence],
                    "probability": round(each.probability, 4),
                }
                lines.write(json.dumps(data, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--vault", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--work", type=Path, help="where vaults, indexes and cases are kept, and used again")
    parser.add_argument("--no-deep", action="store_true", help="search by words alone")
    parser.add_argument("--foreign", type=int, default=20, help="questions asked of each other vault")
    parser.add_argument("--near", action="store_true", help="ask those near to what the notes say too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        print(HEADER)
        groups: list[Group] = []
        for name, outcomes in measure(options, work):
            groups.append((name, outcomes))
            print(row(name, outcomes), flush=True)
        print(row("**all**", [each for _, outcomes in groups for each in outcomes]))
        write_cases(work / f"cases-{'words' if options.no_deep else 'deep'}.jsonl", groups)
    faults = [fault for _, outcomes in groups for each in outcomes for fault in each.faults]
    count = sum(len(each.quotations) for _, outcomes in groups for each in outcomes)
    print(f"\n{count} quotations, {len(faults)} that do not stand in the lines they name")
    print("".join(f"- {fault}\n" for fault in faults[:MOST_FAULTS]), end="")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
