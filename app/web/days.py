"""Notes in the order of their days: the daily notes beside one, and a month."""

import re
from calendar import Calendar
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.errors import BadRequestError
from app.search.searcher import searcher_for
from app.search.view import View
from app.sentences import Quoted
from app.vault.client import VaultClient
from app.vault.daily import DayReader
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


Days = Mapping[date, Sequence[str]]
"""The notes of each day by path, a daily note before the others."""


def beside(vault: VaultClient, path: str) -> Beside | None:
    """Return the daily notes before and after one, however far; None for a note that is no daily note."""
    day = DayReader(vault.root).daily(path)
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
        last = max((day for day in daily if day <= today), default=None)
        if last is None:
            until = (date.min, today + timedelta(days=1))
            last = searcher_for(vault).ask(lambda view: max(_days(view, {}, until), default=today))
        return RedirectResponse(f"/days/{last:%Y-%m}", 303)
    named = _MONTH.fullmatch(text)
    if named is None:
        raise BadRequestError(
            "{text} is no month", "give a year and a month, such as /days/2025-07", text=Quoted(text[:40])
        )
    first = date(int(named[1]), int(named[2]), 1)

    def read(view: View) -> tuple[Days, dict[str, str]]:
        days = _days(view, daily, (first, _following(first)))
        paths = {path for notes in days.values() for path in notes}
        return days, {path: _title(view, path) for path in paths}

    days, titles = searcher_for(vault).ask(read)
    weeks = [
        [_cell(day, day.month == first.month, days.get(day, ()), daily.get(day), titles) for day in week]
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
    day_of = DayReader(vault.root).daily
    found: dict[date, str] = {}
    for path in sorted(vault.scan().notes):
        day = day_of(path)
        if day is not None and day not in found and not vault.is_excluded(path):
            found[day] = path
    return found


def _days(view: View, daily: Mapping[date, str], within: tuple[date, date]) -> Days:
    """Return the notes dated by name, property, heading or text, from a day until before another."""
    snapshot, lexical = view.snapshot, view.lexical
    found: dict[date, list[str]] = {}
    for day, path in daily.items():
        doc = snapshot.doc(path)
        # A daily note that is not in the index yet is known by its name alone.
        if within[0] <= day < within[1] and (doc is None or snapshot.visible[doc]):
            found[day] = [path]
    days = lexical.column("day")
    dated = (days >= max(1, within[0].toordinal())) & (days < within[1].toordinal())
    docs = np.flatnonzero(dated & snapshot.chunks_of(snapshot.visible))
    pairs = np.unique(np.stack((days[docs], lexical.note_of[docs])), axis=1).T
    is_hidden = {note: view.vault.is_excluded(lexical.path(note)) for note in np.unique(pairs[:, 1]).tolist()}
    for ordinal, note in pairs.tolist():
        day, path = date.fromordinal(ordinal), lexical.path(note)
        if daily.get(day) != path and not is_hidden[note]:
            found.setdefault(day, []).append(path)
    return found


def _cell(
    day: date, is_inside: bool, notes: Sequence[str], daily: str | None, titles: Mapping[str, str]
) -> Cell:
    others = sorted(
        (Dated(titles[path], path.rpartition("/")[0], note_url(path)) for path in notes if path != daily),
        key=lambda note: note.title.casefold(),
    )
    return Cell(
        day,
        is_inside,
        note_url(daily) if daily is not None and daily in notes else "",
        tuple(others[:MOST_OF_A_DAY]),
        max(0, len(others) - MOST_OF_A_DAY),
    )


def _title(view: View, path: str) -> str:
    doc = view.snapshot.doc(path)
    return path.rpartition("/")[2][:-3] if doc is None else view.snapshot.note(doc).title
