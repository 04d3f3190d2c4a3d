"""The stages by which meaning ranks too: lists, fused into one, its first ones ordered by all scores."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from app.config.settings import DeepSettings, logger
from app.errors import EngineMissingError, ModelError, VaultError
from app.notices import Notice, NoticeKind
from app.search.embedding.embedder import project
from app.search.embedding.glosses import ENGLISH, asks_in_french, gloss
from app.search.index.documents import MOST_NAME_WORDS, NAME, name_words
from app.search.lexical.segment import Mask
from app.search.lexical.sparse import Ids, Scores
from app.search.query.evaluate import chunk_text
from app.search.query.filters import ChunkFilter, Lines
from app.search.query.read import respelt
from app.search.query.tree import Query
from app.search.rank.fusion import minmax, reciprocal_ranks
from app.search.rank.likely import HEAD, LEAST_LIKELY
from app.search.rank.pipeline import NAMES, ORDERED, Asked, Found, Meant, by_words
from app.search.view import View
from app.sentences import Sentence
from app.stopping import go_on
from app.vault.paths import NOTE_SUFFIX

ACROSS = "words of the gloss"
"""The list of notes in another language than the question's, by the words that its own stand for there."""
ACROSS_WEIGHT = 0.5
"""What that list counts for in the fusion, beside others at 1."""
SEEDS = 3
"""First notes whose links and names are followed; with more nothing is gained."""
MOST_LINKED = 10
"""Of more notes that a passage names, those with the rarest names are looked at."""
BELOW_SEED = 0.99
"""What is found by the link of a hit comes after that hit."""
WELL_COVERED = 0.75
"""A passage that covers this share of a query's information is as good, by its words, as one that has all."""
LEAST_OWN = 10
"""With fewer passages in the question's language there is nothing to weigh one of them by."""
SET_BACK = 2
"""A passage in another language than the best is set back by its share of the best score, to this power."""


class Pool(NamedTuple):
    """The chunks that are compared by all scores, with these scores.

    ``words`` is the share of the query's information that a chunk covers; words near each other can raise it
    above 1. ``nearest`` is the row of its best window, and ``window`` the cosine of that, with a share of the
    mean of its note's windows; ``tokens`` is late interaction. What has no vectors yet has row -1, and 0 in
    the other scores. ``own`` tells which are in the question's language, none where that is not told.
    """

    docs: Ids
    notes: Ids
    nearest: Ids
    words: Scores
    window: Scores
    tokens: Scores
    own: Mask


def lists(asked: Asked, found: Found) -> Found:
    """Make the lists: by words, by vectors, by other wordings, by the gloss, and by what lies in a time."""
    meant, mask, lexical = _of(asked), asked.mask, asked.view.lexical
    most, spellings = _settings(asked).candidates, asked.query.spellings

    def nearest(vector: Scores, mask: Mask) -> Ids:
        return np.array(meant.joined.nearest(vector, most, mask, asked.chunks.lines), np.int64)

    legs: dict[str, Ids] = {"words": found.docs, "vectors": nearest(meant.encoded.vector, mask)}
    for other, vector in meant.wordings:
        go_on()
        legs[Sentence("words of '{query}'", query=other)] = lexical.rank(other, asked.worded, most).ids
        legs[Sentence("vectors of '{query}'", query=other)] = nearest(vector, mask)
    if asked.placed is not None:
        # Without lists of its own little of what lies in the time would reach the pool of a large vault.
        inside = asked.placed.grades > 0
        legs["vectors in the time"] = nearest(meant.encoded.vector, mask & inside)
        if asked.query.asked:
            matter = lexical.rank(asked.query.asked, asked.worded & inside, most, spellings)
            legs["words in the time"] = matter.ids
    if meant.gloss:
        legs[ACROSS] = lexical.rank(meant.gloss, meant.there, most).ids
    return found._replace(legs=legs)


