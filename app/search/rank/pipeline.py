"""Rank passages for a query: a row of stages, each a function of what is asked and what is found so far."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.search.excerpt import fold, literal, query_words
from app.search.index.documents import LONG_TEXT, SECONDS_A_DAY
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import fold as word_form
from app.search.lexical.segment import Mask
from app.search.lexical.sparse import Ids, Scores
from app.search.query.evaluate import chunk_text, query_filter
from app.search.query.filters import ChunkFilter
from app.search.query.read import respelt
from app.search.query.tree import Query
from app.search.rank.dated import Placed, place
from app.search.rank.likely import HEAD, Evidence, chances, evidence_of, falling, shown
from app.search.rank.notes import called_chunks
from app.search.view import View
from app.stopping import go_on

if TYPE_CHECKING:
    from app.notices import Notice
    from app.search.embedding.embedder import Encoded
    from app.search.vectors.faiss_index import Joined
    from app.search.vectors.store import KeptVectors

NAMES = "names"
"""The list of the notes that a query calls by name."""
REACH = HEAD
"""So many chunks are ranked by words at least; a stage that lifts what stands further behind needs more."""
NO_DOCS, NO_SCORES = np.zeros(0, np.int64), np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Meant:
    """What one query means, and the vectors of the passages.

    ``text`` is what the model was given, ``wordings`` are others with their vectors, ``gloss`` has its words
    in another language, which are looked for ``there``. ``own`` are the documents in the question's language.
    """

    stages: "Sequence[Stage]"
    kept: "KeptVectors"
    joined: "Joined"
    text: str
    encoded: "Encoded"
    wordings: Sequence[tuple[str, Scores]]
    gloss: str
    there: Mask
    own: Mask | None
    notices: "list[Notice]"


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What every stage is given: one query, read, and what it may find.

    ``mask`` are the chunks that pass all that filters, ``worded`` those of them whose allowed lines have a
    word of the query, and ``most`` is how many are wanted. ``placed`` tells what lies in the time that the
    query names. ``meant`` is there where meaning ranks too.
    """

    view: View
    query: Query
    chunks: ChunkFilter
    mask: Mask
    worded: Mask
    most: int | None
    placed: Placed | None
    meant: Meant | None = None

    @property
    def text(self) -> str:
        """The words and phrases that rank."""
        return self.query.positive

    @property
    def lifts_any(self) -> bool:
        """Whether a stage may lift a chunk from anywhere, further than ``REACH``: then all are ranked."""
        return self.placed is not None


class Found(NamedTuple):
    """Chunks, best first, each with a score, and ``total``, how many there are in all.

    ``legs`` are the lists that were joined, by name, each best first; ``near`` the lines of a chunk whose
    meaning is nearest; ``plain`` the order without the time that the query names; ``evidence`` what the
    scores of the first are made of; ``is_far`` whether nothing holds a word that was asked for, and nothing
    is likely to answer.
    """

    docs: Ids = NO_DOCS
    scores: Scores = NO_SCORES
    total: int = 0
    legs: Mapping[str, Ids] = MappingProxyType({})
    near: Mapping[int, tuple[int, int]] = MappingProxyType({})
    placed: Placed | None = None
    plain: tuple[Ids, Scores] | None = None
    evidence: Evidence | None = None
    is_far: bool = False
    notices: "tuple[Notice, ...]" = ()

    @property
    def rows(self) -> list[tuple[int, float]]:
        """The chunks with their scores."""
        return list(zip(self.docs.tolist(), self.scores.tolist(), strict=True))

    def first(self, docs: Ids) -> "Found":
        """Put some chunks first, in their order; none of them scores less than what comes after it."""
        rest = ~np.isin(self.docs, docs)
        own = dict(self.rows)
        least = float(self.scores[rest].max(initial=0)) if rest.any() else float(self.scores.min(initial=1))
        scores = np.array([own.get(doc, least) for doc in docs.tolist()], np.float32)
        return self.ordered(
            np.concatenate((docs, self.docs[rest])), np.concatenate((scores, self.scores[rest]))
        )

    def then(self, docs: Ids, score: float | None = None) -> "Found":
        """Put more chunks behind, with a score, or with the least that there is."""
        least = float(self.scores.min(initial=1)) if score is None else score
        scores = np.concatenate((self.scores, np.full(len(docs), least, np.float32)))
        return self._replace(docs=np.concatenate((self.docs, docs)), scores=scores)

    def ordered(self, docs: Ids, scores: Scores) -> "Found":
        """Take an order, each score raised to the highest after it."""
        raised: Scores = np.maximum.accumulate(scores[::-1])[::-1].astype(np.float32)
        return self._replace(docs=docs, scores=raised)


