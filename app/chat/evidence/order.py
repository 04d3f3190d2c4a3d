"""Order the spans that may answer a question, best first, and tell how likely the first one answers."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from app.chat.evidence.evidence import Evidence
from app.chat.evidence.fields import words_asking
from app.chat.evidence.nearness import Meaning, Nearness
from app.chat.evidence.spans import Span, spans_of
from app.chat.evidence.when import is_of_another_time
from app.errors import VaultError
from app.search.excerpt import fold
from app.search.lexical.analysis import runs
from app.search.lexical.dictionary import rarity
from app.search.lexical.language import LANGUAGE_CODES, note_language, stop_words
from app.search.query.period import Window
from app.search.query.read import timely
from app.search.query.tree import Query
from app.search.rank.notes import FOLDED, called_notes
from app.search.show.lines import LineWords, Worth, line_words
from app.search.view import View
from app.stopping import go_on
from app.vault.paths import NOTE_SUFFIX

COMPARED = 48
"""Spans whose meaning is compared; those with fewer words of the question rarely answer."""
WHOLE_NOTES, WHOLE_SPANS = 3, 60
"""So many notes, of at most so many spans, are looked at whole; of others the passages that were found."""
NAME_RARITY, NOUN_RARITY = 0.8, 0.93
"""A word written with a capital that is so rare in its language is a name; in German, which writes all nouns
so, it has to be rarer."""
GERMAN = LANGUAGE_CODES.index("de")
LABEL_CHARS = 40
"""A longer text before a colon names no value."""
BEFORE = 0.5
"""Share of a word that counts where only the sentence before has it."""
HELD = 0.9
"""Share of a word's information from which on a span has the word itself."""
OF_OBSIDIAN = frozenset({"tags", "tag", "aliases", "alias", "cssclasses", "cssclass"})
"""Properties that Obsidian reads itself, and that are no answer."""

_WORD = re.compile(r"[^\W\d_]{3,}")
_LINK = re.compile(r"\[\[([^\[\]|#]+)")
_SENTENCE = re.compile(r"(?:\A|[.!?:])[\s\"'“«(’]*\Z")
"""What stands before a place where a sentence begins, so that a capital there tells nothing."""

BY_WORDS: Mapping[str, float] = {"words": 1.1, "around": 3.5, "rank": 1.1, "lacking": -1.0, "points": -1.0}
BY_MEANING: Mapping[str, float] = {
    "around": 4.2,
    "rank": 0.85,
    "lacking": -3.6,
    "points": -1.2,
    "near": 2.6,
}
"""What each number of a span counts in the order: with vectors as fitted, by words as set by hand."""
CHANCE_BY_WORDS: Mapping[str, float] = {"always": 1.6, "said": 3.1, "missing": -3.6, "name": -2.0}
CHANCE_BY_MEANING: Mapping[str, float] = {"always": 0.35, "said": 3.9, "missing": -5.1, "name": -3.0}
"""What each number of a question counts for the chance that its first span answers; constants by hand."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note of the evidence, with its spans and where the words of the question stand in it."""

    path: str
    text: str
    title: str
    language: int
    spans: Sequence[Span]
    places: Sequence[tuple[int, int, float]]
    """Words of the question: where each begins, its number, its information."""

    def worth_between(self, start: int, end: int) -> Worth:
        """Return the words of the question in a part of the text."""
        first = bisect_left(self.places, start, key=lambda one: one[0])
        last = bisect_right(self.places, end - 1, key=lambda one: one[0])
        worth: dict[int, float] = {}
        for _, part, one in self.places[first:last]:
            worth[part] = max(one, worth.get(part, 0.0))
        return worth


@dataclass(frozen=True, eq=False)
class Candidate:
    """A span that may be quoted, and what speaks for it.

    ``inside`` are the words of the question in its text, ``around`` also those of what it stands under.
    """

    evidence: Evidence
    note: Note
    span: Span
    inside: Worth
    around: Worth
    near: Nearness | None = None
    points: bool = False
    """Whether it is struck through, or links to another note of the evidence, which says more than it."""


