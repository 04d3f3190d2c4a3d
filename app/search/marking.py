"""Where the words of queries stand in a text that is shown."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from app.search.excerpt import fold
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import atoms
from app.search.lexical.bm25 import distinct_terms, ranking_words
from app.search.lexical.language import stems
from app.search.query.parse import is_phrase, parse_question
from app.search.query.spelling import respelt, spelt
from app.search.query.tree import positive_texts

_WORD = re.compile(r"\w+")
Span = tuple[int, int]


class Marker:
    """Finds the words that rank, as they stand or by their stem, and the query where it stands as typed.

    Args:
        snapshot: Says which languages the notes are in.
        queries: The queries, as they were typed.
    """

    def __init__(self, snapshot: VaultSnapshot, queries: Sequence[str]) -> None:
        asked = [query for text in queries if (query := spelt(snapshot, parse_question(text))).positive]
        self._languages = snapshot.lexical.languages
        terms = [
            term
            for query in asked
            for term in distinct_terms(ranking_words(query.positive, self._languages, query.spellings))
        ]
        texts = [respelt(query.positive, query.spellings) for query in asked]
        self._exact = {term.exact for term in terms}
        self._stems = {stem for term in terms for stem in term.stems}
        self._known: dict[str, bool] = {}
        # What is asked for as a phrase alone is told by no word of it.
        self._phrases = [
            fold(text)
            for query in asked
            if all(map(is_phrase, query.parts))
            for part in query.parts
            for text in positive_texts(part)
        ]
        self._wholes = [whole for text in texts if (whole := fold(text).strip())]

    def parts(self, text: str) -> list[tuple[str, bool]]:
        """Return a text in parts, as NFC, each with whether the query found it; none of them is empty."""
        text = unicodedata.normalize("NFC", text)
        parts, done = list[tuple[str, bool]](), 0
        for start, end in _joined(self._spans(text)):
            parts += [(text[done:start], False), (text[start:end], True)]
            done = end
        return [part for part in (*parts, (text[done:], False)) if part[0]]

    def holding(self, lines: Sequence[str]) -> list[int]:
        """Return which of some lines hold what was asked for, as places: those with a phrase, else a word."""
        folded = [fold(line) for line in lines]
        having = [at for at, line in enumerate(folded) if any(text in line for text in self._phrases)]
        return having or [at for at, line in enumerate(lines) if any(found for _, found in self.parts(line))]

    def _spans(self, text: str) -> Iterator[Span]:
        folded = fold(text)
        for whole in self._wholes:
            at = folded.find(whole)
            while at >= 0:
                if not _is_letter_of_word(folded, at, whole):
                    yield at, at + len(whole)
                at = folded.find(whole, at + len(whole))
        for word in _WORD.finditer(text):
            if self._ranks(word[0]):
                yield word.span()

    def _ranks(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._is_found(word)
        return known

    def _is_found(self, word: str) -> bool:
        pieces = atoms(word.lower())
        # A run of a script without blanks has many pieces, of which the query as typed marks the right ones.
        return len(pieces) == 1 and (
            pieces[0].term in self._exact or not self._stems.isdisjoint(stems(pieces[0].raw, self._languages))
        )


def _is_letter_of_word(text: str, at: int, found: str) -> bool:
    """Return whether a letter that was looked for by itself, such as ``a``, is one of a word's."""
    around = text[at - 1 : at] + text[at + 1 : at + 2]
    return len(found) == 1 and found.isascii() and any(sign.isalnum() for sign in around)


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield spans in order, those that touch made one."""
    start = end = -1
    for first, last in sorted(spans):
        if first > end:
            if end > start:
                yield start, end
            start, end = first, last
        end = max(end, last)
    if end > start:
        yield start, end
