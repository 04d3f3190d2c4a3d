"""What the notes of a vault have, counted or listed: tags, properties, tasks, days, links, related notes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

import numpy as np

from app.config.settings import logger
from app.errors import VaultError
from app.markdown.due import due_day
from app.notices import Notice
from app.search.index.documents import SECONDS_A_DAY, term_text, value_prefix
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import in_order
from app.search.lexical.segment import Mask
from app.search.models import NoteRecord
from app.search.rank.fusion import reciprocal_ranks
from app.search.view import View
from app.sentences import Sentence
from app.showing import TAG as TAG_CHARS
from app.showing import in_line
from app.vault.dates import DAY_KEYS, dated_heading, property_day
from app.vault.paths import path_key

TAG, PROPERTY, ALIAS = "tag:", "property:", "alias:"
MOST_YEARS = 20
"""Of more years the notes are looked through one by one."""
DONE, CANCELLED = "xX", "-"
"""Signs in the box of a task; with any other, such as ``[/]``, it is open."""


MOST_PASSAGES = 200
"""Passages that are ranked by words, and by meaning."""
TEXT_CHARS = 1500
"""How much of a note's text is asked for by its words."""
RANK_CONSTANT = 60.0
"""How much the first places of a list count, as in reciprocal rank fusion."""
MOST_SHARED = 3
"""Names of what two notes share that are shown."""
MOST_NEAR = 20
"""Of the notes nearest by words, or by meaning, so many are called so."""
EVERYWHERE = 0.2
"""A tag that so large a share of the notes has relates none of them."""


class Counted(NamedTuple):
    """A name as it is written first, the form in which it is compared, and how many notes have it."""

    name: str
    key: str
    notes: int


class TaskLine(NamedTuple):
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


class Dated(NamedTuple):
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
    terms = [term for term in lexical.terms(ALIAS) if path_key(term_text(term, ALIAS)) == wanted]
    docs = np.flatnonzero(snapshot.notes_with(terms) & snapshot.visible)
    return sorted(map(lexical.path, docs.tolist()))


def tag_counts(snapshot: VaultSnapshot, among: Mask | None = None) -> list[Counted]:
    """Return the tags of some notes, or of all, in the order of their names, nested ones below others.

    A tag's notes are those that have it or one below it.
    """
    return _counts(snapshot, TAG, among, lambda note, key: spelling(note.tags, key))


def property_counts(snapshot: VaultSnapshot, among: Mask | None = None) -> list[Counted]:
    """Return the names of the properties of some notes, or of all, in their order."""
    return _counts(snapshot, PROPERTY, among, lambda note, key: _spelt(note.properties, key))


def value_counts(snapshot: VaultSnapshot, name: str, among: Mask | None = None) -> list[Counted]:
    """Return the values that a property has in some notes, or in all; very long ones are left out."""
    return _counts(snapshot, value_prefix(name), among, lambda _, key: key)


def _counts(
    snapshot: VaultSnapshot, prefix: str, among: Mask | None, written: Callable[[NoteRecord, str], str]
) -> list[Counted]:
    """Count the notes that have each term of a kind, named as the first of them writes it."""
    rows, shown = [], snapshot.visible if among is None else snapshot.visible & among
    sums = snapshot.lexical.tally(prefix, shown.astype(np.int64))
    for term in sorted(sums, key=in_order):
        docs, key = snapshot.lexical.docs_with(term), term_text(term, prefix)
        first = snapshot.note(int(docs[shown[docs]][0]))
        rows.append(Counted(written(first, key), key, sums[term]))
    return rows


def _spelt(names: Iterable[str], key: str) -> str:
    return next((name for name in names if path_key(name) == key), key)


def spelling(paths: Iterable[str], key: str) -> str:
    """Return the beginning of one of some paths, or tags, that has a key, as it is written there."""
    levels = key.count("/") + 1
    return _spelt(("/".join(path.split("/")[:levels]) for path in paths), key)


def most_first(rows: Sequence[Counted]) -> list[Counted]:
    """Order what was counted by how many notes have it, then by name."""
    return sorted(rows, key=lambda row: (-row.notes, in_order(row.key)))


def tasks_of(
    snapshot: VaultSnapshot, notes: Mask, is_wanted: Callable[[TaskLine], bool]
) -> Iterator[TasksOfNote]:
    """Yield those of some notes that have tasks which are asked for, with these."""
    docs = snapshot.lexical.docs_with("tasks:task")
    for doc in docs[notes[docs]].tolist():
        lines = snapshot.lines(doc)
        rows = [row for row in snapshot.outline(doc).tasks if row[1] <= len(lines)]
        tasks = [TaskLine(status, line, lines[line - 1]) for status, line in rows]
        if found := list(filter(is_wanted, tasks)):
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
    found = []
    for doc in snapshot.newest_first(np.flatnonzero(_may_be_of(snapshot, first, last)).tolist()):
        note = snapshot.note(doc)
        named = note.created.date() if note.created_source == "name" else None
        own = property_day(note.properties, DAY_KEYS) or named
        headed = [
            (day, line)
            for _, text, line, _ in snapshot.outline(doc).sections
            if (day := dated_heading(text)) is not None and first <= day <= last
        ]
        created, modified = note.created.date(), note.modified.date()
        of_days = {day: day is not None and first <= day <= last for day in (created, modified, own)}
        if days := [*(day for day, _ in headed), *(day for day, is_in in of_days.items() if day and is_in)]:
            lines = tuple(line for _, line in headed)
            found.append(Dated(doc, min(days), of_days[created], of_days[modified], of_days[own], lines))
    return sorted(found, key=lambda one: one.day)


