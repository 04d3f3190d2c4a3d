"""Read one time that a text names where it begins: written out, or counted from today."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import cache, lru_cache, partial
from typing import NamedTuple, cast

from app.search.query.period import (
    Kind,
    Period,
    Sort,
    Third,
    around,
    days_of,
    months_from,
    moved,
    numbered_week,
    one_day,
    week_of,
    whole_month,
)
from app.search.query.time_words import compiled, phrases, value, words

Make = Callable[[int], Period | None]

FEWEST, MOST = 2, 6
"""How many "a few" are."""
SOME_YEARS = 40
"""Most years from one to another that are a span."""
KEPT_TEXTS = 8192
"""Names, headings and passages whose dates are remembered: most stay as they are when a note changes."""
BEFORE, AFTER = 32, 16
"""Around the year of a date in a text, in characters, the rest of the date is looked for."""


class Named(NamedTuple):
    """A time that a text names from ``start`` to ``end``; ``make`` gives its days in a year.

    ``year`` is the one that is written; None where none is. A time that needs no year has 0.
    """

    make: Make
    year: int | None
    start: int
    end: int
    sort: Sort

    def last_begun(self, today: date) -> Period | None:
        """Return its days: in the year that is written, else the last time that it has begun."""
        if self.year is not None:
            return self.make(self.year)
        # A day such as 29 February is not in every year.
        years = range(today.year, today.year - 9, -1)
        made = (period for year in years if (period := self.make(year)) is not None)
        return next((period for period in made if period.first <= today), None)


def fixed(period: Period, start: int, end: int, sort: Sort = "relative") -> Named:
    """Return a time that is the same in every year."""
    return Named(lambda _: period, 0, start, end, sort)


class Slots(NamedTuple):
    """What the slots of a phrase were filled with: numbers by their names, a unit of time, a third of one."""

    numbers: Mapping[str, int]
    kind: Kind
    third: Third


def filled(match: re.Match[str]) -> Slots:
    """Read the slots of a phrase that was met."""
    texts = {name: text.lower() for name, text in match.groupdict().items() if text}
    kind, third = words("unit").get(texts.pop("unit", "")), words("part").get(texts.pop("part", ""))
    numbers = {name: value(name, text) or 0 for name, text in texts.items()}
    return Slots(numbers, cast("Kind", kind), cast("Third", third))


# Times that are written out


def _made(numbers: Mapping[str, int]) -> Make:
    """Return what gives the days of a written time in a year, by the slots that were filled."""
    month, first = numbers.get("mon") or numbers.get("m", 0), numbers.get("d", 0)
    if first:
        last = numbers.get("e", first)
        # Of two numbers the day stands first, and where that cannot be the month.
        month, first, last = (month, first, last) if month <= 12 else (first, month, month)
        return partial(days_of, month=month, first=first, last=last)
    if month:
        return partial(whole_month, month=month)
    if "w" in numbers:
        return partial(numbered_week, number=numbers["w"])
    if start := numbers.get("season", 0):
        if "z" in numbers and (numbers["z"] - numbers["y"]) % 100 != 1:
            return lambda _: None
        return partial(months_from, month=start, count=3, kind="season")
    if year := numbers.get("first", 0):
        count = numbers["z"] - year + 1
        return lambda _: months_from(year, 1, 12 * count, "span") if 1 < count <= SOME_YEARS else None
    if (decade := numbers.get("decade", -1)) >= 0:
        begun = decade if decade >= 1000 else decade + (1900 if decade >= 40 else 2000)
        return lambda _: months_from(begun, 1, 120, "span")
    months, count = (6, numbers["h"]) if "h" in numbers else (3, numbers.get("q", 4))
    kind: Kind = "half" if "h" in numbers else "quarter"
    if not 1 <= count <= 12 // months:
        return lambda _: None
    return partial(months_from, month=(count - 1) * months + 1, count=months, kind=kind)


_WRITTEN = (
    r"{numbered}{y}(?P<sep>[-/])(?P<m>[0-9]{2})(?P=sep)(?P<d>[0-9]{2})(?:T[0-9:.+Z]+)?{ends}",
    r"{numbered}{y}-?W(?P<w>[0-9]{1,2})",
    r"{numbered}{y}[-.](?P<m>0[1-9]|1[0-2]){ends}(?! ?[€$£%])",
    r"{numbered}(?P<d>[0-9]{1,2})(?P<sep>[-/.])(?P<m>[0-9]{1,2})(?P=sep){y}{ends}",
    r"{numbered}(?P<d>[0-9]{1,2})/(?P<m>[0-9]{1,2})/(?P<short>[0-9]{2}){ends}",
    r"{numbered}(?P<m>0?[1-9]|1[0-2])/{y}{ends}",
    r"{d}{to}{e} {of}?{mon}{in}{y}",
    r"{weekday?}{d} {of}?{mon}{in}{y}",
    r"{weekday?}{mon} {the}?{d}{to}{e}(?:,\s*| ){y}",
    r"{weekday?}{mon} {the}?{d}(?:,\s*| ){y}",
    r"{mon}{in}{y}",
    r"{mon} '?(?P<short>[4-9][0-9])",
    r"{numbered}{y}(?: |-){mon}",
    r"[QT](?P<q>[1-4])(?:{in}|-){y}",
    r"{numbered}{y}[\s-]?[QT](?P<q>[1-4])",
    r"(?:{q}|{last}) {quarter}{in}{y}",
    r"[HS](?P<h>[12])\s*{y}",
    r"{h} {half}{in}{y}",
    r"{season}{in}{y}(?:[/-](?P<z>[0-9]{2}(?:[0-9]{2})?))?",
    r"{week} (?:n[o°]\.? ?)?(?P<w>[0-9]{1,2}){in}{y}",
    # What comes again each year.
    r"{d}{to}{e} {of}?{mon}",
    r"{weekday?}{d} {of}?{mon}",
    r"{weekday?}{mon} {the}?{d}{to}{e}",
    r"{weekday?}{mon} {the}?{d}(?!\s*[%€$£:])",
    r"Q(?P<q>[1-4])",
    r"{week} (?:n[o°]\.? ?)?(?P<w>[0-9]{1,2})",
    # Several years.
    r"{numbered}(?P<first>(?:19|20)[0-9]{2})\s?[-–/]\s?(?P<z>(?:19|20)[0-9]{2}){ends}",
)  # fmt: skip
"""Forms of times that are written out, the most particular first."""
_FOUR_DIGITS = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")


@cache
def _forms(*, with_year: bool = False) -> list[str]:
    every = [*_WRITTEN, *(row for _, row in phrases("written"))]
    return [form for form in every if "{y}" in form or not with_year]


def _year(numbers: Mapping[str, int]) -> int | None:
    if "short" in numbers:
        # Two digits: this century up to the thirties.
        return numbers["short"] + (2000 if numbers["short"] < 40 else 1900)
    return numbers.get("y", 0 if "decade" in numbers or "first" in numbers else None)


def read_written(text: str, at: int) -> Named | None:
    """Return the longest written time that begins at a place; of equal ones the first form's."""
    best: Named | None = None
    for form in _forms():
        match = compiled(form).match(text, at)
        if match and (best is None or match.end() > best.end):
            numbers = filled(match).numbers
            made, year = _made(numbers), _year(numbers)
            if year is None or made(year) is not None:
                best = Named(made, year, at, match.end(), "yearly" if year is None else "dated")
    return best


