"""Find the time that a question names, in English and French, as whole days.

Words that are months only sometimes (may, march, mars, mai), bare years and days of the week need a word
before them that shows what they are; and what stands in quotation marks names no time.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial

from app.search.lexical.quotation import pieces
from app.search.query.calendar_words import (
    FIRST_NAMES,
    HYPHEN,
    MONTH,
    NUMBER,
    ORDINAL,
    ORDINALS,
    SOMETIMES_MONTHS,
    THE,
    THIRDS,
    UNIT_EN,
    UNIT_FR,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    month_number,
    number,
    unit,
)
from app.search.query.period import (
    Period,
    Third,
    around,
    months_from,
    moved,
    one_day,
    week_of,
    whole_month,
    whole_year,
)
from app.search.query.relative_time import PART_OF_DAY, read_relative, rolling
from app.search.query.written_date import DATED, RECURRING, SPANS, Named, compiled, read_form
from app.vault.dates import LOOKALIKES

MOST_NESTED = 4
"""How many times may stand within each other; it is 2 in "the first week of the second half of 2025"."""
_PLAIN_SIGNS = LOOKALIKES | str.maketrans("’\u2010\u2011", "'--")
# The planet is no month, whatever year follows it.
_WORD_START = re.compile(r"(?i)(?<!\w)(?!(?:(?<=plan[èe]te )|(?<=cratère de )|(?<=cratères de ))mars\b)\w")

# Before a month, a year or a day of the week these show that it is one.
_LEADS = (
    r"(?:in|of|for|since|until|till|before|after|by|during|through|from|between|to|around|on|about|"
    r"en|de|depuis|jusqu'en|jusqu'à|avant|après|pour|pendant|durant|vers|entre|du|mois\s+de|mois\s+d'|d')"
)
_LED = re.compile(rf"(?<!\w){_LEADS}(?:\s+|(?<='))$", re.IGNORECASE)
_FRENCH_LED = re.compile(
    r"(?<!\w)(?:en|depuis|jusqu'en|avant|après|de|pour|pendant|durant|entre|mois\s+de)\s+$", re.IGNORECASE
)
_SURELY_FRENCH_LED = re.compile(r"(?<!\w)(?:en|depuis|jusqu'en|mois\s+de)\s+$", re.IGNORECASE)
_ENGLISH_LED = re.compile(
    r"(?<!\w)(?:in|of|for|since|until|till|before|after|by|during|from|between|around)\s+$", re.IGNORECASE
)
_DETERMINED = re.compile(r"(?<!\w)(?:the|our|my|this|that|their|his|her)\s+$", re.IGNORECASE)
_YEAR_LED = re.compile(
    r"(?<!\w)(?:in|en|since|until|before|after|depuis|avant|après|jusqu'en|(?:the\s+)?year|l'année|l'an)\s+$",
    re.IGNORECASE,
)
_ONLY_A_NUMBER = re.compile(
    r"(?<!\w)(?:room|port|error|page|code|salle|chambre|number|no\.?|n°|numéro|issue|ticket|bug|model|modèle|version|"
    r"chapter|chapitre|line|ligne|article|bus|route|flight|vol|bureau|windows|excel|word|office|outlook|server|"
    r"photoshop|autocad|fifa|step|étape|lot|ref|code\s+postal|zip)\s+$",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"(?<!\w)[A-Z]{2,}\s+$")
_AMOUNT = re.compile(
    r"\s*(?:[€$£%:°]|-?(?:euros?|dollars?|pounds?|francs?|words?|mots?|people|personnes?|steps?|pas|k[mg]|m|cm|mm|g|mg|"
    r"px|[kmgt]b|lines?|lignes?|pages?|chars?|characters|caractères|signes|times|fois|hours?|heures?|h|min|minutes?|"
    r"seconds?|secondes?|ms|met(?:er|re)s?|mètres?|feet|ft|miles?|calories|k?cal|watts?|kwh|w|points?|tokens?|rpm|"
    r"habitants|inhabitants|members|membres|users|rows|requests|litres?|liters?|ml|volts?|euro)(?!\w))"
    r"|[-+/]?[0-9]|\.[0-9]|\s[0-9]{3}(?![0-9])",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"(?<!\w)(?:every|each|black|good|ash|casual|palm|easter|tous\s+les|toutes\s+les|chaque|le|les|un|une|du|a|any)\s+$",
    re.IGNORECASE,
)
_FEAST = re.compile(r"\s+(?:gras|saint|noir|roast|club)(?!\w)", re.IGNORECASE)
_FILM = re.compile(r"(?:friday\s+the\s+13th|vendredi\s+13)\s+(?=\w)", re.IGNORECASE)
_INSECT = re.compile(r"june\s+(?:bug|beetle)s?(?!\w)", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_STANDS_ALONE = re.compile(
    r"'s(?!\w)|\s*(?:$|[.,;:!?)])|\s+(?:morning|afternoon|evening|night)(?!\w)", re.IGNORECASE
)
_TITLED = re.compile(r"\s+(?:on|of|for|through|against)(?!\w)", re.IGNORECASE)
_CAPITALISED_AFTER = re.compile(r"\s+[A-ZÀ-Þ][a-zà-ÿ]")

_BOUNDS = tuple(
    (re.compile(rf"(?<!\w){pattern}", re.IGNORECASE), bound)
    for pattern, bound in (
        (r"(?:since|ever since|depuis)\s+", "since"),
        (r"(?:before|prior\s+to|earlier\s+than|avant|antérieure?s?\s+à)\s+", "before"),
        (r"(?:until|till|up\s+to|by(?=\s+(?:the\s+)?end\s)|jusqu'(?:à|au|en))\s+", "until"),
        (r"d'ici(?:\s+(?:à|au))?\s+", "until"),
        (r"(?:after|later\s+than|après)\s+", "after"),
        (r"(?:à\s+(?:partir|compter)\s+d(?:e\s+|u\s+|')|starting\s+(?:in\s+|on\s+|from\s+)?)", "onwards"),
        (r"from\s+", "from"),
    )
)
_END = re.compile(rf"{THE}(?:end|fin)(?!\w)", re.IGNORECASE)
_ONWARDS = re.compile(r"\s+(?:on|onwards?)(?!\w)", re.IGNORECASE)
_DURATION = compiled(
    rf"(?:the\s+(?:last|past)\s+)?(?P<n>{NUMBER})\s+(?P<u>{UNIT_FR}|{UNIT_EN})s?(?!\s+(?:ago|de))"
)
_OPENS = re.compile(r"(?<!\w)(?:(?:between|from|entre|de|du|in|en)\s+|d')", re.IGNORECASE)
_JOINTS = re.compile(
    rf"\s*{HYPHEN}\s*|\s+(?:and|to|until|till|through|or|et|à|au|ou|jusqu'à|jusqu'en|jusqu'au)\s+",
    re.IGNORECASE,
)
_JOINS = re.compile(
    rf"\s*[\u2013\u2014]\s*|\s+(?:{HYPHEN}|and|to|until|through|or|et|à|au|ou)\s+", re.IGNORECASE
)
_ARTICLE = re.compile(rf"{THE}(?:(?:month\s+of|mois\s+de)\s+|mois\s+d')?", re.IGNORECASE)
_THIRD = re.compile(
    rf"(?<!\w)(?P<third>{'|'.join(THIRDS)})(?:{HYPHEN}|\s+)(?:(?:of|de|du|d')\s*)?(?!\w*\s+of\s+the\s+story)",
    re.IGNORECASE,
)
_PART = re.compile(
    rf"(?<!\w)(?P<n>{ORDINAL}|last|dernière|dernier|derniere)\s+(?P<u>week|semaine|half|semestre|moitié|quinzaine)\s+"
    r"(?:of\s+|in\s+|de\s+|du\s+|d')(?:the\s+)?",
    re.IGNORECASE,
)
_WEEK_OF = re.compile(r"(?<!\w)(?:week\s+(?:of|beginning|from)|semaine\s+du)\s+", re.IGNORECASE)
_RUNNING = compiled(rf"(?:(?:the|le|la)\s+|l'|(?<=du\s)|(?<=de\sla\s))(?P<u>{UNIT_EN}|{UNIT_FR})")
_MONTH = compiled(MONTH)
_TO_A_MONTH = re.compile(rf"(?:\s*{HYPHEN}\s*|\s+(?:to|through|à)\s+){MONTH}(?!\w)", re.IGNORECASE)
_WEEKDAY = compiled(rf"(?P<w>{WEEKDAY}){PART_OF_DAY}")
_YEAR = compiled(YEAR)
_YEAR_NUMBER = re.compile(r"[0-9]{4}")
_DATED_WORD = re.compile(
    rf"[0-9]{{4}}|(?<!\w){MONTH}(?!\w)|(?<!\w)[QT][1-4](?!\w)|[0-9]/[0-9]|(?:week|semaine)\s+[0-9]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NamedTime:
    """The days that a question names, and the words it names them by, as they stand in it.

    ``is_relative`` tells words that only make sense on the day they are said, such as "last week", and
    ``has_year`` those that name a year.
    """

    period: Period
    phrase: str
    start: int
    end: int
    is_relative: bool
    has_year: bool


def named_time(text: str, today: date) -> NamedTime | None:
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
        # Every sign keeps its place.
        unquoted = "".join("\0" * (one.end - one.start) if one.quoted else one.text for one in pieces(text))
        self.text = unquoted.translate(_PLAIN_SIGNS)
        self._points: dict[tuple[int, bool, int], Named | None] = {}

    def times(self) -> Iterator[NamedTime]:
        """Yield the times named, in order, none within another."""
        done = 0
        for word in _WORD_START.finditer(self.text):
            if word.start() >= done and (found := self.time(word.start())):
                yield found
                done = found.end

    def time(self, at: int) -> NamedTime | None:
        """Return the longest time that begins at a word."""
        try:
            found = self.bounded(at) or self.range(at) or self.alone(at)
        except (OverflowError, ValueError):
            # A thousand years from now, and back before the year 1: no day in the calendar.
            return None
        if found is None:
            return None
        period, end = found
        phrase = self.shown[at:end]
        is_relative, has_year = _DATED_WORD.search(phrase) is None, _YEAR_NUMBER.search(phrase) is not None
        return NamedTime(period, phrase, at, end, is_relative, has_year)

    # What stands around a point in time

    def bounded(self, at: int) -> tuple[Period, int] | None:
        """Read "since", "before", "until" or "after" with what follows, and "from ... on"."""
        for pattern, bound in _BOUNDS:
            if not (match := pattern.match(self.text, at)):
                continue
            if bound == "since" and (length := _DURATION.match(self.text, match.end())):
                return rolling(self.today, length["n"], unit(length["u"])), length.end()
            point = self.point(match.end(), led=True)
            period = point.last_begun(self.today) if point else None
            if point is None or period is None:
                continue
            if bound == "from":
                if ends := _ONWARDS.match(self.text, point.end):
                    return Period(period.first, date.max), ends.end()
                continue
            # What is done before the end of a month may be done on its last day.
            until_end = bound == "before" and _END.match(self.text, match.end())
            return _bounded(period, "until" if until_end else bound, self.today), point.end
        return None

    def range(self, at: int) -> tuple[Period, int] | None:
        """Read two points with a word between them that joins them."""
        opening = _OPENS.match(self.text, at)
        first = self.point(opening.end() if opening else at, led=opening is not None)
        if first is None:
            if not opening:
                return None
            # "between the 3rd and the 10th of June": the month stands with the second alone.
            days = read_form(self.text, opening.end(), (*DATED, *RECURRING))
            return self._settled(days) if days else None
        joint = (_JOINTS if opening else _JOINS).match(self.text, first.end)
        second = self.point(joint.end(), led=True) if joint else None
        if second is None:
            period = first.last_begun(self.today) if opening and _spans_days(first, self.today) else None
            return (period, first.end) if period else None
        return self.joined(first, second)

    def joined(self, first: Named, second: Named) -> tuple[Period, int] | None:
        """Join two points; what has no year takes it from the other."""
        if first.year is None and second.year:
            ends = second.make(second.year)
            begins = ends and (first.make(second.year))
            if begins and ends and begins.first > ends.last:
                begins = first.make(second.year - 1)
        else:
            begins = first.last_begun(self.today)
            ends = None
            if begins is not None:
                year = second.year if second.year is not None else begins.first.year
                ends = second.make(year)
                if ends and ends.last < begins.first and second.year is None:
                    ends = second.make(year + 1)
        if begins is None or ends is None:
            return None
        if ends.last < begins.first and begins.kind == ends.kind == "day":
            # "from Monday to Wednesday", said on a Tuesday.
            begins = one_day(moved(begins.first, -1, "week"))
        return (Period(begins.first, ends.last), second.end) if begins.first <= ends.last else None

    def alone(self, at: int) -> tuple[Period, int] | None:
        return self._settled(self.point(at, led=False))

    def _settled(self, point: Named | None) -> tuple[Period, int] | None:
        return (period, point.end) if point and (period := point.last_begun(self.today)) else None

    # Points in time

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
        named = [
            self.part(at, depth + 1) if depth < MOST_NESTED else None,
            read_relative(self.text, at, self.today),
            read_form(self.text, at, DATED),
            read_form(self.text, at, SPANS),
            self.recurring(at, led),
            self.month(at, led),
            self.weekday(at, led),
            self.year(at, led),
        ]
        return max((point for point in named if point), key=lambda point: point.end, default=None)

    def part(self, at: int, depth: int) -> Named | None:
        """Read the beginning, middle or end of a time, one of its halves, or a week of a month."""
        if match := _THIRD.match(self.text, at):
            third = THIRDS[match["third"].lower()]
            whole = max(
                filter(None, (self.unit_of(match.end()), self.point(match.end(), led=True, depth=depth))),
                key=lambda named: named.end,
                default=None,
            )
            if whole:
                return Named(partial(_third, whole, third), whole.year, at, whole.end)
        if match := _PART.match(self.text, at):
            whole = self.point(match.end(), led=True, depth=depth)
            count = -1 if match["n"].lower().startswith(("last", "dern")) else number(match["n"], ORDINALS)
            kind = "week" if match["u"].lower() in ("week", "semaine") else "half"
            if whole and count:
                return Named(lambda year: _piece(whole.make(year), count, kind), whole.year, at, whole.end)
        if match := _WEEK_OF.match(self.text, at):
            day = self.point(match.end(), led=True, depth=depth)
            if day:
                return Named(lambda year: _week_around(day.make(year)), day.year, at, day.end)
        return None

    def unit_of(self, at: int) -> Named | None:
        """Read "the year", "du mois": the one that is running.

        A day is none: "at the end of the day" says no time.
        """
        match = _RUNNING.match(self.text, at)
        if not match or unit(match["u"]) == "day":
            return None
        period = around(self.today, unit(match["u"]))
        return Named(lambda _: period, 0, at, match.end())

    def recurring(self, at: int, led: bool) -> Named | None:
        point = read_form(self.text, at, RECURRING)
        if point is None or led or self._led(at):
            return point
        # "may 3 people come" is no day: a month in small letters that is a verb too wants to be shown as one.
        word = _WORD.match(self.text, at)
        return None if word and word[0] in ("may", "march") else point

    def month(self, at: int, led: bool) -> Named | None:
        """Read the name of a month that stands by itself."""
        match = _MONTH.match(self.text, at)
        if not match or _INSECT.match(self.text, at):
            return None
        name, before = match[0].lower(), self.text[max(0, at - 24) : at]
        capital = self.shown[at : at + 2].istitle() if len(name) > 1 else False
        is_month = led or bool(_LED.search(before))
        if name in SOMETIMES_MONTHS:
            joined = _TO_A_MONTH.match(self.text, match.end()) is not None
            is_month = led or joined or self._shown_as_month(name, before, match.end(), capital)
        elif not is_month:
            is_month = not (
                name in FIRST_NAMES and capital and _CAPITALISED_AFTER.match(self.text, match.end())
            )
            is_month = is_month and not (name == "august" and not capital)
        month = month_number(name)
        return Named(lambda year: whole_month(year, month), None, at, match.end()) if is_month else None

    def _shown_as_month(self, name: str, before: str, end: int, capital: bool) -> bool:
        """Tell whether a word that is a month only sometimes is one here."""
        if name in ("mars", "mai"):
            led = _SURELY_FRENCH_LED if capital else _FRENCH_LED
            return led.search(before) is not None
        if _ENGLISH_LED.search(before):
            return True
        return capital and bool(_DETERMINED.search(before)) and not _TITLED.match(self.text, end)

    def weekday(self, at: int, led: bool) -> Named | None:
        """Read a day of the week that stands by itself: the last one that has begun."""
        match = _WEEKDAY.match(self.text, at)
        if not match or _FEAST.match(self.text, match.end("w")) or _FILM.match(self.text, at):
            return None
        before = self.text[max(0, at - 24) : at]
        if not led:
            if _EACH.search(before):
                return None
            english = match["w"].lower().endswith("day")
            if english and not (_LED.search(before) or _STANDS_ALONE.match(self.text, match.end("w"))):
                return None
        wanted = WEEKDAYS[match["w"].lower()]
        day = self.today - timedelta(days=(self.today.weekday() - wanted) % 7)
        return Named(lambda _: one_day(day), 0, at, match.end())

    def year(self, at: int, led: bool) -> Named | None:
        """Read a year that stands by itself, unless it is an amount or the number of something."""
        match = _YEAR.match(self.text, at)
        if not match or _AMOUNT.match(self.text, match.end()):
            return None
        year, before = int(match[0]), self.text[max(0, at - 24) : at]
        if not led and re.search(r"[./\-+$€£#_]$", before):
            return None
        if _ONLY_A_NUMBER.search(before) or _ACRONYM.search(before):
            return None
        usual = 1950 <= year <= self.today.year + 5
        if not (usual or led or _YEAR_LED.search(before)):
            return None
        return Named(whole_year, year, at, match.end())

    def _led(self, at: int) -> bool:
        return _LED.search(self.text[max(0, at - 24) : at]) is not None


def _bounded(period: Period, bound: str, today: date) -> Period:
    """Return the days on that side of a time."""
    if bound == "since":
        return Period(period.first, today if period.first <= today else date.max)
    if bound == "onwards":
        return Period(period.first, date.max)
    if bound == "after":
        return Period(period.last + timedelta(days=1), date.max)
    return Period(date.min, period.last if bound == "until" else period.first - timedelta(days=1))


def _spans_days(point: Named, today: date) -> bool:
    """Return whether a point is itself a range, such as "the 3rd and the 10th of June"."""
    period = point.last_begun(today)
    return period is not None and period.kind == "span"


def _third(whole: Named, third: Third, year: int) -> Period | None:
    period = whole.make(year)
    return period.third(third) if period else None


def _week_around(day: Period | None) -> Period | None:
    return week_of(day.first) if day and day.kind == "day" else None


def _piece(whole: Period | None, count: int, kind: str) -> Period | None:
    """Return the first, second ... or last (-1) seven days of a time, or its first or second half."""
    if whole is None:
        return None
    if kind == "week":
        if count < 0:
            return Period(whole.last - timedelta(days=6), whole.last)
        first = whole.first + timedelta(days=7 * (count - 1))
        return Period(first, min(whole.last, first + timedelta(days=6))) if first <= whole.last else None
    if count not in (1, 2, -1):
        return None
    if whole.kind == "year":
        return months_from(whole.first.year, 1 if count == 1 else 7, 6, "half")
    middle = whole.first + timedelta(days=(15 if whole.kind == "month" else whole.days() // 2))
    return Period(whole.first, middle - timedelta(days=1)) if count == 1 else Period(middle, whole.last)
