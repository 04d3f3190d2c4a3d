"""How likely each hit answers: a probability from what speaks for it, whatever model the vectors are of."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.ranker import Told
from app.search.lexical.sparse import Ids, Scores
from app.sentences import Sentence

if TYPE_CHECKING:
    from app.search.vectors.faiss_index import Background

HEAD = 20
"""So many first hits have a probability of their own; those after them fall from the last as they rank."""
CHANCE, SURE = 1.0, 3.5
"""How many deviations nearer than others parts of one note lie for a model that tells nothing, and for one
that is trusted in full. They share words, which brings them nearer by chance too."""

LEAST_LIKELY = 0.02
"""What has no word that was asked for, and is less likely to answer than this, is merely near."""

MET = 3
"""A column of `Parts`."""
Parts = NDArray[np.float64]
"""What speaks for each hit, a row a hit: 1, the logarithm of its rank, whether its note came before, how far
it meets the question, and by how much of its score it leads the next note."""


class Table(NamedTuple):
    """What counts how much: for that anything answers, as `asked_of` has it, and for that it is this hit."""

    question: tuple[float, ...]
    hit: tuple[float, ...]


BY_WORDS = Table((-3.274, 11.193), (-1.218, -0.983, 2.096, 1.737, 3.008))
"""For where only words rank; `bench/calibrate.py` fits it."""
BY_MEANING = Table((-4.366, 10.136), (-1.512, -1.157, 2.113, 2.147, 2.436))
"""For where meaning ranks too."""


class Evidence(NamedTuple):
    """What speaks for the first hits of a ranking, by their words, and by meaning too.

    ``trust`` is how far meaning is to be trusted for each hit, 0 to 1.
    """

    docs: Ids
    words: Parts
    meaning: Parts | None
    trust: Scores

    def describe(self, doc: int) -> Iterator[Sentence]:
        """Say what speaks for a hit; nothing for one that is none of the first."""
        for at in np.flatnonzero(self.docs == doc).tolist():
            yield Sentence("covers {share:.0%} of what is asked", share=float(self.words[at, MET]))


def evidence_of(
    docs: Ids,
    notes: Ids,
    scores: Scores,
    told: Told,
    cosines: Scores | None = None,
    background: "Background | None" = None,
) -> Evidence:
    """Weigh hits, best first, by their words, and by their meaning where that can be told.

    Args:
        docs: The hits.
        notes: Their notes.
        scores: The scores that order them.
        told: What the words of the query say of them.
        cosines: Of each hit's best window with the question; nan where there is none.
        background: What cosines are in this vault by chance.
    """
    covered = np.minimum(told.held.sum(axis=1), 1)
    words = _parts(notes, told.scores, covered)
    if cosines is None or background is None:
        return Evidence(docs, words, None, np.zeros(len(docs), np.float32))
    above = (cosines - background.mean) / background.deviation
    near = np.nan_to_num(np.clip(above / max(background.standing, CHANCE), 0, 1))
    trusted = np.clip((background.standing - CHANCE) / (SURE - CHANCE), 0, 1)
    trust = np.where(np.isnan(cosines), 0, trusted).astype(np.float32)
    return Evidence(docs, words, _parts(notes, scores, 1 - (1 - covered) * (1 - near)), trust)


def _parts(notes: Ids, scores: Scores, met: Scores) -> Parts:
    """Return what speaks for hits; those of equal scores share the mean of their ranks."""
    ranks = np.log(np.arange(1, len(scores) + 1))
    for equal in np.split(ranks, np.flatnonzero(scores[1:] != scores[:-1]) + 1):
        equal[:] = equal.mean()
    again, lead = np.ones(len(scores)), np.zeros(len(scores))
    again[np.unique(notes, return_index=True)[1]] = 0
    for at, score in enumerate(scores.tolist()):
        after = scores[at + 1 :][notes[at + 1 :] != notes[at]]
        # What no other note follows leads nobody.
        if len(after) and score > 0:
            lead[at] = max((score - float(after.max())) / score, -1)
    return np.stack((np.ones(len(scores)), ranks, again, met, lead), axis=1)


def chances(evidence: Evidence, by_words: Table | None = None, by_meaning: Table | None = None) -> Scores:
    """Return how likely each hit answers: as likely as that anything does, times that it is this hit if so.

    Args:
        evidence: What speaks for the hits.
        by_words: What parts count where only words rank, as fitted where left out.
        by_meaning: The same where meaning ranks too.
    """
    likely = _chances(evidence.words, by_words or BY_WORDS)
    if evidence.meaning is not None:
        likely += evidence.trust * (_chances(evidence.meaning, by_meaning or BY_MEANING) - likely)
    return likely.astype(np.float32)


def _chances(parts: Parts, table: Table) -> NDArray[np.float64]:
    return logistic(asked_of(parts) @ table.question) * logistic(parts @ table.hit)


def asked_of(parts: Parts) -> NDArray[np.float64]:
    """Return what speaks for that any hit answers: 1, and the most that one meets the question."""
    return np.array((1.0, parts[:, MET].max(initial=0)))


def logistic(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities whose odds have these logarithms."""
    likely: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(values, -30, 30)))
    return likely


def shown(scores: Scores, likely: Scores) -> Scores:
    """Return scores, best first, with the first of them as likely as they are; the rest falls as it does."""
    least, last = float(likely[-1]), float(scores[len(likely) - 1])
    rest = scores[len(likely) :] * np.float32(least / last if last > 0 else 0)
    return np.concatenate((likely, np.minimum(rest, np.float32(least))))


def falling(scores: Scores) -> Scores:
    """Return scores that never rise: where one would, it and some before it have their mean.

    Source: pool adjacent violators; Ayer and others, An empirical distribution function for sampling with
    incomplete information, 1955.
    """
    blocks: list[tuple[float, int]] = []
    for score in scores.tolist():
        mean, count = score, 1
        while blocks and blocks[-1][0] < mean:
            before, many = blocks.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        blocks.append((mean, count))
    means, counts = np.array(blocks, np.float32).reshape(-1, 2).T
    return np.repeat(means, counts.astype(int))
