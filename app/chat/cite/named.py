"""The names that a sentence gives: of people and places, identifiers, code, paths, links and tags."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from app.chat.cite.quantity import find_quantities
from app.chat.cite.words import folded_words, function_words, stems_of
from app.markdown.plain import plain_line
from app.markdown.sentences import is_short_form
from app.search.excerpt import fold, literal
from app.search.query.times import words

Kind = Literal["literal", "name", "opening"]

_LITERAL = re.compile(
    r"``(?P<two>.+?)``|`(?P<one>[^`\n]+)`"
    # Addresses, tags, paths, and what has a digit, an underscore or a capital inside a word.
    r"|\b(?:https?://|www\.)[^\s<>()]+[^\s<>().,;:!?]|\b[\w.+-]+@[\w-]+\.[\w.-]*\w"
    r"|(?<![\w&/#])#(?=[\w/-]*[^\W\d])[\w/-]+"
    r"|(?<![\w/.])(?:[\w.-]+/)+[\w-]+\.[A-Za-z]{1,5}\b|(?<![\w/.-])[\w-]+\.[a-z]{2,5}(?![\w.])"
    r"|(?<![\w.-])(?:[A-Za-z]+_\w+|_\w+|\w*[a-zà-ÿ][A-Z]\w*|[A-Za-z]{1,6}-?\d+(?:[.-]\d+)*[A-Za-z]*"
    r"|v\d+(?:\.\d+)+|\d+(?:\.\d+){2,})(?!\w)"
)
_CAPITAL = re.compile(r"(?<![\w’'-])(?:(?:[^\W\d_]|[Qq]u)['’])?(?P<word>[A-ZÀ-ÖØ-Þ][\w’'-]*)")
_OPENING_SIGNS = '.!?:;…“"«([*_—–•>|/'
"""What a word may follow that has its capital only because something begins with it."""
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s*")
_NEXT = re.compile(r"[\s*_]*(?P<word>[^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a sentence, from ``start`` to ``end``.

    ``opening`` is the kind of a word that has a capital only because a sentence begins with it, perhaps.
    """

    start: int
    end: int
    text: str
    kind: Kind


def find_names(sentence: str, known: Collection[str] = ()) -> list[Name]:
    """Find the names of a sentence, in order.

    Args:
        sentence: A sentence, with its Markdown.
        known: Folded words that are names even where a sentence begins with them.
    """
    found: list[Name] = []
    taken = bytearray(len(sentence) + 1)
    for match in _LITERAL.finditer(sentence):
        taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
        found.append(Name(*match.span(), next(filter(None, match.groups()), match[0]), "literal"))
    for match in _CAPITAL.finditer(sentence):
        if not any(taken[match.start() : match.end()]):
            found += _capital(sentence, match, known)
    return sorted(found, key=lambda name: name.start)


def known_names(titles: Iterable[str], texts: Iterable[str]) -> frozenset[str]:
    """Return the folded words that are names: of people in titles, and what has a capital inside a sentence.

    Args:
        titles: Names of notes, without folder and ending; those all of whose words have a capital count.
        texts: Notes.
    """
    found: set[str] = set()
    for title in titles:
        parts = title.split()
        if len(parts) > 1 and all(part[:1].isupper() for part in parts):
            found |= folded_words(title)
    return frozenset(found.union(*map(_names_in, texts)))


@lru_cache(maxsize=64)
def _names_in(text: str) -> frozenset[str]:
    """Return the names in a note; a long one takes seconds, so that they are kept for the next answer."""
    lines = map(plain_line, text.splitlines())
    return frozenset(fold(name.text) for line in lines for name in find_names(line) if name.kind == "name")


def _capital(sentence: str, match: re.Match[str], known: Collection[str]) -> Iterator[Name]:
    word = re.sub(r"['’]s?\Z", "", match["word"]).rstrip("-'’")
    key = fold(word)
    # "L'essai", "I'm": what an apostrophe parts from a word without meaning is none itself.
    if (
        len(word) < 2
        or key in _no_names()
        or re.split("['’]", key)[0] in {*"ldjnsmct", "qu", *()} | function_words()
    ):
        return
    kind: Kind = "name"
    if _is_opening(sentence, match.start()):
        if find_quantities(word):
            return
        if key not in known and word == match["word"]:
            following = _NEXT.match(sentence, match.end())
            behind = following["word"] if following else ""
            if not behind.islower() or fold(behind) in function_words():
                return
            kind = "opening"
    yield Name(match.start("word"), match.start("word") + len(word), word, kind)


def _is_opening(sentence: str, place: int) -> bool:
    """Return whether something begins at a place: a sentence, a line, an item, a quotation."""
    # Characters are looked at one by one from there: a line may be as long as a note.
    at = place
    while at and sentence[at - 1].isspace():
        at -= 1
        if sentence[at] == "\n":
            return True
    if at == 0 or (sentence[at - 1] in _OPENING_SIGNS and not is_short_form(sentence, at)):
        return True
    item = _ITEM.match(sentence, 0, place)
    return item is not None and item.end() == place


@cache
def _no_names() -> frozenset[str]:
    calendar = [fold(word) for kind in ("month", "short month", "weekday") for word in words(kind)]
    return function_words() | {*calendar, *(f"{word}s" for word in calendar)}


def stands_in(name: Name, text: str, words: frozenset[str]) -> bool:
    """Return whether a name stands in a text.

    Args:
        name: A name of a sentence.
        text: The lines as they are, with what stands above them and the question.
        words: The folded words of the text.
    """
    if name.kind == "literal":
        written = re.escape(literal(name.text).strip("# "))
        return re.search(rf"(?<!\w){written}(?![\w]|[.-]\d)", literal(text)) is not None
    key = fold(name.text)
    parts = {part for part in folded_words(name.text) - {key} if part.isalnum()}
    if key in words or (len(parts) > 1 and parts <= words):
        return True
    return any(not stems_of(key).isdisjoint(stems_of(word)) for word in words if word[:3] == key[:3])
