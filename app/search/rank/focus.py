"""Find what a long text asks for among all that it says."""

import re
from dataclasses import replace

from app.search.embedding.embedder import Encoded
from app.search.lexical.analysis import runs
from app.search.lexical.index import Mask
from app.search.lexical.ranking import LONG, sentences_of
from app.search.query.filters import ChunkFilter
from app.search.query.parse import read_as_prose
from app.search.query.tree import Query
from app.search.vectors.by_chunk import Joined
from app.search.vectors.store import KeptVectors
from app.stopping import go_on

KEPT = 0.9
"""Sentences that are so near to a passage, as a share of the nearest one's cosine, are what a text is about.

A text that is as near as a whole is about one thing, and keeps all of them.
"""
QUESTION = 1.2
"""How much nearer a sentence with a question mark counts."""
MOST_WORDS = 30
"""A longer sentence is taken as several, from comma to comma: so people speak."""
MOST_PARTS = 100
"""What follows them counts as one: a model reads each, and it is compared with all passages."""
_CLAUSE_END = re.compile(r"(?<=\w[:;])\s+")
_COMMA = re.compile(r"(?<=,)\s+")


def focused(query: Query, kept: KeptVectors, joined: Joined, mask: Mask, chunks: ChunkFilter) -> Query:
    """Return a query, or of a long one without operators the sentences nearest to what the notes say.

    What stands around a question in a letter has words that some note has, but hardly a note's meaning.
    """
    if not query.is_plain or len(runs(query.text)) < LONG:
        return query

    def nearness(text: str) -> float:
        go_on()
        cosine = _nearness(kept.encode_query(text), joined, mask, chunks)
        return cosine * (QUESTION if text.endswith("?") else 1.0)

    parts = list(dict.fromkeys(part for sentence in sentences_of(query.text) for part in _parts(sentence)))
    parts[MOST_PARTS - 1 :] = filter(None, [" ".join(parts[MOST_PARTS - 1 :])])
    near = [nearness(part) for part in parts]
    least = KEPT * max(near)
    if nearness(query.text) >= least:
        return query
    text = " ".join(part for part, one in zip(parts, near, strict=True) if one >= least)
    words = set(runs(text))
    spellings = tuple(one for one in query.spellings if words.issuperset(one.typed.split()))
    return replace(read_as_prose(text), hints=query.hints, spellings=spellings)


def _parts(sentence: str) -> list[str]:
    return [
        part
        for clause in _CLAUSE_END.split(sentence)
        for part in (_COMMA.split(clause) if len(clause.split()) > MOST_WORDS else [clause])
        if part.strip()
    ]


def _nearness(encoded: Encoded, joined: Joined, mask: Mask, chunks: ChunkFilter) -> float:
    """Return the cosine of the nearest window that is allowed; 0 where none is."""
    docs = joined.nearest(encoded.vector, 1, mask, chunks.lines)
    cosines = joined.index.best_rows(encoded.vector, [joined.rows(doc, chunks.lines) for doc in docs])[1]
    return float(cosines.max(initial=0))
