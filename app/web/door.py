"""Who may come in: a token that is spent when it is used, and the sessions it opened."""

import hmac
import os
import secrets
import stat
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.config.folders import replace_file
from app.config.settings import logger
from app.errors import BadRequestError
from app.journal.lines import journal_folder
from app.limits import LEAST_TOKEN
from app.vault.client import VaultClient

KEY_FILE, KEY_BYTES = "page.key", 32
SESSION_SECONDS = 7 * 24 * 3600
"""So long a browser stays in, at most."""


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """One browser that has come in: what its cookie holds, and what its forms must carry."""

    key: str
    csrf: str


class Door:
    """Exchanges the token for sessions, which are signed: only the key that signs them is kept.

    So a session outlives the server where the key does, for `SESSION_SECONDS` at most.

    Args:
        token: What opens the first session. One that a person chose opens any number; without it one is made
            up, which opens a single session and is then replaced.
        announce: Is told each new token.
        key: What sessions are signed by; without it one that ends with the server.

    Raises:
        BadRequestError: the token can be guessed.
    """

    def __init__(
        self,
        token: str | None = None,
        announce: Callable[[str], None] | None = None,
        key: bytes | None = None,
    ) -> None:
        if token is not None:
            _check(token)
        self._is_chosen = token is not None
        self._token = token or secrets.token_urlsafe(32)
        self._announce = announce
        self._key = key or secrets.token_bytes(KEY_BYTES)
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


def kept_key(vault: VaultClient, token: str) -> bytes | None:
    """Return the key that signs the sessions of a vault's page, for a token that a person chose.

    It is made for one token: another one gets a new key, and with the key before go the sessions that it
    signed, for good.

    Returns:
        The key; None where it cannot be kept safely: in a state folder that lies in the vault, which may be
        shared, or as a file that others may read or that is not this user's.

    Raises:
        BadRequestError: the token can be guessed.
    """
    _check(token)
    folder = journal_folder(vault.root, vault.settings.state_folder.resolve())
    if folder.is_relative_to(vault.root):
        return None
    file = folder / KEY_FILE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists() or not _is_made_for(token, _read(file)):
            # In one step, so that of two servers that begin at once neither reads half of it.
            key = secrets.token_bytes(KEY_BYTES)
            replace_file(file, key + _mark_of(token, key))
        # What another server put there meanwhile may be for another token.
        data = _read(file)
        return data[:KEY_BYTES] if _is_made_for(token, data) else None
    except OSError as error:
        logger.warning("sessions_not_kept", extra={"error": str(error)})
        return None


def _check(token: str) -> None:
    if len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable():
        raise BadRequestError(
            "the token must be {least_token} characters or more, all of them ASCII",
            "for example {token}",
            least_token=LEAST_TOKEN,
            token=secrets.token_urlsafe(),
        )


def _mark_of(token: str, key: bytes) -> bytes:
    """Return what stands behind a key: it tells the token that the key was made for, and does not name it."""
    return hmac.digest(key, b"token " + token.encode(), "sha256")


def _is_made_for(token: str, data: bytes) -> bool:
    key, mark = data[:KEY_BYTES], data[KEY_BYTES:]
    return len(key) == KEY_BYTES and hmac.compare_digest(mark, _mark_of(token, key))


def _read(file: Path) -> bytes:
    """Read a key and what stands behind it; raises OSError where it is not a file of this user alone."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as opened:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_mode & 0o077 or found.st_uid != os.geteuid():
            raise PermissionError(f"'{file}' is not a key of this user alone")
        return opened.read(2 * KEY_BYTES + 1)
