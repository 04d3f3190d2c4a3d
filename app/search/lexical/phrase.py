"""Find the chunks whose body may hold a text as it stands: its words in a row."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import AnyStr

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import atoms, run_pattern, sign_of
from app.search.lexical.arrays import Array
from app.search.lexical.postings import TermTable, prefix_sums, ragged
from app.search.lexical.segment import SegmentFile
from app.search.lexical.sparse import Ids, distinct, member

MOST_ROWS = 1 << 15
"""Where a cut word may be the end or the middle of more words than this, it is not asked for at all."""
MOST_IN_ROW = 16
"""Of a longer row the first so many words are looked for."""
Gathered = tuple[Ids, Ids, Array]


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

    The first and the last word may be cut, so they are met by any word that ends, or starts, so: no document
    whose text holds ``text`` is missed, and others may be found. None when there is no word to look for.
    """
    table = segment.table("body")
    rows = [(at, _rows(table, *word)) for at, word in enumerate(_words_of(text)[:MOST_IN_ROW])]
    known = [(at, some) for at, some in rows if some is not None]
    return _in_row(segment, known) if known else None


def going_on(segment: SegmentFile, text: str) -> Ids:
    """Return the documents whose body begins with a word of ``text`` that is not its first, ascending.

    Where a text begins in one document and ends in another, that other is among them. Only the documents of
    notes that have all its words are told.
    """
    table, notes, found = segment.table("body"), np.ones(segment.count, np.bool_), [np.zeros(0, np.int64)]
    for at, word in enumerate(_words_of(text)):
        if (rows := _rows(table, *word)) is not None:
            gathered, having = table.gather(rows), np.zeros(segment.count, np.bool_)
            having[segment.note_of[gathered[1]]] = True
            notes &= having
            if at:
                found.append(gathered[1][table.positions(_starts(table, rows, gathered)) == 0])
    ids = distinct(found)
    return ids[notes[segment.note_of[ids]]]


def _in_row(segment: SegmentFile, wanted: Sequence[tuple[int, Ids]]) -> Ids:
    """Return the documents that have, so many places from one start, any of the rows of each word."""
    table = segment.table("body")
    found: list[tuple[int, Ids, Gathered]] = []
    there = np.ones(segment.count, np.bool_)
    # The fewer places some rows have, the less it costs to look for them.
    places = {at: int((table.places[rows + 1] - table.places[rows]).sum()) for at, rows in wanted}
    for at, rows in sorted(wanted, key=lambda item: places[item[0]]):
        found.append((at, rows, table.gather(rows)))
        having = np.zeros(segment.count, np.bool_)
        having[found[-1][2][1]] = True
        there &= having
        if not there.any():
            return np.zeros(0, np.int64)
    if len(wanted) == 1:
        return np.flatnonzero(there)
    furthest, ends = max(at for at, _ in wanted), None
    for at, rows, gathered in found:
        these = _places(table, rows, gathered, there) + (furthest - at)
        ends = distinct([these if ends is None else these[member(these, ends)]])
    assert ends is not None
    return distinct([ends >> 32])


def _places(table: TermTable, rows: Ids, gathered: Gathered, there: NDArray[np.bool_]) -> Ids:
    """Return each place of some rows in some documents as one number, the document above 32 bits."""
    kept = there[gathered[1]]
    ids, counts, starts = (values[kept] for values in (*gathered[1:], _starts(table, rows, gathered)))
    return (ids.repeat(counts) << 32) + table.positions(ragged(starts, counts))


def _starts(table: TermTable, rows: Ids, gathered: Gathered) -> Ids:
    """Return where the places of each posting of some rows begin: one after the other in each row."""
    sizes, _, counts = gathered
    before = prefix_sums(counts)[:-1]
    firsts = table.places[rows].astype(np.int64)
    return before + (firsts - before[prefix_sums(sizes)[:-1]]).repeat(sizes)


def _rows(table: TermTable, word: bytes, open_left: bool, open_right: bool) -> Ids | None:
    """Return the rows of the words that a possibly cut word stands for; None for too many to ask for."""
    if open_left:
        found = scan(table, word if open_right else word + b"\n")
        return found if len(found) <= MOST_ROWS else None
    if open_right:
        return table.span(word)
    row = table.row(word)
    return np.array([] if row is None else [row], np.int64)


def containing(segment: SegmentFile, field: str, piece: str) -> Ids:
    """Return the documents that have a word with a folded ``piece`` in it in a field, ascending."""
    table = segment.table(field)
    return distinct([table.gather(scan(table, piece.encode("utf-8", "surrogatepass")))[1]])


def scan(table: TermTable, piece: bytes) -> Ids:
    """Return the rows of the terms whose line, its line feed included, holds ``piece``, ascending."""
    return rows_with(table.text, np.asarray(table.ends), piece)


def rows_with(text: AnyStr, ends: Array, piece: AnyStr) -> Ids:
    """Return which rows of a text hold a piece of it, ascending; ``ends`` begins with 0."""

    def places() -> Iterator[int]:
        at = text.find(piece)
        while at >= 0:
            yield at
            at = text.find(piece, at + 1)

    return distinct([ends.searchsorted(np.fromiter(places(), ends.dtype), "right") - 1])
