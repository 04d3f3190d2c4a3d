"""Answer a question from one index: rank by words or by meaning, and show each content once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from app.errors import ModelError
from app.notices import Notice, NoticeKind
from app.search.embedding.image_model import ImageEmbedder
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Ids, Mask
from app.search.models import Ranked, SearchRequest
from app.search.named.images import MOST_PLACES, embedding_chunks, image_hit, image_notices, merged
from app.search.named.models import SCORE_DIGITS, SearchHit
from app.search.operations import OPERATIONS
from app.search.query.evaluate import query_filter
from app.search.query.read import read_question
from app.search.searcher import Searcher
from app.search.show.results import Shower, StaleError
from app.search.vectors.faiss_index import Joined, Scores
from app.search.vectors.images import FoundImage
from app.search.vectors.store import KeptVectors
from app.search.vectors.vectors import Semantic
from app.search.view import View

if TYPE_CHECKING:
    from PIL.Image import Image

FIRST_FACTOR = 2
"""So many times the wanted hits are ranked at first; then twice as many, and so on."""


def _distinct(snapshot: VaultSnapshot, rank: Callable[[int], Sequence[Ranked]], k: int) -> list[Ranked]:
    """Return the best ``k`` chunks of different content, as many as there are.

    Args:
        snapshot: The snapshot.
        rank: Ranks that many chunks, or somewhat more, best first; fewer where there are no more.
        k: Most chunks.
    """
    contents = snapshot.lexical.column("content_hash")
    count = FIRST_FACTOR * k
    while True:
        items = rank(count)
        kept = _first_of_each(items, contents)
        if len(kept) >= k or len(items) < count:
            return kept[:k]
        count *= 2


def _also_in(snapshot: VaultSnapshot, doc: int, among: Mask) -> list[str]:
    """Name the other notes with a chunk of the same content, among some chunks, by path."""
    contents = snapshot.lexical.column("content_hash")
    if not contents[doc]:
        return []
    same = np.flatnonzero(among & (contents == contents[doc]))
    paths = {snapshot.lexical.path(note) for note in snapshot.lexical.note_of[same].tolist()}
    return sorted(paths - {snapshot.lexical.path(int(snapshot.lexical.note_of[doc]))})


def _first_of_each(items: Iterable[Ranked], contents: Ids) -> list[Ranked]:
    kept: list[Ranked] = []
    seen: set[int] = set()
    for item in items:
        content = int(contents[item.doc])
        if content in seen:
            continue
        kept.append(item)
        # Chunks without text of their own, such as empty notes, have nothing in common.
        if content:
            seen.add(content)
    return kept


@dataclass(frozen=True, slots=True)
class _Found:
    """The best chunks of different content, and the best images; ``among`` are all that could be found.

    Scores of the chunks are cosines where they were ranked by meaning.
    """

    items: list[Ranked]
    among: Mask
    images: list[FoundImage] = field(default_factory=list)
    notices: tuple[Notice, ...] = ()


def _rank_by_words(view: View, query: str, k: int) -> _Found:
    """Rank as ``fast`` does."""
    notices: tuple[Notice, ...] = ()

    def rank(count: int) -> Sequence[Ranked]:
        nonlocal notices
        request = SearchRequest.model_construct(operation="fast", queries=(query,), limit=count)
        ranking = OPERATIONS["fast"](view, request)
        notices = ranking.notices
        return ranking.items

    items = _distinct(view.snapshot, rank, k)
    among = view.snapshot.chunks_of(
        view.snapshot.visible & query_filter(view, read_question(view.snapshot, query))
    )
    return _Found(items, among, notices=notices)


def _rank_by_cosine(joined: Joined, vector: Scores, k: int, others: Mapping[int, Ranked]) -> _Found:
    """Rank by the cosine of the window nearest to a vector of length 1.

    Args:
        joined: The vectors.
        vector: Shape (dimension,).
        k: Most chunks.
        others: Chunks that are worth a cosine for another reason; the better one counts.
    """
    snapshot = joined.snapshot
    visible = snapshot.chunks_of(snapshot.visible)
    with_vectors = visible & (joined.embedded)
    among = with_vectors.copy()
    among[list(others)] = True
    items = _distinct(snapshot, lambda count: _nearest(joined, vector, count, with_vectors, others), k)
    return _Found(items, among)


def _nearest(
    joined: Joined, vector: Scores, count: int, mask: Mask, others: Mapping[int, Ranked]
) -> list[Ranked]:
    lexical = joined.snapshot.lexical
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
        return -item.score, lexical.path(int(lexical.note_of[item.doc])), item.doc

    return sorted(items.values(), key=key)


@dataclass(frozen=True, slots=True)
class NamedQuestion:
    """What is asked: ``query`` by the meaning that ``model`` gives it, without one by its words.

    ``query`` is blank where ``image`` asks alone.
    """

    query: str
    model: str | None
    k: int
    image: "Image | None" = None


@dataclass(frozen=True, slots=True)
class NamedAnswer:
    """The hits, best first, and how many chunks the index has."""

    hits: list[SearchHit]
    total: int
    warnings: list[Notice] = field(default_factory=list)


def answer_named(searcher: Searcher, question: NamedQuestion) -> NamedAnswer:
    """Answer from the last state of the vault; a note that changes meanwhile is read once more.

    Raises:
        VaultError: the vault, the index or the model cannot be used.
    """
    return searcher.mended(lambda: _settled(searcher, question))


def _settled(searcher: Searcher, question: NamedQuestion) -> NamedAnswer:
    warnings = _prepared(searcher, question, force=False)
    try:
        return _answer(searcher, question, warnings, leave_out=False)
    except StaleError:
        warnings += _prepared(searcher, question, force=True)
        return _answer(searcher, question, warnings, leave_out=True)


def _prepared(searcher: Searcher, question: NamedQuestion, *, force: bool) -> list[Notice]:
    warnings = searcher.freshen(force=force)
    return warnings + searcher.embed_for_search() if question.model else warnings


def _answer(
    searcher: Searcher, question: NamedQuestion, warnings: list[Notice], *, leave_out: bool
) -> NamedAnswer:
    view = searcher.view()
    said = list(warnings)
    if question.model and searcher.vectors and not view.stored:
        found = _by_meaning(view, searcher.vectors, question, said)
    else:
        found = _rank_by_words(view, question.query, question.k)
    said += found.notices
    # Its words show where it is answered; none of its signs is an operator here.
    shower = Shower(view, SearchRequest(operation="keyword", search_terms=(question.query,)))
    best = merged(found.items, found.images, question.k, by_words=question.image is None)
    hits = []
    for item in best:
        try:
            if isinstance(item, FoundImage):
                hits.append(image_hit(view, item))
            else:
                hits.append(_hit(view, shower, found, item, said))
        except StaleError as error:
            if not leave_out:
                raise
            said.append(Notice(NoticeKind.NAMED_NOTE_CHANGED, path=str(error)))
    return NamedAnswer(hits, int(view.snapshot.chunks_of(view.snapshot.visible).sum()), said)


def _by_meaning(view: View, semantic: Semantic, question: NamedQuestion, said: list[Notice]) -> _Found:
    kept = semantic.wanted()
    vector = _vector(kept, question)
    if semantic.images is None:
        return _rank_by_cosine(kept.joined(view.snapshot), vector, question.k, {})
    images, unreadable = semantic.images.found(view.snapshot, vector)
    said += image_notices(view.snapshot, semantic.images, unreadable)
    nearest = images[: question.k]
    found = _rank_by_cosine(
        kept.joined(view.snapshot), vector, question.k, embedding_chunks(view.snapshot, nearest)
    )
    return _Found(found.items, found.among, nearest)


def _vector(kept: KeptVectors, question: NamedQuestion) -> Scores:
    """Return the question's vector of length 1: of its text, of its image, or their mean."""
    vectors = []
    if question.query.strip():
        vectors.append(kept.encode_query(question.query).vector)
    if question.image is not None:
        if not isinstance(kept.embedder, ImageEmbedder):
            raise ModelError(
                "model '{model}' understands texts only", "ask without an image", model=question.model
            )
        vectors.append(kept.embedder.encode_images([question.image])[0])
    mean = np.mean(vectors, axis=0)
    length = float(np.linalg.norm(mean))
    # Two that point in opposite directions have no mean: then the words count.
    unit: Scores = (mean / length if length else vectors[0]).astype(np.float32)
    return unit


def _hit(view: View, shower: Shower, found: _Found, item: Ranked, said: list[Notice]) -> SearchHit:
    shown = shower.result(item)
    places = _also_in(view.snapshot, item.doc, found.among)
    if len(places) > MOST_PLACES:
        more = len(places) - MOST_PLACES
        said.append(Notice(NoticeKind.MORE_PLACES, count=more, place=f"{shown.path}:{shown.lines}"))
    return SearchHit(
        uri=f"{shown.uri}#L{shown.lines}",
        path=shown.path,
        title=shown.title,
        lines=shown.lines,
        score=round(shown.score, SCORE_DIGITS),
        excerpt="\n".join(line.rstrip() for line in shown.excerpt.splitlines()),
        also_in=tuple(places[:MOST_PLACES]),
    )
