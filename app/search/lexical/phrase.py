"""Find the chunks whose body may hold a text as it stands: its words in a row."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import RUN, parts
from app.search.lexical.postings import TermTable, ragged
from app.search.lexical.segment import SegmentFile

Ids = NDArray[np.int64]

MOST_ROWS = 4096
"""Where a cut word could be more words than this, it is not asked for at all."""


@lru_cache(maxsize=64)
def words_of(text: str) -> tuple[tuple[bytes, bool, bool], ...]:
    """Give the words of a piece of text, and whether each may go on to the left, and to the right."""
    words = [part.encode("utf-8", "surrogatepass") for part in parts(text)]
    lowered = text.lower()
    spans = [match.span() for match in RUN.finditer(lowered)]
    if not words:
        return ()
    left, right = spans[0][0] == 0, spans[-1][1] == len(lowered)
    last = len(words) - 1
    return tuple((word, left and at == 0, right and at == last) for at, word in enumerate(words))


def holding(segment: SegmentFile, text: str) -> Ids | None:
    """Give the documents whose body has the words of ``text`` in a row, ascending.

    The first and the last word may be cut, so they are met by any word that ends, or starts, so:
    no document whose text holds ``text`` is missed. None when there is no word to look for.
    """
    table = segment.table("body")
    wanted: list[tuple[int, Sequence[int]]] = []
    for at, (word, left, right) in enumerate(words_of(text)):
        rows = _rows(table, word, left, right)
        if rows is None:
            continue
        if not rows:
            return np.zeros(0, np.int64)
        wanted.append((at, rows))
    return in_row(segment, wanted) if wanted else None


def together(segment: SegmentFile, left: str, right: str) -> Ids:
    """Give the documents whose body has two exact words directly one after the other, ascending."""
    table = segment.table("body")
    first, second = (table.row(word.encode("utf-8", "surrogatepass")) for word in (left, right))
    if first is None or second is None:
        return np.zeros(0, np.int64)
    return in_row(segment, [(0, (first,)), (1, (second,))])


def in_row(segment: SegmentFile, wanted: Sequence[tuple[int, Sequence[int]]]) -> Ids:
    """Give the documents that have, so many places from one start, any of the rows of each word."""
    table = segment.table("body")
    ordered = sorted(wanted, key=lambda item: _weight(table, item[1]))
    documents = _documents(table, ordered)
    if len(ordered) == 1 or not len(documents):
        return documents
    furthest = max(at for at, _ in ordered)
    keys: Ids | None = None
    for at, row in ordered:
        these = _keys(table, row, furthest - at, documents, segment.count)
        keys = these if keys is None else keys[_member(keys, these)]
    assert keys is not None
    found = keys >> 32
    first = np.ones(len(found), np.bool_)
    first[1:] = found[1:] != found[:-1]
    distinct: Ids = found[first]
    return distinct


def _rows(table: TermTable, word: bytes, open_left: bool, open_right: bool) -> Sequence[int] | None:
    """Give the rows of the words that a possibly cut word stands for; None for too many to ask for."""
    if not open_left and not open_right:
        row = table.row(word)
        return () if row is None else (row,)
    if not open_left:
        return range(*table.span(word))
    found: list[int] = []
    for row in _scan(table, word if open_right else word + b"\n"):
        found.append(row)
        if len(found) > MOST_ROWS:
            return None
    return found


def _scan(table: TermTable, piece: bytes) -> Iterator[int]:
    """Give the rows of the terms whose line, its line feed included, holds ``piece``."""
    text, ends = table.text, table.ends
    at = text.find(piece)
    while at >= 0:
        row = bisect_right(ends, at) - 1
        yield row
        at = text.find(piece, ends[row + 1])


def _weight(table: TermTable, rows: Sequence[int]) -> int:
    return sum(int(table.starts[row + 1]) - int(table.starts[row]) for row in rows)


def _documents(table: TermTable, wanted: Sequence[tuple[int, Sequence[int]]]) -> Ids:
    """Give the documents that have one of the rows for every word."""
    documents: Ids | None = None
    for _, rows in wanted:
        ids = np.concatenate([table.postings(row)[0] for row in rows])
        if documents is None:
            documents = np.unique(ids).astype(np.int64) if len(rows) > 1 else ids.astype(np.int64)
        elif len(rows) == 1:
            documents = documents[_member(documents, ids)]
        else:
            documents = documents[np.isin(documents, ids)]
    assert documents is not None
    return documents


def _keys(table: TermTable, rows: Sequence[int], shift: int, documents: Ids, count: int) -> Ids:
    """Give (document, where the text would start) for each place of the rows, as sorted numbers.

    ``shift`` moves the start to where no word before it makes it negative.
    """
    assert table.positions is not None
    assert table.position_starts is not None
    found = []
    for row in rows:
        ids, tfs = table.postings(row)
        if len(ids) > 4 * len(documents):
            at = np.searchsorted(ids, documents)
            at = at[ids[np.minimum(at, len(ids) - 1)] == documents]
        else:
            wanted = np.zeros(count, np.bool_)
            wanted[documents] = True
            at = np.flatnonzero(wanted[ids])
        before = np.cumsum(tfs, dtype=np.int64) - tfs
        places = ragged(before[at] + int(table.position_starts[row]), tfs[at])
        owners = np.repeat(ids[at].astype(np.int64), tfs[at])
        found.append((owners << 32) + table.positions[places] + shift)
    if len(found) == 1:
        return found[0]
    return np.unique(np.concatenate(found))


def _member(values: NDArray[np.int64], among: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say which values are in a sorted array."""
    if not len(among):
        return np.zeros(len(values), np.bool_)
    at = np.minimum(np.searchsorted(among, values), len(among) - 1)
    there: NDArray[np.bool_] = among[at] == values
    return there
