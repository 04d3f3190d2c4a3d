"""Spans of whole days: weeks, months, quarters, seasons, parts of them, and the one that a question names."""

import calendar
import re
from datetime import date, timedelta
from typing import Literal, NamedTuple

from app.notices import Notice, NoticeKind
from app.vault.paths import nfc

Kind = Literal["day", "week", "weekend", "month", "quarter", "half", "season", "year", "span"]
Sort = Literal["weekday", "relative", "yearly", "dated"]
"""Whether a time is a day of the week alone, counts from today, comes again each year, or has its year."""

_DAYS = {"day": 1, "week": 7, "weekend": 7}
_MONTHS = {"month": 1, "quarter": 3, "half": 6, "season": 3, "year": 12}


class Period(NamedTuple):
    """The days from ``first`` to ``last``, both included; an open end is `date.min` or `date.max`."""

    first: date
    last: date
    kind: Kind = "span"

    def holds(self, other: "Period") -> bool:
        """Return whether all of another period lies in this one."""
        return self.first <= other.first and other.last <= self.last

    def meets(self, other: "Period") -> bool:
        """Return whether the two have a day in common."""
        return self.first <= other.last and other.first <= self.last

    def days(self) -> int:
        """Return how many days it has."""
        return (self.last - self.first).days + 1

    def third(self, which: int) -> "Period":
        """Return its beginning (0), middle (1) or end (2) as people name them.

        Of a month about ten days each; of a year the first three months, the middle four and the last three;
        of a week Monday and Tuesday, Wednesday, and Thursday to Sunday; of what has three months one of them.
        """
        if self.kind in ("week", "month"):
            edges = (0, 2, 3, 7) if self.kind == "week" else (0, 10, 20, 31)
            begun, ended = (self.first + timedelta(days=edge) for edge in edges[which : which + 2])
            return Period(begun, min(self.last, ended - timedelta(days=1)))
        if not (months := _MONTHS.get(self.kind)):
            return self
        year = ((0, 3), (4, 4), (9, 3))
        skipped, count = year[which] if months == 12 else (which * months // 3, months // 3)
        return months_from(self.first.year, self.first.month + skipped, count, "span")


class Window(NamedTuple):
    """The days that a question asks about, and the words it names them by."""

    period: Period
    phrase: str
    sort: Sort

    def without(self, text: str) -> str:
        """Return a text, in NFC, without the words of the time, which are in NFC as well."""
        return " ".join(re.sub(re.escape(self.phrase) + r"(?:['’]s\b)?", " ", nfc(text), count=1).split())

    def notice(self) -> Notice:
        """Say how the words were read."""
        first, last = self.period.first, self.period.last
        if first == date.min:
            return Notice(NoticeKind.TIME_UNTIL, phrase=self.phrase, last=str(last))
        if last == date.max:
            return Notice(NoticeKind.TIME_FROM, phrase=self.phrase, first=str(first))
        kind = NoticeKind.TIME_BETWEEN if first != last else NoticeKind.TIME_ON
        return Notice(kind, phrase=self.phrase, first=str(first), last=str(last))


def days_of(year: int, month: int, first: int, last: int) -> Period | None:
    """Return a day of a month, or some days; None where there are none of such numbers."""
    try:
        begun, ended = date(year, month, first), date(year, month, last)
    except ValueError:
        return None
    return Period(begun, ended, "day" if first == last else "span") if first <= last else None


def months_from(year: int, month: int, count: int, kind: Kind) -> Period:
    """Return so many whole months from the first day of one; months above 12 belong to later years."""
    first = year * 12 + month - 1
    after, last = divmod(first + count - 1, 12)
    end = date(after, last + 1, calendar.monthrange(after, last + 1)[1])
    return Period(date(first // 12, first % 12 + 1, 1), end, kind)


def whole_month(year: int, month: int) -> Period | None:
    """Return a month; None where its number is none."""
    return months_from(year, month, 1, "month") if 1 <= month <= 12 else None


def whole_year(year: int) -> Period:
    """Return a calendar year."""
    return months_from(year, 1, 12, "year")


def around(day: date, kind: Kind) -> Period:
    """Return the day, calendar week, weekend, month, quarter, half or year that a day lies in."""
    if kind in _DAYS:
        since, count = {"day": (0, 1), "week": (day.weekday(), 7), "weekend": (day.weekday() - 5, 2)}[kind]
        begun = day - timedelta(days=since)
        return Period(begun, begun + timedelta(days=count - 1), kind)
    months = _MONTHS[kind]
    return months_from(day.year, (day.month - 1) // months * months + 1, months, kind)


def moved(day: date, count: int, kind: Kind) -> date:
    """Return the day so many units later, or earlier; of a shorter month its last day."""
    if kind in _DAYS:
        return day + timedelta(days=count * _DAYS[kind])
    month = months_from(day.year, day.month + count * _MONTHS[kind], 1, "month")
    return month.first.replace(day=min(day.day, month.last.day))
