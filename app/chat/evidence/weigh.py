"""Weigh what can be quoted: how well each span answers, by its words, its meaning and what it holds."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

import numpy as np

from app.chat.evidence.belonging import (
    Note,
    Thing,
    Worth,
    names_above,
    things_of,
    worth_in,
)
from app.chat.evidence.evidence import Evidence
from app.chat.evidence.held import holds
from app.chat.evidence.nearness import Meaning, Nearness
from app.chat.evidence.span import Span, spans_of
from app.chat.evidence.statement import Statement, plain_text, properties_of, statements_of
from app.chat.evidence.wanted import VALUES, Wanted, focus_of, spoken, wanted_by
from app.errors import VaultError
from app.search.excerpt import fold
from app.search.lexical.lines import LineWords
from app.search.query.parse import parse_question
from app.search.query.spelling import spelt
from app.search.query.tree import Query
from app.search.view import View
from app.stopping import go_on
from app.vault.paths import nfc

SPAN_CHARS = 450
"""Longest span that is put together of several statements."""
COMPARED = 40
"""Spans whose meaning is compared; those with fewer words of the question rarely answer."""
SHORTEST_TITLE = 3
SPELT_SHARE = 0.5
"""What another spelling counts for of a word that stands in no note: "banque" need not mean "manque"."""

BY_WORDS: Mapping[str, float] = {
    "words": 1.117,
    "words around": 1.485,
    "rank": 1.118,
    "holds": 0.669,
    "share that holds": 1.281,
    "value": 1.33,
    "joint": 8.93,
    "lists steps": 1.325,
}
"""What each part counts where only words are compared; `bench/answers/fit.py` fits it."""
BY_MEANING: Mapping[str, float] = {
    "rank": 0.6,
    "holds": 0.583,
    "value": 3.19,
    "value close": 3.411,
    "joint": 10.0,
    "lists steps": 1.293,
    "opens section": 0.415,
    "whole": 0.7,
    "near": 1.863,
    "telling": 1.457,
}
"""What each part counts where meaning is compared too.

Fitted on vaults of notes. "joint" is larger than these ask for, and "rank" and "whole" smaller, so that
questions in two steps keep their answers; between 7 and 10, and .6 and .8, nothing changes by more than two.
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
    fits: tuple[bool, ...]
    """Of each statement, whether it holds what the question asks for."""
    close: float = 0.0
    """Share of the question's information in a statement that holds what it asks for, and above that."""
    near: Nearness | None = None
    joint: float = 0.0
    """How much more of the question it covers together with a span that names its note than each alone."""

    @property
    def is_property(self) -> bool:
        """Whether it is a property of its note, which nothing stands around."""
        return self.span.statements[0].kind == "property"


@dataclass(frozen=True)
class Asked:
    """A question as spans are held against it."""

    question: str
    view: View
    meaning: Meaning | None = None
    _notes: dict[str, Note] = field(default_factory=dict)
    _covered: dict[tuple[str, int], Worth] = field(default_factory=dict)

    @cached_property
    def words(self) -> LineWords:
        """Its words, as the search finds them; those that stand nowhere count for less as they are spelt."""
        spellings = tuple(replace(one, weight=one.weight * SPELT_SHARE) for one in self.query.spellings)
        return self.view.lexical.line_words([(self.query.positive, spellings)])

    @cached_property
    def query(self) -> Query:
        """What is searched for, with the spellings of words that stand nowhere."""
        return spelt(self.view.snapshot, parse_question(spoken(self.question)))

    @cached_property
    def information(self) -> float:
        """The information of its words as they were typed, those that stand nowhere among them."""
        return self.typed.information

    @cached_property
    def typed(self) -> LineWords:
        """Its words as they were typed, without other spellings."""
        return self.view.lexical.line_words([(parse_question(spoken(self.question)).positive, ())])

    @cached_property
    def wanted(self) -> Wanted:
        """What it asks for."""
        return wanted_by(self.question)

    @cached_property
    def things(self) -> Sequence[Thing]:
        """What it is about, word by word."""
        return things_of(self.question, self.typed)

    @cached_property
    def focus(self) -> str:
        """What it asks for by name, folded; empty where it names nothing, or a kind of value."""
        return "" if self.wanted in VALUES else focus_of(self.question)

    def share(self, worth: Worth) -> float:
        """Return the share of the question's information that some of its words have, 0 to 1."""
        return min(sum(worth.values()) / self.information, 1.0) if self.information else 0.0

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
            properties = properties_of(text)
            self._notes[path] = Note(path, text, statements, title, language, properties, openings)
        return self._notes[path]


def candidates_of(asked: Asked, evidence: Sequence[Evidence]) -> list[Candidate]:
    """Return what can be quoted of some evidence, none twice; lines that many notes share are left out."""
    found: dict[tuple[str, int, int], Candidate] = {}
    for one in evidence:
        go_on()
        try:
            note = asked.note(one.path)
        except VaultError:
            # It was taken away since the search; the others still hold.
            continue
        for span in spans_of(note.text, note.statements, one.first, one.last, SPAN_CHARS):
            key = (one.path, span.statements[0].start, span.statements[-1].end)
            if key not in found and not all(map(asked.view.snapshot.is_shared, span.text.split("\n"))):
                found[key] = _candidate(asked, one, note, span)
        for each in note.properties:
            key = (one.path, each.start, each.end)
            if key not in found and _is_asked_for(asked, each):
                found[key] = _candidate(asked, one, note, Span(each.text, (each,)))
    return list(found.values())


