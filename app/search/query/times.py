"""Find the time that a text names, in English and French, as whole days.

What the languages say stands in tables, one meaning a row. A phrase is a regular expression in which a blank
is any whitespace, and ``{unit}`` stands for the row of that name of "small words", or else for a word of that
section. It is met without regard to case, on text in NFC with straight apostrophes and hyphens. Phrases with
slots of their own stand apart, with blanks around their bar. Those that are "bare" are a time wherever they
stand, those that are "led" behind a word that shows it ("shown"), and those of "none" are none.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import cache, lru_cache, partial
from itertools import product
from pathlib import Path
from typing import NamedTuple, cast, get_args

from app.errors import BadRequestError
from app.search.lexical.analysis import pieces
from app.search.query.period import Kind, Period, Sort, Window, around, days_of, months_from, moved
from app.sentences import Sentence
from app.vault.dates import ACCEPTED_FORMS, LOOKALIKES, local_today, parse_bound
from app.vault.paths import ONE_KIND, nfc

Make = Callable[[int], Period | None]
Slots = Mapping[str, int]

COMES_AGAIN = {"weekday": 6, "yearly": 365}
"""In how many days a time that is past comes again, by its sort."""
_ROWS_OF = {"mon": ("month", "short month"), "n": ("number",), **dict.fromkeys("qhde", ("ordinal",))}
"""The sections whose words fill a slot that has another name."""
_PARTS_OF_YEARS: tuple[tuple[str, Kind, int], ...] = (("q", "quarter", 3), ("h", "half", 6))
_ONE_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
_WORD = re.compile(r"(?<!\w)\w+")
_FOUR_DIGITS = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")


@cache
def phrases(section: str, table: str = "times") -> list[tuple[str, str]]:
    """Return the phrases of a section in all languages, each with its meaning."""
    rows = [row for language in ("en", "fr") for row in _read(f"{table}.{language}").get(section, {}).items()]
    return [(meaning, phrase) for meaning, row in rows for phrase in row.split(" | ")]


@cache
def _read(name: str) -> Mapping[str, Mapping[str, str]]:
    found = json.loads((Path(__file__).parent / "tables" / f"{name}.json").read_bytes())
    return cast("Mapping[str, Mapping[str, str]]", found)


@cache
def words(section: str, table: str = "times") -> Mapping[str, str]:
    """Map the words of a section to what they mean."""
    return {phrase: meaning for meaning, phrase in phrases(section, table)}


def any_of(some: Iterable[str]) -> str:
    """Return a piece of a pattern that meets any of some phrases, the longest first."""
    return "(?:" + "|".join(sorted(some, key=len, reverse=True)).replace(" ", r"\s+") + ")"


@cache
def expanded(phrase: str, table: str = "times") -> str:
    """Return a phrase of a table as a regular expression; slots of times become groups of their names."""

    def filled(slot: re.Match[str]) -> str:
        name = slot[1]
        small = [each for meaning, each in phrases("small words", table) if meaning == name]
        pattern = expanded(any_of(small or words(name, table)), table)
        is_plain = small or table != "times"
        return pattern if is_plain else rf"(?P<{name}>{_SLOTS.get(name) or pattern})"

    return re.sub(r"\{([a-z]+)\}", filled, phrase.replace(" ", r"\s+"))


@cache
def compiled(phrase: str, table: str = "times", *, whole: bool = True) -> re.Pattern[str]:
    """Compile a phrase when it is first used; what is not ``whole`` may end within a word."""
    return re.compile(rf"(?!\B\w)(?:{expanded(phrase, table)})" + r"(?!\w)" * whole, re.IGNORECASE)


def value(slot: str, word: str) -> int:
    """Read the number that a slot was filled with: a word of its rows, or digits."""
    key = " ".join(word.lower().split()).rstrip(".")
    for section in _ROWS_OF.get(slot, (slot,)):
        if key in words(section):
            return int(words(section)[key])
    return int("0" + "".join(filter(str.isdecimal, key)))


MONTH, WEEKDAY = any_of(words("month")), any_of(words("weekday"))
ANY_MONTH = rf"(?:{MONTH}|{any_of(words('short month'))}\b\.?)"
_ORDINAL, _TH = any_of(words("ordinal")), expanded("{th}")
ORDINAL = rf"(?:[0-9]{{1,2}}{_TH}|{_ORDINAL})"
AMBIGUOUS = frozenset(words("sometimes"))
"""Words that are months only sometimes, and names."""
_SLOTS = {
    "mon": ANY_MONTH,
    "n": rf"(?:[0-9]{{1,3}}|{any_of(words('number'))})",
    "y": "(?:1[0-9]|20|21)[0-9]{2}(?![0-9])",
    **dict.fromkeys("qh", ORDINAL),
    **dict.fromkeys("de", rf"(?:[0-9]{{1,2}}{_TH}?|(?<!-){_ORDINAL})"),
}


class Named(NamedTuple):
    """A time that a text names from ``start`` to ``end``; ``make`` gives its days in a year.

    ``year`` is the one that is written; None where none is. A time that counts from today has 0.
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
        return next((made for year in years if (made := self.make(year)) and made.first <= today), None)


