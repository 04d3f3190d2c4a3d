"""The notes that Milvus found for a request, as a snapshot that the operations ask like any other."""

import tempfile
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.bm25 import Field, Term, idf
from app.search.lexical.index import LexicalIndex
from app.search.lexical.ranker import Spellings
from app.search.lexical.segment import Mask
from app.search.lexical.snapshot import Scored, Snapshot
from app.search.lexical.sparse import Scores
from app.search.lexical.speller import Speller
from app.search.milvus.database import MOST_HITS, PASSAGES, Vault
from app.search.milvus.rows import Head, Kept, query_tokens
from app.search.vectors.faiss_index import Ids, Shard, VectorIndex
from app.search.vectors.store import KeptVectors

KEPT_SCORES = 64


class Part(Snapshot):
    """Some notes of a vault: filters are decided by them, and their words rank as Milvus ranks them."""

    def __init__(self, vault: Vault, head: Head, *commit: Any) -> None:  # noqa: ANN401 - as `Snapshot` has it
        super().__init__(*commit)
        self._vault, self._head = vault, head
        self._scores = lru_cache(maxsize=KEPT_SCORES)(self._find_scores)

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

    def rank(
        self, text: str, mask: Mask | None = None, k: int | None = None, spellings: Spellings = ()
    ) -> Scored:
        """Order the chunks that have any word of ``text`` by the scores that Milvus gives them."""
        scored = super().rank(text, mask, None, spellings)
        worth = self._scores(query_tokens(self.ranking_words(text, spellings)))
        ids, raw = self.by_worth(scored.ids, worth[scored.ids])
        shown = np.zeros(self.size, np.float32)
        shown[scored.ids] = scored.shown
        return Scored(ids[:k], raw[:k], shown[ids[:k]], scored.reference)

    def _occurs(self, term: Term) -> bool:
        return any(word in self._head.words for word in (term.exact, *term.stems))

    def _find_scores(self, tokens: str) -> Scores:
        worth = np.zeros(self.size, np.float32)
        for row in self._vault.nearest(PASSAGES, "sparse", tokens, "", MOST_HITS) if tokens else ():
            # The scores of Milvus Lite have another sign than those of Milvus.
            worth[self._docs.get(row["id"], [])] = abs(row["score"])
        return worth

    @cached_property
    def _docs(self) -> Mapping[str, int]:
        """The chunks by their ids in the database; the chunks of a note follow it."""
        numbers = ((doc, doc - int(self.note_of[doc]) - 1) for doc in np.flatnonzero(self.chunks).tolist())
        return {self._vault.id_of(self.path(doc), number): doc for doc, number in numbers}


class VaultSpeller(Speller):
    """Knows the words of a whole vault, of which a part is here."""

    def __init__(self, words: Mapping[str, int], *part: Any) -> None:  # noqa: ANN401 - as `Speller` has it
        super().__init__(*part)
        self._words = words

    def _looking_like(self, word: str, edits: int) -> set[str]:
        return {name for name in self._words if abs(len(name) - len(word)) <= edits and name.isalpha()}

    def _count(self, word: str) -> int:
        return self._words.get(word, 0)

    def _occurs(self, _: str, term: str) -> bool:
        return term in self._words

    def _inside(self, piece: str) -> bool:
        return any(piece in name for name in self._words)


class CandidateSnapshot(VaultSnapshot):
    """Some notes of a vault; of all others it knows the paths, and what queries have to know."""

    def __init__(self, vault: Vault, head: Head, notes: Sequence[Kept] = ()) -> None:
        # The files stay mapped after their names are gone, so that nothing is left when the process ends.
        with tempfile.TemporaryDirectory(prefix="vault-assistant-") as folder:
            index = LexicalIndex(Path(folder) / "part", partial(Part, vault, head))
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
