"""An amount that a text names, in every way in which it can be read, and when one bears another out."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from app.chat.cite.units import is_converted

Bound = Literal["", "about", "over", "under"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text, from ``start`` to ``end``, in every way in which it can be read.

    ``measures`` holds what is measured with the amount in the base unit, such as ``("second", 3600)`` for
    an hour; empty where the unit is none of those known. ``clock`` is minutes since midnight.
    """

    start: int
    end: int
    text: str
    values: frozenset[Fraction]
    measures: frozenset[tuple[str, Fraction]] = frozenset()
    bound: Bound = ""
    is_plain_one: bool = False
    """Whether it is "one", "un" or "une", which are mostly articles and pronouns."""
    noun_at: int = 0
    """Where the words after it begin."""
    unit: str = ""
    """The unit as it is written, in small letters."""

    @property
    def is_rate(self) -> bool:
        """Whether it says for how long an amount is, as "a month" does in "€4 a month"."""
        return any(of.startswith("per ") for of, _ in self.measures)

    def agrees(self, other: "Quantity") -> bool:
        """Return whether a quantity of the notes, ``other``, bears this one of an answer out."""
        if {self.bound, other.bound} == {"over", "under"}:
            return False
        dimensions = {of for of, _ in self.measures}, {of for of, _ in other.measures}
        if dimensions == (set(), {"ordinal"}):
            # The third of several is not three of them.
            return False
        if not all(dimensions) or (
            any("bare" in each for each in dimensions) and not (dimensions[0] & dimensions[1] - {"bare"})
        ):
            is_bare = not any(dimensions)
            return bool(self.values & other.values) or any(
                is_bare and self._bounds(own, each, other.bound)
                for own in self.values
                for each in other.values
            )
        return bool(self.measures & other.measures) or any(
            (of == of_other and self._bounds(own, each, other.bound))
            or is_converted(of, own, self.unit, of_other, each, other.unit)
            for of, own in self.measures
            for of_other, each in other.measures
            if of not in ("clock", "ordinal")
        )  # fmt: skip

    def _bounds(self, own: Fraction, other: Fraction, bound: Bound) -> bool:
        """Return whether "about", "more than" or "less than" this number holds of another.

        Where the other is a bound itself, it has to be the same one.
        """
        match "" if bound else self.bound:
            case "about":
                return abs(own - other) * 10 <= own
            case "over":
                return own <= other <= own * Fraction(3, 2)
            case "under":
                return own * Fraction(2, 3) <= other <= own
        return False
