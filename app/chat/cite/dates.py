"""The days, months, years and weekdays that a text names, compared as far as each of them says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from app.search.query.period import Period, whole_month, whole_year
from app.search.query.times import AMBIGUOUS, ANY_MONTH, MONTH, ORDINAL, WEEKDAY, Make, read_time, value
from app.vault.dates import LOOKALIKES

SOME_YEAR = 2024
"""A leap year, in which dates without a year are compared."""
LONGEST_RANGE = 62
"""Days; of a range of so many, such as "18 to 21 September", both ends have to be in the notes."""

_CANDIDATE = re.compile(
    rf"(?<!\w)(?=[0-9]|{ANY_MONTH}|{WEEKDAY}|{ORDINAL}|[QTHS][1-4]|week|wk|semaine|sem\.|last|dernier"
    r"|années)",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(rf"(?<!\w)(?P<w>{WEEKDAY})s?(?!\w)", re.IGNORECASE)
_BARE_MONTH = re.compile(
    rf"(?P<lead>(?<!\w)(?:in|since|until|till|by|of|early|late|mid|from|during|last|next|before|after|en|depuis"
    rf"|fin|début|mi|jusqu['’]en|avant|après|dès|mois\sde|mois\sd['’])[\s-]|(?<!\w)d['’])?(?<!\w)(?P<mon>{MONTH})(?!\w)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\w.,/-])(?P<y>1[89]\d\d|20\d\d)(?![\w/]|[.,-]\d)")
_DAY_NUMBER = re.compile(
    r"(?<!\w)(?:the\s|le\s|du\s|au\s)(?P<d>[0-3]?\d)(?:st|nd|rd|th)?(?![\w%€$]|[.,:/-]\d|\s\w)", re.I
)
_TIDY = LOOKALIKES | str.maketrans("’‘‐‑", "''--")
_RELATIVE = re.compile(
    r"(?<!\w)(?=today|tonight|yesterday|tomorrow|the\sday|day\sbefore|day\safter|last|next|this|in\s|il\sy|voici|dans"
    rf"|aujourd|hier|demain|avant-hier|après-demain|ce\s|cet|cette|[0-9]|{WEEKDAY}|semaine|mois|an\s|année)",
    re.IGNORECASE,
)


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

    def agrees(self, other: "Moment") -> bool:
        """Return whether a time of the notes, ``other``, bears this one of an answer out.

        What is less exact agrees with what lies in it: "in March" with "12 March 2025". What is more exact
        does not: a day is not borne out by its month.
        """
        if self.weekday is not None:
            if other.weekday is not None:
                return self.weekday == other.weekday
            day = other.period(other.year)
            return other.year is not None and day is not None and day.kind == "day" and (
                day.first.weekday() == self.weekday
            )  # fmt: skip
        if other.weekday is not None:
            return False
        year = self.year or other.year or SOME_YEAR
        own, its = self.period(self.year or year), other.period(other.year or year)
        if own is None or its is None:
            return False
        if own.kind == "span" and own.days() <= LONGEST_RANGE and its.kind == "day":
            return False
        if own.kind == its.kind == "span" and max(own.days(), its.days()) <= LONGEST_RANGE:
            return own == its
        return own.holds(its) or (its.kind == "span" and its.days() <= LONGEST_RANGE and its.holds(own))

    def is_day(self) -> bool:
        """Return whether this names a day, with a year or without."""
        period = self.period(self.year)
        return period is not None and period.kind == "day"

    def ends_in(self, days: Sequence["Moment"]) -> bool:
        """Return whether this is a short range, and its first and its last day are among some times."""
        own = self.period(self.year or SOME_YEAR)
        if own is None or own.kind != "span" or own.days() > LONGEST_RANGE:
            return False

        def stands(which: date) -> bool:
            for each in days:
                its = each.period(self.year or SOME_YEAR) if each.year is None else each.period(each.year)
                if its is not None and its.kind == "day":
                    same_year = self.year is None or its.first.year == which.year
                    if same_year and (its.first.month, its.first.day) == (which.month, which.day):
                        return True
            return False

        return stands(own.first) and stands(own.last)

    def period(self, year: int | None) -> Period | None:
        """Return its days in a year."""
        return None if self.make is None else self.make(year or SOME_YEAR)


def find_moments(text: str) -> list[Moment]:
    """Find the times that a text names without regard to today, each once, in order."""
    text = text.translate(_TIDY)
    found: list[Moment] = []
    taken = bytearray(len(text) + 1)

    def take(moment: Moment) -> None:
        if not any(taken[moment.start : moment.end]):
            taken[moment.start : moment.end] = b"\1" * (moment.end - moment.start)
            found.append(moment)

    for place in _CANDIDATE.finditer(text):
        if taken[place.start()]:
            continue
        named = read_time(text, place.start(), "written")
        if named is not None:
            year = named.year if named.year != 0 else SOME_YEAR
            take(Moment(named.start, named.end, text[named.start : named.end], named.make, year))
    for take_more in (_months, _years):
        for moment in take_more(text):
            take(moment)
    # A weekday is looked at beside its date too: it may be another one's.
    found += [
        Moment(match.start(), match.end(), match[0], weekday=value("weekday", match["w"]))
        for match in _WEEKDAY.finditer(text)
    ]
    return sorted(found, key=lambda moment: moment.start)


def relative_moments(text: str, today: date) -> Iterator[Moment]:
    """Yield the times of a text that count from the day it was written on."""
    tidy = text.translate(_TIDY)
    for place in _RELATIVE.finditer(tidy):
        named = read_time(tidy, place.start(), "relative", today=today)
        if named is not None and (period := named.make(today.year)) is not None:
            yield Moment(
                named.start, named.end, tidy[named.start : named.end], partial(_same, period), today.year
            )


def _same(period: Period, _: int) -> Period:
    return period


def day_numbers(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield the days of a month that stand alone, as in "on the 14th": from where to where, and which."""
    for match in _DAY_NUMBER.finditer(text.translate(_TIDY)):
        yield match.start("d"), match.end(), int(match["d"])


def _months(text: str) -> Iterator[Moment]:
    for match in _BARE_MONTH.finditer(text):
        word = match["mon"]
        is_ambiguous = word.lower() in AMBIGUOUS
        if is_ambiguous and not (
            match["lead"] and (word[0].isupper() or word.lower() in ("mars", "mai", "avril"))
        ):
            continue
        yield Moment(
            match.start("mon"), match.end(), word, partial(whole_month, month=value("month", word) or 0)
        )


def _years(text: str) -> Iterator[Moment]:
    for match in _YEAR.finditer(text):
        yield Moment(match.start(), match.end(), match[0], whole_year, int(match["y"]))
