"""Ask what the index keeps as terms: properties by value, tags by expression, the names of notes."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import accumulate
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from app.search.index.documents import MAX_TERM_VALUE, term_text, value_prefix, value_texts
from app.search.index.snapshot import VaultSnapshot
from app.search.index.texts import TextForms
from app.search.lexical.index import Mask
from app.search.query.match import finder, form_of, question, wanted
from app.search.query.pattern import Clock, Pattern
from app.search.query.tree import And, Compared, Match, Node, Not, Null, Or, Property, Text
from app.vault.dates import parse_day
from app.vault.paths import path_key

_known: "WeakKeyDictionary[VaultSnapshot, Names]" = WeakKeyDictionary()

_BETWEEN = "\0"
"""Stands between two names; no path holds it."""
_LINK = re.compile(r"!?\[\[([^|#\]]*)(?:#[^|\]]*)?(?:\|([^\]]*))?\]\]")
_NUMBER = re.compile(r"[-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?(?:[eE][-+]?[0-9]{1,3})?")


class Names:
    """The paths of all notes of one snapshot, whole, without ``.md``, and their file names alone."""

    def __init__(self, snapshot: VaultSnapshot) -> None:
        paths = snapshot.lexical.paths()
        self._paths, self._docs = list(paths), np.array(list(paths.values()), np.int64)
        self._size = snapshot.lexical.size
        self._forms: dict[tuple[str, Callable[[str], str]], _Names] = {}

    def matching(self, node: Text | Match, clock: Clock) -> Mask:
        """Return the notes whose name a text or expression is in; by its target the path or the file name."""
        mask = np.zeros(self._size, np.bool_)
        if not self._paths:
            return mask
        if isinstance(node, Match):
            pattern, names = node.pattern, self._names(node.target, str)
            found = [at for at, name in enumerate(names.each) if pattern.find(name, clock) is not None]
        else:
            names = self._names(node.target, form_of(node))
            words = wanted(node).split(" ")
            if len(words) == 1 and _BETWEEN not in words[0]:
                found = list(names.holding(words[0]))
            else:
                finds = finder(node)
                found = [at for at, name in enumerate(names.each) if finds(name)]
        mask[self._docs[found]] = True
        return mask

    def _names(self, target: str, form: Callable[[str], str]) -> "_Names":
        names = self._forms.get((target, form))
        if names is None:
            text = form(_BETWEEN.join(map(_PARTS[target], self._paths)))
            names = self._forms[target, form] = _Names(text)
        return names


class _Names:
    """Names in one text: to change it, or to look for a word in it, is many times faster than in each."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.each = text.split(_BETWEEN)
        self._starts = [0, *accumulate(len(name) + len(_BETWEEN) for name in self.each)]

    def holding(self, word: str) -> Iterator[int]:
        """Yield the numbers of the names that a word is in."""
        at = self._text.find(word)
        while at >= 0:
            number = bisect_right(self._starts, at) - 1
            yield number
            at = self._text.find(word, self._starts[number + 1])


def _bare(path: str) -> str:
    return path[:-3] if path[-3:].lower() == ".md" else path


_PARTS: Mapping[str, Callable[[str], str]] = {
    # Every note's name ends in ".md", which says nothing unless it is asked for.
    "note": _bare,
    "path": str,
    "file": lambda path: path.rpartition("/")[2],
}


def names_of(snapshot: VaultSnapshot) -> Names:
    """Return the names of a snapshot."""
    found = _known.get(snapshot)
    if found is None:
        found = _known[snapshot] = Names(snapshot)
    return found


def any_of(masks: Sequence[Mask]) -> Mask:
    """Return what is in any of some masks."""
    found: Mask = np.logical_or.reduce(masks)
    return found


def tags_matching(snapshot: VaultSnapshot, pattern: Pattern, clock: Clock) -> Mask:
    """Return the notes with a tag, or a tag below one, that an expression meets; ``#`` stands before it."""
    tags = (term.removeprefix("tag:") for term in snapshot.lexical.terms("tag:"))
    return snapshot.notes_with(f"tag:{tag}" for tag in tags if pattern.find(f"#{tag}", clock) is not None)


