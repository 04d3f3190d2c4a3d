"""Tell which chunks hold a query as it stands, or have a word of it in the allowed lines."""

import numpy as np

from app.search.excerpt import fold, literal, query_words
from app.search.index.texts import LONG_TEXT
from app.search.lexical.analysis import fold as word_form
from app.search.lexical.index import Ids, Mask
from app.search.query.evaluate import chunk_text
from app.search.query.filters import ChunkFilter
from app.search.query.spelling import respelt
from app.search.query.tree import Query
from app.search.view import View


def literal_chunks(view: View, query: Query, mask: Mask, chunks: ChunkFilter) -> Ids:
    """Return the chunks of a mask whose lines hold a query's literal text, case aside, ascending."""
    text = respelt(query.literal, query.spellings)
    if not text:
        return np.zeros(0, np.int64)
    wanted = literal(text)
    words, places = tuple(wanted.split()), dict[int, list[tuple[int, int]]]()

    def holds(doc: int) -> bool:
        if len(wanted) > LONG_TEXT or doc in chunks.lines:
            return wanted in literal(_allowed_text(view, doc, chunks))
        note = int(view.lexical.note_of[doc])
        if note not in places:
            places[note] = list(view.snapshot.texts.lines_of(note, words))
        start, end = view.snapshot.chunk_lines(doc) if places[note] else (0, 0)
        return any(start <= first and last <= end for first, last in places[note])

    perhaps = view.lexical.phrase(text, mask).tolist()
    return np.array([doc for doc in perhaps if holds(doc)], np.int64)


def part_chunks(view: View, query: Query, mask: Mask) -> Ids:
    """Return the chunks of a mask that have a query's only word, also as a part of longer ones.

    As in the index, case and accents are left aside. The chunks are in the order of paths and lines.
    """
    letters = word_form(respelt(query.only_word, query.spellings))
    if not letters.isalnum():
        return np.zeros(0, np.int64)

    def having() -> Mask:
        found = np.zeros(view.lexical.size, np.bool_)
        found[view.lexical.containing(letters)] = True
        return found

    # What is counted beside a ranking asks for the same once more.
    found = np.flatnonzero(mask & view.snapshot.cached_mask(("part", letters), having))
    return view.lexical.by_worth(found, np.zeros(len(found)))[0]


def within_lines(view: View, mask: Mask, chunks: ChunkFilter, text: str) -> Mask:
    """Drop chunks allowed in part only whose allowed lines hold none of the words."""
    partial = [doc for doc in chunks.lines if mask[doc]]
    if not partial:
        return mask
    words, kept = query_words(text), mask.copy()
    for doc in partial:
        lines = fold(_allowed_text(view, doc, chunks))
        kept[doc] = any(word in lines for word in words)
    return kept


def _allowed_text(view: View, doc: int, chunks: ChunkFilter) -> str:
    ranges = chunks.lines.get(doc)
    if not ranges:
        return chunk_text(view, doc)
    return "\n".join(chunk_text(view, doc, lines) for lines in ranges)