def _fixed(period: Period, start: int, end: int, sort: Sort) -> Named:
    return Named(lambda _: period, 0, start, end, sort)


def read_time(text: str, at: int, *sections: str, today: date = date.max) -> Named | None:
    """Return the longest time that begins at a place, by the phrases of some sections of the tables.

    Relative words count from ``today``.
    """
    best: Named | None = None
    for section in sections:
        for meaning, phrase in phrases(section):
            match = compiled(phrase).match(text, at)
            if match and (best is None or match.end() > best.end):
                best = _named(match, section, meaning, today) or best
    return best


def _named(match: re.Match[str], section: str, meaning: str, today: date) -> Named | None:
    slots = _slots(match)
    if section == "relative" or meaning == "begun weekday":
        unit = words("unit").get((match.groupdict().get("unit") or "").lower(), "day")
        sort: Sort = "relative" if section == "relative" else "weekday"
        period = _days_around(today, meaning, slots, cast("Kind", unit))
        return _fixed(period, *match.span(), sort) if period else None
    make, year = partial(_days_in, slots), slots.get("y")
    if year is None:
        return Named(make, None, *match.span(), "yearly")
    # Two digits: this century up to the thirties.
    year += 0 if year > 99 else 2000 if year < 40 else 1900
    return Named(make, year, *match.span(), "dated") if make(year) else None


def _slots(match: re.Match[str]) -> Slots:
    """Return the numbers that the slots of a phrase were filled with."""
    filled = match.groupdict().items()
    return {name: value(name, text) for name, text in filled if text and name != "unit"}


