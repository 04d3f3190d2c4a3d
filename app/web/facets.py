"""Count the results of a search by tag, folder and month, so that each count says what a click leaves."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from app.dependencies import VaultClient
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Ids
from app.search.models import SearchRequest
from app.search.operations import OPERATIONS
from app.search.query.filters import chunk_filter
from app.vault.paths import path_key
from app.web.asked import EVERYTHING, Asked

MOST_TAGS = 60
MOST_MONTHS = 48
"""Of more months than these, years are shown."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many results have a value; ``value`` is what the address is given."""

    name: str
    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Bar:
    """One month, or year, of the timeline; ``value`` is ``2025-07`` or ``2025``."""

    value: str
    count: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Facets:
    """The results by what can narrow them; ``undated`` counts those that no bar has."""

    tags: tuple[Count, ...]
    folders: tuple[Count, ...]
    bars: tuple[Bar, ...]
    undated: int


NO_FACETS = Facets((), (), (), 0)


def count_facets(view: VaultSnapshot, vault: VaultClient, asked: Asked) -> Facets:
    """Rank once more, without the days, and count.

    Raises:
        VaultError: as a search does.
    """
    docs = _found(view, vault, replace(asked.request(dates=False, offset=0), limit=None))
    days = view.lexical.column("day")[docs]
    within, chosen = docs, np.ones(len(docs), np.bool_)
    if asked.start or asked.end:
        dated = asked.request()
        chosen = days > 0
        if dated.start:
            chosen &= days >= dated.start.toordinal()
        if dated.end:
            chosen &= days <= dated.end.toordinal()
        within = docs[chosen]
    notes = _counted(view.lexical.note_of[within])
    return Facets(
        tags=_tags(view, notes, asked.tags),
        folders=_folders(view, notes, asked.folder),
        bars=_bars(days, chosen if asked.start or asked.end else None),
        undated=int((days == 0).sum()),
    )


def _found(view: VaultSnapshot, vault: VaultClient, request: SearchRequest) -> Ids:
    """Give all passages that a request finds, in any order."""
    if request.queries == (EVERYTHING,):
        # There is nothing to rank by, and to put all in order would take longer than to count them.
        return np.flatnonzero(chunk_filter(view, vault, request).mask)
    ranking = OPERATIONS[request.operation](view, vault, request)
    return np.array([item.doc for item in ranking.items], np.int64)


def _counted(notes: Ids) -> Mapping[int, int]:
    owners, counts = np.unique(notes, return_counts=True)
    return dict(zip(owners.tolist(), counts.tolist(), strict=True))


def _tags(view: VaultSnapshot, notes: Mapping[int, int], chosen: Sequence[str]) -> tuple[Count, ...]:
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    for note, count in notes.items():
        found: dict[str, str] = {}
        for tag in view.note(note).tags:
            parts = tag.split("/")
            for end in range(1, len(parts) + 1):
                name = "/".join(parts[:end])
                found.setdefault(path_key(name), name)
        for key, name in found.items():
            names.setdefault(key, name)
            counts[key] += count
    for tag in chosen:
        counts.pop(path_key(tag), None)
    ordered = sorted(counts, key=lambda key: (-counts[key], key))[:MOST_TAGS]
    return tuple(Count(names[key], names[key], counts[key]) for key in ordered)


def _folders(view: VaultSnapshot, notes: Mapping[int, int], chosen: str) -> tuple[Count, ...]:
    counts: Counter[str] = Counter()
    inside = path_key(chosen) + "/" if chosen else ""
    for note, count in notes.items():
        path = view.lexical.path(note)
        if not path_key(path).startswith(inside):
            continue
        name, slash, _ = path[len(inside) :].partition("/")
        if slash:
            counts[path[: len(inside)] + name] += count
    ordered = sorted(counts, key=lambda path: (-counts[path], path))
    return tuple(Count(path.rpartition("/")[2], path, counts[path]) for path in ordered)


def _bars(days: Ids, chosen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] | None) -> tuple[Bar, ...]:
    """Count by month, gaps included; by year where there would be too many."""
    ordinals, counts = np.unique(days[days > 0], return_counts=True)
    if not len(ordinals):
        return ()
    months: Counter[tuple[int, int]] = Counter()
    for ordinal, count in zip(ordinals.tolist(), counts.tolist(), strict=True):
        day = date.fromordinal(ordinal)
        months[day.year, day.month] += count
    picked = set()
    if chosen is not None:
        picked = {(d.year, d.month) for d in map(date.fromordinal, np.unique(days[chosen]).tolist())}
    (first, month), (last, end) = min(months), max(months)
    span = (last - first) * 12 + end - month + 1
    if span > MOST_MONTHS:
        years: Counter[int] = Counter()
        for (year, _), count in months.items():
            years[year] += count
        listed = range(first, last + 1) if last - first < MOST_MONTHS else sorted(years)
        return tuple(Bar(f"{year:04}", years[year], any(y == year for y, _ in picked)) for year in listed)
    return tuple(
        Bar(f"{year:04}-{number + 1:02}", months[year, number + 1], (year, number + 1) in picked)
        for year, number in (divmod(first * 12 + month - 1 + step, 12) for step in range(span))
    )
