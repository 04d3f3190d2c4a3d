"""The stages by which meaning ranks too: lists, fused into a pool, and ordered there by all scores."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from app.config.settings import DeepSettings, logger
from app.errors import EngineMissingError, ModelError, VaultError
from app.notices import Notice, NoticeKind
from app.search.embedding.glosses import glossary_of
from app.search.embedding.token_vectors import project
from app.search.lexical.index import Ids, Mask
from app.search.lexical.sparse import Scores
from app.search.query.read import respelt
from app.search.query.tree import Query
from app.search.rank.expand import feedback_words, rewrites
from app.search.rank.fusion import minmax, reciprocal_ranks
from app.search.rank.likely import HEAD, LEAST_LIKELY, is_nonsense
from app.search.rank.linked import linked_notes
from app.search.rank.pipeline import (
    Asked,
    Found,
    Meant,
    Pool,
    all_that_pass,
    by_words,
    counted,
    in_time,
    inside_words,
    likely,
    literal_first,
    named_first,
)
from app.search.rank.rerank import Reranker
from app.search.view import View
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
WELL_COVERED = 0.75
"""A passage that covers this share of a query's information is as good, by its words, as one that has all."""
LEAST_OWN = 10
"""With fewer passages in the question's language there is nothing to weigh one of them by."""
SET_BACK = 2
"""A passage in another language than the best is set back by its share of the best score, to this power."""
reranker_for = lru_cache(maxsize=2)(Reranker)


def lists(asked: Asked, found: Found) -> Found:
    """Make the lists: by words, by vectors, by other wordings, by the gloss, and by what lies in a time."""
    meant, chunks, mask, lexical = _of(asked), asked.chunks, asked.mask, asked.view.lexical
    most, spellings = meant.settings.candidates, asked.query.spellings
    legs: dict[str, Ids] = {"words": found.docs}
    legs["vectors"] = meant.nearest(meant.encoded.vector, mask, chunks)
    for other, vector in meant.wordings:
        go_on()
        legs[Sentence("words of '{query}'", query=other)] = lexical.rank(other, asked.worded, most).ids
        legs[Sentence("vectors of '{query}'", query=other)] = meant.nearest(vector, mask, chunks)
    if asked.placed is not None:
        # Without lists of its own little of what lies in the time would reach the pool of a large vault.
        inside = asked.placed.grades > 0
        legs["vectors in the time"] = meant.nearest(meant.encoded.vector, mask & inside, chunks)
        if asked.query.asked:
            matter = lexical.rank(asked.query.asked, asked.worded & inside, most, spellings)
            legs["words in the time"] = matter.ids
    if meant.gloss:
        legs[ACROSS] = lexical.rank(meant.gloss, meant.there, most).ids
    return found._replace(legs=legs)


def expanded(asked: Asked, found: Found) -> Found:
    """Add the list of the words that set the first passages apart: they widen the pool, and order nothing."""
    meant, lexical = _of(asked), asked.view.lexical
    if not (meant.settings.expansion and asked.query.has_bare_words):
        return found
    most, text = meant.settings.candidates, asked.query.asked
    ranked = [
        lexical.rank(
            text, asked.worded & side, most, asked.query.spellings,
            beside=feedback_words(asked.view, _fused(meant, found, side)[0].tolist()),
        )
        for side in _sides(asked)
    ]  # fmt: skip
    ids, raw = (np.concatenate([getattr(one, name) for one in ranked]) for name in ("ids", "raw"))
    return found._replace(legs={**found.legs, "expansion": lexical.by_worth(ids, raw)[0]})


def fused(asked: Asked, found: Found) -> Found:
    """Join the lists by Reciprocal Rank Fusion."""
    return found._replace(fused=_fused(_of(asked), found, asked.mask))


