"""Find the notes that a query calls by their name: they come before what merely mentions them."""

from collections.abc import Iterator, Sequence

import numpy as np

from app.search.index.documents import MOST_NAME_WORDS, NAME, name_key, name_words
from app.search.lexical.bm25 import Spelling
from app.search.lexical.index import Ids, Mask
from app.search.lexical.language import detect, stems, stop_words
from app.search.query.asking import idle_words
from app.search.query.read import respelt
from app.search.query.tree import Query
from app.search.view import View
from app.vault.paths import NOTE_SUFFIX, path_key

JUST_SO, FOLDED, IN_ANOTHER_FORM = 3, 2, 1
"""How a note is called."""
FIRST_LETTERS = 3
"""Names in another form of their words, such as a plural, begin with so many letters of the first."""


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