def _may_be_of(snapshot: VaultSnapshot, first: date, last: date) -> Mask:
    """Return the notes that may belong to some days: by their dates, or by a passage that names a year."""
    lexical = snapshot.lexical

    def within(name: str, unit: int) -> Mask:
        days = lexical.column(name) // unit
        found: Mask = (days >= first.toordinal()) & (days <= last.toordinal())
        return found

    notes = within("created", SECONDS_A_DAY) | within("modified", SECONDS_A_DAY)
    passages = within("day", 1)
    if last.year - first.year >= MOST_YEARS:
        return snapshot.shown_notes
    for year in range(first.year, last.year + 1):
        passages[lexical.containing(f"{year:04}")] = True
    notes[lexical.note_of[np.flatnonzero(passages & lexical.chunks)]] = True
    return notes & snapshot.shown_notes


def unlinked(snapshot: VaultSnapshot) -> list[int]:
    """Return the notes that no other shown note links to, newest first."""
    shown = {path: doc for path, doc in snapshot.lexical.paths().items() if snapshot.visible[doc]}
    found = [
        doc
        for path, doc in shown.items()
        if snapshot.shown_notes[doc]
        and not {edge.source for edge in snapshot.graph.incoming(path)} & shown.keys() - {path}
    ]
    return snapshot.newest_first(found)


class Related(NamedTuple):
    """A related note, and why."""

    doc: int
    reasons: tuple[Notice, ...]


def related_notes(view: View, doc: int, limit: int | None) -> list[Related]:
    """Return the notes most related to one, best first; notes that are not shown count for nothing.

    Args:
        view: The index.
        doc: The note.
        limit: The most notes; None for all that anything relates to it.
    """
    others = view.snapshot.visible.copy()
    others[doc] = False
    linked = [note for note in _linked(view, doc) if others[note]]
    words, meaning = _by_words(view, doc, others), _by_meaning(view, doc, others)
    tags = _tags(view, doc, others)
    lists = [linked, sorted(tags, key=lambda note: -tags[note].total()), words, meaning]
    best = reciprocal_ranks([np.array(one, np.int64) for one in lists], RANK_CONSTANT)[0][:limit].tolist()

    def why(note: int) -> Iterator[Notice]:
        if note in linked:
            yield Sentence("linked")
        if names := tags.get(note):
            shared = tuple(name for name, _ in names.most_common(MOST_SHARED))
            yield Sentence("both {names}", names=shared)
        if note in meaning[:MOST_NEAR]:
            yield Sentence("alike in meaning")
        if note in words[:MOST_NEAR]:
            yield Sentence("same words")

    return [Related(note, tuple(why(note))) for note in best]


def _linked(view: View, doc: int) -> list[int]:
    graph, path = view.snapshot.graph, view.lexical.path(doc)
    names = [edge.target for edge in graph.outgoing(path) if edge.target is not None]
    names += [edge.source for edge in graph.incoming(path)]
    found = (view.snapshot.doc(name) for name in dict.fromkeys(names))
    return [note for note in found if note is not None]


def _tags(view: View, doc: int, others: Mask) -> dict[int, Counter[str]]:
    """Return the notes that share tags, each with these, by how rare they are."""
    shared: dict[int, Counter[str]] = {}
    for tag in view.snapshot.note(doc).tags:
        notes = [note for note in view.lexical.docs_with(TAG + path_key(tag)).tolist() if others[note]]
        # Counters hold whole numbers: what few notes have counts up to a thousand.
        name, worth = f"#{in_line(tag, TAG_CHARS)}", round(1000 / max(len(notes), 1)) or 1
        if len(notes) <= max(2, EVERYWHERE * int(others.sum())):
            for note in notes:
                shared.setdefault(note, Counter())[name] = worth
    return shared


def _by_words(view: View, doc: int, others: Mask) -> list[int]:
    snapshot = view.snapshot
    note = snapshot.note(doc)
    headings = [section.text for section in snapshot.outline(doc).sections]
    body = "\n".join(snapshot.lines(doc)[max(note.body - 1, 0) :])[:TEXT_CHARS]
    return by_text(view, "\n".join([note.title, *note.aliases, *headings, body]), others)


def by_text(view: View, text: str, others: Mask) -> list[int]:
    """Return the notes of some that are most like a text by its words, best first."""
    found = view.lexical.rank(text, view.snapshot.chunks_of(others), MOST_PASSAGES)
    return _notes_of(view, found.ids.tolist())


def _by_meaning(view: View, doc: int, others: Mask) -> list[int]:
    """Return the notes nearest in meaning, by the vectors that there are: no model is loaded."""
    if view.vectors is None:
        return []
    try:
        joined = view.vectors.wanted().joined(view.snapshot)
        rows = joined.note_rows(doc)
        if not len(rows):
            return []
        middle = joined.index.vectors(rows).mean(axis=0)
        middle /= max(float(np.linalg.norm(middle)), 1e-6)
        return _notes_of(view, joined.nearest(middle, MOST_PASSAGES, view.snapshot.chunks_of(others), {}))
    except VaultError as error:
        logger.warning("deep_degraded", extra={"what": "no nearest notes", "error": str(error)})
        return []


def _notes_of(view: View, chunks: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(int(view.lexical.note_of[chunk]) for chunk in chunks))
