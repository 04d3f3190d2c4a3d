"""Join ranked lists into one, and scores of different kinds into one score."""

import math
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]


def reciprocal_ranks(
    lists: Collection[Sequence[int]], k: float, weights: Sequence[float] = ()
) -> dict[int, float]:
    """Fuse ranked lists: each adds its weight / (k + rank) to what it names; best first.

    Ties stand in order of appearance; without ``weights`` all lists count alike.

    Source: Cormack, Clarke and Buettcher, Reciprocal Rank Fusion, SIGIR 2009.
    """
    fused: dict[int, float] = {}
    for ranked, weight in zip(lists, weights or [1.0] * len(lists), strict=True):
        for rank, item in enumerate(ranked, start=1):
            fused[item] = fused.get(item, 0.0) + weight / (k + rank)
    return dict(sorted(fused.items(), key=lambda pair: -pair[1]))


def minmax(scores: Scores, among: Scores | None = None) -> Scores:
    """Stretch scores to 0..1, or by the limits of others; equal ones are all 1."""
    known = scores if among is None else among
    low, high = known.min(initial=np.inf), known.max(initial=-np.inf)
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
