"""Tell good words from slips by lists of words, whatever the notes have."""

from collections.abc import Iterable
from functools import cache

from app.search.lexical.language import LANGUAGE_CODES

LISTED = frozenset(("en", "fr", "de", "es", "it", "pt", "nl", "ru"))
"""The languages that have a list, by their codes."""


def may_be_word(word: str, languages: Iterable[int]) -> bool:
    """Return whether a word, in small letters, stands in the list of one of some languages.

    Any may be one of a language that has no list.
    """
    return any(
        code not in LISTED or f"\n{word}\n" in _words(code)
        for code in (LANGUAGE_CODES[language] for language in languages)
    )


@cache
def _words(code: str) -> str:
    """Return the words of a language, each between line ends: a set would take ten times the memory."""
    # Imported when a word is in doubt, which in most questions none is.
    from spellchecker import SpellChecker

    return "\n".join(["", *SpellChecker(language=code).word_frequency.words(), ""])
