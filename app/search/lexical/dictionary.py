"""Tell by lists of words what is a good word of a language, and how rare it is, whatever the notes have."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from math import log10

from app.search.lexical.analysis import fold
from app.search.lexical.language import LANGUAGE_CODES

LISTED = frozenset(("en", "fr", "de", "es", "it", "pt", "nl", "ru"))
"""The languages that have a list, by their codes."""
RAREST = 7.0
"""A word that is said once in ten million words, 10 to the power of this, is as rare as any."""


def has_lists() -> bool:
    """Return whether the lists are here: they come with the extra ``deep``."""
    return find_spec("spellchecker") is not None


def may_be_word(word: str, languages: Iterable[int]) -> bool:
    """Return whether a word, in small letters, stands in the list of one of some languages.

    Its accents may be missing. Any may be one of a language that has no list.
    """
    return any(
        code not in LISTED or _said(word, code) > 0
        for code in (LANGUAGE_CODES[language] for language in languages)
    )


def rarity(word: str, language: int) -> float:
    """Return the information of a word, in small letters, in what is said in a language: 0 to 1.

    1 is that of the rarest words; a word that is not listed is one of them. Its accents may be missing.
    """
    code = LANGUAGE_CODES[language]
    if code not in LISTED:
        return 1.0
    count = _said(word, code)
    return min(log10(_words(code)[1] / count) / RAREST, 1.0) if count else 1.0


def _said(word: str, code: str) -> int:
    """Return how often a word is said; one without accents as often as the commonest that is written so."""
    entry = re.compile(rf"\n{re.escape(word)} ([0-9]+)")
    lines, _ = _words(code)
    found = entry.findall(lines) if f"\n{word} " in lines else ()
    if not found and word.isascii():
        found = entry.findall(_without_accents(code))
    return max(map(int, found), default=0)


@cache
def _without_accents(code: str) -> str:
    text = _words(code)[0]
    return text.translate({ord(char): fold(char) for char in set(text) if not char.isascii()})


@cache
def _words(code: str) -> tuple[str, int]:
    """Return the words of a language, each on a line with how often it was said, and the sum of these counts.

    A dict would take ten times the memory.
    """
    # Imported when a word is in doubt or missing, which in many questions none is.
    from spellchecker import SpellChecker

    counts = SpellChecker(language=code).word_frequency
    return "\n".join(["", *(f"{word} {count}" for word, count in counts.items()), ""]), counts.total_words
