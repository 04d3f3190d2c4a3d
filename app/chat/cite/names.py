"""Which notes a model means by the names it writes, right or nearly right."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import cached_property

from app.errors import PathError
from app.notes.document import Document, open_document
from app.notes.find import find_shown, shown_scan
from app.vault.client import VaultClient
from app.vault.paths import NOTE_SUFFIX, NotePath, clean_path, path_key

NEAR = 0.85
"""How alike two names must be, from 0 to 1, for one to be a slip of the other."""
CLEARER = 0.05
"""By how much the nearest name must be nearer than the next."""
MOST_GUESSES = 10
"""How many wrong names of one answer are compared with all notes."""

_DIGITS = re.compile(r"\d+")
_JOINED = re.compile(r"[\w/.-]")


class NamedNotes:
    """The notes of a vault as they stand at one look, found by name and opened once each.

    Args:
        vault: The vault.
        former: Names of notes that were there before, such as those that a chat deleted or moved.
    """

    def __init__(self, vault: VaultClient, former: Iterable[str] = ()) -> None:
        self.vault = vault
        self._former = former
        self._scan = shown_scan(vault)
        self._documents: dict[NotePath, Document] = {}
        self._guesses = MOST_GUESSES

    @cached_property
    def shown(self) -> tuple[NotePath, ...]:
        """The notes that may be shown."""
        return tuple(self._scan.notes)

    @cached_property
    def _gone(self) -> list[str]:
        former = dict.fromkeys(f"/{_key(name)}" for name in self._former)
        there = [f"/{_key(path)}" for path in self._scan.notes] if former else []
        return [key for key in former if not any(path.endswith(key) for path in there)]

    @cached_property
    def _parts(self) -> list[list[str]]:
        return [path_key(path).split("/") for path in self.shown]

    def find(self, name: str) -> NotePath:
        """Find the note that a name means, where it really is.

        Raises:
            NoteNotFoundError: there is none, or only one that the vault's settings hide.
            PathError: the name is malformed, leads out of the vault, or several notes have it.
        """
        return find_shown(self.vault, name, self._scan)

    def guess(self, name: str) -> NotePath | None:
        """Find the one note whose name a wrong name is a slip of; None where that is not clear.

        Numbers are no slips: another day, or another chapter, is another note.
        """
        if self._guesses <= 0:
            return None
        self._guesses -= 1
        folders, stem = _parts(name)
        stems: dict[str, list[NotePath]] = {}
        for path in self.shown:
            stems.setdefault(_parts(path)[1], []).append(path)
        rated = sorted(
            (
                (_alike(stem, near) + share, path)
                for near in get_close_matches(stem, stems, n=20, cutoff=NEAR)
                if _DIGITS.findall(near) == _DIGITS.findall(stem)
                for path in stems[near]
                if (share := _shared(folders, _parts(path)[0])) > 0.5
            ),
            reverse=True,
        )
        if not rated or (len(rated) > 1 and rated[0][0] - rated[1][0] < CLEARER):
            return None
        return self.vault.real_path(rated[0][1])

    def was_there(self, name: str) -> bool:
        """Return whether a name is that of a note that was there before, and no longer is."""
        wanted = f"/{_key(name)}"
        return any(key.endswith(wanted) for key in self._gone)

    def open(self, path: NotePath) -> Document:
        """Open a note that was found; raises as `VaultClient.read` does."""
        if path not in self._documents:
            self._documents[path] = open_document(self.vault, path)
        return self._documents[path]

    def has_file(self, name: str) -> bool:
        """Return whether a name is that of a file which is no note, such as a picture."""
        key = f"/{path_key(name)}"
        return any(f"/{path_key(path)}".endswith(key) for path in self._scan.others)

    def written_before(self, text: str) -> str:
        """Return the longest name of a note, folders and ending included, that a text ends with; or nothing.

        Names may hold blanks, so that only the notes tell where one begins.
        """
        key, best = path_key(text), 0
        for parts in self._parts:
            if not key.endswith(parts[-1]):
                continue
            for at in range(len(parts)):
                size = len(tail := "/".join(parts[at:]))
                if size > best and key.endswith(tail) and not _JOINED.match(key[-size - 1 : -size]):
                    best = size
        # Folding may change the length of a text, though hardly ever that of a name.
        return text[-best:] if best and path_key(text[-best:]) == key[-best:] else ""


def _alike(one: str, other: str) -> float:
    """Say how alike two texts are, from 0 to 1."""
    return SequenceMatcher(None, one, other).ratio()


def _key(name: str) -> str:
    return path_key(name).strip("/").removesuffix(NOTE_SUFFIX)


def _parts(name: str) -> tuple[list[str], str]:
    """Split a name into the folders on the way and the stem, in the form that is compared."""
    try:
        cleaned = clean_path(name)
    except PathError:
        cleaned = ""
    *folders, last = path_key(cleaned).split("/")
    return folders, last.removesuffix(NOTE_SUFFIX)


def _shared(written: list[str], folders: list[str]) -> float:
    """Return which share of the folders that were written are on a path; all where none were."""
    if not written:
        return 1.0
    return sum(any(_alike(each, folder) >= NEAR for folder in folders) for each in written) / len(written)
