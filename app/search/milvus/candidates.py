"""The notes that Milvus found for a request, as a snapshot that the operations ask like any other."""

import tempfile
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.bm25 import Field, Term, idf
from app.search.lexical.index import LexicalIndex
from app.search.lexical.segment import Mask
from app.search.lexical.snapshot import Snapshot
from app.search.lexical.speller import Speller
from app.search.milvus.rows import Head, Kept
from app.search.vectors.faiss_index import Ids, Shard, VectorIndex
from app.search.vectors.store import KeptVectors


class Part(Snapshot):
    """Some notes of a vault; how rare a word is, is told by the whole."""

    def __init__(self, head: Head, *commit: Any) -> None:  # noqa: ANN401 - as `Snapshot` has it
        super().__init__(*commit)
        self._head = head

    @cached_property
    def language_counts(self) -> Mapping[int, int]:
        """How many notes of the vault are in each language."""
        return dict(self._head.languages)

    def rarity(self, field: Field, ids: Ids, term: Term) -> tuple[float, float]:
        """Return the weight of a term by how many chunks of the vault have its word."""
        weight = idf(self._head.chunks, max(len(ids), self._head.words.get(term.exact, 0)))
        return weight, weight

    def speller(self, shown: Mask) -> Speller:
        """Return what knows the words of the vault."""
        return VaultSpeller(self._head.words, self._parts, shown & self.chunks, self.languages)

    def _occurs(self, term: Term) -> bool:
        return any(word in self._head.words for word in (term.exact, *term.stems))


class VaultSpeller(Speller):
    """Knows the words of a whole vault, of which a part is here."""

    def __init__(self, words: Mapping[str, int], *part: Any) -> None:  # noqa: ANN401 - as `Speller` has it
        super().__init__(*part)
        self._counts = words

    @cached_property
    def _words(self) -> list[str]:
        return list(filter(str.isalpha, self._counts))

    def _count(self, word: str) -> int:
        return self._counts.get(word, 0)

    def _occurs(self, _: str, term: str) -> bool:
        return term in self._counts

    def _inside(self, piece: str) -> bool:
        return any(piece in name for name in self._counts)


class CandidateSnapshot(VaultSnapshot):
    """Some notes of a vault; of all others it knows the paths, and what queries have to know."""

    def __init__(self, head: Head, notes: Sequence[Kept] = ()) -> None:
        # The files stay mapped after their names are gone, so that nothing is left when the process ends.
        with tempfile.TemporaryDirectory(prefix="vault-assistant-") as folder:
            index = LexicalIndex(Path(folder) / "part", partial(Part, head))
            with index.writer() as writer:
                writer.set_vault(head.vault)
                for kept in notes:
                    writer.replace(kept.note, kept.chunks)
                writer.commit()
            part = index.snapshot()
        # A note that has just become private may still be there as it was.
        super().__init__(part, lambda path: head.notes.get(path) == "excluded")
        self.head = head
        self.vectors = b"".join(kept.vectors for kept in notes if kept.kind == head.kind)

    @property
    def note_paths(self) -> Collection[str]:
        """Paths of all notes of the vault."""
        return self.head.notes.keys()

    @cached_property
    def hidden(self) -> Mapping[str, str]:
        """Why no search shows a note, by the paths of those notes of the vault."""
        return {path: why for path, why in self.head.notes.items() if why}

    def shows_folder(self, key: str) -> bool:
        """Return whether a folder, by its path key, holds a note which is not excluded."""
        return key in self.shown_folders

    def aliases(self) -> Mapping[str, str]:
        """Map the keys of the aliases of the vault's notes that may be shown to their paths."""
        return self.head.aliases

    def shows_term(self, term: str) -> bool:
        """Return whether a note of the vault that a search may show has a property, or a tag."""
        return term in self.head.terms

    def tags(self) -> list[str]:
        """Return the tags of the notes of the vault that may be shown, in small letters."""
        return [term.removeprefix("tag:") for term in self.head.terms if term.startswith("tag:")]


class FetchedVectors(KeptVectors):
    """The vectors of some notes, with the model that makes those of questions."""

    def __init__(self, kept: KeptVectors, part: CandidateSnapshot) -> None:
        super().__init__(kept.folder, kept.model, kept.embedder, lambda _: kept.embedder, kept.exact)
        self.encode_query, self.has_tokens, self._share = kept.encode_query, False, part.head.share
        none = np.zeros((0, kept.model.token_dimension), np.int8)
        shard = Shard(np.frombuffer(part.vectors, kept.model.row), none)
        self._fetched = VectorIndex([shard], kept.model, kept.exact)

    def wanted(self) -> KeptVectors:
        """Return these vectors."""
        return self

    def share(self, _: VaultSnapshot) -> float:
        """Return the share of the vault's passages that have vectors."""
        return self._share

    def knows(self, _: str) -> bool:
        """Return that the model is asked whatever the language is."""
        return True

    def index(self) -> VectorIndex:
        """Return all vectors at hand."""
        return self._fetched
