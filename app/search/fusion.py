"""Join ranked lists into one, and scores of different kinds into one score."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]


def reciprocal_ranks(lists: Iterable[Sequence[int]], k: float) -> dict[int, float]:
    """Fuse ranked lists: each adds 1 / (k + rank) to what it names; best first, ties in order of appearance.

    Source: Cormack, Clarke and Buettcher, Reciprocal Rank Fusion, SIGIR 2009.
    """
    fused: dict[int, float] = {}
    for ranked in lists:
        for rank, item in enumerate(ranked, start=1):
            fused[item] = fused.get(item, 0.0) + 1 / (k + rank)
    return dict(sorted(fused.items(), key=lambda pair: -pair[1]))


def minmax(scores: Scores) -> Scores:
    """Stretch scores to 0..1; equal ones are all 1."""
    low, high = scores.min(initial=np.inf), scores.max(initial=-np.inf)
    if not high > low:
        return np.ones_like(scores)
    stretched: Scores = (scores - low) / (high - low)
    return stretched


def confidence(cosines: Scores, tokens: Scores, coverage: Scores) -> float:
    """Estimate how likely a ranking answers the question, 0 to 1, by the passage that speaks most for it.

    The scores of one passage count together: a word here and a meaning there answer nothing. Fitted on
    questions that the notes answer against questions that they do not; see docs/benchmarks.md.

    Args:
        cosines: Of each passage's best window.
        tokens: Token interaction.
        coverage: Share of the question's information that its words cover, 0 to 1.
    """
    evidence = 6.0 * cosines + 7.5 * tokens + 1.1 * coverage
    return 1 / (1 + math.exp(6.9 - float(evidence.max(initial=0.0))))
