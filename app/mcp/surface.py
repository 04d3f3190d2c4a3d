"""What a server shows of a vault, and what one call of a tool is given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.bootstrap import new_trace_id
from app.serving.keeper import Keeper
from app.vault.client import VaultClient
from app.vault.named import named

if TYPE_CHECKING:
    from mcp import types
    from mcp.server import ServerRequestContext

DEFAULT_TOOLS = ("pack", "search", "read", "write", "ask", "wksm_search")
"""Tools that a client is shown unless others are chosen: each costs it some of its context."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A vault as one server shows it.

    ``written`` is the vault through which notes are changed, where that knows more than is shown. ``tools``
    are those a client sees; with ``read_only`` none of them writes. ``keeper`` brings the index up to date
    behind the server, where there is one.
    """

    vault: VaultClient
    tools: tuple[str, ...] = DEFAULT_TOOLS
    read_only: bool = False
    keeper: Keeper | None = None
    written: VaultClient | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool: its arguments, read and with defaults, and the request it came in.

    ``surfaces`` are the vaults that it is about, by name: one, or several that are searched as one.
    """

    surfaces: Mapping[str, Surface]
    arguments: Mapping[str, Any]
    context: "ServerRequestContext[Any]"
    params: "types.CallToolRequestParams"
    trace_id: str = field(default_factory=new_trace_id)

    @property
    def surface(self) -> Surface:
        """The vault as it is shown, where the call is about one."""
        [surface] = self.surfaces.values()
        return surface

    @property
    def vault(self) -> VaultClient:
        """The vault that is looked at."""
        return self.surface.vault

    @property
    def vaults(self) -> Mapping[str, VaultClient]:
        """The vaults that are looked at, by name."""
        return {name: surface.vault for name, surface in self.surfaces.items()}

    @property
    def written(self) -> VaultClient:
        """The vault that notes are changed in."""
        return self.surface.written or self.surface.vault

    @property
    def keepers(self) -> list[Keeper]:
        """What brings their indexes up to date."""
        return [surface.keeper for surface in self.surfaces.values() if surface.keeper is not None]

    def named(self, path: str) -> str:
        """Return a path of the one vault that the call is about as its client writes it."""
        [name] = self.surfaces
        return named(name, path)
