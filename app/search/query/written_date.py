"""Read dates as they are written out: by numbers, by the name of a month, by quarter or week."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache, lru_cache, partial
from typing import NamedTuple

from app.search.query.calendar_words import (
    ANY_MONTH,
    DAY,
    HYPHEN,
    OF,
    ORDINAL,
    ORDINALS,
    SEASON,
    SEASONS,
    WEEKDAY,
    YEAR,
    month_number,
    number,
)
from app.search.query.period import (
    Period,
    months_from,
    numbered_week,
    whole_month,
    whole_year,
    written_day,
)

Make = Callable[[int], Period | None]

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

    def last_begun(self, today: date) -> Period | None:
        """Return its days: in the year that is written, else the last time that it has begun."""
        if self.year is not None:
            return self.make(self.year)
        # A day such as 29 February is not in every year.
        years = range(today.year, today.year - 9, -1)
        made = (period for year in years if (period := self.make(year)) is not None)
        return next((period for period in made if period.first <= today), None)


Form = tuple[str, Callable[[re.Match[str]], Make | None]]


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a form, when it is first used: a word begins and ends where it does."""
    return re.compile(rf"(?<![\w]){pattern}(?!\w)", re.IGNORECASE)


def _year(match: re.Match[str]) -> int | None:
    text = match.groupdict().get("y")
    if not text:
        return None
    if len(text) == 4:
        return int(text)
    # Two digits: this century up to the thirties.
    return 2000 + int(text) if int(text) < 40 else 1900 + int(text)


def _iso_day(match: re.Match[str]) -> Make:
    return partial(written_day, month=int(match["m"]), day=int(match["d"]))


def _day_month(match: re.Match[str]) -> Make:
    """Read two numbers day first; where that cannot be, month first."""
    day, month = int(match["d"]), int(match["m"])
    if month > 12:
        day, month = month, day
    return partial(written_day, month=month, day=day)


def _numbered_month(match: re.Match[str]) -> Make:
    return partial(whole_month, month=int(match["m"]))


def _week(match: re.Match[str]) -> Make | None:
    week = int(match["w"])
    return partial(numbered_week, number=week) if 1 <= week <= 53 else None


def _day_of_month(match: re.Match[str]) -> Make | None:
    day = number(match["d"], ORDINALS)
    return partial(written_day, month=month_number(match["mon"]), day=day) if day else None


def _days_of_month(match: re.Match[str]) -> Make | None:
    first, last = number(match["d"], ORDINALS), number(match["e"], ORDINALS)
    if not first or not last or first > last:
        return None
    month = month_number(match["mon"])

    def make(year: int) -> Period | None:
        begun, ended = written_day(year, month, first), written_day(year, month, last)
        return Period(begun.first, ended.last) if begun and ended else None

    return make


def _named_month(match: re.Match[str]) -> Make:
    return partial(whole_month, month=month_number(match["mon"]))


def _quarter(match: re.Match[str]) -> Make | None:
    quarter = number(match["q"], ORDINALS)
    if not quarter or quarter > 4:
        return None
    return lambda year: months_from(year, quarter * 3 - 2, 3, "quarter")


def _last_quarter(_: re.Match[str]) -> Make:
    return lambda year: months_from(year, 10, 3, "quarter")


def _half(match: re.Match[str]) -> Make | None:
    half = number(match["h"], ORDINALS)
    return (lambda year: months_from(year, half * 6 - 5, 6, "half")) if half in (1, 2) else None


def _season(match: re.Match[str]) -> Make | None:
    start = SEASONS[match["s"].lower()]
    if match["z"] and int(match["z"]) % 100 != (int(match["y"]) + 1) % 100:
        return None
    return lambda year: months_from(year, start, 3, "season")


def _years(match: re.Match[str]) -> Make | None:
    first, last = int(match["y"]), int(match["z"])
    return (
        (lambda _: months_from(first, 1, 12 * (last - first + 1), "span"))
        if first < last < first + 40
        else None
    )


