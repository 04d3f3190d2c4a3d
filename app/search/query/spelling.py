"""Bring in how the notes spell a word of a query that stands nowhere in them, and say so."""

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from app.notices import Notice, NoticeKind
from app.search.excerpt import fold
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import atoms, run_pattern, runs
from app.search.lexical.bm25 import Spelling
from app.search.lexical.language import LANGUAGE_CODES, asked_in
from app.search.query.match import with_hyphen
from app.search.query.tree import And, Node, Or, Query, Text, positive_texts

MOST_SAID = 5
"""Most words whose other spellings are named."""
OFTEN = 0.05
"""A language of a smaller share of the notes has no good words that look like those of another."""
_ESCAPE = re.compile(r"\\.")


def spellings_of(snapshot: VaultSnapshot, query: Query) -> tuple[Spelling, ...]:
    """Return how the notes spell the bare words of a query that stand nowhere in them.

    What stands in quotation marks, belongs to an operator or names a time is left as it is.
    """
    if query.root is None:
        return ()
    kept = {run for text in _kept_texts(query.root) for run in runs(text)}
    kept.update(runs(query.window.phrase) if query.window else ())
    text = " ".join(_bare_words(query.root))
    found = [*codes_of(snapshot, text), *snapshot.speller.spellings(text)]
    return tuple(
        one
        for one in found
        if one.typed not in kept and not _is_another_word(one, lambda: _asked_languages(snapshot, query))
    )


def codes_of(snapshot: VaultSnapshot, text: str) -> Iterator[Spelling]:
    """Yield the codes of a text as the notes have them with a hyphen, beside how they are typed."""
    for run in dict.fromkeys(runs(text)):
        if (hyphened := with_hyphen(run)) and snapshot.speller.has(hyphened):
            yield Spelling(run, hyphened)
            yield from [Spelling(run, run)] * snapshot.speller.has(run)


def _asked_languages(snapshot: VaultSnapshot, query: Query) -> Sequence[int]:
    """Return the language of a query, or where nothing tells it those that enough of the notes are in."""
    counts = snapshot.lexical.language_counts
    asked = asked_in(set(runs(query.positive)), tuple(counts))
    least = OFTEN * sum(counts.values())
    return [one for one, count in counts.items() if count >= least] if asked is None else [asked]


def _is_another_word(spelling: Spelling, languages: Callable[[], Sequence[int]]) -> bool:
    """Return whether a word is a good one that happens to look like one of the notes, as "went" and "lent".

    Only its accents may still differ. ``languages`` are those that the word may be of.
    """
    # Imported when a word stands nowhere, which most questions never meet.
    from app.search.embedding.glosses import good_words
    from app.search.lexical.dictionary import LISTED, has_lists, may_be_word

    if fold(spelling.typed) == fold(spelling.text).replace("-", ""):
        return False
    own = _own_word(spelling.typed)
    if own in good_words():
        return True
    listed = [one for one in languages() if LANGUAGE_CODES[one] in LISTED] if has_lists() else []
    return may_be_word(own, listed)


def _own_word(run: str) -> str:
    """Return the word that a run is of: of "l'échéance" the one behind the shortened one."""
    own = [atom.raw for atom in atoms(run) if atom.step and not atom.weak]
    return own[0] if len(own) == 1 else run


def _bare_words(node: Node) -> Iterator[str]:
    """Yield the bare words that are asked for."""
    if isinstance(node, And | Or):
        for part in node.parts:
            yield from _bare_words(part)
    elif isinstance(node, Text) and _is_bare(node):
        yield node.text


def _kept_texts(node: Node) -> Iterator[str]:
    """Yield what ranks and is no bare word, such as phrases."""
    if isinstance(node, And | Or):
        for part in node.parts:
            yield from _kept_texts(part)
    elif not _is_bare(node):
        yield from positive_texts(node)


def _is_bare(node: Node) -> bool:
    return isinstance(node, Text) and node.folds and not node.quoted


def respelt(text: str, spellings: tuple[Spelling, ...], *, every: bool = False) -> str:
    """Return a text with its words spelt as in the notes: as is likeliest, or in ``every`` way there is."""
    instead = _by_word(spellings)

    def spell(run: re.Match[str]) -> str:
        ways = instead.get(run[0].lower())
        return " ".join(one.text for one in ways[: None if every else 1]) if ways else run[0]

    return run_pattern(text).sub(spell, text)


def _is_form(typed: str, other: str) -> bool:
    """Return whether a word is another but for accents, hyphens and the ending of a plural."""
    one, two = sorted((fold(typed), fold(other).replace("-", "")), key=len)
    return two in (one, f"{one}s") or (one.endswith("u") and two == f"{one}x")


def searched_as(snapshot: VaultSnapshot, queries: Sequence[Query]) -> list[Notice]:
    """Say in one sentence which words of some queries are searched in other spellings too.

    Nothing is said of a spelling that the notes have in part only, nor of a plural and of accents.
    """
    every = dict.fromkeys(one for query in queries for one in query.spellings)
    ways = _by_word(tuple(one for one in every if snapshot.speller.has(one.text)))
    words = [
        (typed, tuple(one.text for one in some))
        for typed, some in ways.items()
        if not all(_is_form(typed, one.text) for one in some)
    ]
    if len(words) == 1:
        return [Notice(NoticeKind.SPELT, typed=typed, words=some) for typed, some in words]
    named = [Notice(NoticeKind.SPELT_AS, typed=typed, words=some) for typed, some in words[:MOST_SAID]]
    if more := len(words) - len(named):
        named.append(Notice(NoticeKind.MORE_SPELT, count=more))
    return [Notice(NoticeKind.SEVERAL_SPELT, words=tuple(named))] if named else []


def near_words(snapshot: VaultSnapshot, query: Query) -> Iterator[Notice]:
    """Say of each word that stands nowhere which words are near, and in how many notes they stand."""
    for typed, ways in _by_word(spellings_of(snapshot, query)).items():
        # What stands inside a longer word is found there by whoever suggests.
        if not snapshot.speller.has(typed) and ways[0].text != with_hyphen(typed):
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
