"""Rank the notes that hold the words of a query: all of them, or failing that most."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.dependencies import VaultClient
from app.search.lexical.index import Mask
from app.search.models import Ranked, Ranking, SearchRequest
from app.search.query.evaluate import matching_notes, read_query, word_notes
from app.search.query.explain import readings
from app.search.query.tree import Query
from app.search.relevance import rank_notes
from app.search.snapshot import VaultSnapshot
from app.search.text import query_words

Counts = NDArray[np.int64]

_PUNCTUATION = ".,;:!?…()[]«»\"'“”"

MOST_WORDS = 200
"""Of a longer text the first words are asked for, and all rank."""


def rank_worded(view: VaultSnapshot, vault: VaultClient, request: SearchRequest, mask: Mask) -> Ranking:
    """Rank the notes of a mask that hold all the words, or failing that most of them."""
    queries = [read_query(view, text) for text in request.queries]
    matched = np.zeros_like(mask)
    notices: list[str] = []
    for query in queries:
        allowed = matching_notes(view, vault, query.conditions, mask)
        notes, notice = _holding_words(view, vault, query, allowed)
        matched |= notes
        notices += [notice] if notice else []
    ranked_text = " ".join(query.positive for query in queries if query.positive)
    total = int(matched.sum())
    notices += readings(view, vault, request, queries, total, ranked=False)
    if not ranked_text:
        return replace(newest(view, matched), notices=tuple(notices))
    items = rank_notes(view, vault, ranked_text, matched)
    if request.min_score is not None:
        items = [item for item in items if item.score >= request.min_score]
    return Ranking(tuple(items), len(items), tuple(notices))


def _holding_words(view: VaultSnapshot, vault: VaultClient, query: Query, mask: Mask) -> tuple[Mask, str]:
    """Give the notes with all words of a query; where there are none, those with most, and say so."""
    # Signs between words, such as a lone dash, ask for nothing where there is anything besides.
    words = [word for word in dict.fromkeys(query.words) if query_words(word)[0].isalnum()]
    words = words or ([] if query.conditions else list(query.words))
    words = words[:MOST_WORDS]
    if not words:
        return mask, ""
    counts = _count_words(view, vault, words, mask)
    most = int(counts.max(initial=0))
    if most < len(words):
        # A question mark or comma after a word is punctuation, unless a note has it so.
        counts = _count_words(view, vault, [word.strip(_PUNCTUATION) or word for word in words], mask)
        most = int(counts.max(initial=0))
    notice = (
        f"no note holds all {len(words)} words; these hold {most} of them" if 0 < most < len(words) else ""
    )
    return (counts == most) & mask & (most > 0), notice


def _count_words(view: VaultSnapshot, vault: VaultClient, words: Sequence[str], mask: Mask) -> Counts:
    """Count, for each note of a mask, the words it holds."""
    counts = np.zeros(len(mask), dtype=np.int64)
    for word in words:
        counts += word_notes(view, vault, word) & mask
    return counts


def newest(view: VaultSnapshot, mask: Mask, field: str = "modified") -> Ranking:
    """List the notes of a mask by a date, newest first."""
    docs = view.newest_first(np.flatnonzero(mask).tolist(), field)
    return Ranking(tuple(Ranked(doc, 1.0) for doc in docs), len(docs))
