"""Fit what counts for a quotation, and for an answer at all, on questions with known answers.

    python -m bench.answers.fit SET [SET ...] [--vault NAME=FOLDER] --work DIR

Prints the tables of `app/chat/evidence/weigh.py` and `answerable.py`, and what they are worth on each set
when fitted on the others. Questions near to what the notes say are among those that should be refused.
Quotations are ordered by the likelihood that the first one answers: a softmax over the candidates of a
question (Cao and others, Learning to Rank: From Pairwise Approach to Listwise Approach, 2007), with no weight
below zero, since nothing that should speak for a quotation may speak against it.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.chat.evidence.answerable import features_of
from app.chat.evidence.gather import gather
from app.chat.evidence.reader import asked_of
from app.chat.evidence.weigh import AnalyzedQuestion, Candidate, candidates_of, compare, parts_of
from app.vault.client import VaultClient
from bench.answers.asking import vault_of
from bench.answers.cases import Case, folded
from bench.answers.near import exchanged, read_near
from bench.answers.sets import foreign, named_vaults, read_sets
from bench.judged import auc

PENALTY = 0.02
STEPS = 1500
RATE = 0.05
SHARES = {"own": 1.0, "foreign": 0.6, "none": 0.2, "near": 0.25, "exchanged": 0.15}
"""What the questions of each kind count for together: those that notes answer, as much as others."""
SHORT_SHARE = 0.0
"""What a question with a short answer counts for the order: encyclopedias are read otherwise than notes."""
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """A question with its candidates: what speaks for each, and whether it answers."""

    home: str
    asked: AnalyzedQuestion
    candidates: Sequence[Candidate]
    parts: Sequence[Mapping[str, float]]
    is_right: Sequence[bool]
    is_answerable: bool
    kind: str
    """Which of `SHARES` it is of."""
    share: float = 1.0
    """What it counts for the order."""


def sample(home: str, client: VaultClient, case: Case, *, by_words: bool, kind: str = "own") -> Sample:
    """Gather what can be quoted for a question."""
    found = gather(client, case.text)
    asked = asked_of(found, by_words=by_words)
    kept = compare(asked, candidates_of(asked, found.evidence))
    right = [_answers(case, one) for one in kept]
    parts, share = [parts_of(asked, one) for one in kept], SHORT_SHARE if case.answers else 1.0
    return Sample(home, asked, kept, parts, right, case.is_answerable, kind, share)


def _answers(case: Case, one: Candidate) -> bool:
    """Return whether a span holds what the first quotation must hold, as the benchmark judges it."""
    text = folded(one.span.text)
    if case.answers:
        return any(folded(answer) in text for answer in case.answers)
    return bool(case.must) and all(folded(must) in text for must in case.must)


def fit_order(samples: Iterable[Sample], names: Sequence[str]) -> dict[str, float]:
    """Return the weights by which the first of a question's candidates answers most often."""
    rows = [
        (np.array([[part[name] for name in names] for part in one.parts]), np.array(one.is_right), one.share)
        for one in samples
        if any(one.is_right) and one.share
    ]
    deviation = np.vstack([row for row, _, _ in rows]).std(axis=0) + 1e-9
    scaled = [(row / deviation, right, share) for row, right, share in rows]
    total = sum(share for *_, share in rows)
    weights = np.full(len(names), 0.1)
    moment, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope = 2 * PENALTY * weights
        for row, right, share in scaled:
            chance = np.exp(row @ weights - (row @ weights).max())
            chance /= chance.sum()
            wanted = chance * right
            slope += share * (row.T @ (chance - wanted / max(wanted.sum(), 1e-12))) / total
        # Adam, Kingma and Ba 2015, kept at zero or above.
        moment, square = 0.9 * moment + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        lifted = moment / (1 - 0.9**step), square / (1 - 0.999**step)
        weights = np.maximum(weights - RATE * lifted[0] / (np.sqrt(lifted[1]) + 1e-8), 0)
    return dict(zip(names, (weights / deviation).tolist(), strict=True))


def score(table: Mapping[str, float], parts: Mapping[str, float]) -> float:
    """Return what a candidate's parts come to."""
    return sum(table[name] * parts[name] for name in table)


def ordered(table: Mapping[str, float], one: Sample) -> list[tuple[Candidate, float]]:
    """Return the candidates of a question, best first, with their scores."""
    scores = [score(table, parts) for parts in one.parts]
    order = sorted(range(len(scores)), key=lambda at: -scores[at])
    return [(one.candidates[at], scores[at]) for at in order]


