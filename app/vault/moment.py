"""Dates written and read by a form as Obsidian's settings and templates have them, those of moment.js."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Literal

from app.vault.dates import plain

Language = Literal["en", "fr"]

_TOKEN = re.compile(
    r"\[(?P<literal>[^\[\]]*)\]|\\(?P<sign>.)|(?P<token>"
    r"Mo|M{1,4}|DDDo|Do|D{1,4}|do|d{1,4}|[wW][oW]|[wW]{1,2}|Qo|Q|YYYY|YY|Y|gggg|gg|GGGG|GG|e|E|a|A"
    r"|hh?|HH?|kk?|mm?|ss?|S{1,9}|x|X|ZZ?|LTS|LT|L{1,4}|l{1,4})",
    re.DOTALL,
)
_LONG = re.compile(r"\[[^\[\]]*\]|LTS|LT|L{1,4}|l{1,4}")
_SHORTER = re.compile("MMMM|MM|DD|dddd")
MOST_TOKENS = 16
"""A form of more is not read: the comparison of a name with it might take very long."""


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
        first_day=1,
        last_of_first=4,
    ),
}  # fmt: skip
_MONTHS = {
    plain(name).rstrip("."): number
    for words in _WORDS.values()
    for names in (words.months, words.short_months)
    for number, name in enumerate(names, 1)
}
_READ = {
    **dict.fromkeys(("MMM", "MMMM"), rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"),
    **dict.fromkeys(("dd", "ddd", "dddd"), r"[^\W\d_]{2,12}(?:-[^\W\d_]{2,12})?\.?"),
    **dict.fromkeys(("a", "A"), "[ap]m"),
}
"""What the tokens read that are no numbers; a weekday in any language, since others tell the day."""


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
        case "A" | "a":
            half = "PM" if moment.hour >= 12 else "AM"
            return half if token == "A" else half.lower()
        case "Z" | "ZZ":
            offset = moment.astimezone().strftime("%z")
            return offset if token == "ZZ" else f"{offset[:3]}:{offset[3:5]}"
        case "X" | "x":
            return str(int(moment.timestamp() * (1 if token == "X" else 1000)))
    if token[0] == "S":
        return f"{moment.microsecond:06d}000"[: len(token)]
    number = _number(token, moment, words)
    return f"{number % 100 if token in _SHORT_YEARS else number:0{_WIDTHS.get(token, 1)}d}"


_SHORT_YEARS = ("YY", "gg", "GG")
_WIDTHS = {
    "Y": 4, "YYYY": 4, "gggg": 4, "GGGG": 4, "MM": 2, "DD": 2, "DDDD": 3, "ww": 2, "WW": 2,
    "HH": 2, "hh": 2, "kk": 2, "mm": 2, "ss": 2, **dict.fromkeys(_SHORT_YEARS, 2),
}  # fmt: skip
_STRFTIME = {
    "Y": "%Y", "YY": "%Y", "YYYY": "%Y", "M": "%m", "MM": "%m", "D": "%d", "DD": "%d",
    "DDD": "%j", "DDDD": "%j", "GG": "%G", "GGGG": "%G", "W": "%V", "WW": "%V", "d": "%w", "E": "%u",
    "H": "%H", "HH": "%H", "h": "%I", "hh": "%I", "m": "%M", "mm": "%M", "s": "%S", "ss": "%S",
}  # fmt: skip


def _number(token: str, moment: datetime, words: _Words) -> int:
    if token in _STRFTIME:
        return int(moment.strftime(_STRFTIME[token]))
    match token:
        case "Q":
            return (moment.month + 2) // 3
        case "e":
            return (moment.isoweekday() - words.first_day) % 7
        case "k" | "kk":
            return moment.hour or 24
    # A week belongs to the year of whichever day of it must lie in a first week.
    begins = moment - timedelta(days=(moment.isoweekday() - words.first_day) % 7)
    counted = begins + timedelta(days=7 - words.last_of_first)
    return (counted.timetuple().tm_yday - 1) // 7 + 1 if token[0] == "w" else counted.year


def day_read(form: str, text: str, *, begins: bool = False) -> date | None:
    """Return the day that a text says in a form of `written`, in any of its languages; None if it says none.

    Case, accents and the full stops of short names make no difference. Where the text only ``begins`` so,
    what follows is no letter or digit.
    """
    wanted = plain(text)
    for language in _WORDS:
        pattern = _pattern(form, language, r"(?![^\W_]).*" if begins else "")
        found = pattern.fullmatch(wanted) if pattern else None
        days = _days(found.groupdict()) if found else []
        if len(days) > 1:
            moments = [datetime.combine(day, time()) for day in days]
            days = [one.date() for one in moments if plain(written(form, one, language)) == wanted]
        if len(days) == 1:
            return days[0]
    return None


@lru_cache(64)
def _pattern(form: str, language: Language, rest: str) -> re.Pattern[str] | None:
    parts, seen = list[str](), set[str]()
    form = _LONG.sub(lambda found: _long(found[0], _WORDS[language]), form)
    for literal, sign, token, other in re.findall(rf"{_TOKEN.pattern}|(.)", form, re.DOTALL):
        expression = _READ.get(token) or rf"\d{{{_WIDTHS.get(token, '1,3')}}}"
        if token.endswith("o"):
            expression += r"[^\W\d_]{0,2}"
        # What a form says twice, as "YYYY/YYYY-MM-DD" does, is the same twice.
        group = f"(?P={token})" if token in seen else f"(?P<{token}>{expression})"
        parts.append(group if token else re.escape(plain(literal or sign or other)))
        seen |= {token} if token else set()
    return re.compile("".join(parts) + rest, re.DOTALL) if 0 < len(seen) <= MOST_TOKENS else None


def _days(said: Mapping[str, str]) -> list[date]:
    """Return the days that the tokens of a form can mean together: one, those around a week, or none."""

    def number(*tokens: str) -> int:
        token = next((token for token in tokens if token in said), "")
        found = int(re.sub(r"\D", "", said[token])) if token else 0
        return found + (1900 if found > 68 else 2000) if token in _SHORT_YEARS else found

    year, month, day = number("YYYY", "Y", "YY"), number("MM", "M", "Mo"), number("DD", "D", "Do")
    month = month or _MONTHS.get(said.get("MMMM", said.get("MMM", "")).rstrip("."), 0)
    week_year, week = number("GGGG", "gggg", "GG", "gg"), number("WW", "ww", "W", "w", "Wo", "wo")
    # What is none of these days raises.
    with suppress(ValueError, OverflowError):
        if year and month and day:
            return [date(year, month, day)]
        if year and (day := number("DDDD", "DDD", "DDDo")):
            found = date(year, 1, 1) + timedelta(days=day - 1)
            return [found] if found.year == year else []
        if week_year and week:
            near = date(week_year, 1, 1) + timedelta(weeks=week - 1)
            return [near + timedelta(days=days) for days in range(-10, 11)]
    return []
