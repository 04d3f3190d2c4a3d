"""Days as people name them at a command line: one day, or the days of a week, a month, a season."""

import re
from contextlib import suppress
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

from app.errors import BadRequestError
from app.search.query.time_words import any_of, of_row, phrases
from app.sentences import Sentence
from app.vault.dates import ACCEPTED_FORMS, local_today, parse_bound
from app.vault.paths import nfc

if TYPE_CHECKING:
    from app.search.query.period import Window

COMES_AGAIN = {"weekday": 6, "yearly": 365}
"""In how many days a time that is past comes again, by its sort."""
NATURAL = "'last monday', 'lundi dernier', 'last week', 'avril 2025'"


def named_days(text: str, today: date | None = None, *, due: bool = False) -> tuple[date, date]:
    """Return the first and the last of the days that a text names.

    Args:
        text: Such as ``2025-07``, ``yesterday``, ``la semaine dernière``.
        today: The day that relative words count from; the local day when left out.
        due: Whether something is due then: "Friday" is the next one.

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
            found = _due(form, now) if due else named_time(form, now)
            if found is not None and found.end == len(form) and _leads().fullmatch(form, 0, found.start):
                return found.period.first, found.period.last
        raise BadRequestError(
            "'{text}' names no day",
            "write {accepted_forms}, or {natural}",
            text=text,
            accepted_forms=Sentence(ACCEPTED_FORMS),
            natural=Sentence(NATURAL),
        ) from error


@cache
def _leads() -> re.Pattern[str]:
    """Return what may stand before days, and says nothing more."""
    shown = any_of([phrase for _, phrase in phrases("shown by")])
    return re.compile(rf"(?:{shown}\s+|{of_row('the')})*", re.IGNORECASE)


def _due(text: str, today: date) -> "Window | None":
    """Find the time that a text names for something due: "Friday" and "30 November" are those to come."""
    from app.search.query.named_time import named_time

    found = named_time(text, today)
    within = COMES_AGAIN.get(found.sort) if found and found.period.last < today else None
    coming = named_time(text, today + timedelta(days=within)) if within else None
    return coming if coming and found and coming.phrase == found.phrase else found


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
