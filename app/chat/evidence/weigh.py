"""Weigh what can be quoted: how well each span answers, by its words, its meaning and what it holds."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

import numpy as np

from app.chat.evidence.answer_type import PREFERRED, VALUES, AnswerType, answer_type_of, spoken
from app.chat.evidence.answer_values import holds_answer
from app.chat.evidence.belonging import (
    Note,
    Thing,
    Worth,
    carried,
    names_above,
    things_of,
    worth_in,
)
from app.chat.evidence.evidence import Evidence
from app.chat.evidence.fields import Field, asks_for, fields_of, is_such, words_asking
from app.chat.evidence.focus import focus_of
from app.chat.evidence.folder import part_of
from app.chat.evidence.nearness import Meaning, Nearness
from app.chat.evidence.span import Span, spans_of
from app.chat.evidence.statement import Statement, plain_text, properties_of, statements_of
from app.chat.evidence.when import CALENDAR, asks_of_the_past, day_of
from app.errors import VaultError
from app.search.excerpt import fold
from app.search.lexical.analysis import runs
from app.search.lexical.language import LANGUAGE_CODES, note_language, stop_words
from app.search.lexical.lines import LineWords
from app.search.query.parse import parse_question
from app.search.query.time_window import Window, window_of
from app.search.query.tree import Query
from app.search.rank.dated import in_question
from app.search.view import View
from app.stopping import go_on
from app.vault.dates import local_today
from app.vault.paths import nfc

SPAN_CHARS = 450
"""Longest span that is put together of several statements."""
COMPARED = 40
"""Spans whose meaning is compared; those with fewer words of the question rarely answer."""
SHORTEST_TITLE = 3
OPENING_CHARS = 40
"""The first characters of a note, in which it may say who it is about: "Yvonne. Lives in Quimper."."""
OWN_LISTS = frozenset({"tags", "tag", "aliases", "alias", "cssclasses", "cssclass"})
"""Properties that Obsidian reads itself."""
FILED = frozenset({"date", "day", "created", "updated", "modified", "jour", "créé", "modifié"})
"""Properties by which a note is filed: they date what its name tells of, and not what it mentions."""
OF_PEOPLE = frozenset(
    {AnswerType.BIRTH, AnswerType.AGE, AnswerType.TELEPHONE, AnswerType.EMAIL, AnswerType.ADDRESS}
)
"""Kinds of value of which one of another person does harm."""
MOST_LINKS = 2
"""Links of a span, at the most, that a step leads through; a list of notes names them all."""
ABOUT_AS_NEAR = 0.8
"""Share of how near a span lies from which on a later one is about the same."""

_PART_OF_NOTE = re.compile(r"#(?:[^\[\]|#\n]+#)*(?P<part>[^\[\]|#\n]+)")
"""What follows the name of a note in a link to one of its headings or blocks."""

BY_WORDS: Mapping[str, float] = {
    "words": 1.117,
    "words around": 1.485,
    "rank": 1.118,
    "holds": 0.669,
    "share that holds": 1.281,
    "value": 1.33,
    "joint": 8.93,
    "lists steps": 1.325,
    "own property": 3.0,
}
"""What each part counts where only words are compared; `bench/answers/fit.py` fits it."""
BY_MEANING: Mapping[str, float] = {
    "rank": 0.6,
    "value": 3.19,
    "value close": 3.411,
    "joint": 10.0,
    "lists steps": 1.293,
    "opens section": 0.415,
    "whole": 0.7,
    "near": 1.863,
    "telling": 1.457,
    "outdated": -1.0,
    "own property": 3.0,
}
"""What each part counts where meaning is compared too.

Fitted on vaults of notes. "joint" is larger than these ask for, and "rank" and "whole" smaller, so that
questions in two steps keep their answers; between 7 and 10, and .6 and .8, nothing changes by more than two.
"outdated" was set by hand, since few questions tell: between .5 and 2 one or two answers change; so was
"own property".
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
    is_outdated: bool = False
    """Whether one of a later day lies about as near, where what holds now is asked for."""
    asking: Worth | None = None
    """The words of the question that ask for it by its name; None where it is no property asked for so."""

    @property
    def is_property(self) -> bool:
        """Whether it is a property of its note, which nothing stands around."""
        return self.span.statements[0].kind == "property"


