"""What one write leaves behind on its way: hidden names that say whose they are, and what failed too late."""

import hashlib
import secrets
from dataclasses import dataclass, field

from app.sentences import Sentence
from app.vault.paths import nfc

PREFIX = ".vault-assistant-"
UNFINISHED = ".part"
"""Ends the hidden name of a file that is still being written."""


@dataclass(slots=True)
class Work:
    """One write under way.

    Hidden names start with the write's mark, so that whoever finds one after a crash knows which write made
    it. Without a mark nobody comes back to look, and nothing is left for later.
    """

    mark: str = ""
    warnings: list[tuple[str, Sentence]] = field(default_factory=list)
    """What failed once the write could not fail any more: a path, and what went wrong with it."""
    left: set[str] = field(default_factory=set)
    """Hidden names that could not be removed, or must not be yet."""

    def hidden_name(self, path: str) -> str:
        """Make a name that nobody else uses or can foresee."""
        return f"{hidden_prefix(self.mark or secrets.token_hex(8))}{path_sign(path)}-{secrets.token_hex(4)}"

    def warn(self, path: str, reason: Sentence) -> None:
        """Note what failed after the write was done."""
        self.warnings.append((path, reason))


def hidden_prefix(mark: str) -> str:
    """Return how every hidden name of a write starts."""
    return f"{PREFIX}{mark}-"


def path_sign(path: str) -> str:
    """Return the part of a hidden name that tells which path it was made for."""
    return hashlib.blake2b(nfc(path).encode(errors="surrogateescape"), digest_size=4).hexdigest()