class Word(NamedTuple):
    """A word of a question that tells what it is about, with where it stands and its information."""

    typed: str
    start: int
    end: int
    part: int
    worth: float


@dataclass(frozen=True)
class AnalyzedQuestion:
    """A question, with what is worked out of it once: its words, and the time that it names."""

    question: str
    view: View
    meaning: Meaning | None = None
    _notes: dict[str, Note] = field(default_factory=dict)

    @cached_property
    def query(self) -> Query:
        """What is searched for."""
        return timely(self.question)

    @cached_property
    def words(self) -> LineWords:
        """Its words, as the search finds them."""
        return line_words(self.view.lexical, [replace(self.query, spellings=())])

    @property
    def window(self) -> Window | None:
        """The time that it names; None where it names none."""
        return self.query.window

    @cached_property
    def telling(self) -> Sequence[Word]:
        """The words that tell what it is about, each once; not those of the time that it names."""
        mute, found = stop_words(self.language), dict[str, Word]()
        of_time = set(runs(self.window.phrase)) if self.window else set()
        for place in self.words.places([self.question], 0)[0]:
            typed = self.question[place.start : place.end]
            text = fold(typed)
            if text not in mute and len(text) > 1 and typed.lower() not in of_time:
                word = Word(typed, place.start, place.end, place.part, place.worth)
                found[text] = max(word, found.get(text, word), key=lambda each: each.worth)
        return list(found.values())

    @cached_property
    def language(self) -> int:
        """The language that it is asked in."""
        return note_language(set(runs(self.question)))

    def is_name(self, word: Word) -> bool:
        """Return whether a word is the name of a note, or written as a name is."""
        names = self.view.snapshot.names.get(fold(word.typed), frozenset())
        if not self.is_large(word):
            return fold(word.typed) in names
        least = NOUN_RARITY if self.language == GERMAN else NAME_RARITY
        return bool(names) or rarity(word.typed.lower(), self.language) > least

    def is_large(self, word: Word) -> bool:
        """Return whether a word is written with a capital where no sentence begins."""
        return word.typed[:1].isupper() and not _SENTENCE.search(self.question[: word.start])

    def telling_of(self, word: Word) -> float:
        """Return how much a word tells that is missing, 0 to 1: by the notes, and at most by its language."""
        rare = rarity(word.typed.lower(), self.language)
        return rare if self.is_large(word) else min(word.worth / self.view.lexical.worth_of(0), rare)

    def share(self, worth: Worth) -> float:
        """Return the share of the question's information that some of its words have, 0 to 1."""
        return min(sum(worth.values()) / whole, 1.0) if (whole := self.words.information) else 0.0

    def worth_of(self, words: frozenset[str]) -> Worth:
        """Return the information of some of its words, which are folded."""
        return {
            place.part: place.worth
            for place in self.words.places([self.question], 0)[0]
            if fold(self.question[place.start : place.end]) in words
        }

    def note(self, path: str) -> Note:
        """Open a note of the evidence; raises as `VaultClient.read` does."""
        if path not in self._notes:
            text = self.view.vault.read(path).text
            doc = self.view.snapshot.doc(path)
            title = self.view.snapshot.note(doc).title if doc is not None else path
            language = self.view.lexical.language(doc) if doc is not None else 0
            spans = spans_of(text)
            places, start = list[tuple[int, int, float]](), 0
            lines = text.split("\n")
            for line, found in zip(lines, self.words.places(lines, language), strict=True):
                places += ((start + place.start, place.part, place.worth) for place in found)
                start += len(line) + 1
            self._notes[path] = Note(path, text, title, language, spans, sorted(places))
        return self._notes[path]


