"""Answer a question from one index: rank by words or by meaning, and show each content once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.errors import ModelError
from app.notices import Notice, NoticeKind
from app.search.embedding.image_model import ImageEmbedder
from app.search.lexical.segment import Mask
from app.search.models import Ranked, Ranking, SearchRequest
from app.search.named.models import SCORE_DIGITS, SearchHit
from app.search.query.evaluate import query_filter
from app.search.query.read import read_question
from app.search.rank.merge import rank_passages
from app.search.searcher import Searcher
from app.search.show.results import Shower, StaleError
from app.search.vectors.faiss_index import Joined, Scores
from app.search.vectors.vectors import Semantic
from app.search.view import View

if TYPE_CHECKING:
    from PIL.Image import Image

FIRST_FACTOR = 2
"""So many times the wanted hits are ranked at first; then twice as many, and so on."""
MOST_PLACES = 20
"""Most paths that ``also_in`` names."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The best chunks of different content; ``among`` are all that could be found."""

    items: list[Ranked]
    among: Mask
    notices: tuple[Notice, ...] = ()


Answer = tuple[list[SearchHit], int, list[Notice]]
"""The hits, best first, how many chunks the index has, and what must be said."""


def answer_named(
    searcher: Searcher, query: str, model: str | None, k: int, image: "Image | None" = None
) -> Answer:
    """Answer from the last state of the vault; a note that changes meanwhile is read once more.

    Args:
        searcher: The index.
        query: What is asked; blank where an image asks alone.
        model: The model that gives the query its meaning; None asks by its words.
        k: Most hits.
        image: An image that is asked for too.

    Raises:
        VaultError: the vault, the index or the model cannot be used.
    """

    def answer(*, again: bool = False) -> Answer:
        said = searcher.freshen(force=again)
        said += searcher.engine.embed_for_search() if model else []
        view = searcher.view()
        vectors = searcher.vectors if model and not view.stored else None
        found = _by_meaning(view, vectors, query, image, k) if vectors else _by_words(view, query, k)
        hits, warnings = _hits(view, query, found)
        if None in hits and not again:
            hits_now, total, later = answer(again=True)
            return hits_now, total, [*said, *later]
        changed = [Notice(NoticeKind.NOTE_CHANGED)] if None in hits else []
        total = int(view.snapshot.chunks_of(view.snapshot.visible).sum())
        return list(filter(None, hits)), total, [*said, *found.notices, *warnings, *changed]

    return searcher.mended(answer)


def _by_words(view: View, query: str, k: int) -> _Found:
    """Rank as ``fast`` does."""
    rankings: list[Ranking] = []

    def rank(count: int) -> tuple[Ranked, ...]:
        request = SearchRequest.model_construct(operation="fast", queries=(query,), limit=count)
        rankings.append(rank_passages(view, request))
        return rankings[-1].items

    items = _distinct(view, rank, k)
    passing = query_filter(view, read_question(view.snapshot, query))
    among = view.snapshot.chunks_of(view.snapshot.visible & passing)
    return _Found(items, among, rankings[-1].notices)


def _by_meaning(view: View, semantic: Semantic, query: str, image: "Image | None", k: int) -> _Found:
    """Rank by the cosine of the nearest window."""
    vector, joined = _vector(semantic, query, image), semantic.wanted().joined(view.snapshot)
    among = view.snapshot.chunks_of(view.snapshot.visible) & joined.embedded
    return _Found(_distinct(view, lambda count: _nearest(joined, vector, count, among), k), among)


def _distinct(view: View, rank: Callable[[int], Sequence[Ranked]], k: int) -> list[Ranked]:
    """Return the best ``k`` chunks of different content, as many as there are.

    Args:
        view: The index.
        rank: Ranks that many chunks, or somewhat more, best first; fewer where there are no more.
        k: Most chunks.
    """
    contents, count = view.lexical.column("content_hash"), FIRST_FACTOR * k
    while True:
        items, kept = rank(count), dict[int, Ranked]()
        for item in items:
            # Chunks without text of their own, such as empty notes, have nothing in common.
            kept.setdefault(int(contents[item.doc]) or ~item.doc, item)
        if len(kept) >= k or len(items) < count:
            return list(kept.values())[:k]
        count *= 2


def _nearest(joined: Joined, vector: Scores, count: int, mask: Mask) -> list[Ranked]:
    """Rank chunks by their nearest window."""
    lexical, docs = joined.snapshot.lexical, joined.nearest(vector, count, mask, {})
    rows, cosines = joined.index.best_rows(vector, [joined.rows(doc, {}) for doc in docs])
    items = [
        Ranked(doc, cosine, near=joined.lines_of(doc, row))
        for doc, row, cosine in zip(docs, rows.tolist(), cosines.tolist(), strict=True)
    ]

    def key(item: Ranked) -> tuple[float, str, int]:
        return -item.score, lexical.path(int(lexical.note_of[item.doc])), item.doc

    return sorted(items, key=key)


def _vector(semantic: Semantic, query: str, image: "Image | None") -> Scores:
    """Return the question's vector of length 1: of its text, of its image, or their mean."""
    kept = semantic.wanted()
    vectors = [kept.encode_query(query).vector] if query.strip() else []
    if image is not None:
        if not isinstance(kept.embedder, ImageEmbedder):
            raise ModelError(
                "model '{model}' understands texts only", "ask without an image", model=semantic.name
            )
        vectors.append(kept.embedder.encode_image(image))
    mean = np.mean(vectors, axis=0)
    length = float(np.linalg.norm(mean))
    # Two that point in opposite directions have no mean: then the words count.
    unit: Scores = (mean / length if length else vectors[0]).astype(np.float32)
    return unit


def _hits(view: View, query: str, found: _Found) -> tuple[list[SearchHit | None], list[Notice]]:
    """Show what is found, with the places of the same content; None for a note that changed meanwhile."""
    # Its words show where it is answered; none of its signs is an operator here.
    shower = Shower(view, SearchRequest(operation="keyword", search_terms=(query,)))
    hits, said = list[SearchHit | None](), list[Notice]()
    for item in found.items:
        try:
            shown = shower.result(item)
        except StaleError:
            hits.append(None)
            continue
        places = _also_in(view, item.doc, found.among)
        if more := len(places[MOST_PLACES:]):
            said.append(Notice(NoticeKind.MORE_PLACES, count=more, place=f"{shown.path}:{shown.lines}"))
        hits.append(
            SearchHit(
                uri=f"{shown.uri}#L{shown.lines}",
                path=shown.path,
                title=shown.title,
                lines=shown.lines or "",
                score=round(shown.score, SCORE_DIGITS),
                excerpt="\n".join(line.rstrip() for line in shown.excerpt.splitlines()),
                also_in=tuple(places[:MOST_PLACES]),
            )
        )
    return hits, said


def _also_in(view: View, doc: int, among: Mask) -> list[str]:
    """Name the other notes with a chunk of the same content, among some chunks, by path."""
    lexical, contents = view.lexical, view.lexical.column("content_hash")
    if not contents[doc]:
        return []
    same = np.flatnonzero(among & (contents == contents[doc]))
    paths = {lexical.path(note) for note in lexical.note_of[same].tolist()}
    return sorted(paths - {lexical.path(int(lexical.note_of[doc]))})
