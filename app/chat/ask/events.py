"""What happens while a question is answered, for a surface that shows it as it comes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from app.chat.ask.concat import Document
from app.chat.evidence.evidence import Claim, Evidence


@dataclass(frozen=True, slots=True)
class Searching:
    """The notes are searched or read: the call of a tool, as one short line."""

    call: str


@dataclass(frozen=True, slots=True)
class EvidenceFound:
    """The first search is over: what it found, best first."""

    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """The next words of the answer, which is not checked yet.

    Where ``begins`` is true they begin an answer, in place of all words before: a model may say something
    before it searches on, or begin anew.
    """

    text: str
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The answer is held against the notes: its sentences with their verdicts, and what else must be said."""

    claims: tuple[Claim, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """The answer is whole, and put right where that was needed; nothing comes after it."""

    document: Document


AskEvent: TypeAlias = Searching | EvidenceFound | Words | Verdicts | Done
Watch = Callable[[AskEvent], None]
"""Is given each event, in the thread in which it happens."""