def candidates_of(asked: AnalyzedQuestion, evidence: Sequence[Evidence]) -> list[Candidate]:
    """Return the spans of some evidence, none twice; lines that many notes share are left out."""
    found: dict[tuple[str, int], Candidate] = {}
    first = list(dict.fromkeys(one.path for one in evidence))[:WHOLE_NOTES]
    for one in evidence:
        go_on()
        try:
            note = asked.note(one.path)
        except VaultError:
            # It was taken away since the search; the others still hold.
            continue
        is_whole = one.path in first and len(note.spans) <= WHOLE_SPANS
        for span in note.spans:
            is_property = span.kind == "property"
            if is_property and span.text.partition(":")[0].casefold() in OF_OBSIDIAN:
                continue
            if (
                (is_property or is_whole or (one.first <= span.last and span.first <= one.last))
                and (one.path, span.start) not in found
                and not all(asked.view.snapshot.shared(span.text.split("\n")))
            ):
                made = _candidate(asked, one, note, span)
                # By words alone, a property is an answer only where its name or its value is asked for.
                if made.inside or not is_property or asked.meaning is not None:
                    found[one.path, span.start] = made
    return list(found.values())


def _candidate(asked: AnalyzedQuestion, evidence: Evidence, note: Note, span: Span) -> Candidate:
    inside = note.worth_between(span.start, span.end)
    labels = span.above.split("|") if span.kind == "row" else [span.text.partition(":")[0]]
    for label in labels:
        if len(label) < min(len(span.text), LABEL_CHARS):
            inside = either(inside, asked.worth_of(words_asking(asked.question, label)))
    above = "\n".join([note.title, note.path, *span.headings, span.above])
    around = either(inside, asked.words.worth(above.split("\n"), note.language))
    before = asked.words.worth([span.before], note.language) if span.before else {}
    around = either(around, {part: BEFORE * one for part, one in before.items()})
    return Candidate(evidence, note, span, inside, around)


def either(one: Worth, other: Worth) -> Worth:
    """Return what two texts have of the question together."""
    return {part: max(one.get(part, 0.0), other.get(part, 0.0)) for part in one.keys() | other.keys()}


def ordered(asked: AnalyzedQuestion, candidates: Sequence[Candidate]) -> list[tuple[Candidate, float]]:
    """Return candidates with their scores, best first; scores order those of one question, and no more."""
    compared = compare(asked, candidates)
    table = BY_MEANING if any(one.near for one in compared) else BY_WORDS
    scored = [(one, total(table, numbers_of(asked, one))) for one in compared]
    # What a whole question is the name of comes before all that mentions it.
    grades = called_notes(asked.view, asked.question)
    called = {asked.view.lexical.path(doc) for doc, grade in grades.items() if grade >= FOLDED}
    return sorted(scored, key=lambda each: (each[0].note.path not in called, -each[1]))


def total(table: Mapping[str, float], numbers: Mapping[str, float]) -> float:
    """Return what some numbers come to by a table."""
    return sum(weight * numbers[name] for name, weight in table.items())


