"""The words of a query, and what each adds to the score of every chunk by BM25 over all fields."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import Atom, atoms, runs
from app.search.lexical.groups import Groups
from app.search.lexical.language import asked_in, detect, stems, stop_words, without_pronoun
from app.search.lexical.phrase import holding
from app.search.lexical.schema import ACCENTED, FILTERS, STREAMS, stem_field
from app.search.lexical.segment import Parts, found_in
from app.search.lexical.sparse import NONE, Ids, Scores, add, alike, concatenated, gather, joined, member
from app.search.lexical.statistics import K1, Field, field_of, idf

STEM_WEIGHTS: Final[dict[str, float]] = {"body": 1.0, "heading": 0.5, "title": 0.0, "aliases": 0.25}
"""What BM25 over the stems of a stream adds to a chunk's score."""
EXACT_WEIGHTS: Final[dict[str, float]] = {"body": 0.5, "heading": 0.25, "title": 0.0, "aliases": 0.0}
"""What BM25 over the exact words of a stream adds."""
UNACCENTED: Final = np.float32(0.5)
"""What a word counts for beside its stem, of what it adds exactly, where only the query has its accents."""
PHRASE_WEIGHT: Final = 0.5
"""What a text in quotation marks adds, as a share of what its words are worth, where it stands as quoted."""
LEAST_STEM = 3
LONGEST_ENDING = 6
"""What a stemmer leaves of a word has so many letters at least, and what it takes away so many at most."""


class Spelling(NamedTuple):
    """One way to write a word of a query: ``text`` is one word or several, ``typed`` what they stand for.

    ``weight`` is what it counts for against a word as typed.
    """

    typed: str
    text: str
    weight: float = 1.0


class Term(NamedTuple):
    """One word to rank by: as it is indexed exactly, and its stem in each language of the index.

    What follows these stems is a stem in any language. ``weight`` is the share of its impact that counts.
    ``accented`` says that it was typed with accents. ``asked`` is the language of the question, if known.
    """

    exact: str
    stems: tuple[str, ...]
    weight: float = 1.0
    accented: bool = False
    asked: int | None = None


class Word(NamedTuple):
    """One word that ranks, with its terms: the whole first where it is joined."""

    text: str
    terms: tuple[Term, ...]
    joined: bool
    spelling: Spelling


def ranking_words(
    text: str,
    languages: tuple[int, ...],
    spellings: Sequence[Spelling] = (),
    *,
    weak: bool = False,
    asked: int | None = None,
) -> tuple[Word, ...]:
    """Return the distinct words of a query that rank, in its order.

    Stop words of the query's own language, and elided forms, count only when there is nothing else, or when
    ``weak`` asks for them. ``asked`` is that language, where the text itself does not tell.
    """
    typed = list(dict.fromkeys(runs(text)))
    spoken = asked if asked is not None else asked_in(set(typed), languages)
    # "faut-il" tells a language by its parts.
    said = {part for run in typed for part in (run, *run.split("-"))}
    own = detect(said, languages or (0,)) if not weak else None
    ways = spelt_runs(typed, spellings)
    strong = tuple(word for way in ways for word in _words(way, languages, own, spoken))
    return strong or tuple(word for way in ways for word in _words(way, languages, None, spoken))


def spelt_runs(typed: Sequence[str], spellings: Sequence[Spelling]) -> Iterator[Spelling]:
    """Yield the spellings of each run, itself where there are no others."""
    for run in typed:
        yield from [spelling for spelling in spellings if spelling.typed == run] or [Spelling(run, run)]


def _words(
    spelling: Spelling, languages: tuple[int, ...], own: int | None, asked: int | None
) -> Iterator[Word]:
    """Yield the words of a spelling, without the stop words of the query's ``own`` language."""
    stops = stop_words(own) if own is not None else frozenset[str]()
    for run in runs(spelling.text):
        pieces = atoms(without_pronoun(run, own) if own is not None else run)
        if len(pieces) == 1 or "'" in run or "’" in run:
            pieces = tuple(atom for atom in pieces if atom.term not in stops and not (stops and atom.weak))
        if pieces:
            joined = pieces[0].step == 0 and sum(atom.step for atom in pieces) > 1
            terms = tuple(dict.fromkeys(_terms(pieces, languages, spelling.weight, asked)))
            yield Word(run, terms, joined, spelling)


