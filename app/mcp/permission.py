"""What a client may see and do: all that is served, or what the token of its request allows."""

import hashlib
import hmac
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken, TokenVerifier
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from app.config.folders import read_small
from app.config.settings import logger
from app.errors import ConfigError
from app.library.vault import Vault
from app.limits import LEAST_TOKEN
from app.sentences import reason_of
from app.system import own_user
from app.vault.named import ALONE

Context = ServerRequestContext[Any]
OPEN_TO_OTHERS = 0o077


class VaultToken(AccessToken):
    """A token that was verified, and what it allows here."""

    vaults: frozenset[str]
    """Names of the vaults that it may see."""
    writes: bool
    """Whether it may change notes."""


class _Entry(BaseModel):
    """One token of a file, by its hash: whose it is, and what it allows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    vaults: frozenset[str]
    writes: bool = False


_ENTRIES = TypeAdapter(list[_Entry])


class TokenFile(TokenVerifier):
    """The tokens of a file, which is read for each request: one that is taken out ends at once.

    Args:
        path: The file: JSON, a list with the name, hash, vaults and right to write of each token.
        vaults: What tokens call the vaults that are served.

    Raises:
        ConfigError: the file cannot be used.
    """

    def __init__(self, path: Path, vaults: Collection[str]) -> None:
        self._path, self._vaults = path, frozenset(vaults)
        self._entries()

    async def verify_token(self, token: str) -> VaultToken | None:
        """Return what a token allows; None where the file has it not, or gives it none of these vaults."""
        if len(token) < LEAST_TOKEN:
            # The hash of one that can be guessed may stand in the file: that of no text at all, say.
            return None
        digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
        try:
            entries = self._entries()
        except ConfigError as error:
            logger.warning("token_file_unusable", extra={"error": str(error)})
            return None
        for entry in entries:
            if hmac.compare_digest(entry.sha256, digest) and (seen := entry.vaults & self._vaults):
                return VaultToken(
                    token=token, client_id=entry.name, scopes=[], vaults=seen, writes=entry.writes
                )
        return None

    def _entries(self) -> Sequence[_Entry]:
        try:
            found = read_small(self._path)
        except OSError as error:
            raise ConfigError(
                "the file of tokens '{path}' cannot be read: {reason}",
                path=self._path,
                reason=reason_of(error),
            ) from error
        if found.stat.st_uid != own_user() or found.stat.st_mode & OPEN_TO_OTHERS:
            raise ConfigError(
                "the file of tokens '{path}' is not yours alone",
                "chmod 600 '{path}', as its owner",
                path=self._path,
            )
        try:
            return _ENTRIES.validate_json(found.data)
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, wrong["loc"]))
            raise ConfigError(
                "the file of tokens '{path}' is wrong at '{place}': {reason}"
                if place
                else "the file of tokens '{path}' is wrong: {reason}",
                "it is a list of objects with name, sha256, vaults and writes; see docs/mcp.md",
                path=self._path,
                place=place,
                reason=wrong["msg"],
            ) from error


class Permission:
    """Says of each request which vaults it may see, and whether it may change notes.

    Args:
        vaults: The vaults that are served, by name.
        by_token: Whether each request has to carry a `VaultToken`; without it, all is allowed.
    """

    def __init__(self, vaults: Mapping[str, Vault], *, by_token: bool = False) -> None:
        self.vaults, self.by_token = dict(vaults), by_token

    def visible(self, context: Context) -> dict[str, Vault]:
        """Return the vaults that the request may see, by name."""
        if not self.by_token:
            return self.vaults
        token = _token_of(context)
        seen = token.vaults if token is not None else ()
        return {name: vault for name, vault in self.vaults.items() if called(name, vault) in seen}

    def may_write(self, context: Context) -> bool:
        """Return whether the request may change notes, as far as its token goes."""
        token = _token_of(context) if self.by_token else None
        return not self.by_token or (token is not None and token.writes)


def called(name: str, vault: Vault) -> str:
    """Return what a token calls a vault: a single one has the name of its folder."""
    return vault.name if name == ALONE else name


def _token_of(context: Context) -> VaultToken | None:
    # The request's own: a later one on the same session may carry a token that allows less.
    user = context.request.scope.get("user") if context.request is not None else None
    token = user.access_token if isinstance(user, AuthenticatedUser) else None
    return token if isinstance(token, VaultToken) else None
