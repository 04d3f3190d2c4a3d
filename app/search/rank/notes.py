"""Rank notes: by the words that they hold, and first of all those that a query calls by their name."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from app.notices import Notice, NoticeKind
from app.search.excerpt import calculate_relevance, query_words
from app.search.index.documents import MOST_NAME_WORDS, NAME, name_key, name_words
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.bm25 import Spelling
from app.search.lexical.language import detect, stems, stop_words
from app.search.lexical.segment import Mask
from app.search.lexical.sparse import Ids
from app.search.models import Ranked, Ranking, SearchRequest
from app.search.query.evaluate import matching_notes
from app.search.query.explain import readings
from app.search.query.read import idle_words, queries_of, respelt
from app.search.query.tree import Query, Text
from app.search.view import View
from app.vault.paths import NOTE_SUFFIX, path_key

JUST_SO, FOLDED, IN_ANOTHER_FORM = 3, 2, 1
"""How a note is called."""
FIRST_LETTERS = 3
"""Names in another form of their words, such as a plural, begin with so many letters of the first."""
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
    if request.min_score is not None:
        items = [item for item in items if request.allows(item.score)]
    return Ranking(tuple(items), len(items), tuple(notices), lacks_words=lacks_words)


def asked_words(query: Query) -> list[str]:
    """Return the bare words that a query asks of notes.

    Signs between words, such as a lone dash, ask for nothing where there is anything besides.
    """
    words = [word for word in dict.fromkeys(query.words) if query_words(word)[0].isalnum()]
    return (words or ([] if query.conditions else list(query.words)))[:MOST_WORDS]


def _holding_words(view: View, query: Query, mask: Mask) -> tuple[Mask, Notice | None]:
    """Return the notes with all words of a query; where there are none, those with most, and say so."""
    words = asked_words(query)
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


def _count_words(view: View, words: Sequence[str], mask: Mask) -> NDArray[np.uint8]:
    """Count, for each note of a mask, the words it holds."""
    counts = np.zeros(len(mask), np.uint8)
    for word in words:
        counts += matching_notes(view, [Text(word, folds=True)], mask)
    return counts


def newest(snapshot: VaultSnapshot, mask: Mask, field: str = "modified") -> Ranking:
    """List the notes of a mask by a date, newest first."""
    docs = snapshot.newest_first(np.flatnonzero(mask).tolist(), field)
    return Ranking(tuple(Ranked(doc, 1.0) for doc in docs), len(docs))


def called_chunks(view: View, query: Query, mask: Mask, ranked: Ids) -> Ids:
    """Return the best passage of each note that a query calls by its file name, title, alias or path.

    Notes called just so come first, those whose name has other accents next, and last those whose name is in
    another form, or has words such as an article before or behind it in the query.

    Args:
        view: The index.
        query: The query.
        mask: The chunks that pass all that filters.
        ranked: The chunks that were found, best first.
    """
    # A name may begin with words that only ask: "Notes on drying wood".
    texts = dict.fromkeys((query.typed, query.positive))
    grades = next((found for text in texts if (found := called_notes(view, text, query.spellings))), {})
    notes = np.zeros(view.lexical.size, np.bool_)
    notes[list(grades)] = True
    docs = np.flatnonzero(mask & view.snapshot.chunks_of(notes)) if grades else ranked[:0]
    if not len(docs):
        return docs
    place = np.full(view.lexical.size, len(ranked))
    place[ranked] = np.arange(len(ranked))
    worth = view.lexical.covered(docs.tolist(), query.positive, mask, query.spellings)
    owners = view.lexical.note_of[docs]
    grade = np.array([grades[note] for note in owners.tolist()])
    order = np.lexsort((docs, -worth, place[docs], -grade))
    # The first of each note.
    return docs[order[np.sort(np.unique(owners[order], return_index=True)[1])]]


def called_notes(view: View, text: str, spellings: Sequence[Spelling] = ()) -> dict[int, int]:
    """Return the notes that a text calls by name, each with how: one of the three grades."""
    text = " ".join(text.split())
    path, name = path_key(text), text.removesuffix(NOTE_SUFFIX)
    if "/" in text or name != text:
        keys = view.snapshot.keys
        doc = keys.get(path, keys.get(path + NOTE_SUFFIX))
        if doc is not None:
            return {doc: JUST_SO}
    found = view.lexical.docs_with(NAME + name_key(name)).tolist()
    if found:
        # Of very many notes of one name none is better than the others.
        return {doc: JUST_SO if path_key(name) in _names(view, doc) else FOLDED for doc in found}
    words = name_words(respelt(name, tuple(spellings)))
    if len(words) > 2 * MOST_NAME_WORDS:
        return {}
    for some in _within(words, view.lexical.languages):
        found = view.lexical.docs_with(NAME + " ".join(some)).tolist() or list(_in_other_form(view, some))
        if found:
            return dict.fromkeys(found, IN_ANOTHER_FORM)
    return {}


def _names(view: View, doc: int) -> Iterator[str]:
    """Yield what a note is called, without regard to case."""
    note = view.snapshot.note(doc)
    stem = note.path.rpartition("/")[2].removesuffix(NOTE_SUFFIX)
    names = (stem, note.title, note.h1, note.properties.get("title"), *note.aliases)
    return (path_key(" ".join(name.split())) for name in names if isinstance(name, str))


def _within(words: Sequence[str], languages: Sequence[int]) -> Iterator[Sequence[str]]:
    """Yield a query's words without more and more of those around them that ask for nothing."""
    empty = idle_words().union(*map(stop_words, {detect({*words}), *languages}))
    start, end = 0, len(words)
    while start < end:
        yield words[start:end]
        if words[start] in empty:
            start += 1
        elif words[end - 1] in empty:
            end -= 1
        else:
            return


def _in_other_form(view: View, words: Sequence[str]) -> Iterator[int]:
    """Yield the notes whose name has the same stems, in the language of each."""
    lexical, languages = view.lexical, view.lexical.languages
    asked = [stems(word, languages) for word in words]
    for term in lexical.terms(NAME + words[0][:FIRST_LETTERS]):
        name = term.removeprefix(NAME).split()
        if len(name) != len(words):
            continue
        alike = [
            code
            for at, code in enumerate(languages)
            if all(stems(word, languages)[at] == one[at] for word, one in zip(name, asked, strict=True))
        ]
        if alike:
            yield from (doc for doc in lexical.docs_with(term).tolist() if lexical.language(doc) in alike)
