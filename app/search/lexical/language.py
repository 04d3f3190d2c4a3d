"""Tell a note's language by its stop words, and stem words in it."""

import json
from collections.abc import Sequence, Set
from functools import cache, lru_cache
from pathlib import Path

import Stemmer
from whoosh.lang.stopwords import stoplists

from app.search.lexical.analysis import fold

LANGUAGES: tuple[str, ...] = (
    "english", "french", "german", "spanish", "italian", "portuguese", "dutch",
    "swedish", "danish", "norwegian", "finnish", "hungarian", "russian", "turkish",
)  # fmt: skip
"""Stemmers by their place, which the index stores for each note; a new one goes to the end."""

LANGUAGE_CODES = ("en", "fr", "de", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "hu", "ru", "tr")
"""Their codes by ISO 639-1, in the same order."""

_QUESTION_WORDS = Path(__file__).with_name("question_words.json")

# Other single letters in the lists are elided words or endings, and as words they mean something: C, R.
_LETTER_WORDS = frozenset("aàyéeoiиçáó")

LEAST_STOP_WORDS = 2
"""How many different stop words of a language a note must have to be taken for it."""

_SHARE = 27720
"""A vote, divisible by every number of languages that can share a word, so that sums are exact."""


@cache
def _listed(language: int) -> frozenset[str]:
    """Return the words of Whoosh's list, and those of questions, which say as little."""
    asking = json.loads(_QUESTION_WORDS.read_text("utf-8")).get(LANGUAGES[language], "")
    words = [*stoplists[LANGUAGE_CODES[language]], *asking.split()]
    return frozenset(word for word in words if len(word) > 1 or word in _LETTER_WORDS)


@cache
def stop_words(language: int) -> frozenset[str]:
    """Return the folded stop words of a language, question words included."""
    return frozenset(map(fold, _listed(language)))


@cache
def _telling_words() -> dict[str, tuple[int, ...]]:
    """Map each stop word, as it is written, to the languages that have it."""
    table: dict[str, tuple[int, ...]] = {}
    for language in range(len(LANGUAGES)):
        for word in _listed(language):
            table[word] = (*table.get(word, ()), language)
    return table


BEGIN_OTHERWISE = frozenset(map(LANGUAGES.index, ("dutch", "turkish")))
"""Languages of which some stems do not begin as their words do: *gewerkt* is *werk* in Dutch."""


def detect(words: Set[str], among: Sequence[int] = range(len(LANGUAGES))) -> int:
    """Name the language whose stop words are most among ``words`` (lower-case); the first in doubt.

    A word that several languages share counts for each of them in part.
    """
    votes = _votes(words)
    return max(among, key=votes.__getitem__, default=0)


def asked_in(words: Set[str], among: Sequence[int]) -> int | None:
    """Name the language of a question, as `detect` does; None where no stop word tells, or two alike."""
    votes = _votes(words)
    most = [language for language in among if votes[language] == max(votes[one] for one in among)]
    return most[0] if len(most) == 1 and votes[most[0]] else None


def note_language(words: Set[str]) -> int:
    """Name the language of a note; the first where its stop words are too few to tell."""
    language = detect(words)
    return language if len(_listed(language) & words) >= LEAST_STOP_WORDS else 0


def reads_as(words: Set[str], language: int, rather_than: int, letters: int = 0) -> bool:
    """Return whether words (lower-case) read as one language, rather than as a certain other one, or any.

    A stop word of the language is needed, and together with the words whose letters tell it, of which there
    are ``letters``, more than the other language has. Such a word is a whole vote.
    """
    own = len(_listed(language) & words)
    if not own or own + letters <= len(_listed(rather_than) & words):
        return False
    votes = _votes(words)
    return votes[language] + letters * _SHARE >= max(votes)


def _votes(words: Set[str]) -> list[int]:
    telling = _telling_words()
    votes = [0] * len(LANGUAGES)
    for word in telling.keys() & words:
        shared = telling[word]
        for language in shared:
            votes[language] += _SHARE // len(shared)
    return votes


def stem_all(words: Sequence[str], language: int) -> list[str]:
    """Stem words of one language, then fold them; accents are needed by the stemmer."""
    # A stemmer keeps state while it works, so threads do not share one.
    stemmer = Stemmer.Stemmer(LANGUAGES[language], 0)
    return [fold(stem) for stem in stemmer.stemWords(list(words))]


@lru_cache(maxsize=1 << 16)
def stems(word: str, languages: tuple[int, ...]) -> tuple[str, ...]:
    """Return the stem of a word in each language of the index, in their order."""
    return tuple(stem_all((word,), language)[0] for language in languages)
