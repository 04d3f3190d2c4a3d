"""Rank by the words of a query, exactly, without adding up what cannot change the best results."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.impact import (
    Ids,
    Impact,
    Impacts,
    Pair,
    Scores,
    Term,
    Word,
    distinct_terms,
    neighbours,
    ranking_words,
)

_SLACK = 1.00001
"""Bounds are sums of rounded numbers; this much more keeps them bounds."""

Mask = NDArray[np.bool_]
CACHED_POSTINGS = 8_000_000
"""How many postings of recent terms are kept added up (12 bytes each)."""
LAST_PLANS = 8


def in_order(impacts: Iterable[Impact]) -> tuple[Impact, ...]:
    """Sort terms by the most they add; those that occur nowhere are left out."""
    return tuple(sorted((i for i in impacts if len(i.ids)), key=lambda i: (-i.top, len(i.ids))))


def top(
    ordered: Sequence[Impact], mask: NDArray[np.bool_] | None, k: int | None, sums: Scores
) -> tuple[Ids, Scores]:
    """Return the chunks whose sum over the terms is among the ``k`` highest, in no order, ties all included.

    Terms go from the highest bound to the lowest. Once those left together cannot lift a chunk that
    was not met yet into the best k, they are only looked up for the chunks still in the race.

    Args:
        ordered: What each term adds, as `in_order` gives it; every chunk's sum is taken in this order.
        mask: Which documents may answer.
        k: How many are wanted; None for all.
        sums: Zeros, one for each document; zeros again on return.
    """
    if len(ordered) == 1:
        return _cut(*_within(ordered[0], mask), k)
    rest = sum(impact.top for impact in ordered)
    most = 0.0
    met: list[Ids] = []
    count, best, done = 0, 0.0, 0
    for impact in ordered:
        # No chunk has more than the terms so far can give, so below that the best k need not be looked at.
        if k is not None and count >= k and most > rest * _SLACK:
            best = _kth(sums[np.concatenate(met)], k)
            if best > rest * _SLACK:
                break
        ids, scores = _within(impact, mask)
        if done:
            before = sums[ids]
            met.append(ids[before == 0])
            sums[ids] = before + scores
        else:
            met.append(ids)
            sums[ids] = scores
        count += len(met[-1])
        rest -= impact.top
        most += impact.top
        done += 1
    found = np.concatenate(met) if met else np.zeros(0, np.int64)
    score: Scores = sums[found]
    sums[found] = 0
    for impact in ordered[done:]:
        racing = score + np.float32(rest * _SLACK) >= best
        found, score = found[racing], score[racing]
        at = np.minimum(impact.ids.searchsorted(found), len(impact.ids) - 1)
        score = score + np.where(impact.ids[at] == found, impact.scores[at], np.float32(0))
        rest -= impact.top
    return _cut(found, score, k)


def count_any(impacts: Sequence[Impact], mask: NDArray[np.bool_] | None, size: int) -> int:
    """Count the documents that have any of the terms."""
    having = np.zeros(size, np.bool_)
    for impact in impacts:
        having[impact.ids] = True
    return int(np.count_nonzero(having if mask is None else having & mask))


def equal_runs(scores: Scores) -> list[tuple[int, int]]:
    """Return the runs of two or more equal scores in a sorted array: first, and after the last."""
    same = scores[1:] == scores[:-1]
    if not same.any():
        return []
    borders = np.flatnonzero(~same) + 1
    edges = [0, *borders.tolist(), len(scores)]
    return [(start, end) for start, end in pairwise(edges) if end - start > 1]


def _within(impact: Impact, mask: NDArray[np.bool_] | None) -> tuple[Ids, Scores]:
    if mask is None:
        return impact.ids, impact.scores
    allowed = mask[impact.ids]
    return impact.ids[allowed], impact.scores[allowed]


def _cut(ids: Ids, scores: Scores, k: int | None) -> tuple[Ids, Scores]:
    """Keep the k best, and what equals the last of them."""
    if k is None or len(scores) <= k:
        return ids, scores
    kept = (scores >= np.float32(_kth(scores, k))).nonzero()[0]
    return ids[kept], scores[kept]


def _kth(scores: Scores, k: int) -> float:
    ordered = scores.copy()
    ordered.partition(len(scores) - k)
    return float(ordered[len(scores) - k])


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
        """Return the best chunks in order with their scores, ties with the last too, and a count of all."""
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
        """Return the score of each distinct word once in a body of average length."""
        return self._plan(text).reference

    def coverage(self, text: str) -> Scores:
        """Return how much of the information of a query's words each document has, however often: 0 to 1."""
        plan = self._plan(text)
        covered = np.zeros(self._size, np.float32)
        for term in plan.terms:
            covered[term.ids] += np.float32(term.worth)
        return covered / np.float32(plan.reference or 1)

    def matched(self, doc: int, text: str) -> tuple[str, ...]:
        """Return the words of a query that a chunk has."""
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
