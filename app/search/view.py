"""What a search looks at: one state of the index, the vault it was made of, and its vectors."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Snapshot
from app.vault.client import VaultClient

if TYPE_CHECKING:
    from app.search.vectors.vectors import Semantic


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What an operation needs to answer: ``Searcher.view`` makes it.

    ``snapshot`` is one commit of the index, ``vault`` gives the text of the notes and the settings, and
    ``vectors`` are those of the passages, None for an index without a model. The snapshot never changes; the
    files of the vault and the vectors may have changed since.
    """

    snapshot: VaultSnapshot
    vault: VaultClient
    vectors: "Semantic | None" = None

    @property
    def lexical(self) -> Snapshot:
        """The words of the snapshot."""
        return self.snapshot.lexical
