"""Who may come in: a token that is spent when it is used, and the sessions it opened."""

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from app.errors import BadRequestError
from app.limits import LEAST_TOKEN

SESSION_SECONDS = 7 * 24 * 3600
"""So long a browser stays in, at most."""


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """One browser that has come in: what its cookie holds, and what its forms must carry."""

    key: str
    csrf: str


class Door:
    """Exchanges the token for sessions, which are signed: only the key that signs them is kept, in memory.

    So a session ends with the server, and after `SESSION_SECONDS` at the latest.

    Args:
        token: What opens the first session. One that a person chose opens any number; without it one is made
            up, which opens a single session and is then replaced.
        announce: Is told each new token.

    Raises:
        BadRequestError: the token can be guessed.
    """

    def __init__(self, token: str | None = None, announce: Callable[[str], None] | None = None) -> None:
        if token is not None:
            _check(token)
        self._is_chosen = token is not None
        self._token = token or secrets.token_urlsafe(32)
        self._announce = announce
        self._key = secrets.token_bytes(32)
        self._lock = threading.Lock()

    @property
    def token(self) -> str:
        """The token that opens the next session."""
        return self._token

    def enter(self, token: str) -> BrowserSession | None:
        """Open a session for the right token; None for any other."""
        with self._lock:
            if not hmac.compare_digest(token.encode(), self._token.encode()):
                return None
            if not self._is_chosen:
                self._token = secrets.token_urlsafe(32)
        if self._announce is not None and not self._is_chosen:
            self._announce(self._token)
        return self._signed(f"{int(time.time())}.{secrets.token_urlsafe(32)}")

    def session(self, key: str) -> BrowserSession | None:
        """Return the session that a cookie names, if it is one that was opened here, and not too long ago."""
        name, _, signature = key.rpartition(".")
        expected = self._mark("session", name)
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), expected.encode()):
            return None
        # Only now is it known to be our own.
        age = time.time() - int(name.partition(".")[0])
        return self._signed(name) if age < SESSION_SECONDS else None

    def _signed(self, name: str) -> BrowserSession:
        return BrowserSession(f"{name}.{self._mark('session', name)}", self._mark("form", name))

    def _mark(self, use: str, name: str) -> str:
        return hmac.digest(self._key, f"{use} {name}".encode("utf-8", "replace"), "sha256").hex()


def _check(token: str) -> None:
    if len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable():
        raise BadRequestError(
            "the token must be {least_token} characters or more, all of them ASCII",
            "for example {token}",
            least_token=LEAST_TOKEN,
            token=secrets.token_urlsafe(),
        )
