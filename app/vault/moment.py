"""Dates written by a form as Obsidian's settings and templates have them, those of moment.js."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

Language = Literal["en", "fr"]

_TOKEN = re.compile(
    r"\[(?P<literal>[^\[\]]*)\]|\\(?P<sign>.)|(?P<token>"
    r"Mo|M{1,4}|DDDo|Do|D{1,4}|do|d{1,4}|[wW][oW]|[wW]{1,2}|Qo|Q|YYYY|YY|Y|gggg|gg|GGGG|GG|e|E|a|A"
    r"|hh?|HH?|kk?|mm?|ss?|S{1,9}|x|X|ZZ?|LTS|LT|L{1,4}|l{1,4})",
    re.DOTALL,
)
_LONG = re.compile(r"\[[^\[\]]*\]|LTS|LT|L{1,4}|l{1,4}")
_SHORTER = re.compile("MMMM|MM|DD|dddd")


@dataclass(frozen=True, slots=True)
class _Words:
    """What a language writes of a date in words, and how it counts weeks.

    ``first_day`` is the day a week begins with, 0 for Sunday; ``last_of_first`` the day of January that lies
    in the first week whatever the year.
    """

    months: tuple[str, ...]
    short_months: tuple[str, ...]
    days: tuple[str, ...]
    short_days: tuple[str, ...]
    least_days: tuple[str, ...]
    long: Mapping[str, str]
    ordinal: Callable[[int, str], str]
    halves: tuple[str, str]
    first_day: int
    last_of_first: int


def _english_ordinal(number: int, _: str) -> str:
    teens = number // 10 % 10 == 1
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _french_ordinal(number: int, token: str) -> str:
    if token == "D":
        return f"{number}er" if number == 1 else str(number)
    first = "re" if token in ("w", "W") else "er"
    return f"{number}{first if number == 1 else 'e'}"


_WORDS: dict[Language, _Words] = {
    "en": _Words(
        months=(
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ),
        short_months=("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
        days=("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"),
        short_days=("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"),
        least_days=("Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"),
        long={
            "LT": "h:mm A", "LTS": "h:mm:ss A", "L": "MM/DD/YYYY", "LL": "MMMM D, YYYY",
            "LLL": "MMMM D, YYYY h:mm A", "LLLL": "dddd, MMMM D, YYYY h:mm A",
        },
        ordinal=_english_ordinal,
        halves=("AM", "PM"),
        first_day=0,
        last_of_first=1,
    ),
    "fr": _Words(
        months=(
            "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
            "novembre", "décembre",
        ),
        short_months=(
            "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.",
        ),
        days=("dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"),
        short_days=("dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."),
        least_days=("di", "lu", "ma", "me", "je", "ve", "sa"),
        long={
            "LT": "HH:mm", "LTS": "HH:mm:ss", "L": "DD/MM/YYYY", "LL": "D MMMM YYYY",
            "LLL": "D MMMM YYYY HH:mm", "LLLL": "dddd D MMMM YYYY HH:mm",
        },
        ordinal=_french_ordinal,
        halves=("AM", "PM"),
        first_day=1,
        last_of_first=4,
    ),
}  # fmt: skip


def written(form: str, moment: datetime, language: Language = "en") -> str:
    """Return a moment by a form such as ``YYYY-MM-DD`` or ``dddd D MMMM``; what is no part of a date stays.

    Args:
        form: Its parts as in moment.js; what stands in ``[…]`` is written as it is.
        moment: The moment, in local time.
        language: The language of the names of months and days, and of the counting of weeks.
    """
    words = _WORDS[language]
    form = _LONG.sub(lambda found: _long(found[0], words), form)

    def one(found: re.Match[str]) -> str:
        if found["token"]:
            return _part(found["token"], moment, words)
        return found["literal"] if found["literal"] is not None else found["sign"]

    return _TOKEN.sub(one, form)


def _long(token: str, words: _Words) -> str:
    """Return what a localized form stands for; its small letters cut the names of months and days short."""
    if token.startswith("["):
        return token
    form = words.long[token.upper()]
    return form if token.isupper() else _SHORTER.sub(lambda found: found[0][1:], form)


def _part(token: str, moment: datetime, words: _Words) -> str:
    if token.endswith("o"):
        return words.ordinal(_number(token[:-1], moment, words), token[0] if token != "DDDo" else "DDD")
    names = {
        "MMM": words.short_months, "MMMM": words.months,
        "dd": words.least_days, "ddd": words.short_days, "dddd": words.days,
    }.get(token)  # fmt: skip
    if names is not None:
        return names[moment.month - 1 if token[0] == "M" else moment.isoweekday() % 7]
    match token:
        case "A":
            return words.halves[moment.hour >= 12]
        case "a":
            return words.halves[moment.hour >= 12].lower()
        case "Z" | "ZZ":
            offset = moment.astimezone().strftime("%z")
            return offset if token == "ZZ" else f"{offset[:3]}:{offset[3:5]}"
        case "X":
            return str(int(moment.timestamp()))
        case "x":
            return str(int(moment.timestamp() * 1000))
    if token[0] == "S":
        return f"{moment.microsecond:06d}000"[: len(token)]
    number = _number(token, moment, words)
    if token in ("YY", "gg", "GG"):
        return f"{number % 100:02d}"
    return f"{number:0{_WIDTHS.get(token, 1)}d}"


_WIDTHS = {
    "YYYY": 4, "gggg": 4, "GGGG": 4, "MM": 2, "DD": 2, "DDDD": 3, "ww": 2, "WW": 2,
    "HH": 2, "hh": 2, "kk": 2, "mm": 2, "ss": 2,
}  # fmt: skip


def _number(token: str, moment: datetime, words: _Words) -> int:
    day = moment.date()
    match token:
        case "Y" | "YY" | "YYYY":
            return moment.year
        case "Q":
            return (moment.month + 2) // 3
        case "M" | "MM":
            return moment.month
        case "D" | "DD":
            return moment.day
        case "DDD" | "DDDD":
            return day.timetuple().tm_yday
        case "d":
            return moment.isoweekday() % 7
        case "e":
            return (moment.isoweekday() - words.first_day) % 7
        case "E":
            return moment.isoweekday()
        case "w" | "ww" | "gg" | "gggg":
            return _week(day, words.first_day, words.last_of_first)[token[0] == "w"]
        case "W" | "WW" | "GG" | "GGGG":
            return _week(day, 1, 4)[token[0] == "W"]
        case "H" | "HH":
            return moment.hour
        case "h" | "hh":
            return (moment.hour - 1) % 12 + 1
        case "k" | "kk":
            return moment.hour or 24
        case "m" | "mm":
            return moment.minute
    return moment.second


def _week(day: date, first_day: int, last_of_first: int) -> tuple[int, int]:
    """Return the year that a week is counted to, and its number in it."""
    begins = day - timedelta(days=(day.isoweekday() - first_day) % 7)
    # The week belongs to the year of whichever day of it must lie in a first week.
    counted = begins + timedelta(days=7 - last_of_first)
    return counted.year, (counted.timetuple().tm_yday - 1) // 7 + 1
