"""Daily notes in the order of their days: those beside one, and a month of them."""

import re
from calendar import Calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.errors import BadRequestError
from app.search.index.snapshot import VaultSnapshot
from app.search.searcher import searcher_for
from app.vault.client import VaultClient
from app.vault.daily import daily_reader
from app.vault.dates import local_today
from app.web.pages import context_of, note_url, page

_MONTH = re.compile(r"([1-8]\d{3})-(0[1-9]|1[0-2])")
"""Years that have neighbours on both sides, and can stand in the names of files."""
MOST_OF_A_DAY = 20


@dataclass(frozen=True, slots=True)
class Dated:
    """A note of a day; ``where`` is its folder."""

    title: str
    where: str
    url: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One day of a month's table; ``daily`` is the address of its daily note, if it has one.

    ``others`` are the notes that are dated by it in another way, and ``more`` counts those not named.
    """

    day: date
    is_inside: bool
    daily: str
    others: tuple[Dated, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Beside:
    """The daily notes before and after one, as day and address; None where there is none."""

    day: date
    before: tuple[date, str] | None
    after: tuple[date, str] | None


def beside(vault: VaultClient, path: str) -> Beside | None:
    """Return the daily notes before and after one, however far; None for a note that is no daily note."""
    day = daily_reader(vault.root)(path)
    if day is None:
        return None
    days = _daily(vault)
    earlier = max((each for each in days if each < day), default=None)
    later = min((each for each in days if each > day), default=None)
    return Beside(
        day,
        (earlier, note_url(days[earlier])) if earlier else None,
        (later, note_url(days[later])) if later else None,
    )


def month_page(request: Request) -> Response:
    """Show a month of daily notes, and under it the other notes that are dated in it.

    Raises:
        BadRequestError: the address names no month.
    """
    vault, text = context_of(request).vault, request.path_params["month"]
    daily, today = _daily(vault), local_today()
    if not text:
        # Of a vault whose last note is old, its own time is worth more than an empty month.
        last = max((day for day in daily if day <= today), default=today)
        return RedirectResponse(f"/days/{last:%Y-%m}", 303)
    named = _MONTH.fullmatch(text)
    if named is None:
        raise BadRequestError(f"{text[:40]!r} is no month", "give a year and a month, such as /days/2025-07")
    first = date(int(named[1]), int(named[2]), 1)
    others = searcher_for(vault).ask(lambda view: _dated(vault, view.snapshot, first, daily))
    weeks = [
        [
            Cell(
                day,
                day.month == first.month,
                note_url(daily[day]) if day in daily else "",
                tuple(others.get(day, ())[:MOST_OF_A_DAY]),
                max(0, len(others.get(day, ())) - MOST_OF_A_DAY),
            )
            for day in week
        ]
        for week in Calendar().monthdatescalendar(first.year, first.month)
    ]
    return page(
        request,
        "browse/month.html",
        first=first,
        weeks=weeks,
        today=today,
        before=f"/days/{first - timedelta(days=1):%Y-%m}",
        after=f"/days/{_following(first):%Y-%m}",
    )


def _following(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)


def _daily(vault: VaultClient) -> dict[date, str]:
    """Return the daily notes that may be shown by their day; of several of one day the first by path."""
    day_of = daily_reader(vault.root)
    found: dict[date, str] = {}
    for path in sorted(vault.scan().notes):
        day = day_of(path)
        if day is not None and day not in found and not vault.is_excluded(path):
            found[day] = path
    return found


def _dated(
    vault: VaultClient, snapshot: VaultSnapshot, first: date, daily: Mapping[date, str]
) -> dict[date, list[Dated]]:
    """Return the notes of a month that are no daily notes of their day, each day's by title."""
    lexical = snapshot.lexical
    days = lexical.column("day")
    docs = np.flatnonzero(
        (days >= first.toordinal()) & (days < _following(first).toordinal()) & lexical.chunks
    )
    found: dict[date, list[Dated]] = {}
    pairs = np.unique(np.stack((days[docs], lexical.note_of[docs])), axis=1).T
    for ordinal, note in pairs.tolist():
        day, path = date.fromordinal(ordinal), lexical.path(note)
        if snapshot.visible[note] and daily.get(day) != path and not vault.is_excluded(path):
            found.setdefault(day, []).append(
                Dated(snapshot.note(note).title, path.rpartition("/")[0], note_url(path))
            )
    return {day: sorted(notes, key=lambda note: note.title.casefold()) for day, notes in found.items()}
