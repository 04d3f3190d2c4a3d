"""Read the words of a query: which rank, and what each is called in the index."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.search.lexical.analysis import Atom, atoms, runs
from app.search.lexical.language import detect, stems, stop_words


@dataclass(frozen=True, slots=True)
class Term:
    """One word to rank by: as it is indexed exactly, and its stems in the languages of the index."""

    exact: str
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Word:
    """One word as it was typed, with its terms: the whole first where it is joined."""

    text: str
    terms: tuple[Term, ...]
    joined: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """Two terms that stand one directly after the other."""

    left: Term
    right: Term


def ranking_words(text: str, languages: tuple[int, ...], *, weak: bool = False) -> tuple[Word, ...]:
    """Give the distinct words of a query that rank, in its order.

    Stop words of the query's own language, and elided forms, count only when there is nothing else, or when
    ``weak`` asks for them.
    """
    typed = list(dict.fromkeys(runs(text)))
    stops = stop_words(detect(set(typed), languages or (0,))) if not weak else frozenset()
    strong = tuple(word for run in typed if (word := _word(run, languages, stops)))
    return strong or tuple(word for run in typed if (word := _word(run, languages, frozenset())))


def _word(run: str, languages: tuple[int, ...], stops: frozenset[str]) -> Word | None:
    pieces = atoms(run)
    if len(pieces) == 1 or "'" in run or "’" in run:
        pieces = tuple(atom for atom in pieces if atom.term not in stops and not (stops and atom.weak))
    if not pieces:
        return None
    joined = pieces[0].step == 0 and sum(atom.step for atom in pieces) > 1
    return Word(run, tuple(dict.fromkeys(_terms(pieces, languages))), joined)


def _terms(pieces: tuple[Atom, ...], languages: tuple[int, ...]) -> Iterator[Term]:
    for atom in pieces:
        yield Term(atom.term, stems(atom.raw, languages) or (atom.term,))


def neighbours(text: str, words: Sequence[Word]) -> list[Pair]:
    """Give the ranking words that stand directly one after the other in a query, as pairs of terms."""
    ranking = {word.text: word for word in words}
    found = []
    for left, right in pairwise(runs(text)):
        if left in ranking and right in ranking and left != right:
            found.append(Pair(ranking[left].terms[-1], _first_part(ranking[right])))
    return list(dict.fromkeys(found))


def _first_part(word: Word) -> Term:
    return word.terms[1] if word.joined and len(word.terms) > 1 else word.terms[0]


def distinct_terms(words: Sequence[Word]) -> list[Term]:
    """Give each term of some words once, in order."""
    return list(dict.fromkeys(term for word in words for term in word.terms))
