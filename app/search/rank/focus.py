"""Find what a long text asks for among all that it says."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from app.search.lexical.analysis import atoms, runs
from app.search.lexical.index import Mask
from app.search.lexical.language import detect, stop_words
from app.search.lexical.ranking import LONG, sentences_of
from app.search.query.filters import ChunkFilter
from app.search.query.parse import read_as_prose
from app.search.query.time_window import names_time
from app.search.query.tree import Query
from app.search.vectors.by_chunk import Joined
from app.search.vectors.store import KeptVectors
from app.stopping import go_on

KEPT = 0.9
"""Sentences that are so near to a passage, as a share of the nearest one's cosine, are what a text is about.

A text that is as near as a whole is about one thing, and keeps all of them.
"""
QUESTION = 1.2
"""How much nearer a part that ends with a question mark counts."""
WINDOW = 0.9
"""How much nearer a window counts than a sentence: of many cut by chance, one lies near to something."""
WINDOWS = (24, 12, 6)
"""Words of the windows that are cut from longer sentences, each of which overlaps the next by half."""
TELLING = 3
"""A window with fewer words that tell anything asks for nothing."""
OVERLAPPING = 400
"""In a text of more words windows lie wider apart: a model reads each, and compares it with all passages."""


def focused(query: Query, kept: KeptVectors, joined: Joined, mask: Mask, chunks: ChunkFilter) -> Query:
    """Return a query, or of a long one without operators what of it is nearest to what the notes say.

    What stands around a question in a letter has words that some note has, but hardly a note's meaning. Any
    letter names days and times, though, which are all that some passages are about: these do not count.
    """
    if not query.is_plain or len(runs(query.text)) < LONG:
        return query

    every = (sentence.split() for sentence in dict.fromkeys(sentences_of(query.text)))
    sentences = [words for words in every if not all(map(names_time, words))]
    if not sentences:
        return query
    tells = _telling(query.text)
    apart = -(-sum(map(len, sentences)) // OVERLAPPING)
    parts = [(at, 0, len(words)) for at, words in enumerate(sentences)]
    parts += [
        (at, start, end)
        for at, words in enumerate(sentences)
        for start, end in _windows(len(words), apart)
        if sum(map(tells, words[start:end])) >= TELLING
    ]
    texts = [query.text.split(), *(sentences[at][start:end] for at, start, end in parts)]
    whole, *near = _nearness(texts, kept, joined, mask, chunks)
    near[len(sentences) :] = [WINDOW * one for one in near[len(sentences) :]]
    least = KEPT * max(near)
    if whole >= least:
        return query
    nearest = parts[near.index(max(near))]
    asked = {nearest[0]: nearest}
    asked |= {at: parts[at] for at, one in enumerate(near[: len(sentences)]) if one >= least}
    text = " ".join(" ".join(sentences[at][start:end]) for at, start, end in sorted(asked.values()))
    words = set(runs(text))
    spellings = tuple(one for one in query.spellings if words.issuperset(one.typed.split()))
    return replace(read_as_prose(text), hints=query.hints, spellings=spellings)


def _windows(length: int, apart: int) -> Iterator[tuple[int, int]]:
    """Yield the starts and ends of the windows of so many words, the last of each size at the end."""
    for size in WINDOWS:
        if length > size:
            for start in [*range(0, length - size, apart * size // 2), length - size]:
                yield start, start + size


def _telling(text: str) -> Callable[[str], bool]:
    """Return what tells of a text's words whether they are more than stop words, days and times."""
    stops = stop_words(detect(set(runs(text))))

    def tells(word: str) -> bool:
        found = (atom for run in runs(word) for atom in atoms(run))
        return not names_time(word) and any(not atom.weak and atom.term not in stops for atom in found)

    return tells


def _nearness(
    texts: Sequence[Sequence[str]], kept: KeptVectors, joined: Joined, mask: Mask, chunks: ChunkFilter
) -> list[float]:
    """Return how near each text is to some allowed passage, by those of its words that name no time."""
    vectors = []
    for words in texts:
        go_on()
        vectors.append(kept.encode_query(" ".join(word for word in words if not names_time(word))).vector)
    cosines: list[float] = joined.nearest_cosines(np.stack(vectors), mask, chunks.lines).tolist()
    asks = (QUESTION if words[-1].endswith("?") else 1.0 for words in texts)
    return [cosine * ask for cosine, ask in zip(cosines, asks, strict=True)]