def pooled(asked: Asked, found: Found) -> Found:
    """Score the first of the fused lists in every way there is."""
    meant = _of(asked)
    docs = [_fused(meant, found, side)[0][: meant.settings.pool] for side in _sides(asked)]
    pool = _pool(asked, np.concatenate(docs))
    return found._replace(pool=pool._replace(scores=blended(pool, pool, meant.settings)))


def linked(asked: Asked, found: Found) -> Found:
    """Lift the best passages of the notes that the first hits name, below the hit."""
    meant, pool = _of(asked), found.pool
    weight = meant.settings.links_weight
    if pool is None or not (weight and asked.query.has_bare_words):
        return found
    leads: dict[int, tuple[float, float]] = {}
    scores, allowed = of_one_language(pool, pool.scores), asked.view.snapshot.notes_of(asked.mask)
    for at in list(_best_of_notes(pool, scores).values())[:SEEDS]:
        score = float(scores[at])
        for note, telling in linked_notes(asked.view, int(pool.docs[at]), asked.chunks, allowed).items():
            lead = (weight * score * telling, BELOW_SEED * score)
            leads[note] = max(lead, leads.get(note, (0.0, 0.0)))
    missing = [note for note in leads if note not in pool.notes]
    if missing:
        more = _pool(asked, _nearest(asked, missing))
        more = more._replace(scores=blended(more, pool, meant.settings))
        pairs: Any = zip(pool, more, strict=True)
        pool = Pool(*map(np.concatenate, pairs))
    scores = of_one_language(pool, pool.scores)
    best, lifted = _best_of_notes(pool, scores), scores.copy()
    for note, (gain, highest) in leads.items():
        lifted[best[note]] = max(scores[best[note]], min(scores[best[note]] + gain, highest))
    named = sorted(leads, key=lambda note: -leads[note][0])
    legs = {**found.legs, "links": pool.docs[[best[note] for note in named]]}
    return found._replace(pool=pool._replace(scores=lifted), legs=legs)


def joined(asked: Asked, found: Found) -> Found:
    """Order the pool by its scores, the best made 1, and the others behind it as they were fused."""
    pool = found.pool
    if pool is None or not len(pool.docs):
        return found
    scores = of_one_language(pool, pool.scores) if "links" not in found.legs else pool.scores
    order = np.argsort(-scores, kind="stable")
    docs, worth = found.fused
    behind = ~np.isin(docs, pool.docs)
    first = scores[order] / max(float(scores.max()), 1e-9)
    rest = worth[behind] / max(float(worth[behind].max(initial=0)), 1e-9) * first[-1]
    lines = {
        doc: _of(asked).joined.lines_of(doc, row)
        for doc, row in zip(pool.docs.tolist(), pool.nearest.tolist(), strict=True)
        if row >= 0
    }
    return found._replace(
        docs=np.concatenate((pool.docs[order], docs[behind])),
        scores=np.concatenate((first, rest)).astype(np.float32),
        near=lines,
    )


def reranked(asked: Asked, found: Found) -> Found:
    """Blend in the scores of a cross-encoder, where one is configured and can be used."""
    meant = _of(asked)
    if not meant.settings.reranker:
        return found
    try:
        model = reranker_for(meant.settings.reranker)
        docs, scores = model.rerank(asked.view, meant.text, found.docs, found.scores, meant.settings)
    except ModelError as error:
        _without(meant.notices, NoticeKind.NO_RERANKER, error)
        return found
    return found._replace(docs=docs, scores=scores)


def far(asked: Asked, found: Found) -> Found:
    """Tell whether passages are merely the nearest there are, and whether a gloss found the first.

    Where meaning could not be weighed, and where filters leave few passages, they are kept.
    """
    meant, legs, evidence = _of(asked), found.legs, found.evidence
    across = legs.get(ACROSS, found.docs[:0])
    if len(found.docs) and found.docs[0] in across:
        meant.notices.append(Notice(NoticeKind.FOUND_BY_GLOSS, gloss=meant.gloss))
        found = found._replace(glossed=meant.gloss)
    is_far = (
        asked.placed is None
        and not len(legs["words"])
        and not len(across)
        and evidence is not None
        and evidence.meaning is not None
        and float(found.scores[0]) < LEAST_LIKELY
        and int(np.count_nonzero(asked.mask)) > HEAD
        and is_nonsense(meant.text, meant.kept.embedder)
    )
    return found._replace(is_far=is_far, notices=tuple(meant.notices))


