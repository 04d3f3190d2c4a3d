"""Why an answer does not quote a note: where its lines stand among what could be quoted, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.chat.evidence.gather import Found
from app.chat.evidence.order import BY_MEANING, BY_WORDS, answer_chance, candidates_of, numbers_of, ordered
from app.chat.evidence.quote import asked_of, newest_first
from app.chat.evidence.spans import Span


@dataclass(frozen=True, slots=True)
class WhyQuoted:
    """What became of a note for one question.

    ``place`` is that of its best span among ``total`` spans, from 1; 0 where no passage of it was found, and
    ``span`` is None then. ``numbers`` say what each number of the order adds to that span, and to the one
    that comes first. ``chance`` is how likely the first one answers, 0 to 1.
    """

    note: str
    place: int
    total: int
    chance: float
    span: Span | None = None
    numbers: Mapping[str, tuple[float, float]] = field(default_factory=dict)


def why(found: Found, path: str, line: int | None = None) -> WhyQuoted:
    """Tell where a note, or the span on one of its lines, stands among what could be quoted.

    Raises:
        VaultError: the model that compares meaning cannot be run.
    """
    asked = asked_of(found)
    scored = newest_first(asked, ordered(asked, candidates_of(asked, found.evidence)))
    chance = answer_chance(asked, scored)
    for place, (one, _) in enumerate(scored, 1):
        if one.note.path == path and (line is None or one.span.first <= line <= one.span.last):
            mine, best = numbers_of(asked, one), numbers_of(asked, scored[0][0])
            table = BY_WORDS if one.near is None else BY_MEANING
            numbers = {name: (weight * mine[name], weight * best[name]) for name, weight in table.items()}
            return WhyQuoted(path, place, len(scored), chance, one.span, numbers)
    return WhyQuoted(path, 0, len(scored), chance)
