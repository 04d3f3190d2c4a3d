"""Find the time that a question names, in English and French, as whole days.

Words that are months only sometimes (may, march, mars, mai), bare years and days of the week need a word
before them that shows what they are; and what stands in quotation marks names no time.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial

from app.search.lexical.quotation import pieces
from app.search.query.period import (
    Period,
    Window,
    months_from,
    moved,
    one_day,
    week_of,
    whole_month,
    whole_year,
)
from app.search.query.time_words import (
    AMBIGUOUS,
    LANGUAGES,
    YEAR,
    any_of,
    compiled,
    expanded,
    of_row,
    phrases,
    table,
    value,
)
from app.search.query.written_time import (
    Named,
    Slots,
    filled,
    fixed,
    read_relative,
    read_written,
    rolling,
)
from app.vault.dates import LOOKALIKES
from app.vault.paths import ONE_KIND

MOST_NESTED = 4
"""How many times may stand within each other; it is 2 in "the first week of the second half of 2025"."""
OLDEST, NEWEST = 1950, 5
"""From then until so many years from now four digits are a year where nothing says that they are none."""
_PLAIN_SIGNS = LOOKALIKES | ONE_KIND
_LOOKED_BACK = 24
"""So many characters before a word the word stands that shows what it is."""

_WORD_START = re.compile(r"(?<!\w)\w")
_CAPITALISED_AFTER = re.compile(r"\s+[A-ZÀ-Þ][a-zà-ÿ]")
_IN_NUMBER = re.compile(r"(?:[./\-+$€£#_]|(?<!\w)[A-Z]{2,}\s+)$")
_AMOUNT = re.compile(r"\s*[€$£%:°]|[-+/]?[0-9]|\.[0-9]|\s[0-9]{3}(?![0-9])")


def _bare(phrase: str) -> str:
    """Return a phrase as a pattern without names of its slots, which may stand in several."""
    return rf"(?<!\w)(?:{re.sub('[?]P<[a-z]+>', '?:', expanded(phrase))})"


_BOUNDS = [(compiled(phrase, whole=False), bound) for bound, phrase in phrases("bound")]
_NESTED = [(compiled(phrase, whole=False), meaning) for meaning, phrase in phrases("nested")]
_OPENS, _ARTICLE = (compiled(of_row(name), whole=False) for name in ("opens", "the"))
_ONWARDS = re.compile(rf"\s+{of_row('onwards')}(?!\w)", re.IGNORECASE)
_JOINS = re.compile(rf"\s*[-\u2013\u2014]\s*|\s+{of_row('joins')}\s+", re.IGNORECASE)
_END = compiled(rf"{of_row('the')}?{of_row('end')}")
_DURATION = compiled(rf"{of_row('for')}?{{n}} {{unit}}(?! {of_row('not for')})")
_MONTH, _WEEKDAY, _YEAR = compiled("{month}"), compiled("{weekday}{daypart}"), compiled(YEAR)
_NONE = re.compile("|".join(_bare(phrase) for _, phrase in phrases("none")), re.IGNORECASE)


def _before(*meanings: str, language: str = "") -> re.Pattern[str]:
    """Return what meets the words before a time that show that it is one."""
    tables = [table(language or each)["shown by"] for each in ((language,) if language else LANGUAGES)]
    some = any_of([rows[meaning] for rows in tables for meaning in meanings if meaning in rows] or [r"\b\B"])
    return re.compile(rf"(?<!\w){some}(?:\s+|(?<='))$", re.IGNORECASE)


_LED, _YEAR_LED = _before("always", "small", "others"), _before("always", "year")
_SHOWN = {
    month: {name: _before(name, language=language) for name in ("always", "small", "capital")}
    for language in LANGUAGES
    for month in table(language)["sometimes"]["month"].split(" | ")
}
"""Words that are months only sometimes, with what stands before them where they are."""
_ALONE = {
    weekday: re.compile(expanded(table(language)["followed by"]["weekday"]), re.IGNORECASE)
    for language in LANGUAGES
    if "followed by" in table(language)
    for weekday in table(language)["weekday"].values()
}
"""Weekdays that without a word before them are a time only where such a thing follows."""


def named_time(text: str, today: date) -> Window | None:
    """Find the time that a question names; where it names several, the shortest, then the first.

    Args:
        text: The question, in NFC.
        today: The day that relative words count from.
    """
    found = list(_Reader(text, today).times())
    return min(found, key=lambda time: (time.period.days(), time.start), default=None)


class _Reader:
    """Reads one question."""

    def __init__(self, text: str, today: date) -> None:
        self.shown, self.today = text, today
        # Every character keeps its place.
        unquoted = "".join("\0" * (one.end - one.start) if one.quoted else one.text for one in pieces(text))
        self.text = unquoted.translate(_PLAIN_SIGNS)
        self.none = {at for found in _NONE.finditer(self.text) for at in range(*found.span())}
        self._points: dict[tuple[int, bool, int], Named | None] = {}

    def times(self) -> Iterator[Window]:
        """Yield the times named, in order, none within another."""
        done = 0
        for word in _WORD_START.finditer(self.text):
            at = word.start()
            if at < done:
                continue
            try:
                found = self.bounded(at) or self.range(at) or self.point(at, led=False)
                period = found.last_begun(self.today) if found else None
            except (OverflowError, ValueError):
                # A thousand years from now, and back before the year 1: no day in the calendar.
                continue
            if found and period:
                done = found.end
                yield Window(period, self.shown[at:done], at, done, found.sort)

    def bounded(self, at: int) -> Named | None:
        """Read "since", "before", "until" or "after" with what follows, and "from ... on"."""
        for pattern, bound in _BOUNDS:
            if not (match := pattern.match(self.text, at)):
                continue
            if bound == "since" and (length := _DURATION.match(self.text, match.end())):
                slots = filled(length)
                return fixed(rolling(self.today, slots.numbers["n"], slots.kind), at, length.end())
            point = self.point(match.end(), led=True)
            period = point.last_begun(self.today) if point else None
            if not point or not period:
                continue
            if bound == "from":
                ends = _ONWARDS.match(self.text, point.end)
                return fixed(Period(period.first, date.max), at, ends.end(), point.sort) if ends else None
            # What is done before the end of a month may be done on its last day.
            until_end = bound == "before" and _END.match(self.text, match.end())
            return fixed(
                _bounded(period, "until" if until_end else bound, self.today), at, point.end, point.sort
            )
        return None

    def range(self, at: int) -> Named | None:
        """Read two points with a word between them that joins them."""
        opening = _OPENS.match(self.text, at)
        start = opening.end() if opening else at
        first = self.point(start, led=opening is not None)
        if first is None:
            return None
        joint = _JOINS.match(self.text, first.end)
        second = self.point(joint.end(), led=True) if joint else None
        if second is not None:
            return self.joined(first, second)
        # "between the 3rd and the 10th of June": the month stands with the second alone.
        period = first.last_begun(self.today) if opening else None
        return fixed(period, at, first.end, first.sort) if period and period.kind == "span" else None

    def joined(self, first: Named, second: Named) -> Named | None:
        """Join two points; what has no year takes it from the other."""
        if first.year is None and second.year:
            begins, ends = first.make(second.year), second.make(second.year)
            if begins and ends and begins.first > ends.last:
                begins = first.make(second.year - 1)
        else:
            begins = first.last_begun(self.today)
            ends = second.make(begins.first.year if second.year is None else second.year) if begins else None
            if begins and ends and ends.last < begins.first and second.year is None:
                ends = second.make(begins.first.year + 1)
        if begins is None or ends is None:
            return None
        if ends.last < begins.first and begins.kind == ends.kind == "day":
            # "from Monday to Wednesday", said on a Tuesday.
            begins = one_day(moved(begins.first, -1, "week"))
        sort = max(first.sort, second.sort, key=("weekday", "relative", "yearly", "dated").index)
        joined = fixed(Period(begins.first, ends.last), first.start, second.end, sort)
        return joined if begins.first <= ends.last else None

    def point(self, at: int, *, led: bool, depth: int = 0) -> Named | None:
        """Read one point in time, of which several readings ask.

        Args:
            at: Where it begins.
            led: Whether a word before it shows that it is one.
            depth: How many others it stands within.
        """
        key = at, led, depth
        if key not in self._points:
            self._points[key] = self._point(at, led=led, depth=depth)
        return self._points[key]

    def _point(self, at: int, *, led: bool, depth: int) -> Named | None:
        if led and (article := _ARTICLE.match(self.text, at)):
            at = article.end()
        if at in self.none:
            return None
        ways = [
            self.part(at, depth + 1) if depth < MOST_NESTED else None,
            read_relative(self.text, at, self.today),
            self.written(at, led),
            self.month(at, led),
            self.weekday(at, led),
            self.year(at, led),
        ]
        return max((way for way in ways if way), key=lambda way: way.end, default=None)

    def part(self, at: int, depth: int) -> Named | None:
        """Read the beginning, middle or end of a time, one of its halves, or a week of a month."""
        for pattern, meaning in _NESTED:
            match = pattern.match(self.text, at)
            whole = self.point(match.end(), led=True, depth=depth) if match else None
            if match and whole:
                make = partial(_part_of, whole, meaning, filled(match))
                return Named(make, whole.year, at, whole.end, whole.sort)
        return None

    def written(self, at: int, led: bool) -> Named | None:
        """Read a date; "may 3 people come" is none: a month that is a verb too wants to be shown as one."""
        found = read_written(self.text, at)
        if found is None or found.sort == "dated" or led or self._led(at):
            return found
        return None if self.shown[at : found.end].split()[0] in _SHOWN else found

    def month(self, at: int, led: bool) -> Named | None:
        """Read the name of a month that stands by itself."""
        match = _MONTH.match(self.text, at)
        if not match:
            return None
        name, before = match[0].lower(), self.text[max(0, at - _LOOKED_BACK) : at]
        is_capital = self.shown[at].isupper()
        if name in _SHOWN:
            show = _SHOWN[name]
            other = show["capital" if is_capital else "small"]
            joins = _JOINS.match(self.text, match.end())
            second = _MONTH.match(self.text, joins.end()) if joins else None
            is_shown = show["always"].search(before) or other.search(before)
            is_month = led or bool(is_shown or (second and second[0].lower() != name))
        else:
            follows = is_capital and name in AMBIGUOUS and _CAPITALISED_AFTER.match(self.text, match.end())
            is_month = led or not follows or self._led(at)
        month = value("month", name) or 0
        return Named(partial(whole_month, month=month), None, at, match.end(), "yearly") if is_month else None

    def weekday(self, at: int, led: bool) -> Named | None:
        """Read a day of the week that stands by itself: the last one that has begun."""
        match = _WEEKDAY.match(self.text, at)
        if not match:
            return None
        name = match["weekday"].lower()
        alone = _ALONE.get(name)
        if not (led or alone is None or self._led(at) or alone.match(self.text, match.end("weekday"))):
            return None
        day = self.today - timedelta(days=(self.today.weekday() - (value("weekday", name) or 0)) % 7)
        return fixed(one_day(day), at, match.end(), "weekday")

    def year(self, at: int, led: bool) -> Named | None:
        """Read a year that stands by itself, unless it is an amount or the number of something."""
        match, before = _YEAR.match(self.text, at), self.text[max(0, at - _LOOKED_BACK) : at]
        if not match or _AMOUNT.match(self.text, match.end()) or (not led and _IN_NUMBER.search(before)):
            return None
        year = int(match[0])
        is_usual = OLDEST <= year <= self.today.year + NEWEST
        is_year = is_usual or led or _YEAR_LED.search(before)
        return Named(whole_year, year, at, match.end(), "dated") if is_year else None

    def _led(self, at: int) -> bool:
        return _LED.search(self.text[max(0, at - _LOOKED_BACK) : at]) is not None


def _bounded(period: Period, bound: str, today: date) -> Period:
    """Return the days on that side of a time."""
    if bound == "since":
        return Period(period.first, today if period.first <= today else date.max)
    if bound == "onwards":
        return Period(period.first, date.max)
    if bound == "after":
        return Period(period.last + timedelta(days=1), date.max)
    return Period(date.min, period.last if bound == "until" else period.first - timedelta(days=1))


def _part_of(whole: Named, meaning: str, slots: Slots, year: int) -> Period | None:
    """Return the third, the week or the half of a time in a year, or the week around a day."""
    period = whole.make(year)
    if period is None or meaning == "part":
        return period.third(slots.third) if period else None
    if meaning == "week of":
        return week_of(period.first) if period.kind == "day" else None
    # The last one has no number.
    count, days = slots.numbers.get("q", 0), timedelta(days=6)
    if slots.kind == "week":
        first = period.first + timedelta(days=7 * (count - 1)) if count else period.last - days
        return Period(first, min(period.last, first + days)) if first <= period.last else None
    if count > 2:
        return None
    if period.kind == "year":
        return months_from(period.first.year, 1 if count == 1 else 7, 6, "half")
    middle = period.first + timedelta(days=15 if period.kind == "month" else period.days() // 2)
    return Period(period.first, middle - timedelta(days=1)) if count == 1 else Period(middle, period.last)