Stage = Callable[[Asked, Found], Found]


def rank(
    view: View,
    query: Query,
    chunks: ChunkFilter,
    most: int | None = None,
    mean: Callable[[Query, Mask], Meant] | None = None,
) -> Found:
    """Rank the allowed chunks for one query, by words, or by words and meaning.

    Bare words rank and never exclude; everything else filters by note.

    Args:
        view: The index, and the vault where the lines are read.
        query: The query.
        chunks: What the filters allow.
        most: The most chunks that are wanted; None gives all.
        mean: Tells what a query means, where meaning ranks too.
    """
    mask = chunks.mask & view.snapshot.chunks_of(query_filter(view, query))
    if not query.positive:
        docs = newest_chunks(view.snapshot, mask)
        return Found(docs[:most], np.ones(len(docs[:most]), np.float32), len(docs))
    # The days of a chunk do not stand in its lines: what is asked for by its time alone need hold no word.
    worded = _within_lines(view, query, mask, chunks) if query.asked else mask
    placed = place(view, query.window) if query.window is not None else None
    meant = mean(query, worded) if mean is not None else None
    asked = Asked(view, query, chunks, mask, worded, most, placed, meant)
    found = Found(placed=placed)
    for stage in STAGES if meant is None else meant.stages:
        go_on()
        found = stage(asked, found)
    return found if asked.lifts_any else found._replace(docs=found.docs[:most], scores=found.scores[:most])


def by_words(asked: Asked, found: Found) -> Found:
    """Rank by BM25; beside a time, what has words of that alone scores nothing."""
    lexical, spellings, placed = asked.view.lexical, asked.query.spellings, asked.placed
    # The scores of the first are the same however few are asked for.
    most = None if asked.most is None or asked.lifts_any else max(asked.most, REACH)
    if asked.meant is not None:
        most = asked.view.vault.settings.deep.candidates
    elif not asked.query.has_bare_words:
        most = None
    scored = lexical.rank(asked.text, asked.worded, most, spellings)
    found = found._replace(docs=scored.ids, scores=scored.shown)
    if placed is None or asked.meant is not None:
        return found
    if not asked.query.asked:
        inside = newest_chunks(asked.view.snapshot, asked.mask & (placed.grades > 0))
        rest = ~np.isin(scored.ids, inside)
        scores = np.concatenate((np.ones(len(inside), np.float32), scored.shown[rest]))
        return found._replace(docs=np.concatenate((inside, scored.ids[rest])), scores=scores)
    besides = lexical.rank(asked.query.asked, asked.worded, None, spellings)
    worth = np.zeros(lexical.size, np.float32)
    worth[besides.ids] = besides.shown
    return found._replace(scores=worth[scored.ids])


def in_time(asked: Asked, found: Found) -> Found:
    """Let what lies in the time that a query names pass what does not: it counts up to twice as much."""
    if asked.placed is None:
        return found
    order = np.argsort(-found.scores, kind="stable")
    plain = found.docs[order], found.scores[order]
    text = asked.query.asked
    lexical, coverage = asked.view.lexical, None
    if text:
        coverage = lexical.told(found.docs.tolist(), text, asked.query.spellings).held.sum(axis=1)
    keeps = asked.meant is not None or not text
    timed = asked.placed.order(found.docs, found.scores, coverage, keeps=keeps)
    return found.ordered(*timed)._replace(plain=plain)


