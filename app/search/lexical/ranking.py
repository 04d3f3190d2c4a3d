"""Rank by the words of a query; what a term adds is worked out once for a snapshot and kept."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.impact import Ids, Impact, Impacts, Scores
from app.search.lexical.query import Pair, Term, Word, distinct_terms, neighbours, ranking_words
from app.search.lexical.topk import count_any, in_order, top

Mask = NDArray[np.bool_]

CACHED_POSTINGS = 8_000_000
"""How many postings of recent terms are kept added up (12 bytes each)."""

LAST_PLANS = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """What a query asks for: its words, what they add, that and what pairs add, and the reference."""

    words: tuple[Word, ...]
    terms: tuple[Impact, ...]
    ordered: tuple[Impact, ...]
    reference: float


class Ranker:
    """Ranks within one snapshot; safe to use from many threads."""

    def __init__(self, impacts: Impacts, languages: tuple[int, ...], size: int) -> None:
        self._impacts, self._languages, self._size = impacts, languages, size
        self._cache: OrderedDict[Term | Pair, Impact] = OrderedDict()
        self._cached = 0
        self._lock = threading.Lock()
        self._sums: list[Scores] = []
        self._plans: OrderedDict[str, Plan] = OrderedDict()

    def rank(self, text: str, mask: Mask | None, k: int | None) -> tuple[Ids, Scores, Callable[[], int]]:
        """Give the best chunks in order with their scores, ties with the last too, and a count of all."""
        plan = self._plan(text)
        sums = self._take_sums()
        ids, raw = top(plan.ordered, mask, k, sums)
        self._sums.append(sums)
        order = (-raw).argsort(kind="stable")
        ids, raw = ids[order], raw[order]
        if k is None:
            return ids, raw, lambda: len(ids)
        return ids, raw, lambda: count_any(plan.terms, mask, self._size)

    def reference(self, text: str) -> float:
        """Give the score of each distinct word once in a body of average length."""
        return self._plan(text).reference

    def matched(self, doc: int, text: str) -> tuple[str, ...]:
        """Give the words of a query that a chunk has."""
        return tuple(word.text for word in self._plan(text).words if self._has(doc, word))

    def _plan(self, text: str) -> Plan:
        # One request asks for its query several times over: ranked, within masks, word by word.
        with self._lock:
            plan = self._plans.get(text)
        if plan is None:
            plan = self._make_plan(text)
            with self._lock:
                self._plans[text] = plan
                if len(self._plans) > LAST_PLANS:
                    self._plans.popitem(last=False)
        return plan

    def _make_plan(self, text: str) -> Plan:
        words = ranking_words(text, self._languages)
        terms = tuple(self._term(term) for term in distinct_terms(words))
        if not any(len(term.ids) for term in terms):
            # A stop word of one language is a word of another: it counts where nothing else is found.
            words = ranking_words(text, self._languages, weak=True)
            terms = tuple(self._term(term) for term in distinct_terms(words))
        pairs = [self._pair(pair) for pair in neighbours(text, words)] if len(words) > 1 else []
        return Plan(words, terms, in_order([*terms, *pairs]), sum(term.worth for term in terms))

    def _has(self, doc: int, word: Word) -> bool:
        having = [_occurs(doc, self._term(term)) for term in word.terms]
        return all(having) or (word.joined and (having[0] or all(having[1:])))

    def _term(self, term: Term) -> Impact:
        return self._known(term) or self._keep(term, self._impacts.impact(term))

    def _pair(self, pair: Pair) -> Impact:
        known = self._known(pair)
        if known is not None:
            return known
        worth = min(self._term(pair.left).worth, self._term(pair.right).worth)
        return self._keep(pair, self._impacts.together(pair, worth))

    def _known(self, key: Term | Pair) -> Impact | None:
        with self._lock:
            known = self._cache.get(key)
            if known is not None:
                self._cache.move_to_end(key)
            return known

    def _keep(self, key: Term | Pair, impact: Impact) -> Impact:
        with self._lock:
            if key not in self._cache:
                self._cache[key] = impact
                self._cached += len(impact.ids)
            while self._cached > CACHED_POSTINGS and len(self._cache) > 1:
                self._cached -= len(self._cache.popitem(last=False)[1].ids)
        return impact

    def _take_sums(self) -> Scores:
        """Take a row of zeros that no other thread uses; it is put back as zeros."""
        try:
            return self._sums.pop()
        except IndexError:
            return np.zeros(self._size, np.float32)


def _occurs(doc: int, impact: Impact) -> bool:
    at = int(np.searchsorted(impact.ids, doc))
    return at < len(impact.ids) and int(impact.ids[at]) == doc
