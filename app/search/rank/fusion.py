"""Join ranked lists into one, and scores of different kinds into one score."""

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


def minmax(scores: Scores, among: Scores | None = None, lowest: Scores | None = None) -> Scores:
    """Stretch scores to 0..1, or by the limits of others; equal ones are all 1.

    Where ``lowest`` is given, the lower limit is the least of these, unless that is the upper limit too.
    """
    known = scores if among is None else among
    low, high = (known if lowest is None else lowest).min(initial=np.inf), known.max(initial=-np.inf)
    if not high > low:
        low = known.min(initial=np.inf)
    if not high > low:
        return np.ones_like(scores)
    stretched: Scores = (scores - low) / (high - low)
    return stretched
