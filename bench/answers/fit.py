"""Fit what counts for a quotation, and for an answer at all, on questions with known answers.

    python -m bench.answers.fit SET [SET ...] [--vault NAME=FOLDER] --work DIR [--by-words]

Prints the tables of `app/chat/evidence/order.py`, and what they are worth on each vault when fitted on the
others. Quotations are ordered by the likelihood that the first one answers: a softmax over the spans of a
question (Cao and others, Learning to Rank: From Pairwise Approach to Listwise Approach, 2007).
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.chat.evidence.gather import gather
from app.chat.evidence.order import (
    BY_MEANING,
    BY_WORDS,
    CHANCE_BY_MEANING,
    CHANCE_BY_WORDS,
    AnalyzedQuestion,
    Candidate,
    candidates_of,
    chance_numbers,
    compare,
    numbers_of,
    total,
)
from app.chat.evidence.quote import asked_of, extent
from app.vault.client import VaultClient
from bench.answers.asking import vault_of
from bench.answers.cases import Case, foreign, named_vaults, read_sets
from bench.answers.judging import holds
from bench.answers.near import exchanged, read_near

PENALTY, STEPS, RATE = 0.02, 800, 0.05
SHARES = {"own": 1.0, "foreign": 0.3, "near": 0.7}
"""What the questions of each kind count for together: those that notes answer, as much as others."""
AGAINST = frozenset({"lacking", "points"})
"""Numbers that may only speak against a span; others only for it."""
Table = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Sample:
    """A question with its spans: the numbers of each, and whether it answers."""

    home: str
    kind: str
    asked: AnalyzedQuestion
    spans: Sequence[Candidate]
    numbers: Sequence[Table]
    is_right: Sequence[bool]

    def ordered(self, table: Table) -> list[tuple[Candidate, float]]:
        """Return the spans with their scores, best first."""
        scored = [(one, total(table, each)) for one, each in zip(self.spans, self.numbers, strict=True)]
        return sorted(scored, key=lambda each: -each[1])

    def is_first_right(self, table: Table) -> bool:
        """Return whether the best span answers."""
        right = dict(zip(map(id, self.spans), self.is_right, strict=True))
        return bool(self.spans) and right[id(self.ordered(table)[0][0])]


def sample(home: str, client: VaultClient, case: Case, kind: str, by_words: bool) -> Sample:
    """Gather what can be quoted for a question."""
    found = gather(client, case.text)
    asked = asked_of(found, by_words=by_words)
    spans = compare(asked, candidates_of(asked, found.evidence))
    right = [case.is_answerable and holds(case, extent(one).text) for one in spans]
    return Sample(home, kind, asked, spans, [numbers_of(asked, one) for one in spans], right)


def fit_order(samples: Sequence[Sample], names: Sequence[str]) -> dict[str, float]:
    """Return the weights by which the first of a question's spans answers most often."""
    rows = [
        (np.array([[each[name] for name in names] for each in one.numbers]), np.array(one.is_right))
        for one in samples
        if any(one.is_right)
    ]
    deviation = np.vstack([row for row, _ in rows]).std(axis=0) + 1e-9
    sign = np.array([-1.0 if name in AGAINST else 1.0 for name in names])
    weights, moment, square = 0.1 * sign, np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, STEPS + 1):
        slope = 2 * PENALTY * weights
        for row, right in rows:
            scores = row / deviation @ weights
            chance = np.exp(scores - scores.max())
            chance /= chance.sum()
            wanted = chance * right
            slope += (row / deviation).T @ (chance - wanted / max(wanted.sum(), 1e-12)) / len(rows)
        # Adam, Kingma and Ba 2015, each weight kept on its side of zero.
        moment, square = 0.9 * moment + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        lifted = moment / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights = np.maximum((weights - RATE * lifted) * sign, 0) * sign
    return dict(zip(names, (weights / deviation).tolist(), strict=True))


def fit_chance(samples: Sequence[Sample], order: Table, names: Sequence[str]) -> dict[str, float]:
    """Return the weights of a logistic regression.

    Questions that notes answer and the first span does not are left out: what is quoted for these is wrong.
    """
    kept = [one for one in samples if one.spans and (one.kind != "own" or one.is_first_right(order))]
    numbers = [chance_numbers(one.asked, one.ordered(order)) for one in kept]
    matrix = np.array([[each[name] for name in names] for each in numbers])
    right = np.array([one.kind == "own" for one in kept], float)
    groups = [(one.home, one.kind) for one in kept]
    weight = np.array([SHARES[group[1]] / groups.count(group) for group in groups])
    weight *= len(kept) / weight.sum()
    deviation = matrix.std(axis=0)
    deviation[deviation == 0] = 1
    scaled, weights = matrix / deviation, np.zeros(len(names))
    for _ in range(100):
        chance = 1 / (1 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        slope = scaled.T @ (weight * (chance - right)) + weights
        bend = (scaled * (weight * chance * (1 - chance))[:, None]).T @ scaled + np.eye(len(names))
        weights -= np.linalg.solve(bend, slope)
    return dict(zip(names, (weights / deviation).tolist(), strict=True))


def figures(samples: Sequence[Sample], order: Table, chance: Table) -> str:
    """Return how often the first span answers, and how many of the own and of other questions are refused."""
    own = [one for one in samples if one.kind == "own"]
    cells = [f"{sum(one.is_first_right(order) for one in own)} of {len(own)}"]
    for group in (own, [one for one in samples if one.kind != "own"]):
        refused = [
            not one.spans or total(chance, chance_numbers(one.asked, one.ordered(order))) < 0 for one in group
        ]
        cells.append(f"{sum(refused)} of {len(group)}")
    return " | ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--vault", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--by-words", action="store_true", help="fit the tables for words alone")
    options = parser.parse_args()
    sets = read_sets(options.sets, named_vaults(options.vault), options.work)
    vaults = {each.home: vault_of(each, options.work, not options.by_words) for each in sets}
    asked = [
        (each.home, case, "own" if case.is_answerable else "near") for each in sets for case in each.cases
    ]
    asked += [(other.home, case, "foreign") for _, other, cases in foreign(sets, 20) for case in cases]
    for home, client in vaults.items():
        own = [case for at, case, kind in asked if at == home and kind == "own" and case.must]
        asked += [(home, case, "near") for case in (*read_near(home, "fit"), *exchanged(client, own))]
    samples = [sample(home, vaults[home], case, kind, options.by_words) for home, case, kind in asked]
    names = (BY_WORDS, CHANCE_BY_WORDS) if options.by_words else (BY_MEANING, CHANCE_BY_MEANING)
    print("| vault | first right | own refused | others refused |\n| --- | ---: | ---: | ---: |")
    for home in (*vaults, ""):
        rest = [one for one in samples if one.home != home]
        order = fit_order([one for one in rest if one.kind == "own"], list(names[0]))
        chance = fit_chance(rest, order, list(names[1]))
        here = [one for one in samples if not home or one.home == home]
        print(f"| {home or 'all, fitted on all'} | {figures(here, order, chance)} |")
    print(*({name: round(weight, 2) for name, weight in each.items()} for each in (order, chance)), sep="\n")


if __name__ == "__main__":
    main()
