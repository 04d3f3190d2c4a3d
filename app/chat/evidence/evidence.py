"""The nouns of answering: the evidence that a search found, and the claims of an answer."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["quoted", "supported", "unsupported", "uncited"]
"""What a look at the cited lines came to; ``quoted`` is the text of the note itself."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A run of lines of one note, as they stand in its file.

    ``first`` and ``last`` are 1-based and inclusive, ``text`` is what stands there, byte for byte, and
    ``probability`` is how likely it answers, 0 to 1.
    """

    number: int
    path: str
    first: int
    last: int
    text: str
    heading: str = ""
    day: str = ""
    """The day that the passage is about, such as ``2025-07-14``; empty where none is known."""
    probability: float = 0.0

    @property
    def range(self) -> str:
        """The lines as they are written, such as ``9-14`` or ``9``."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that an answer says, and the lines that it rests on.

    ``text`` is a sentence of a language model, or the quotation itself. ``quotation`` is a part of the
    note, byte for byte, Markdown included; empty where the claim rests on none. ``lines`` is such as
    ``9-14``; ``probability`` says how likely the claim answers the question, 0 to 1, None where unknown.
    """

    text: str
    verdict: Verdict
    path: str = ""
    lines: str = ""
    quotation: str = ""
    probability: float | None = None
    reason: str = ""
    """Why the claim was struck or marked, in the language of the answer."""
    header: str = ""
    """Header of the table that the quotation is a part of, as it stands; empty where it is of none."""
    answering: str = ""
    """The part of the quotation that most likely says it, byte for byte; empty where none stands out."""


@dataclass(frozen=True, slots=True)
class Overview:
    """What an answer says before it shows the notes, with its remarks."""

    text: str
