"""Add up what the terms of a query give each chunk, as far as the best sums need it."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.bm25 import Impact
from app.search.lexical.sparse import Ids, Scores

Mask = NDArray[np.bool_]

_SLACK = 1.00001
"""Bounds are sums of rounded numbers; this much more keeps them bounds."""


def in_order(impacts: Iterable[Impact]) -> tuple[Impact, ...]:
    """Sort terms by the most they add; those that occur nowhere are left out."""
    return tuple(sorted((i for i in impacts if len(i.ids)), key=lambda i: (-i.top, len(i.ids))))


def best_of(ordered: Sequence[Impact], mask: Mask | None, k: int | None, sums: Scores) -> tuple[Ids, Scores]:
    """Return the chunks whose sum over the terms is among the ``k`` highest, in no order, ties all included.

    Terms go from the highest bound to the lowest. Once those left together cannot lift a chunk that
    was not met yet into the best k, they are only looked up for the chunks still in the race.

    Args:
        ordered: What each term adds, as `in_order` gives it; every chunk's sum is taken in this order.
        mask: Which documents may answer.
        k: How many are wanted; None for all.
        sums: Zeros, one for each document; zeros again on return.
    """
    if len(ordered) == 1:
        return _cut(*_within(ordered[0], mask), k)
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
        ids, scores = _within(impact, mask)
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
        at = np.minimum(impact.ids.searchsorted(found), len(impact.ids) - 1)
        score = score + np.where(impact.ids[at] == found, impact.scores[at], np.float32(0))
        rest -= impact.top
    return _cut(found, score, k)


def having_any(impacts: Sequence[Impact], mask: Mask | None, size: int) -> Mask:
    """Return the documents that have any of the terms."""
    having = np.zeros(size, np.bool_)
    for impact in impacts:
        having[impact.ids] = True
    return having if mask is None else having & mask


def equal_runs(scores: Scores) -> list[tuple[int, int]]:
    """Return the runs of two or more equal scores in a sorted array: first, and after the last."""
    same = scores[1:] == scores[:-1]
    if not same.any():
        return []
    borders = np.flatnonzero(~same) + 1
    edges = [0, *borders.tolist(), len(scores)]
    return [(start, end) for start, end in pairwise(edges) if end - start > 1]


def _within(impact: Impact, mask: Mask | None) -> tuple[Ids, Scores]:
    if mask is None:
        return impact.ids, impact.scores
    allowed = mask[impact.ids]
    return impact.ids[allowed], impact.scores[allowed]


def _cut(ids: Ids, scores: Scores, k: int | None) -> tuple[Ids, Scores]:
    """Keep the k best, and what equals the last of them."""
    if k is None or len(scores) <= k:
        return ids, scores
    kept = (scores >= np.float32(_kth(scores, k))).nonzero()[0]
    return ids[kept], scores[kept]


def _kth(scores: Scores, k: int) -> float:
    ordered = scores.copy()
    ordered.partition(len(scores) - k)
    return float(ordered[len(scores) - k])
