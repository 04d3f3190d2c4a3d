"""The properties of notes that a question asks for, by their names or by the words of `fields.tsv`."""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from app.search.excerpt import fold

_WORD = re.compile(r"[^\W_]+")


class _Field(NamedTuple):
    """What one meaning is asked by and what properties of it are called, in all languages, folded."""

    asked: frozenset[str]
    called: frozenset[str]


def words_asking(question: str, name: str) -> frozenset[str]:
    """Return the words of a question, folded, that ask for a property: "born" for ``birthday``.

    These are the words of its name, where the question has all of them, else those of a meaning of
    `fields.tsv` by which the property is called; none where it does not ask for it.
    """
    asking, called = _spaced(question), _spaced(name)
    if called.strip() and called in asking:
        return frozenset(called.split())
    return frozenset(
        word
        for field in _fields().values()
        if called in field.called
        for phrase in field.asked
        if phrase in asking
        for word in phrase.split()
    )


@cache
def _fields() -> Mapping[str, _Field]:
    asked, called = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    table = resources.files(__package__).joinpath("fields.tsv").read_text(encoding="utf-8")
    for line in table.splitlines()[1:]:
        meaning, _, asking, calling = line.split("\t")
        asked[meaning].update(map(_spaced, asking.split()))
        called[meaning].update(map(_spaced, calling.split()))
    return {each: _Field(frozenset(asked[each]), frozenset(called[each])) for each in asked}


def _spaced(text: str) -> str:
    """Return the words of a text, folded, with a space around each, so that whole words are compared."""
    return f" {' '.join(_WORD.findall(fold(text)))} "
