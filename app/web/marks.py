"""Mark in a text what a query found there."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup, escape

from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import atoms
from app.search.lexical.impact import distinct_terms, ranking_words
from app.search.lexical.language import stems
from app.search.query.parse import parse_query
from app.search.text import fold

_WORD = re.compile(r"\w+")
Span = tuple[int, int]


class Marker:
    """Marks the words that rank, as they stand or by their stem, and the query where it stands as typed.

    Args:
        view: Says which languages the notes are in.
        queries: The queries, as they were typed.
    """

    def __init__(self, view: VaultSnapshot, queries: Sequence[str]) -> None:
        texts = [positive for query in queries if (positive := parse_query(query).positive)]
        self._languages = view.lexical.languages
        terms = [
            term for text in texts for term in distinct_terms(ranking_words(text, view.lexical.languages))
        ]
        self._exact = {term.exact for term in terms}
        self._stems = {stem for term in terms for stem in term.stems}
        self._wholes = [whole for text in texts if (whole := fold(text).strip())]

    def mark(self, text: str) -> Markup:
        """Give a text, escaped, with ``<mark>`` around what was found."""
        text = unicodedata.normalize("NFC", text)
        parts, done = [], 0
        for start, end in _joined(self._spans(text)):
            parts += [escape(text[done:start]), Markup("<mark>"), escape(text[start:end]), Markup("</mark>")]
            done = end
        return Markup("").join([*parts, escape(text[done:])])

    def _spans(self, text: str) -> Iterator[Span]:
        folded = fold(text)
        for whole in self._wholes:
            at = folded.find(whole)
            while at >= 0:
                yield at, at + len(whole)
                at = folded.find(whole, at + len(whole))
        for word in _WORD.finditer(text):
            if self._ranks(word[0]):
                yield word.span()

    def _ranks(self, word: str) -> bool:
        pieces = atoms(word.lower())
        # A run of a script without blanks has many pieces, of which the query as typed marks the right ones.
        return len(pieces) == 1 and (
            pieces[0].term in self._exact or not self._stems.isdisjoint(stems(pieces[0].raw, self._languages))
        )


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Give spans in order, those that touch made one."""
    start = end = -1
    for first, last in sorted(spans):
        if first > end:
            if end > start:
                yield start, end
            start, end = first, last
        end = max(end, last)
    if end > start:
        yield start, end
