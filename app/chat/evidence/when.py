"""Whether what could be quoted is of another time than a question asks for."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from app.search.query.period import Period, Window, whole_month, whole_year
from app.search.query.times import MONTH, value, written_periods, written_years
from app.search.rank.dated import DAYS_OF_A_YEAR, name_periods
from app.vault.dates import local_today
from app.vault.paths import nfc

_LONE_MONTH = re.compile(rf"\b({MONTH})\b(?!,?\s(?:of |de )?[0-9]{{4}})")


def is_of_another_time(window: Window, path: str, texts: Sequence[str], properties: Sequence[str]) -> bool:
    """Return whether dates say that a part of a note is of another time than a window.

    They stand in ``texts``, its own and those above it, or in the name of its note; a month without its year
    is of the years of these. All of them lie before the window, or all after it: "from March to May" may be
    of April. A property is one more date that may lie in the window, since it says when a note was made. What
    is asked with "today" need not be about today.
    """
    today, period = local_today(), window.period
    if period == Period(today, today, period.kind):
        return False
    dates = [*name_periods(path), *(date for text in texts for date in _dates(text))]
    years = sorted({year for date in dates for year in (date.first.year, date.last.year)})
    for text in texts:
        for found in _LONE_MONTH.finditer(nfc(text).lower()):
            dates += filter(None, (whole_month(year, value("month", found[1]) or 0) for year in years))
    if not dates:
        return False
    is_yearly = window.sort == "yearly" and period.days() <= DAYS_OF_A_YEAR
    asked = list(_in_years(period, years)) if is_yearly else [period]
    whole = Period(min(date.first for date in dates), max(date.last for date in dates))
    maybe = [whole, *(date for text in properties for date in _dates(text))]
    return not any(one.meets(date) for one in asked for date in maybe)


def _in_years(period: Period, years: Iterable[int]) -> Iterator[Period]:
    """Yield a period as it begins in other years, where these have its days."""
    for year in years:
        later = year - period.first.year
        with suppress(ValueError):
            first, last = (day.replace(year=day.year + later) for day in (period.first, period.last))
            yield Period(first, last, period.kind)


def _dates(text: str) -> Iterable[Period]:
    """Return the dates of a text, or the years of one that has no whole date."""
    text = nfc(text)
    return written_periods(text) or [whole_year(year) for year in written_years(text)]