def aliases_matching(snapshot: VaultSnapshot, part: Node, clock: Clock) -> Mask:
    """Return the notes with an alias of which a group holds."""
    terms, asks = snapshot.lexical.terms("alias:"), question(part, clock)
    return snapshot.notes_with(term for term in terms if asks(TextForms(term_text(term, "alias:"))))


def has_property(snapshot: VaultSnapshot, name: str) -> bool:
    """Return whether a note that a search may show has a property of that name, case aside."""
    return snapshot.shows_term(property_term(name))


class Properties(NamedTuple):
    """Asks the properties of one snapshot's notes."""

    snapshot: VaultSnapshot
    clock: Clock

    def notes(self, node: Property) -> Mask:
        """Return the notes that have the property, and of a value all that is asked."""
        mask = np.zeros(self.snapshot.lexical.size, np.bool_)
        for name in self._called(node.names):
            there = self.snapshot.notes_with([property_term(name)])
            mask |= there if node.value is None else self._valued(name, node.value, there)
        return mask

    def _called(self, names: Iterable[str | Pattern]) -> list[str]:
        found: dict[str, None] = {}
        for name in names:
            if isinstance(name, str):
                found.setdefault(path_key(name))
                continue
            for term in self.snapshot.lexical.terms("property:"):
                known = term_text(term, "property:")
                if name.find(known, self.clock) is not None:
                    found.setdefault(known)
        return list(found)

    def _valued(self, name: str, node: Node, there: Mask) -> Mask:
        if isinstance(node, And):
            for part in node.parts:
                there = there & self._valued(name, part, there)
            return there
        if isinstance(node, Or):
            return any_of([self._valued(name, part, there) for part in node.parts])
        if isinstance(node, Not):
            return there & ~self._valued(name, node.part, there)
        if isinstance(node, Null):
            return self.snapshot.notes_with(["null:" + _key(name)])
        asks = _question(node, self.clock)
        prefix = value_prefix(name)
        terms = self.snapshot.lexical.terms(prefix)
        mask = self.snapshot.notes_with(term for term in terms if asks(term_text(term, prefix)))
        for doc in self.snapshot.lexical.docs_with("long:" + _key(name)).tolist():
            if not mask[doc]:
                mask[doc] = any(map(asks, self._long(doc, name)))
        return mask

    def _long(self, doc: int, name: str) -> Iterable[str]:
        for known, value in self.snapshot.note(doc).properties.items():
            if path_key(known) == name:
                yield from (text for text in value_texts(value) if len(text) > MAX_TERM_VALUE)


def property_term(name: str) -> str:
    """Return the term of the notes with a property."""
    return f"property:{_key(name)}"


def _key(name: str) -> str:
    return value_prefix(name)[len("value:") : -1]


def _question(node: Node, clock: Clock) -> Callable[[str], bool]:
    """Turn what is asked of a value into a function of its text."""
    if isinstance(node, Match):
        return lambda text: node.pattern.find(text, clock) is not None
    if isinstance(node, Compared):
        return lambda text: _compares(node, text)
    assert isinstance(node, Text)
    form, text, finds = form_of(node), wanted(node), finder(node)
    if not node.quoted:
        return lambda value: finds(form(value))
    number = _number(text)

    def equals(value: str) -> bool:
        if number is not None and number == _number(value):
            return True
        return any(form(" ".join(name.split())) == text for name in _value_names(value))

    return equals


def _value_names(value: str) -> list[str]:
    """Return what a value can be called: itself, and of a link its target, the target's name and its text."""
    found = _LINK.fullmatch(value.strip())
    if found is None:
        return [value]
    target = found[1].strip()
    return [value, target, target.rpartition("/")[2], (found[2] or "").strip()]


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text.strip()) else None


def _compares(node: Compared, text: str) -> bool:
    """Compare numbers with numbers and days with days; anything else is neither less nor more."""
    if isinstance(node.bound, date):
        day = parse_day(text)
        return day is not None and _in_order(node.sign, day.toordinal(), node.bound.toordinal())
    number = _number(text)
    return number is not None and _in_order(node.sign, number, node.bound)


def _in_order(sign: str, value: float, bound: float) -> bool:
    if sign == "<":
        return value < bound
    if sign == "<=":
        return value <= bound
    return value > bound if sign == ">" else value >= bound
