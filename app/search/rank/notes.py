"""Rank notes by words: those that hold all of them, by their best chunk."""

from collections.abc import Sequence

import numpy as np

from app.notices import Notice, NoticeKind
from app.search.excerpt import calculate_relevance, query_words
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Ids, Mask
from app.search.models import Ranked, Ranking, SearchRequest
from app.search.query.evaluate import matching_notes, word_notes
from app.search.query.explain import readings
from app.search.query.read import queries_of
from app.search.query.tree import Query
from app.search.rank.called import called_notes
from app.search.view import View

PARTS_READ = 100
"""Most notes whose text is read to score words inside longer ones."""
PUNCTUATION = ".,;:!?…()[]«»\"'“”"
MOST_WORDS = 200
"""Of a longer text the first words are asked for, and all rank."""


def rank_notes(view: View, text: str, mask: Mask) -> list[Ranked]:
    """Rank notes by their best chunk; those that a text calls by name come first."""
    scored = view.lexical.rank(text, view.snapshot.chunks_of(mask), None)
    # The best chunk of each note comes first.
    notes, best = np.unique(view.lexical.note_of[scored.ids], return_index=True)
    ranked, _ = view.lexical.by_worth(notes, scored.raw[best])
    scores = scored.shown[best][notes.searchsorted(ranked)].tolist()
    unranked = mask.copy()
    unranked[notes] = False
    rest = view.snapshot.newest_first(np.flatnonzero(unranked).tolist())
    items = [*map(Ranked, ranked.tolist(), scores), *_rank_parts(view, text, rest, min(scores, default=1.0))]
    grades = called_notes(view, text)
    # None that comes first scores less than one behind it.
    most = max((item.score for item in items), default=0.0)
    named = [item._replace(score=most) for item in items if item.doc in grades]
    named.sort(key=lambda item: -grades[item.doc])
    return named + [item for item in items if item.doc not in grades]


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


def _count_words(view: View, words: Sequence[str], mask: Mask) -> Ids:
    """Count, for each note of a mask, the words it holds."""
    counts = np.zeros(len(mask), dtype=np.int64)
    for word in words:
        counts += word_notes(view, word) & mask
    return counts


def newest(snapshot: VaultSnapshot, mask: Mask, field: str = "modified") -> Ranking:
    """List the notes of a mask by a date, newest first."""
    docs = snapshot.newest_first(np.flatnonzero(mask).tolist(), field)
    return Ranking(tuple(Ranked(doc, 1.0) for doc in docs), len(docs))
