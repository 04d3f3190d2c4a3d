"""The whole pipeline: words and meaning found apart, fused into a pool, and ranked there by all scores.

See docs/architecture.md for the recipe, and docs/benchmarks.md for what each step brings.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.deep_settings import DeepSettings
from app.dependencies import VaultClient
from app.search.chunks import ChunkRanking, literal_chunks, newest_chunks, rank_chunks, within_lines
from app.search.filters import ChunkFilter
from app.search.fusion import Scores, confidence, minmax, reciprocal_ranks
from app.search.lexical.index import Ids, Mask, Scored
from app.search.query.evaluate import query_filter
from app.search.query.tree import Query
from app.search.rerank import Reranker
from app.search.semantic.embedder import Encoded
from app.search.semantic.joined import Joined
from app.search.semantic.kept import KeptVectors
from app.search.semantic.tokens import project
from app.search.snapshot import VaultSnapshot


@dataclass(frozen=True, slots=True)
class Candidates:
    """The chunks that any list named, with the scores that order them.

    ``window`` is the cosine of a chunk's best window, ``note`` the mean of its note's windows. What has no
    vectors has 0 in all but ``words`` and ``coverage``.
    """

    docs: Ids
    words: Scores
    coverage: Scores
    window: Scores
    note: Scores
    tokens: Scores


def rank_deep(
    view: VaultSnapshot,
    vault: VaultClient,
    query: Query,
    chunks: ChunkFilter,
    kept: KeptVectors,
    *,
    others: Sequence[str] = (),
    reranker: Reranker | None = None,
) -> ChunkRanking:
    """Rank the allowed chunks for one query by words and meaning together.

    Operators filter, and a chunk that holds the query as it stands ranks above all that do not, as in `fast`.

    Args:
        view: The snapshot.
        vault: Where the lines are read.
        query: The query.
        chunks: What the filters allow; no list looks beyond.
        kept: The vectors.
        others: Other wordings of the query; what they find widens the pool.
        reranker: A cross-encoder, where one is configured.
    """
    text = query.positive
    if not text:
        return rank_chunks(view, vault, query, chunks, None)
    mask = chunks.mask & view.chunks_of(query_filter(view, vault, query))
    worded = within_lines(view, vault, mask, chunks, text)
    joined = kept.joined(view)
    encoded = kept.encode_query(text)
    scored = view.lexical.rank(text, worded, None)
    settings = vault.settings.deep
    most = settings.candidates
    legs = {
        "words": scored.ids[:most].tolist(),
        "vectors": joined.nearest(encoded.vector, most, mask, chunks.lines),
    }
    for other in others:
        vector = kept.encode_query(other).vector
        legs[f"words of '{other}'"] = view.lexical.rank(other, worded, most).ids.tolist()
        legs[f"vectors of '{other}'"] = joined.nearest(vector, most, mask, chunks.lines)
    found = _candidates(joined, chunks, encoded, scored, legs.values())
    if settings.tokens_weight:
        legs["tokens"] = found.docs[np.argsort(-found.tokens, kind="stable")][:most].tolist()
    fused = reciprocal_ranks(legs.values(), settings.fusion_k)
    rows = _ordered(found, fused, settings)
    if reranker is not None:
        rows = reranker.rerank(view, vault, text, rows, settings)
    if query.literal:
        literal = literal_chunks(view, vault, worded, chunks, query.literal)
        rows = _literal_first(rows, literal.tolist(), scored)
    if not query.has_bare_words:
        # No note that passes the filters may be missing, however its text meets them.
        ranked = np.array([doc for doc, _ in rows], np.int64)
        rest: Mask = mask & ~view.chunks_of(view.notes_of(ranked))
        rows += [(doc, 0.0) for doc in newest_chunks(view, rest)]
    return ChunkRanking(rows, len(rows), legs)


def _candidates(
    joined: Joined, chunks: ChunkFilter, query: Encoded, scored: Scored, lists: Iterable[Sequence[int]]
) -> Candidates:
    """Score all chunks that any list names, in the lists' order."""
    docs = list(dict.fromkeys(doc for ids in lists for doc in ids))
    ids = np.array(docs, np.int64)
    words, coverage = np.zeros((2, joined.view.lexical.size), np.float32)
    words[scored.ids], coverage[scored.ids] = scored.raw, scored.shown
    rows = [joined.rows(doc, chunks.lines) for doc in docs]
    notes = joined.view.lexical.note_of[ids].tolist()
    note_rows = {note: joined.note_rows(note) for note in dict.fromkeys(notes)}
    means = dict(
        zip(note_rows, joined.index.mean_cosines(query.vector, list(note_rows.values())), strict=True)
    )
    return Candidates(
        docs=ids,
        words=words[ids],
        coverage=coverage[ids],
        window=joined.index.best_cosines(query.vector, rows),
        note=np.array([means[note] for note in notes], np.float32),
        tokens=joined.index.token_scores(project(query.tokens), rows),
    )


def _ordered(
    found: Candidates, fused: Mapping[int, float], settings: DeepSettings
) -> list[tuple[int, float]]:
    """Order the pool by all scores together, the others behind it as they were fused, with the shown scores.

    The best is shown with how likely the ranking answers at all, the others in proportion to it.
    """
    if not fused:
        return []
    place = {doc: at for at, doc in enumerate(found.docs.tolist())}
    names = list(fused)
    pool, rest = names[: settings.pool], names[settings.pool :]
    at = np.array([place[doc] for doc in pool])
    words = found.words[at] / max(float(found.words.max()), 1e-9)
    meaning = (1 - settings.tokens_weight) * minmax(found.window[at] + settings.note_weight * found.note[at])
    meaning += settings.tokens_weight * minmax(found.tokens[at])
    blended = settings.words_weight * words + (1 - settings.words_weight) * meaning
    order = np.argsort(-blended, kind="stable")
    best = max(float(blended.max()), 1e-9)
    likely = confidence(float(found.window.max()), float(found.tokens.max()), float(found.coverage.max()))
    rows = [(pool[one], likely * float(blended[one]) / best) for one in order.tolist()]
    least, top = rows[-1][1], max((fused[doc] for doc in rest), default=1.0)
    return rows + [(doc, least * fused[doc] / top) for doc in rest]


def _literal_first(
    rows: list[tuple[int, float]], literal: Sequence[int], scored: Scored
) -> list[tuple[int, float]]:
    """Put what holds the query as it stands first, none of it below the best that does not."""
    if not len(literal):
        return rows
    holding = set(literal)
    least = max((score for doc, score in rows if doc not in holding), default=0.0)
    first = [(doc, max(score, least)) for doc, score in rows if doc in holding]
    ranked = {doc for doc, _ in first}
    by_words = dict.fromkeys([*(doc for doc in scored.ids.tolist() if doc in holding), *literal])
    last = min((score for _, score in first), default=max(least, 1.0 if not rows else least))
    first += [(doc, last) for doc in by_words if doc not in ranked]
    return first + [(doc, score) for doc, score in rows if doc not in holding]
