"""Fit the tables that turn evidence into shown scores, and measure how well scores say what is right.

    python -m bench.calibrate SET [SET ...] [--vault FOLDER] [--work DIR]

Each SET is a folder of judged questions, see `bench.judged`. Every question is asked of its own vault, by
`fast` and by `deep`; a hit is right where its note is judged so. Questions of the other sets are asked too,
which nothing answers. A table is two logistic regressions by iterated least squares, sets weighing alike:
one tells a vault's own questions from those of others, one tells of its own questions which hits are right.
They are judged on each set by a fit on the others, without the questions of that set, and fitted on all in
the end; `app/search/rank/likely.py` holds what is printed.
"""

import argparse
import random
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.config.settings import Settings
from app.dependencies import VaultClient
from app.search.models import SearchRequest
from app.search.query.filters import chunk_filter
from app.search.query.read import read_question
from app.search.rank.deep import meaning_of
from app.search.rank.likely import (
    BY_MEANING,
    BY_WORDS,
    HEAD,
    Evidence,
    Parts,
    Table,
    asked_of,
    chances,
    falling,
    logistic,
)
from app.search.rank.pipeline import rank
from app.search.searcher import searcher_for
from app.search.view import View
from bench.judged import JudgedSet, Question, auc, read_set

OWN, FOREIGN = 150, 8
"""Most questions asked of a vault: of its own set, and of each other one."""
FOREIGN_WEIGHT = 0.3
"""What the foreign questions of a vault count for in the fit, beside its own."""
PLACES = np.array([1.0, *[0.35] * 4, *[0.1] * 5])
"""What a hit counts for by its place; those after these are not fitted."""
RIDGES = 3.0, 30.0
"""What holds the weights down: of what tells that anything answers, and of what tells that a hit is right."""
BINS = 10
MODES = {"fast": BY_WORDS, "deep": BY_MEANING}

Numbers = NDArray[np.float64]
Tables = Mapping[str, Table]
"""A table for each mode: what `deep` shows is made by both."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question asked of one vault: the evidence for the first hits, and which of them are right."""

    vault: str
    of: str
    evidence: Evidence
    right: Numbers

    @property
    def own(self) -> bool:
        """Whether the vault is the one that the question was written for."""
        return self.vault == self.of

    @property
    def parts(self) -> Parts:
        """What is fitted: what meaning says where it ranks, else what words say."""
        return self.evidence.words if self.evidence.meaning is None else self.evidence.meaning

    def shown(self, tables: Tables) -> list[float]:
        """Return the scores that tables have the hits shown with."""
        likely = chances(self.evidence, tables["fast"], tables["deep"])
        shown: list[float] = falling(likely).tolist()
        return shown


def client(judged: JudgedSet, work: Path) -> VaultClient:
    """Give the vault of a set, indexed with the model that is bundled."""
    settings = Settings(cache_dir=work / judged.name / "cache")
    vault = VaultClient(judged.vault, settings)
    searcher = searcher_for(vault)
    searcher.update()
    searcher.embed()
    return vault


def ask(view: View, question: Question, mode: str) -> tuple[Evidence, Numbers] | None:
    """Ask a vault a question; None where nothing is found."""
    request = SearchRequest(operation="fast", query=question.text, queries=(question.text,), limit=HEAD)
    chunks, query = chunk_filter(view, request), read_question(view.snapshot, question.text, timed=False)
    if mode == "fast" or view.vectors is None:
        ranking = rank(view, query, chunks, HEAD)
    else:
        ranking = rank(view, query, chunks, None, meaning_of(view)[0])
    if ranking.evidence is None:
        return None
    notes = view.lexical.note_of[ranking.evidence.docs].tolist()
    right = [view.lexical.path(note) in question.gains for note in notes]
    return ranking.evidence, np.array(right, float)


def questions(sets: Sequence[JudgedSet], judged: JudgedSet) -> Iterator[tuple[str, Question]]:
    """Yield what is asked of a vault, with the set it is of: the same in every run."""
    chance = random.Random(judged.name)
    for each in sets:
        own = each.name == judged.name
        # The bundled model reads English only; what no note of its vault answers is no question of it.
        usable = [q for q in each.questions if q.kind != "french" and (q.gains or not own)]
        for question in chance.sample(usable, min(len(usable), OWN if own else FOREIGN)):
            yield each.name, question


def collect(sets: Sequence[JudgedSet], work: Path) -> dict[str, list[Asked]]:
    """Ask every vault questions of all sets, in both modes."""
    found: dict[str, list[Asked]] = {mode: [] for mode in MODES}
    for judged in sets:
        view = searcher_for(client(judged, work)).view()
        for name, question in questions(sets, judged):
            for mode in MODES:
                answer = ask(view, question, mode)
                if answer is not None:
                    evidence, right = answer
                    found[mode].append(Asked(judged.name, name, evidence, right * (name == judged.name)))
        print(f"asked {judged.name}", flush=True)
    return found


