"""Score the first passages of all lists in every way there is, and make one score of all."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from app.config.settings import DeepSettings
from app.search.embedding.embedder import Encoded
from app.search.embedding.token_vectors import project
from app.search.lexical.index import Mask
from app.search.query.filters import ChunkFilter
from app.search.rank.fusion import Scores, minmax
from app.search.vectors.by_chunk import Joined

WELL_COVERED = 0.75
"""A passage that covers this share of a query's information is as good, by its words, as one that has all."""
LEAST_OWN = 10
"""With fewer passages in the question's language there is nothing to weigh one of them by."""
SET_BACK = 2
"""A passage in another language than the best is set back by its share of the best score, to this power."""

Covered = Callable[[Sequence[int]], Scores]
"""Tells of some chunks how much of the query's information their words cover."""


class Pool(NamedTuple):
    """The chunks that are ranked by all scores, with these scores.

    ``words`` is the share of the query's information that a chunk covers; words near each other can raise it
    above 1. ``nearest`` is the row of its best window and ``window`` the cosine of that, ``note`` the mean of
    its note's windows. What has no vectors yet has row -1, and 0 in the other scores. ``own`` tells which are
    in the question's language, none where that is not told; ``usual`` which are in that language, or in the
    one that most of them are in.
    """

    docs: Sequence[int]
    notes: Sequence[int]
    nearest: Sequence[int]
    words: Scores
    window: Scores
    note: Scores
    tokens: Scores
    own: Mask
    usual: Mask


def make_pool(
    joined: Joined,
    chunks: ChunkFilter,
    query: Encoded,
    docs: Sequence[int],
    covered: Covered,
    own: Mask | None,
) -> Pool:
    """Score some chunks in every way there is.

    Args:
        joined: The vectors.
        chunks: What the filters allow.
        query: The question.
        docs: The chunks.
        covered: Tells what their words cover.
        own: The documents in the question's language, where that is told and has statistics of its own.
    """
    rows = [joined.rows(doc, chunks.lines) for doc in docs]
    notes = joined.snapshot.lexical.note_of[list(docs)].tolist()
    note_rows = {note: joined.note_rows(note) for note in dict.fromkeys(notes)}
    means = joined.index.mean_cosines(query.vector, list(note_rows.values()))
    nearest, window = joined.index.best_rows(query.vector, rows)
    mean_of = dict(zip(note_rows, means.tolist(), strict=True))
    languages = joined.snapshot.lexical.languages_of(docs)
    spoken = np.zeros(len(docs), np.bool_) if own is None else own[list(docs)]
    return Pool(
        docs=docs,
        notes=notes,
        words=covered(docs),
        nearest=nearest.tolist(),
        window=window,
        note=np.array([mean_of[note] for note in notes], np.float32),
        tokens=joined.index.token_scores(project(query.tokens), rows),
        own=spoken,
        usual=spoken
        if np.count_nonzero(spoken) >= LEAST_OWN
        else languages == np.bincount(languages, minlength=1).argmax(),
    )


def joined_pools(first: Pool, second: Pool) -> Pool:
    """Make one pool of two."""
    docs, notes, nearest = ([*one, *other] for one, other in zip(first[:3], second[:3], strict=True))
    scores: Iterable[Any] = map(np.concatenate, zip(first[3:], second[3:], strict=True))
    return Pool(docs, notes, nearest, *scores)


def blended(pool: Pool, among: Pool, settings: DeepSettings) -> Scores:
    """Make one score of all, each as it stands among those of a pool.

    A passage in the question's language is weighed among those of that language, so that nearer ones in
    another do not change its place among them; any other among all.
    """
    told = np.count_nonzero(among.own) >= LEAST_OWN
    scores = np.zeros(len(pool.docs), np.float32)
    for here, beside in (
        (pool.own & told, among.own),
        (~(pool.own & told), np.ones(len(among.docs), np.bool_)),
    ):
        if here.any():
            scores[here] = _blended(pool, here, among, beside, settings)
    return scores


def _blended(pool: Pool, here: Mask, among: Pool, beside: Mask, settings: DeepSettings) -> Scores:
    # Where even the best covers little of the query, words say little, and meaning counts for more.
    words = pool.words[here] / max(float(among.words[beside].max(initial=0)), WELL_COVERED)
    share, weight = settings.note_weight, settings.tokens_weight
    # A passage in another language can be far from all others: alone it would lift them all.
    near, usual = among.window + share * among.note, among.usual
    meaning = (1 - weight) * minmax((pool.window + share * pool.note)[here], near[beside], near[usual])
    meaning += weight * minmax(pool.tokens[here], among.tokens[beside], among.tokens[usual])
    both: Scores = settings.words_weight * words + (1 - settings.words_weight) * np.maximum(meaning, 0)
    return both


def of_one_language(pool: Pool, scores: Scores) -> Scores:
    """Set back what is in another language than the best passage, the more the further it lies behind that.

    Where the notes answer in one language, what is somewhat near in another comes after what answers there.
    """
    if np.count_nonzero(pool.own) < LEAST_OWN:
        return scores
    best = int(scores.argmax())
    shares = scores / max(float(scores[best]), 1e-9)
    return np.where(pool.own == pool.own[best], scores, scores * shares**SET_BACK)


def best_of_notes(pool: Pool, scores: Scores) -> dict[int, int]:
    """Return for each note the place of its best passage in the pool, the best note first."""
    best: dict[int, int] = {}
    for at in np.argsort(-scores, kind="stable").tolist():
        best.setdefault(pool.notes[at], at)
    return best
