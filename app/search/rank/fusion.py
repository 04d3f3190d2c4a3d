"""Join ranked lists into one, and scores of different kinds into one score."""

from collections.abc import Sequence

import numpy as np

from app.search.lexical.sparse import Ids, Scores


def reciprocal_ranks(lists: Sequence[Ids], k: float, weights: Sequence[float] = ()) -> tuple[Ids, Scores]:
    """Fuse ranked lists: each adds its weight / (k + rank) to what it names; best first, with the sums.

    Ties stand in order of appearance; without ``weights`` all lists count alike.

    Source: Cormack, Clarke and Buettcher, Reciprocal Rank Fusion, SIGIR 2009.
    """
    sizes = np.array([len(ranked) for ranked in lists], np.int64)
    items = np.concatenate([np.zeros(0, np.int64), *lists])
    ranks = np.arange(1, len(items) + 1) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    shares = np.repeat(np.array(weights or [1.0] * len(sizes)), sizes) / (k + ranks)
    distinct, first, which = np.unique(items, return_index=True, return_inverse=True)
    sums = np.bincount(which, shares, len(distinct))
    order = np.lexsort((first, -sums))
    return distinct[order], sums[order].astype(np.float32)


def minmax(scores: Scores, among: Scores | None = None) -> Scores:
    """Stretch scores to 0..1, or by the limits of others; equal ones are all 1."""
    known = scores if among is None else among
    low, high = known.min(initial=np.inf), known.max(initial=-np.inf)
    if not high > low:
        return np.ones_like(scores)
    stretched: Scores = (scores - low) / (high - low)
    return stretched
