"""Documents, ascending, each with a number: looked up, put together, added up."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Scores = NDArray[np.float32]
Number = TypeVar("Number", bound=np.generic)

NONE: Final = np.zeros(0, np.int64), np.zeros(0, np.float32)
"""No documents, and no numbers."""


def member(ids: Ids, among: Ids) -> NDArray[np.bool_]:
    """Return which documents are among others, which ascend."""
    if not len(among):
        return np.zeros(len(ids), np.bool_)
    if alike(ids, among):
        return np.ones(len(ids), np.bool_)
    there: NDArray[np.bool_] = among[np.minimum(among.searchsorted(ids), len(among) - 1)] == ids
    return there


def alike(ones: NDArray[np.generic], others: NDArray[np.generic]) -> bool:
    """Return whether two arrays hold the same."""
    return ones is others or (len(ones) == len(others) and bool((ones == others).all()))


def concatenated(pieces: Iterable[NDArray[Number]], kind: type[Number]) -> NDArray[Number]:
    """Put numbers of a kind one after the other; of no pieces there are none."""
    return np.concatenate([np.zeros(0, kind), *pieces])


def joined(found: Sequence[tuple[Ids, Scores]]) -> tuple[Ids, Scores]:
    """Put documents and values one after the other."""
    if len(found) == 1:
        return found[0]
    ids, values = zip(*found, strict=True)
    return np.concatenate(ids), np.concatenate(values)


def distinct(found: Sequence[NDArray[Number]]) -> NDArray[Number]:
    """Put documents, or other numbers, together, each once, ascending.

    As `np.unique` does, which in a new process first imports what it needs for masked arrays.
    """
    ids = np.concatenate(found)
    ids.sort()
    first = np.ones(len(ids), np.bool_)
    np.not_equal(ids[1:], ids[:-1], out=first[1:])
    return ids[first]


def gather(ids: Ids, values: Scores) -> tuple[Ids, Scores]:
    """Sort by document, and sum the values of equal ones."""
    if not len(ids):
        return ids, values
    order = np.argsort(ids, kind="stable")
    ids, values = ids[order], values[order]
    heads = np.flatnonzero(np.concatenate(([True], ids[1:] != ids[:-1])))
    return ids[heads], np.add.reduceat(values, heads)


def add(ids: Ids, scores: Scores, more: Ids, added: Scores) -> tuple[Ids, Scores]:
    """Add one sparse array to another."""
    if alike(ids, more):
        return ids, scores + added
    at = np.searchsorted(ids, more)
    there = ids[np.minimum(at, len(ids) - 1)] == more
    scores = scores.copy()
    scores[at[there]] += added[there]
    new = ~there
    count = int(np.count_nonzero(new))
    if not count:
        return ids, scores
    # As np.insert does, of which a call for each array would work out the places twice.
    places = at[new] + np.arange(count)
    old = np.ones(len(ids) + count, np.bool_)
    old[places] = False
    all_ids, all_scores = np.empty(len(old), ids.dtype), np.empty(len(old), scores.dtype)
    all_ids[old], all_ids[places] = ids, more[new]
    all_scores[old], all_scores[places] = scores, added[new]
    return all_ids, all_scores