STAGES = (
    by_words, lists, expanded, fused, pooled, linked, joined, reranked,
    in_time, literal_first, inside_words, likely, all_that_pass, far, named_first, counted,
)  # fmt: skip
"""The stages of `deep`."""


def _of(asked: Asked) -> Meant:
    assert asked.meant is not None
    return asked.meant


def _sides(asked: Asked) -> list[Mask]:
    """Return what is in the question's language, found as if there were nothing else, and the others."""
    own = _of(asked).own
    return [asked.mask] if own is None else [asked.mask & own, asked.mask & ~own]


def _fused(meant: Meant, found: Found, among: Mask) -> tuple[Ids, Scores]:
    weights = [WEIGHTS.get(name, 1.0) for name in found.legs]
    return reciprocal_ranks(
        [leg[among[leg]] for leg in found.legs.values()], meant.settings.fusion_k, weights
    )


def _covered(asked: Asked, docs: Ids) -> Scores:
    """Return how much of the query's information the words of some chunks cover, its time included."""
    meant, lexical, chunks = _of(asked), asked.view.lexical, docs.tolist()
    found: Scores = lexical.covered(chunks, asked.text, asked.worded, asked.query.spellings)
    if meant.own is None or not meant.gloss:
        return found
    # Beside notes in the question's language, which have its words, others need some to be held against.
    across: Scores = lexical.covered(chunks, meant.gloss, meant.there) * np.float32(WEIGHTS[ACROSS])
    return np.maximum(found, across)


def _pool(asked: Asked, docs: Ids) -> Pool:
    """Score some chunks in every way there is."""
    meant, lexical = _of(asked), asked.view.lexical
    index, vector = meant.joined.index, meant.encoded.vector
    rows = [meant.joined.rows(doc, asked.chunks.lines) for doc in docs.tolist()]
    nearest, window = index.best_rows(vector, rows)
    notes, which = np.unique(lexical.note_of[docs], return_inverse=True)
    means = index.mean_cosines(vector, [meant.joined.note_rows(note) for note in notes.tolist()])
    none = np.zeros(len(docs), np.float32)
    return Pool(
        docs=docs,
        notes=notes[which],
        nearest=nearest,
        words=_covered(asked, docs),
        window=window + np.float32(meant.settings.note_weight) * means[which],
        tokens=index.token_scores(project(meant.encoded.tokens), rows) if meant.kept.has_tokens else none,
        own=none.astype(np.bool_) if meant.own is None else meant.own[docs],
        languages=lexical.languages_of(docs.tolist()).astype(np.int64),
        scores=none,
    )


def blended(pool: Pool, among: Pool, settings: DeepSettings) -> Scores:
    """Make one score of all, each as it stands among those of a pool.

    A passage in the question's language is weighed among those of that language, so that nearer ones in
    another do not change its place among them; any other among all.
    """
    told = np.count_nonzero(among.own) >= LEAST_OWN
    every, scores = np.ones(len(among.docs), np.bool_), np.zeros(len(pool.docs), np.float32)
    for here, beside in ((pool.own & told, among.own), (~(pool.own & told), every)):
        if not here.any():
            continue
        # Where even the best covers little of the query, words say little, and meaning counts for more.
        words = pool.words[here] / max(float(among.words[beside].max(initial=0)), WELL_COVERED)
        # A passage in another language can be far from all others: alone it would lift them all.
        usual = among.own if told else among.languages == np.bincount(among.languages).argmax()
        weight = settings.tokens_weight if among.tokens.any() else 0.0
        meaning = (1 - weight) * minmax(pool.window[here], among.window[beside], among.window[usual])
        meaning += weight * minmax(pool.tokens[here], among.tokens[beside], among.tokens[usual])
        share = settings.words_weight
        scores[here] = share * words + (1 - share) * np.maximum(meaning, 0)
    return scores


