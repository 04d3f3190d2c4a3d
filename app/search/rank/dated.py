"""Tell which passages lie in the time that a question names, and how surely."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from app.search.index.documents import SECONDS_A_DAY, value_texts
from app.search.index.snapshot import VaultSnapshot
from app.search.query.evaluate import chunk_text
from app.search.query.period import Period, Window, days_of, whole_month, whole_year
from app.search.query.written_time import written_periods, written_years
from app.search.rank.fusion import Scores
from app.search.view import View
from app.sentences import Sentence
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
_SOURCES = (
    "",
    Sentence("its own day"),
    Sentence("the name of its note"),
    Sentence("a heading"),
    Sentence("a property of its note"),
    Sentence("a date written in it"),
    Sentence("the day of its file"),
    Sentence("a date written in it"),
)
_DAY, _NAME, _HEADING, _PROPERTY, _TEXT, _FILE, _YEAR = range(1, 8)

Sources = NDArray[np.uint8]


class Placed(NamedTuple):
    """How surely each chunk lies in a window, 0 to 1, and what shows it."""

    view: View
    window: Window
    grades: Scores
    sources: Sources

    def look_closer(self, docs: Iterable[int]) -> None:
        """Look for days inside some chunks that do not lie in the window by what the index keeps."""
        # A bare year says nothing of a month; of years it says as much as a date does.
        years = self.window.period.days() >= DAYS_OF_A_YEAR
        for doc in docs:
            if self.grades[doc] < OWN:
                for source, sure, period in _written(self.view, doc):
                    grade = sure * _lies(self.window.period, period)
                    if (years or source != _YEAR) and grade > self.grades[doc]:
                        self.grades[doc], self.sources[doc] = grade, source

    def why(self, doc: int) -> Iterator[Sentence]:
        """Say what raised a chunk, if anything did."""
        if source := _SOURCES[self.sources[doc]]:
            yield Sentence("raised for '{time}' by {source}", time=self.window.phrase, source=source)


def in_time_first(
    rows: Sequence[tuple[int, float]], placed: Placed, coverage: Scores, besides: Scores | None = None
) -> list[tuple[int, float]]:
    """Let what lies in the time pass what does not, in a ranking that is best first.

    What lies outside keeps its order. What lies inside equally surely is ordered by what is asked besides the
    time, or keeps its order too. A passage outside stays before one inside where it is worth more than twice
    as much: half by how much of the question its words cover, half by its score. None is shown with less than
    what it passes; what lies outside is shown with half its score.

    Args:
        rows: Chunks with their scores.
        placed: What lies in the time.
        coverage: Of each chunk, how much it covers of what is asked besides the time.
        besides: Each chunk's score for that, where ``rows`` have scores for the words of the time too.
    """
    docs = np.array([doc for doc, _ in rows], np.int64)
    scores = np.array([score for _, score in rows], np.float32)
    placed.look_closer(docs[:LOOKED_AT].tolist())
    grades = placed.grades[docs]
    counted = scores if besides is None else besides[docs]
    share = counted / np.float32(max(float(counted.max(initial=0)), 1e-9))
    worth = ((coverage[docs] + share) / 2 * (1 + BONUS * grades)).astype(np.float32)
    # Inside, its words tell no more: "2025" and "04" stand in each dated heading of that month.
    for grade in np.unique(grades) if besides is None else [np.float32(0)]:
        worth[grades == grade] = _at_least_the_next(worth[grades == grade])
    order = np.lexsort((np.arange(len(docs)), -grades, -worth))
    shown = _at_least_the_next((scores * (1 + BONUS * grades) / (1 + BONUS))[order].astype(np.float32))
    return list(zip(docs[order].tolist(), shown.tolist(), strict=True))


def _at_least_the_next(values: Scores) -> Scores:
    """Raise each value to the highest after it."""
    raised: Scores = np.maximum.accumulate(values[::-1])[::-1]
    return raised


def place(view: View, window: Window) -> Placed:
    """Look at the days and names that the index keeps of all chunks."""
    lexical, period = view.lexical, window.period
    first, last = period.first.toordinal(), period.last.toordinal()
    days = lexical.column("day")
    grades = np.zeros(lexical.size, np.float32)
    sources = np.zeros(lexical.size, np.uint8)

    named = names(view.snapshot)
    by_name = np.zeros(lexical.size, np.float32)
    for note, periods in named.items():
        by_name[note] = max(_lies(period, written) for written in periods)
    by_note = by_name[lexical.note_of] * np.float32(OWN)
    grades, sources = _higher(grades, sources, by_note, _NAME)
    inside = (days >= max(first, 1)) & (days <= last)
    grades, sources = _higher(grades, sources, np.where(inside, np.float32(OWN), np.float32(0)), _DAY)

    # What has no day at all is as old as its file.
    undated = days == 0
    undated[np.isin(lexical.note_of, list(named))] = False
    by_file = np.zeros(lexical.size, np.bool_)
    for field in ("created", "modified"):
        when = lexical.column(field)[lexical.note_of] // SECONDS_A_DAY
        by_file |= undated & (when >= first) & (when <= last)
    grades, sources = _higher(grades, sources, np.where(by_file, np.float32(FILE), np.float32(0)), _FILE)
    return Placed(view, window, grades, sources)


def _higher(grades: Scores, sources: Sources, other: Scores, source: int) -> tuple[Scores, Sources]:
    better = other > grades
    return np.where(better, other, grades), np.where(better, np.uint8(source), sources)


def _lies(window: Period, period: Period) -> float:
    if window.holds(period):
        return 1.0
    return PARTLY if window.meets(period) else 0.0


Dates = tuple[tuple[int, float, Period], ...]
_looked_through: "WeakKeyDictionary[VaultSnapshot, dict[int, Dates]]" = WeakKeyDictionary()


def _written(view: View, doc: int) -> Dates:
    """Return what `_look_through` finds, which is looked for once."""
    known = _looked_through.setdefault(view.snapshot, {})
    if doc not in known:
        known[doc] = tuple(dict.fromkeys(_look_through(view, doc)))
    return known[doc]


def _look_through(view: View, doc: int) -> Iterator[tuple[int, float, Period]]:
    """Yield the days that stand in a chunk's headings, its note's properties and its text, and bare years."""
    for trail in view.snapshot.chunk_headings(doc):
        yield from ((_HEADING, OWN, period) for heading in trail for period in written_periods(nfc(heading)))
    note = view.snapshot.note(int(view.lexical.note_of[doc]))
    for value in note.properties.values():
        for text in value_texts(value):
            day = parse_day(text)
            periods = [Period(day, day, "day")] if day else written_periods(nfc(text[:100]))
            yield from ((_PROPERTY, OWN, period) for period in periods)
    text = chunk_text(view, doc)
    yield from ((_TEXT, WRITTEN, period) for period in written_periods(text))
    yield from ((_YEAR, WRITTEN, whole_year(year)) for year in written_years(text))


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
