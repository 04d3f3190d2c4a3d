"""Notes in the order of their days: the daily notes beside one, a month, and all years."""

import re
from calendar import Calendar
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import urlencode

import numpy as np
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.errors import BadRequestError
from app.search.query.filters import note_filter
from app.search.searcher import searcher_for
from app.search.view import View
from app.sentences import Quoted
from app.vault.client import VaultClient
from app.vault.daily import daily_reader
from app.vault.dates import local_today
from app.web.pages import context_of, note_url, page
from app.web.request import Asked
from app.web.search import Count, folder_counts, tag_counts

_MONTH = re.compile(r"([1-8]\d{3})-(0[1-9]|1[0-2])")
"""Years that have neighbours on both sides, and can stand in the names of files."""
ALL_DAYS = date(1000, 1, 1), date(9000, 1, 1)
MOST_OF_A_DAY = 20
MOST_YEARS = 40
"""Years that are drawn month by month; those before them are listed."""
SHADES = (1, 2, 4, 8)
"""From so many notes on a day is darker."""


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


@dataclass(frozen=True, slots=True)
class Month:
    """One bar of the timeline; ``share`` is its height, of 1."""

    first: date
    count: int
    share: float
    url: str


@dataclass(frozen=True, slots=True)
class Square:
    """A day with notes, where it stands in the weeks of half a year; ``shade`` counts from 1."""

    day: date
    count: int
    shade: int
    week: int
    weekday: int
    url: str


@dataclass(frozen=True, slots=True)
class Grid:
    """The days of half a year, each week a column from Monday; narrow enough for a phone.

    ``first`` and ``last`` are the weekdays of its first and last day, ``weeks`` counts the columns.
    """

    first: int
    last: int
    weeks: int
    months: tuple[tuple[int, int], ...]
    """Each month with the column of its first day."""
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Year:
    """A year of the timeline; ``halves`` are given for one that is open."""

    year: int
    count: int
    search: str
    unfold: str
    months: tuple[Month, ...]
    halves: tuple[Grid, ...]


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a timeline can be narrowed by: folders on the way to the chosen one, those below it, and tags."""

    above: tuple[str, ...]
    folders: tuple[Count, ...]
    tags: tuple[Count, ...]


Days = Mapping[date, Sequence[str]]
"""The notes of each day by path, a daily note before the others."""


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
        BadRequestError: the address names no month, or a folder that is not there.
    """
    vault, text = context_of(request).vault, request.path_params["month"]
    asked = _narrowed(request)
    daily, today = _daily(vault), local_today()
    if not text:
        # Of a vault whose last note is old, its own time is worth more than an empty month.
        last = max((day for day in daily if day <= today), default=None)
        if last is None:
            until = (date.min, today + timedelta(days=1))
            last = searcher_for(vault).ask(lambda view: max(_days(view, asked, {}, until), default=today))
        return RedirectResponse(f"/days/{last:%Y-%m}", 303)
    named = _MONTH.fullmatch(text)
    if named is None:
        raise BadRequestError(
            "{text} is no month", "give a year and a month, such as /days/2025-07", text=Quoted(text[:40])
        )
    first = date(int(named[1]), int(named[2]), 1)

    def read(view: View) -> tuple[Days, dict[str, str]]:
        days = _days(view, asked, daily, (first, _following(first)))
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
        asked=asked,
        before=asked.url(f"/days/{first - timedelta(days=1):%Y-%m}"),
        after=asked.url(f"/days/{_following(first):%Y-%m}"),
        whole=f"/days/{first:%Y-%m}",
        timeline=_timeline_url(asked, first.year),
    )


def timeline_page(request: Request) -> Response:
    """Show how many notes each month of each year has, and the days of one year.

    Raises:
        BadRequestError: the address names a folder that is not there, or no year.
    """
    vault, asked = context_of(request).vault, _narrowed(request)
    text = request.query_params.get("year", "")
    if text and not re.fullmatch(r"\d{4}", text, re.ASCII):
        raise BadRequestError(
            "{text} is no year", "give one of four digits, such as 2025", text=Quoted(text[:40])
        )
    daily = _daily(vault)

    def read(view: View) -> tuple[Days, Narrowing]:
        days = _days(view, asked, daily)
        return days, _narrowing(view, asked, days)

    days, narrowing = searcher_for(vault).ask(read)
    years = sorted({day.year for day in days}, reverse=True)
    # Of a vault with notes for times to come, the last year that has begun says most.
    begun = (year for year in years if year <= local_today().year)
    opened = int(text) if text else next(begun, years[0] if years else 0)
    drawn = [year for at, year in enumerate(years) if at < MOST_YEARS or year == opened]
    months: dict[tuple[int, int], set[str]] = {}
    for day, notes in days.items():
        months.setdefault((day.year, day.month), set()).update(notes)
    most = max(map(len, months.values()), default=1)
    return page(
        request,
        "browse/timeline.html",
        asked=asked,
        narrowing=narrowing,
        years=[_year(year, asked, days, months, most, is_open=year == opened) for year in drawn],
        earlier=[
            Count(str(year), _search_url(asked, year), _distinct(days, year))
            for year in years
            if year not in drawn
        ],
        notes=len({path for notes in days.values() for path in notes}),
        first=min(days, default=None),
        last=max(days, default=None),
    )


