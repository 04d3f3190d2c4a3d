"""Who may come in: a token that is spent when it is used, and the sessions it opened."""

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass

from app.errors import BadRequestError

LEAST_TOKEN = 16


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """One browser that has come in: what its cookie holds, and what its forms must carry."""

    key: str
    csrf: str


class Door:
    """Exchanges the token for sessions, which live as long as the server.

    Args:
        token: What opens the first session. One that a person chose opens any number; without it one is made
            up, which opens a single session and is then replaced.
        announce: Is told each new token.

    Raises:
        BadRequestError: the token can be guessed.
    """

    def __init__(self, token: str | None = None, announce: Callable[[str], None] | None = None) -> None:
        if token is not None and (len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable()):
            raise BadRequestError(
                f"the token must be {LEAST_TOKEN} characters or more, all of them ASCII",
                f"for example {secrets.token_urlsafe()}",
            )
        self._is_chosen = token is not None
        self._token = token or secrets.token_urlsafe(32)
        self._announce = announce
        self._sessions: dict[str, BrowserSession] = {}
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
            session = BrowserSession(secrets.token_urlsafe(32), secrets.token_urlsafe(32))
            self._sessions[session.key] = session
            if not self._is_chosen:
                self._token = secrets.token_urlsafe(32)
        if self._announce is not None and not self._is_chosen:
            self._announce(self._token)
        return session

    def session(self, key: str) -> BrowserSession | None:
        """Return the session that a cookie names, if it is one."""
        return self._sessions.get(key)
