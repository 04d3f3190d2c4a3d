"""What can be asked of a vault: one function an operation, and the menu."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.errors import BadRequestError
from app.search.chunks import ChunkRanking, rank_chunks
from app.search.filters import ChunkFilter, Lines, chunk_filter, note_filter
from app.search.keyword.notes import judged_notes
from app.search.lexical.index import Mask
from app.search.linked import Linked, linked_notes
from app.search.models import Operation, Ranked, Ranking, SearchRequest
from app.search.query.evaluate import chunk_text, matching_notes, read_query, word_notes
from app.search.query.explain import explain_query, unknown_properties
from app.search.query.parse import parse_query
from app.search.query.tree import Query
from app.search.relevance import rank_notes
from app.search.snapshot import VaultSnapshot
from app.search.text import fold, query_words

if TYPE_CHECKING:
    from app.dependencies import VaultClient

Operate = Callable[[VaultSnapshot, "VaultClient", SearchRequest], Ranking]

Counts = NDArray[np.int64]

_PUNCTUATION = ".,;:!?…()[]«»\"'“”"

MOST_WORDS = 200
"""Of a longer text the first words are asked for, and all rank."""


def fulltext(view: VaultSnapshot, vault: "VaultClient", request: SearchRequest) -> Ranking:
    """Notes that hold all the words and phrases, ranked by relevance."""
    return _words(view, vault, request, note_filter(view, vault, request))


def by_tag(view: VaultSnapshot, vault: "VaultClient", request: SearchRequest) -> Ranking:
    """Notes with any, or all, of the tags, in text and properties; a parent finds its children."""
    return _newest(view, note_filter(view, vault, request))


def by_link(view: VaultSnapshot, vault: "VaultClient", request: SearchRequest) -> Ranking:
    """Notes that link to a note, or that it links to, with the lines the links stand on."""
    linked = _linked(view, vault, request)
    mask = note_filter(view, vault, request)
    near_first = sorted({found.distance for found in linked.notes.values()})
    items = [
        Ranked(doc, 1.0, linked.notes[doc].lines, linked.notes[doc].remark)
        for distance in near_first
        for doc in view.newest_first([d for d, found in linked.notes.items() if found.distance == distance])
        if mask[doc]
    ]
    return Ranking(tuple(items), len(items), (*linked.notices, *_unshown(view, linked)))


def by_date(view: VaultSnapshot, vault: "VaultClient", request: SearchRequest) -> Ranking:
    """Notes created or modified within a range of days, newest first."""
    return _newest(view, note_filter(view, vault, request), request.date_field)


def combined(view: VaultSnapshot, vault: "VaultClient", request: SearchRequest) -> Ranking:
    """Notes that satisfy all of query, tags, dates, folder, scopes and links."""
    mask = note_filter(view, vault, request)
    notices: tuple[str, ...] = ()
    if request.note_path:
        linked = _linked(view, vault, request)
        among = np.zeros_like(mask)
        among[list(linked.notes)] = True
        mask = mask & among
        notices = linked.notices
    ranking = _words(view, vault, request, mask) if request.queries else _newest(view, mask)
    return replace(ranking, notices=(*notices, *ranking.notices))


def fast(view: VaultSnapshot, vault: "VaultClient", request: SearchRequest) -> Ranking:
    """Chunks ranked by keywords (BM25); no model is loaded."""
    # Only the first of one ranking are needed, unless something is merged or cut by score.
    whole = request.limit is None or request.min_score is not None or len(request.queries) > 1
    k = None if whole else request.offset + (request.limit or 0)

    def rank(query: Query, chunks: ChunkFilter) -> ChunkRanking:
        return rank_chunks(view, vault, query, chunks, k)

    return _chunks(view, vault, request, rank)


def deep(view: VaultSnapshot, vault: "VaultClient", request: SearchRequest) -> Ranking:
    """Chunks ranked by keywords and meaning together."""
    if view.semantic is None:
        raise BadRequestError(
            "this index has no embedding model", "use operation 'fast', or an index with 'embedding_model'"
        )
    if not any(parse_query(text).positive for text in request.queries):
        return fast(view, vault, request)
    from app.search.meaning import by_meaning

    rank, notices = by_meaning(view, vault, view.semantic)
    ranking = _chunks(view, vault, request, rank)
    return replace(ranking, notices=(*ranking.notices, *notices))


def scoped(view: VaultSnapshot, vault: "VaultClient", request: SearchRequest) -> Ranking:
    """Chunks ranked as by fast, or deep with mode=deep, inside the scopes only."""
    return (deep if request.mode == "deep" else fast)(view, vault, request)


def keyword(view: VaultSnapshot, vault: "VaultClient", request: SearchRequest) -> Ranking:
    """Notes found by terms with ripgrep, then judged by the language model."""
    return judged_notes(view, vault, request)


OPERATIONS: dict[Operation, Operate] = {
    "fulltext": fulltext,
    "by_tag": by_tag,
    "by_link": by_link,
    "by_date": by_date,
    "combined": combined,
    "fast": fast,
    "deep": deep,
    "scoped": scoped,
    "keyword": keyword,
}


def _chunks(
    view: VaultSnapshot,
    vault: "VaultClient",
    request: SearchRequest,
    rank: Callable[[Query, ChunkFilter], ChunkRanking],
) -> Ranking:
    """Rank chunks for each query on its own and merge them, each chunk once with its best score."""
    chunks = chunk_filter(view, vault, request)
    queries = [parse_query(text) for text in request.queries]
    rankings = [rank(query, chunks) for query in queries]
    best: dict[int, float] = {}
    place: dict[int, int] = {}
    for ranking in rankings:
        for at, (doc, score) in enumerate(ranking.rows):
            best[doc] = max(score, best.get(doc, 0.0))
            # Equal scores keep the order in which their own query ranks them.
            place[doc] = min(at, place.get(doc, at))
    docs = sorted(best, key=lambda doc: (-best[doc], place[doc]))
    if request.min_score is not None:
        docs = [doc for doc in docs if best[doc] >= request.min_score]
    near = {doc: lines for ranking in rankings for doc, lines in ranking.near.items()}
    found = [legs for ranking in rankings if request.explain and (legs := ranking.legs)]
    items = tuple(
        Ranked(
            doc,
            best[doc],
            _best_range(view, vault, doc, chunks, request.queries),
            _found_by(doc, found),
            near.get(doc, ()),
        )
        for doc in docs
    )
    alone = len(rankings) == 1 and request.min_score is None
    total = rankings[0].total if alone else len(docs)
    notices = _readings(view, vault, request, queries, total, ranked=True)
    return Ranking(items, total, notices)


def _found_by(doc: int, rankings: Sequence[Mapping[str, Sequence[int]]]) -> str:
    """Say which lists found a chunk, and at which place."""
    said = {
        f"{name} #{found.index(doc) + 1}" for legs in rankings for name, found in legs.items() if doc in found
    }
    return f"found by {', '.join(sorted(said))}" if said else ""


def _words(view: VaultSnapshot, vault: "VaultClient", request: SearchRequest, mask: Mask) -> Ranking:
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
    notices += _readings(view, vault, request, queries, total, ranked=False)
    if not ranked_text:
        return replace(_newest(view, matched), notices=tuple(notices))
    items = rank_notes(view, vault, ranked_text, matched)
    if request.min_score is not None:
        items = [item for item in items if item.score >= request.min_score]
    return Ranking(tuple(items), len(items), tuple(notices))


def _readings(
    view: VaultSnapshot,
    vault: "VaultClient",
    request: SearchRequest,
    queries: Sequence[Query],
    total: int,
    *,
    ranked: bool,
) -> tuple[str, ...]:
    """Say how the queries were read, where it is asked for, or nothing was found for it."""
    notices: list[str] = []
    for query in queries:
        notices += unknown_properties(view, query)
        if request.explain:
            mask = note_filter(view, vault, request, dates=not ranked)
            notices += explain_query(view, vault, query, mask, ranked=ranked)
        elif not total:
            notices += query.hints
    return tuple(dict.fromkeys(notices))


def _holding_words(view: VaultSnapshot, vault: "VaultClient", query: Query, mask: Mask) -> tuple[Mask, str]:
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


def _count_words(view: VaultSnapshot, vault: "VaultClient", words: Sequence[str], mask: Mask) -> Counts:
    """Count, for each note of a mask, the words it holds."""
    counts = np.zeros(len(mask), dtype=np.int64)
    for word in words:
        counts += word_notes(view, vault, word) & mask
    return counts


def _linked(view: VaultSnapshot, vault: "VaultClient", request: SearchRequest) -> Linked:
    return linked_notes(view, str(request.note_path), request.direction, request.depth, vault.is_excluded)


def _newest(view: VaultSnapshot, mask: Mask, field: str = "modified") -> Ranking:
    docs = view.newest_first(np.flatnonzero(mask).tolist(), field)
    return Ranking(tuple(Ranked(doc, 1.0) for doc in docs), len(docs))


def _best_range(
    view: VaultSnapshot, vault: "VaultClient", doc: int, chunks: ChunkFilter, queries: Sequence[str]
) -> tuple[int, ...]:
    """Choose, of a chunk allowed in part only, the lines that show the queries best."""
    if doc not in chunks.lines:
        return ()
    words = {word for query in queries for word in query_words(query)}

    def worth(piece: Lines) -> int:
        text = fold(chunk_text(view, vault, doc, piece))
        return sum(word in text for word in words)

    return max(chunks.lines[doc], key=worth)


def _unshown(view: VaultSnapshot, linked: Linked) -> list[str]:
    """Count the linked notes that no search shows, by the reason."""
    excluded = set(view.lexical.docs_with("hidden:excluded").tolist())
    left_out = set(view.lexical.docs_with("hidden:left-out").tolist())
    notices = []
    for reason, docs in (("excluded", excluded), ("left-out", left_out)):
        if count := len(docs & set(linked.notes)):
            notices.append(f"{count} {reason} {'note' if count == 1 else 'notes'} not shown")
    return notices
