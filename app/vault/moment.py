"""Dates written and read by a form as Obsidian's settings and templates have them, those of moment.js."""

import re
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import cache, lru_cache

from app.sentences import Language, in_french
from app.vault.dates import plain

_TOKEN = re.compile(
    r"\[(?P<literal>[^\[\]]*)\]|\\(?P<sign>.)"
    r"|(?P<token>YYYY|YY|M{1,4}|Do|D{1,4}|d{1,4}|ww?|WW?|gggg|GGGG|Q|E|a|A|hh?|HH?|mm?|ss?|ZZ?|X)",
    re.DOTALL,
)
_STRFTIME = {
    "YYYY": "%Y", "YY": "%y", "GGGG": "%G", "M": "%m", "MM": "%m", "D": "%d", "DD": "%d", "DDD": "%j",
    "DDDD": "%j", "W": "%V", "WW": "%V", "E": "%u", "d": "%w", "H": "%H", "HH": "%H", "h": "%I", "hh": "%I",
    "m": "%M", "mm": "%M", "s": "%S", "ss": "%S", "ZZ": "%z",
}  # fmt: skip
_UNPADDED = ("M", "D", "DDD", "W", "H", "h", "m", "s", "w")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_READ = {
    **dict.fromkeys(("MMM", "MMMM"), r"[^\W\d_]{3,12}\.?"),
    **dict.fromkeys(("dd", "ddd", "dddd"), r"[^\W\d_]{2,12}(?:-[^\W\d_]{2,12})?\.?"),
    **dict.fromkeys(("a", "A"), "[ap]m"),
    "Do": r"\d{1,2}[^\W\d_]{0,2}", "DDD": r"\d{1,3}", "DDDD": r"\d{3}",
}  # fmt: skip
"""What tokens read, others as many digits as they have letters; a weekday in any language."""
MOST_TOKENS = 16
"""A form of more is not read: the comparison of a name with it might take very long."""


def written(form: str, moment: datetime, language: Language = "en") -> str:
    """Return a moment by a form such as ``YYYY-MM-DD`` or ``dddd D MMMM``; what is no part of a date stays.

    Args:
        form: Its parts as in moment.js; what stands in ``[…]`` is written as it is.
        moment: The moment, in local time.
        language: The language of the names of months and days, and of the counting of weeks.
    """

    def one(found: re.Match[str]) -> str:
        if found["token"]:
            return _part(found["token"], moment, language)
        return found["literal"] if found["literal"] is not None else found["sign"]

    return _TOKEN.sub(one, form)


def _part(token: str, moment: datetime, language: Language) -> str:
    match token:
        case "MMM" | "MMMM":
            return _named(_MONTHS[moment.month - 1], token, language)
        case "dd" | "ddd" | "dddd":
            return _named(DAYS[moment.weekday()], token, language)
        case "Do":
            return f"{moment.day}{_ordinal(moment.day, language)}"
        case "Q":
            return str((moment.month + 2) // 3)
        case "A" | "a":
            half = "PM" if moment.hour >= 12 else "AM"
            return half if token == "A" else half.lower()
        case "Z":
            offset = _part("ZZ", moment, language)
            return f"{offset[:3]}:{offset[3:]}"
        case "X":
            return str(int(moment.timestamp()))
        case "w" | "ww" | "gggg" if language == "en":
            # In English the first week is that of the first of January, and begins on a Sunday.
            saturday = moment + timedelta(days=(5 - moment.weekday()) % 7)
            week = (saturday.timetuple().tm_yday + 6) // 7
            text = str(saturday.year) if token == "gggg" else f"{week:02d}"
        case _:
            text = moment.astimezone().strftime(_STRFTIME.get(token) or _STRFTIME[token.upper()])
    return text.lstrip("0") or "0" if token in _UNPADDED else text


def _named(name: str, token: str, language: Language) -> str:
    if len(token) == 3:
        name = name[:3]
    name = in_french(name) if language == "fr" else name
    return name[:2] if len(token) == 2 else name


def _ordinal(number: int, language: Language) -> str:
    if language == "fr":
        return "er" if number == 1 else ""
    return "th" if number // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def day_read(form: str, text: str, *, begins: bool = False) -> date | None:
    """Return the day that a text says in a form of `written`, in any of its languages; None if it says none.

    Case, accents and the full stops of short names make no difference. Where the text only ``begins`` so,
    what follows is no letter or digit.
    """
    pattern = _pattern(form, r"(?![^\W_]).*" if begins else "")
    found = pattern.fullmatch(plain(text)) if pattern else None
    said = found.groupdict() if found else {}

    def number(*tokens: str) -> int:
        return next((int(re.sub(r"\D", "", said[token])) for token in tokens if token in said), 0)

    year, month, day = number("YYYY"), number("MM", "M"), number("DD", "D", "Do")
    if not year and "YY" in said:
        year = number("YY") + (1900 if number("YY") > 68 else 2000)
    name = said.get("MMMM", said.get("MMM", "")).rstrip(".")
    if name:
        month = month or next((at for at, names in _month_names() if names.startswith(name)), 0)
    with suppress(ValueError):
        return date(year, month, day)
    return None


@cache
def _month_names() -> tuple[tuple[int, str], ...]:
    """Return the months by number, each in both languages, as `plain` writes them."""
    return tuple(
        (number, plain(each)) for number, name in enumerate(_MONTHS, 1) for each in (name, in_french(name))
    )


@lru_cache(64)
def _pattern(form: str, rest: str) -> re.Pattern[str] | None:
    parts, seen = list[str](), set[str]()
    for literal, sign, token, other in re.findall(rf"{_TOKEN.pattern}|(.)", form, re.DOTALL):
        expression = _READ.get(token) or rf"\d{{{len(token) if len(token) > 1 else '1,2'}}}"
        # What a form says twice, as "YYYY/YYYY-MM-DD" does, is the same twice.
        group = f"(?P={token})" if token in seen else f"(?P<{token}>{expression})"
        parts.append(group if token else re.escape(plain(literal or sign or other)))
        seen |= {token} if token else set()
    return re.compile("".join(parts) + rest, re.DOTALL) if 0 < len(seen) <= MOST_TOKENS else None
