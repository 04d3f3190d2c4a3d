"""The words of a query, and what each adds to the score of every chunk by BM25 over all fields."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import Atom, atoms, runs
from app.search.lexical.language import LANGUAGES, asked_in, detect, stems, stop_words
from app.search.lexical.schema import ACCENTED, FILTERS, STREAMS, stem_field
from app.search.lexical.segment import Mask, Parts, found_in
from app.search.lexical.sparse import NONE, Ids, Scores, concatenated, gather, member

K1: Final = 1.2
B: Final = 0.75
STEM_WEIGHTS: Final[dict[str, float]] = {"body": 1.0, "heading": 0.5, "title": 0.0, "aliases": 0.25}
"""What BM25 over the stems of a stream adds to a chunk's score."""
EXACT_WEIGHTS: Final[dict[str, float]] = {"body": 0.5, "heading": 0.25, "title": 0.0, "aliases": 0.0}
"""What BM25 over the exact words of a stream adds."""
FOLDED: Final = np.float32(0.5)
"""What a word counts for beside its stem, of what it adds exactly, where its accents are not as typed."""
SHORT_STEM: Final = 3
SHORT: Final = np.float32(0.25)
"""A stem of so few letters is one of unlike words: each place of it counts as so much of one."""
LEAST_STEM = 3
LONGEST_ENDING = 6
"""What a stemmer leaves of a word has so many letters at least, and what it takes away so many at most."""
LEAST_SHARE: Final = 0.1
LEAST_CHUNKS: Final = 50
"""A language of a smaller share of the chunks, or of fewer, has no statistics of its own.

Among a handful of chunks no word is rare, so that words which no chunk has would outweigh all others.
"""


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
    """One word that ranks, with its terms; ``parts`` are those that a text has which has the word.

    ``telling`` is there for a joined word with stop words in it: its other parts, such as "repère" of
    "repère-t-on", which stand for it where the whole stands nowhere.
    """

    text: str
    terms: tuple[Term, ...]
    parts: tuple[Term, ...]
    spelling: Spelling
    telling: tuple[Term, ...] | None = None


def ranking_words(
    text: str,
    languages: tuple[int, ...],
    spellings: Sequence[Spelling] = (),
    *,
    weak: bool = False,
) -> tuple[Word, ...]:
    """Return the distinct words of a query that rank, in its order.

    Stop words of the query's own language, and elided forms, count only when there is nothing else, or when
    ``weak`` asks for them.
    """
    typed = list(dict.fromkeys(runs(text)))
    spoken = asked_in(set(typed), languages)
    # "faut-il" tells a language by its parts.
    own = detect({part for run in typed for part in (run, *run.split("-"))}, languages or (0,))
    ways = [
        way for run in typed for way in [one for one in spellings if one.typed == run] or [Spelling(run, run)]
    ]
    strong = [word for way in ways for word in _words(way, languages, None if weak else own, spoken)]
    return tuple(strong or [word for way in ways for word in _words(way, languages, None, spoken)])


def _words(
    spelling: Spelling, languages: tuple[int, ...], own: int | None, asked: int | None
) -> Iterator[Word]:
    """Yield the words of a spelling, without the stop words of the query's ``own`` language."""
    for run in runs(spelling.text):
        pieces = atoms(run)
        if own is not None and (len(pieces) == 1 or "'" in run or "’" in run):
            pieces = tuple(atom for atom in pieces if not atom.weak and atom.term not in stop_words(own))
        if pieces:
            terms = [_term(atom, languages, spelling.weight, asked) for atom in pieces]
            # The whole of a joined word comes first, and stands wherever its parts do.
            joined = pieces[0].step == 0 and sum(atom.step for atom in pieces) > 1
            telling = None
            if own is not None and joined and all(atom.raw.isalpha() for atom in pieces[1:]):
                idle = [len(atom.term) == 1 or atom.term in stop_words(own) for atom in pieces[1:]]
                if any(idle):
                    telling = tuple(term for term, drop in zip(terms[1:], idle, strict=True) if not drop)
            yield Word(run, tuple(dict.fromkeys(terms)), tuple(terms[joined:]), spelling, telling)


def _term(atom: Atom, languages: tuple[int, ...], weight: float, asked: int | None) -> Term:
    accented = atom.term.isascii() and not atom.raw.isascii()
    return Term(atom.term, stems(atom.raw, languages) or (atom.term,), weight, accented, asked)


def distinct_terms(words: Iterable[Word]) -> list[Term]:
    """Return each term of some words once, in order, with the most weight that one of them gives it."""
    found: dict[tuple[str, tuple[str, ...]], Term] = {}
    for term in (term for word in words for term in word.terms):
        known = found.setdefault((term.exact, term.stems), term)
        if term.weight > known.weight:
            found[term.exact, term.stems] = term
    return list(found.values())


