"""The nouns of note operations: what is asked, what is to change, what was done."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.files import Attributes
from app.paths import NotePath

Operation = Literal["create", "read", "update", "append", "move", "delete", "summarize", "info", "undo"]
Disposal = Literal["system", "local", "permanent"]
Outcome = Literal["finished", "rolled back", "left as it is"]
"""What became of a write that was cut short."""


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
class FileState:
    """One path in a journal entry: hash and attributes before, hash after; None where there was no note."""

    path: str
    before: str | None
    after: str | None
    attributes: Attributes | None = None
    given: Attributes | None = None
    """Attributes that the write gives back, where it takes back another one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One write as the journal keeps it."""

    id: str
    time: float
    """Seconds since 1970."""
    trace_id: str
    operation: Operation
    path: str
    files: tuple[FileState, ...]
    moved: tuple[str, str] | None = None
    folders: tuple[str, ...] = ()
    """Folders that the write made, innermost first."""
    trashed: str | None = None
    """Where in the vault the deleted note was put, or is to be put while the write is under way."""
    undoes: tuple[str, ...] = ()
    disposal: Disposal | None = None
    """Where a deleted note was to go."""
    undone: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a write that was carried out."""

    trashed: str | None = None
    """Where in the vault's ``.trash/`` a deleted note went; None for anything else."""
    notices: tuple[str, ...] = ()
    """What failed when the write could not fail any more."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """A write that was cut short, and what the next command made of it."""

    time: float
    """When that was done, in seconds since 1970."""
    began: float
    operation: str
    path: str
    outcome: Outcome
    left: tuple[str, ...] = ()
    """Notes that were left as they are, since somebody has changed them."""
    copies: tuple[str, ...] = ()
    """Copies of a text that another program saved too late to be in the note itself."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A write that was cut short, and why it could be neither finished nor rolled back yet."""

    began: float
    operation: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """Writes that were cut short, as they stand; excluded notes are not named."""

    recovered: tuple[dict[str, str], ...]
    """Each with ``time``, ``operation``, ``path``, ``outcome`` and ``reason``, newest first."""
    problems: tuple[tuple[str, str], ...]
    """Paths with what is wrong and what to do."""


def new_id() -> str:
    """Make a name for a journal entry."""
    return os.urandom(8).hex()