def of_one_language(pool: Pool, scores: Scores) -> Scores:
    """Set back what is in another language than the best passage, the more the further it lies behind that.

    Where the notes answer in one language, what is somewhat near in another comes after what answers there.
    """
    if np.count_nonzero(pool.own) < LEAST_OWN:
        return scores
    best = int(scores.argmax())
    shares = scores / max(float(scores[best]), 1e-9)
    return np.where(pool.own == pool.own[best], scores, scores * shares**SET_BACK)


def _best_of_notes(pool: Pool, scores: Scores) -> dict[int, int]:
    """Return for each note the place of its best passage in the pool, the best note first."""
    order = np.argsort(-scores, kind="stable")
    notes, first = np.unique(pool.notes[order], return_index=True)
    by_place = np.argsort(first)
    return dict(zip(notes[by_place].tolist(), order[first[by_place]].tolist(), strict=True))


def _nearest(asked: Asked, notes: Sequence[int]) -> Ids:
    """Return of each note the allowed chunk that meets the query best, by its words and nearest window."""
    meant, note_of = _of(asked), asked.view.lexical.note_of
    docs = np.flatnonzero(asked.mask & np.isin(note_of, notes))
    rows = [meant.joined.rows(doc, asked.chunks.lines) for doc in docs.tolist()]
    worth = _covered(asked, docs) + meant.joined.index.best_rows(meant.encoded.vector, rows)[1]
    docs = docs[np.argsort(-worth, kind="stable")]
    return docs[np.sort(np.unique(note_of[docs], return_index=True)[1])]


def meaning_of(view: View) -> tuple[Callable[[Query, Mask], Meant] | None, tuple[Notice, ...]]:
    """Return what tells what a query means; None, and what is to be said, where words alone can rank.

    Raises:
        EngineMissingError: the extra is not installed.
    """
    assert view.vectors is not None
    try:
        kept = view.vectors.wanted()
        vectors = kept.joined(view.snapshot)
    except EngineMissingError:
        raise
    except VaultError as error:
        said: list[Notice] = []
        _without(said, NoticeKind.FOUND_BY_WORDS, error)
        return None, tuple(said)
    if not len(kept.index()):
        # Nothing can be said of meaning yet, which the caller has been told: words have scores of their own.
        return None, ()

    def mean(query: Query, worded: Mask) -> Meant:
        settings, lexical, text = view.vault.settings.deep, view.lexical, query.positive
        notices, others = list[Notice](), tuple[str, ...]()
        try:
            # What is asked for word by word is not asked for in other words.
            others = rewrites(view.vault.settings, text) if query.has_bare_words else ()
        except ModelError as error:
            _without(notices, NoticeKind.NO_REWORDING, error)
        go_on()
        glossary, meant = glossary_of(text), respelt(text, query.spellings)
        encoded = kept.encode_query(meant)
        wordings = [(other, kept.encode_query(other).vector) for other in others]
        gloss = glossary.gloss(query.asked).text if glossary is not None and query.asked else ""
        there = worded & lexical.in_language(glossary.into) if glossary is not None else worded
        own = lexical.in_language_of(text)
        return Meant(STAGES, kept, vectors, settings, meant, encoded, wordings, gloss, there, own, notices)

    return mean, ()


def _without(notices: list[Notice], kind: NoticeKind, error: VaultError) -> None:
    logger.warning("deep_degraded", extra={"what": kind.name.lower(), "error": str(error)})
    notices.append(Notice(kind, reason=str(error)))
