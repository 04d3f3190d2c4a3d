"""Read the times that count from today: "last week", "il y a trois jours", "next Friday"."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from app.search.query.calendar_words import (
    FEW,
    MONTH,
    NUMBER,
    NUMBERS,
    OF,
    SEASON,
    SEASONS,
    THIRDS,
    UNIT_EN,
    UNIT_FR,
    WEEKDAY,
    WEEKDAYS,
    month_number,
    number,
    unit,
)
from app.search.query.period import (
    Kind,
    Period,
    around,
    months_from,
    moved,
    one_day,
    week_of,
    whole_month,
)
from app.search.query.written_date import Named, compiled

FEWEST, MOST = 2, 6
"""How many "a few" are."""
PART_OF_DAY = r"(?:\s+(?:morning|afternoon|evening|night|matin|midi|soir|après-midi|apres-midi|nuit))?"

Read = Callable[[date, re.Match[str]], Period | None]

_WAYS = {
    "last": -1, "previous": -1, "past": -1, "this": 0, "next": 1, "coming": 1,
    "ce": 0, "cet": 0, "cette": 0, "dern": -1, "pass": -1, "préc": -1, "proc": 1,
}  # fmt: skip
_DAYS = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "yesterday": -1,
    "last night": -1, "the day before yesterday": -2, "day before yesterday": -2, "tomorrow": 1,
    "the day after tomorrow": 2, "day after tomorrow": 2,
    "aujourd'hui": 0, "ce matin": 0, "cet après-midi": 0, "ce soir": 0, "cette nuit": 0, "hier": -1,
    "avant-hier": -2, "demain": 1, "après-demain": 2,
}  # fmt: skip


def read_relative(text: str, at: int, today: date) -> Named | None:
    """Return the longest time that counts from today and begins at a place."""
    best: tuple[Period, int] | None = None
    for pattern, read in _RELATIVE:
        match = pattern.match(text, at)
        if match and (best is None or match.end() > best[1]) and (period := read(today, match)):
            best = period, match.end()
    if best is None:
        return None
    period, end = best
    return Named(lambda _: period, 0, at, end)


def rolling(today: date, count: str, kind: Kind) -> Period:
    """Return the days from so many units ago to today."""
    return Period(moved(today, -(_counted(count) or MOST), kind), today)


def _counted(word: str) -> int:
    return number(word, NUMBERS) or FEW


def _way(word: str) -> int:
    word = word.lower()
    return _WAYS[word] if word in _WAYS else _WAYS[word[:4]]


def _named_day(today: date, match: re.Match[str]) -> Period:
    return one_day(today + timedelta(days=_DAYS[" ".join(match["day"].lower().split())]))


def _ago(today: date, match: re.Match[str]) -> Period:
    return _at_distance(today, match["n"], unit(match["u"]), -1)


def _ago_from_day(today: date, match: re.Match[str]) -> Period | None:
    """Read "a week ago today": that day, where "a week ago" is the whole week."""
    count = _counted(match["n"])
    from_day = today + timedelta(days=_DAYS[match["day"].lower()])
    return one_day(moved(from_day, -count, unit(match["u"]))) if count else None


def _ahead(today: date, match: re.Match[str]) -> Period:
    return _at_distance(today, match["n"], unit(match["u"]), 1)


def _at_distance(today: date, word: str, kind: Kind, way: int) -> Period:
    """Return the day, week, month or year so many units away."""
    count = _counted(word)
    if count:
        return around(moved(today, way * count, kind), kind)
    far, near = (around(moved(today, way * some, kind), kind) for some in (MOST, FEWEST))
    return Period(min(far.first, near.first), max(far.last, near.last))


def _last_several(today: date, match: re.Match[str]) -> Period:
    return rolling(today, match["n"] or "few", unit(match["u"]))


def _next_several(today: date, match: re.Match[str]) -> Period:
    return Period(today, moved(today, _counted(match["n"] or "few") or MOST, unit(match["u"])))


def _last_one(today: date, match: re.Match[str]) -> Period:
    """Read "the past month": up to today, where "last month" is the one before this."""
    return rolling(today, "one", unit(match["u"]))


def _last_hours(today: date, match: re.Match[str]) -> Period:
    return rolling(today, str(-(-int(match["n"]) // 24)), "day")


def _before_last(today: date, match: re.Match[str]) -> Period:
    return _beside(today, unit(match["u"]), -2)


def _unit_beside(today: date, match: re.Match[str]) -> Period:
    return _beside(today, unit(match["u"]), _way(match["way"]))


def _beside(today: date, kind: Kind, way: int) -> Period:
    """Return the running unit, or the one so many before or after it."""
    running = around(today, kind)
    return around(moved(running.first, way, kind), kind) if way else running


def _running_third(today: date, match: re.Match[str]) -> Period:
    return _beside(today, unit(match["u"]), 0).third(THIRDS[match["third"].lower()])


def _weekday_beside(today: date, match: re.Match[str]) -> Period:
    """Return the last such day before today, the first after it, or the one of this week."""
    wanted, way = WEEKDAYS[match["w"].lower()], _way(match["way"])
    if way == 0:
        return one_day(week_of(today).first + timedelta(days=wanted))
    gap = ((wanted - today.weekday()) * way - 1) % 7 + 1
    return one_day(today + timedelta(days=way * gap))


def _weekday_of_week(today: date, match: re.Match[str]) -> Period:
    week = _beside(today, "week", _way(match["way"]))
    return one_day(week.first + timedelta(days=WEEKDAYS[match["w"].lower()]))


def _month_beside(today: date, match: re.Match[str]) -> Period | None:
    month = month_number(match["mon"])
    return _recurring_beside(today, lambda year: whole_month(year, month), _way(match["way"]))


def _season_beside(today: date, match: re.Match[str]) -> Period | None:
    start = SEASONS[match["s"].lower()]
    return _recurring_beside(today, lambda year: months_from(year, start, 3, "season"), _way(match["way"]))


def _season_past(today: date, match: re.Match[str]) -> Period | None:
    """Return the last season of a name that has begun."""
    start = SEASONS[match["s"].lower()]
    return Named(lambda year: months_from(year, start, 3, "season"), None, 0, 0).last_begun(today)


def _recurring_beside(today: date, make: Callable[[int], Period | None], way: int) -> Period | None:
    """Return the last that has ended (-1), the running one or this year's (0), or the first to begin (1)."""
    made = [period for year in range(today.year - 2, today.year + 3) if (period := make(year))]
    if way < 0:
        return next((period for period in reversed(made) if period.last < today), None)
    if way > 0:
        return next((period for period in made if period.first > today), None)
    running = next((period for period in made if period.first <= today <= period.last), None)
    return running or make(today.year)