@lru_cache(maxsize=KEPT_TEXTS)
def written_periods(text: str) -> tuple[Period, ...]:
    """Return the dates that a text writes out with their year, in order."""
    return tuple(_read_periods(text))


def _read_periods(text: str) -> Iterator[Period]:
    for found in _FOUR_DIGITS.finditer(text):
        first, last = max(0, found.start() - BEFORE), min(len(text), found.end() + AFTER)
        near, year_at = text[first:last], found.start() - first
        over = [
            match
            for form in _forms(with_year=True)
            for match in compiled(form).finditer(near)
            if match.start("y") == year_at
        ]
        # Of "12 April 2025" the month alone is a date as well: the longest is the one that is meant.
        over.sort(key=lambda match: match.start() - match.end())
        made = (_made(filled(match).numbers)(int(found[0])) for match in over)
        yield from [period for period in made if period is not None][:1]


def written_years(text: str) -> Iterator[int]:
    """Yield the numbers of a text that may be years of the last or this century, each once."""
    yield from {int(found[0]) for found in _FOUR_DIGITS.finditer(text)}


# Times that count from today


def read_relative(text: str, at: int, today: date) -> Named | None:
    """Return the longest time that counts from today and begins at a place."""
    best: Named | None = None
    for meaning, phrase in phrases("relative"):
        match = compiled(phrase).match(text, at)
        if match and (best is None or match.end() > best.end):
            period = _RELATIVE[meaning](today, filled(match))
            best = fixed(period, at, match.end()) if period else best
    return best