@dataclass(frozen=True)
class AnalyzedQuestion:
    """A question, with what is worked out of it once: its words, what it asks for, what it is about."""

    question: str
    view: View
    meaning: Meaning | None = None
    _notes: dict[str, Note] = field(default_factory=dict)
    _covered: dict[tuple[str, int], Worth] = field(default_factory=dict)

    @cached_property
    def query(self) -> Query:
        """What is searched for."""
        return parse_question(spoken(self.question))

    @cached_property
    def words(self) -> LineWords:
        """Its words, as the search finds them."""
        return self.view.lexical.line_words([(self.query.positive, ())])

    @cached_property
    def answer_type(self) -> AnswerType:
        """What it asks for."""
        return answer_type_of(self.question)

    @cached_property
    def window(self) -> Window | None:
        """The time that it names; None where it names none."""
        return in_question(self.view, self.query, window_of(self.query, local_today()))

    @cached_property
    def things(self) -> Sequence[Thing]:
        """What it is about, word by word."""
        return things_of(self.question, self.words)

    @cached_property
    def names(self) -> Sequence[Thing]:
        """The names in it, word by word; none in German, which writes all things large."""
        if note_language(set(runs(self.question))) == LANGUAGE_CODES.index("de"):
            return []
        said = {one.part: fold(self.question[one.start : one.end]) for one in self.things if one.is_name}
        return [one for one in self.things if said.get(one.part, "") not in {"", *CALENDAR}]

    @cached_property
    def fields(self) -> Sequence[Field]:
        """The fields that its words ask for."""
        return list(fields_of(self.question))

    @cached_property
    def focus(self) -> str:
        """What it asks for by name, folded; empty where it names nothing, or a kind of value."""
        return "" if self.answer_type in VALUES else focus_of(self.question)

    def share(self, worth: Worth) -> float:
        """Return the share of the question's information that some of its words have, 0 to 1."""
        return min(sum(worth.values()) / total, 1.0) if (total := self.words.information) else 0.0

    def worth_of(self, words: frozenset[str]) -> Worth:
        """Return the information of some of its words, which are folded."""
        return {
            place.part: place.worth
            for place in self.words.places([self.question], 0)[0]
            if place.part < self.words.count and fold(self.question[place.start : place.end]) in words
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
            properties = properties_of(text)
            whole = part_of(self.view.snapshot, path, title)
            self._notes[path] = Note(path, text, statements, title, language, properties, openings, whole)
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
        for span in spans_of(note.text, note.statements, one.first, one.last, SPAN_CHARS):
            key = (one.path, span.statements[0].start, span.statements[-1].end)
            if key not in found and not all(map(asked.view.snapshot.is_shared, span.text.split("\n"))):
                found[key] = _candidate(asked, one, note, span)
        properties = [each for stated in note.properties if (each := _asked_for(asked, one, note, stated))]
        # One that is asked for by its name leaves no room for another of its kind.
        named = [each for each in properties if each.asking is not None] or properties
        for each in named:
            found.setdefault((one.path, each.span.statements[0].start, each.span.statements[-1].end), each)
    return list(found.values())


def _asked_for(asked: AnalyzedQuestion, evidence: Evidence, note: Note, each: Statement) -> Candidate | None:
    """Return a property as a candidate where a question asks for it: by name, or by its kind of value."""
    name, _, value = each.text.partition(":")
    if (
        name.casefold() in OWN_LISTS
        or (name.casefold() in FILED and not carried(asked.things, asked.covered(note.title, note.language)))
        or not value.strip()
        or not is_such(asked.answer_type, value, asked.question, name)
    ):
        return None
    one = _candidate(asked, evidence, note, Span(each.text, (each,)))
    asking = _asking(asked, note, name)
    if asking is not None:
        close = asked.share(_either(one.around, asking))
        return replace(one, asking=asking, fits=(True,), inside=_either(one.inside, asking), close=close)
    is_named = bool(asked.focus) and asked.focus in re.findall(r"\w+", fold(name))
    return one if asked.answer_type in VALUES or is_named else None


def _asking(asked: AnalyzedQuestion, note: Note, name: str) -> Worth | None:
    """Return the words of a question that ask for a property: its whole name, or what it is a field of."""
    telling = [word for word in re.findall(r"\w{2,}", fold(name)) if word not in stop_words(note.language)]
    named = [asked.covered(word, note.language) for word in telling]
    if named and all(named) and asks_for(asked.answer_type, asked.question, name, telling):
        return {part: worth for each in named for part, worth in each.items()}
    words = words_asking(asked.fields, name)
    return asked.worth_of(words) if words else None


def _candidate(asked: AnalyzedQuestion, evidence: Evidence, note: Note, span: Span) -> Candidate:
    plain = tuple(plain_text(one.text) for one in span.statements)
    inside = asked.covered("\n".join(plain), note.language)
    above = asked.covered(names_above(note, span), note.language)
    around = _either(inside, above)
    fits = tuple(
        holds_answer(asked.answer_type, text, asked.question, one.header)
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
    kept = [one for one in kept if not _is_anothers(asked, one, kept)]
    is_of_now = asked.window is None and not asks_of_the_past(asked.question)
    # A later day without such a value says nothing of what the value is now.
    told = [is_of_now and (any(one.fits) or asked.answer_type not in VALUES) for one in kept]
    days = [day_of(one.note, one.span) if is_told else "" for one, is_told in zip(kept, told, strict=True)]
    return [
        replace(one, joint=_joint(asked, one, kept), is_outdated=_is_outdated(at, kept, days))
        for at, one in enumerate(kept)
    ]


def _is_anothers(asked: AnalyzedQuestion, one: Candidate, others: Sequence[Candidate]) -> bool:
    """Return whether a property tells a number, an address or a birthday of another than the one named.

    A note about the one named may lead to it, as that of a boat to that of her builder.
    """
    if not one.is_property or asked.answer_type not in OF_PEOPLE or not asked.names:
        return False
    naming = _naming(one.note.title)
    about = (other for other in others if other.note is not one.note and naming.search(other.span.text))
    return not any(_is_called(asked, note) for note in (one.note, *(other.note for other in about)))


def _is_called(asked: AnalyzedQuestion, note: Note) -> bool:
    """Return whether a note is called by some name of the question, in its properties or first words too."""
    first = note.statements[0].text[:OPENING_CHARS] if note.statements else ""
    called = [note.title, note.path, note.part_of, first, *(each.text for each in note.properties)]
    there = asked.covered("\n".join(called), note.language)
    return any(there.get(name.part, 0.0) > 0 for name in asked.names)


def _is_outdated(at: int, candidates: Sequence[Candidate], days: Sequence[str]) -> bool:
    """Return whether a candidate of a later day lies about as near to the question, by all its words."""
    near = candidates[at].near
    if near is None or not days[at]:
        return False
    return any(
        day > days[at]
        and other.near is not None
        and other.near.words >= ABOUT_AS_NEAR * near.words
        and other.near.telling >= ABOUT_AS_NEAR * near.telling
        for other, day in zip(candidates, days, strict=True)
    )


def in_context(one: Candidate) -> str:
    """Return the text of a candidate after the names it stands under."""
    headings = one.span.statements[0].headings[-1:]
    names = dict.fromkeys(filter(None, [one.note.part_of, one.note.title, *headings]))
    return f"{' > '.join(names)}: {' '.join(one.plain)}"


def _promise(asked: AnalyzedQuestion, one: Candidate) -> float:
    return asked.share(one.around) - 0.3 * float(np.log1p(one.evidence.number - 1)) + 0.2 * any(one.fits)


def parts_of(asked: AnalyzedQuestion, one: Candidate) -> dict[str, float]:
    """Return what speaks for a candidate, by name."""
    is_value, fits = asked.answer_type in PREFERRED or one.asking is not None, any(one.fits)
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
        "outdated": float(one.is_outdated),
        "own property": float(one.asking is not None and bool(asked.names) and _is_called(asked, one.note)),
        "opens section": float(one.span.statements[0].start in one.note.openings),
        "lists steps": float(
            asked.answer_type is AnswerType.STEPS and any(s.kind == "item" for s in one.span.statements)
        ),
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
            both = asked.share(_either(one.around, other.around))
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
