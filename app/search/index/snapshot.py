"""One state of the index, with what is derived from it; nothing inside ever changes."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from app.search.index.chunk import described, hashes_of, split_lines
from app.search.index.documents import (
    KIND,
    NAME,
    NoteOutline,
    Texts,
    VaultRecord,
    decode_links,
    load,
    note_of,
    term_text,
)
from app.search.lexical.segment import Mask
from app.search.lexical.snapshot import Snapshot
from app.search.lexical.sparse import Ids
from app.search.lexical.speller import Speller
from app.search.models import Chunk
from app.vault.paths import path_key

if TYPE_CHECKING:
    from app.markdown.links import LinkResolver
    from app.markdown.models import Link
    from app.search.index.graph import IndexGraph

KEPT_MASKS = 256
"""Most masks that one snapshot keeps."""
FEWEST_COPIES, MOST_COPIES = 5, 50
SHARE_OF_NOTES = 0.02
"""A line belongs to a template where it stands in this share of the notes. In a small vault fewer than five
notes may quote one another; fifty copies are no chance in a vault of any size."""
KEPT_NOTES = 8
"""Of few notes at a time, all the chunks are asked about one after the other."""
KEPT_RECORDS = 20_000


class VaultSnapshot:
    """A commit of the index as the operations see it: notes, chunks, masks, links.

    ``hides`` tells which paths must not be shown besides, where the index was made under other rules.
    Document numbers are valid within one snapshot only. What is derived is made when first asked for
    and kept, since nothing can change it; any number of threads may ask.
    """

    def __init__(self, lexical: Snapshot, hides: Callable[[str], bool] | None = None) -> None:
        self.lexical = lexical
        self._hides = hides
        self._masks: dict[Hashable, Mask] = {}
        self.texts = Texts(lexical.text)
        """The texts of the notes as queries read them; empty for those that no search shows."""
        self.note = lru_cache(maxsize=KEPT_RECORDS)(lambda doc: note_of(lexical.path(doc), self._record(doc)))
        """Returns what is kept of a note."""
        self.lines = lru_cache(maxsize=KEPT_NOTES)(lambda doc: tuple(split_lines(self.texts[doc].raw)))
        """Returns the lines of a note's text."""
        self._chunks = lru_cache(maxsize=KEPT_NOTES)(self._read_chunks)
        self._record = lru_cache(maxsize=KEPT_NOTES)(lambda doc: load(lexical.data(doc)))

    @cached_property
    def vault(self) -> VaultRecord:
        """What is known of the vault as a whole: all files, rules."""
        # That of another version may have other fields; its rules are not today's.
        return VaultRecord(*load(self.lexical.vault_data or b"[]")[: len(VaultRecord._fields)])

    @cached_property
    def visible(self) -> Mask:
        """Live notes that a search may show."""
        shown = self.lexical.notes & ~self.notes_with(("hidden:excluded", "hidden:left-out"))
        if self._hides:
            for path, doc in self.lexical.paths().items():
                shown[doc] = shown[doc] and not self._hides(path)
        return shown

    @cached_property
    def attached(self) -> Mask:
        """Files that are no notes, of which the text is searched."""
        return self.notes_with(self.lexical.terms(KIND))

    @cached_property
    def shown_notes(self) -> Mask:
        """Live notes that a search may show; other files not."""
        return self.visible & ~self.attached

    @property
    def note_paths(self) -> Collection[str]:
        """Paths of all notes, hidden ones included."""
        return self.lexical.paths()

    @cached_property
    def hidden(self) -> Mapping[str, str]:
        """Why no search shows a note, ``excluded`` or ``left-out``, by its path."""
        found = {
            self.lexical.path(doc): why
            for why in ("left-out", "excluded")
            for doc in self.lexical.docs_with(f"hidden:{why}").tolist()
        }
        return found | dict.fromkeys(filter(self._hides, self.note_paths if self._hides else ()), "excluded")

    @cached_property
    def visible_paths(self) -> Sequence[str]:
        """Paths of the notes that a search may show."""
        return [path for path in self.note_paths if path not in self.hidden]

    def aliases(self) -> Mapping[str, str]:
        """Map the keys of the aliases of the notes that may be shown to their paths, of several the first."""
        found: dict[str, str] = {}
        for term in self.lexical.terms("alias:"):
            docs = self.lexical.docs_with(term)
            paths = map(self.lexical.path, docs[self.visible[docs]].tolist())
            if path := min(paths, default=""):
                found[path_key(term_text(term, "alias:"))] = path
        return found

    @cached_property
    def shared_lines(self) -> frozenset[int]:
        """Return the hashes of the lines that stand word for word in many notes."""
        notes = int(self.visible.sum())
        least = max(FEWEST_COPIES, min(MOST_COPIES, int(SHARE_OF_NOTES * notes)))
        return frozenset(self.lexical.shared_lines(self.visible, least).tolist())

    def shared(self, lines: Sequence[str]) -> list[bool]:
        """Return which lines stand word for word in many notes, as those of footers and templates do."""
        known = self.shared_lines
        return [name in known for name in hashes_of(lines)]

    @cached_property
    def speller(self) -> Speller:
        """Knows the words that a search may show."""
        return self.lexical.speller(self.chunks_of(self.visible))

    @cached_property
    def keys(self) -> Mapping[str, int]:
        """Path keys of all notes, with their documents."""
        return {path_key(path): doc for path, doc in self.lexical.paths().items()}

    @cached_property
    def attachments(self) -> Mapping[str, str]:
        """Path keys of all files that are not indexed notes, with their paths."""
        return {path_key(path): path for path in self.vault.files}

    @cached_property
    def shown_keys(self) -> Mapping[str, str]:
        """Path keys of the notes that are not excluded, with their paths."""
        excluded = {path for path, why in self.hidden.items() if why == "excluded"}
        # Of several that differ in case alone, one is meant whatever the order in which they were written.
        paths = sorted(self.note_paths, reverse=True)
        return {path_key(path): path for path in paths if path not in excluded}

    @cached_property
    def shown_folders(self) -> Collection[str]:
        """Path keys of the folders that hold a note which is not excluded."""
        return parent_folders(self.shown_keys.values()).keys()

    def shows_folder(self, key: str) -> bool:
        """Return whether a folder, by its path key, holds a note which is not excluded."""
        inside = map(self.lexical.path, self.lexical.docs_with(f"folder:{key}").tolist())
        return any(self.hidden.get(path) != "excluded" for path in inside)

    def is_excluded(self, path: str) -> bool:
        """Return whether the vault's settings hide a note, or any path where they changed since."""
        return self.hidden.get(path) == "excluded" or bool(self._hides and self._hides(path))

    @cached_property
    def resolver(self) -> "LinkResolver":
        """Finds the file a link means, among all files of the vault."""
        from app.markdown.links import LinkResolver

        return LinkResolver([*self.vault.files, *self.note_paths], all_types=self.vault.all_types)

    @cached_property
    def names(self) -> Mapping[str, frozenset[str]]:
        """Return what texts call notes, folded, by the first word; some may be names of no live note.

        What is but numbers or a single character is no such name: it would stand everywhere.
        """
        found: dict[str, set[str]] = {}
        for term in self.lexical.terms(NAME):
            name = term.removeprefix(NAME)
            if len(name) > 1 and not name.replace(" ", "").isdigit():
                found.setdefault(name.partition(" ")[0], set()).add(name)
        return {first: frozenset(names) for first, names in found.items()}

    @cached_property
    def graph(self) -> "IndexGraph":
        """The links of all notes, hidden ones included."""
        from app.search.index.graph import IndexGraph

        return IndexGraph(self.lexical, self.resolver)

    def notes_with(self, terms: Iterable[str]) -> Mask:
        """Return the notes that have any of some exact filter terms."""
        mask = np.zeros(self.lexical.size, np.bool_)
        for term in terms:
            mask[self.lexical.docs_with(term)] = True
        return mask

    def shows_term(self, term: str) -> bool:
        """Return whether a note that a search may show has an exact filter term."""
        return bool(self.visible[self.lexical.docs_with(term)].any())

    def tags(self) -> list[str]:
        """Return the tags of the notes that may be shown, in small letters."""
        known = (term.removeprefix("tag:") for term in self.lexical.terms("tag:"))
        return [tag for tag in known if self.shows_term(f"tag:{tag}")]

    def doc(self, path: str) -> int | None:
        """Return the document of a note by its exact path, or None."""
        return self.lexical.paths().get(path)

    def outline(self, doc: int) -> NoteOutline:
        """Return the lines where the pieces of a note start."""
        return NoteOutline.of(self._record(doc))

    def links(self, doc: int) -> "tuple[Link, ...]":
        """Return the raw links of a note."""
        return decode_links(self.lexical.data(doc))

    def chunk_lines(self, doc: int) -> tuple[int, int]:
        """Return the line range of a chunk, from 1 and inclusive."""
        return int(self.lexical.column("start")[doc]), int(self.lexical.column("end")[doc])

    def chunk_day(self, doc: int) -> date | None:
        """Return the day a chunk is dated by, or None."""
        ordinal = int(self.lexical.column("day")[doc])
        return date.fromordinal(ordinal) if ordinal else None

    def chunk_headings(self, doc: int) -> tuple[tuple[str, ...], ...]:
        """Return the heading paths that a chunk covers."""
        note = int(self.lexical.note_of[doc])
        return self._chunks(note)[doc - note - 1].headings

    def _read_chunks(self, note: int) -> Sequence[Chunk]:
        # The chunks of a note follow it.
        own = slice(note + 1, int(self.lexical.note_of.searchsorted(note, "right")))
        starts, ends = (self.lexical.column(name)[own] for name in ("start", "end"))
        pieces = list(zip(starts.tolist(), (ends + 1).tolist(), strict=True))
        return described(self.outline(note).sections, pieces)

    def chunks_of(self, notes: Mask) -> Mask:
        """Return the chunks of the notes in a mask."""
        return self.lexical.chunks & notes[self.lexical.note_of]

    def notes_of(self, chunks: Ids | Mask) -> Mask:
        """Return the notes that own the given chunks."""
        found = np.zeros(self.lexical.size, dtype=np.bool_)
        found[self.lexical.note_of[chunks]] = True
        return found & self.lexical.notes

    def newest_first(self, docs: Iterable[int], field: str = "modified") -> list[int]:
        """Order note documents by a date column, newest first, then by path."""
        notes = np.fromiter(docs, np.int64)
        found: list[int] = self.lexical.by_worth(notes, self.lexical.column(field)[notes])[0].tolist()
        return found

    def cached_mask(self, key: Hashable, make: Callable[[], Mask]) -> Mask:
        """Return a mask that is made once and kept for this snapshot."""
        found = self._masks.get(key)
        if found is None:
            # Two threads may both make it.
            found = make()
            found.flags.writeable = False
            if len(self._masks) >= KEPT_MASKS:
                self._masks.clear()
            self._masks[key] = found
        return found


def parent_folders(paths: Iterable[str]) -> dict[str, str]:
    """Return the path keys of all folders above some notes, with their spelling."""
    found: dict[str, str] = {}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and path_key(folder) not in found:
            found[path_key(folder)] = folder
            folder = folder.rpartition("/")[0]
    return found