def _decade(match: re.Match[str]) -> Make:
    decade = int(match["t"])
    first = decade if decade >= 1000 else (1900 if decade >= 40 else 2000) + decade
    return lambda _: months_from(first, 1, 120, "span")


def _whole(_: re.Match[str]) -> Make:
    return whole_year


_Y = rf"(?P<y>{YEAR})"
_M = rf"(?P<mon>{ANY_MONTH})"
_D = rf"(?P<d>{DAY})"
_WD = rf"(?:{WEEKDAY}\s*,?\s+)?(?:the\s+)?"
_TO = rf"(?:\s*{HYPHEN}\s*|\s+(?:to|and|et|au|à|until)\s+(?:the\s+|le\s+)?)"
_OF_YEAR = rf"(?:\w+\s+){{0,2}}(?:year|{YEAR})(?!\w)"
_NUMBERED = r"(?<![./\-+$€£])"
_ENDS = r"(?![/\-]?[0-9]|\.[0-9])"

DATED: tuple[Form, ...] = tuple(
    (pattern, make)
    for pattern, make in (
        (rf"{_NUMBERED}{_Y}(?P<sep>[-/])(?P<m>[0-9]{{2}})(?P=sep)(?P<d>[0-9]{{2}})(?:T[0-9:.+Z]+)?{_ENDS}", _iso_day),  # noqa: E501
        (rf"{_NUMBERED}{_Y}-?W(?P<w>[0-9]{{1,2}})", _week),
        (rf"{_NUMBERED}{_Y}-(?P<m>0[1-9]|1[0-2]){_ENDS}", _numbered_month),
        (rf"{_NUMBERED}(?P<d>[0-9]{{1,2}})(?P<sep>[-/.])(?P<m>[0-9]{{1,2}})(?P=sep){_Y}{_ENDS}", _day_month),
        (rf"{_NUMBERED}(?P<d>[0-9]{{1,2}})/(?P<m>[0-9]{{1,2}})/(?P<y>[0-9]{{2}}){_ENDS}", _day_month),
        (rf"{_NUMBERED}(?P<m>0?[1-9]|1[0-2])/{_Y}{_ENDS}", _numbered_month),
        (rf"{_D}{_TO}(?P<e>{DAY})\s+(?:of\s+|de\s+)?{_M}{OF}{_Y}", _days_of_month),
        (rf"{_WD}{_D}\s+(?:of\s+|de\s+)?{_M}{OF}{_Y}", _day_of_month),
        (rf"{_WD}{_M}\s+(?:the\s+)?{_D}{_TO}(?P<e>{DAY})(?:,\s*|\s+){_Y}", _days_of_month),
        (rf"{_WD}{_M}\s+(?:the\s+)?{_D}(?:,\s*|\s+){_Y}", _day_of_month),
        (rf"{_M}{OF}{_Y}", _named_month),
        (rf"{_M}\s+'?(?P<y>[4-9][0-9])", _named_month),
        (rf"{_NUMBERED}{_Y}(?:\s+|-){_M}", _named_month),
        (rf"[QT](?P<q>[1-4])(?:{OF}|-){_Y}", _quarter),
        (rf"{_NUMBERED}{_Y}[\s-]?[QT](?P<q>[1-4])", _quarter),
        (rf"(?P<q>{ORDINAL})\s+(?:quarter|trimestre){OF}{_Y}", _quarter),
        (rf"(?:last|dernier)\s+(?:quarter|trimestre){OF}{_Y}", _last_quarter),
        (rf"[HS](?P<h>[12])\s*{_Y}", _half),
        (rf"(?P<h>{ORDINAL})\s+(?:half|semestre){OF}{_Y}", _half),
        (rf"(?P<s>{SEASON}){OF}{_Y}(?:[/-](?P<z>[0-9]{{2}}(?:[0-9]{{2}})?))?", _season),
        (rf"(?:week|wk|semaine|sem\.)\s+(?:no\.?\s*|n°\s*)?(?P<w>[0-9]{{1,2}}){OF}{_Y}", _week),
    )
)  # fmt: skip
"""Forms that name their year, the most particular first."""