def fit(asked: Sequence[Asked]) -> Table:
    """Fit a table; sets weigh alike."""
    counts: dict[tuple[str, bool], int] = {}
    for one in asked:
        counts[one.vault, one.own] = counts.get((one.vault, one.own), 0) + 1
    worth = [100 / counts[one.vault, one.own] for one in asked]
    question = regression(
        np.vstack([asked_of(one.parts) for one in asked]),
        np.array([one.own for one in asked], float),
        np.array([one * (1 if q.own else FOREIGN_WEIGHT) for one, q in zip(worth, asked, strict=True)]),
        RIDGES[0],
    )
    own = [(one, weight) for one, weight in zip(asked, worth, strict=True) if one.own]
    hit = regression(
        np.vstack([one.parts[: len(PLACES)] for one, _ in own]),
        np.concatenate([one.right[: len(PLACES)] for one, _ in own]),
        np.concatenate([PLACES[: len(one.right)] * weight for one, weight in own]),
        RIDGES[1],
    )
    return Table(question, hit)


def regression(matrix: Numbers, right: Numbers, weight: Numbers, ridge: float) -> tuple[float, ...]:
    """Fit a logistic regression by iterated least squares with a ridge; the first column is always 1."""
    mean, deviation = matrix.mean(axis=0), matrix.std(axis=0) + 1e-9
    # No ridge holds down what is always 1.
    mean[0], deviation[0] = 0, 1
    scaled, held = (matrix - mean) / deviation, np.diag([0, *[ridge] * (matrix.shape[1] - 1)])
    found = np.zeros(matrix.shape[1])
    for _ in range(30):
        likely = logistic(scaled @ found)
        slope = weight * likely * (1 - likely) + 1e-9
        missed = scaled.T @ (weight * (right - likely)) - held @ found
        found += np.linalg.solve((scaled * slope[:, None]).T @ scaled + held, missed)
    table = found / deviation
    table[0] -= float((table * mean).sum())
    return tuple(round(float(value), 3) for value in table)


def error(chances: Sequence[float], right: Sequence[float], weights: Sequence[float]) -> float:
    """Give the expected calibration error: how far, over ten bins of scores, shown is from right."""
    shown_, true, weight = np.array(chances), np.array(right), np.array(weights)
    bins = np.minimum((shown_ * BINS).astype(int), BINS - 1)
    gaps = [abs(float((weight * (shown_ - true))[bins == each].sum())) for each in range(BINS)]
    return sum(gaps) / float(weight.sum())


def judge(asked: Sequence[Asked], tables: Mapping[str, Tables]) -> None:
    """Print how well scores say what is right, each set by the tables of its name."""
    print("| set | first: shown / right | error | 2 to 5: shown / right | error | AUC | foreign | below .3 |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    firsts: list[tuple[float, float, float]] = []
    others: list[tuple[float, float, float]] = []
    best: list[float] = []
    foreign: list[float] = []
    for name, those in tables.items():
        own = [(one.shown(those), one.right.tolist()) for one in asked if one.vault == name and one.own]
        there = [one.shown(those)[0] for one in asked if one.vault == name and not one.own]
        first = [(likely[0], right[0], 1 / len(own)) for likely, right in own]
        pairs = [pair for likely, right in own for pair in zip(likely[1:5], right[1:5], strict=True)]
        other = [(likely, right, 1 / len(pairs)) for likely, right in pairs]
        _print_row(name, first, other, [likely for likely, _, _ in first], there)
        firsts, others = firsts + first, others + other
        best, foreign = best + [likely for likely, _, _ in first], foreign + there
    _print_row("**all, sets alike**", firsts, others, best, foreign)


def _print_row(
    name: str,
    first: Sequence[tuple[float, float, float]],
    other: Sequence[tuple[float, float, float]],
    best: Sequence[float],
    foreign: Sequence[float],
) -> None:
    cells = [name]
    for likely, right, weights in (tuple(zip(*first, strict=True)), tuple(zip(*other, strict=True))):
        means = [np.average(values, weights=weights) for values in (likely, right)]
        cells += [f"{means[0]:.2f} / {means[1]:.2f}", f"{error(likely, right, weights):.3f}"]
    if foreign:
        below = statistics.fmean(score < 0.3 for score in foreign)
        cells += [f"{auc(best, foreign):.3f}", f"{statistics.fmean(foreign):.2f}", f"{below:.0%}"]
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path, nargs="+", metavar="SET")
    parser.add_argument("--vault", type=Path, help="the vault of a set without a corpus")
    parser.add_argument("--work", type=Path, help="where vaults and indexes are made, and used again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or Path(scratch)
        sets = [read_set(folder.resolve(), work, options.vault) for folder in options.sets]
        found = collect(sets, work)
    tables = {each.name: fit_all(found, each.name) for each in sets}
    for mode, asked in found.items():
        print(f"\n## {mode}\n")
        judge(asked, tables)
    print("\n".join(f"\n{mode}: {table}" for mode, table in fit_all(found).items()))


def fit_all(found: Mapping[str, Sequence[Asked]], without: str = "") -> Tables:
    """Fit the table of each mode, leaving out the vault and the questions of one set."""
    return {
        mode: fit([one for one in asked if without not in (one.vault, one.of)])
        for mode, asked in found.items()
    }


if __name__ == "__main__":
    main()
