"""The words of a sentence and of notes in the forms in which they are compared."""

import re
from collections.abc import Iterator
from functools import lru_cache

from app.search.excerpt import fold
from app.search.lexical.language import LANGUAGES, stems, stop_words

_ENGLISH, _FRENCH = LANGUAGES.index("english"), LANGUAGES.index("french")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?(?:-[^\W\d_]+)*")
_ELIDED = re.compile(r"\A(?:[^\W\d_]|qu)['’](?=\w{2})", re.IGNORECASE)
_JOINED = re.compile(r"(?<!\w)\w+(?:[-./'’@]\w+)+")


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a text, without elided articles, and those of a joined one singly too."""
    for match in _WORD.finditer(text):
        word = re.sub(r"['’]s\Z", "", _ELIDED.sub("", match[0]))
        yield word
        if "-" in word:
            yield from word.split("-")


def folded_words(text: str) -> frozenset[str]:
    """Return the words of a text, digits and joined words included, without case and accents."""
    folded = fold(text)
    return frozenset(re.findall(r"\w+", folded)) | frozenset(_JOINED.findall(folded))


@lru_cache(maxsize=8192)
def stems_of(word: str) -> frozenset[str]:
    """Return the stems of a word in English and in French."""
    return frozenset(stems(word.lower(), (_ENGLISH, _FRENCH)))


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Return the words of English and French that carry no meaning of their own, folded."""
    return stop_words(_ENGLISH) | stop_words(_FRENCH)


def content_words(text: str) -> list[str]:
    """Return the words of a text that carry its meaning."""
    return [word for word in words_of(text) if len(word) > 1 and fold(word) not in function_words()]
