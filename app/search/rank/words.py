"""Rank chunks and notes by words: BM25, and what holds a literal query as it stands first."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.notices import Notice, NoticeKind
from app.search.excerpt import calculate_relevance, query_words
from app.search.index.documents import SECONDS_A_DAY
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Mask, Scored
from app.search.models import Ranked, Ranking, SearchRequest
from app.search.query.evaluate import matching_notes, word_notes
from app.search.query.explain import readings
from app.search.query.filters import ChunkFilter
from app.search.query.period import Window
from app.search.query.read import queries_of
from app.search.query.spelling import respelt
from app.search.query.tree import Query
from app.search.rank.dated import Placed, in_time_first, place
from app.search.rank.fusion import Scores
from app.search.rank.likely import HEAD, Evidence, chances, evidence_of_words, shown
from app.search.rank.literal import literal_chunks, part_chunks, passing_chunks, within_lines
from app.search.view import View

SECOND_CHUNK = 0.1
"""How much a note's second-best chunk adds to its best; at 0.2 long notes begin to win."""
PARTS_READ = 100
"""Most notes whose text is read to score words inside longer ones."""

Counts = NDArray[np.int64]
PUNCTUATION = ".,;:!?…()[]«»\"'“”"
MOST_WORDS = 200
"""Of a longer text the first words are asked for, and all rank."""


class ChunkRanking(NamedTuple):
    """Chunks with scores in 0..1, best first, and how many there are in all.

    Scores may rise where a time puts what lies in it first: `falling` gives those that are shown.
    ``legs`` are the lists that were joined, by name, each best first; ``near`` the range of lines of a
    chunk whose meaning is nearest; ``placed`` what lies in the time that was asked about; ``pool`` the
    chunks that were compared by all scores; ``evidence`` what the scores of the first are made of;
    ``glossed`` the question in the words of another language, where they found the first; ``is_far``
    whether nothing holds a word that was asked for, and nothing is likely to answer.
    """

    rows: list[tuple[int, float]]
    total: int
    legs: Mapping[str, Sequence[int]] = MappingProxyType({})
    near: Mapping[int, tuple[int, int]] = MappingProxyType({})
    placed: Placed | None = None
    pool: Sequence[int] = ()
    evidence: Evidence | None = None
    glossed: str = ""
    is_far: bool = False


Rank = Callable[[Query, ChunkFilter], ChunkRanking]
"""Ranks the allowed chunks for one query."""


def rank_chunks(view: View, query: Query, chunks: ChunkFilter, k: int | None) -> ChunkRanking:
    """Rank the allowed chunks for one query.

    Bare words rank and never exclude; everything else filters by note. A chunk that holds the literal text of
    a query ranks above all that do not, and is never left out.

    Args:
        view: The index, and the vault where the lines are read.
        query: The query.
        chunks: What the filters allow.
        k: The most chunks to give; None gives all.
    """
    mask = _allowed(view, query, chunks)
    if not query.positive:
        docs = newest_chunks(view.snapshot, mask)
        return ChunkRanking([(doc, 1.0) for doc in docs[:k]], len(docs))
    if not query.has_bare_words:
        rows = _by_words(view, query, mask, chunks, None).rows
        # No note that passes the filters may be missing, however its text meets them.
        rest = mask & ~view.snapshot.chunks_of(
            view.snapshot.notes_of(np.array([doc for doc, _ in rows], dtype=np.int64))
        )
        rows += [(doc, 0.0) for doc in newest_chunks(view.snapshot, rest)]
        return ChunkRanking(rows[:k], len(rows))
    return _by_words(view, query, mask, chunks, k)


def _allowed(view: View, query: Query, chunks: ChunkFilter) -> Mask:
    """Return the chunks that pass all that filters."""
    mask = passing_chunks(view, query, chunks)
    # The days of a chunk do not stand in its lines: what is asked for by its time alone need hold no word.
    if query.asked:
        mask = within_lines(view, mask, chunks, respelt(query.positive, query.spellings, every=True))
    return mask


