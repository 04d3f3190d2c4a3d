"""What a search looks at: one state of the index, the vault it was made of, and its vectors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.snapshot import Snapshot
from app.vault.client import VaultClient

if TYPE_CHECKING:
    from app.search.vectors.store import KeptVectors


class Vectors(Protocol):
    """Where the vectors of an index are found."""

    def wanted(self) -> "KeptVectors":
        """Return the vectors, as far as they are built; raises `VaultError` where there is no model."""

    def share(self, snapshot: VaultSnapshot) -> float:
        """Return the share of passages that have vectors, 0 to 1."""

    def knows(self, language: str) -> bool:
        """Return whether the model can read a language, by its code."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What an operation needs to answer: an `Engine` makes it.

    ``snapshot`` is one commit of the index and never changes, ``vault`` has the notes and the settings, and
    ``open_vectors`` gives the `vectors` once these are asked for. An engine elsewhere gives a part of the
    notes: those that may answer the request which it was asked for. Their texts are then those of the
    snapshot (``stored``). ``part`` says that notes which may answer are left out.
    """

    snapshot: VaultSnapshot
    vault: VaultClient
    open_vectors: Callable[[], Vectors | None] = lambda: None
    stored: bool = False
    part: bool = False

    @property
    def vectors(self) -> Vectors | None:
        """The vectors of the passages; None for an index without a model."""
        return self.open_vectors()

    @property
    def lexical(self) -> Snapshot:
        """The words of the snapshot."""
        return self.snapshot.lexical

    def hides(self, path: str) -> bool:
        """Return whether the settings of the vault, or what its index was made under, exclude a path."""
        return self.vault.is_excluded(path) or self.snapshot.is_excluded(path)
