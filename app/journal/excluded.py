"""Excluded notes, kept out of what is said when something goes wrong with one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.errors import ConflictError, VaultError
from app.sentences import Sentence

if TYPE_CHECKING:
    from app.vault.client import VaultClient

HIDDEN_NOTE = Sentence("an excluded note")


@contextmanager
def unnamed(vault: "VaultClient", *paths: str) -> Iterator[None]:
    """Let no error name a path, or tell what is at it, where the path is excluded.

    Raises:
        VaultError: as raised inside, without the name where it must not be told.
    """
    try:
        yield
    except VaultError as error:
        if not any(vault.is_excluded(path) for path in paths):
            raise
        if isinstance(error, ConflictError):
            raise ConflictError(
                "{hidden_note} changed meanwhile", "nothing was written", hidden_note=HIDDEN_NOTE
            ) from None
        # Message and hint may both hold the name, in more than one spelling.
        raise type(error)(
            "{hidden_note} cannot be read or written", "a person can look at it", hidden_note=HIDDEN_NOTE
        ) from None


def shown(vault: "VaultClient", path: str) -> Sentence:
    """Return a path in quotation marks, or no name where the note is excluded."""
    return HIDDEN_NOTE if vault.is_excluded(path) else Sentence("'{path}'", path=path)
