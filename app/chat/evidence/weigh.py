"""Weigh what can be quoted: how well each span answers, by its words, its meaning and where it stands."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

import numpy as np

from app.chat.evidence.evidence import Evidence
from app.chat.evidence.fields import words_asking
from app.chat.evidence.nearness import Meaning, Nearness
from app.chat.evidence.note import Note, Worth, either, names_above, worth_in
from app.chat.evidence.span import Span, spans_of
from app.chat.evidence.statement import plain_text, properties_of, statements_of
from app.errors import VaultError
from app.search.excerpt import fold
from app.search.query.period import Window
from app.search.query.read import timely
from app.search.query.tree import Query
from app.search.rank.notes import FOLDED, called_notes
from app.search.show.lines import LineWords, line_words
from app.search.view import View
from app.stopping import go_on
from app.vault.paths import nfc

SPAN_CHARS = 450
"""Longest span that is put together of several statements."""
COMPARED = 40
"""Spans whose meaning is compared; those with fewer words of the question rarely answer."""
SHORTEST_TITLE = 3
MOST_LINKS = 2
"""Links of a span, at the most, that a step leads through; a list of notes names them all."""
OF_OBSIDIAN = frozenset({"tags", "tag", "aliases", "alias", "cssclasses", "cssclass"})
"""Properties that Obsidian reads itself, and that are no answer."""

_WORD = re.compile(r"\w+")
_PART_OF_NOTE = re.compile(r"#(?:[^\[\]|#\n]+#)*(?P<part>[^\[\]|#\n]+)")
"""What follows the name of a note in a link to one of its headings or blocks."""

BY_WORDS: Mapping[str, float] = {
    "words": 1.117,
    "words around": 1.485,
    "rank": 1.118,
    "joint": 8.93,
    "property": 4.0,
    "called": 4.0,
}
"""What each part counts where only words are compared; `bench/answers/fit.py` fits it."""
BY_MEANING: Mapping[str, float] = {
    "rank": 0.6,
    "joint": 10.0,
    "opens section": 0.415,
    "whole": 0.7,
    "near": 1.863,
    "telling": 1.457,
    "property": 4.0,
    "called": 4.0,
}
"""What each part counts where meaning is compared too.

Fitted on vaults of notes. "joint" is larger than these ask for, and "rank" and "whole" smaller, so that
questions in two steps keep their answers; between 7 and 10, and .6 and .8, nothing changes by more than two.
"property" and "called" were set by hand, since few questions ask for one, or are the name of a note.
"""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A span that may be quoted, and what speaks for it.

    ``inside`` are the words of the question in its text; ``around`` also those in its headings, the title and
    what introduces it. ``near`` is None where its meaning was not compared.
    """

    evidence: Evidence
    note: Note
    span: Span
    plain: tuple[str, ...]
    """Its statements as a reader sees them."""
    inside: Worth
    around: Worth
    near: Nearness | None = None
    joint: float = 0.0
    """How much more of the question it covers together with a span that names its note than each alone."""

    @property
    def is_property(self) -> bool:
        """Whether it is a property of its note, which nothing stands around."""
        return self.span.statements[0].kind == "property"


@dataclass(frozen=True)
class AnalyzedQuestion:
    """A question, with what is worked out of it once: its words, and the time that it names."""

    question: str
    view: View
    meaning: Meaning | None = None
    _notes: dict[str, Note] = field(default_factory=dict)
    _covered: dict[tuple[str, int], Worth] = field(default_factory=dict)

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
    def called(self) -> frozenset[str]:
        """The paths of the notes that the whole question names, accents and case aside."""
        grades = called_notes(self.view, self.question)
        return frozenset(self.view.lexical.path(doc) for doc, grade in grades.items() if grade >= FOLDED)

    def share(self, worth: Worth) -> float:
        """Return the share of the question's information that some of its words have, 0 to 1."""
        return min(sum(worth.values()) / total, 1.0) if (total := self.words.information) else 0.0

    def worth_of(self, words: frozenset[str]) -> Worth:
        """Return the information of some of its words, which are folded."""
        return {
            place.part: place.worth
            for place in self.words.places([self.question], 0)[0]
            if fold(self.question[place.start : place.end]) in words
        }

    def covered(self, text: str, language: int) -> Worth:
        """Return the words of the question that a text holds."""
        known = self._covered.get((text, language))
        if known is not None:
            return known
        worth = self._covered[text, language] = worth_in(self.words, text, language)
        return worth

    def note(self, path: str) -> Note:
        """Open a note of the evidence; raises as `VaultClient.read` does."""
        if path not in self._notes:
            text = self.view.vault.read(path).text
            doc = self.view.snapshot.doc(path)
            title = self.view.snapshot.note(doc).title if doc is not None else path
            language = self.view.lexical.language(doc) if doc is not None else 0
            statements = statements_of(text)
            openings = frozenset(
                next(some).start for _, some in groupby(statements, lambda one: one.headings)
            )
            self._notes[path] = Note(path, text, statements, title, language, properties_of(text), openings)
        return self._notes[path]


def candidates_of(asked: AnalyzedQuestion, evidence: Sequence[Evidence]) -> list[Candidate]:
    """Return what can be quoted of some evidence, none twice; lines that many notes share are left out."""
    found: dict[tuple[str, int, int], Candidate] = {}
    for one in evidence:
        go_on()
        try:
            note = asked.note(one.path)
        except VaultError:
            # It was taken away since the search; the others still hold.
            continue
        spans = spans_of(note.text, note.statements, one.first, one.last, SPAN_CHARS)
        asked_for = (Span(each.text, (each,)) for each in note.properties)
        for span in (*spans, *(each for each in asked_for if _asks_for(asked, note, each))):
            key = (one.path, span.statements[0].start, span.statements[-1].end)
            if key not in found and not all(map(asked.view.snapshot.is_shared, span.text.split("\n"))):
                found[key] = _candidate(asked, one, note, span)
    return list(found.values())


