"""What the notes of a vault have, counted or listed: tags, properties, tasks, days, links to them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from app.markdown.due import due_day
from app.search.index.documents import SECONDS_A_DAY, term_text, value_prefix
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import in_order
from app.search.lexical.index import Mask
from app.vault.dates import DAY_KEYS, dated_heading, property_day
from app.vault.paths import is_note_name, path_key

TAG, PROPERTY, ALIAS = "tag:", "property:", "alias:"
MOST_YEARS = 20
"""Of more years the notes are looked through one by one."""
DONE, CANCELLED = "xX", "-"
"""Signs in the box of a task; with any other, such as ``[/]``, it is open."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A name as it is written first, the form in which it is compared, and how many notes have it."""

    name: str
    key: str
    notes: int


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task: the sign in its box, its line in the note, and that line as it stands."""

    status: str
    line: int
    text: str

    @property
    def is_done(self) -> bool:
        """Whether it is done."""
        return self.status in DONE

    @property
    def is_open(self) -> bool:
        """Whether it is neither done nor cancelled."""
        return self.status not in DONE + CANCELLED

    @property
    def due(self) -> date | None:
        """The day when it is due, if it names one."""
        return due_day(self.text)


TasksOfNote = tuple[int, list[TaskLine]]
"""A note, and some of its tasks."""


@dataclass(frozen=True, slots=True)
class Dated:
    """How a note belongs to some days, the first of which is ``day``.

    It was created or changed then, is about such a day by a property or its name, or the headings of these
    lines name one.
    """

    doc: int
    day: date
    is_created: bool
    is_modified: bool
    is_about: bool
    lines: tuple[int, ...]


def with_alias(snapshot: VaultSnapshot, alias: str) -> list[str]:
    """Return the paths of the notes that may be shown and have an alias, without regard to case."""
    wanted, lexical = path_key(alias.strip()), snapshot.lexical
    docs = {
        int(doc)
        for term in lexical.terms(ALIAS)
        if path_key(term_text(term, ALIAS)) == wanted
        for doc in lexical.docs_with(term).tolist()
    }
    return sorted(lexical.path(doc) for doc in docs if snapshot.visible[doc])


def tag_counts(snapshot: VaultSnapshot) -> list[Counted]:
    """Return the tags in the order of their names, nested ones below those they belong to.

    A tag's notes are those that have it or one below it.
    """
    return [
        Counted(spelling(_first(snapshot, term, "tags"), key), key, count)
        for term, count in sorted(_tally(snapshot, TAG), key=lambda row: in_order(row[0]))
        for key in [term.removeprefix(TAG)]
    ]


def property_counts(snapshot: VaultSnapshot) -> list[Counted]:
    """Return the names of properties, in their order."""
    return [
        Counted(_spelt(_first(snapshot, term, "properties"), key), key, count)
        for term, count in sorted(_tally(snapshot, PROPERTY), key=lambda row: in_order(row[0]))
        for key in [term_text(term, PROPERTY)]
    ]


def value_counts(snapshot: VaultSnapshot, name: str) -> list[Counted]:
    """Return the values of a property, in their order; very long ones are left out."""
    prefix = value_prefix(name)
    return [
        Counted(value, value, count)
        for term, count in sorted(_tally(snapshot, prefix), key=lambda row: in_order(row[0]))
        for value in [term_text(term, prefix)]
    ]


def _tally(snapshot: VaultSnapshot, prefix: str) -> Iterable[tuple[str, int]]:
    return snapshot.lexical.tally(prefix, snapshot.visible.astype(np.int64)).items()


def _first(snapshot: VaultSnapshot, term: str, field: str) -> Iterable[str]:
    """Return the names of a kind that the first shown note with a term has."""
    docs = snapshot.lexical.docs_with(term)
    found: Iterable[str] = getattr(snapshot.note(int(docs[snapshot.visible[docs]][0])), field)
    return found


def _spelt(names: Iterable[str], key: str) -> str:
    return next((name for name in names if path_key(name) == key), key)


def spelling(paths: Iterable[str], key: str) -> str:
    """Return the beginning of one of some paths, or tags, that has a key, as it is written there."""
    levels = key.count("/") + 1
    return _spelt(("/".join(path.split("/")[:levels]) for path in paths), key)


def tasks_of(
    snapshot: VaultSnapshot, notes: Mask, is_wanted: Callable[[TaskLine], bool]
) -> Iterator[TasksOfNote]:
    """Yield the notes of a mask that have tasks that are asked for, with these.

    Args:
        snapshot: The index.
        notes: Which notes.
        is_wanted: Tells whether a task is asked for.
    """
    docs = snapshot.lexical.docs_with("tasks:task")
    for doc in docs[notes[docs]].tolist():
        lines = snapshot.lines(doc)
        found = [
            task
            for status, line in snapshot.outline(doc).tasks
            if line <= len(lines) and is_wanted(task := TaskLine(status, line, lines[line - 1]))
        ]
        if found:
            yield doc, found


def by_due(snapshot: VaultSnapshot, found: Iterable[TasksOfNote]) -> list[TasksOfNote]:
    """Order tasks by the day when they are due, then by place; those without a day come last."""
    days: dict[tuple[date, int], list[TaskLine]] = {}
    for doc, tasks in sorted(found, key=lambda row: in_order(snapshot.lexical.path(row[0]))):
        for task in tasks:
            days.setdefault((task.due or date.max, doc), []).append(task)
    return [(doc, tasks) for (_, doc), tasks in sorted(days.items(), key=lambda row: row[0][0])]


def of_days(snapshot: VaultSnapshot, first: date, last: date) -> list[Dated]:
    """Return the notes that belong to some days, in their order; headings of every level count."""
    lexical, visible = snapshot.lexical, snapshot.visible

    def within(name: str, unit: int) -> Mask:
        days = lexical.column(name) // unit
        found: Mask = (days >= first.toordinal()) & (days <= last.toordinal())
        return found

    created, modified = (visible & within(name, SECONDS_A_DAY) for name in ("created", "modified"))
    passages = snapshot.chunks_of(visible)
    # A heading that names a day holds the number of its year.
    headed = np.full_like(passages, last.year - first.year >= MOST_YEARS)
    for year in () if headed.all() else range(first.year, last.year + 1):
        headed[lexical.containing(f"{year:04}")] = True
    about = set(lexical.note_of[np.flatnonzero(passages & within("day", 1))].tolist())
    headings = {
        doc: [
            (day, line)
            for _, text, line, _ in snapshot.outline(doc).sections
            if (day := dated_heading(text)) is not None and first <= day <= last
        ]
        for doc in dict.fromkeys(lexical.note_of[np.flatnonzero(passages & headed)].tolist())
    }
    docs = {*np.flatnonzero(created | modified).tolist(), *about, *(doc for doc in headings if headings[doc])}
    found = []
    for doc in snapshot.newest_first(docs):
        note, headed_here = snapshot.note(doc), headings.get(doc, [])
        named = note.created.date() if note.created_source == "name" else None
        own = property_day(note.properties, DAY_KEYS) or named
        is_about = own is not None and first <= own <= last
        days = [day for day, _ in headed_here]
        days += [note.created.date()] if created[doc] else []
        days += [note.modified.date()] if modified[doc] else []
        days += [own] if own is not None and is_about else []
        lines = tuple(line for _, line in headed_here)
        if days:
            found.append(Dated(doc, min(days), bool(created[doc]), bool(modified[doc]), is_about, lines))
    return sorted(found, key=lambda one: one.day)


def unlinked(snapshot: VaultSnapshot, *, alone: bool) -> list[int]:
    """Return the notes that no other shown note links to, newest first.

    Args:
        snapshot: The index.
        alone: Only those that link to no other note themselves either.
    """
    linked, linking = set[str](), set[str]()
    paths = {path: doc for path, doc in snapshot.lexical.paths().items() if snapshot.visible[doc]}
    for path in paths:
        for edge in snapshot.graph.outgoing(path):
            if edge.target is not None and edge.target != path and is_note_name(edge.target):
                linked.add(edge.target)
                linking.add(path)
    kept = paths.keys() - linked - (linking if alone else set())
    return snapshot.newest_first([paths[path] for path in kept])


def most_first(rows: Sequence[Counted]) -> list[Counted]:
    """Order what was counted by how many notes have it, then by name."""
    return sorted(rows, key=lambda row: (-row.notes, in_order(row.key)))