def fused(asked: Asked, found: Found) -> Found:
    """Join the lists by Reciprocal Rank Fusion."""
    weights = [ACROSS_WEIGHT if name == ACROSS else 1.0 for name in found.legs]
    docs, scores = reciprocal_ranks(list(found.legs.values()), _settings(asked).fusion_k, weights)
    return found._replace(docs=docs, scores=scores)


def pooled(asked: Asked, found: Found) -> Found:
    """Order the first by all scores, the best made 1; the others stand behind as they were fused."""
    settings = _settings(asked)
    pool = _pool(asked, found.docs[: settings.pool])
    if not len(pool.docs):
        return found
    scores, legs = blended(asked, pool, pool), found.legs
    if settings.links_weight and asked.query.has_bare_words:
        pool, scores, named = _linked(asked, pool, scores)
        legs = {**legs, "links": named}
    order = np.argsort(-scores, kind="stable")
    first = scores[order] / max(float(scores.max()), 1e-9)
    behind = ~np.isin(found.docs, pool.docs)
    rest = found.scores[behind] / max(float(found.scores[behind].max(initial=0)), 1e-9) * first[-1]
    joined = _of(asked).joined
    near = zip(pool.docs.tolist(), pool.nearest.tolist(), strict=True)
    return found._replace(
        docs=np.concatenate((pool.docs[order], found.docs[behind])),
        scores=np.concatenate((first, rest)).astype(np.float32),
        near={doc: joined.lines_of(doc, row) for doc, row in near if row >= 0},
        legs=legs,
    )


def reranked(asked: Asked, found: Found) -> Found:
    """Blend in the scores of a cross-encoder, where one is configured and can be used."""
    meant, settings = _of(asked), _settings(asked)
    if not settings.reranker:
        return found
    from app.search.rank.by_model import rerank

    try:
        docs, scores = rerank(asked.view, meant.text, found.docs, found.scores, settings)
    except ModelError as error:
        meant.notices.append(_without(NoticeKind.NO_RERANKER, error))
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
    is_far = (
        asked.placed is None
        and NAMES not in legs
        and not len(legs["words"])
        and not len(across)
        and evidence is not None
        and evidence.meaning is not None
        and float(found.scores[0]) < LEAST_LIKELY
        and int(np.count_nonzero(asked.mask)) > HEAD
    )
    return found._replace(is_far=is_far, notices=tuple(meant.notices))


STAGES = (by_words, lists, fused, pooled, reranked, *ORDERED, far)
"""The stages of `deep`."""


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
        return None, (_without(NoticeKind.FOUND_BY_WORDS, error),)
    if not len(kept.index()):
        # Nothing can be said of meaning yet, which the caller has been told: words have scores of their own.
        return None, ()

    def mean(query: Query, worded: Mask) -> Meant:
        lexical, text, others = view.lexical, query.positive, tuple[str, ...]()
        notices, settings = [], view.vault.settings
        # What is asked for word by word is not asked for in other words.
        if settings.model and query.has_bare_words:
            from app.search.rank.by_model import rewrites

            try:
                others = rewrites(settings, text)
            except ModelError as error:
                notices.append(_without(NoticeKind.NO_REWORDING, error))
        go_on()
        is_french, meant = asks_in_french(text), respelt(text, query.spellings)
        encoded = kept.encode_query(meant)
        wordings = [(other, kept.encode_query(other).vector) for other in others]
        said = gloss(query.asked).text if is_french and query.asked else ""
        there = worded & (lexical.language_of == ENGLISH) if is_french else worded
        own = lexical.in_language_of(text)
        return Meant(STAGES, kept, vectors, meant, encoded, wordings, said, there, own, notices)

    return mean, ()


def _without(kind: NoticeKind, error: VaultError) -> Notice:
    logger.warning("deep_degraded", extra={"what": kind.name.lower(), "error": str(error)})
    return Notice(kind, reason=str(error))


def _of(asked: Asked) -> Meant:
    assert asked.meant is not None
    return asked.meant


def _settings(asked: Asked) -> DeepSettings:
    return asked.view.vault.settings.deep


