"""Rank by the words of a query, exactly, without adding up what cannot change the best results."""

import math
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import runs
from app.search.lexical.bm25 import (
    Impact,
    Impacts,
    Spelling,
    Term,
    Word,
    distinct_terms,
    ranking_words,
)
from app.search.lexical.groups import Groups
from app.search.lexical.quotation import pieces
from app.search.lexical.segment import Parts
from app.search.lexical.sparse import Ids, Scores, distinct
from app.search.lexical.top import best_of, having_any, in_order

Mask = NDArray[np.bool_]
Spellings = tuple[Spelling, ...]
CACHED_POSTINGS = 8_000_000
"""How many postings of recent terms are kept added up (12 bytes each)."""
LAST_PLANS = 8
KEPT_TERMS = 1024

FEW_WORDS = 3
"""Of so few words all are worth more than one of them, however often it stands there."""
ALIKE = 2.0
"""How much more one word may tell than another for that."""

STOP = 0.1
"""What a stop word counts beside the words that were asked for, where none of these stands anywhere."""


class _Plan(NamedTuple):
    """What a query asks for: its words, what they add, that with phrases, the reference, and the weights."""

    words: tuple[Word, ...]
    terms: tuple[Impact, ...]
    ordered: tuple[Impact, ...]
    reference: float
    weights: Mapping[Term, float]


class Sought(NamedTuple):
    """A word of a query as it stands in notes, and how much information it has."""

    term: Term
    worth: float


class Told(NamedTuple):
    """What the words of a query say of some chunks, all as shares of the query's information.

    ``held`` has a row a chunk and a column a word: its worth where it stands; ``scores`` count repetition.
    """

    held: Scores
    worth: Scores
    scores: Scores


