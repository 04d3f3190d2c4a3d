"""What questions call the things that notes have names for, by the rows of `fields.tsv`."""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib import resources

from app.search.excerpt import fold

_WORD = re.compile(r"[^\W_]+")


def words_asking(question: str, name: str) -> frozenset[str]:
    """Return the words of a question, folded, that ask for a field: "born" for ``birthday``.

    These are the words of its name, where the question has all of them, else those of a meaning of
    `fields.tsv` by which the field is called; none where it does not ask for it.
    """
    asking, called = _spaced(question), _spaced(name)
    if called.strip() and called in asking:
        return frozenset(called.split())
    asked = (
        phrase for meaning in _meanings("called").get(called, ()) for phrase in _meanings("asked")[meaning]
    )
    return frozenset(word for phrase in asked if phrase in asking for word in phrase.split())


def asks_for_newest(question: str) -> bool:
    """Return whether a question asks for the last or the present state of something."""
    asking = _spaced(question)
    return any(phrase in asking for phrase in _meanings("asked")["newest"])


@cache
def _meanings(column: str) -> Mapping[str, set[str]]:
    """Return how each meaning is asked for, or by what each name of a field is meant."""
    found = defaultdict[str, set[str]](set)
    table = resources.files(__package__).joinpath("fields.tsv").read_text(encoding="utf-8")
    for line in table.splitlines()[1:]:
        meaning, _, asked, called = line.split("\t")
        for phrase in map(_spaced, (asked if column == "asked" else called).split()):
            key, value = (meaning, phrase) if column == "asked" else (phrase, meaning)
            found[key].add(value)
    return found


def _spaced(text: str) -> str:
    """Return the words of a text, folded, with a space around each, so that whole words are compared."""
    return f" {' '.join(_WORD.findall(fold(text)))} "
