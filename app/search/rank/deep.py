"""Rank by words and by meaning: found apart, fused into a pool, and ordered there by all scores."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import numpy as np

from app.config.settings import logger
from app.errors import EngineMissingError, ModelError, VaultError
from app.notices import Notice, NoticeKind
from app.search.embedding.embedder import Encoded
from app.search.embedding.glosses import glossary_of
from app.search.lexical.bm25 import Spelling
from app.search.lexical.index import Mask
from app.search.query.filters import ChunkFilter
from app.search.query.spelling import respelt
from app.search.query.tree import Query
from app.search.rank.dated import in_time_first, place
from app.search.rank.expand import feedback_words, rewrites
from app.search.rank.fusion import Scores, reciprocal_ranks
from app.search.rank.likely import (
    HEAD,
    LEAST_LIKELY,
    Evidence,
    chances,
    evidence_of_meaning,
    evidence_of_words,
    is_nonsense,
    shown,
)
from app.search.rank.linked import linked_notes
from app.search.rank.literal import literal_chunks, part_chunks, passing_chunks, within_lines
from app.search.rank.pool import (
    Covered,
    Pool,
    best_of_notes,
    blended,
    joined_pools,
    make_pool,
    of_one_language,
)
from app.search.rank.rerank import Reranker
from app.search.rank.words import (
    ChunkRanking,
    Rank,
    in_order_of,
    literal_first,
    newest_chunks,
    rank_chunks,
)
from app.search.vectors.by_chunk import Joined
from app.search.vectors.store import KeptVectors
from app.search.view import Vectors, View
from app.sentences import Sentence
from app.stopping import go_on

ACROSS = "words of the gloss"
"""The list of notes in another language than the question's, by the words that its own stand for there."""
WEIGHTS = {"expansion": 0.5, ACROSS: 0.5}
"""What some lists count for in the fusion, others 1; words of the first passages cost recall at 1."""
SEEDS = 3
"""First notes whose links and names are followed; with more nothing is gained."""
BELOW_SEED = 0.99
"""What is found by the link of a hit comes after that hit."""
reranker_for = lru_cache(maxsize=2)(Reranker)


