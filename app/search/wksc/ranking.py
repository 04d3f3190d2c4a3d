"""Rank the chunks of an index by words, or by the cosine of their best window, and nothing else."""

from dataclasses import dataclass

import numpy as np

from app.dependencies import VaultClient
from app.search.lexical.index import Mask
from app.search.models import Ranked, SearchRequest
from app.search.operations import OPERATIONS
from app.search.semantic.joined import Joined
from app.search.semantic.vectors import Scores
from app.search.snapshot import VaultSnapshot
from app.search.wksc.distinct import distinct


@dataclass(frozen=True, slots=True)
class Found:
    """The best chunks of different content; ``among`` are all that were ranked."""

    items: list[Ranked]
    among: Mask
    notices: tuple[str, ...] = ()


def rank_by_words(view: VaultSnapshot, vault: VaultClient, query: str, k: int) -> Found:
    """Rank as ``fast`` does."""
    request = SearchRequest(operation="fast", queries=(query,), limit=None)
    ranking = OPERATIONS["fast"](view, vault, request)
    among = np.zeros(view.lexical.size, np.bool_)
    among[[item.doc for item in ranking.items]] = True
    items = distinct(view, lambda count: ranking.items[:count], k, len(ranking.items))
    return Found(items, among, ranking.notices)


def rank_by_cosine(view: VaultSnapshot, joined: Joined, vector: Scores, k: int) -> Found:
    """Rank by the cosine of the window nearest to a vector of length 1; scores are clamped to 0..1."""
    among = view.chunks_of(view.visible) & (joined.passage_of >= 0)
    items = distinct(view, lambda count: _nearest(joined, vector, count, among), k, int(among.sum()))
    return Found(items, among)


def _nearest(joined: Joined, vector: Scores, count: int, among: Mask) -> list[Ranked]:
    docs = joined.nearest(vector, count, among, {})
    rows, cosines = joined.index.best_rows(vector, [joined.rows(doc, {}) for doc in docs])
    view = joined.view
    order = sorted(
        range(len(docs)),
        key=lambda at: (
            -float(cosines[at]),
            view.lexical.path(int(view.lexical.note_of[docs[at]])),
            docs[at],
        ),
    )
    return [
        Ranked(docs[at], clamped(cosines[at]), near=joined.lines_of(docs[at], int(rows[at]))) for at in order
    ]


def clamped(cosine: float | np.float32) -> float:
    """Give a cosine as a score from 0 to 1."""
    return min(1.0, max(0.0, float(cosine)))
