"""Measure what notes of other languages in the same vault cost: sets alone, and all in one vault.

    python -m bench.together SET SET [SET ...] [--vault FOLDER] [--work DIR] [--modes fast deep]

Each SET is a folder of judged questions, see `bench.judged`; --vault is the vault of a set that has no
corpus of its own. The notes of all sets keep their paths in the common vault, so that their links hold.
"""

import argparse
import shutil
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from app.dependencies import VaultClient
from app.search.searcher import searcher_for
from bench.judged import JudgedSet, Question, measures, notes_of, read_set
from bench.quality import ask, client, index

NDCG, HIT = 0, 2
"""Where these stand among the measures of one question."""


def put_together(sets: Sequence[JudgedSet], work: Path) -> JudgedSet:
    """Copy the notes of all sets into one vault; two notes of one path are an error."""
    name = "+".join(judged.name for judged in sets)
    vault = work / name / "vault"
    shutil.rmtree(vault, ignore_errors=True)
    for judged in sets:
        for file in judged.vault.rglob("*"):
            copy = vault / file.relative_to(judged.vault)
            if file.is_dir():
                continue
            if copy.exists():
                raise SystemExit(f"'{copy.relative_to(vault)}' is a note of two sets: rename one of them")
            copy.parent.mkdir(parents=True, exist_ok=True)
            # The time of a note can count in its ranking.
            shutil.copy2(file, copy)
    return JudgedSet(name, vault, [q for judged in sets for q in judged.questions], sets[0].depth)


def found(
    vault: VaultClient, mode: str, questions: Sequence[Question], depth: int
) -> list[tuple[float, ...]]:
    """Measure each question that a note answers."""
    return [
        measures(notes_of(ask(vault, mode, question, None)[0], question.skip), question.gains, depth)
        for question in questions
    ]


def print_row(
    judged: JudgedSet, kinds: str, questions: Sequence[Question], vaults: Sequence[VaultClient], mode: str
) -> None:
    """Print what some questions of a set find in its own vault and in the common one."""
    alone, together = (found(vault, mode, questions, judged.depth) for vault in vaults)
    cells = []
    for at in (NDCG, HIT):
        before, after = ([row[at] for row in rows] for rows in (alone, together))
        cells.append(f"{statistics.fmean(before):.4f} | {statistics.fmean(after):.4f}")
    pairs = list(zip(alone, together, strict=True))
    better = sum(after[NDCG] > before[NDCG] for before, after in pairs)
    worse = sum(after[NDCG] < before[NDCG] for before, after in pairs)
    print(
        f"| {judged.name}{kinds} ({len(questions)}) | {mode} | {' | '.join(cells)} | {better} | {worse} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path, nargs="+", metavar="SET")
    parser.add_argument("--vault", type=Path, help="the vault of a set without a corpus")
    parser.add_argument("--work", type=Path, help="where vaults and indexes are made, and used again")
    parser.add_argument("--modes", nargs="+", default=["fast", "deep"], choices=["fast", "deep"])
    parser.add_argument("--apart", nargs="*", default=["french"], help="kinds that have a row of their own")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or Path(scratch)
        sets = [read_set(folder.resolve(), work, options.vault) for folder in options.sets]
        common = put_together(sets, work)
        for judged in (*sets, common):
            index(judged, work)
        print("| questions | | nDCG alone | together | Hit@1 alone | together | better | worse |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for judged in sets:
            asked = [question for question in judged.questions if question.gains]
            rest = [question for question in asked if question.kind not in options.apart]
            groups = {"": rest} | {
                f", {kind}": [q for q in asked if q.kind == kind] for kind in options.apart
            }
            vaults = [client(one, work, {}) for one in (judged, common)]
            for mode in options.modes:
                for kinds, questions in groups.items():
                    if questions:
                        print_row(judged, kinds, questions, vaults, mode)
            for vault in vaults:
                searcher_for(vault).close()


if __name__ == "__main__":
    main()