def rank_deep(
    view: View,
    query: Query,
    chunks: ChunkFilter,
    kept: KeptVectors,
    *,
    others: Sequence[str] = (),
    reranker: Reranker | None = None,
) -> ChunkRanking:
    """Rank the allowed chunks for one query by words and meaning together.

    Operators filter, and a chunk that holds a literal query ranks above all that do not, as in `fast`.

    Args:
        view: The index, and the vault where the lines are read.
        query: The query.
        chunks: What the filters allow; no list looks beyond.
        kept: The vectors.
        others: Other wordings of the query; what they find widens the pool.
        reranker: A cross-encoder, where one is configured.
    """
    if not query.positive:
        return rank_chunks(view, query, chunks, None)
    mask = passing_chunks(view, query, chunks)
    joined = kept.joined(view.snapshot)
    text, spellings = query.positive, query.spellings
    glossary = glossary_of(text)
    meant = respelt(text, spellings)
    worded = within_lines(view, mask, chunks, respelt(text, spellings, every=True))
    go_on()
    encoded = kept.encode_query(meant)
    go_on()
    settings = view.vault.settings.deep
    if not kept.has_tokens:
        settings = settings.model_copy(update={"tokens_weight": 0.0})
    most = settings.candidates
    own = view.lexical.in_language_of(query.positive)

    def covered(docs: Sequence[int]) -> Scores:
        # By the whole of what was asked, the time that it names too.
        found = view.lexical.covered(docs, query.positive, worded, spellings)
        if own is None or not gloss:
            return found
        # Beside notes in the question's language, which have its words, others need some to be held against.
        across: Scores = view.lexical.covered(docs, gloss, there) * np.float32(WEIGHTS[ACROSS])
        return np.maximum(found, across)

    def fuse(among: Mask) -> dict[int, float]:
        weights = [WEIGHTS.get(name, 1.0) for name in legs]
        lists = [[doc for doc in found if among[doc]] for found in legs.values()]
        return reciprocal_ranks(lists, settings.fusion_k, weights)

    legs = {
        "words": view.lexical.rank(text, worded, most, spellings).ids.tolist(),
        "vectors": joined.nearest(encoded.vector, most, mask, chunks.lines),
    }
    for other in others:
        go_on()
        vector = kept.encode_query(other).vector
        legs[Sentence("words of '{query}'", query=other)] = view.lexical.rank(
            other, worded, most
        ).ids.tolist()
        legs[Sentence("vectors of '{query}'", query=other)] = joined.nearest(vector, most, mask, chunks.lines)
    placed = place(view, query.window) if query.window is not None else None
    if placed is not None:
        # Without lists of its own little of what lies in the time would reach the pool of a large vault.
        text = query.asked or text
        inside = mask & (placed.grades > 0)
        legs["vectors in the time"] = joined.nearest(encoded.vector, most, inside, chunks.lines)
        if query.asked:
            matter = view.lexical.rank(text, worded, None, spellings)
            legs["words in the time"] = [doc for doc in matter.ids.tolist() if inside[doc]][:most]
    gloss, there = "", worded
    if glossary is not None:
        gloss, there = glossary.gloss(text).text, worded & view.lexical.in_language(glossary.into)
        legs[ACROSS] = view.lexical.rank(gloss, there, most).ids.tolist()
    # What is in the question's language is found as if there were nothing else, and so are the others.
    sides = [mask] if own is None else [mask & own, mask & ~own]
    if settings.expansion and query.has_bare_words:
        # These words widen the pool; the order inside it is the question's own.
        words = [feedback_words(view, list(fuse(side))) for side in sides]
        ranked = [
            view.lexical.rank(text, worded & side, most, spellings, beside=beside)
            for side, beside in zip(sides, words, strict=True)
        ]
        ids = np.concatenate([one.ids for one in ranked])
        raw = np.concatenate([one.raw for one in ranked])
        legs["expansion"] = view.lexical.by_worth(ids, raw)[0].tolist()
    go_on()
    docs = [doc for side in sides for doc in list(fuse(side))[: settings.pool]]
    fused = fuse(mask)
    pool = make_pool(joined, chunks, encoded, docs, covered, own)
    scores = blended(pool, pool, settings)
    if settings.links_weight and query.has_bare_words:
        first = of_one_language(pool, scores)
        leads = _leads(view, chunks, view.snapshot.notes_of(mask), pool, first, settings.links_weight)
        docs = _nearest(joined, mask, chunks, encoded, set(leads) - set(pool.notes), covered)
        named = make_pool(joined, chunks, encoded, docs, covered, own)
        scores = np.concatenate((scores, blended(named, pool, settings)))
        pool = joined_pools(pool, named)
        scores, legs["links"] = _lifted(pool, of_one_language(pool, scores), leads)
    rows = _ordered(pool, scores, fused)
    if reranker is not None:
        rows = reranker.rerank(view, meant, rows, settings)
    holding = literal_chunks(view, query, worded, chunks)
    literal = view.lexical.by_worth(holding, covered(holding.tolist()))[0].tolist()
    if not legs["words"]:
        literal = literal or part_chunks(view, query, worded).tolist()
    if placed is None:
        whole = view.lexical.whole(text, spellings)
        rows = literal_first(rows, whole[worded[whole]].tolist())
    plain = literal_first(rows, literal)
    asked, evidence = query.asked, None

    def weigh(rows: Sequence[tuple[int, float]], in_time: Scores | None = None) -> Evidence:
        return _weigh(view, asked, query.spellings, chunks, joined, encoded, rows[:HEAD], in_time)

    if plain and asked:
        evidence = weigh(plain)
        plain = shown(plain, chances(evidence))
    if placed is None:
        rows = plain
    else:
        coverage = view.lexical.coverage(text, spellings) if asked else inside.astype(np.float32)
        # Words such as "last week" stand in notes of any time.
        typed = literal if asked or not placed.window.is_relative else []
        rows = literal_first(in_time_first(rows, placed, coverage), typed)
        rows = in_order_of(rows, plain, placed, weigh) if plain and asked else rows
    if not query.has_bare_words:
        # No note that passes the filters may be missing, however its text meets them.
        notes = view.snapshot.notes_of(np.array([doc for doc, _ in rows], np.int64))
        rest: Mask = mask & ~view.snapshot.chunks_of(notes)
        rows += [(doc, 0.0) for doc in newest_chunks(view.snapshot, rest)]
    near = {
        doc: joined.lines_of(doc, row) for doc, row in zip(pool.docs, pool.nearest, strict=True) if row >= 0
    }
    gloss = gloss if rows and rows[0][0] in legs.get(ACROSS, ()) else ""
    found = ChunkRanking(rows, len(rows), legs, near, placed, pool.docs, evidence, gloss)
    return found._replace(is_far=placed is None and _is_far(found, mask, meant, kept))


def _is_far(ranking: ChunkRanking, allowed: Mask, meant: str, kept: KeptVectors) -> bool:
    """Tell whether passages are merely the nearest there are, and no answer to what was asked.

    Where meaning could not be weighed, and where filters leave few passages, they are kept.
    """
    legs, evidence = ranking.legs, ranking.evidence
    if legs["words"] or legs.get(ACROSS) or evidence is None or evidence.meaning is None:
        return False
    if not ranking.rows or ranking.rows[0][1] >= LEAST_LIKELY or np.count_nonzero(allowed) <= HEAD:
        return False
    return is_nonsense(meant, kept.embedder)


def _weigh(
    view: View,
    text: str,
    spellings: tuple[Spelling, ...],
    chunks: ChunkFilter,
    joined: Joined,
    encoded: Encoded,
    rows: Sequence[tuple[int, float]],
    in_time: Scores | None,
) -> Evidence:
    """Weigh ranked chunks by the words of a text, and by meaning where that can be told."""
    docs = [doc for doc, _ in rows]
    told = view.lexical.told(docs, text, spellings, in_time)
    evidence = evidence_of_words(docs, view.lexical.note_of[docs].tolist(), told)
    if joined.background is None:
        return evidence
    windows = [joined.rows(doc, chunks.lines) for doc in docs]
    nearest, cosines = joined.index.best_rows(encoded.vector, windows)
    cosines[nearest < 0] = np.nan
    return evidence_of_meaning(evidence, rows, cosines, joined.background)


