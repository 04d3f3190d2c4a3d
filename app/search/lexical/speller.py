"""Find the words of the notes that are nearest to a word which stands nowhere in them."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import Atom, atoms, runs
from app.search.lexical.bm25 import Spelling
from app.search.lexical.language import detect, stems, stop_words
from app.search.lexical.phrase import containing
from app.search.lexical.schema import STREAMS, stem_field
from app.search.lexical.segment import Parts, found_in
from app.search.lexical.sparse import Ids, distinct

LEAST_LETTERS = 4
"""Shorter words are next to too many others to tell which was meant."""
MOST_LETTERS = 40
ONE_EDIT = 7
"""Longest word, in letters, that may be one edit away only; beyond, two."""
MOST_SPELLINGS = 3
KEPT_TEXTS = 1024
MOST_ALIKE, LEAST_ALIKE = 3, 70
"""Names that are proposed for a text, and the least share of letters that they have in common, in percent."""

_ORDINARY = re.compile(r"[^\W\d_]+(?:[-'’\u2010\u2011][^\W\d_]+)*")
"""A run of letters; digits and other signs make an identifier."""


class Speller:
    """Knows the words of the chunks that are ``shown``, and none of others; safe to use from many threads."""

    def __init__(self, parts: Parts, shown: NDArray[np.bool_], languages: tuple[int, ...]) -> None:
        self._parts, self._shown, self._languages = parts, shown, languages
        self._stops = frozenset[str]().union(*map(stop_words, languages))
        self.spellings = lru_cache(maxsize=KEPT_TEXTS)(self._find_spellings)

    def _find_spellings(self, text: str) -> tuple[Spelling, ...]:
        """Return how else the words of a text are spelt in the notes, where they do not stand there."""
        typed = list(dict.fromkeys(runs(text)))
        stops = self._stops | stop_words(detect(set(typed)))
        return tuple(spelling for run in typed for spelling in self._of_run(run, stops))

    def has(self, text: str) -> bool:
        """Return whether each word of a text stands in the notes, by its stem or inside a longer word too."""
        return all(self._known(atom) for run in runs(text) for atom in atoms(run) if not atom.weak)

    def _of_run(self, run: str, stops: frozenset[str]) -> Iterator[Spelling]:
        """Yield the spellings of one run, each with one of its words changed."""
        if len(run) > MOST_LETTERS or not _ORDINARY.fullmatch(run):
            return
        parts = [atom for atom in atoms(run) if atom.step and not atom.weak and atom.term not in stops]
        wrong = [atom for atom in parts if self._is_wrong(atom)]
        # Where two of its words are wrong, it is left as it is.
        if len(wrong) == 1:
            for word, weight in self._nearest(wrong[0].term):
                yield Spelling(run, _replaced(run, wrong[0], word), weight)

    def _known(self, atom: Atom) -> bool:
        """Return whether a word stands in the chunks, by its stem or inside a longer word too."""
        return len(atom.term) < LEAST_LETTERS or self._stands(atom) or self._inside(atom.term)

    def _stands(self, atom: Atom) -> bool:
        return any(self._occurs(stream, atom.term) for stream in STREAMS) or any(
            self._occurs(stem_field(stream), stem)
            for stem in stems(atom.raw, self._languages)
            for stream in STREAMS
        )

    def _is_wrong(self, atom: Atom) -> bool:
        """Return whether a word stands nowhere, or only inside others, of which one is hardly longer."""
        if len(atom.term) < LEAST_LETTERS or self._stands(atom):
            return False
        return not self._inside(atom.term) or any(atom.term in near for _, _, near in self._near(atom.term))

    def _nearest(self, word: str) -> tuple[tuple[str, float], ...]:
        """Return the words nearest to one that stands nowhere, the likeliest first, each with its weight."""
        found = sorted(self._near(word), key=lambda near: (near[0], -near[1], near[2]))
        if not found:
            return ()
        best = [near for near in found if near[0] == found[0][0]][:MOST_SPELLINGS]
        most = best[0][1]
        return tuple((text, count / most) for _, count, text in best)

    def _near(self, word: str) -> Iterator[tuple[int, int, str]]:
        """Yield words close to one: how many edits away, in how many chunks, and the word."""
        # Imported when a word stands nowhere, which most questions never meet.
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        edits = 1 if len(word) <= ONE_EDIT else 2
        for other, away, _ in extract(word, self._words, scorer=OSA.distance, score_cutoff=edits, limit=None):
            if count := self._count(other):
                yield away, count, other

    @cached_property
    def _words(self) -> list[str]:
        """The words of letters alone; some may belong to other chunks."""
        return list(filter(str.isalpha, lexicon(self._parts)))

    def _count(self, word: str) -> int:
        return len(self.chunks_with(word))

    def chunks_with(self, text: str) -> Ids:
        """Return the chunks that have a word, which may be a joined one."""
        term = next((atom.term for run in runs(text) for atom in atoms(run) if not atom.weak), "")
        return distinct([self._docs(stream, term) for stream in STREAMS])

    def _occurs(self, field: str, term: str) -> bool:
        return len(self._docs(field, term)) > 0

    def _docs(self, field: str, term: str) -> Ids:
        return found_in(self._parts, self._shown, lambda part: part.having(field, term))

    def _inside(self, piece: str) -> bool:
        """Return whether a word of the chunks has ``piece`` in it."""
        return any(
            len(found_in(self._parts, self._shown, lambda part: containing(part, stream, piece)))  # noqa: B023
            for stream in STREAMS
        )


def lexicon(parts: Parts) -> set[str]:
    """Return the folded, unstemmed words of all word fields; some may belong to dead chunks alone."""
    texts = (part.table(stream).text for stream in STREAMS for _, part in parts)
    words = set[str]().union(*(text.decode("utf-8", "surrogatepass").split("\n") for text in texts))
    return words - {""}


def alike(text: str, names: Iterable[str]) -> list[str]:
    """Return the few names that are most like a text, the nearest first."""
    # Imported when nothing was found, which most questions never meet.
    from rapidfuzz import fuzz
    from rapidfuzz.process import extract

    near = extract(text, list(names), scorer=fuzz.ratio, limit=MOST_ALIKE, score_cutoff=LEAST_ALIKE)
    return [name for name, _, _ in near]


def _replaced(run: str, atom: Atom, word: str) -> str:
    """Put another word in the place of one in a run."""
    return run.replace(atom.raw, word, 1) if atom.raw in run else word
