"""What BM25 has to know of the chunks of a group: how many there are, and how long."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from app.search.lexical.sparse import Ids, Scores

K1: Final = 1.2
B: Final = 0.75


class Field(NamedTuple):
    """How many live chunks of each group have one stream, and each chunk's length term in its group."""

    counts: tuple[int, ...]
    norm: Scores


Group = slice | Ids
"""The documents whose statistics are taken together, as an index into an array of all."""


def field_of(lengths: Ids, groups: Sequence[Group], filled: Sequence[int], words: Sequence[int]) -> Field:
    """Derive the statistics of a stream from its lengths.

    Args:
        lengths: How many words of it each document has.
        groups: The documents of each group.
        filled: How many live chunks of each group have any.
        words: How many they have together.
    """
    norm = np.empty(len(lengths), np.float32)
    for group, count, total in zip(groups, filled, words, strict=True):
        norm[group] = K1 * (1 - B + B * lengths[group] / (total / count if count else 1.0))
    return Field(tuple(filled), norm)


def idf(count: int, df: int) -> float:
    """Return the weight of a term that ``df`` of ``count`` chunks have."""
    return float(np.log1p((count - df + 0.5) / (df + 0.5)))