class Impact(NamedTuple):
    """A term as it stands in notes, the chunks that have it, ascending, what it adds to each, and the most.

    ``worth`` is what it would add by standing once in a body of average length.
    """

    term: Term
    ids: Ids
    scores: Scores
    top: float
    worth: float

    def times(self, weight: float) -> "Impact":
        """Return the impact of a word that counts for more or less than one."""
        scores = self.scores * np.float32(weight)
        return self._replace(scores=scores, top=self.top * weight, worth=self.worth * weight)


class Field(NamedTuple):
    """How many live chunks of each group have one stream, and each chunk's length term in its group."""

    counts: tuple[int, ...]
    norm: Scores


def idf(count: int, df: int) -> float:
    """Return the weight of a term that ``df`` of ``count`` chunks have."""
    return float(np.log1p((count - df + 0.5) / (df + 0.5)))


class Impacts:
    """Knows the statistics of one snapshot, and what each term adds to its chunks.

    Chunks are counted in groups: where several languages have a good share of them, each has its own
    statistics, so that notes of another language beside them do not change what a word says. Those of a
    language of few belong to the largest group. ``chunks`` and ``notes`` are the documents that are live.
    """

    def __init__(self, parts: Parts, chunks: Mask, notes: Mask) -> None:
        self.size, self.chunks, self.notes = len(chunks), chunks, notes
        self._parts = parts
        self.note_of = concatenated((part.note_of + base for base, part in parts), np.int64)
        self.field = cache(self._find_field)
        """Returns the statistics of a stream."""

    @cached_property
    def language_counts(self) -> Mapping[int, int]:
        """How many live notes are in each language, the most frequent first."""
        counts = Counter(self.language_of[self.notes].tolist())
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    @cached_property
    def languages(self) -> tuple[int, ...]:
        """The languages of the live notes, the most frequent first: the order of a term's stems."""
        return tuple(self.language_counts)

    def docs_with(self, term: str) -> Ids:
        """Return the live notes that have an exact filter term, ascending."""
        return found_in(self._parts, self.notes, lambda part: part.having(FILTERS, term))

    @cached_property
    def language_of(self) -> NDArray[np.uint8]:
        """The language of each document's note."""
        codes = (part.column("language")[part.note_of] for _, part in self._parts)
        return concatenated(codes, np.int64).astype(np.uint8)

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """The languages that have groups; none where all chunks are one group."""
        counts = np.bincount(self.language_of[self.chunks], minlength=len(LANGUAGES))
        found = np.flatnonzero(counts >= max(LEAST_CHUNKS, LEAST_SHARE * counts.sum()))
        if len(found) < 2:
            return ()
        # The largest stands for all that have none.
        return tuple(sorted(found.tolist(), key=lambda code: (-counts[code], code)))

    @cached_property
    def group_of(self) -> NDArray[np.uint8]:
        """The number of each document's group."""
        numbers = np.zeros(len(LANGUAGES), np.uint8)
        numbers[list(self.groups)] = np.arange(len(self.groups))
        return numbers[self.language_of]

    def number(self, language: int | None) -> int | None:
        """Return the number of a language's group; None for one without statistics of its own."""
        return self.groups.index(language) if language in self.groups else None

    def _counted(self, docs: Ids) -> list[int]:
        """Count some documents by group."""
        if not self.groups:
            return [len(docs)]
        counts: list[int] = np.bincount(self.group_of[docs], minlength=len(self.groups)).tolist()
        return counts

    @cached_property
    def group_sizes(self) -> list[int]:
        """How many live chunks each group has."""
        return self._counted(np.flatnonzero(self.chunks))

    def frequency(self, word: str, doc: int) -> int:
        """Count the live chunks in the language of a document that have a folded word in their body."""
        return self._counted(self.postings("body", word)[0])[int(self.group_of[doc])]

    def _find_field(self, stream: str) -> Field:
        lengths = concatenated((part.column(f"{stream}.length") for _, part in self._parts), np.int64)
        norm, counts = np.empty(len(lengths), np.float32), []
        for number in range(max(len(self.groups), 1)):
            group = self.group_of == number
            words = lengths[group][self.chunks[group]]
            counts.append(int(np.count_nonzero(words)))
            average = int(words.sum()) / counts[-1] if counts[-1] else 1.0
            norm[group] = K1 * (1 - B + B * lengths[group] / average)
        return Field(tuple(counts), norm)

    def rarity(self, field: Field, ids: Ids, term: Term) -> tuple[float, float]:
        """Return the weight of a term that some chunks have in the question's language, and in any other.

        A word of the question says in its own language what it would if no other notes stood there. Now and
        then it stands in notes of another one: it is rare there, and tells no more for that, but what it
        tells in the language where it is least rare.
        """
        having = self._counted(ids)
        weights = [idf(count, df) for count, df in zip(field.counts, having, strict=True)]
        held = [weight for weight, df in zip(weights, having, strict=True) if df]
        least = min(held, default=idf(sum(field.counts), 0))
        own = self.number(term.asked)
        return (least if own is None else weights[own]), least

    def postings(self, field: str, name: str) -> tuple[Ids, Scores]:
        """Return the live chunks that have a term in a field, and how often."""
        found, key = [NONE], name.encode("utf-8", "surrogatepass")
        for base, part in self._parts:
            table = part.table(field)
            if (row := table.row(key)) is not None:
                ids, tfs = table.postings(row)
                found.append((ids + base, tfs))
        ids, tfs = map(np.concatenate, zip(*found, strict=True))
        alive = self.chunks[ids]
        return ids[alive], tfs[alive]

    def _stemmed(self, stream: str, term: Term) -> tuple[Ids, Scores]:
        """Return the live chunks that have a term's stem of their language, and how often.

        In another language it can be another word: the French stem of ``notes`` is ``not``. Of a word with
        accents every stem counts everywhere: ``décision`` meets ``decisions`` by stems of two languages.
        """
        name, among = stem_field(stream), self.languages
        if term.accented or len(set(term.stems)) == 1:
            among = ()
        anywhere = dict.fromkeys(term.stems[len(among) :])
        found = [self._counted_little(stem, term, self.postings(name, stem)) for stem in anywhere]
        for stem in {*term.stems[: len(among)]}.difference(anywhere):
            ids, tfs = self._counted_little(stem, term, self.postings(name, stem))
            read = np.zeros(len(LANGUAGES), np.bool_)
            read[[code for code, other in zip(among, term.stems, strict=False) if other == stem]] = True
            there = read[self.language_of[ids]]
            found.append((ids[there], tfs[there]))
        return found[0] if len(found) == 1 else gather(found)

    def _counted_little(self, stem: str, term: Term, found: tuple[Ids, Scores]) -> tuple[Ids, Scores]:
        """Let a short stem that is no word of the notes count for little: unlike words have it."""
        if len(stem) > SHORT_STEM or stem == term.exact or len(self.postings("body", stem)[0]):
            return found
        return found[0], found[1] * SHORT

    def impact(self, term: Term) -> Impact:
        """Sum what a term adds over all fields; the order of the sum is the same for every chunk."""
        term = self._with_stems(term)
        found, worth = [NONE], 0.0
        for stream in STREAMS:
            for weight, is_exact in ((STEM_WEIGHTS[stream], False), (EXACT_WEIGHTS[stream], True)):
                if not weight:
                    continue
                field = self.field(stream)
                having, tfs = self.postings(stream, term.exact) if is_exact else self._stemmed(stream, term)
                own, other = self.rarity(field, having, term)
                if stream == "body":
                    worth += weight * own
                if not len(having):
                    continue
                gain = np.float32(weight * own * term.weight * (K1 + 1)) * tfs / (tfs + field.norm[having])
                if own != other:
                    gain[self.group_of[having] != self.number(term.asked)] *= np.float32(other / own)
                if is_exact and (term.accented or term.exact.isascii()):
                    accented = member(self.note_of[having], self.docs_with(ACCENTED + term.exact))
                    as_typed = accented == term.accented
                    gain = np.where(as_typed, gain, gain * FOLDED)
                found.append((having, gain))
        ids, scores = gather(found)
        return Impact(term, ids, scores, float(scores.max(initial=0)), worth)

    def worth_of(self, having: int) -> float:
        """Return the information of a word that so many chunks have, in any language."""
        count = sum(self.field("body").counts)
        return (STEM_WEIGHTS["body"] + EXACT_WEIGHTS["body"]) * idf(count, having)

    def _with_stems(self, term: Term) -> Term:
        """Add to a term typed without accents the stem that the notes give its word with them.

        Stemmers need accents: ``activité`` becomes ``activ``, ``activite`` does not. Where the word stands
        without the stem that it has as typed, the stem of the notes is taken to be the longest beginning of
        the word that is a stem in most of those chunks.
        """
        # English alone is stemmed alike with and without accents.
        if not any(self.languages) or not term.exact.isascii():
            return term
        held = self.postings("body", term.exact)[0]
        missing = held[~member(held, self._stemmed("body", term)[0])]
        if 2 * len(missing) <= len(held):
            return term
        for size in range(len(term.exact), max(LEAST_STEM, len(term.exact) - LONGEST_ENDING) - 1, -1):
            stem = term.exact[:size]
            having = self.postings(stem_field("body"), stem)[0]
            if 2 * int(member(missing, having).sum()) > len(missing):
                return term._replace(stems=(*term.stems, stem))
        return term
