"""What day a note, a file name, a heading or a search bound stands for."""

import calendar
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Literal, NamedTuple

from app.errors import BadRequestError
from app.sentences import Sentence
from app.vault.paths import normalized

DateSource = Literal["property", "name", "file"]

# As `_name` writes them. The English ones count first where a note has both.
_FRENCH = ("cree", "creee", "cree le", "creee le", "date de creation")
CREATED_KEYS = ("created", "date", *_FRENCH)
MODIFIED_KEYS = (
    "updated", "modified", "mis a jour", "mise a jour", "mis a jour le", "mise a jour le",
    "modifie", "modifiee", "modifie le", "modifiee le", "date de modification",
)  # fmt: skip
DAY_KEYS = (*MODIFIED_KEYS, "date", "created", *_FRENCH)

ACCEPTED_FORMS = (
    "2025-07-14, 2025-07-14T09:30, 2025-07, 2025, today, yesterday, or 'N days|weeks|months|years ago' "
    "(in French aujourd'hui, hier, 'il y a N jours|semaines|mois|ans')"
)

LOOKALIKES = str.maketrans({"ſ": "s", "ı": "i", "İ": "I", "μ": "µ"})
"""Letters that a pattern without regard to case takes for others, and that no table of words has."""

_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_MONTH = re.compile(r"([0-9]{4})-([0-9]{2})")
_YEAR = re.compile(r"[0-9]{4}")
_AGO = re.compile(
    r"(?:(?P<n>[0-9]+)\s+(?P<unit>day|week|month|year)s?\s+ago"
    r"|il\s+y\s+a\s+(?P<nombre>[0-9]+)\s+(?P<unité>jour|semaine|moi|an|année)s?)",
    re.IGNORECASE,
)
_UNITS = {"jour": "day", "semaine": "week", "moi": "month", "an": "year", "année": "year"}
_NAMED = {"today": 0, "aujourd'hui": 0, "yesterday": 1, "hier": 1}


class NoteDates(NamedTuple):
    """The dates of one note, as naive local date-times, each with where it comes from.

    ``day`` is the day of the note's text where no dated heading stands above it; None when unknown.
    """

    created: datetime
    created_source: DateSource
    modified: datetime
    modified_source: DateSource
    day: date | None


def local_today() -> date:
    """Return the day that relative times count from."""
    return date.today()


def parse_day(value: object) -> date | None:
    """Read a property value as a day.

    Only ``YYYY-MM-DD`` counts, alone or before a ``T`` or a blank; the day is the one written, whatever
    the zone. An impossible day is none.
    """
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if not isinstance(value, str):
        return None
    text = value.strip()
    return _iso_day(text[:10]) if text[10:11] in ("", "T", " ") else None


def dated_heading(text: str) -> date | None:
    """Read the day that a heading's text, or a name, begins with."""
    text = text.strip()
    return None if text[10:11].isdigit() else _iso_day(text[:10])


def property_day(properties: Mapping[str, Any], keys: Sequence[str]) -> date | None:
    """Find the first of the properties ``keys`` that holds a real day; see `_name` for how names compare."""
    return _first_day(_by_name(properties), keys)


def _by_name(properties: Mapping[str, Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for key, value in properties.items():
        named.setdefault(_name(key), value)
    return named


def _first_day(named: Mapping[str, Any], keys: Sequence[str]) -> date | None:
    found = (parse_day(named[key]) for key in keys if key in named)
    return next((day for day in found if day is not None), None)


def note_dates(
    properties: Mapping[str, Any], named: date | None, *, mtime: float, birth: float | None = None
) -> NoteDates:
    """Decide when a note was created and modified, and what day its text belongs to.

    Args:
        properties: The note's properties.
        named: The day that its name says; see `app.vault.daily.named_day`.
        mtime: Modification time of the file, in seconds since the epoch.
        birth: Creation time of the file in the same unit, where the platform keeps one.
    """
    written = _by_name(properties)
    created, created_source = _dated(
        _first_day(written, CREATED_KEYS), named, mtime if birth is None else birth
    )
    modified, modified_source = _dated(_first_day(written, MODIFIED_KEYS), None, mtime)
    day = _first_day(written, DAY_KEYS) or named
    return NoteDates(created, created_source, modified, modified_source, day)


def parse_bound(text: str, *, end: bool = False, today: date | None = None) -> date:
    """Read one end of a date range as a whole local day.

    Args:
        text: One of the accepted forms.
        end: Whether this is the range's last day; it decides which day a month or a year stands for.
        today: The day that relative forms count from; the local day when left out.

    Raises:
        BadRequestError: the form is not understood, or the day does not exist.
    """
    form = " ".join(text.translate(LOOKALIKES).replace("’", "'").split())
    now = today or local_today()
    bound: date | None = None
    if form.lower() in _NAMED:
        bound = now - timedelta(days=_NAMED[form.lower()])
    elif match := _AGO.fullmatch(form):
        bound = _ago(now, match)
    elif match := _MONTH.fullmatch(form):
        bound = _month(int(match[1]), int(match[2]), end=end)
    elif _YEAR.fullmatch(form):
        bound = _month(int(form), 12 if end else 1, end=end)
    elif len(form) == 10:
        bound = _iso_day(form)
    elif form[10:11] in ("T", "t", " "):
        bound = _iso_moment(form)
    if bound is None:
        raise BadRequestError(
            "date '{text}' is not understood",
            "write {accepted_forms}",
            text=text,
            accepted_forms=Sentence(ACCEPTED_FORMS),
        )
    return bound


def plain(text: str) -> str:
    """Return a text without case and accents."""
    if text.isascii():
        return text.lower()
    return "".join(sign for sign in normalized("NFKD", text) if not unicodedata.combining(sign)).casefold()


def _name(key: str) -> str:
    """Write a property's name without case and accents, one blank between words: "Créé_le" is "cree le"."""
    return " ".join(re.split(r"[\s_-]+", plain(key))).strip()


def _dated(written: date | None, named: date | None, seconds: float) -> tuple[datetime, DateSource]:
    if written is not None:
        return datetime.combine(written, time()), "property"
    if named is not None:
        return datetime.combine(named, time()), "name"
    return _file_time(seconds), "file"


def _iso_day(text: str) -> date | None:
    # The digits are matched here because `date.fromisoformat` also takes "20250714" and week dates.
    match = _DAY.fullmatch(text)
    try:
        return date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None


def _iso_moment(text: str) -> date | None:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return None
    return _iso_day(text[:10])


def _month(year: int, month: int, *, end: bool) -> date | None:
    if not (date.min.year <= year <= date.max.year and 1 <= month <= 12):
        return None
    return date(year, month, calendar.monthrange(year, month)[1] if end else 1)


def _ago(now: date, match: re.Match[str]) -> date | None:
    count = match["n"] or match["nombre"]
    if len(count) > 7:
        return None
    unit = (match["unit"] or _UNITS[match["unité"].lower()]).lower()
    if unit in ("day", "week"):
        days = now.toordinal() - int(count) * (7 if unit == "week" else 1)
        return date.fromordinal(days) if days >= 1 else None
    months = now.year * 12 + now.month - 1 - int(count) * (12 if unit == "year" else 1)
    last = _month(months // 12, months % 12 + 1, end=True)
    return last and last.replace(day=min(now.day, last.day))


def _file_time(seconds: float) -> datetime:
    if math.isnan(seconds):
        return datetime.min
    try:
        return datetime.fromtimestamp(seconds)
    except (OverflowError, OSError, ValueError):
        return datetime.max if seconds > 0 else datetime.min
