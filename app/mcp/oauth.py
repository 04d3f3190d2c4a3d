"""Tokens of an authorization server: the server's keys, what a token must say, and what it allows here."""

import asyncio
import time
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
import jwt
from mcp.client.auth.utils import build_oauth_authorization_server_metadata_discovery_urls as addresses
from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings

from app.config.settings import OAuthSettings, logger
from app.errors import BadRequestError
from app.mcp.permission import VaultToken

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures by a key that only the authorization server has; never "none", nor one by a shared secret."""
TIMEOUT_SECONDS = 5.0
KEPT_SECONDS = 300.0
"""How long keys are kept; they are fetched anew before that for a token by another key."""
PAUSE_SECONDS = 10.0
"""How long the authorization server is left alone after it could not be reached."""
LEEWAY_SECONDS = 30.0
"""How far two clocks may be apart."""
METADATA_BYTES = 1_000_000


class _NotReachedError(Exception):
    """The keys of the authorization server cannot be had."""


class TokenChecker(TokenVerifier):
    """Checks the token of each request, as a resource server does.

    Args:
        settings: Whose tokens are taken, and what they must say; ``issuer`` is given.
        resource: Address by which clients know this server.
        vaults: What tokens call the vaults that are served.
        read_only: Whether nothing is offered that changes a note.

    Raises:
        BadRequestError: the settings name no issuer.
    """

    def __init__(
        self, settings: OAuthSettings, resource: str, vaults: Collection[str], *, read_only: bool = False
    ) -> None:
        if settings.issuer is None:
            raise BadRequestError("'oauth.issuer' is not set", "name the authorization server")
        self._settings, self._issuer, self._vaults = settings, settings.issuer, frozenset(vaults)
        self._audience = settings.audience or resource
        self._keys: jwt.PyJWKClient | None = None
        self._failed = -PAUSE_SECONDS
        # Whoever waits for the keys waits here, and not where the tools work.
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="oauth")
        self.auth = AuthSettings.model_validate(
            {
                "issuer_url": settings.issuer,
                "resource_server_url": resource,
                "required_scopes": [settings.read_scope],
                # The audience is checked here: it may be another text than the address.
                "validate_token_resource": False,
            }
        )
        self.scopes = [settings.read_scope, *(() if read_only else (settings.write_scope,))]
        """What a client may ask the authorization server for."""

    async def verify_token(self, token: str) -> VaultToken | None:
        """Return what a token allows; None where it is not of the issuer, not for this server, or too old."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, self._checked, token)
        except jwt.PyJWTError as error:
            logger.info("token_refused", extra={"error": str(error)})
        except _NotReachedError as error:
            logger.warning("issuer_not_reached", extra={"issuer": self._issuer, "error": str(error)})
        return None

    def _checked(self, token: str) -> VaultToken:
        # What cannot be right need not be asked about: nobody makes this server fetch keys with any text.
        header = jwt.get_unverified_header(token)
        unread = jwt.decode(token, options={"verify_signature": False})
        if header.get("alg") not in ALGORITHMS:
            raise jwt.InvalidAlgorithmError(f"the algorithm is {header.get('alg')!r}")
        if unread.get("iss") != self._issuer:
            raise jwt.InvalidIssuerError("it is of another issuer")
        key = self._key(str(header.get("kid")))
        try:
            claims = jwt.decode(
                token,
                key.key,
                algorithms=list(ALGORITHMS),
                audience=self._audience,
                issuer=self._issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud"]},
            )
            return self._allowed(token, claims)
        except (TypeError, ValueError, AttributeError) as error:
            # The library does not say so where a key is not of the kind that the token names.
            raise jwt.InvalidTokenError(f"it cannot be checked: {error}") from error

    def _key(self, number: str) -> jwt.PyJWK:
        if time.monotonic() - self._failed < PAUSE_SECONDS:
            raise _NotReachedError("it could not be reached a moment ago")
        with self._reaching(jwt.PyJWTError):
            if self._keys is None:
                address = self._settings.keys or self._published()
                self._keys = jwt.PyJWKClient(address, timeout=TIMEOUT_SECONDS, lifespan=KEPT_SECONDS)
            # Looked at first, so that what is wrong with the keys is not taken for a wrong token.
            self._keys.get_jwk_set()
        with self._reaching(jwt.PyJWKClientConnectionError, jwt.PyJWKSetError):
            return self._keys.get_signing_key(number)

    @contextmanager
    def _reaching(self, *errors: type[Exception]) -> Iterator[None]:
        """Leave the authorization server alone for a while once it cannot be reached."""
        failures: tuple[type[Exception], ...] = (*errors, ValueError, _NotReachedError)
        try:
            yield
        except failures as error:
            self._failed = time.monotonic()
            raise _NotReachedError(str(error)) from error

    def _allowed(self, token: str, claims: Mapping[str, Any]) -> VaultToken:
        claim = self._settings.vaults_claim
        scopes = [*_texts(claims.get("scope")), *_texts(claims.get("scp"))]
        vaults = None if claim is None else frozenset(_texts(claims.get(claim))) & self._vaults
        return VaultToken(
            token=token,
            client_id=str(claims.get("client_id") or claims.get("azp") or claims.get("sub") or ""),
            # Where a token shows no vault at all, it is refused as one without the scope.
            scopes=[] if vaults is not None and not vaults else scopes,
            expires_at=int(int(claims["exp"]) + LEEWAY_SECONDS),
            subject=None if claims.get("sub") is None else str(claims["sub"]),
            claims={"iss": self._issuer},
            vaults=vaults,
            writes=self._settings.write_scope in scopes,
        )

    def _published(self) -> str:
        """Return where the authorization server says that its keys lie, which must be on its own host."""
        said = "it publishes no metadata (RFC 8414)"
        for address in addresses(self._issuer, self._issuer):
            try:
                reply = httpx2.get(address, timeout=TIMEOUT_SECONDS, follow_redirects=False)
                found = reply.json() if reply.status_code == 200 else None
            except (httpx2.HTTPError, ValueError) as error:
                said = str(error)
                continue
            if not isinstance(found, dict) or len(reply.content) > METADATA_BYTES:
                continue
            keys = found.get("jwks_uri")
            if found.get("issuer") != self._issuer or not isinstance(keys, str):
                said = f"'{address}' is not the metadata of this issuer"
            elif urlsplit(keys)[:2] != urlsplit(self._issuer)[:2]:
                said = f"its keys lie elsewhere, at '{keys}'; the setting 'oauth.keys' allows that"
            else:
                return keys
        raise _NotReachedError(said)


def _texts(value: object) -> list[str]:
    """Return a claim that is a list of texts, or one text with blanks between them."""
    if isinstance(value, str):
        return value.split()
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
