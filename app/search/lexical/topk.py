"""The best chunks for several terms, exactly, without adding up what cannot change the answer."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.impact import Ids, Impact, Scores

_SLACK = 1.00001
"""Bounds are sums of rounded numbers; this much more keeps them bounds."""


def top(
    impacts: Sequence[Impact], mask: NDArray[np.bool_] | None, k: int | None, sums: Scores
) -> tuple[Ids, Scores]:
    """Give the chunks whose sum over the terms is among the ``k`` highest, in no order, ties all included.

    Terms go from the highest bound to the lowest. Once those left together cannot lift a chunk that
    was not met yet into the best k, they are only looked up for the chunks still in the race.

    Args:
        impacts: What each term adds; every chunk's sum is taken in the same order.
        mask: Which documents may answer.
        k: How many are wanted; None for all.
        sums: Zeros, one for each document; zeros again on return.
    """
    ordered = sorted((i for i in impacts if len(i.ids)), key=lambda i: (-i.top, len(i.ids)))
    rest = sum(impact.top for impact in ordered)
    most = 0.0
    met: list[Ids] = []
    count, best, done = 0, 0.0, 0
    for impact in ordered:
        # No chunk has more than the terms so far can give, so below that the best k need not be looked at.
        if k is not None and count >= k and most > rest * _SLACK:
            best = _kth(sums[np.concatenate(met)], k)
            if best > rest * _SLACK:
                break
        ids, scores = impact.ids, impact.scores
        if mask is not None:
            allowed = mask[ids]
            ids, scores = ids[allowed], scores[allowed]
        if done:
            before = sums[ids]
            met.append(ids[before == 0])
            sums[ids] = before + scores
        else:
            met.append(ids)
            sums[ids] = scores
        count += len(met[-1])
        rest -= impact.top
        most += impact.top
        done += 1
    found = np.concatenate(met) if met else np.zeros(0, np.int64)
    score: Scores = sums[found]
    sums[found] = 0
    for impact in ordered[done:]:
        racing = score + np.float32(rest * _SLACK) >= best
        found, score = found[racing], score[racing]
        at = np.minimum(np.searchsorted(impact.ids, found), len(impact.ids) - 1)
        score = score + np.where(impact.ids[at] == found, impact.scores[at], np.float32(0))
        rest -= impact.top
    if k is not None and len(score) > k:
        kept = score >= _kth(score, k)
        found, score = found[kept], score[kept]
    return found, score


def count_any(impacts: Sequence[Impact], mask: NDArray[np.bool_] | None, size: int) -> int:
    """Count the documents that have any of the terms."""
    having = np.zeros(size, np.bool_)
    for impact in impacts:
        having[impact.ids] = True
    return int(np.count_nonzero(having if mask is None else having & mask))


def equal_runs(scores: Scores) -> list[tuple[int, int]]:
    """Give the runs of two or more equal scores in a sorted array: first, and after the last."""
    borders = np.flatnonzero(np.diff(scores)) + 1
    edges = [0, *borders.tolist(), len(scores)]
    return [(start, end) for start, end in pairwise(edges) if end - start > 1]


def _kth(scores: Scores, k: int) -> float:
    return float(np.partition(scores, len(scores) - k)[len(scores) - k])
