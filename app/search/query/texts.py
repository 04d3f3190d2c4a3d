"""The texts of notes as queries read them: NFC, lines ended by LF, kept while the files stay as they are."""

import threading
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from app.dependencies import VaultClient
from app.errors import NoteNotFoundError, NoteUnreadableError, PathError
from app.search.snapshot import VaultSnapshot

MAX_KEPT = 32_000_000
"""How many characters of texts are kept in memory, of all vaults together."""

Key = tuple[str, str, int, int]

_kept: dict[Key, str] = {}
_size = 0
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Texts:
    """Reads the notes of one snapshot."""

    view: VaultSnapshot
    vault: VaultClient

    def read(self, doc: int) -> str:
        """Give the text of a note; empty where the file cannot be read."""
        path = self.view.lexical.path(doc)
        size, mtime_ns = (int(self.view.lexical.column(name)[doc]) for name in ("size", "mtime_ns"))
        key = (str(self.vault.root), path, size, mtime_ns)
        known = _kept.get(key)
        if known is not None:
            return known
        try:
            found = self.vault.read(path)
        except (NoteNotFoundError, NoteUnreadableError, PathError):
            # It vanished or was closed since it was indexed: it holds nothing, and the next update says so.
            return ""
        text = unicodedata.normalize("NFC", found.text.replace("\r\n", "\n"))
        # A file that changed since the index saw it is read again the next time.
        if (found.size, found.mtime_ns) == (size, mtime_ns):
            _keep(key, text)
        return text


def _keep(key: Key, text: str) -> None:
    global _size
    with _lock:
        if key not in _kept:
            _kept[key] = text
            _size += len(text)
        while _size > MAX_KEPT:
            oldest = next(iter(_kept))
            _size -= len(_kept.pop(oldest))


def forget_texts() -> None:
    """Let go of all texts."""
    global _size
    with _lock:
        _kept.clear()
        _size = 0


class Passage:
    """A text that several questions are asked of; its forms are made when first needed."""

    __slots__ = ("_forms", "raw")

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self._forms: dict[Callable[[str], str], str] = {}

    def form(self, make: Callable[[str], str]) -> str:
        """Give the text as ``make`` gives it."""
        found = self._forms.get(make)
        if found is None:
            found = self._forms[make] = make(self.raw)
        return found