def _days_in(slots: Slots, year: int) -> Period | None:
    """Return the days of a year that a written time means; None where there are none such."""
    month, day = slots.get("mon") or slots.get("month") or slots.get("m", 0), slots.get("d")
    if day and month <= 12:
        return days_of(year, month, day, slots.get("e", day))
    if day:
        # Of two numbers the day stands first, unless it can only be the month.
        return days_of(year, day, month, month)
    if month:
        return months_from(year, month, 1, "month")
    if "w" in slots:
        first = around(date(year, 1, 4), "week").first + (slots["w"] - 1) * _WEEK
        return around(first, "week") if first.isocalendar().year == year else None
    if "season" in slots:
        return months_from(year, slots["season"], 3, "season")
    if "tens" in slots or "z" in slots:
        return months_from(year, 1, 12 * (slots["z"] - year + 1 if "z" in slots else 10), "span")
    for slot, kind, months in _PARTS_OF_YEARS:
        if slot in slots:
            # The last one has no number.
            ends = (slots[slot] or 12 // months) * months
            return months_from(year, ends - months + 1, months, kind) if ends <= 12 else None
    return months_from(year, 1, 12, "year")


def _days_around(today: date, meaning: str, slots: Slots, unit: Kind) -> Period | None:
    """Return the days that a phrase means as counted from today; None where it says no time."""
    count, way = slots.get("n", 1), slots.get("way", 0)
    match meaning:
        case "day":
            return around(today + slots["day"] * _ONE_DAY, "day")
        case "ago" | "ahead" if count:
            return around(moved(today, count if meaning == "ahead" else -count, unit), unit)
        case "ago" | "ahead" | "around":
            # "A few" are at most six.
            edge = moved(today, (count or 6) * (1 if meaning == "ahead" or way > 0 else -1), unit)
            return Period(min(today, edge), max(today, edge))
        case "hours":
            return Period(today - -(-count // 24) * _ONE_DAY, today)
        case "weekday" | "begun weekday":
            gap = slots["weekday"] - today.weekday()
            if meaning == "begun weekday":
                gap = -(-gap % 7)
            elif way:
                # Today is neither the last one nor the next.
                gap = way * ((gap * way - 1) % 7 + 1)
            return around(today + gap * _ONE_DAY, "day")
        case "month":
            made = [one for more in range(-2, 3) if (one := _days_in(slots, today.year + more))]
            if way < 0:
                return max(one for one in made if one.last < today)
            if way > 0:
                return min(one for one in made if one.first > today)
            return next((one for one in made if one.first <= today <= one.last), made[2])
    # "This day" and "the end of the day" say no time.
    running = around(today, unit) if unit != "day" else None
    if running is None or meaning == "part":
        return running.third(slots["part"]) if running else None
    return around(moved(running.first, -2 if meaning == "before last" else way, unit), unit)


@lru_cache(maxsize=8192)
def written_periods(text: str) -> tuple[Period, ...]:
    """Return the dates that a text writes out with their year, in order; most texts are asked for again."""
    found: list[Period | None] = []
    done = 0
    for year in _FOUR_DIGITS.finditer(text):
        # The rest of a date begins at most so many characters before its year.
        for word in _WORD.finditer(text, max(done, year.start() - 32), year.end()):
            named = read_time(text, word.start(), "written")
            if named and named.year == int(year[0]) and named.end >= year.end():
                found.append(named.make(named.year))
                done = named.end
                break
    return tuple(filter(None, found))


def written_years(text: str) -> Iterator[int]:
    """Yield the numbers of a text that may be years of the last or this century, each once."""
    yield from {int(found[0]) for found in _FOUR_DIGITS.finditer(text)}


def named_time(text: str, today: date) -> Window | None:
    """Find the time that a question, in NFC, names on a day; of several the shortest, then the first."""
    return min(_Reader(text, today).times(), key=lambda time: time.period.days(), default=None)


class _Reader:
    """Reads one question."""

    def __init__(self, text: str, today: date) -> None:
        self.shown, self.today = text, today
        # Every character keeps its place.
        unquoted = "".join("\0" * (one.end - one.start) if one.quoted else one.text for one in pieces(text))
        self.text = unquoted.translate(LOOKALIKES).translate(ONE_KIND)
        self.none, self.led = (frozenset(self._places(section)) for section in ("none", "shown"))

    def _places(self, section: str) -> Iterator[int]:
        """Yield where a section's phrases stand: what they name `at`, else their last slot, else all."""
        for _, phrase in phrases(section):
            for found in compiled(phrase, whole=False).finditer(self.text):
                slot = "at" if "at" in found.re.groupindex else found.lastgroup or 0
                yield from range(*found.span(slot))

    def times(self) -> Iterator[Window]:
        """Yield the times named, in order, none within another."""
        done = 0
        for word in _WORD.finditer(self.text):
            at = word.start()
            try:
                found = self.time(at) if at >= done else None
                period = found.last_begun(self.today) if found else None
            except (OverflowError, ValueError):
                # A thousand years from now, and back before the year 1: no day in the calendar.
                continue
            if found and period:
                done = found.end
                yield Window(period, self.shown[at:done], found.sort)

    def time(self, at: int) -> Named | None:
        """Read one time, with "since", "before", "until" or "after" in front, or two that a word joins."""
        for bound, phrase in phrases("bound"):
            match = compiled(phrase, whole=False).match(self.text, at)
            point = self.point(match.end(), led=True) if match else None
            period = point.last_begun(self.today) if point else None
            if point and period:
                return _fixed(_bounded(period, bound, self.today), at, point.end, point.sort)
        first = self.point(at)
        joint = compiled("{joins}", whole=False).match(self.text, first.end) if first else None
        second = self.point(joint.end(), led=True) if joint else None
        return (first and second and self.joined(first, second)) or first

    def joined(self, first: Named, second: Named) -> Named | None:
        """Join two times; what has no year takes it from the other."""
        if first.year is None and second.year:
            begun = [first.make(second.year), first.make(second.year - 1)]
            ended = [second.make(second.year)]
        else:
            if (last := first.last_begun(self.today)) is None:
                return None
            begun = [last, *([around(last.first - _WEEK, "day")] if first.sort == "weekday" else [])]
            years = (second.year,) if second.year is not None else (last.first.year, last.first.year + 1)
            ended = [second.make(year) for year in years]
        sort = max(first.sort, second.sort, key=get_args(Sort).index)
        for one, other in product(begun, ended):
            if one and other and one.first <= other.last:
                return _fixed(Period(one.first, other.last), first.start, second.end, sort)
        return None

    def point(self, at: int, *, led: bool = False) -> Named | None:
        """Read one time, or a third or a week of it; ``led`` where a word before it shows that it is one."""
        if led and (article := compiled("{the}", whole=False).match(self.text, at)):
            at = article.end()
        best = self.plain(at, led=led)
        for meaning, phrase in phrases("piece"):
            match = compiled(phrase, whole=False).match(self.text, at)
            whole = self.plain(match.end(), led=True) if match else None
            if match and whole and (best is None or whole.end > best.end):
                make = partial(_piece, whole.make, meaning, _slots(match))
                best = Named(make, whole.year, at, whole.end, whole.sort)
        return best

    def plain(self, at: int, *, led: bool) -> Named | None:
        """Read one time that stands by itself."""
        if at in self.none:
            return None
        shown = ("led",) if led or at in self.led else ()
        return read_time(self.text, at, "written", "relative", "bare", *shown, today=self.today)


def _bounded(period: Period, bound: str, today: date) -> Period:
    """Return the days on that side of a time."""
    if bound in ("before", "until"):
        return Period(date.min, period.last if bound == "until" else period.first - _ONE_DAY)
    first = period.last + _ONE_DAY if bound == "after" else period.first
    return Period(first, today if bound == "since" and first <= today else date.max)


def _piece(make: Make, meaning: str, slots: Slots, year: int) -> Period | None:
    """Return a third, a half or a week of a time in a year, or the week around it, if it has one."""
    if (period := make(year)) is None:
        return None
    if meaning == "part":
        return period.third(slots["part"])
    if meaning == "week of":
        return around(period.first, "week") if period.kind == "day" else None
    if meaning == "half":
        middle = period.first + period.days() // 2 * _ONE_DAY
        return Period(period.first, middle - _ONE_DAY) if slots.get("q") == 1 else Period(middle, period.last)
    # The last one has no number.
    begun = period.first + (slots["q"] - 1) * _WEEK if "q" in slots else period.last - _WEEK + _ONE_DAY
    return Period(begun, min(period.last, begun + _WEEK - _ONE_DAY)) if begun <= period.last else None


def named_days(text: str, today: date | None = None, *, due: bool = False) -> tuple[date, date]:
    """Return the first and the last of the days that a text names.

    Args:
        text: Such as ``2025-07``, ``yesterday``, ``la semaine dernière``.
        today: The day that relative words count from; the local day when left out.
        due: Whether something is due then: "Friday" and "30 November" are those to come.

    Raises:
        BadRequestError: the text names no days, or more besides.
    """
    now = today or local_today()
    try:
        return parse_bound(text, today=now), parse_bound(text, end=True, today=now)
    except BadRequestError as error:
        written = " ".join(nfc(text).split())
        leads = compiled(r"\s*(?:(?:{lead} |{of}|{the})\s*)*", whole=False)
        # Some words are days or months only behind such a one.
        for form in (written, *(f"{lead} {written}" for lead in ("on", "in", "en"))):
            found = named_time(form, now)
            if found and leads.fullmatch(found.without(form) + " "):
                if due and found.period.last < now:
                    found = named_time(form, now + COMES_AGAIN.get(found.sort, 0) * _ONE_DAY) or found
                return found.period.first, found.period.last
        raise BadRequestError(
            "'{text}' names no day",
            "write {accepted_forms}, or {natural}",
            text=text,
            accepted_forms=Sentence(ACCEPTED_FORMS),
            natural=Sentence("'last monday', 'lundi dernier', 'last week', 'avril 2025'"),
        ) from error


def named_day(text: str, today: date | None = None) -> date:
    """Return the one day that a text names; errors and arguments as of `named_days`."""
    first, last = named_days(text, today)
    if first != last:
        days = {"text": text, "first": first, "last": last}
        raise BadRequestError("'{text}' is more than one day: {first} to {last}", "name one day", **days)
    return first