def literal_first(asked: Asked, found: Found) -> Found:
    """Put first what holds a literal query as it stands, then what has all words of a short one."""
    lexical, query, placed = asked.view.lexical, asked.query, asked.placed
    tier = np.zeros(lexical.size, np.int8)
    if placed is None:
        tier[lexical.whole(asked.text, query.spellings)] = 1
    if query.asked or (placed is not None and placed.window.sort in ("yearly", "dated")):
        # Words such as "last week" stand in notes of any time.
        tier[_literal_chunks(asked)] = 2
    tier[~asked.worded] = 0
    if not tier.any():
        return found
    more = np.flatnonzero(tier)
    more = more[~np.isin(more, found.docs)]
    worth = lexical.covered(more.tolist(), asked.text, asked.worded, query.spellings)
    found = found.then(lexical.by_worth(more, worth)[0])
    order = np.argsort(-tier[found.docs], kind="stable")
    return found.ordered(found.docs[order], found.scores[order])


def inside_words(asked: Asked, found: Found) -> Found:
    """Find the only word of a query inside longer ones: behind the rest, or first where nothing has it."""
    letters = word_form(respelt(asked.query.only_word, asked.query.spellings))
    if asked.placed is not None or not letters.isalnum():
        return found
    # As in the index, case and accents are left aside.
    parts = asked.view.lexical.containing(letters)
    parts = parts[asked.worded[parts]]
    parts = asked.view.lexical.by_worth(parts, np.zeros(len(parts)))[0]
    if not len(found.legs.get("words", found.docs)):
        return found.first(parts) if len(parts) else found
    return found.then(parts[~np.isin(parts, found.docs) & ~_having(asked)[parts]])


def likely(asked: Asked, found: Found) -> Found:
    """Give the chunks, in their order, the probabilities that they answer.

    A hit is as likely as where no time were named. One of the first that lies in the time has more of what
    was asked for, and can be likelier.
    """
    if not len(found.docs) or not asked.query.asked:
        return found
    plain, scores = found.plain or (found.docs, found.scores)
    evidence, chance = _weighed(asked, plain, scores), np.zeros(asked.view.lexical.size, np.float32)
    chance[plain] = shown(scores, falling(chances(evidence)))
    if asked.placed is not None:
        head, grades = found.docs[:HEAD], asked.placed.grades
        timed = chances(_weighed(asked, head, found.scores, grades))
        chance[head] = np.where(grades[head] > 0, np.maximum(chance[head], timed), chance[head])
    return found._replace(scores=chance[found.docs], evidence=evidence)


def all_that_pass(asked: Asked, found: Found) -> Found:
    """Add what passes the filters of a query without bare words, however its text meets them."""
    if asked.query.has_bare_words:
        return found
    snapshot = asked.view.snapshot
    rest = asked.mask & ~snapshot.chunks_of(snapshot.notes_of(found.docs))
    return found.then(newest_chunks(snapshot, rest), 0.0)


def named_first(asked: Asked, found: Found) -> Found:
    """Put the notes that a query calls by name before what mentions them."""
    named = called_chunks(asked.view, asked.query, asked.mask, found.docs)
    if not len(named):
        return found
    return found._replace(legs={**found.legs, NAMES: named}).first(named)


def counted(asked: Asked, found: Found) -> Found:
    """Count what is found, and what would be were more asked for."""
    if asked.meant is not None or asked.most is None or len(found.docs) < asked.most:
        return found._replace(total=len(found.docs))
    having = _having(asked)
    return found._replace(total=int(np.count_nonzero(having)) + int(np.count_nonzero(~having[found.docs])))