class Ranker:
    """Ranks the chunks of one snapshot by words; safe to use from many threads.

    Args:
        parts: The segments, each with its first document.
        chunks: The documents that are live chunks.
        notes: The documents that are live notes.
    """

    def __init__(self, parts: Parts, chunks: Mask, notes: Mask) -> None:
        self.size, self.chunks, self.notes = len(chunks), chunks, notes
        self._parts = parts
        self._groups = Groups(parts, chunks)
        self._cache: OrderedDict[Term, Impact] = OrderedDict()
        self._cached = 0
        self._lock = threading.Lock()
        self._stood = lru_cache(maxsize=KEPT_TERMS)(self._find_stood)
        self._sums: list[Scores] = []
        self._plans: OrderedDict[tuple[str, Spellings], _Plan] = OrderedDict()

    @cached_property
    def language_counts(self) -> Mapping[int, int]:
        """How many live notes are in each language, the most frequent first."""
        counts = np.bincount(self._groups.language_of[self.notes]).tolist()
        found = [(code, count) for code, count in enumerate(counts) if count]
        return dict(sorted(found, key=lambda pair: (-pair[1], pair[0])))

    @cached_property
    def languages(self) -> tuple[int, ...]:
        """The languages of the live notes, the most frequent first."""
        return tuple(self.language_counts)

    @cached_property
    def _impacts(self) -> Impacts:
        return Impacts(self._parts, self.chunks, self._groups, self.languages)

    def best(
        self, text: str, mask: Mask | None, k: int | None, spellings: Spellings = (), beside: str = ""
    ) -> tuple[Ids, Scores, float, Callable[[], int]]:
        """Return the best chunks in order, ties with the last too, with scores, the reference and a count."""
        plan = self._plan(text, spellings)
        ordered = in_order([*plan.ordered, *self._beside(plan, beside)]) if beside else plan.ordered
        ids, raw = self._best_of(ordered, mask, k)
        order = (-raw).argsort(kind="stable")
        ids, raw = ids[order], raw[order]
        if k is None:
            return ids, raw, plan.reference, lambda: len(ids)
        return ids, raw, plan.reference, lambda: int(np.count_nonzero(having_any(ordered, mask, self.size)))

    def _beside(self, plan: _Plan, text: str) -> Iterator[Impact]:
        """Yield what some words add that stand beside a query; one that it has too counts twice."""
        asked = next((term.asked for term in plan.weights), None)
        for term in distinct_terms(ranking_words(text, self.languages, asked=asked)):
            weight = plan.weights.get(term, 0.0)
            yield self._term(term).times(math.hypot(weight, 1.0) - weight)

    def having(self, text: str, mask: Mask, spellings: Spellings = ()) -> Mask:
        """Return the chunks of a mask that `rank` gives."""
        return having_any(self._plan(text, spellings).ordered, mask, self.size)

    def coverage(self, text: str, spellings: Spellings = ()) -> Scores:
        """Return how much of the information of a query's words each document has, however often: 0 to 1."""
        plan = self._plan(text, spellings)
        covered = np.zeros(self.size, np.float32)
        for term in plan.terms:
            covered[term.ids] += np.float32(term.worth)
        return covered / np.float32(plan.reference or 1)

    def covered(self, chunks: Sequence[int], text: str, mask: Mask, spellings: Spellings = ()) -> Scores:
        """Return what `rank` would give some chunks, as shares of the query's information, unlimited.

        It is 0 for those outside the mask.
        """
        docs, plan = np.array(chunks, np.int64), self._plan(text, spellings)
        scores = _scored(docs, plan)
        scores[~mask[docs]] = 0
        return scores / np.float32(plan.reference or 1)

    def told(
        self, chunks: Sequence[int], text: str, spellings: Spellings = (), in_time: Scores | None = None
    ) -> Told:
        """Return what the words of a query say of some chunks.

        Args:
            chunks: The chunks.
            text: The query.
            spellings: Its spellings.
            in_time: How surely each document lies in a time that is asked for too, 0 to 1. This counts as
                one more word, which tells the more the fewer chunks lie there.
        """
        docs, plan = np.array(chunks, np.int64), self._plan(text, spellings)
        worth = [term.worth for term in plan.terms]
        held = np.zeros((len(docs), len(worth)), np.float32)
        for at, term in enumerate(plan.terms):
            held[_having(docs, term)[0], at] = term.worth
        scores, reference = _scored(docs, plan), plan.reference
        if in_time is not None:
            worth.append(self._impacts.worth_of(int(np.count_nonzero(in_time))))
            time = (in_time[docs] * worth[-1]).astype(np.float32)
            held, scores, reference = np.column_stack((held, time)), scores + time, reference + worth[-1]
        whole = np.float32(reference or 1)
        return Told(held / whole, np.array(worth, np.float32) / whole, scores / whole)

    def ranking_words(self, text: str, spellings: Spellings = ()) -> tuple[Word, ...]:
        """Return the words by which a query ranks; stop words only where no other stands in the vault."""
        return self._plan(text, spellings).words

    def matched(self, doc: int, text: str, spellings: Spellings = ()) -> tuple[str, ...]:
        """Return the words of a query that a chunk has."""
        words = self._plan(text, spellings).words
        return tuple(word.text for word in words if (self._docs_with(word) == doc).any())

    def whole(self, text: str, spellings: Spellings = ()) -> Ids:
        """Return the chunks with all words of a short query, ascending; none where one tells far more."""
        words: dict[str, list[Word]] = {}
        for word in self._plan(text, spellings).words:
            words.setdefault(word.spelling.typed, []).append(word)
        if not 1 < len(words) <= FEW_WORDS:
            return np.zeros(0, np.int64)
        worth = [
            max(self._term(term).worth for word in ways for term in word.terms) for ways in words.values()
        ]
        if max(worth) > ALIKE * min(worth):
            return np.zeros(0, np.int64)
        having = np.zeros((len(words), self.size), np.bool_)
        for row, ways in zip(having, words.values(), strict=True):
            for word in ways:
                row[self._docs_with(word)] = True
        return np.flatnonzero(having.all(axis=0))

    def _docs_with(self, word: Word) -> Ids:
        found = [self._term(term).ids for term in word.terms]
        parts = found[1:] if word.joined and len(found) > 1 else found
        docs = reduce(np.intersect1d, parts)
        return distinct([found[0], docs]) if word.joined else docs

    def sought(self, text: str, spellings: Spellings = ()) -> list[Sought]:
        """Return the words of a query as they stand in notes, each with its information."""
        return [
            Sought(self._stood(term), self._term(term).worth * term.weight * weight)
            for term, weight in self._plan(text, spellings).weights.items()
        ]

    @property
    def most_worth(self) -> float:
        """The information of a word that stands in no chunk."""
        return self._impacts.worth_of(0)

    def _plan(self, text: str, spellings: Spellings) -> _Plan:
        # One request asks for its query several times over: ranked, within masks, word by word.
        key = text, spellings
        with self._lock:
            plan = self._plans.get(key)
        if plan is None:
            plan = self._make_plan(text, spellings)
            with self._lock:
                self._plans[key] = plan
                if len(self._plans) > LAST_PLANS:
                    self._plans.popitem(last=False)
        return plan

    def _make_plan(self, text: str, spellings: Spellings) -> _Plan:
        words = asked = ranking_words(text, self.languages, spellings)
        if not any(self._stands(term) for term in distinct_terms(words)):
            # A stop word of one language is a word of another: it counts where nothing else is found.
            words = ranking_words(text, self.languages, spellings, weak=True)
        terms = _weights(text, words)
        if len(words) > len(asked):
            # What is found by these alone lacks all that was asked for, however rare they are here.
            strong = set(distinct_terms(asked))
            terms = {term: weight if term in strong else STOP * weight for term, weight in terms.items()}
        impacts = tuple(self._term(term).times(weight) for term, weight in terms.items())
        quoted = dict.fromkeys(piece.text for piece in pieces(text) if piece.quoted)
        phrases = [self._phrase(phrase, words) for phrase in quoted if len(runs(phrase)) > 1]
        ordered, reference = in_order([*impacts, *phrases]), self._worth(words, terms)
        return _Plan(words, impacts, ordered, reference, terms)

    def _worth(self, words: Sequence[Word], weights: Mapping[Term, float]) -> float:
        """Sum what the words are worth; of one that has several spellings, the spelling worth most counts."""

        def worth_of(term: Term) -> float:
            return self._term(term).worth * weights.get(term, 1.0)

        typed = [word for word in words if word.spelling.text == word.spelling.typed]
        most: dict[str, float] = {}
        for spelling, group in groupby(words, key=lambda word: word.spelling):
            if spelling.text != spelling.typed:
                worth = sum(map(worth_of, distinct_terms(list(group))))
                most[spelling.typed] = max(worth, most.get(spelling.typed, 0.0))
        return sum(map(worth_of, distinct_terms(typed))) + sum(most.values())

    def _term(self, term: Term) -> Impact:
        with self._lock:
            known = self._cache.get(term)
            if known is not None:
                self._cache.move_to_end(term)
                return known
        impact = self._impacts.impact(self._stood(term))
        with self._lock:
            if term not in self._cache:
                self._cache[term] = impact
                self._cached += len(impact.ids)
            while self._cached > CACHED_POSTINGS and len(self._cache) > 1:
                self._cached -= len(self._cache.popitem(last=False)[1].ids)
        return impact

    def _stands(self, term: Term) -> bool:
        return len(self._term(term).ids) > 0

    def _find_stood(self, term: Term) -> Term:
        # English alone is stemmed alike with and without accents.
        return self._impacts.with_stems(term) if any(self.languages) and term.exact.isascii() else term

    def _phrase(self, phrase: str, words: Sequence[Word]) -> Impact:
        inside = set(runs(phrase))
        terms = distinct_terms([word for word in words if word.spelling.typed in inside])
        return self._impacts.phrase(phrase, sum(self._term(term).worth for term in terms))

    def _best_of(self, ordered: Sequence[Impact], mask: Mask | None, k: int | None) -> tuple[Ids, Scores]:
        # No other thread uses a row of zeros that is taken; it is put back as zeros.
        try:
            sums = self._sums.pop()
        except IndexError:
            sums = np.zeros(self.size, np.float32)
        found = best_of(ordered, mask, k, sums)
        self._sums.append(sums)
        return found


def _weights(text: str, words: Sequence[Word]) -> dict[Term, float]:
    """Return the terms of a query, each with what it counts for: asked for twice the square root of two."""
    typed = Counter(runs(text))
    best = {(term.exact, term.stems): term for term in distinct_terms(words)}
    squares: dict[Term, int] = {}
    for word in words:
        count = min(typed[run] for run in runs(word.spelling.typed))
        for term in {best[term.exact, term.stems]: None for term in word.terms}:
            squares[term] = squares.get(term, 0) + count
    return {term: math.sqrt(square) for term, square in squares.items()}


def _scored(docs: Ids, plan: _Plan) -> Scores:
    """Return the scores of some documents."""
    scores = np.zeros(len(docs), np.float32)
    for impact in plan.ordered:
        there, places = _having(docs, impact)
        scores[there] += impact.scores[places]
    return scores


def _having(docs: Ids, impact: Impact) -> tuple[Ids, Ids]:
    """Return which of some documents have a term, and where it has them."""
    if not len(impact.ids):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    places = np.minimum(impact.ids.searchsorted(docs), len(impact.ids) - 1)
    there = np.flatnonzero(impact.ids[places] == docs)
    return there, places[there]