def _leads(
    view: View, chunks: ChunkFilter, allowed: Mask, pool: Pool, scores: Scores, weight: float
) -> dict[int, tuple[float, float]]:
    """Return what the notes named by the first hits gain, and how high that may lift them."""
    leads: dict[int, tuple[float, float]] = {}
    for at in list(best_of_notes(pool, scores).values())[:SEEDS]:
        score = float(scores[at])
        for note, telling in linked_notes(view, pool.docs[at], chunks, allowed).items():
            lead = (weight * score * telling, BELOW_SEED * score)
            leads[note] = max(lead, leads.get(note, (0.0, 0.0)))
    return leads


def _nearest(
    joined: Joined, mask: Mask, chunks: ChunkFilter, query: Encoded, notes: Collection[int], covered: Covered
) -> list[int]:
    """Return of each note the allowed chunk that meets the query best, by its words and nearest window."""
    note_of = joined.snapshot.lexical.note_of
    docs = np.flatnonzero(mask & np.isin(note_of, list(notes)))
    rows = [joined.rows(doc, chunks.lines) for doc in docs.tolist()]
    worth = covered(docs.tolist()) + joined.index.best_rows(query.vector, rows)[1]
    best: dict[int, int] = {}
    for doc in docs[np.argsort(-worth, kind="stable")].tolist():
        best.setdefault(int(note_of[doc]), doc)
    return list(best.values())


def _lifted(pool: Pool, scores: Scores, leads: Mapping[int, tuple[float, float]]) -> tuple[Scores, list[int]]:
    """Lift the best passages of the notes that were named, and list them, the most lifted first."""
    lifted, gains = scores.copy(), dict[int, float]()
    best = best_of_notes(pool, scores)
    for note, (gain, highest) in leads.items():
        at = best[note]
        lifted[at] = max(scores[at], min(scores[at] + gain, highest))
        gains[pool.docs[at]] = gain
    return lifted, sorted(gains, key=lambda doc: -gains[doc])


def _ordered(pool: Pool, scores: Scores, fused: Mapping[int, float]) -> list[tuple[int, float]]:
    """Order the pool by its scores, the best made 1, and the others behind it as they were fused."""
    if not pool.docs:
        return []
    best = max(float(scores.max()), 1e-9)
    order = np.argsort(-scores, kind="stable").tolist()
    rows = [(pool.docs[at], float(scores[at]) / best) for at in order]
    ranked = set(pool.docs)
    rest = [doc for doc in fused if doc not in ranked]
    # They stand best first.
    least, top = rows[-1][1], fused[rest[0]] if rest else 1.0
    return rows + [(doc, least * (fused[doc] / top)) for doc in rest]


def by_meaning(view: View, semantic: Vectors) -> tuple[Rank, list[Notice]]:
    """Return the function that ranks chunks, and the list to which it adds what must be said.

    What cannot be used is done without, and said: the vectors, the language model, the cross-encoder.

    Raises:
        EngineMissingError: the extra is not installed.
    """
    notices: list[Notice] = []
    try:
        kept = semantic.answering(view.snapshot)
        kept.joined(view.snapshot)
    except EngineMissingError:
        raise
    except VaultError as error:
        _without(notices, NoticeKind.FOUND_BY_WORDS, error)
        return lambda query, chunks: rank_chunks(view, query, chunks, None), notices

    if not len(kept.index()):
        # Nothing can be said of meaning yet, which the caller has been told: words have scores of their own.
        return lambda query, chunks: rank_chunks(view, query, chunks, None), notices

    def rank(query: Query, chunks: ChunkFilter) -> ChunkRanking:
        others: tuple[str, ...] = ()
        name = view.vault.settings.deep.reranker
        reranker = reranker_for(name) if name else None
        try:
            # What is asked for word by word is not asked for in other words.
            others = rewrites(view.vault.settings, query.positive) if query.has_bare_words else ()
        except ModelError as error:
            _without(notices, NoticeKind.NO_REWORDING, error)
        try:
            found = rank_deep(view, query, chunks, kept, others=others, reranker=reranker)
        except ModelError as error:
            if reranker is None:
                raise
            _without(notices, NoticeKind.NO_RERANKER, error)
            found = rank_deep(view, query, chunks, kept, others=others)
        if found.glossed:
            notices.append(Notice(NoticeKind.FOUND_BY_GLOSS, gloss=found.glossed))
        return found

    return rank, notices


def _without(notices: list[Notice], kind: NoticeKind, error: VaultError) -> None:
    logger.warning("deep_degraded", extra={"what": kind.name.lower(), "error": str(error)})
    notices.append(Notice(kind, reason=str(error)))
