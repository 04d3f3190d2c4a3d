"""Rank passages for one or several queries, and say how each was found."""

from collections.abc import Callable, Mapping, Sequence

from app.notices import Notice, NoticeKind
from app.search.excerpt import fold, query_words
from app.search.models import Ranked, Ranking, SearchRequest
from app.search.query.evaluate import chunk_text
from app.search.query.explain import describe, readings
from app.search.query.filters import ChunkFilter, Lines, chunk_filter
from app.search.query.parse import is_phrase, parse_question, without_phrases
from app.search.query.spelling import respelt, spelt
from app.search.query.tree import Query
from app.search.rank.words import ChunkRanking
from app.search.view import View


def rank_passages(
    view: View,
    request: SearchRequest,
    rank: Callable[[Query, ChunkFilter], ChunkRanking],
) -> Ranking:
    """Rank chunks for each query on its own and merge them, each chunk once with its best score.

    The ranking holds what the request can show; its total counts all.
    """
    chunks = chunk_filter(view, request)
    queries = [spelt(view.snapshot, parse_question(text)) for text in request.queries]
    rankings, loosened = [], list[Notice]()
    for query in queries:
        ranking = rank(query, chunks)
        phrases = [part for part in query.filters if is_phrase(part)]
        if not ranking.rows and phrases and (looser := without_phrases(query)):
            ranking = rank(looser, chunks)
            said = tuple(map(describe, phrases))
            loosened += [Notice(NoticeKind.SEARCHED_WITHOUT, parts=said)] if ranking.rows else []
        rankings.append(ranking)
    best: dict[int, float] = {}
    place: dict[int, int] = {}
    for ranking in rankings:
        for at, (doc, score) in enumerate(ranking.rows):
            best[doc] = max(score, best.get(doc, 0.0))
            # Equal scores keep the order in which their own query ranks them.
            place[doc] = min(at, place.get(doc, at))
    docs = sorted(best, key=lambda doc: (-best[doc], place[doc]))
    if request.cuts_by_score:
        docs = [doc for doc in docs if request.allows(best[doc])]
    near = {doc: lines for ranking in rankings for doc, lines in ranking.near.items()}
    found = [legs for ranking in rankings if request.explain and (legs := ranking.legs)]
    items = tuple(
        Ranked(
            doc,
            best[doc],
            _best_range(view, doc, chunks, queries),
            _found_by(doc, found),
            near.get(doc, ()),
        )
        for doc in (docs if request.limit is None else docs[: request.offset + request.limit])
    )
    alone = len(rankings) == 1 and not request.cuts_by_score
    total = rankings[0].total if alone else len(docs)
    notices = readings(view, request, queries, total, ranked=True)
    return Ranking(items, total, (*loosened, *notices))


def _found_by(doc: int, rankings: Sequence[Mapping[str, Sequence[int]]]) -> str:
    """Return which lists found a chunk, and at which place."""
    said = dict.fromkeys(
        f"{name} #{found.index(doc) + 1}" for legs in rankings for name, found in legs.items() if doc in found
    )
    return f"found by {', '.join(said)}" if said else ""


def _best_range(view: View, doc: int, chunks: ChunkFilter, queries: Sequence[Query]) -> tuple[int, ...]:
    """Choose, of a chunk allowed in part only, the lines that show the queries best."""
    if doc not in chunks.lines:
        return ()
    texts = [respelt(query.text, query.spellings, every=True) for query in queries]
    words = {word for text in texts for word in query_words(text)}

    def worth(piece: Lines) -> int:
        text = fold(chunk_text(view, doc, piece))
        return sum(word in text for word in words)

    return max(chunks.lines[doc], key=worth)
