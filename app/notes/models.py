"""The nouns of note operations: what is asked, what is to change, what was done."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.journal.models import Disposal
from app.vault.attributes import Attributes
from app.vault.paths import NotePath

Operation = Literal["create", "read", "update", "append", "move", "delete", "summarize", "info", "undo"]


@dataclass(frozen=True, slots=True)
class NoteRequest:
    """One call, fully checked. Passed whole; never unpacked into arguments."""

    operation: Operation
    path: str = ""
    content: str | None = None
    heading: str | None = None
    block: str | None = None
    lines: str | None = None
    new_path: str | None = None
    overwrite: bool = False
    expected_hash: str | None = None
    permanent: bool = False
    max_chars: int = 6000
    allow_excluded: bool = False
    trace_id: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What one path holds before and after; None where there is no note."""

    path: NotePath
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A write that is worked out and not done yet."""

    operation: Operation
    path: str
    """The note it is about, as shown."""
    changes: tuple[Change, ...]
    summary: str
    """What will be done, as a sentence without its subject: "move 'A.md' to 'B.md'"."""
    moved: tuple[NotePath, NotePath] | None = None
    """A file that keeps its identity: its old and new path."""
    disposal: Disposal | None = None
    """Where a deleted note goes."""
    notices: tuple[str, ...] = ()
    hidden: frozenset[str] = frozenset()
    """Paths of excluded notes, whose text and names are not shown."""
    undoes: tuple[str, ...] = ()
    """Journal entries that this takes back."""
    attributes: Mapping[str, Attributes] = field(default_factory=dict)
    """Permissions, times and the like that notes get back."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found, in words; nothing is to be written."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a write that was carried out."""

    trashed: str | None = None
    """Where in the vault's ``.trash/`` a deleted note went; None for anything else."""
    notices: tuple[str, ...] = ()
    """What failed when the write could not fail any more."""