# The pool


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
        window=window + np.float32(_settings(asked).note_weight) * means[which],
        tokens=index.token_scores(project(meant.encoded.tokens), rows) if meant.kept.has_tokens else none,
        own=none.astype(np.bool_) if meant.own is None else meant.own[docs],
    )


def _covered(asked: Asked, docs: Ids) -> Scores:
    """Return how much of the query's information the words of some chunks cover, its time included."""
    meant, lexical, chunks = _of(asked), asked.view.lexical, docs.tolist()
    found: Scores = lexical.covered(chunks, asked.text, asked.worded, asked.query.spellings)
    if meant.own is None or not meant.gloss:
        return found
    # Beside notes in the question's language, which have its words, others need some to be held against.
    across: Scores = lexical.covered(chunks, meant.gloss, meant.there) * np.float32(ACROSS_WEIGHT)
    return np.maximum(found, across)


def blended(asked: Asked, pool: Pool, among: Pool) -> Scores:
    """Make one score of all, each as it stands among those of a pool.

    A passage in the question's language is weighed among those of that language, so that nearer ones in
    another do not change its place among them; any other among all. What is in another language than the best
    passage is set back, the more the further it lies behind that: where the notes answer in one language,
    what is somewhat near in another comes after what answers there.
    """
    settings, fitted = _settings(asked), _of(asked).kept.embedder.words_weight
    share = fitted if settings.words_weight is None else settings.words_weight
    told = np.count_nonzero(among.own) >= LEAST_OWN
    every, scores = np.ones(len(among.docs), np.bool_), np.zeros(len(pool.docs), np.float32)
    for here, beside in ((pool.own & told, among.own), (~(pool.own & told), every)):
        if not here.any():
            continue
        # Where even the best covers little of the query, words say little, and meaning counts for more.
        words = pool.words[here] / max(float(among.words[beside].max(initial=0)), WELL_COVERED)
        weight = settings.tokens_weight if among.tokens.any() else 0.0
        meaning = (1 - weight) * minmax(pool.window[here], among.window[beside])
        meaning += weight * minmax(pool.tokens[here], among.tokens[beside])
        scores[here] = share * words + (1 - share) * np.maximum(meaning, 0)
    if not told:
        return scores
    best = int(scores.argmax())
    shares = scores / max(float(scores[best]), 1e-9)
    return np.where(pool.own == pool.own[best], scores, scores * shares**SET_BACK)


# Notes that a first hit names, by a link or their title: they may answer what it leaves open


def _linked(asked: Asked, pool: Pool, scores: Scores) -> tuple[Pool, Scores, Ids]:
    """Lift the best passages of the notes that the first hits name, below the hit; return them too."""
    settings, allowed = _settings(asked), asked.view.snapshot.notes_of(asked.mask)
    leads: dict[int, tuple[float, float]] = {}
    for at in list(_best_of_notes(pool, scores).values())[:SEEDS]:
        score = float(scores[at])
        for note, telling in linked_notes(asked.view, int(pool.docs[at]), asked.chunks, allowed).items():
            lead = (settings.links_weight * score * telling, BELOW_SEED * score)
            leads[note] = max(lead, leads.get(note, (0.0, 0.0)))
    if missing := [note for note in leads if note not in pool.notes]:
        pairs: Any = zip(pool, _pool(asked, _nearest(asked, missing)), strict=True)
        more = Pool(*map(np.concatenate, pairs))
        pool, scores = more, blended(asked, more, pool)
    best, lifted = _best_of_notes(pool, scores), scores.copy()
    for note, (gain, highest) in leads.items():
        lifted[best[note]] = max(scores[best[note]], min(scores[best[note]] + gain, highest))
    named = sorted(leads, key=lambda note: -leads[note][0])
    return pool, lifted, pool.docs[[best[note] for note in named]]


