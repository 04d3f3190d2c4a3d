"""The texts of notes as queries read them: NFC, lines ended by LF, kept while the files stay as they are."""

import threading
from dataclasses import dataclass, field
from functools import lru_cache
from weakref import WeakKeyDictionary

from app.errors import NoteNotFoundError, NoteUnreadableError, PathError
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import fold
from app.search.view import View
from app.vault.paths import normalized

MAX_KEPT = 32_000_000
"""How many characters of notes are kept in memory, of all vaults together."""


class TextForms:
    """A text that several questions are asked of; its other forms are made when first needed."""

    __slots__ = ("_folded", "_plain", "raw")

    def __init__(self, raw: str, plain: str | None = None) -> None:
        self.raw = raw
        self._plain = plain
        self._folded: str | None = None

    @property
    def plain(self) -> str:
        """The text without case."""
        if self._plain is None:
            self._plain = self.raw.casefold()
        return self._plain

    @property
    def folded(self) -> str:
        """The text without case and accents."""
        if self._folded is None:
            self._folded = fold(self.raw)
        return self._folded


EMPTY = TextForms("")

Stamp = tuple[int, int]
"""Size and modification time of a file: while they stay, so does its text."""


@dataclass(slots=True)
class _Store:
    """The texts that are kept, the oldest first."""

    texts: dict[tuple[str, str], tuple[Stamp, TextForms]] = field(default_factory=dict)
    chars: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, key: tuple[str, str], stamp: Stamp, passage: TextForms) -> None:
        with self.lock:
            if key in self.texts:
                self.chars -= len(self.texts.pop(key)[1].raw)
            self.texts[key] = (stamp, passage)
            self.chars += len(passage.raw)
            while self.chars > MAX_KEPT:
                self.chars -= len(self.texts.pop(next(iter(self.texts)))[1].raw)

    def clear(self) -> None:
        with self.lock:
            self.texts.clear()
            self.chars = 0


_store = _Store()


class Texts:
    """Reads the notes of one snapshot."""

    def __init__(self, view: View) -> None:
        self.vault, self._root = view.vault, str(view.vault.root)
        self._files = _files_of(view.snapshot)

    def read(self, doc: int) -> TextForms:
        """Return the text of a note; empty where the file cannot be read."""
        path, stamp = self._files[doc]
        known = _store.texts.get((self._root, path))
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            found = self.vault.read(path)
        except (NoteNotFoundError, NoteUnreadableError, PathError):
            # It vanished or was closed since it was indexed: it holds nothing, and the next update says so.
            return EMPTY
        passage = TextForms(normalized("NFC", found.text.replace("\r\n", "\n")))
        # A file that changed since the index saw it is read again the next time.
        if (found.size, found.mtime_ns) == stamp:
            _store.keep((self._root, path), stamp, passage)
        return passage


@lru_cache(maxsize=4)
def cached_lines(text: str) -> tuple[str, ...]:
    """Cut a text at its line feeds, once for all the chunks of a note: they are read one after the other."""
    return tuple(text.split("\n"))


def forget_texts() -> None:
    """Let go of all texts."""
    _store.clear()
    cached_lines.cache_clear()


_listed: "WeakKeyDictionary[VaultSnapshot, dict[int, tuple[str, Stamp]]]" = WeakKeyDictionary()


def _files_of(snapshot: VaultSnapshot) -> dict[int, tuple[str, Stamp]]:
    """List path and stamp of every note, by its document."""
    found = _listed.get(snapshot)
    if found is None:
        sizes, times = snapshot.lexical.column("size"), snapshot.lexical.column("mtime_ns")
        paths = snapshot.lexical.paths()
        docs = list(paths.values())
        stamps = zip(sizes[docs].tolist(), times[docs].tolist(), strict=True)
        found = _listed[snapshot] = dict(zip(docs, zip(paths, stamps, strict=True), strict=True))
    return found
