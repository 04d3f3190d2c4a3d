"""What BM25 has to know of all passages of a vault: how many there are, how long, and which have a word."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.schema import STREAMS, TABLES
from app.search.lexical.segment import Parts
from app.search.lexical.sparse import Ids, Scores, concatenated

K1: Final = 1.2
B: Final = 0.75
Int = NDArray[np.int64]


class WordCounts(NamedTuple):
    """The terms of one field, sorted as UTF-8, with the number of passages that have each, by language.

    ``counts`` has a row a term and a column for each of `Statistics.languages`.
    """

    terms: Sequence[bytes]
    counts: Int

    def of(self, term: str) -> Int | None:
        """Return how many passages of each language have a term; None where none has."""
        key = term.encode("utf-8", "surrogatepass")
        row = bisect_left(self.terms, key)
        return self.counts[row] if row < len(self.terms) and self.terms[row] == key else None


class Statistics(NamedTuple):
    """The numbers of all live passages, so that a part of them is ranked as it would be among all.

    ``notes`` and ``chunks`` count by language; ``filled`` and ``lengths`` count, for each stream of text, the
    passages that have any, and their words.
    """

    languages: tuple[int, ...]
    notes: Int
    chunks: Int
    filled: Mapping[str, Int]
    lengths: Mapping[str, Int]
    words: Mapping[str, WordCounts]

    def having(self, field: str, terms: Iterable[str], spoken: Iterable[int] | None = None) -> Int:
        """Count, by language, the passages that have any of some terms, at most.

        Args:
            field: The field.
            terms: The terms; of several, a passage that has two of them counts once at least.
            spoken: The languages that count; None counts all.
        """
        found = np.zeros(len(self.languages), np.int64)
        table = self.words[field]
        for term in terms:
            counts = table.of(term)
            if counts is not None:
                found = np.maximum(found, counts)
        if spoken is not None:
            found = np.where(np.isin(self.languages, list(spoken)), found, 0)
        return found


def statistics_of(parts: Parts, live: NDArray[np.bool_], notes: NDArray[np.bool_]) -> Statistics:
    """Count what stands in the segments of one snapshot.

    Args:
        parts: The segments, each with its first document.
        live: The documents that are live chunks.
        notes: The documents that are live notes.
    """
    spoken = concatenated((part.languages() for _, part in parts), np.uint8).astype(np.int64)
    languages = np.unique(spoken[notes]) if notes.any() else np.zeros(1, np.int64)
    filled, lengths = {}, {}
    for stream in STREAMS:
        words = concatenated((part.lengths(stream) for _, part in parts), np.int64)
        filled[stream] = _by_language(spoken[live & (words > 0)], languages)
        lengths[stream] = np.array([words[live & (spoken == code)].sum() for code in languages], np.int64)
    return Statistics(
        tuple(languages.tolist()),
        _by_language(spoken[notes], languages),
        _by_language(spoken[live], languages),
        filled,
        lengths,
        {field: _words(field, parts, live, spoken, languages) for field in TABLES[1:]},
    )


def _by_language(codes: Int, languages: Int) -> Int:
    return np.array([np.count_nonzero(codes == code) for code in languages], np.int64)


def _words(
    field: str,
    parts: Parts,
    live: NDArray[np.bool_],
    spoken: Int,
    languages: Int,
) -> WordCounts:
    found: dict[bytes, Int] = {}
    width = len(languages)
    for base, part in parts:
        table = part.table(field)
        sizes, ids, _ = table.gather(range(len(table)))
        rows = np.repeat(np.arange(len(table)), sizes)
        docs = ids.astype(np.int64) + base
        kept = live[docs]
        places = np.searchsorted(languages, spoken[docs[kept]])
        counts = np.bincount(rows[kept] * width + places, minlength=len(table) * width).reshape(-1, width)
        for name, row in zip(table.names(), counts, strict=True):
            known = found.get(name)
            found[name] = row if known is None else known + row
    terms = sorted(name for name, row in found.items() if row.any())
    return WordCounts(terms, np.array([found[term] for term in terms], np.int64).reshape(-1, width))


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