def compare(asked: AnalyzedQuestion, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Keep the candidates worth comparing, with how near they lie."""

    def promise(one: Candidate) -> float:
        return asked.share(one.around) - 0.2 * float(np.log1p(one.evidence.number - 1))

    kept = sorted(candidates, key=lambda one: -promise(one))[:COMPARED]
    paths = {one.note.path.removesuffix(NOTE_SUFFIX) for one in candidates}
    names = {*paths, *(path.rpartition("/")[2] for path in paths), *(one.note.title for one in candidates)}
    links = [{target.strip() for target in _LINK.findall(one.span.text)} for one in kept]
    kept = [
        replace(one, points=one.span.is_struck or bool(found & names - {one.note.title}))
        for one, found in zip(kept, links, strict=True)
    ]
    near: Sequence[Nearness | None] = [None] * len(kept)
    if asked.meaning is not None and kept:
        near = asked.meaning.near([in_context(one) for one in kept])
    return [replace(one, near=how) for one, how in zip(kept, near, strict=True)]


def in_context(one: Candidate) -> str:
    """Return the text of a candidate after the names it stands under."""
    names = dict.fromkeys([one.note.title, *one.span.headings[-1:]])
    header = f"{one.span.above} " if one.span.kind == "row" else ""
    return f"{' > '.join(names)}: {header}{one.span.plain}"


def numbers_of(asked: AnalyzedQuestion, one: Candidate) -> dict[str, float]:
    """Return what speaks for a candidate and against it, by name."""
    numbers = {
        "words": asked.share(one.inside),
        "around": asked.share(one.around),
        "rank": -float(np.log1p(one.evidence.number - 1)),
        "lacking": _lacking(asked, one),
        "points": float(one.points),
    }
    return numbers if one.near is None else {**numbers, "near": one.near.words}


def _lacking(asked: AnalyzedQuestion, one: Candidate) -> float:
    """Return how rare the word is that a span and all it stands under have least of, 0 to 1."""
    held, most, worst = either(one.around, _of_properties(one.note)), asked.view.lexical.worth_of(0), 0.0
    for word in asked.telling:
        there = _share(held, word)
        if there < HELD and one.near is not None and asked.meaning is not None:
            there = max(there, asked.meaning.near_at(one.near, word.start, word.end))
        worst = max(worst, word.worth / most * (1 - there))
    return worst


def _share(held: Worth, word: Word) -> float:
    return min(held.get(word.part, 0.0) / word.worth, 1.0) if word.worth else 0.0


def _of_properties(note: Note) -> Worth:
    ends = [one.end for one in note.spans if one.kind == "property"]
    return note.worth_between(0, max(ends)) if ends else {}


def chance_numbers(asked: AnalyzedQuestion, scored: Sequence[tuple[Candidate, float]]) -> dict[str, float]:
    """Return what tells questions that notes answer from others, by name, for candidates best first."""
    best, words = scored[0][0], asked.telling
    held = either(best.around, _of_properties(best.note))
    there = {word: _share(held, word) for word in words}
    missing = [word for word in words if there[word] < HELD]
    numbers = {"always": 1.0}
    numbers["name"] = max((1 - there[word] for word in missing if asked.is_name(word)), default=0.0)
    near = alone = there
    if best.near is not None and asked.meaning is not None:
        near = {word: asked.meaning.near_at(best.near, word.start, word.end) for word in words}
        tried = [word for word in missing if not word.typed.isdigit()]
        found = asked.meaning.nearest([fold(word.typed) for word in tried], _telling_words(best))
        alone = {**there, **dict(zip(tried, found, strict=True))}
    whole = sum(word.worth for word in words)
    said = sum(word.worth * max(there[word], near[word]) for word in words)
    numbers["said"] = said / whole if whole else 0.0
    numbers["missing"] = max(
        (asked.telling_of(word) * (1 - max(there[word], alone[word])) for word in missing), default=0.0
    )
    if asked.window is not None and best.span.kind != "steps":
        texts = [best.span.text, best.note.title, *best.span.headings]
        properties = [each.text for each in best.note.spans if each.kind == "property"]
        if is_of_another_time(asked.window, best.note.path, texts, properties):
            numbers["missing"] = 1.0
    return numbers


def _telling_words(best: Candidate) -> list[str]:
    """Return the words that a span says something with, each once."""
    mute = stop_words(best.note.language)
    return [word for word in dict.fromkeys(_WORD.findall(in_context(best).lower())) if fold(word) not in mute]


def answer_chance(asked: AnalyzedQuestion, scored: Sequence[tuple[Candidate, float]]) -> float:
    """Return how likely some candidate answers the question, 0 to 1; 0 where there is none."""
    if not scored:
        return 0.0
    numbers = chance_numbers(asked, scored)
    table = CHANCE_BY_WORDS if scored[0][0].near is None else CHANCE_BY_MEANING
    return float(1 / (1 + np.exp(-np.clip(total(table, numbers), -30, 30))))