def _terms(
    pieces: tuple[Atom, ...], languages: tuple[int, ...], weight: float, asked: int | None
) -> Iterator[Term]:
    for atom in pieces:
        accented = atom.term.isascii() and not atom.raw.isascii()
        yield Term(atom.term, stems(atom.raw, languages) or (atom.term,), weight, accented, asked)


def distinct_terms(words: Sequence[Word]) -> list[Term]:
    """Return each term of some words once, in order, with the most weight that one of them gives it."""
    found: dict[tuple[str, tuple[str, ...]], Term] = {}
    for term in (term for word in words for term in word.terms):
        known = found.setdefault((term.exact, term.stems), term)
        if term.weight > known.weight:
            found[term.exact, term.stems] = term
    return list(found.values())


class Impact(NamedTuple):
    """The chunks a term occurs in, ascending, what it adds to each, and the most it adds to one.

    ``worth`` is what it would add by standing once in a body of average length.
    """

    ids: Ids
    scores: Scores
    top: float
    worth: float

    def times(self, weight: float) -> "Impact":
        """Return the impact of a word that counts for more or less than one."""
        if weight == 1:
            return self
        return Impact(self.ids, self.scores * np.float32(weight), self.top * weight, self.worth * weight)


class Impacts:
    """Computes impacts over the segments of one snapshot.

    Where several languages have a good share of the chunks, each has its own statistics, so that notes of
    another language beside them do not change what a word says.

    Args:
        parts: The segments, each with its first document.
        live: The documents that are live chunks.
        groups: The chunks by language.
        languages: The languages of the live notes, in the order of a term's stems.
    """

    def __init__(
        self,
        parts: Parts,
        live: NDArray[np.bool_],
        groups: Groups,
        languages: tuple[int, ...],
    ) -> None:
        self._parts, self._live, self._languages = parts, live, languages
        self._groups = groups
        self._fields: dict[str, Field] = {}
        self._any_dead = sum(part.count - len(part.notes) for _, part in parts) > int(live.sum())

    def frequencies(self, word: str) -> Sequence[int]:
        """Count the live chunks that have a folded word in their body, by their groups."""
        return self._groups.counted(self.postings("body", (word,))[0])

    def field(self, stream: str) -> Field:
        """Return the statistics of a stream."""
        field = self._fields.get(stream)
        if field is None:
            lengths = concatenated((part.lengths(stream) for _, part in self._parts), np.int64)
            groups = self._groups.documents
            counted = [lengths[group][self._live[group]] for group in groups]
            filled, words = [int((of > 0).sum()) for of in counted], [int(of.sum()) for of in counted]
            field = self._fields[stream] = field_of(lengths, groups, filled, words)
        return field

    def rarity(self, field: Field, ids: Ids, term: Term) -> tuple[float, float]:
        """Return the weight of a term in the language of the question, and in any other.

        A word of the question says in its own language what it would if no other notes stood there. Now and
        then it stands in notes of another one: it is rare there, and tells no more for that, but what it
        tells in the language where it is least rare.

        Args:
            field: The stream.
            ids: The chunks that have the term there.
            term: The term, which knows the language of the question where that tells.
        """
        having = self._groups.counted(ids)
        weights = [idf(count, df) for count, df in zip(field.counts, having, strict=True)]
        held = [weight for weight, df in zip(weights, having, strict=True) if df]
        least = min(held, default=idf(sum(field.counts), 0))
        own = self._groups.number(term.asked)
        return (least if own is None else weights[own]), least

    def postings(self, field: str, names: Sequence[str]) -> tuple[Ids, Scores]:
        """Return the live chunks that have any of some terms in a field, and how often together."""
        found = []
        for base, part in self._parts:
            table = part.table(field)
            for name in names:
                row = table.row(name.encode("utf-8", "surrogatepass"))
                if row is not None:
                    ids, tfs = table.postings(row)
                    found.append((ids + base if base else ids, tfs))
        if not found:
            return NONE
        ids, tfs = joined(found)
        if self._any_dead:
            alive = self._live[ids]
            ids, tfs = ids[alive], tfs[alive]
        if len(names) > 1:
            ids, tfs = gather(ids, tfs)
        return ids, tfs

    def _stemmed(self, stream: str, term: Term) -> tuple[Ids, Scores]:
        """Return the live chunks that have a term's stem of their language, and how often.

        In another language it can be another word: the French stem of ``notes`` is ``not``. Of a word with
        accents every stem counts everywhere: ``décision`` meets ``decisions`` by stems of two languages.
        """
        name = stem_field(stream)
        own, anywhere, among = self._stems_of(term)
        found = [self.postings(name, anywhere)] if anywhere else []
        for stem in set(own).difference(anywhere):
            ids, tfs = self.postings(name, (stem,))
            if not len(ids):
                continue
            spoken = self._groups.language_of[ids]
            codes = [code for code, other in zip(among, own, strict=True) if other == stem]
            there = spoken == codes[0] if len(codes) == 1 else np.isin(spoken, codes)
            found.append((ids, tfs) if there.all() else (ids[there], tfs[there]))
        if not found:
            return NONE
        return found[0] if len(found) == 1 else gather(*joined(found))

    def _stems_of(self, term: Term) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
        """Return a term's stems by language, those that count everywhere, and the languages of the first."""
        among = () if term.accented or len(set(term.stems)) == 1 else self._languages
        return term.stems[: len(among)], tuple(dict.fromkeys(term.stems[len(among) :])), among

    def _accented(self, letters: str) -> NDArray[np.bool_]:
        """Return the documents of the notes with a word that is some plain letters but for its accents."""
        found = []
        for _, part in self._parts:
            having = np.zeros(part.count, np.bool_)
            having[part.having(FILTERS, ACCENTED + letters)] = True
            found.append(having[part.note_of])
        return concatenated(found, np.bool_)

    def impact(self, term: Term) -> Impact:
        """Sum what a term adds over all fields; the order of the sum is the same for every chunk."""
        legs: list[tuple[Ids, Scores]] = []
        worth = 0.0
        for stream in STREAMS:
            (ids, tfs), lengthened = NONE, NONE[1]
            for weight, is_exact in ((STEM_WEIGHTS[stream], False), (EXACT_WEIGHTS[stream], True)):
                if not weight:
                    continue
                field, before = self.field(stream), (ids, tfs)
                ids, tfs = self.postings(stream, (term.exact,)) if is_exact else self._stemmed(stream, term)
                own, other = self.rarity(field, ids, term)
                if stream == "body":
                    worth += weight * own
                if len(ids):
                    # Most stems stand just where one word does.
                    if not (alike(ids, before[0]) and alike(tfs, before[1])):
                        lengthened = tfs + field.norm[ids]
                    scores = np.float32(weight * own * term.weight * (K1 + 1)) * tfs / lengthened
                    if own != other:
                        elsewhere = self._groups.group_of[ids] != self._groups.number(term.asked)
                        scores[elsewhere] *= np.float32(other / own)
                    if term.accented and is_exact:
                        scores = np.where(self._accented(term.exact)[ids], scores, scores * UNACCENTED)
                    legs.append((ids, scores))
        if not legs:
            return Impact(*NONE, 0.0, worth)
        ids, scores = legs[0]
        for more, added in legs[1:]:
            ids, scores = add(ids, scores, more, added)
        return Impact(ids, scores, float(scores.max()), worth)

    def worth_of(self, having: int) -> float:
        """Return the information of a word that so many chunks have, in any language."""
        return (STEM_WEIGHTS["body"] + EXACT_WEIGHTS["body"]) * idf(self.count, having)

    @property
    def count(self) -> int:
        """How many chunks have a body."""
        return sum(self.field("body").counts)

    def phrase(self, text: str, worth: float) -> Impact:
        """Return what a text in quotation marks adds where a body may hold it as it stands."""
        ids, gain = found_in(self._parts, self._live, lambda part: holding(part, text)), PHRASE_WEIGHT * worth
        return Impact(ids, np.full(len(ids), gain, np.float32), gain if len(ids) else 0.0, 0.0)

    def with_stems(self, term: Term) -> Term:
        """Add to a term typed without accents the stem that the notes give its word with them.

        Stemmers need accents: ``activité`` becomes ``activ``, ``activite`` does not. Where the word stands
        without the stem that it has as typed, the stem of the notes is taken to be the longest beginning of
        the word that is a stem in most of those chunks.
        """
        held = self.postings("body", (term.exact,))[0]
        missing = held[~member(held, self._stemmed("body", term)[0])]
        if not len(missing):
            return term
        for size in range(len(term.exact), max(LEAST_STEM, len(term.exact) - LONGEST_ENDING) - 1, -1):
            stem = term.exact[:size]
            having = self.postings(stem_field("body"), (stem,))[0]
            if 2 * int(member(missing, having).sum()) > len(missing):
                return term._replace(stems=(*term.stems, stem))
        return term
