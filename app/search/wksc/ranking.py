"""Rank the chunks of an index by words, or by the cosine of their best window, and nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.dependencies import VaultClient
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Mask
from app.search.models import Ranked, SearchRequest
from app.search.operations import OPERATIONS
from app.search.query.evaluate import query_filter
from app.search.query.parse import parse_query
from app.search.vectors.by_chunk import Joined
from app.search.vectors.faiss_index import Scores
from app.search.vectors.images import FoundImage
from app.search.wksc.distinct import distinct


@dataclass(frozen=True, slots=True)
class Found:
    """The best chunks of different content, and the best images; ``among`` are all that could be found.

    Scores of the chunks are cosines where they were ranked by meaning.
    """

    items: list[Ranked]
    among: Mask
    images: list[FoundImage] = field(default_factory=list)
    notices: tuple[str, ...] = ()


def rank_by_words(view: VaultSnapshot, vault: VaultClient, query: str, k: int) -> Found:
    """Rank as ``fast`` does."""
    notices: tuple[str, ...] = ()

    def rank(count: int) -> Sequence[Ranked]:
        nonlocal notices
        ranking = OPERATIONS["fast"](view, vault, SearchRequest("fast", queries=(query,), limit=count))
        notices = ranking.notices
        return ranking.items

    items = distinct(view, rank, k)
    among = view.chunks_of(view.visible & query_filter(view, vault, parse_query(query)))
    return Found(items, among, notices=notices)


def rank_by_cosine(joined: Joined, vector: Scores, k: int, others: Mapping[int, Ranked]) -> Found:
    """Rank by the cosine of the window nearest to a vector of length 1.

    Args:
        joined: The vectors.
        vector: Shape (dimension,).
        k: Most chunks.
        others: Chunks that are worth a cosine for another reason; the better one counts.
    """
    view = joined.view
    visible = view.chunks_of(view.visible)
    with_vectors = visible & (joined.passage_of >= 0)
    among = with_vectors.copy()
    among[list(others)] = True
    items = distinct(view, lambda count: _nearest(joined, vector, count, with_vectors, others), k)
    return Found(items, among)


def _nearest(
    joined: Joined, vector: Scores, count: int, mask: Mask, others: Mapping[int, Ranked]
) -> list[Ranked]:
    view = joined.view
    docs = joined.nearest(vector, count, mask, {})
    rows, cosines = joined.index.best_rows(vector, [joined.rows(doc, {}) for doc in docs])
    items = {
        doc: Ranked(doc, cosine, near=joined.lines_of(doc, row))
        for doc, row, cosine in zip(docs, rows.tolist(), cosines.tolist(), strict=True)
    }
    for doc, item in others.items():
        if doc not in items or items[doc].score < item.score:
            items[doc] = item

    def key(item: Ranked) -> tuple[float, str, int]:
        return -item.score, view.lexical.path(int(view.lexical.note_of[item.doc])), item.doc

    return sorted(items.values(), key=key)