RECURRING: tuple[Form, ...] = tuple(
    (pattern, make)
    for pattern, make in (
        (rf"(?<=\ble\s){_NUMBERED}(?P<d>[0-9]{{1,2}})/(?P<m>[0-9]{{1,2}}){_ENDS}", _day_month),
        (rf"{_D}{_TO}(?P<e>{DAY})\s+(?:of\s+|de\s+)?{_M}", _days_of_month),
        (rf"{_WD}{_D}\s+(?:of\s+|de\s+)?{_M}", _day_of_month),
        (rf"{_WD}{_M}\s+(?:the\s+)?{_D}{_TO}(?P<e>{DAY})", _days_of_month),
        (rf"{_WD}{_M}\s+(?:the\s+)?{_D}(?!\s*[%€$£:])", _day_of_month),
        (r"Q(?P<q>[1-4])", _quarter),
        (r"(?<=\bau\s)T(?P<q>[1-4])", _quarter),
        # The second quarter of a pie is no time.
        (rf"(?P<q>{ORDINAL})\s+(?:quarter(?!\s+of\s+(?!{_OF_YEAR}))|trimestre)", _quarter),
        (rf"(?P<h>{ORDINAL})\s+semestre", _half),
        (r"(?:week|semaine)\s+(?:no\.?\s*|n°\s*)?(?P<w>[0-9]{1,2})", _week),
    )
)
"""Forms that come again each year."""

SPANS: tuple[Form, ...] = tuple(
    (pattern, make)
    for pattern, make in (
        (rf"{_NUMBERED}(?P<y>19[0-9]{{2}}|20[0-9]{{2}})\s?[-–/]\s?(?P<z>19[0-9]{{2}}|20[0-9]{{2}}){_ENDS}", _years),  # noqa: E501
        (r"(?<=\bthe\s)(?P<t>(?:1[0-9]|20)[0-9]0)'?s", _decade),
        (r"années\s+(?P<t>(?:(?:1[0-9]|20)[0-9]|[0-9])0)", _decade),
    )
)  # fmt: skip
"""Forms of several years."""

_FOUR_DIGITS = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")


def read_form(text: str, at: int, forms: tuple[Form, ...]) -> Named | None:
    """Return the longest date of some forms that begins at a place; of equal ones the first form's."""
    best: Named | None = None
    for pattern, make in forms:
        if (match := compiled(pattern).match(text, at)) and (best is None or match.end() > best.end):
            made = make(match)
            year = 0 if forms is SPANS else _year(match)
            if made is not None and (year is None or _exists(made, year)):
                best = Named(made, year, match.start(), match.end())
    return best


def _exists(make: Make, year: int) -> bool:
    return make(year) is not None


@lru_cache(maxsize=KEPT_TEXTS)
def written_periods(text: str) -> tuple[Period, ...]:
    """Return the dates that a text writes out with their year, in order."""
    return tuple(_read_periods(text))


def _read_periods(text: str) -> Iterator[Period]:
    for found in _FOUR_DIGITS.finditer(text):
        first, last = max(0, found.start() - BEFORE), min(len(text), found.end() + AFTER)
        near, year_at = text[first:last], found.start() - first
        over = [
            (match, make)
            for pattern, make in DATED
            for match in compiled(pattern).finditer(near)
            if match.start("y") == year_at
        ]
        # Of "12 April 2025" the month alone is a date as well: the longest is the one that is meant.
        for match, make in sorted(over, key=lambda pair: pair[0].start() - pair[0].end()):
            made = make(match)
            if made is not None and (period := made(int(match["y"]))) is not None:
                yield period
                break


def written_years(text: str) -> Iterator[int]:
    """Yield the numbers of a text that may be years of the last or this century, each once."""
    yield from {int(found[0]) for found in _FOUR_DIGITS.finditer(text)}