_FR_UNITS = r"(?:jours?|semaines?|week-?ends?|mois|trimestres?|semestres?|ans?|années?|annees?)"
_EN_UNITS = rf"(?:{UNIT_EN}s?)"
_PAST_FR = "(?:derni[eè]re?s?|pass[eé]e?s?|précédente?s?)"
_WAY_FR = rf"(?P<way>{_PAST_FR}|prochaine?s?)"
_THIS_FR = r"(?P<way>ce|cet|cette)\s+"
_HERE = r"(?:-ci)?(?!-l[aà])"
_WAY_EN = r"(?P<way>last|previous|this|next|this\s+coming)"

_RELATIVE: tuple[tuple[re.Pattern[str], Read], ...] = tuple(
    (compiled(pattern), read)
    for pattern, read in (
        (rf"(?P<day>{'|'.join(sorted(_DAYS, key=len, reverse=True))}){PART_OF_DAY}".replace(" ", r"\s+"), _named_day),  # noqa: E501
        (rf"(?P<n>{NUMBER})\s+(?P<u>{_EN_UNITS})\s+ago", _ago),
        (rf"(?P<n>{NUMBER})\s+(?P<u>{UNIT_EN}s?)\s+ago\s+(?P<day>today|yesterday)", _ago_from_day),
        (rf"(?:il\s+y\s+a|voici|voilà)\s+(?:environ\s+)?(?P<n>{NUMBER})\s+(?P<u>{_FR_UNITS})", _ago),
        (rf"(?P<n>{NUMBER})\s+(?P<u>{_EN_UNITS})\s+from\s+now", _ahead),
        (rf"dans\s+(?P<n>{NUMBER})\s+(?P<u>{_FR_UNITS})", _ahead),
        (rf"(?:last|past|previous)\s+(?P<n>{NUMBER})\s+(?P<u>{_EN_UNITS})", _last_several),
        (rf"(?:les|ces|des|aux)\s+(?:(?P<n>{NUMBER})\s+)?derni[eè]re?s\s+(?P<u>{_FR_UNITS})", _last_several),
        (rf"(?P<n>{NUMBER})\s+derni[eè]re?s\s+(?P<u>{_FR_UNITS})", _last_several),
        (rf"next\s+(?P<n>{NUMBER})\s+(?P<u>{_EN_UNITS})", _next_several),
        (rf"(?:les|ces|des|aux)\s+(?:(?P<n>{NUMBER})\s+)?prochaine?s\s+(?P<u>{_FR_UNITS})", _next_several),
        (r"(?:last|past)\s+(?P<n>[0-9]{1,3})\s+hours", _last_hours),
        (r"(?P<n>[0-9]{1,3})\s+dernières\s+heures", _last_hours),
        (rf"past\s+(?P<u>{UNIT_EN})", _last_one),
        (rf"(?P<u>{UNIT_EN})\s+before\s+last", _before_last),
        (rf"{_WAY_EN}\s+(?P<u>{UNIT_EN}(?<!day))", _unit_beside),
        (rf"(?P<u>{UNIT_FR}(?<!jour))\s+{_WAY_FR}", _unit_beside),
        (rf"{_THIS_FR}(?P<u>{UNIT_FR}(?<!jour)){_HERE}", _unit_beside),
        (r"en\s+(?P<third>début|debut|milieu|fin)\s+(?:d'|de\s+)(?P<u>année|mois|semaine|trimestre)", _running_third),  # noqa: E501
        (rf"{_WAY_EN}\s+(?P<w>{WEEKDAY}){PART_OF_DAY}", _weekday_beside),
        (rf"(?P<w>{WEEKDAY})\s+{_WAY_FR}", _weekday_beside),
        (rf"{_THIS_FR}(?P<w>{WEEKDAY}){PART_OF_DAY}{_HERE}", _weekday_beside),
        (rf"(?P<w>{WEEKDAY})\s+(?:of\s+|in\s+)?{_WAY_EN}\s+week", _weekday_of_week),
        (rf"(?P<w>{WEEKDAY})\s+de\s+la\s+semaine\s+{_WAY_FR}", _weekday_of_week),
        (rf"(?P<w>{WEEKDAY})\s+de\s+{_THIS_FR}semaine", _weekday_of_week),
        (rf"{_WAY_EN}\s+(?P<mon>{MONTH})", _month_beside),
        (rf"(?P<mon>{MONTH})\s+{_WAY_FR}", _month_beside),
        (rf"{_WAY_EN}\s+(?P<s>{SEASON})", _season_beside),
        (rf"(?P<s>{SEASON})\s+{_WAY_FR}", _season_beside),
        (rf"{_THIS_FR}(?P<s>{SEASON}){_HERE}", _season_beside),
        (rf"(?:over|during|throughout)\s+the\s+(?P<s>{SEASON})(?!{OF}[0-9])", _season_past),
        (rf"(?:pendant|durant)\s+(?:l'|le\s+)(?P<s>{SEASON})(?!{OF}[0-9])", _season_past),
    )
)  # fmt: skip
