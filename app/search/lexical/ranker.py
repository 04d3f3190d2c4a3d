"""What the words of a query add to every document of a snapshot, exactly."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import pieces, runs
from app.search.lexical.bm25 import Impact, Impacts, Spelling, Term, Word, distinct_terms, ranking_words
from app.search.lexical.phrase import holding
from app.search.lexical.segment import Parts, found_in
from app.search.lexical.sparse import Ids, Scores, distinct, member

Mask = NDArray[np.bool_]
Spellings = tuple[Spelling, ...]
LAST_PLANS = 8
LAST_TERMS = 128
"""Recent terms whose impacts are kept, 12 bytes a posting."""

FEW_WORDS = 3
"""Of so few words all are worth more than one of them, however often it stands there."""
ALIKE = 2.0
"""How much more one word may tell than another for that."""
PHRASE_WEIGHT = 0.5
"""What a text in quotation marks adds, as a share of what its words are worth, where it stands as quoted."""
STOP = 0.1
"""What a stop word counts beside the words that were asked for, where none of these stands anywhere."""


class _Plan(NamedTuple):
    """What a query asks for: its words, what they add, the score of every document, and the reference."""

    words: tuple[Word, ...]
    terms: tuple[Impact, ...]
    scores: Scores
    reference: float


class Sought(NamedTuple):
    """A word of a query as it stands in notes, and how much information it has."""

    term: Term
    worth: float


class Told(NamedTuple):
    """What the words of a query say of some chunks, all as shares of the query's information.

    ``held`` has a row a chunk and a column a word: its worth where it stands; ``scores`` count repetition.
    """

    held: Scores
    scores: Scores


class Ranker(Impacts):
    """Ranks the chunks of one snapshot by words; safe to use from many threads."""

    def __init__(self, parts: Parts, chunks: Mask, notes: Mask) -> None:
        super().__init__(parts, chunks, notes)
        self._term = lru_cache(maxsize=LAST_TERMS)(self.impact)
        # One request asks for its query several times over: ranked, within masks, word by word.
        self._plan = lru_cache(maxsize=LAST_PLANS)(self._make_plan)

    def having(self, text: str, mask: Mask, spellings: Spellings = ()) -> Mask:
        """Return the chunks of a mask that `rank` gives."""
        return (self._plan(text, spellings).scores > 0) & mask

    def covered(self, chunks: Sequence[int], text: str, mask: Mask, spellings: Spellings = ()) -> Scores:
        """Return what `rank` would give some chunks, as shares of the query's information, unlimited.

        It is 0 for those outside the mask.
        """
        scores = self.told(chunks, text, spellings).scores
        scores[~mask[np.array(chunks, np.int64)]] = 0
        return scores

    def told(
        self, chunks: Sequence[int], text: str, spellings: Spellings = (), in_time: Scores | None = None
    ) -> Told:
        """Return what the words of a query say of some chunks.

        ``in_time`` is how surely each document lies in a time that is asked for too, 0 to 1. This counts as
        one more word, which tells the more the fewer chunks lie there.
        """
        docs, plan = np.array(chunks, np.int64), self._plan(text, spellings)
        held = np.zeros((len(docs), len(plan.terms)), np.float32)
        for at, term in enumerate(plan.terms):
            held[member(docs, term.ids), at] = term.worth
        scores, reference = plan.scores[docs], plan.reference
        if in_time is not None:
            worth = self.worth_of(int(np.count_nonzero(in_time)))
            time = (in_time[docs] * worth).astype(np.float32)
            held, scores, reference = np.column_stack((held, time)), scores + time, reference + worth
        whole = np.float32(reference or 1)
        return Told(held / whole, scores / whole)

    def matched(self, doc: int, text: str, spellings: Spellings = ()) -> tuple[str, ...]:
        """Return the words of a query that a chunk has."""
        words = self._plan(text, spellings).words
        return tuple(word.text for word in words if (self._docs_with(word) == doc).any())

    def whole(self, text: str, spellings: Spellings = ()) -> Ids:
        """Return the chunks with all words of a short query, ascending; none where one tells far more."""
        grouped = groupby(self._plan(text, spellings).words, key=lambda word: word.spelling.typed)
        words = [list(ways) for _, ways in grouped]
        worth = [max(self._term(term).worth for word in ways for term in word.terms) for ways in words]
        if not 1 < len(words) <= FEW_WORDS or max(worth) > ALIKE * min(worth):
            return np.zeros(0, np.int64)
        return _in_all(distinct(list(map(self._docs_with, ways))) for ways in words)

    def _docs_with(self, word: Word) -> Ids:
        return _in_all(self._term(term).ids for term in word.parts)

    def sought(self, text: str, spellings: Spellings = ()) -> list[Sought]:
        """Return the words of a query as they stand in notes, each with its information."""
        impacts = self._plan(text, spellings).terms
        return [Sought(each.term, each.worth * each.term.weight) for each in impacts]

    def _make_plan(self, text: str, spellings: Spellings) -> _Plan:
        words = asked = tuple(self._standing(ranking_words(text, self.languages, spellings)))
        if not any(map(self._occurs, distinct_terms(words))):
            # A stop word of one language is a word of another: it counts where nothing else is found.
            words = ranking_words(text, self.languages, spellings, weak=True)
        weights = _weights(text, words)
        if len(words) > len(asked):
            # What is found by these alone lacks all that was asked for, however rare they are here.
            strong = set(distinct_terms(asked))
            weights = {term: weight * (1.0 if term in strong else STOP) for term, weight in weights.items()}
        impacts = tuple(self._term(term).times(weight) for term, weight in weights.items())
        quoted = dict.fromkeys(piece.text for piece in pieces(text) if piece.quoted)
        added = [(each.top, each.ids, each.scores) for each in impacts]
        phrases = [self._phrase(phrase, words) for phrase in quoted if len(runs(phrase)) > 1]
        added += [(worth, ids, np.full(len(ids), worth, np.float32)) for ids, worth in phrases]
        scores = np.zeros(self.size, np.float32)
        # In one order, so that equal chunks have equal sums.
        for _, ids, gain in sorted(added, key=lambda each: (-each[0], len(each[1]))):
            scores[ids] += gain
        return _Plan(words, impacts, scores, self._worth(words, weights))

    def _worth(self, words: Sequence[Word], weights: Mapping[Term, float]) -> float:
        """Sum what the words are worth; of one that has several spellings, the spelling worth most counts."""

        def worth_of(some: Iterable[Word]) -> float:
            return sum(self._term(term).worth * weights.get(term, 1.0) for term in distinct_terms(some))

        respelt: dict[str, float] = {}
        for spelling, group in groupby(words, key=lambda word: word.spelling):
            if spelling.text != spelling.typed:
                respelt[spelling.typed] = max(worth_of(group), respelt.get(spelling.typed, 0.0))
        typed = worth_of(word for word in words if word.spelling.text == word.spelling.typed)
        return typed + sum(respelt.values())

    def _standing(self, words: Iterable[Word]) -> Iterator[Word]:
        """Yield words, of a joined one that stands nowhere the parts that tell something."""
        for word in words:
            if word.telling is None or self._occurs(word.terms[0]):
                yield word
            elif word.telling:
                yield word._replace(terms=word.telling, parts=word.telling)

    def _occurs(self, term: Term) -> bool:
        return len(self._term(term).ids) > 0

    def _phrase(self, phrase: str, words: Sequence[Word]) -> tuple[Ids, float]:
        """Return the chunks whose body may hold a text in quotation marks as it stands, and what it adds."""
        inside = set(runs(phrase))
        terms = distinct_terms(word for word in words if word.spelling.typed in inside)
        ids = found_in(self._parts, self.chunks, lambda part: holding(part, phrase))
        return ids, PHRASE_WEIGHT * sum(self._term(term).worth for term in terms) if len(ids) else 0.0


def _weights(text: str, words: Sequence[Word]) -> dict[Term, float]:
    """Return the terms of a query, each with what it counts for: asked for twice the square root of two."""
    typed = Counter(runs(text))
    best = {(term.exact, term.stems): term for term in distinct_terms(words)}
    squares = Counter[Term]()
    for word in words:
        for term in {best[term.exact, term.stems]: None for term in word.terms}:
            squares[term] += typed[word.spelling.typed]
    return {term: math.sqrt(square) for term, square in squares.items()}


def _in_all(found: Iterable[Ids]) -> Ids:
    """Return the documents that all of some lists have, each ascending."""
    return reduce(lambda some, others: some[member(some, others)], found)
