"""Days as people name them at a command line: one day, or the days of a week, a month, a season."""

import re
from contextlib import suppress
from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.errors import BadRequestError
from app.sentences import Sentence
from app.vault.dates import ACCEPTED_FORMS, local_today, parse_bound
from app.vault.paths import nfc

if TYPE_CHECKING:
    from app.search.query.named_time import NamedTime

_LEADS = re.compile(r"(?:(?:on|in|during|the|le|la|les|en|au|du|pendant)\s+|l['’])*", re.IGNORECASE)
_AT = r"(?:(?:on|by|for|before|until|the|le|de|du|pour|avant|d'ici)\s+)*"
NATURAL = "'last monday', 'lundi dernier', 'last week', 'avril 2025'"


def named_days(text: str, today: date | None = None, *, due: bool = False) -> tuple[date, date]:
    """Return the first and the last of the days that a text names.

    Args:
        text: Such as ``2025-07``, ``yesterday``, ``la semaine dernière``.
        today: The day that relative words count from; the local day when left out.
        due: Whether something is due then, see `due_time`.

    Raises:
        BadRequestError: the text names no days, or more besides.
    """
    now = today or local_today()
    try:
        return parse_bound(text, today=now), parse_bound(text, end=True, today=now)
    except BadRequestError as error:
        # Its expressions take a moment to be compiled.
        from app.search.query.named_time import named_time

        written = " ".join(nfc(text).split())
        # Some words are days or months only behind such a one.
        for form in (written, *(f"{lead} {written}" for lead in ("on", "in", "en"))):
            found = due_time(form, now) if due else named_time(form, now)
            if found is not None and found.end == len(form) and _LEADS.fullmatch(form, 0, found.start):
                return found.period.first, found.period.last
        raise BadRequestError(
            "'{text}' names no day",
            "write {accepted_forms}, or {natural}",
            text=text,
            accepted_forms=Sentence(ACCEPTED_FORMS),
            natural=Sentence(NATURAL),
        ) from error


def due_time(text: str, today: date) -> "NamedTime | None":
    """Find the time that a text names for something due: "Friday" and "30 November" are those to come."""
    from app.search.query.calendar_words import WEEKDAY
    from app.search.query.named_time import named_time

    found = named_time(text, today)
    if found is None or found.period.last >= today:
        return found
    if re.fullmatch(rf"{_AT}(?:{WEEKDAY})", found.phrase, re.IGNORECASE):
        within = 6
    elif not found.is_relative and not re.search(r"[0-9]{4}", found.phrase):
        within = 365
    else:
        return found
    coming = named_time(text, today + timedelta(days=within))
    return coming if coming is not None and coming.phrase == found.phrase else found


def named_bound(text: str, *, end: bool = False, today: date | None = None) -> str:
    """Return a bound in a form that every search takes; a text that names no day as it is.

    Args:
        text: Such as ``last month``.
        end: Whether the last of the days is meant, and not the first.
        today: As of `named_days`.
    """
    try:
        parse_bound(text, today=today)
    except BadRequestError:
        with suppress(BadRequestError):
            return str(named_days(text, today)[end])
    return text


def named_day(text: str, today: date | None = None) -> date:
    """Return the one day that a text names; errors and arguments as of `named_days`."""
    first, last = named_days(text, today)
    if first != last:
        raise BadRequestError(
            "'{text}' is more than one day: {first} to {last}",
            "name one day",
            text=text,
            first=first,
            last=last,
        )
    return first
