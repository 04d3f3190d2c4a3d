"""What the journal keeps of a write, and what became of one that was cut short."""

import os
from dataclasses import dataclass, field
from typing import Literal

from app.vault.attributes import Attributes

Disposal = Literal["system", "local", "permanent"]
Outcome = Literal["finished", "rolled back", "left as it is"]
"""What became of a write that was cut short."""


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
    operation: str
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
    renamed: tuple[str, str] | None = None
    """The tag or text that gave way in many notes, and what took its place; cut where they are long."""
    done: bool = field(default=False, compare=False)
    undone: bool = field(default=False, compare=False)

    def brought(self, path: str) -> str | None:
        """Return the hash of the note that a move brings to a path, its links as they were; else None."""
        if self.moved is None or path != self.moved[1]:
            return None
        return next(state.before for state in self.files if state.path == self.moved[0])


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
    new_path: str = ""
    """Where a note was to be moved to."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A write that was cut short, and why it could be neither finished nor rolled back yet."""

    began: float
    operation: str
    path: str
    reason: str
    new_path: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """Writes that were cut short, as they stand; excluded notes are not named."""

    recovered: tuple[dict[str, str | None], ...]
    """Each with ``time``, ``operation``, ``path``, ``new_path``, ``outcome`` and ``reason``; newest first."""
    problems: tuple[tuple[str, str], ...]
    """Paths with what is wrong and what to do."""


def new_id() -> str:
    """Make a name for a journal entry."""
    return os.urandom(8).hex()
