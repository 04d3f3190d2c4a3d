"""The days, months, years and weekdays that a text names, compared as far as each of them says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from app.search.query.period import Period, whole_month, whole_year
from app.search.query.times import (
    AMBIGUOUS,
    ANY_MONTH,
    MONTH,
    ORDINAL,
    WEEKDAY,
    Make,
    expanded,
    read_time,
    value,
)
from app.vault.dates import LOOKALIKES

SOME_YEAR = 2024
"""A leap year, in which dates without a year are compared."""
LONGEST_RANGE = 62
"""Days; of a range of so many, such as "18 to 21 September", both ends have to be in the notes."""
_TIDY = LOOKALIKES | str.maketrans("’‘‐‑", "''--")
_CANDIDATE = re.compile(
    rf"(?<!\w)(?=[0-9]|{ANY_MONTH}|{WEEKDAY}|{ORDINAL}|[QTHS][1-4]|{expanded('{week}')})", re.IGNORECASE
)
_WEEKDAY = re.compile(rf"(?<!\w)(?P<w>{WEEKDAY})s?(?!\w)", re.IGNORECASE)
_MONTH = re.compile(
    rf"(?<![\w'’])(?:(?P<lead>(?:{expanded('{lead}')})\s)|[^\W\d_]['’])?(?P<mon>{MONTH})(?!\w)", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![\w.,/-])(?P<y>1[89]\d\d|20\d\d)(?![\w/]|[.,-]\d)")


@dataclass(frozen=True, slots=True)
class Moment:
    """A time that a text names from ``start`` to ``end``; ``make`` gives its days in a year.

    ``year`` is None where none is written. A weekday has ``weekday``, 0 for Monday, and no ``make``.
    """

    start: int
    end: int
    text: str
    make: Make | None = None
    year: int | None = None
    weekday: int | None = None

    @property
    def period(self) -> Period | None:
        """Its days, in some leap year where no year is written."""
        return self.make(self.year or SOME_YEAR) if self.make else None

    def agrees(self, other: "Moment") -> bool:
        """Return whether a time of the notes, ``other``, bears this one of an answer out.

        What is less exact agrees with what lies in it: "in March" with "12 March 2025". What is more exact
        does not: a day is not borne out by its month.
        """
        if self.weekday is not None:
            its = other.period if other.year is not None else None
            is_day = its is not None and its.kind == "day" and its.first.weekday() == self.weekday
            return is_day or other.weekday == self.weekday
        if self.make is None or other.make is None:
            return False
        year = self.year or other.year or SOME_YEAR
        own, its = self.make(year), other.make(other.year or year)
        if own is None or its is None:
            return False
        short = [each.kind == "span" and each.days() <= LONGEST_RANGE for each in (own, its)]
        if all(short):
            return own == its
        return (own.holds(its) and not (short[0] and its.kind == "day")) or (short[1] and its.holds(own))


def find_moments(text: str) -> list[Moment]:
    """Find the times that a text names without regard to today, each once, in order."""
    text = text.translate(_TIDY)
    found: list[Moment] = []
    taken = bytearray(len(text) + 1)
    for moment in _written(text):
        if not any(taken[moment.start : moment.end]):
            taken[moment.start : moment.end] = b"\1" * (moment.end - moment.start)
            found.append(moment)
    # A weekday is looked at beside its date too: it may be another one's.
    found += [
        Moment(*match.span(), match[0], weekday=value("weekday", match["w"]))
        for match in _WEEKDAY.finditer(text)
    ]
    return sorted(found, key=lambda moment: moment.start)


def without(text: str, moments: Sequence[Moment]) -> str:
    """Return a text with blanks for the times it names, so that their numbers are not taken for others."""
    kept = list(text)
    for moment in moments:
        if moment.weekday is None:
            kept[moment.start : moment.end] = "\0" * (moment.end - moment.start)
    return "".join(kept)


def _written(text: str) -> Iterator[Moment]:
    done = 0
    for place in _CANDIDATE.finditer(text):
        named = read_time(text, place.start(), "written") if place.start() >= done else None
        if named is not None:
            done = named.end
            yield Moment(
                named.start, named.end, text[named.start : named.end], named.make, named.year or None
            )
    for match in _MONTH.finditer(text):
        word = match["mon"]
        # "May" and "march" are other words as often, and "June" is a name.
        if word.lower() not in AMBIGUOUS or match["lead"]:
            month = partial(whole_month, month=value("month", word) or 0)
            yield Moment(match.start("mon"), match.end(), word, month)
    for match in _YEAR.finditer(text):
        yield Moment(*match.span(), match[0], whole_year, int(match["y"]))
