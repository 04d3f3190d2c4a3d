"""A note of the evidence, with what it can be quoted by, and which words of a question its texts hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.chat.evidence.span import Span
from app.chat.evidence.statement import Statement
from app.search.show.lines import LineWords

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


def names_above(note: Note, span: Span) -> str:
    """Return what a span stands under: the title, its headings and what introduces it, a line each."""
    first = span.statements[0]
    return "\n".join([note.title, *first.headings, first.above])


def worth_in(words: LineWords, text: str, language: int) -> Worth:
    """Return which of some words a text holds, by their numbers, with the information of each."""
    worth: dict[int, float] = {}
    for places in words.places(text.split("\n"), language):
        for place in places:
            worth[place.part] = max(place.worth, worth.get(place.part, 0.0))
    return worth


def either(one: Worth, other: Worth) -> Worth:
    """Return what two texts have of the question together."""
    return {part: max(one.get(part, 0.0), other.get(part, 0.0)) for part in one.keys() | other.keys()}
