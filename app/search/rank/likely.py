"""How likely each hit answers: a probability from what speaks for it, whatever model the vectors are of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.index import Told, equal_runs
from app.search.rank.fusion import Scores
from app.search.vectors.by_chunk import Background

HEAD = 20
"""So many first hits have a probability of their own; those after them fall from the last as they rank."""
SURE = 4.0
"""A model for which parts of one note lie so many deviations nearer than others is trusted in full."""
NEAREST = 1.2
"""Where 0 is the background and 1 how near neighbouring windows of a note lie, nothing nearer tells more."""

BY_WORDS: Mapping[str, float] = {
    "always": -4.211,
    "rank": -0.377,
    "again": 2.403,
    "share": 2.419,
    "lead": 2.383,
    "words": -1.82,
    "information": 5.185,
    "coverage of many": -2.657,
}
"""What each part of the evidence counts where only words rank; `bench/calibrate.py` fits it."""
BY_MEANING: Mapping[str, float] = {
    "always": -4.916,
    "rank": -0.476,
    "again": 2.663,
    "coverage": 3.95,
    "score by words": 2.052,
    "lead of the first": 1.227,
    "share": 1.814,
    "meaning": 5.221,
    "meaning and coverage": -6.946,
    "nearest of all": -1.004,
}
"""What each part counts where meaning ranks too."""

Rows = Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the first hits of a ranking: numbers by name, one for each hit.

    ``covered`` is the share of the question's information that a hit's words cover, 0 to 1, and ``lead`` the
    share of its score by words that the next note lacks. ``above`` is how many deviations its nearest window
    lies above what windows of the vault have in common by chance; nan where it has no vectors.
    """

    docs: Sequence[int]
    parts: Mapping[str, Scores]
    covered: Scores
    lead: Scores
    above: Scores

    def describe(self, doc: int) -> str:
        """Say what speaks for a hit; empty for one that is none of the first."""
        if doc not in self.docs:
            return ""
        at = list(self.docs).index(doc)
        said = [f"covers {self.covered[at]:.0%} of what is asked"]
        if self.lead[at] > 0:
            said.append(f"leads the next note by {self.lead[at]:.0%} in words")
        if not np.isnan(self.above[at]):
            where = "above" if self.above[at] >= 0 else "below"
            said.append(f"meaning {abs(self.above[at]):.1f} deviations {where} the vault's background")
        return ", ".join(said)


def evidence_of_words(docs: Sequence[int], notes: Sequence[int], told: Told) -> Evidence:
    """Weigh hits, best first, by their words alone.

    Args:
        docs: The hits.
        notes: Their notes.
        told: What the words of the query say of them.
    """
    count = len(docs)
    covered = np.minimum(told.held.sum(axis=1), 1).astype(np.float32)
    lead = _lead(told.scores, notes)
    squares = float((told.worth**2).sum())
    # As many words of equal worth would tell as much.
    words = max(float(told.worth.sum()) ** 2 / squares, 1.0) if squares else 1.0
    parts = {
        "always": np.ones(count, np.float32),
        "rank": _ranks(told.scores),
        "again": np.array([note in notes[:at] for at, note in enumerate(notes)]),
        "share": told.scores / max(float(told.scores.max(initial=0)), 1e-9),
        "lead": lead,
        "words": np.full(count, np.log(words)),
        "information": np.log1p(covered * words),
        "coverage of many": covered * np.log(words),
    }
    numbers = {name: np.asarray(part, np.float32) for name, part in parts.items()}
    return Evidence(docs, numbers, covered, lead, np.full(count, np.nan, np.float32))


def evidence_of_meaning(
    words: Evidence,
    told: Told,
    rows: Rows,
    cosines: Scores,
    background: Background,
) -> Evidence:
    """Weigh hits, best first, by their words and their meaning.

    Args:
        words: What their words say.
        told: The same by word.
        rows: The hits with the scores that order them.
        cosines: Of each hit's best window; nan where there is none.
        background: What cosines are in this vault by chance.
    """
    above = (cosines - background.mean) / background.deviation
    scores = np.array([score for _, score in rows], np.float32)
    near = np.nan_to_num(np.clip(above / max(background.standing, 1.0), 0, NEAREST))
    near *= min(max(background.standing, 0) / SURE, 1.0)
    parts = {
        **{name: words.parts[name] for name in ("always", "again")},
        "rank": _ranks(scores),
        "coverage": words.covered,
        "score by words": np.log1p(told.scores),
        "lead of the first": np.where(np.arange(len(rows)) == 0, words.lead, 0),
        "share": scores / max(float(scores.max(initial=0)), 1e-9),
        "meaning": near,
        "meaning and coverage": near * words.covered,
        "nearest of all": np.full(len(rows), near.max(initial=0)),
    }
    numbers = {name: np.asarray(part, np.float32) for name, part in parts.items()}
    return Evidence(words.docs, numbers, words.covered, words.lead, above.astype(np.float32))


def _ranks(scores: Scores) -> NDArray[np.float64]:
    """Return the logarithms of the ranks; hits of equal scores, one after the other, share their mean."""
    ranks = np.log(np.arange(1, len(scores) + 1))
    for start, end in equal_runs(scores):
        ranks[start:end] = ranks[start:end].mean()
    return ranks


def _lead(scores: Scores, notes: Sequence[int]) -> Scores:
    """Return by how much of its score each hit exceeds the best one of another note after it, -1 to 1.

    It is 0 where no other note follows: what is alone leads nobody.
    """
    lead = np.zeros(len(scores), np.float32)
    for at, score in enumerate(scores.tolist()):
        after = [scores[later] for later in range(at + 1, len(notes)) if notes[later] != notes[at]]
        if after and score > 0:
            lead[at] = (score - max(after)) / score
    return np.clip(lead, -1, 1)


def chances(evidence: Evidence, table: Mapping[str, float]) -> NDArray[np.float64]:
    """Return how likely each hit answers, by a table of logistic regression."""
    total = np.zeros(len(evidence.docs))
    for name, weight in table.items():
        total += weight * evidence.parts[name]
    return 1 / (1 + np.exp(-np.clip(total, -30, 30)))


def shown(rows: Rows, likely: NDArray[np.float64]) -> list[tuple[int, float]]:
    """Give rows, best first, the probabilities of the first of them, in the order in which they stand.

    They never rise; those after the first fall as their own scores do.
    """
    head = falling([(doc, chance) for (doc, _), chance in zip(rows, likely.tolist(), strict=False)])
    if len(rows) <= len(head):
        return head
    last, least = rows[len(head) - 1][1], head[-1][1]
    share = least / last if last > 0 else 0.0
    return head + [(doc, min(share * score, least)) for doc, score in rows[len(head) :]]


def falling(rows: Rows) -> list[tuple[int, float]]:
    """Give rows scores that never rise: where one would, it and some before it have their mean.

    Source: pool adjacent violators; Ayer and others, An empirical distribution function for sampling with
    incomplete information, 1955.
    """
    blocks: list[tuple[float, int]] = []
    for _, score in rows:
        mean, count = score, 1
        while blocks and blocks[-1][0] < mean:
            before, many = blocks.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        blocks.append((mean, count))
    means = [mean for mean, count in blocks for _ in range(count)]
    return [(doc, mean) for (doc, _), mean in zip(rows, means, strict=True)]