def _narrowed(request: Request) -> Asked:
    """Read the folder and the tags of an address; everything else of a search is left aside."""
    typed = Asked.typed(request.query_params)
    return Asked(folder=typed.folder, tags=typed.tags)


def _timeline_url(asked: Asked, year: int) -> str:
    fields = {"folder": asked.folder, "tag": asked.tags, "year": str(year)}
    query = urlencode({name: value for name, value in fields.items() if value}, doseq=True)
    return f"/timeline?{query}#year-{year}"


def _search_url(asked: Asked, year: int) -> str:
    return asked.url(start=f"{year:04}", end=f"{year:04}")


def _distinct(days: Days, year: int) -> int:
    return len({path for day, notes in days.items() if day.year == year for path in notes})


def _year(
    year: int,
    asked: Asked,
    days: Days,
    months: Mapping[tuple[int, int], set[str]],
    most: int,
    *,
    is_open: bool,
) -> Year:
    counts = [len(months.get((year, number), ())) for number in range(1, 13)]
    return Year(
        year,
        _distinct(days, year),
        _search_url(asked, year),
        _timeline_url(asked, year),
        tuple(
            Month(
                date(year, number, 1),
                count,
                # The least that can be seen, for a single note beside hundreds.
                max(count / most, 0.04) if count else 0,
                asked.url(f"/days/{year:04}-{number:02}"),
            )
            for number, count in enumerate(counts, 1)
        ),
        tuple(_grid(date(year, month, 1), asked, days) for month in (1, 7)) if is_open else (),
    )


def _grid(first: date, asked: Asked, days: Days) -> Grid:
    """Return the six months from the first day of one."""
    last = first.replace(month=first.month + 5, day=31 if first.month == 7 else 30)
    monday = first.toordinal() - first.weekday()

    def week(day: date) -> int:
        return (day.toordinal() - monday) // 7

    starts = (first.replace(month=first.month + later) for later in range(6))
    squares = (_square(day, week(day), asked, days[day]) for day in sorted(days) if first <= day <= last)
    months = tuple((start.month, week(start)) for start in starts)
    return Grid(first.weekday(), last.weekday(), week(last) + 1, months, tuple(squares))


def _square(day: date, week: int, asked: Asked, notes: Sequence[str]) -> Square:
    return Square(
        day,
        len(notes),
        sum(len(notes) >= least for least in SHADES),
        week,
        day.weekday(),
        note_url(notes[0]) if len(notes) == 1 else asked.url(f"/days/{day:%Y-%m}") + f"#day-{day}",
    )


def _narrowing(view: View, asked: Asked, days: Days) -> Narrowing:
    """Return what the dated notes can be narrowed by further."""
    counts = np.zeros(view.lexical.size, np.int64)
    for path in {path for notes in days.values() for path in notes}:
        if (doc := view.snapshot.doc(path)) is not None:
            counts[doc] = 1
    levels = asked.folder.split("/") if asked.folder else []
    return Narrowing(
        tuple("/".join(levels[:at]) for at in range(1, len(levels) + 1)),
        folder_counts(view.snapshot, counts, asked.folder),
        tag_counts(view.snapshot, counts, asked.tags),
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


def _days(view: View, asked: Asked, daily: Mapping[date, str], within: tuple[date, date] = ALL_DAYS) -> Days:
    """Return the notes that are dated, by name, property, heading or text, from a day until before another.

    Raises:
        BadRequestError: the folder is not there.
    """
    snapshot, lexical = view.snapshot, view.lexical
    allowed = note_filter(view, asked.request(dates=False))
    found: dict[date, list[str]] = {}
    for day, path in daily.items():
        doc = snapshot.doc(path)
        # A daily note that is not in the index yet is known by its name alone.
        if within[0] <= day < within[1] and (not asked.is_narrowed if doc is None else allowed[doc]):
            found[day] = [path]
    days = lexical.column("day")
    dated = (days >= max(1, within[0].toordinal())) & (days < within[1].toordinal())
    docs = np.flatnonzero(dated & snapshot.chunks_of(allowed))
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
