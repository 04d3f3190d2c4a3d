"""The day of a daily note, by the vault's own setting of how they are named."""

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date
from pathlib import Path

from app.vault.dates import daily_day
from app.vault.obsidian import daily_notes

_MONTHS = (
    ("jan", "janv"),
    ("feb", "févr"),
    ("mar", "mars"),
    ("apr", "avr"),
    ("may", "mai"),
    ("jun", "juin"),
    ("jul", "juil"),
    ("aug", "août"),
    ("sep", "sept"),
    ("oct",),
    ("nov",),
    ("dec", "déc"),
)
"""What the names of the months begin with, in English and French."""
_PARTS = {
    "YYYY": r"(?P<year>\d{4})",
    "YY": r"(?P<short>\d{2})",
    "MMMM": r"(?P<name>[^\W\d_]{3,12})\.?",
    "MMM": r"(?P<name>[^\W\d_]{3,12})\.?",
    "MM": r"(?P<month>\d{2})",
    "M": r"(?P<month>\d{1,2})",
    "DD": r"(?P<day>\d{2})",
    "Do": r"(?P<day>\d{1,2})(?:st|nd|rd|th|er)?",
    "D": r"(?P<day>\d{1,2})",
    **dict.fromkeys(("dddd", "ddd", "dd"), r"[^\W\d_]{2,12}\.?"),
    **dict.fromkeys(("ww", "w", "WW", "W", "DDDD", "DDD", "d", "E", "e"), r"\d{1,3}"),
    **dict.fromkeys(("gggg", "GGGG", "gg", "GG"), r"\d{2,4}"),
    **dict.fromkeys(("Qo", "Q"), r"\d[^\W\d_]{0,2}"),
}
"""What each part of a form of dates, as in moment.js, reads; the time of a day is no part of these names."""
_TOKEN = re.compile(r"\[([^\]]*)\]|(" + "|".join(sorted(_PARTS, key=len, reverse=True)) + r")|(.)", re.DOTALL)
_CENTURY = 2000


def daily_reader(root: Path) -> Callable[[str], date | None]:
    """Return what tells the day of a daily note from its path, and None of any other note.

    Where the vault sets nothing, or a form that names no whole day, a note is one whose file name is a day.
    """
    told = daily_notes(root)
    pattern = _pattern(told.form) if told is not None else None
    if told is None or pattern is None:
        return daily_day
    inside = f"{told.folder}/" if told.folder else ""

    def day_of(path: str) -> date | None:
        found = pattern.fullmatch(path[len(inside) : -3]) if path.startswith(inside) else None
        return _day(found) if found is not None else None

    return day_of


def _pattern(form: str) -> re.Pattern[str] | None:
    """Return what reads a day in a form; None for one that says no year, month or day."""
    parts, seen = list[str](), set[str]()
    for literal, token, sign in _TOKEN.findall(form):
        if not token:
            parts.append(re.escape(literal or sign))
            continue
        name = re.search(r"\?P<(\w+)>", _PARTS[token])
        # What a form says twice, as "YYYY/YYYY-MM-DD" does, is read once.
        again = name is not None and name[1] in seen
        parts.append(_PARTS[token].replace(f"?P<{name[1]}>", "?:") if name and again else _PARTS[token])
        seen |= {name[1]} if name else set()
    whole = "day" in seen and seen & {"year", "short"} and seen & {"month", "name"}
    return re.compile("".join(parts)) if whole else None


def _day(found: re.Match[str]) -> date | None:
    said = {name: text for name, text in found.groupdict().items() if text is not None}
    year = int(said["year"]) if "year" in said else _CENTURY + int(said["short"])
    month = int(said["month"]) if "month" in said else _month(said["name"])
    if not (1 <= month <= len(_MONTHS) and year >= 1):
        return None
    day = int(said["day"])
    return date(year, month, day) if 1 <= day <= monthrange(year, month)[1] else None


def _month(name: str) -> int:
    """Return the number of a month by its name, in full or cut short; 0 for a word that is none."""
    folded = name.casefold()
    return next((at for at, names in enumerate(_MONTHS, 1) if folded.startswith(names)), 0)
