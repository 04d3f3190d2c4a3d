"""What a search needs of an index, whichever engine keeps it: on this machine, or a database elsewhere."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from app.config.settings import IndexDefinition
from app.errors import ConfigError
from app.notices import Notice
from app.search.index.sync import Progress, Stopped, SyncReport
from app.search.models import SearchRequest
from app.search.upkeep import IndexStatus, Upkeep
from app.search.view import View
from app.vault.client import VaultClient

if TYPE_CHECKING:
    from app.search.vectors.build import EmbedReport


class Engine(Protocol):
    """One index of one vault: asked for what may answer a request, and kept up to date."""

    @property
    def local(self) -> Upkeep:
        """The index on this machine, or what is kept of it here: its folder, its model, its vectors."""

    def views(self, request: SearchRequest | None = None) -> Iterator[View]:
        """Yield the last committed state, or the parts of it that may answer a request.

        Without a request it is the whole. Each part has all of those before it, and whoever has enough asks
        for no more.

        Raises:
            VaultError: it cannot be had; the message says why.
        """

    def freshen(self, *, force: bool = False) -> list[Notice]:
        """Catch up with the vault before a search, and say what is left undone."""

    def update(
        self,
        *,
        progress: Progress | None = None,
        rebuild: bool = False,
        stopped: Stopped = lambda: False,
    ) -> SyncReport:
        """Bring the index up to date, however long it takes, unless it is ``stopped``."""

    def embed(
        self,
        *,
        progress: Progress | None = None,
        compact: bool = False,
        stopped: Stopped = lambda: False,
    ) -> "EmbedReport":
        """Build the vectors that are missing."""

    def embed_for_search(self, *, alone: bool = False) -> list[Notice]:
        """Build missing vectors for as long as a search may wait, and say what is left."""

    def status(self) -> IndexStatus:
        """Describe the index as it stands, without changing it."""

    def watch(self) -> None:
        """Watch the vault from now on."""


def engine_of(vault: VaultClient, name: str, definition: IndexDefinition) -> Engine:
    """Open the engine of an index.

    Raises:
        VaultError: it cannot be opened.
    """
    if definition.engine == "milvus":
        if not definition.uri:
            raise ConfigError(
                "index '{name}' has engine 'milvus' and no 'uri'",
                "for example http://localhost:19530",
                name=name,
            )
        from app.search.milvus.engine import MilvusEngine

        return MilvusEngine(vault, name, definition)
    return Upkeep(vault, name, definition)
