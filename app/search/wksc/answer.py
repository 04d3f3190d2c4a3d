"""Answer a question from one index: rank, let each content be found once, and show the hits."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from app.errors import ModelError
from app.search.embedding.image_model import ImageEmbedder
from app.search.index.snapshot import VaultSnapshot
from app.search.models import Ranked, SearchRequest
from app.search.results import Shower, StaleError
from app.search.searcher import Searcher
from app.search.vectors.faiss_index import Scores
from app.search.vectors.images import FoundImage
from app.search.vectors.store import KeptVectors
from app.search.vectors.vectors import Semantic
from app.search.wksc.distinct import also_in
from app.search.wksc.images import MOST_PLACES, embedding_chunks, image_hit, image_notices, merged
from app.search.wksc.models import SCORE_DIGITS, SearchHit
from app.search.wksc.ranking import Found, rank_by_cosine, rank_by_words

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: ``query`` by the meaning that ``model`` gives it, without one by its words.

    ``query`` is blank where ``image`` asks alone.
    """

    query: str
    model: str | None
    k: int
    image: "Image | None" = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits, best first, and how many chunks the index has."""

    hits: list[SearchHit]
    total: int
    warnings: list[str] = field(default_factory=list)


def answer(searcher: Searcher, question: Question) -> Answer:
    """Answer from the last state of the vault; a note that changes meanwhile is read once more.

    Raises:
        VaultError: the vault, the index or the model cannot be used.
    """
    return searcher.mended(lambda: _settled(searcher, question))


def _settled(searcher: Searcher, question: Question) -> Answer:
    warnings = _prepared(searcher, question, force=False)
    try:
        return _answer(searcher, question, warnings, leave_out=False)
    except StaleError:
        warnings += _prepared(searcher, question, force=True)
        return _answer(searcher, question, warnings, leave_out=True)


def _prepared(searcher: Searcher, question: Question, *, force: bool) -> list[str]:
    warnings = searcher.freshen(force=force)
    return warnings + searcher.embed_for_search() if question.model else warnings


def _answer(searcher: Searcher, question: Question, warnings: list[str], *, leave_out: bool) -> Answer:
    view, vault = searcher.view(), searcher.vault
    said = list(warnings)
    if question.model and view.semantic:
        found = _by_meaning(searcher, view, view.semantic, question, said)
    else:
        found = rank_by_words(view, vault, question.query, question.k)
    said += found.notices
    # Its words show where it is answered; none of its signs is an operator here.
    shower = Shower(view, vault, SearchRequest(operation="keyword", search_terms=(question.query,)))
    best = merged(found.items, found.images, question.k, by_words=question.image is None)
    hits = []
    for item in best:
        try:
            if isinstance(item, FoundImage):
                hits.append(image_hit(view, vault, item))
            else:
                hits.append(_hit(view, shower, found, item, said))
        except StaleError as error:
            if not leave_out:
                raise
            said.append(f"'{error}' changed while it was searched and is left out")
    return Answer(hits, int(view.chunks_of(view.visible).sum()), said)


def _by_meaning(
    searcher: Searcher, view: VaultSnapshot, semantic: Semantic, question: Question, said: list[str]
) -> Found:
    kept = semantic.answering(view) if question.image is None else semantic.wanted()
    if kept is not semantic.wanted():
        said.append(f"the vectors of '{semantic.name}' are being built; those of the model before answer")
    vector = _vector(kept, question)
    images = semantic.images(kept)
    if images is None:
        return rank_by_cosine(kept.joined(view), vector, question.k, {})
    said += image_notices(searcher.vault, view, images)
    nearest = images.nearest(searcher.vault, view, vector, question.k)
    found = rank_by_cosine(kept.joined(view), vector, question.k, embedding_chunks(view, nearest))
    return Found(found.items, found.among, nearest)


def _vector(kept: KeptVectors, question: Question) -> Scores:
    """Give the question's vector of length 1: of its text, of its image, or their mean."""
    vectors = []
    if question.query.strip():
        vectors.append(kept.encode_query(question.query).vector)
    if question.image is not None:
        if not isinstance(kept.embedder, ImageEmbedder):
            raise ModelError(f"model '{question.model}' understands texts only", "ask without an image")
        vectors.append(kept.embedder.encode_images([question.image])[0])
    mean = np.mean(vectors, axis=0)
    length = float(np.linalg.norm(mean))
    # Two that point in opposite directions have no mean: then the words count.
    unit: Scores = (mean / length if length else vectors[0]).astype(np.float32)
    return unit


def _hit(view: VaultSnapshot, shower: Shower, found: Found, item: Ranked, said: list[str]) -> SearchHit:
    shown = shower.result(item)
    places = also_in(view, item.doc, found.among)
    if len(places) > MOST_PLACES:
        more = len(places) - MOST_PLACES
        said.append(f"{more} more notes hold what {shown.path}:{shown.lines} says; 'also_in' leaves them out")
    return SearchHit(
        uri=f"{shown.uri}#L{shown.lines}",
        path=shown.path,
        title=shown.title,
        lines=shown.lines,
        score=round(shown.score, SCORE_DIGITS),
        excerpt="\n".join(line.rstrip() for line in shown.excerpt.splitlines()),
        also_in=tuple(places[:MOST_PLACES]),
    )