def _best_of_notes(pool: Pool, scores: Scores) -> dict[int, int]:
    """Return for each note the place of its best passage in the pool, the best note first."""
    best: dict[int, int] = {}
    for at in np.argsort(-scores, kind="stable").tolist():
        best.setdefault(int(pool.notes[at]), at)
    return best


def _nearest(asked: Asked, notes: Sequence[int]) -> Ids:
    """Return of each note the allowed chunk that meets the query best, by its words and nearest window."""
    meant, note_of = _of(asked), asked.view.lexical.note_of
    docs = np.flatnonzero(asked.mask & np.isin(note_of, notes))
    rows = [meant.joined.rows(doc, asked.chunks.lines) for doc in docs.tolist()]
    worth = _covered(asked, docs) + meant.joined.index.best_rows(meant.encoded.vector, rows)[1]
    docs = docs[np.argsort(-worth, kind="stable")]
    return docs[np.sort(np.unique(note_of[docs], return_index=True)[1])]


def linked_notes(view: View, doc: int, chunks: ChunkFilter, allowed: Mask) -> dict[int, float]:
    """Find the notes that a passage links to, or has a name of in its text, with how much that tells.

    A name tells less the more passages have it, and the more names stand beside it: neither a note that is
    named everywhere nor a list of links says what belongs together.

    Args:
        view: The index, and the vault where the lines are read.
        doc: The passage.
        chunks: What the filters allow; of a passage allowed in part only, those lines are read.
        allowed: The notes that may be found.

    Returns:
        A number between 0 and 1 for each note, the highest first.
    """
    own = int(view.lexical.note_of[doc])
    ranges = chunks.lines.get(doc) or (view.snapshot.chunk_lines(doc),)
    found: dict[int, float] = {}
    for name, notes in (*_links(view, own, ranges), *_mentions(view, doc, ranges)):
        for note in notes:
            if note != own and allowed[note]:
                found[note] = max(_telling(view, doc, name), found.get(note, 0.0))
    shared = math.sqrt(max(len(found), 1))
    first = sorted(found, key=lambda note: -found[note])[:MOST_LINKED]
    return {note: found[note] / shared for note in first if found[note]}


def _links(view: View, note: int, ranges: Sequence[Lines]) -> Iterator[tuple[Sequence[str], Sequence[int]]]:
    """Yield what some lines link to, under the name of the file."""
    snapshot, path = view.snapshot, view.lexical.path(note)
    for link in snapshot.links(note):
        if any(start <= link.line <= end for start, end in ranges):
            target = snapshot.resolver.resolve(link.target, path)
            doc = snapshot.doc(target) if target else None
            if target and doc is not None:
                yield name_words(target.rpartition("/")[2].removesuffix(NOTE_SUFFIX)), (doc,)


def _mentions(view: View, doc: int, ranges: Sequence[Lines]) -> Iterator[tuple[Sequence[str], Sequence[int]]]:
    """Yield the notes that some lines name; where names overlap, the first and longest counts.

    One word names no note in another language, where it can mean anything: "installation", "dates".
    """
    names, groups = view.snapshot.names, view.lexical.group_of
    words = [word for lines in ranges for word in name_words(chunk_text(view, doc, lines))]
    at = 0
    while at < len(words):
        length = 1
        known = names.get(words[at], frozenset())
        for end in range(min(at + MOST_NAME_WORDS, len(words)), at, -1) if known else ():
            name = " ".join(words[at:end])
            notes = view.lexical.docs_with(NAME + name).tolist() if name in known else []
            if end == at + 1:
                notes = [note for note in notes if groups[doc] == groups[note]]
            if notes:
                yield words[at:end], notes
                length = end - at
                break
        at += length


def _telling(view: View, doc: int, name: Sequence[str]) -> float:
    """Return how rare a name is in the language of a document, 0 to 1, by the rarest of its words."""
    total = view.lexical.group_sizes[view.lexical.group_of[doc]]
    rarest = min((max(view.lexical.frequency(word, doc), 1) for word in name), default=total)
    return 1 - math.log(rarest) / math.log(total) if total > 1 else 0.0