ORDERED = (in_time, literal_first, inside_words, likely, all_that_pass, named_first, counted)
"""The stages that order what was found, by words alone or by meaning too."""
STAGES = (by_words, *ORDERED)
"""The stages of `fast`; `app.search.rank.deep` has those of `deep`."""


def newest_chunks(snapshot: VaultSnapshot, mask: Mask) -> Ids:
    """Order chunks newest first: by their own day, else by when their note was modified, then by path."""
    docs = np.flatnonzero(mask)
    notes = snapshot.lexical.note_of[docs]
    days, when = snapshot.lexical.column("day")[docs], snapshot.lexical.column("modified")[notes]
    day = np.where(days > 0, days, when // SECONDS_A_DAY)
    return docs[np.lexsort((docs, snapshot.lexical.path_ranks[notes], -when, -day))]


def _having(asked: Asked) -> Mask:
    return asked.view.lexical.having(asked.text, asked.worded, asked.query.spellings)


def _weighed(asked: Asked, docs: Ids, scores: Scores, in_time: Scores | None = None) -> Evidence:
    """Return what speaks for the first of some chunks."""
    docs, scores, meant = docs[:HEAD], scores[:HEAD], asked.meant
    notes = asked.view.lexical.note_of[docs]
    told = asked.view.lexical.told(docs.tolist(), asked.query.asked, asked.query.spellings, in_time)
    if meant is None:
        return evidence_of(docs, notes, scores, told)
    rows = [meant.joined.rows(doc, asked.chunks.lines) for doc in docs.tolist()]
    nearest, cosines = meant.joined.index.best_rows(meant.encoded.vector, rows)
    cosines = np.where(nearest < 0, np.float32(np.nan), cosines)
    return evidence_of(docs, notes, scores, told, cosines, meant.joined.background)


def _literal_chunks(asked: Asked) -> Ids:
    """Return the chunks whose allowed lines hold a query's literal text, case aside.

    Where only the best are wanted, and words alone order them, those are read and no others.
    """
    text = respelt(asked.query.literal, asked.query.spellings)
    wanted = literal(text)
    if not wanted:
        return NO_DOCS
    view, places = asked.view, dict[int, list[tuple[int, int]]]()

    def holds(doc: int) -> bool:
        if len(wanted) > LONG_TEXT or doc in asked.chunks.lines:
            return wanted in literal(_allowed_text(view, doc, asked.chunks))
        note = int(view.lexical.note_of[doc])
        if note not in places:
            places[note] = list(view.snapshot.texts.lines_of(note, tuple(wanted.split())))
        start, end = view.snapshot.chunk_lines(doc) if places[note] else (0, 0)
        return any(start <= first and last <= end for first, last in places[note])

    perhaps, most = view.lexical.phrase(text, asked.worded), None
    having = _having(asked)[perhaps]
    wordy, others = perhaps[having], perhaps[~having]
    if asked.most is not None and asked.meant is None and not asked.lifts_any:
        most = max(asked.most, REACH)
        worth = view.lexical.covered(wordy.tolist(), asked.text, asked.worded, asked.query.spellings)
        wordy = view.lexical.by_worth(wordy, worth)[0]
    best = islice(filter(holds, wordy.tolist()), most)
    # Those without a whole word of it would not be counted otherwise.
    return np.array([*best, *filter(holds, others.tolist())], np.int64)


def _within_lines(view: View, query: Query, mask: Mask, chunks: ChunkFilter) -> Mask:
    """Drop chunks allowed in part only whose allowed lines hold none of a query's words."""
    words, kept = query_words(respelt(query.positive, query.spellings, every=True)), mask.copy()
    for doc in chunks.lines:
        if mask[doc]:
            lines = fold(_allowed_text(view, doc, chunks))
            kept[doc] = any(word in lines for word in words)
    return kept


def _allowed_text(view: View, doc: int, chunks: ChunkFilter) -> str:
    ranges = chunks.lines.get(doc)
    if not ranges:
        return chunk_text(view, doc)
    return "\n".join(chunk_text(view, doc, lines) for lines in ranges)
