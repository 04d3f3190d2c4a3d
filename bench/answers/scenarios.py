"""What scripted models are asked: questions to the example vault, with what is true and what is not."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bench.answers.cases import rows

LieKind = Literal["number", "unit", "date", "name", "negation", "antonym"]
Lies = tuple[tuple[LieKind, str, str], ...]
"""Each the kind of a lie, the words of the true sentence it changes, and what these become."""

SCENARIOS_FILE = Path(__file__).with_suffix(".jsonl")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A question, the lines that answer it, and sentences about them."""

    id: str
    language: Literal["en", "fr"]
    question: str
    path: str
    first: int
    last: int
    quote: str
    """Words that stand on one of the lines, byte for byte."""
    misquote: str
    """The same, altered."""
    truth: str
    paraphrase: str
    """What is true too, in other words."""
    lies: Lies

    def lying(self, kind: LieKind) -> list[str]:
        """Return the true sentence with one thing changed, once for each lie of a kind."""
        return [self.truth.replace(old, new, 1) for each, old, new in self.lies if each == kind]


SCENARIOS = tuple(Scenario(**{**row, "lies": tuple(map(tuple, row["lies"]))}) for row in rows(SCENARIOS_FILE))
"""Questions to the example vault, read from `scenarios.jsonl`."""