def _asks_for(asked: AnalyzedQuestion, note: Note, span: Span) -> bool:
    """Return whether a question asks for a property: by its name, and by what its note is called."""
    name, _, value = span.text.partition(":")
    is_said = set(_WORD.findall(fold(value))) <= set(_WORD.findall(fold(asked.question)))
    if name.casefold() in OF_OBSIDIAN or is_said:
        return False
    asking = words_asking(asked.question, name)
    called = asked.covered(f"{note.title}\n{note.path}", note.language)
    return bool(asking) and bool(called.keys() - asked.worth_of(asking).keys())


def _candidate(asked: AnalyzedQuestion, evidence: Evidence, note: Note, span: Span) -> Candidate:
    plain = tuple(plain_text(one.text) for one in span.statements)
    inside = asked.covered("\n".join(plain), note.language)
    if span.statements[0].kind == "property":
        inside = either(inside, asked.worth_of(words_asking(asked.question, span.text.partition(":")[0])))
    around = either(inside, asked.covered(names_above(note, span), note.language))
    return Candidate(evidence, note, span, plain, inside, around)


def weighed(asked: AnalyzedQuestion, candidates: Sequence[Candidate]) -> list[tuple[Candidate, float]]:
    """Return candidates with their scores, best first; scores order those of one question, and no more."""
    compared = compare(asked, candidates)
    table = BY_MEANING if any(one.near for one in compared) else BY_WORDS
    scores = [
        sum(table[name] * value for name, value in parts_of(asked, one).items() if name in table)
        for one in compared
    ]
    order = sorted(range(len(scores)), key=lambda at: -scores[at])
    return [(compared[at], scores[at]) for at in order]


def compare(asked: AnalyzedQuestion, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Keep the candidates worth comparing, with how near they lie and which notes lead to them."""
    kept = sorted(candidates, key=lambda one: -_promise(asked, one))[:COMPARED]
    near: Sequence[Nearness | None] = [None] * len(kept)
    if asked.meaning is not None and kept:
        near = asked.meaning.near([in_context(one) for one in kept])
    kept = [replace(one, near=how) for one, how in zip(kept, near, strict=True)]
    return [replace(one, joint=_joint(asked, one, kept)) for one in kept]


def in_context(one: Candidate) -> str:
    """Return the text of a candidate after the names it stands under."""
    names = dict.fromkeys([one.note.title, *one.span.statements[0].headings[-1:]])
    return f"{' > '.join(names)}: {' '.join(one.plain)}"


def _promise(asked: AnalyzedQuestion, one: Candidate) -> float:
    return asked.share(one.around) - 0.3 * float(np.log1p(one.evidence.number - 1))


def parts_of(asked: AnalyzedQuestion, one: Candidate) -> dict[str, float]:
    """Return what speaks for a candidate, by name."""
    parts = {
        "words": asked.share(one.inside),
        "words around": asked.share(one.around),
        "rank": -float(np.log1p(one.evidence.number - 1)),
        "joint": one.joint,
        "opens section": float(one.span.statements[0].start in one.note.openings),
        "property": asked.share(one.around) if one.is_property else 0.0,
        "called": float(one.note.path in asked.called),
    }
    if one.near is not None:
        parts |= {"whole": one.near.whole, "near": one.near.words, "telling": one.near.telling}
    return parts


def _joint(asked: AnalyzedQuestion, one: Candidate, others: Sequence[Candidate]) -> float:
    """Return how much more of the question a span of another note that names this one's covers with it.

    Questions that take two steps name the first note, and the first note names the second.
    """
    title = one.note.title
    if len(title) < SHORTEST_TITLE or nfc(title).casefold() in nfc(asked.question).casefold():
        return 0.0
    named, own, more = _naming(title), asked.share(one.around), 0.0
    for other in others:
        if (
            other.note is not one.note
            and other.span.text.count("[[") <= MOST_LINKS
            and any(_leads_to(one, name) for name in named.finditer(other.span.text))
        ):
            both = asked.share(either(one.around, other.around))
            more = max(more, both - max(own, asked.share(other.around)))
    return more


def _leads_to(one: Candidate, name: re.Match[str]) -> bool:
    """Return whether a name leads to a span: a link to a heading or a block leads there alone."""
    linked = _PART_OF_NOTE.match(name.string, name.end())
    if linked is None:
        return True
    part = linked["part"]
    if part.startswith("^"):
        return re.search(rf"(?<!\S){re.escape(part)}\s*$", one.span.text, re.MULTILINE) is not None
    return any(fold(part) == fold(each) for each in one.span.statements[0].headings)


def _naming(title: str) -> re.Pattern[str]:
    """Return what finds a title in a text: linked, or as a name inside a sentence."""
    written = re.escape(title)
    if " " in title:
        return re.compile(rf"(?<!\w){written}(?!\w)")
    # One word that begins a sentence need not be a name.
    inside = rf"|(?<=[a-z,;] ){written}(?!\w)" if title[:1].isupper() else ""
    return re.compile(rf"\[\[(?:[^\[\]|#]*/)?{written}(?=[\]|#]){inside}")