def found_chunks(view: View, query: Query, chunks: ChunkFilter) -> Mask:
    """Return the chunks that `rank_chunks` gives, all of them, as far as it can without ranking them."""
    text = query.positive
    if text and (query.window is not None or not query.has_bare_words):
        found = np.zeros_like(chunks.mask)
        found[[doc for doc, _ in rank_chunks(view, query, chunks, None).rows]] = True
        return found
    mask = _allowed(view, query, chunks)
    if not text:
        return mask
    found = view.lexical.having(text, mask, query.spellings)
    found[literal_chunks(view, query, mask & ~found, chunks)] = True
    found[part_chunks(view, query, mask)] = True
    return found


def _by_words(view: View, query: Query, mask: Mask, chunks: ChunkFilter, k: int | None) -> ChunkRanking:
    """Rank the chunks of a mask that have any word of the query, each with how likely it answers."""
    # The scores of the first are the same however many are asked for.
    most = None if k is None else max(k, HEAD)
    ranking = _ordered(view, query, mask, chunks, most)
    text = query.asked
    if not ranking.rows or not text:
        return ranking._replace(rows=ranking.rows[:k])
    plain = ranking.rows
    if query.window is not None:
        plain = _rows(view.lexical.rank(text, mask, None, query.spellings))

    def weigh(rows: Sequence[tuple[int, float]], in_time: Scores | None = None) -> Evidence:
        docs = [doc for doc, _ in rows[:HEAD]]
        told = view.lexical.told(docs, text, query.spellings, in_time)
        return evidence_of_words(docs, view.lexical.note_of[docs].tolist(), told)

    evidence = weigh(plain)
    rows = shown(plain, chances(evidence))
    if ranking.placed is None:
        return ranking._replace(rows=rows[:k], evidence=evidence)
    # In another order the score of the first can depend on that of any.
    rows = in_order_of(ranking.rows, rows, ranking.placed, weigh)
    return ranking._replace(rows=rows, evidence=evidence)


def in_order_of(
    order: Sequence[tuple[int, float]],
    rows: Sequence[tuple[int, float]],
    placed: Placed,
    weigh: Callable[[Sequence[tuple[int, float]], Scores], Evidence],
) -> list[tuple[int, float]]:
    """Put rows in the order that a time gives them.

    A hit is as likely as where no time were named. One of the first that lies in it has more of what was
    asked for, and can be likelier.

    Args:
        order: The rows in that order.
        rows: The rows with how likely each were without the time.
        placed: What lies in the time.
        weigh: Weighs the first of some rows with the time as one more word.
    """
    likely = dict(rows)
    evidence = weigh(order, placed.grades)
    for doc, chance in zip(evidence.docs, chances(evidence).tolist(), strict=True):
        if placed.grades[doc] > 0:
            likely[doc] = max(chance, likely.get(doc, 0.0))
    return [(doc, likely.get(doc, 0.0)) for doc, _ in order]


def _ordered(view: View, query: Query, mask: Mask, chunks: ChunkFilter, k: int | None) -> ChunkRanking:
    """Order the chunks of a mask that have any word of the query, by scores that only order."""
    if query.window is not None:
        return _in_time(view, query, mask, chunks, query.window, k)
    text, spellings = query.positive, query.spellings
    scored = view.lexical.rank(text, mask, k, spellings)
    rows, total = _rows(scored), scored.total
    whole = view.lexical.whole(text, spellings)
    whole = whole[mask[whole]]
    held = literal_chunks(view, query, mask, chunks)
    first = np.zeros_like(mask)
    first[whole], first[held] = True, True
    if first.any():
        rows = _rows(view.lexical.rank(text, first, None, spellings)) + [
            (doc, score) for doc, score in rows if not first[doc]
        ]
        rows = literal_first(literal_first(rows, whole.tolist()), held.tolist())
    parts = part_chunks(view, query, mask)
    if len(held) or len(parts):
        found = view.lexical.having(text, mask, spellings)
        total += int(np.count_nonzero(~found[held]))
        found[held] = True
        parts, least = parts[~found[parts]], rows[-1][1] if rows else 1.0
        rows += [(doc, least) for doc in parts.tolist()]
        total += len(parts)
    return ChunkRanking(rows[:k], total)


