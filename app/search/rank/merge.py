"""Rank passages for the queries of a request, and say how each was found."""

from collections.abc import Sequence

import numpy as np

from app.errors import BadRequestError
from app.notices import Notice, NoticeKind
from app.search.index.chunk import split_lines
from app.search.index.documents import CHAT, MARK, value_prefix
from app.search.lexical.segment import Mask
from app.search.models import Ranked, Ranking, SearchRequest
from app.search.query.evaluate import chunk_text
from app.search.query.explain import readings, written
from app.search.query.filters import ChunkFilter, Lines, chunk_filter
from app.search.query.read import queries_of
from app.search.query.tree import Query, is_phrase, without_phrases
from app.search.rank.likely import falling
from app.search.rank.pipeline import Found, rank
from app.search.show.lines import line_words
from app.search.view import View
from app.sentences import Sentence, worded


def rank_passages(view: View, request: SearchRequest) -> Ranking:
    """Rank chunks for each query on its own and merge them, each chunk once with its best score.

    The ranking holds what the request can show, and says how each chunk was found; its total counts all.
    """
    chunks, queries = chunk_filter(view, request), queries_of(view.snapshot, request)
    rankings = _rankings(view, request, chunks, queries)
    best = _behind_quoted(view, _best_of(rankings, request.min_score))
    end = None if request.limit is None else request.offset + request.limit
    near = {doc: lines for found in rankings for doc, lines in found.near.items()}
    items = tuple(
        Ranked(
            doc,
            best[doc],
            _best_range(view, doc, chunks, queries),
            _found_by(doc, rankings) if request.explain else "",
            near.get(doc, ()),
        )
        for doc in list(best)[:end]
    )
    alone = len(rankings) == 1 and request.min_score is None
    total = rankings[0].total if alone else len(best)
    times = dict.fromkeys(found.placed.window.notice() for found in rankings if found.placed)
    said = dict.fromkeys(notice for found in rankings for notice in found.notices)
    return Ranking(
        items,
        total,
        (*said, *times, *readings(view, request, queries, total, ranked=True)),
        is_far=all(found.is_far for found in rankings),
    )


def _rankings(
    view: View, request: SearchRequest, chunks: ChunkFilter, queries: Sequence[Query]
) -> list[Found]:
    """Rank the allowed chunks for each query of a request."""
    mean, said = None, tuple[Notice, ...]()
    if request.is_deep:
        if view.vectors is None:
            raise BadRequestError(
                "this index has no embedding model",
                "use operation 'fast', or an index with 'embedding_model'",
            )
        if any(query.positive for query in queries):
            from app.search.rank.deep import meaning_of

            mean, said = meaning_of(view)
    # Only the first of one ranking are needed, unless something is merged or cut by score.
    whole = mean or request.limit is None or request.min_score is not None or len(queries) > 1
    # A saved chat may go behind what comes after it.
    most = None if whole else request.offset + (request.limit or 0) + int(_saved_chats(view).sum())
    found = []
    for query in queries:
        one = rank(view, query, chunks, most, mean)
        phrases = [part for part in query.filters if is_phrase(part)]
        if not len(one.docs) and phrases and (looser := without_phrases(query)):
            one = rank(view, looser, chunks, most, mean)
            parts = tuple(map(written, phrases))
            said += (Notice(NoticeKind.SEARCHED_WITHOUT, parts=parts),) if len(one.docs) else ()
        found.append(one)
    found[0] = found[0]._replace(notices=(*said, *found[0].notices))
    return found


def _best_of(rankings: Sequence[Found], least: float | None) -> dict[int, float]:
    """Return the best score of each chunk in some rankings, best first, of those that score so much.

    What is unlikely is left out first, so that nothing is hidden by what a time puts before it.
    """
    best: dict[int, float] = {}
    place: dict[int, int] = {}
    for found in rankings:
        allowed = found.scores >= (0 if least is None else least)
        scores = falling(found.scores[allowed]).tolist()
        for at, (doc, score) in enumerate(zip(found.docs[allowed].tolist(), scores, strict=True)):
            best[doc] = max(score, best.get(doc, 0.0))
            # Equal scores keep the order in which their own query ranks them.
            place[doc] = min(at, place.get(doc, at))
    return {doc: best[doc] for doc in sorted(best, key=lambda doc: (-best[doc], place[doc]))}


def _saved_chats(view: View) -> Mask:
    """Return the passages of conversations that were saved as notes."""
    snapshot, chat = view.snapshot, value_prefix(MARK) + CHAT
    return snapshot.cached_mask(chat, lambda: snapshot.chunks_of(snapshot.notes_with([chat])))


def _behind_quoted(view: View, best: dict[int, float]) -> dict[int, float]:
    """Put saved chats, which repeat a question, behind the first passage of a note that they link to.

    Scores are lowered, so that none rises.
    """
    docs, chats = list(best), _saved_chats(view)
    if not chats[docs].any():
        return best
    paths = [view.lexical.path(note) for note in view.lexical.note_of[docs].tolist()]
    first = {path: at for at, path in reversed([*enumerate(paths)]) if not chats[docs[at]]}

    def place(at: int) -> tuple[int, bool]:
        is_chat = bool(chats[docs[at]])
        linked = (edge.target for edge in view.snapshot.graph.outgoing(paths[at]) if is_chat)
        return max(at, min((first[path] for path in linked if path in first), default=at)), is_chat

    ordered = [docs[at] for at in sorted(range(len(docs)), key=place)]
    lowered = np.minimum.accumulate([best[doc] for doc in ordered]).tolist()
    return dict(zip(ordered, lowered, strict=True))


def _found_by(doc: int, rankings: Sequence[Found]) -> str:
    """Return which lists found a chunk, and at which place, and what its score is made of."""
    said = dict.fromkeys(
        Sentence("{list} #{place}", list=worded(name, {}), place=int(at[0]) + 1)
        for found in rankings
        for name, leg in found.legs.items()
        if len(at := np.flatnonzero(leg == doc))
    )
    parts = [Sentence("found by {lists}", lists=tuple(said))] if said else []
    parts += dict.fromkeys(
        part for found in rankings if found.evidence for part in found.evidence.describe(doc)
    )
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
