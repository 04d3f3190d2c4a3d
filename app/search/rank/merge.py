"""Rank passages for one or several queries, and say how each was found."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from app.notices import Notice, NoticeKind
from app.search.index.chunk import split_lines
from app.search.index.documents import CHAT, MARK, value_prefix
from app.search.lexical.index import Mask
from app.search.models import Ranked, Ranking, SearchRequest
from app.search.query.evaluate import chunk_text
from app.search.query.explain import describe, readings
from app.search.query.filters import ChunkFilter, Lines, chunk_filter
from app.search.query.parse import is_phrase
from app.search.query.read import loosened, queries_of
from app.search.query.tree import Query
from app.search.rank.called import called_chunks
from app.search.rank.dated import Placed
from app.search.rank.likely import Evidence, Rows, falling
from app.search.rank.words import ChunkRanking, Rank, found_chunks
from app.search.show.lines import line_words
from app.search.view import View
from app.sentences import Sentence, worded
from app.stopping import go_on

NAMES = "names"
"""The list of the notes that a query calls by name."""


def rank_passages(
    view: View,
    request: SearchRequest,
    rank: Rank,
) -> Ranking:
    """Rank chunks for each query on its own and merge them, each chunk once with its best score.

    The ranking holds what the request can show; its total counts all.
    """
    chunks = chunk_filter(view, request)
    queries = queries_of(view.snapshot, request)
    rankings, dropped = [], list[Notice]()
    for query in queries:
        go_on()
        ranking = _named_first(view, query, chunks, rank(query, chunks))
        phrases = [part for part in query.filters if is_phrase(part)]
        if not ranking.rows and phrases and (looser := loosened(query)):
            ranking = rank(looser, chunks)
            said = tuple(map(describe, phrases))
            dropped += [Notice(NoticeKind.SEARCHED_WITHOUT, parts=said)] if ranking.rows else []
        rankings.append(ranking)
    # What is unlikely is left out first, so that nothing is hidden by what a time puts before it.
    fallen = [falling(_allowed(ranking.rows, request)) for ranking in rankings]
    best = dict(fallen[0]) if len(fallen) == 1 else _best_of(fallen)
    docs = _behind_quoted(view, best)
    near = {doc: lines for ranking in rankings for doc, lines in ranking.near.items()}
    found = [legs for ranking in rankings if request.explain and (legs := ranking.legs)]
    weighed = [ranking.evidence for ranking in rankings if request.explain and ranking.evidence]
    raised = [ranking.placed for ranking in rankings if request.explain and ranking.placed]
    items = tuple(
        Ranked(
            doc,
            best[doc],
            _best_range(view, doc, chunks, queries),
            _found_by(doc, found, weighed, raised),
            near.get(doc, ()),
        )
        for doc in (docs if request.limit is None else docs[: request.offset + request.limit])
    )
    alone = len(rankings) == 1 and not request.cuts_by_score
    total = rankings[0].total if alone else len(docs)
    times = dict.fromkeys(ranking.placed.window.notice() for ranking in rankings if ranking.placed)
    notices = readings(view, request, queries, total, ranked=True)
    is_far = all(ranking.is_far for ranking in rankings)
    has_none = all("words" in one.legs and not one.legs["words"] and not one.glossed for one in rankings)
    said = (*dropped, *times, *notices)
    return Ranking(items, total, said, tuple(docs), is_far=is_far, has_no_words=has_none)


def _named_first(view: View, query: Query, chunks: ChunkFilter, ranking: ChunkRanking) -> ChunkRanking:
    """Put the notes that a query calls by name before what mentions them."""
    named = called_chunks(view, query, chunks, ranking.rows)
    if not named:
        return ranking
    own, total = dict(ranking.rows), ranking.total
    rest = [row for row in ranking.rows if row[0] not in named]
    least = max((score for _, score in rest), default=0.0)
    if more := [doc for doc in named if doc not in own]:
        # Those that are not among the first may be counted all the same.
        known = total > len(own) and found_chunks(view, query, chunks)[more].sum()
        total += len(more) - int(known)
    rows = [(doc, max(own.get(doc, least or 1.0), least)) for doc in named] + rest
    return ranking._replace(rows=rows, total=total, legs={**ranking.legs, NAMES: named}, is_far=False)


def _allowed(rows: Rows, request: SearchRequest) -> Rows:
    """Return the rows whose score a request allows."""
    return [row for row in rows if request.allows(row[1])] if request.cuts_by_score else rows


def _best_of(rankings: Sequence[Rows]) -> dict[int, float]:
    """Return the best score of each chunk in some rankings, best first."""
    best: dict[int, float] = {}
    place: dict[int, int] = {}
    for rows in rankings:
        for at, (doc, score) in enumerate(rows):
            best[doc] = max(score, best.get(doc, 0.0))
            # Equal scores keep the order in which their own query ranks them.
            place[doc] = min(at, place.get(doc, at))
    return {doc: best[doc] for doc in sorted(best, key=lambda doc: (-best[doc], place[doc]))}


def saved_chats(view: View) -> Mask:
    """Return the passages of conversations that were saved as notes."""
    snapshot, chat = view.snapshot, value_prefix(MARK) + CHAT
    return snapshot.cached_mask(chat, lambda: snapshot.chunks_of(snapshot.notes_with([chat])))


def _behind_quoted(view: View, best: dict[int, float]) -> list[int]:
    """Return passages, best first; those of a saved chat come behind the first that it links to.

    A chat repeats the question, and would stand above what it quotes. Scores are lowered, so that none rises.
    """
    docs, chats = list(best), saved_chats(view)
    if not chats[docs].any():
        return docs
    path_of = [view.lexical.path(int(view.lexical.note_of[doc])) for doc in docs]
    first: dict[str, int] = {}
    for at, (doc, path) in enumerate(zip(docs, path_of, strict=True)):
        if not chats[doc]:
            first.setdefault(path, at)

    def place(at: int) -> tuple[int, bool]:
        if not chats[docs[at]]:
            return at, False
        linked = (edge.target for edge in view.snapshot.graph.outgoing(path_of[at]))
        return max(at, min((first[path] for path in linked if path in first), default=at)), True

    ordered = [docs[at] for at in sorted(range(len(docs)), key=place)]
    for before, after in pairwise(ordered):
        best[after] = min(best[after], best[before])
    return ordered


def found_passages(view: View, request: SearchRequest) -> Mask:
    """Return the chunks that `rank_passages` gives by words, of a request without limits, unranked."""
    chunks = chunk_filter(view, request)
    found = np.zeros_like(chunks.mask)
    for query in queries_of(view.snapshot, request):
        go_on()
        one = found_chunks(view, query, chunks)
        if not one.any() and any(map(is_phrase, query.filters)) and (looser := loosened(query)):
            one = found_chunks(view, looser, chunks)
        one[called_chunks(view, query, chunks, ())] = True
        found |= one
    return found


def _found_by(
    doc: int,
    rankings: Sequence[Mapping[str, Sequence[int]]],
    weighed: Sequence[Evidence],
    raised: Sequence[Placed],
) -> str:
    """Return which lists found a chunk, and at which place, what raised it, and what its score is made of."""
    said = dict.fromkeys(
        Sentence("{list} #{place}", list=worded(name, {}), place=found.index(doc) + 1)
        for legs in rankings
        for name, found in legs.items()
        if doc in found
    )
    parts = [Sentence("found by {lists}", lists=tuple(said))] if said else []
    parts += dict.fromkeys(why for placed in raised for why in placed.why(doc))
    parts += dict.fromkeys(part for evidence in weighed for part in evidence.describe(doc))
    return Sentence("{parts:; }", parts=tuple(parts)) if parts else ""


def _best_range(view: View, doc: int, chunks: ChunkFilter, queries: Sequence[Query]) -> tuple[int, ...]:
    """Choose, of a chunk allowed in part only, the lines that show the queries best."""
    if doc not in chunks.lines:
        return ()
    words = line_words(view.lexical, queries)
    language = view.lexical.language(doc)

    def worth(piece: Lines) -> float:
        return words.told(split_lines(chunk_text(view, doc, piece)), language)

    return max(chunks.lines[doc], key=worth)