def _rows(scored: Scored) -> list[tuple[int, float]]:
    """Return chunks with what is shown of their scores."""
    return list(zip(scored.ids.tolist(), scored.shown.tolist(), strict=True))


def _in_time(
    view: View, query: Query, mask: Mask, chunks: ChunkFilter, window: Window, k: int | None
) -> ChunkRanking:
    """Order as `_ordered` does, and let what lies in a window pass what does not.

    Where nothing is asked besides the time, all that lies in it is found, the newest first.
    """
    text, rest = query.positive, query.asked
    placed = place(view, window)
    rows = _rows(view.lexical.rank(text, mask, None, query.spellings))
    worth = None
    if rest:
        coverage = view.lexical.coverage(rest, query.spellings)
        found = view.lexical.rank(rest, mask, None, query.spellings)
        worth = np.zeros(view.lexical.size, np.float32)
        worth[found.ids] = found.shown
    else:
        inside = mask & (placed.grades > 0)
        coverage = inside.astype(np.float32)
        rows = [(doc, 1.0) for doc in newest_chunks(view.snapshot, inside)] + [
            (doc, score) for doc, score in rows if not inside[doc]
        ]
    rows = in_time_first(rows, placed, coverage, worth)
    if rest or not window.is_relative:
        rows = literal_first(rows, literal_chunks(view, query, mask, chunks).tolist())
    return ChunkRanking(rows[:k], len(rows), placed=placed)


def literal_first(rows: Sequence[tuple[int, float]], literal: Sequence[int]) -> list[tuple[int, float]]:
    """Put what holds the query as it stands first, none of it below the best that does not."""
    if not literal:
        return list(rows)
    holding = set(literal)
    least = max((score for doc, score in rows if doc not in holding), default=0.0)
    first = [(doc, max(score, least)) for doc, score in rows if doc in holding]
    ranked = {doc for doc, _ in first}
    last = min((score for _, score in first), default=least if rows else 1.0)
    first += [(doc, last) for doc in dict.fromkeys(literal) if doc not in ranked]
    return first + [(doc, score) for doc, score in rows if doc not in holding]


