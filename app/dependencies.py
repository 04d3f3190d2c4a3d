"""The vault, and what a tool is given to work with it."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from app.config.settings import Writes
from app.errors import VaultNotFoundError
from app.vault.client import NoteText, VaultClient
from app.vault.obsidian import find_vault
from app.vault.scan import FileStat, Problem, VaultScan

__all__ = [
    "ChatDependencies",
    "FileStat",
    "NoteText",
    "Problem",
    "ProposedWrite",
    "VaultClient",
    "VaultNotFoundError",
    "VaultScan",
    "find_vault",
    "logger",
]

logger = logging.getLogger("vault_assistant")
logger.addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class ProposedWrite:
    """A change to a note that a person is asked to approve."""

    operation: str
    path: str
    diff: str
    """What would be done, what to beware of, and the changed lines; fit to be shown."""
    mark: str = field(default="", compare=False)
    """Names the change: two that do the same to the same content have one mark."""


class HasVault(Protocol):
    """What a tool needs of an agent's dependencies; `writes` and `approve` are looked for as well."""

    @property
    def vault(self) -> VaultClient:
        """The vault that is worked on."""

    @property
    def trace_id(self) -> str:
        """Name of the turn, for the log and for undo."""


@dataclass
class ChatDependencies:
    """What a tool is given; any object with `vault` and `trace_id` will do as well."""

    vault: VaultClient
    trace_id: str = ""
    writes: Writes = "allow"
    approve: Callable[[ProposedWrite], Awaitable[bool]] | None = None
