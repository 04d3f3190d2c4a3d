"""Questions to begin a talk with, from what is in the vault; its notes answer them, and no model is asked."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal

import numpy as np

from app.chat.save import is_saved_chat
from app.search.index.documents import LINK, term_text
from app.search.index.snapshot import VaultSnapshot
from app.vault.dates import daily_day
from app.vault.paths import path_key

MOST = 4
MOST_LINKS = 60
MOST_RECENT = 40
"""Names that are linked most, and notes that changed last, that are looked at."""
LEAST_TASKS = 2
NAME_CHARS = 50
OPEN_TASK = "tasks:task-todo"
_PLAIN = re.compile(r"\w(?:[\w ,.'’&()-]*[\w)])?")
"""A name or a heading that reads as words in a sentence."""
_ASKS = re.compile(
    r"(?:about|how|what|when|where|which|why|who|index|contents?|insert|template|untitled"
    r"|à propos|comment|pourquoi|quoi|ce qu|quand|où|quel|qui|sommaire|modèle|sans titre)\b",
    re.IGNORECASE,
)
"""Titles that begin with such a word make no sentence, or are about nothing."""
_BARE = re.compile(
    r"overview|introduction|summary|contents|notes?|links?|see also|references?|example|examples"
    r"|résumé|aperçu|contenu|liens?|voir aussi|références?|exemples?",
    re.IGNORECASE,
)
"""Headings that stand in many notes: what stands below them is not what they say."""
_TELLING = re.compile(r"[^\W\d_]{4,}")

Kind = Literal["linked", "tasks", "heading", "day"]


@dataclass(frozen=True, slots=True)
class Starter:
    """A question: ``name`` is a note's title or a day, ``heading`` one of the note's headings."""

    kind: Kind
    name: str
    heading: str = ""


def starters(snapshot: VaultSnapshot, today: date) -> tuple[Starter, ...]:
    """Return a few questions, at most one of each kind and none twice about one note."""
    found = _Found(snapshot, today)
    chosen: dict[str, Starter] = {}
    for each in (found.linked, found.tasks, found.heading, found.day):
        path, starter = next(((path, one) for path, one in each() if path not in chosen), ("", None))
        if starter is not None:
            chosen[path] = starter
    return tuple(chosen.values())[:MOST]


class _Found:
    """What one snapshot offers to ask about; each method yields notes and questions, best first."""

    def __init__(self, snapshot: VaultSnapshot, today: date) -> None:
        self._snapshot, self._today = snapshot, today
        self._paths: Mapping[str, int] = {
            path: doc for path, doc in snapshot.lexical.paths().items() if snapshot.visible[doc]
        }

    def linked(self) -> Iterator[tuple[str, Starter]]:
        """The notes that most others link to."""
        counts = self._snapshot.lexical.tally(LINK, self._snapshot.visible.astype(np.int64))
        for term, _ in sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:MOST_LINKS]:
            path = self._snapshot.resolver.resolve(term_text(term, LINK), "") or ""
            if path in self._paths and not daily_day(path) and (name := self._name(path)):
                yield path, Starter("linked", name)

    def tasks(self) -> Iterator[tuple[str, Starter]]:
        """The notes with most open tasks."""
        counts: dict[str, int] = {}
        for doc in self._snapshot.lexical.docs_with(OPEN_TASK).tolist():
            path = self._snapshot.lexical.path(doc)
            if path in self._paths and not daily_day(path):
                counts[path] = sum(sign == " " for sign, _ in self._snapshot.outline(doc).tasks)
        for path, count in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
            if count >= LEAST_TASKS and (name := self._name(path)):
                yield path, Starter("tasks", name)

    def heading(self) -> Iterator[tuple[str, Starter]]:
        """The headings of the notes that changed last; the longest says most."""
        newest = self._snapshot.newest_first(list(self._paths.values()))
        for path in map(self._snapshot.lexical.path, newest[:MOST_RECENT]):
            rows = self._snapshot.sections(self._paths[path]).rows
            told = [text for level, text, *_ in rows if level > 1 and _is_telling(text)]
            if told and not daily_day(path) and (name := self._name(path)):
                yield path, Starter("heading", name, max(told, key=len))

    def day(self) -> Iterator[tuple[str, Starter]]:
        """The last days that have a note."""
        days = {path: day for path in self._paths if (day := daily_day(path)) and day <= self._today}
        for path, day in sorted(days.items(), key=lambda row: row[1], reverse=True):
            yield path, Starter("day", day.isoformat())

    @cached_property
    def _bearers(self) -> Counter[str]:
        return Counter(map(_stem, self._paths))

    def _name(self, path: str) -> str:
        """Return how a note is called in a sentence; empty where that reads badly or could mean another.

        A conversation that was saved repeats its questions, and is asked about by none.
        """
        doc = self._paths[path]
        if is_saved_chat(path, self._snapshot.note(doc).properties):
            return ""
        tops = [text for level, text, *_ in self._snapshot.sections(doc).rows if level == 1]
        name = tops[0] if len(tops) == 1 else ""
        if not name and self._bearers[_stem(path)] == 1:
            name = self._snapshot.note(doc).title
        return name if _is_telling(name) and not _ASKS.match(name) else ""


def _stem(path: str) -> str:
    return path_key(path.rpartition("/")[2])


def _is_telling(text: str) -> bool:
    if len(text) > NAME_CHARS or _BARE.fullmatch(text):
        return False
    return bool(_PLAIN.fullmatch(text)) and bool(_TELLING.search(text))