def newest_chunks(snapshot: VaultSnapshot, mask: Mask) -> list[int]:
    """Order chunks newest first: by their own day, else by when their note was modified, then by path."""
    docs = np.flatnonzero(mask)
    notes = snapshot.lexical.note_of[docs]
    days, when = snapshot.lexical.column("day")[docs], snapshot.lexical.column("modified")[notes]
    day = np.where(days > 0, days, when // SECONDS_A_DAY)
    ordered: list[int] = docs[np.lexsort((docs, snapshot.lexical.path_ranks[notes], -when, -day))].tolist()
    return ordered


def rank_notes(view: View, text: str, mask: Mask) -> list[Ranked]:
    """Rank notes by their best chunk and a little of their second best."""
    scored = view.lexical.rank(text, view.snapshot.chunks_of(mask), None)
    owners = view.lexical.note_of[scored.ids]
    # The best chunk of each note comes first; of those that are left its second best does.
    notes, best = np.unique(owners, return_index=True)
    left = np.delete(np.arange(len(owners)), best)
    others, second = np.unique(owners[left], return_index=True)
    at = notes.searchsorted(others)
    raw, shown = scored.raw[best].astype(np.float64), np.minimum(1.0, scored.shown[best].astype(np.float64))
    raw[at] += SECOND_CHUNK * scored.raw[left[second]].astype(np.float64)
    shown[at] = np.minimum(1.0, shown[at] + SECOND_CHUNK * scored.shown[left[second]].astype(np.float64))
    ranked, _ = view.lexical.by_worth(notes, raw)
    scores = shown[notes.searchsorted(ranked)].tolist()
    unranked = mask.copy()
    unranked[notes] = False
    rest = view.snapshot.newest_first(np.flatnonzero(unranked).tolist())
    least = min(scores, default=1.0)
    return [*map(Ranked, ranked.tolist(), scores), *_rank_parts(view, text, rest, least)]


def _rank_parts(view: View, text: str, docs: Sequence[int], most: float) -> list[Ranked]:
    """Rank notes that hold the words as parts of longer ones only, which no posting scores.

    Their texts are read, so only the newest of very many are scored; none scores above ``most``.
    """
    worth = dict.fromkeys(docs, 0.0)
    for doc in docs[:PARTS_READ]:
        title = view.snapshot.note(doc).title
        worth[doc] = min(most, calculate_relevance(view.snapshot.texts[doc].raw, text, title))
    return [Ranked(doc, worth[doc]) for doc in sorted(docs, key=lambda doc: -worth[doc])]


def rank_worded(view: View, request: SearchRequest, mask: Mask) -> Ranking:
    """Rank the notes of a mask that hold all the words, or failing that most of them."""
    queries = queries_of(view.snapshot, request)
    matched = np.zeros_like(mask)
    notices: list[Notice] = []
    for query in queries:
        allowed = matching_notes(view, query.conditions, mask)
        notes, notice = _holding_words(view, query, allowed)
        matched |= notes
        notices += [notice] if notice else []
    lacks_words = bool(notices)
    ranked_text = " ".join(query.positive for query in queries if query.positive)
    total = int(matched.sum())
    notices += readings(view, request, queries, total, ranked=False)
    if not ranked_text:
        return newest(view.snapshot, matched)._replace(notices=tuple(notices), lacks_words=lacks_words)
    items = rank_notes(view, ranked_text, matched)
    if request.cuts_by_score:
        items = [item for item in items if request.allows(item.score)]
    return Ranking(tuple(items), len(items), tuple(notices), lacks_words=lacks_words)


def _holding_words(view: View, query: Query, mask: Mask) -> tuple[Mask, Notice | None]:
    """Return the notes with all words of a query; where there are none, those with most, and say so."""
    # Signs between words, such as a lone dash, ask for nothing where there is anything besides.
    words = [word for word in dict.fromkeys(query.words) if query_words(word)[0].isalnum()]
    words = words or ([] if query.conditions else list(query.words))
    words = words[:MOST_WORDS]
    if not words:
        return mask, None
    counts = _count_words(view, words, mask)
    most = int(counts.max(initial=0))
    if most < len(words):
        # A question mark or comma after a word is punctuation, unless a note has it so.
        counts = _count_words(view, [word.strip(PUNCTUATION) or word for word in words], mask)
        most = int(counts.max(initial=0))
    some = 0 < most < len(words)
    notice = Notice(NoticeKind.SOME_WORDS, words=len(words), held=most) if some else None
    return (counts == most) & mask & (most > 0), notice


def _count_words(view: View, words: Sequence[str], mask: Mask) -> Counts:
    """Count, for each note of a mask, the words it holds."""
    counts = np.zeros(len(mask), dtype=np.int64)
    for word in words:
        counts += word_notes(view, word) & mask
    return counts


def newest(snapshot: VaultSnapshot, mask: Mask, field: str = "modified") -> Ranking:
    """List the notes of a mask by a date, newest first."""
    docs = snapshot.newest_first(np.flatnonzero(mask).tolist(), field)
    return Ranking(tuple(Ranked(doc, 1.0) for doc in docs), len(docs))
