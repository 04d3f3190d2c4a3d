"""Bring in how the notes spell a word of a query that stands nowhere in them, and say so."""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from app.notices import Notice, NoticeKind
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import RUN, runs
from app.search.lexical.bm25 import Spelling
from app.search.query.tree import And, Node, Or, Query, Text, positive_texts

_ESCAPE = re.compile(r"\\.")


def spelt(snapshot: VaultSnapshot, query: Query) -> Query:
    """Return a query with the spellings of its bare words that stand nowhere in the notes.

    What stands in quotation marks or belongs to an operator is left as it is.
    """
    if query.root is None:
        return query
    bare = list(_bare_texts(query.root))
    kept = {run for text in positive_texts(query.root) if text not in bare for run in runs(text)}
    found = tuple(one for one in snapshot.speller.spellings(" ".join(bare)) if one.typed not in kept)
    return replace(query, spellings=found) if found else query


def _bare_texts(node: Node) -> Iterator[str]:
    if isinstance(node, And | Or):
        for part in node.parts:
            yield from _bare_texts(part)
    elif isinstance(node, Text) and node.folds and not node.quoted:
        yield node.text


def respelt(text: str, spellings: tuple[Spelling, ...], *, every: bool = False) -> str:
    """Return a text with its words spelt as in the notes: as is likeliest, or in ``every`` way there is."""
    instead = {typed: ways for typed, ways in _by_word(spellings).items() if not ways[0].beside}

    def spell(run: re.Match[str]) -> str:
        ways = instead.get(run[0].lower())
        return " ".join(one.text for one in ways[: None if every else 1]) if ways else run[0]

    beside = [one.text for one in spellings if one.beside and every]
    return " ".join([RUN.sub(spell, text), *beside])


def searched_as(query: Query) -> Iterator[Notice]:
    """Say which words of a query are searched in other spellings too."""
    for typed, ways in _by_word(query.spellings).items():
        yield Notice(NoticeKind.SPELT, typed=typed, words=tuple(one.text for one in ways))


def near_words(snapshot: VaultSnapshot, query: Query) -> Iterator[Notice]:
    """Say of each word that stands nowhere which words are near, and in how many notes they stand."""
    for typed, ways in _by_word(spelt(snapshot, query).spellings).items():
        if not ways[0].beside:
            near = tuple(
                Notice(NoticeKind.NEAR_WORD, word=one.text, notes=_count_notes(snapshot, one.text))
                for one in ways
            )
            yield Notice(NoticeKind.NOTHING_HOLDS, typed=typed, near=near)


def near_terms(snapshot: VaultSnapshot, terms: tuple[str, ...]) -> Iterator[Notice]:
    """Say the same of the words in regular expressions."""
    for term in terms:
        words = words_in(term)
        yield from near_words(snapshot, Query(words, Text(words, folds=True)))


def words_in(expression: str) -> str:
    """Return the words in a regular expression."""
    return " ".join(runs(_ESCAPE.sub(" ", expression)))


def _by_word(spellings: tuple[Spelling, ...]) -> dict[str, list[Spelling]]:
    ways: dict[str, list[Spelling]] = {}
    for one in spellings:
        ways.setdefault(one.typed, []).append(one)
    return ways


def _count_notes(snapshot: VaultSnapshot, text: str) -> int:
    return len(np.unique(snapshot.lexical.note_of[snapshot.speller.chunks_with(text)]))