def rolling(today: date, count: int, kind: Kind) -> Period:
    """Return the days from so many units ago to today; 0 are a few."""
    return Period(moved(today, -(count or MOST), kind), today)


def _at_distance(today: date, slots: Slots, way: int) -> Period:
    """Return the day, week, month or year so many units away."""
    count, kind = slots.numbers["n"], slots.kind
    if count:
        return around(moved(today, way * count, kind), kind)
    some = [around(moved(today, way * each, kind), kind) for each in (FEWEST, MOST)]
    return Period(min(some).first, max(some).last)


def _ago_from(today: date, slots: Slots) -> Period | None:
    """Read "a week ago today": that day, where "a week ago" is the whole week."""
    day, count = today + timedelta(days=slots.numbers["dayword"]), slots.numbers["n"]
    return one_day(moved(day, -count, slots.kind)) if count else None


def _soon(today: date, slots: Slots) -> Period:
    return Period(today, moved(today, slots.numbers.get("n") or MOST, slots.kind))


def _beside(today: date, slots: Slots, way: int) -> Period | None:
    """Return the running unit, or the one so many before or after it; "this day" is no time."""
    running = around(today, slots.kind)
    return None if slots.kind == "day" else around(moved(running.first, way, slots.kind), slots.kind)


def _running_part(today: date, slots: Slots) -> Period | None:
    """Read "the end of the month"; "the end of the day" says no time."""
    return None if slots.kind == "day" else around(today, slots.kind).third(slots.third)


def _weekday_beside(today: date, slots: Slots) -> Period:
    """Return the last such day before today, the first after it, or the one of this week."""
    wanted, way = slots.numbers["weekday"], slots.numbers["way"]
    gap = ((wanted - today.weekday()) * way - 1) % 7 + 1
    return one_day(today + timedelta(days=way * gap if way else wanted - today.weekday()))


def _weekday_of_week(today: date, slots: Slots) -> Period:
    week = week_of(moved(today, slots.numbers["way"], "week"))
    return one_day(week.first + timedelta(days=slots.numbers["weekday"]))


def _recurring(today: date, make: Make, way: int) -> Period | None:
    """Return the last that has ended (-1), the running one or this year's (0), or the first to begin (1)."""
    made = [period for year in range(today.year - 2, today.year + 3) if (period := make(year))]
    if way < 0:
        return next((period for period in reversed(made) if period.last < today), None)
    if way > 0:
        return next((period for period in made if period.first > today), None)
    return next((period for period in made if period.first <= today <= period.last), make(today.year))


_RELATIVE: Mapping[str, Callable[[date, Slots], Period | None]] = {
    "day": lambda today, slots: one_day(today + timedelta(days=slots.numbers["dayword"])),
    "ago": partial(_at_distance, way=-1),
    "ahead": partial(_at_distance, way=1),
    "ago from": _ago_from,
    "lately": lambda today, slots: rolling(today, slots.numbers.get("n", 0), slots.kind),
    "lately one": lambda today, slots: rolling(today, 1, slots.kind),
    "hours": lambda today, slots: rolling(today, -(-slots.numbers["hours"] // 24), "day"),
    "soon": _soon,
    "before last": partial(_beside, way=-2),
    "beside": lambda today, slots: _beside(today, slots, slots.numbers["way"]),
    "running part": _running_part,
    "weekday": _weekday_beside,
    "weekday of week": _weekday_of_week,
    "month": lambda today, slots: _recurring(today, _made(slots.numbers), slots.numbers["way"]),
    "season": lambda today, slots: _recurring(today, _made(slots.numbers), slots.numbers["way"]),
    "last season": lambda today, slots: Named(_made(slots.numbers), None, 0, 0, "yearly").last_begun(today),
}
"""What the rows of relative times mean, by today and what their slots were filled with."""