def _is_asked_for(asked: Asked, each: Statement) -> bool:
    """Return whether a question asks for a property: by its name, or by a kind of value that it holds."""
    name, _, value = each.text.partition(":")
    if not value.strip():
        return False
    if asked.wanted in VALUES:
        return holds(asked.wanted, value, asked.question, name)
    return bool(asked.focus) and asked.focus in re.findall(r"\w+", fold(name))


def _candidate(asked: Asked, evidence: Evidence, note: Note, span: Span) -> Candidate:
    plain = tuple(plain_text(one.text) for one in span.statements)
    inside = asked.covered("\n".join(plain), note.language)
    above = asked.covered(names_above(note, span), note.language)
    around = _either(inside, above)
    fits = tuple(
        holds(asked.wanted, text, asked.question, one.above if one.kind == "row" else "")
        for one, text in zip(span.statements, plain, strict=True)
    )
    close = 0.0
    for text, is_fit in zip(plain, fits, strict=True):
        if is_fit:
            close = max(close, asked.share(_either(above, asked.covered(text, note.language))))
    return Candidate(evidence, note, span, plain, inside, around, fits, close)


def _either(one: Worth, other: Worth) -> Worth:
    """Return what two texts have of the question together."""
    return {part: max(one.get(part, 0.0), other.get(part, 0.0)) for part in one.keys() | other.keys()}


def weighed(asked: Asked, candidates: Sequence[Candidate]) -> list[tuple[Candidate, float]]:
    """Return candidates with their scores, best first; scores order those of one question, and no more."""
    compared = compare(asked, candidates)
    table = BY_MEANING if any(one.near for one in compared) else BY_WORDS
    scores = [
        sum(table[name] * value for name, value in parts_of(asked, one).items() if name in table)
        for one in compared
    ]
    order = sorted(range(len(scores)), key=lambda at: -scores[at])
    return [(compared[at], scores[at]) for at in order]


def compare(asked: Asked, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Keep the candidates worth comparing, with how near they lie and which notes lead to them."""
    kept = sorted(candidates, key=lambda one: -_promise(asked, one))[:COMPARED]
    near: Sequence[Nearness | None] = [None] * len(kept)
    if asked.meaning is not None and kept:
        near = asked.meaning.near([in_context(one) for one in kept])
    return [
        replace(one, near=how, joint=_joint(asked, one, kept)) for one, how in zip(kept, near, strict=True)
    ]


def in_context(one: Candidate) -> str:
    """Return the text of a candidate after the names it stands under."""
    names = dict.fromkeys([one.note.title, *one.span.statements[0].headings[-1:]])
    return f"{' > '.join(names)}: {' '.join(one.plain)}"


def _promise(asked: Asked, one: Candidate) -> float:
    return asked.share(one.around) - 0.3 * float(np.log1p(one.evidence.number - 1)) + 0.2 * any(one.fits)


def parts_of(asked: Asked, one: Candidate) -> dict[str, float]:
    """Return what speaks for a candidate, by name."""
    is_value, fits = asked.wanted in VALUES, any(one.fits)
    share = sum(one.fits) / max(len(one.fits), 1)
    parts = {
        "words": asked.share(one.inside),
        "words around": asked.share(one.around),
        "rank": -float(np.log1p(one.evidence.number - 1)),
        "holds": float(fits and not is_value),
        "share that holds": 0.0 if is_value else share,
        "value": float(fits and is_value),
        "value close": one.close if is_value else 0.0,
        "joint": one.joint,
        "opens section": float(one.span.statements[0].start in one.note.openings),
        "lists steps": float(
            asked.wanted is Wanted.STEPS and any(s.kind == "item" for s in one.span.statements)
        ),
    }
    if one.near is not None:
        parts |= {"whole": one.near.whole, "near": one.near.words, "telling": one.near.telling}
    return parts


def _joint(asked: Asked, one: Candidate, others: Sequence[Candidate]) -> float:
    """Return how much more of the question a span of another note that names this one's covers with it.

    Questions that take two steps name the first note, and the first note names the second.
    """
    title = one.note.title
    if len(title) < SHORTEST_TITLE or nfc(title).casefold() in nfc(asked.question).casefold():
        return 0.0
    named, own, more = _naming(title), asked.share(one.around), 0.0
    for other in others:
        if other.note is not one.note and named.search(other.span.text):
            both = asked.share(_either(one.around, other.around))
            more = max(more, both - max(own, asked.share(other.around)))
    return more


def _naming(title: str) -> re.Pattern[str]:
    """Return what finds a title in a text: linked, or as a name inside a sentence."""
    written = re.escape(title)
    if " " in title:
        return re.compile(rf"(?<!\w){written}(?!\w)")
    # One word that begins a sentence need not be a name.
    inside = rf"|(?<=[a-z,;] ){written}(?!\w)" if title[:1].isupper() else ""
    return re.compile(rf"\[\[(?:[^\[\]|#]*/)?{written}(?=[\]|#]){inside}")