def fit_chance(
    rows: Sequence[tuple[Mapping[str, float], bool, tuple[str, str]]], names: Sequence[str]
) -> dict[str, float]:
    """Return the weights of a logistic regression.

    A row has the signs of a question, whether notes answer it, and which vault and which kind of question it
    is of. All questions of one kind to one vault count together as `SHARES` says.
    """
    matrix = np.array([[signs[name] for name in names] for signs, _, _ in rows])
    right = np.array([is_right for _, is_right, _ in rows], float)
    groups = [group for _, _, group in rows]
    weight = np.array([SHARES[group[1]] / groups.count(group) for group in groups])
    weight *= len(rows) / weight.sum()
    deviation = matrix.std(axis=0)
    deviation[deviation == 0] = 1
    scaled, weights = matrix / deviation, np.zeros(len(names))
    for _ in range(100):
        chance = 1 / (1 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        slope = scaled.T @ (weight * (chance - right)) + weights
        bend = (scaled * (weight * chance * (1 - chance))[:, None]).T @ scaled + np.eye(len(names))
        weights -= np.linalg.solve(bend, slope)
    return dict(zip(names, (weights / deviation).tolist(), strict=True))


def chance(table: Mapping[str, float], signs: Mapping[str, float]) -> float:
    """Return the probability that a table gives."""
    return float(1 / (1 + np.exp(-np.clip(score(table, signs), -30, 30))))


def report(samples: Sequence[Sample], order_names: Sequence[str], chance_names: Sequence[str]) -> None:
    """Print each set's figures when both tables are fitted on the others, then the tables fitted on all."""
    homes = list(dict.fromkeys(one.home for one in samples))
    print("| set | first right | among the first three | AUC | own refused | others refused |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for home in homes:
        rest = [one for one in samples if one.home != home]
        table = fit_order([one for one in rest if one.is_answerable], order_names)
        chances = fit_chance(list(_told(rest, table)), chance_names)
        here = [one for one in samples if one.home == home]
        print(f"| {home} | {_figures(here, table, chances)} |")
    table = fit_order([one for one in samples if one.is_answerable], order_names)
    chances = fit_chance(list(_told(samples, table)), chance_names)
    print(f"| all, fitted on all | {_figures(samples, table, chances)} |")
    print({name: round(weight, 3) for name, weight in table.items() if weight})
    print({name: round(weight, 3) for name, weight in chances.items()})


def _told(
    samples: Iterable[Sample], table: Mapping[str, float]
) -> Iterator[tuple[Mapping[str, float], bool, tuple[str, str]]]:
    """Yield the signs of questions, but of those that notes answer and the first candidate does not.

    What is quoted for these is wrong: to be sure of it would teach to be sure of others that are.
    """
    for one in samples:
        best = ordered(table, one)
        right = {id(each) for each, is_right in zip(one.candidates, one.is_right, strict=True) if is_right}
        if best and (not one.is_answerable or id(best[0][0]) in right):
            yield features_of(one.asked, best), one.is_answerable, (one.home, one.kind)


def _figures(samples: Sequence[Sample], table: Mapping[str, float], chances: Mapping[str, float]) -> str:
    own = [one for one in samples if one.is_answerable]
    first, three = [], []
    for one in own:
        right = dict(zip(map(id, one.candidates), one.is_right, strict=True))
        best = [right[id(candidate)] for candidate, _ in ordered(table, one)[:3]]
        first.append(any(best[:1]))
        three.append(any(best))
    told = {
        is_own: [
            chance(chances, features_of(one.asked, ordered(table, one))) if one.parts else 0.0
            for one in samples
            if one.is_answerable is is_own
        ]
        for is_own in (True, False)
    }
    refused = [float(np.mean([each < 0.5 for each in told[is_own]])) for is_own in (True, False)]
    return (
        f"{np.mean(first):.2f} | {np.mean(three):.2f} | {auc(told[True], told[False]):.3f} | "
        f"{refused[0]:.2f} | {refused[1]:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--vault", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--by-words", action="store_true", help="fit the tables for words alone")
    parser.add_argument("--foreign", type=int, default=20)
    options = parser.parse_args()
    sets = read_sets(options.sets, named_vaults(options.vault), options.work)
    vaults = {each.home: vault_of(each, options.work, not options.by_words) for each in sets}
    asked = [
        (each.home, case, "own" if case.is_answerable else "none")
        for each in sets
        for case in each.cases
        if case.evidence or not case.is_answerable
    ]
    for _, other, cases in foreign(sets, options.foreign):
        asked += [(other.home, case, "foreign") for case in cases]
    for home, client in vaults.items():
        own = [case for at, case, kind in asked if at == home and kind == "own"]
        asked += [(home, case, "near") for case in read_near(home, "fit")]
        asked += [(home, case, "exchanged") for case in exchanged(client, own)]
    samples = [
        sample(home, vaults[home], case, by_words=options.by_words, kind=kind) for home, case, kind in asked
    ]
    if not options.by_words:
        # Those whose language the model does not know were compared by words.
        samples = [one for one in samples if one.parts and "whole" in one.parts[0]]
    order = [
        "words",
        "words around",
        "rank",
        "joint",
    ]
    signs = ["always", "words of the best", "words of all", "search", "name missing"]
    if not options.by_words:
        order += ["opens section", "whole", "near", "telling"]
        signs = ["always", "whole", "said", "unsaid", "name missing"]
    report(samples, order, signs)


if __name__ == "__main__":
    main()
