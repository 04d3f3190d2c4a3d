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
    there: NDArray[np.bool_] = among[np.minimum(among.searchsorted(ids), len(among) - 1)] == ids
    return there


def concatenated(pieces: Iterable[NDArray[Number]], kind: type[Number]) -> NDArray[Number]:
    """Put numbers of a kind one after the other; of no pieces there are none."""
    return np.concatenate([np.zeros(0, kind), *pieces])


def distinct(found: Sequence[NDArray[Number]]) -> NDArray[Number]:
    """Put documents, or other numbers, together, each once, ascending.

    As `np.unique` does, which in a new process first imports what it needs for masked arrays.
    """
    ids = np.concatenate(found)
    ids.sort()
    first = np.ones(len(ids), np.bool_)
    np.not_equal(ids[1:], ids[:-1], out=first[1:])
    return ids[first]


def gather(found: Sequence[tuple[Ids, Scores]]) -> tuple[Ids, Scores]:
    """Put documents and values together, sorted by document; values of equal ones are summed."""
    ids, values = (np.concatenate(pieces) for pieces in zip(*found, strict=True))
    if not len(ids):
        return ids, values
    order = np.argsort(ids, kind="stable")
    ids, values = ids[order], values[order]
    heads = np.flatnonzero(np.concatenate(([True], ids[1:] != ids[:-1])))
    return ids[heads], np.add.reduceat(values, heads)
