"""What the index says of a vault as a whole; of notes that are never shown, nothing."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

import numpy as np

from app.search.index.documents import term_text, value_prefix
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Mask
from app.showing import in_line
from app.vault.client import VaultClient
from app.vault.dates import daily_day, parse_day
from app.vault.obsidian import daily_notes, templates_folder
from app.vault.paths import nfc, path_key

TAG, PROPERTY = "tag:", "property:"
NAME_CHARS, VALUE_CHARS = 60, 30
"""Most characters of a name and of a value."""
MOST_LEVELS = 2
"""Folders are counted so deep."""
MOST_FOLDERS, MOST_TAGS, MOST_PROPERTIES = 24, 40, 24
"""So many are described; the others are counted."""
LOOKED_AT = 40
"""So many notes with a property tell its spelling and type."""
MOST_WORDS_OF_A_LIST = 30
"""A property with more different values than this has none that are typical."""
OWN_LISTS = frozenset({"tags", "tag", "aliases", "alias", "cssclasses", "cssclass"})
"""Properties that Obsidian reads itself; tags are told of by themselves."""

Kind = Literal["checkbox", "date", "list", "number", "text"]
_MARKUP = re.compile(r"[`*<>\[\]{}|#~\\]+")
_FORMAT = re.compile(r"(?:YYYY|YY|gggg|GGGG|M{1,4}|D{1,4}|Do|d{1,4}|ww?|WW?|[._/ -])+")
"""A form of dates, of their parts alone: a word in it could be the name of a folder that is not shown."""


@dataclass(frozen=True, slots=True)
class FolderFacts:
    """A folder: its notes, however deep, the first and last day written in them, and their usual tags."""

    path: str
    notes: int
    days: tuple[date, date] | None
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PropertyFacts:
    """A property: how many notes have it, of what type it mostly is, and values that several notes share."""

    name: str
    notes: int
    kind: Kind
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DailyFacts:
    """How daily notes are named, how many there are, and what most of them have."""

    folder: str
    form: str
    notes: int
    properties: tuple[str, ...]
    template: str


@dataclass(frozen=True, slots=True)
class Survey:
    """What a vault holds; everything is sorted, most first, and the same for the same notes.

    ``folder_count``, ``tag_count`` and ``property_count`` count those that are not described as well.
    """

    notes: int
    in_root: int
    folders: tuple[FolderFacts, ...]
    folder_count: int
    tags: tuple[tuple[str, int], ...]
    tag_count: int
    properties: tuple[PropertyFacts, ...]
    property_count: int
    templates: tuple[str, tuple[str, ...]] | None
    """The folder of templates, and the names of those in it."""
    daily: DailyFacts | None


def plain(text: str, most: int = NAME_CHARS) -> str:
    """Return a name on one line, without marks of Markdown or HTML, in at most ``most`` characters."""
    # Cut first as well: what is cut off need not be looked at.
    return in_line(" ".join(_MARKUP.sub("", nfc(text[: 4 * most])).split()), most)


def survey(vault: VaultClient, snapshot: VaultSnapshot) -> Survey:
    """Gather what the index says of a vault."""
    return _Surveyor(vault, snapshot).survey()


class _Surveyor:
    """One look at one snapshot."""

    def __init__(self, vault: VaultClient, snapshot: VaultSnapshot) -> None:
        self._vault, self._snapshot = vault, snapshot
        shown = snapshot.visible
        found = {path: doc for path, doc in snapshot.lexical.paths().items() if shown[doc]}
        # By path, since the order of documents tells how the index came to be.
        self._paths: Mapping[str, int] = dict(sorted(found.items()))

    def survey(self) -> Survey:
        folders = self._folders()
        tags = self._tally(TAG, self._all)
        properties = [
            (key, count)
            for key, count in self._tally(PROPERTY, self._all)
            if term_text(key, "") not in OWN_LISTS
        ]
        return Survey(
            notes=len(self._paths),
            in_root=sum("/" not in path for path in self._paths),
            folders=tuple(self._described_folder(*row) for row in folders[:MOST_FOLDERS]),
            folder_count=len(folders),
            tags=tuple((self._tag(key), count) for key, count in tags[:MOST_TAGS]),
            tag_count=len(tags),
            properties=tuple(self._property(*row) for row in properties[:MOST_PROPERTIES]),
            property_count=len(properties),
            templates=self._templates(),
            daily=self._daily(),
        )

    @property
    def _all(self) -> Mask:
        return self._snapshot.visible

    def _mask(self, docs: Iterable[int]) -> Mask:
        mask = np.zeros(self._snapshot.lexical.size, dtype=np.bool_)
        mask[list(docs)] = True
        return mask

    def _tally(self, prefix: str, notes: Mask) -> list[tuple[str, int]]:
        """Count the notes that have each term, most first, then by name; the prefix is taken off."""
        found = self._snapshot.lexical.tally(prefix, notes.astype(np.int64))
        rows = [(term.removeprefix(prefix), count) for term, count in found.items()]
        return sorted(rows, key=lambda row: (-row[1], row[0]))

    def _first(self, term: str, most: int) -> list[int]:
        """Return the first notes with a term, by path, among those that are shown."""
        docs = self._snapshot.lexical.docs_with(term)
        shown = docs[self._all[docs]].tolist()
        return sorted(shown, key=self._snapshot.lexical.path)[:most]

    def _tag(self, key: str) -> str:
        """Return a tag as the first note writes it that has it."""
        levels = key.count("/") + 1
        for doc in self._first(TAG + key, 1):
            starts = ("/".join(tag.split("/")[:levels]) for tag in self._snapshot.note(doc).tags)
            return next((start for start in starts if path_key(start) == key), key)
        return key

    def _folders(self) -> list[tuple[str, list[int]]]:
        """Return the folders, those with most notes first, each with its notes however deep."""
        inside: dict[str, tuple[str, list[int]]] = {}
        for path, doc in self._paths.items():
            parts = path.split("/")[:-1]
            for depth in range(1, min(len(parts), MOST_LEVELS) + 1):
                folder = "/".join(parts[:depth])
                inside.setdefault(path_key(folder), (folder, []))[1].append(doc)
        return sorted(inside.values(), key=lambda row: (-len(row[1]), row[0]))

    def _described_folder(self, folder: str, docs: list[int]) -> FolderFacts:
        return FolderFacts(folder, len(docs), self._days(self._mask(docs)), self._usual_tags(docs))

    def _days(self, notes: Mask) -> tuple[date, date] | None:
        days = self._snapshot.lexical.column("day")[self._snapshot.chunks_of(notes)]
        days = days[days > 0]
        if not len(days):
            return None
        return date.fromordinal(int(days.min())), date.fromordinal(int(days.max()))

    def _usual_tags(self, docs: Sequence[int]) -> tuple[str, ...]:
        rows = self._tally(TAG, self._mask(docs))
        counts = dict(rows)
        # Where all notes of a tag have the same one below it, that one says it all.
        covered = {
            key.rpartition("/")[0] for key, count in rows if counts.get(key.rpartition("/")[0]) == count
        }
        return tuple(self._tag(key) for key, _ in rows if key not in covered)[:3]

    def _property(self, key: str, count: int) -> PropertyFacts:
        name, kind = self._described(key)
        return PropertyFacts(name, count, kind, self._values(name, kind))

    def _described(self, key: str) -> tuple[str, Kind]:
        """Return the name of a property as it is written first, and the type it mostly has."""
        wanted, spelt, kinds = term_text(key, ""), "", Counter[Kind]()
        for doc in self._first(PROPERTY + key, LOOKED_AT):
            for name, value in self._snapshot.note(doc).properties.items():
                if path_key(name) == wanted:
                    spelt = spelt or name
                    if value is not None:
                        kinds[_kind(value)] += 1
        return spelt or wanted, min(kinds, key=lambda kind: (-kinds[kind], kind), default="text")

    def _values(self, name: str, kind: Kind) -> tuple[str, ...]:
        """Return values that several notes share, where the property has a short list of them."""
        rows = self._tally(value_prefix(name), self._all)
        if kind in ("date", "checkbox") or len(rows) > MOST_WORDS_OF_A_LIST:
            return ()
        values = ((term_text(value, ""), count) for value, count in rows if count > 1)
        return tuple(v for v, _ in values if v == plain(v, VALUE_CHARS) and v and "://" not in v)

    def _inside(self, folder: str) -> dict[str, int]:
        """Return the notes in a folder, however deep; in the vault's root only its own."""
        key = path_key(folder)
        if not key:
            return {path: doc for path, doc in self._paths.items() if "/" not in path}
        return {path: doc for path, doc in self._paths.items() if path_key(path).startswith(f"{key}/")}

    def _templates(self) -> tuple[str, tuple[str, ...]] | None:
        folder = templates_folder(self._vault.root)
        found = self._inside(folder) if folder else {}
        return (folder, tuple(_stem(path) for path in found)) if found else None

    def _daily(self) -> DailyFacts | None:
        """Describe daily notes as Obsidian is told to make them, else as most of those that are there."""
        told = daily_notes(self._vault.root)
        if (
            told is not None
            and _FORMAT.fullmatch(told.form)
            and (found := self._dated(told.folder, told.form))
        ):
            folder, form = told.folder, told.form
        else:
            folders = Counter(path.rpartition("/")[0] for path in self._paths if daily_day(path))
            if not folders:
                return None
            folder, form = min(folders, key=lambda each: (-folders[each], each)), "YYYY-MM-DD"
            found = self._dated(folder, form)
        usual = self._tally(PROPERTY, self._mask(found.values()))[:MOST_PROPERTIES]
        names = [self._described(key)[0] for key, count in usual if 2 * count >= len(found)]
        template = told.template.removesuffix(".md") if told is not None else ""
        shown = template and f"{template}.md" in self._paths
        return DailyFacts(folder, form, len(found), tuple(names), template if shown else "")

    def _dated(self, folder: str, form: str) -> dict[str, int]:
        """Return the notes of a folder that are named by a day; of another form than that of days, all."""
        found = self._inside(folder)
        if not form.endswith("YYYY-MM-DD"):
            return found if folder else {}
        return {path: doc for path, doc in found.items() if daily_day(path)}


def _kind(value: object) -> Kind:
    if isinstance(value, bool):
        return "checkbox"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, list | Mapping):
        return "list"
    return "date" if parse_day(value) else "text"


def _stem(path: str) -> str:
    return path.rpartition("/")[2][:-3]
