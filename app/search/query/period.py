"""Spans of whole days: weeks, months, quarters, seasons, parts of them, and the one that a question names."""

import calendar
import re
from datetime import date, timedelta
from typing import Literal, NamedTuple

from app.notices import Notice, NoticeKind
from app.vault.paths import nfc

Kind = Literal["day", "week", "weekend", "month", "quarter", "half", "season", "year", "span"]
Third = Literal["early", "mid", "late"]
Sort = Literal["relative", "weekday", "yearly", "dated"]
"""Whether a time counts from today, is a day of the week alone, comes again each year, or has its year."""

WEEK = timedelta(days=7)
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

    def third(self, which: Third) -> "Period":
        """Return its beginning, middle or end as people name them.

        Of a month about ten days each; of a year the first three months, the middle four and the last three;
        of a week Monday and Tuesday, Wednesday, and Thursday to Sunday; of what has three months one of them.
        """
        if self.kind == "month":
            first, last = {"early": (1, 10), "mid": (11, 20), "late": (21, self.last.day)}[which]
            return Period(self.first.replace(day=first), self.first.replace(day=last))
        if self.kind == "week":
            start, count = {"early": (0, 2), "mid": (2, 1), "late": (3, 4)}[which]
            begun = self.first + timedelta(days=start)
            return Period(begun, begun + timedelta(days=count - 1))
        if self.kind not in _MONTHS:
            return self
        months = _MONTHS[self.kind]
        edge = 3 if months == 12 else months // 3
        skipped = {"early": 0, "mid": 4 if months == 12 else edge, "late": months - edge}[which]
        length = (months - 8 if which == "mid" else 3) if months == 12 else edge
        return months_from(self.first.year, self.first.month + skipped, length, "span")


class Window(NamedTuple):
    """The days that a question asks about, and the words it names them by, from ``start`` to ``end``.

    ``sort`` tells words such as "last week" from a date that notes may write in the same way, and a date with
    its year from one of any year, such as "in March".
    """

    period: Period
    phrase: str
    start: int
    end: int
    sort: Sort

    @property
    def is_relative(self) -> bool:
        """Whether it only makes sense on the day it is said."""
        return self.sort in ("relative", "weekday")

    @property
    def has_year(self) -> bool:
        """Whether it names its year."""
        return self.sort == "dated"

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


def one_day(day: date) -> Period:
    """Return a day as a period."""
    return Period(day, day, "day")


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


def week_of(day: date) -> Period:
    """Return the week around a day, Monday to Sunday."""
    monday = day - timedelta(days=day.weekday())
    return Period(monday, monday + timedelta(days=6), "week")


def numbered_week(year: int, number: int) -> Period | None:
    """Return a week by its ISO number; None where the year has none of that number."""
    try:
        return week_of(date.fromisocalendar(year, number, 1))
    except ValueError:
        return None


def around(day: date, kind: Kind) -> Period:
    """Return the calendar week, weekend, month, quarter, half or year that a day lies in."""
    if kind == "week":
        return week_of(day)
    if kind == "weekend":
        saturday = week_of(day).first + timedelta(days=5)
        return Period(saturday, saturday + timedelta(days=1), "weekend")
    if kind not in _MONTHS:
        return one_day(day)
    months = _MONTHS[kind]
    return months_from(day.year, (day.month - 1) // months * months + 1, months, kind)


def moved(day: date, count: int, kind: Kind) -> date:
    """Return the day so many units later, or earlier; of a shorter month its last day.

    Raises:
        OverflowError, ValueError: there is no such day in the calendar.
    """
    if kind in ("week", "weekend"):
        return day + count * WEEK
    if kind not in _MONTHS:
        return day + timedelta(days=count)
    month = months_from(day.year, day.month + count * _MONTHS[kind], 1, "month")
    return month.first.replace(day=min(day.day, month.last.day))
