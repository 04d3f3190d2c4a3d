"""Tell which chunks pass a query, hold a text as it stands, or have a word of it in the allowed lines."""

import hashlib
from collections.abc import Sequence

import numpy as np

from app.search.excerpt import fold, literal, query_words
from app.search.index.texts import LONG_TEXT
from app.search.lexical.analysis import fold as word_form
from app.search.lexical.analysis import has_unspaced
from app.search.lexical.index import Ids, Mask
from app.search.query.evaluate import chunk_text, query_filter
from app.search.query.filters import ChunkFilter
from app.search.query.tree import Query
from app.search.view import View


class LiteralText:
    """A text, and which chunks of a mask hold it in their lines as it stands, case aside.

    ``perhaps`` are those of which the index cannot tell that they do not, ascending.
    """

    def __init__(self, view: View, mask: Mask, chunks: ChunkFilter, text: str) -> None:
        self._view, self._chunks, self._wanted = view, chunks, literal(text)
        self._words = tuple(self._wanted.split())
        self._is_long = not self._words or len(self._wanted) > LONG_TEXT
        self._notes: dict[int, Sequence[tuple[int, int]]] = {}
        # One word is what the posting says; everything else is looked up in the lines.
        letters = word_form(text)
        is_word = bool(letters) and text.isalnum() and not has_unspaced(text) and not chunks.lines
        self._is_told = is_word and (self._wanted.isascii() or not letters.isascii())

        def may_hold() -> Mask:
            kept = np.zeros(view.lexical.size, np.bool_)
            kept[view.lexical.containing(letters) if is_word else view.lexical.phrase(text)] = True
            return kept

        # What is counted beside a ranking asks for the same once more.
        self.perhaps = np.flatnonzero(mask & view.snapshot.cached_mask(("perhaps", is_word, text), may_hold))
        if is_word and not self._is_told:
            # The posting has no accents, but the note says whether a word that has these letters has any.
            self.perhaps = self.perhaps[view.lexical.accented(letters)[self.perhaps]]

    def holds(self, doc: int) -> bool:
        """Return whether one of ``perhaps`` holds the text."""
        note, lines = int(self._view.lexical.note_of[doc]), self._view.snapshot.chunk_lines(doc)
        return self._is_told or self._reads(doc, note, *lines)

    def among(self, docs: Ids) -> Ids:
        """Return which of some of ``perhaps`` hold the text."""
        if self._is_told:
            return docs

        def read() -> Mask:
            lexical = self._view.lexical
            columns = lexical.note_of, lexical.column("start"), lexical.column("end")
            rows = zip(docs.tolist(), *(column[docs].tolist() for column in columns), strict=True)
            kept = np.zeros(lexical.size, np.bool_)
            kept[[row[0] for row in rows if self._reads(*row)]] = True
            return kept

        if self._chunks.lines:
            return np.flatnonzero(read())
        key = "literal", self._wanted, hashlib.blake2b(docs.tobytes(), digest_size=16).digest()
        return np.flatnonzero(self._view.snapshot.cached_mask(key, read))

    def _reads(self, doc: int, note: int, start: int, end: int) -> bool:
        """Read the lines of a chunk, and return whether they hold the text."""
        if self._is_long or doc in self._chunks.lines:
            return self._wanted in literal(_allowed_text(self._view, doc, self._chunks))
        places = self._notes.get(note)
        if places is None:
            places = self._notes[note] = list(self._view.snapshot.texts.lines_of(note, self._words))
        return bool(places) and any(start <= first and last <= end for first, last in places)


def literal_chunks(view: View, mask: Mask, chunks: ChunkFilter, text: str) -> Ids:
    """Return the chunks whose lines hold a text as it stands, case aside."""
    found = LiteralText(view, mask, chunks, text)
    return found.among(found.perhaps)


def passing_chunks(view: View, query: Query, chunks: ChunkFilter) -> Mask:
    """Return the allowed chunks of the notes that pass what filters in a query."""
    return chunks.mask & view.snapshot.chunks_of(query_filter(view, query))


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
