"""Ask what the index keeps as terms: properties by value, tags by expression, the names of notes."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import compress, repeat
from operator import contains, ge, gt, le, lt
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from app.search.index.documents import MAX_TERM_VALUE, term_text, value_prefix, value_texts
from app.search.index.snapshot import VaultSnapshot
from app.search.index.texts import TextForms
from app.search.lexical.index import Mask
from app.search.query.match import finder, form_of, question, wanted, with_hyphen
from app.search.query.pattern import Clock, Pattern
from app.search.query.tree import And, Compared, Match, Node, Not, Null, Or, Property, Text
from app.vault.dates import parse_day
from app.vault.paths import path_key

_LINK = re.compile(r"!?\[\[([^|#\]]*)(?:#[^|\]]*)?(?:\|([^\]]*))?\]\]")
_ORDERS: Mapping[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
_NUMBER = re.compile(r"[-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?(?:[eE][-+]?[0-9]{1,3})?")


_PARTS: Mapping[str, Callable[[str], str]] = {
    # Every note's name ends in ".md", which says nothing unless it is asked for.
    "note": lambda path: path[:-3] if path[-3:].lower() == ".md" else path,
    "path": str,
    "file": lambda path: path.rpartition("/")[2],
}
_known: "WeakKeyDictionary[VaultSnapshot, dict[tuple[str, Callable[[str], str]], list[str]]]"
_known = WeakKeyDictionary()


def named(snapshot: VaultSnapshot, node: Text | Match, clock: Clock) -> Mask:
    """Return the notes whose name a text or expression is in; by its target the path or the file name."""
    form, finds = (str, _meets(node, clock)) if isinstance(node, Match) else (form_of(node), finder(node))
    forms = _known.setdefault(snapshot, {})
    names = forms.get((node.target, form))
    if names is None:
        # To change them takes longer than to look through them.
        names = [form(_PARTS[node.target](path)) for path in snapshot.lexical.paths()]
        forms[node.target, form] = names
    mask = np.zeros(snapshot.lexical.size, np.bool_)
    # To look for a piece that each such name has takes a tenth of asking every name.
    words = wanted(node).split() if isinstance(node, Text) and not with_hyphen(node.text) else []
    having = map(contains, names, repeat(max(words, key=len, default="")))
    likely = compress(zip(names, snapshot.lexical.paths().values(), strict=True), having)
    mask[[doc for name, doc in likely if finds(name)]] = True
    return mask


def _meets(node: Match, clock: Clock) -> Callable[[str], bool]:
    return lambda text: node.pattern.find(text, clock) is not None


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
        return _meets(node, clock)
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
        return day is not None and _ORDERS[node.sign](day.toordinal(), node.bound.toordinal())
    number = _number(text)
    return number is not None and _ORDERS[node.sign](number, node.bound)
