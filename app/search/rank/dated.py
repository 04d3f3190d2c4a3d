"""Tell which passages lie in the time that a question names, and how surely."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from app.search.index.documents import SECONDS_A_DAY, value_texts
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.sparse import Ids, Scores
from app.search.query.evaluate import chunk_text
from app.search.query.period import Period, Window, days_of, whole_month, whole_year
from app.search.query.times import written_periods, written_years
from app.search.view import View
from app.vault.dates import parse_day
from app.vault.paths import nfc

BONUS = 1.0
"""What lies in the time counts so much more: at 1 twice as much."""
OWN, WRITTEN, FILE = 1.0, 0.5, 0.25
"""How surely a passage belongs to a day: its own or its note's, one in its text, that of its file."""
PARTLY = 0.5
"""What counts of a longer time that only has a day in common, such as a month where a day is asked for."""
DAYS_OF_A_YEAR = 365
LOOKED_AT = 200
"""Passages, best first, whose text, headings and properties are looked through for dates."""

_YEAR_OF_NAME = re.compile("[0-9]{4}")
"""What each name that tells a time has: most names have none."""
_FOLDERS = re.compile(r"(?:^|/)([0-9]{4})/([0-9]{2})(?=/|$)")
_COMPACT = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})([0-9]{2})([0-9]{2})(?:[0-9]{4}(?:[0-9]{2})?)?(?![0-9])")


class Placed(NamedTuple):
    """How surely each chunk lies in a window, 0 to 1."""

    view: View
    window: Window
    grades: Scores

    def look_closer(self, docs: Iterable[int]) -> None:
        """Look for days inside some chunks that do not lie in the window by what the index keeps."""
        for doc in docs:
            if self.grades[doc] < OWN:
                period = self.window.period
                # A bare year says nothing of a month; of years it says as much as a date does.
                key, known = (doc, period.days() >= DAYS_OF_A_YEAR), _read.setdefault(self.view.snapshot, {})
                if key not in known:
                    known[key] = tuple(_written(self.view, *key))
                grades = [sure * _lies(period, written) for sure, written in known[key]]
                self.grades[doc] = max([float(self.grades[doc]), *grades])

    def order(self, docs: Ids, scores: Scores, coverage: Scores | None, *, keeps: bool) -> tuple[Ids, Scores]:
        """Let chunks that lie in the window pass those that do not, and return them with their new scores.

        One in the window counts twice, one beside it once: by how much it covers of what is asked besides
        the time, and by its share of the best score. What lies outside keeps its order.

        Args:
            docs: The chunks, best first.
            scores: Their scores for what is asked besides.
            keeps: Whether what lies inside equally surely keeps its order too.
            coverage: How much each of them covers of what is asked besides, if anything is.
        """
        counted = self.grades[docs] > 0 if coverage is None else coverage
        self.look_closer(docs[:LOOKED_AT].tolist())
        grades = self.grades[docs]
        share = scores / np.float32(max(float(scores.max(initial=0)), 1e-9))
        worth = ((counted + share) / 2 * (1 + BONUS * grades)).astype(np.float32)
        for grade in np.unique(grades) if keeps else [0]:
            worth[grades == grade] = np.maximum.accumulate(worth[grades == grade][::-1])[::-1]
        order = np.lexsort((np.arange(len(docs)), -grades, -worth))
        shown = (scores * (1 + BONUS * grades) / (1 + BONUS)).astype(np.float32)
        return docs[order], shown[order]


def place(view: View, window: Window) -> Placed:
    """Look at the days and names that the index keeps of all chunks."""
    lexical, period = view.lexical, window.period
    first, last = period.first.toordinal(), period.last.toordinal()
    days, named, owner = lexical.column("day"), names(view.snapshot), lexical.note_of
    by_name = np.zeros(lexical.size, np.float32)
    for note, periods in named.items():
        by_name[note] = max(_lies(period, written) for written in periods)
    # What has no day at all is as old as its file.
    by_file = np.zeros(lexical.size, np.bool_)
    for field in ("created", "modified"):
        when = lexical.column(field)[owner] // SECONDS_A_DAY
        by_file |= (when >= first) & (when <= last)
    by_file &= (days == 0) & ~np.isin(owner, list(named))
    by_day = (days >= max(first, 1)) & (days <= last)
    every = (by_name[owner] * OWN, by_day * OWN, by_file * FILE)
    return Placed(view, window, np.maximum.reduce(every).astype(np.float32))


def _lies(window: Period, period: Period) -> float:
    if window.holds(period):
        return 1.0
    return PARTLY if window.meets(period) else 0.0


_read: "WeakKeyDictionary[VaultSnapshot, dict[tuple[int, bool], tuple[tuple[float, Period], ...]]]"
_read = WeakKeyDictionary()


def _written(view: View, doc: int, bare_years: bool) -> Iterator[tuple[float, Period]]:
    """Yield the days in a chunk's headings, its note's properties and its text, each with how surely."""
    for trail in view.snapshot.chunk_headings(doc):
        yield from ((OWN, period) for heading in trail for period in written_periods(nfc(heading)))
    note = view.snapshot.note(int(view.lexical.note_of[doc]))
    for value in note.properties.values():
        for text in value_texts(value):
            day = parse_day(text)
            periods = [Period(day, day, "day")] if day else written_periods(nfc(text[:100]))
            yield from ((OWN, period) for period in periods)
    text = chunk_text(view, doc)
    yield from ((WRITTEN, period) for period in written_periods(text))
    if bare_years:
        yield from ((WRITTEN, whole_year(year)) for year in written_years(text))


_named: "WeakKeyDictionary[VaultSnapshot, dict[int, list[Period]]]" = WeakKeyDictionary()


def names(snapshot: VaultSnapshot) -> dict[int, list[Period]]:
    """Return the days, weeks and months that the names of notes and their folders tell, by note."""
    found = _named.get(snapshot)
    if found is None:
        every = ((doc, list(name_periods(path))) for path, doc in snapshot.lexical.paths().items())
        found = _named[snapshot] = {doc: periods for doc, periods in every if periods}
    return found


def name_periods(path: str) -> Iterator[Period]:
    """Yield the days, weeks and months of a path: ``2025-04.md``, ``2025/04/x.md``, ``20250412 x.md``."""
    if not _YEAR_OF_NAME.search(path):
        return
    name = path.rpartition("/")[2].replace("_", "-")
    yield from written_periods(nfc(name.removesuffix(".md")))
    for year, month, day in _COMPACT.findall(name):
        if period := days_of(int(year), int(month), int(day), int(day)):
            yield period
    for year, month in _FOLDERS.findall(path.rpartition("/")[0]):
        if period := whole_month(int(year), int(month)):
            yield period
