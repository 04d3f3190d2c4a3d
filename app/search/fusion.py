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


def confidence(cosine: float, tokens: float, coverage: float) -> float:
    """Estimate, from the best scores of a ranking, how likely it answers the question, 0 to 1.

    Fitted on questions that the notes answer against questions that they do not; see docs/benchmarks.md.
    """
    return 1 / (1 + math.exp(-(4.1 * cosine + 2.9 * tokens + 2.25 * coverage - 4.15)))
