"""What a client may see and do: all that is served, or what the token of its request allows."""

from collections.abc import Mapping
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken

from app.mcp.surface import Surface
from app.vault.named import ALONE

Context = ServerRequestContext[Any]


class VaultToken(AccessToken):
    """A token that was verified, and what it allows here."""

    vaults: frozenset[str] | None = None
    """Names of the vaults that it may see; None for all that are served."""
    writes: bool = False
    """Whether it may change notes."""


class Permission:
    """Says of each request which vaults it may see, and whether it may change notes.

    Args:
        surfaces: The vaults that are served, by name.
        by_token: Whether each request has to carry a `VaultToken`; without it, all is allowed.
    """

    def __init__(self, surfaces: Mapping[str, Surface], *, by_token: bool = False) -> None:
        self.surfaces, self.by_token = dict(surfaces), by_token

    def visible(self, context: Context) -> dict[str, Surface]:
        """Return the vaults that the request may see, by name."""
        if not self.by_token:
            return self.surfaces
        token = _token_of(context)
        if token is None:
            return {}
        if token.vaults is None:
            return self.surfaces
        return {
            name: surface for name, surface in self.surfaces.items() if called(name, surface) in token.vaults
        }

    def may_write(self, context: Context) -> bool:
        """Return whether the request may change notes, as far as its token goes."""
        token = _token_of(context) if self.by_token else None
        return not self.by_token or (token is not None and token.writes)


def called(name: str, surface: Surface) -> str:
    """Return what a token calls a vault: a single one has the name of its folder."""
    return surface.vault.name if name == ALONE else name


def _token_of(context: Context) -> VaultToken | None:
    # The request's own: a later one on the same session may carry a token that allows less.
    user = context.request.scope.get("user") if context.request is not None else None
    token = user.access_token if isinstance(user, AuthenticatedUser) else None
    return token if isinstance(token, VaultToken) else None
