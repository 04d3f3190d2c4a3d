"""Find the chunks whose body may hold a text as it stands: its words in a row."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import atoms, run_pattern, sign_of
from app.search.lexical.postings import TermTable, ragged
from app.search.lexical.segment import SegmentFile
from app.search.lexical.sparse import Ids, distinct, member

MOST_ROWS = 1 << 15
"""Where a cut word may be the end or the middle of more words than this, it is not asked for at all."""

MOST_SCANNED = 256
FEW_HITS = 128
"""So many words with some letters are found one after the other."""
_UNKNOWN = array("I")

MOST_PLACED = 2_000_000
"""Where the words that it may be stand at more places, a document must have one of them, wherever."""

MOST_IN_ROW = 16
"""Of a longer row so many words are looked for in their places: the ends, and the rarest between them."""


@lru_cache(maxsize=64)
def _words_of(text: str) -> tuple[tuple[bytes, bool, bool], ...]:
    """Return the words of a piece of text, and whether each may go on to the left, and to the right."""
    lowered = text.lower()
    found: list[tuple[str, bool, bool]] = []
    for match in run_pattern(lowered).finditer(lowered):
        run, sign = match.group(), sign_of(match.group())
        stop = match.end() == len(lowered)
        pieces = atoms(run)
        words = [atom.term for atom in pieces if atom.step]
        # Before another letter, a number sign at the end of the text would not be part of the word.
        closed = sign == "++" or (sign == "#" and not stop)
        if closed and words:
            words[-1] = pieces[-2].term
        last = len(words) - 1
        found += [
            (word, match.start() == 0 and at == 0, stop and not closed and at == last)
            for at, word in enumerate(words)
        ]
    return tuple((word.encode("utf-8", "surrogatepass"), left, right) for word, left, right in found)


def holding(segment: SegmentFile, text: str) -> Ids | None:
    """Return the documents whose body has the words of ``text`` in a row, ascending.

    The first and the last word may be cut, so they are met by any word that ends, or starts, so, and of very
    many words only some are looked for: no document whose text holds ``text`` is missed, and others may be
    found. None when there is no word to look for.
    """
    table = segment.table("body")
    words = list(enumerate(_words_of(text)))
    placed: list[tuple[int, Sequence[int]]] = []
    loose: list[Sequence[int]] = []
    # Which words end as the first does takes longest to find, and often the others stand nowhere in a row.
    for at, (word, left, right) in [*words[1:], *words[:1]]:
        if at == 0 and 1 < len(placed) < MOST_IN_ROW and not len(_in_row(segment, _telling(table, placed))):
            return np.zeros(0, np.int64)
        rows = _rows(table, word, left, right)
        if rows is None:
            continue
        if not rows:
            return np.zeros(0, np.int64)
        if _weight(table, rows) <= MOST_PLACED:
            placed.append((at, rows))
        else:
            loose.append(rows)
    if not placed and not loose:
        return None
    documents = _in_row(segment, _telling(table, sorted(placed))) if placed else np.arange(segment.count)
    for rows in loose:
        having = np.zeros(segment.count, np.bool_)
        having[_Listed(segment, rows).ids] = True
        documents = documents[having[documents]]
    return documents


def going_on(segment: SegmentFile, text: str) -> Ids | None:
    """Return the documents whose body begins with a word of ``text`` that is not its first, ascending.

    Where a text begins in one document and ends in another, that other is among them. None where that takes
    too long to tell.
    """
    table = segment.table("body")
    words = dict.fromkeys(_words_of(text)[1:])
    if len(words) > MOST_IN_ROW:
        return None
    found = [np.zeros(0, np.int64)]
    for word, left, right in words:
        rows = _rows(table, word, left, right)
        if rows is not None and not rows:
            continue
        if rows is None or _weight(table, rows) > MOST_PLACED:
            return None
        found.append(_Listed(segment, rows).begun())
    return distinct(found)


def together(segment: SegmentFile, left: str, right: str) -> Ids:
    """Return the documents whose body has two exact words directly one after the other, ascending."""
    table = segment.table("body")
    first, second = (table.row(word.encode("utf-8", "surrogatepass")) for word in (left, right))
    if first is None or second is None:
        return np.zeros(0, np.int64)
    return _in_row(segment, [(0, (first,)), (1, (second,))])


def _in_row(segment: SegmentFile, wanted: Sequence[tuple[int, Sequence[int]]]) -> Ids:
    """Return the documents that have, so many places from one start, any of the rows of each word."""
    table = segment.table("body")
    ordered = sorted(wanted, key=lambda item: _weight(table, item[1]))
    lists: list[_Listed] = []
    documents = np.zeros(0, np.int64)
    for _, rows in ordered:
        listed = _Listed(segment, rows)
        documents = documents[member(documents, listed.documents)] if lists else listed.documents
        lists.append(listed)
        if not len(documents):
            break
    if len(ordered) == 1 or not len(documents):
        return documents
    furthest = max(at for at, _ in ordered)
    keys: Ids | None = None
    for (at, rows), listed in zip(ordered, lists, strict=True):
        these = listed.places(documents) + (furthest - at)
        if keys is None:
            keys = np.sort(these)
        elif len(rows) == 1:
            keys = keys[member(keys, these)]
        else:
            # They are in no order, and there are more of them than of those to be found.
            met = np.zeros(len(keys), np.bool_)
            met[keys.searchsorted(these[member(these, keys)])] = True
            keys = keys[met]
    assert keys is not None
    return distinct([keys >> 32])


def _telling(
    table: TermTable, placed: Sequence[tuple[int, Sequence[int]]]
) -> Sequence[tuple[int, Sequence[int]]]:
    """Choose the words of a row that tell most: both ends, which say how long it is, and the rarest."""
    if len(placed) <= MOST_IN_ROW:
        return placed
    first, *between, last = placed
    between.sort(key=lambda item: _weight(table, item[1]))
    return [first, *between[: max(MOST_IN_ROW - 2, 0)], last]


def _rows(table: TermTable, word: bytes, open_left: bool, open_right: bool) -> Sequence[int] | None:
    """Return the rows of the words that a possibly cut word stands for; None for too many to ask for."""
    if not open_left and not open_right:
        row = table.row(word)
        return () if row is None else (row,)
    if not open_left:
        return range(*table.span(word))
    piece = word if open_right else word + b"\n"
    known = table.scanned.get(piece, _UNKNOWN)
    if known is not _UNKNOWN:
        return known
    found = scan(table, piece)
    rows = array("I", found.astype(np.uint32).tobytes()) if len(found) <= MOST_ROWS else None
    if len(table.scanned) >= MOST_SCANNED:
        table.scanned.clear()
    table.scanned[piece] = rows
    return rows


def scan(table: TermTable, piece: bytes) -> Ids:
    """Return the rows of the terms whose line, its line feed included, holds ``piece``, ascending."""
    text, ends, rows = table.text, table.ends, list[int]()
    at = text.find(piece)
    while at >= 0 and len(rows) < FEW_HITS:
        rows.append(bisect_right(ends, at) - 1)
        at = text.find(piece, ends[rows[-1] + 1])
    if at < 0:
        return np.array(rows, np.int64)
    # Letters that many words have are found several times as fast by cutting all words there.
    after = np.fromiter(map(len, text.split(piece)), np.int64) + len(piece)
    places = (after.cumsum()[:-1] - len(piece)).astype(ends.format)
    return distinct([np.asarray(ends).searchsorted(places, "right") - 1])


def _weight(table: TermTable, rows: Sequence[int]) -> int:
    """Count the places of some rows, which is what looking for them costs."""
    starts = table.places
    if len(rows) == 1:
        return int(starts[rows[0] + 1]) - int(starts[rows[0]])
    if isinstance(rows, range):
        return int(starts[rows.stop]) - int(starts[rows.start])
    numbers = np.array(rows)
    return int((starts[numbers + 1].astype(np.int64) - starts[numbers]).sum())


class _Listed:
    """The documents whose body has any of some words, each word by its row, and where these stand there."""

    def __init__(self, segment: SegmentFile, rows: Sequence[int]) -> None:
        self._segment, self._table, self._rows = segment, segment.table("body"), np.asarray(rows, np.int64)
        if len(rows) == 1:
            self.ids, counts = self._table.postings(rows[0])
            self._counts, self._sizes = counts.astype(np.int64), np.array([len(counts)])
        else:
            self._sizes, self.ids, self._counts = self._table.gather(
                rows if isinstance(rows, range) else self._rows
            )

    @property
    def documents(self) -> Ids:
        """The documents, ascending."""
        if len(self._rows) == 1:
            return self.ids
        return np.flatnonzero(self._among(self.ids))

    def _among(self, documents: Ids) -> NDArray[np.bool_]:
        there = np.zeros(self._segment.count, np.bool_)
        there[documents] = True
        return there

    def begun(self) -> Ids:
        """Return the documents that begin with one of the words, in no order."""
        found: Ids = self.ids[self._table.positions(self._starts()) == 0]
        return found

    def places(self, documents: Ids) -> Ids:
        """Return each place in some of the documents as one number, the document above 32 bits.

        Those of one word ascend, those of several do so word by word.
        """
        if len(self._rows) == 1:
            kept = self.ids.searchsorted(documents)
        else:
            kept = np.flatnonzero(self._among(documents)[self.ids])
        starts, counts, owners = self._starts()[kept], self._counts[kept], self.ids[kept] << 32
        if int(counts.sum()) > len(counts):
            starts, owners = ragged(starts, counts), owners.repeat(counts)
        return owners + self._table.positions(starts)

    def _starts(self) -> Ids:
        """Return where the places of each posting start."""
        starts, rows = self._table.places, self._rows
        steps = np.empty(len(self._counts), np.int64)
        steps[1:] = self._counts[:-1]
        # The places of a row's postings follow one another, from where the row's own begin.
        steps[0] = starts[rows[0]]
        steps[self._sizes.cumsum()[:-1]] += starts[rows[1:]].astype(np.int64) - starts[rows[:-1] + 1]
        return steps.cumsum()
