"""Which notes an answer means by the names it writes, and the citations that name none."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from app.chat.cite.parse import Citation, Range
from app.errors import NoteNotFoundError, VaultError
from app.notes.document import Document, open_document
from app.notes.find import find_shown, shown_scan
from app.notices import Notice, NoticeKind
from app.showing import cut
from app.vault.client import VaultClient
from app.vault.paths import NOTE_SUFFIX, NotePath, path_key

SHOWN_NAME = 80
_JOINED = re.compile(r"[\w/.-]")


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation with the note it names; None where that was there before, or is a file and no note.

    A citation of a note, or of lines, that are not there ``is_struck``.
    """

    citation: Citation
    note: Document | None = None
    is_struck: bool = False

    @property
    def ranges(self) -> tuple[Range, ...]:
        """The lines that are cited, each range with its smaller number first."""
        return tuple((min(each), max(each)) for each in self.citation.ranges)


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

    @cached_property
    def shown(self) -> tuple[NotePath, ...]:
        """The notes that may be shown."""
        return tuple(self._scan.notes)

    @cached_property
    def _gone(self) -> list[str]:
        return [f"/{_key(name)}" for name in self._former]

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

    def open(self, path: NotePath) -> Document:
        """Open a note that was found; raises as `VaultClient.read` does."""
        if path not in self._documents:
            self._documents[path] = open_document(self.vault, path)
        return self._documents[path]

    def look_up(self, citation: Citation, remarks: list[Notice]) -> Cited:
        """Find the note of a citation; what is wrong with it is added to the remarks."""
        shown = cut(citation.name, SHOWN_NAME)
        try:
            path = self.find(citation.name)
            note = self.open(path)
        except VaultError as error:
            if self._was_there(citation.name) or (citation.form == "wiki" and self._has_file(citation.name)):
                return Cited(citation)
            is_missing = isinstance(error, NoteNotFoundError)
            remarks.append(
                Notice(NoticeKind.CITED_MISSING, name=shown)
                if is_missing
                else Notice(NoticeKind.WENT_WRONG, reason=error.message)
            )
            return Cited(citation, is_struck=True)
        count = note.line_count
        for first, last in citation.ranges:
            if min(first, last) < 1 or max(first, last) > count:
                lines = f"{first}-{last}"
                remarks.append(Notice(NoticeKind.NO_SUCH_LINES, path=path, count=count, lines=lines))
                return Cited(citation, is_struck=True)
        return Cited(citation, note)

    def _was_there(self, name: str) -> bool:
        return any(key.endswith(f"/{_key(name)}") for key in self._gone)

    def _has_file(self, name: str) -> bool:
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


def _key(name: str) -> str:
    return path_key(name).strip("/").removesuffix(NOTE_SUFFIX)
