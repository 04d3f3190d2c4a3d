"""Whether what could be quoted is of another time than a question asks for."""

import re
from collections.abc import Iterable, Iterator

from app.chat.evidence.note import Note
from app.chat.evidence.span import Span
from app.search.query.period import Period, Window, whole_month, whole_year
from app.search.query.times import MONTH, value, written_periods, written_years
from app.search.rank.dated import DAYS_OF_A_YEAR, name_periods
from app.vault.dates import local_today
from app.vault.paths import nfc

_LONE_MONTH = re.compile(rf"\b({MONTH})\b(?!,?\s(?:of |de )?[0-9]{{4}})")


def is_of_another_time(window: Window, note: Note, span: Span) -> bool:
    """Return whether dates say that a span is of another time than a window."""
    return lies_in(window, note, span) is False


def lies_in(window: Window, note: Note, span: Span) -> bool | None:
    """Return whether dates say that a span is of the time of a window; None where they do not tell.

    They stand in its text, the headings above it, or the name of its note; a month without its year is of the
    years of these. Where all lie before the window, or all after it, it is of another time: "from March to
    May" may be of April. A property of the note is one more date that may lie in the window, and tells
    nothing where it does not, since it says when a note was made. What is asked with "today" need not be
    about today.
    """
    today = local_today()
    if window.period == Period(today, today, window.period.kind):
        return None
    texts = [span.text, note.title, *span.statements[0].headings]
    dates = [*name_periods(note.path), *(date for text in texts for date in _dates(text))]
    if not dates:
        return None
    dates += _lone_months(texts, _years(dates))
    asked = _asked(window, dates)
    first, last = min(date.first for date in dates), max(date.last for date in dates)
    maybe = [Period(first, last), *(date for one in note.properties for date in _dates(one.text))]
    return any(period.meets(date) for period in asked for date in maybe)


def _asked(window: Window, dates: Iterable[Period]) -> list[Period]:
    """Return the days that a window means: of a month or day without its year those of all years of dates."""
    period = window.period
    if window.sort != "yearly" or period.days() > DAYS_OF_A_YEAR:
        return [period]
    return [moved for year in _years(dates) if (moved := _in_year(period, year)) is not None]


def _in_year(period: Period, year: int) -> Period | None:
    """Return a period as it begins in another year; None where that has no such day."""
    later = year - period.first.year
    try:
        first, last = (day.replace(year=day.year + later) for day in (period.first, period.last))
    except ValueError:
        return None
    return Period(first, last, period.kind)


def _years(dates: Iterable[Period]) -> list[int]:
    return sorted({year for date in dates for year in (date.first.year, date.last.year)})


def _dates(text: str) -> Iterable[Period]:
    """Return the dates of a text, or the years of one that has no whole date."""
    text = nfc(text)
    return written_periods(text) or [whole_year(year) for year in written_years(text)]


def _lone_months(texts: Iterable[str], years: Iterable[int]) -> Iterator[Period]:
    """Yield the months that stand in texts without a year, in each of some years."""
    for text in texts:
        for found in _LONE_MONTH.finditer(nfc(text).lower()):
            yield from filter(None, (whole_month(year, value("month", found[1]) or 0) for year in years))
