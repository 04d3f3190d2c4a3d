"""What belongs to a statement of a note: what stands beside it and above it, and what that names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

from app.chat.evidence.span import Span
from app.chat.evidence.statement import Statement, plain_text
from app.chat.evidence.subject import subject_of
from app.search.lexical.lines import LineWords

PARAGRAPH_CHARS = 600
"""Characters of a paragraph around a sentence that belong to it: a long one is about several things."""

Worth = Mapping[int, float]
"""Words of the question, by their numbers, with the information of each."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note of the evidence: its text, what it can be quoted by, and what it is called."""

    path: str
    text: str
    statements: Sequence[Statement]
    title: str
    language: int
    properties: Sequence[Statement]
    openings: frozenset[int]
    """Where the statements begin that are the first below a heading."""
    part_of: str = ""
    """What it is a part of, as `folder.part_of` finds it."""


class Thing(NamedTuple):
    """A word for what a question is about: its number among the question's words, and its information.

    ``share`` and ``is_name`` are those of `subject.Named`.
    """

    part: int
    start: int
    end: int
    worth: float
    share: float
    is_name: bool


def things_of(question: str, typed: LineWords) -> list[Thing]:
    """Return what a question is about, word by word, as the words are found in notes."""
    places = [place for place in typed.places([question], 0)[0] if place.part < typed.count]
    found: dict[int, Thing] = {}
    for named in subject_of(question):
        for place in places:
            if place.start < named.end and named.start < place.end and place.worth:
                thing = Thing(place.part, named.start, named.end, place.worth, named.share, named.is_name)
                found.setdefault(place.part, thing)
    return list(found.values())


def carried(things: Sequence[Thing], there: Worth) -> float:
    """Return the share of what a question is about that a text has, 0 to 1; 0 where it is about nothing."""
    total = sum(one.share * one.worth for one in things)
    held = sum(one.share * min(there.get(one.part, 0.0), one.worth) for one in things)
    return held / total if total else 0.0


def belonging(note: Note, span: Span, fits: Sequence[bool]) -> Iterator[str]:
    """Yield what belongs to each statement that fits, as one text; to the whole span where none fits.

    To a sentence belongs its paragraph, to an item what it is a part of, to a row its header; to each of them
    the headings, the properties and the names of the note, and to the value of a property the other ones.
    """
    above = "\n".join([note.title, stem(note), *(one.text for one in note.properties)])
    fit = [one for one, is_fit in zip(span.statements, fits, strict=True) if is_fit]
    for one in fit or span.statements[:1]:
        beside = _paragraph(note, one) if fit else span.statements
        texts = (plain_text(each.text) for each in beside)
        yield "\n".join([above, *one.headings, one.above, *texts])


def _paragraph(note: Note, one: Statement) -> Sequence[Statement]:
    if one.kind != "sentence":
        return (one,)
    return [
        each
        for each in note.statements
        if each.block == one.block
        and each.kind == "sentence"
        and abs(each.start - one.start) <= PARAGRAPH_CHARS
    ]


def names_above(note: Note, span: Span) -> str:
    """Return what a span stands under: the title, its headings and what introduces it, a line each."""
    first = span.statements[0]
    return "\n".join([note.title, *first.headings, first.above])


def stem(note: Note) -> str:
    """Return the name of a note's file without its ending."""
    return PurePosixPath(note.path).stem


def worth_in(words: LineWords, text: str, language: int) -> Worth:
    """Return which of some words a text holds, by their numbers, with the information of each."""
    worth: dict[int, float] = {}
    for places in words.places(text.split("\n"), language):
        for place in places:
            if place.part < words.count:
                worth[place.part] = max(place.worth, worth.get(place.part, 0.0))
    return worth
