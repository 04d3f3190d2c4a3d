"""The notes that Milvus found for a request, as a snapshot that the operations ask like any other."""

import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.bm25 import Field, Impacts, Term, idf
from app.search.lexical.index import LexicalIndex, Mask, Scored, Scores, Snapshot
from app.search.lexical.ranker import Spellings
from app.search.lexical.speller import Speller
from app.search.milvus.database import Row, Vault
from app.search.milvus.head import Head, Meta
from app.search.milvus.rows import NoteDocs, query_tokens
from app.search.vectors.faiss_index import Ids, Joined, Shard, VectorIndex
from app.search.vectors.store import KeptVectors

KEPT_SCORES = 64


class Part(Snapshot):
    """Some notes of a vault: filters are decided by them, and their words rank as Milvus ranks them."""

    head: Head
    vault: Vault

    @cached_property
    def language_counts(self) -> Mapping[int, int]:
        """How many notes of the vault are in each language."""
        return dict(self.head.languages)

    @cached_property
    def _impacts(self) -> Impacts:
        impacts = VaultImpacts(self._parts, self.chunks, self.languages)
        impacts.head = self.head
        return impacts

    def speller(self, shown: Mask) -> Speller:
        """Return what knows the words of the vault."""
        speller = VaultSpeller(self._parts, shown & self.chunks, self.languages)
        speller.words = self.head.words
        return speller

    def rank(
        self,
        text: str,
        mask: Mask | None = None,
        k: int | None = None,
        spellings: Spellings = (),
    ) -> Scored:
        """Order the chunks that have any word of ``text`` by the scores that Milvus gives them."""
        scored = super().rank(text, mask, None, spellings)
        words = self.ranking_words(text, spellings)
        ids, raw = self.by_worth(scored.ids, self._scores(" ".join(query_tokens(words)))[scored.ids])
        shown = np.zeros(self.size, np.float32)
        shown[scored.ids] = scored.shown
        return Scored(ids[:k], raw[:k], shown[ids[:k]], scored.reference)

    @cached_property
    def _scores(self) -> Callable[[str], Scores]:
        return lru_cache(maxsize=KEPT_SCORES)(self._find_scores)

    def _find_scores(self, tokens: str) -> Scores:
        found = self.vault.scores(tokens) if tokens else {}
        worth = np.zeros(self.size, np.float32)
        for doc in np.flatnonzero(self.chunks).tolist() if found else ():
            # The chunks of a note follow it.
            number = doc - int(self.note_of[doc]) - 1
            worth[doc] = found.get(self.vault.id_of(self.path(doc), number), 0.0)
        return worth


class PartIndex(LexicalIndex):
    """An index of some notes of a vault."""

    snapshot_type = Part


class VaultImpacts(Impacts):
    """What words are worth in the whole vault, of which a part is here."""

    head: Head

    @property
    def count(self) -> int:
        """How many chunks the vault has."""
        return self.head.chunks

    def rarity(self, field: Field, ids: Ids, term: Term) -> tuple[float, float]:
        """Return the weight of a term by how many chunks of the vault have its word."""
        weight = idf(self.count, max(len(ids), self.head.words.get(term.exact, 0)))
        return weight, weight


class VaultSpeller(Speller):
    """Knows the words of a whole vault, of which a part is here."""

    words: Mapping[str, int]

    def _looking_like(self, word: str, edits: int) -> set[str]:
        return {name for name in self.words if abs(len(name) - len(word)) <= edits and name.isalpha()}

    def _count(self, word: str) -> int:
        return self.words.get(word, 0)

    def _occurs(self, _: str, term: str) -> bool:
        return term in self.words

    def _inside(self, piece: str) -> bool:
        return any(piece in name for name in self.words)


class CandidateSnapshot(VaultSnapshot):
    """Some notes of a vault; of all others it knows the paths, and what queries have to know.

    Args:
        vault: Where the notes are.
        head: What is known of the vault as a whole.
        notes: The notes.
    """

    def __init__(self, vault: Vault, head: Head, notes: Sequence[NoteDocs]) -> None:
        # The files stay mapped after their names are gone, so that nothing is left when the process ends.
        with tempfile.TemporaryDirectory(prefix="vault-assistant-") as folder:
            index = PartIndex(Path(folder) / "part")
            with index.writer() as writer:
                writer.set_vault(head.vault_data)
                for note, chunks in notes:
                    writer.replace(note, chunks)
                writer.commit()
            part = index.snapshot()
        assert isinstance(part, Part)
        part.head, part.vault = head, vault
        # A note that has just become private may still be there as it was.
        super().__init__(part, lambda path: head.notes.get(path) == "excluded")
        self.head = head

    @cached_property
    def shared_lines(self) -> frozenset[int]:
        """Return the hashes of the lines that stand word for word in many notes of the vault."""
        return frozenset(self.head.shared)

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

    def __init__(self, kept: KeptVectors, rows: Sequence[Row], meta: Meta) -> None:
        super().__init__(kept.folder, kept.model, kept.embedder, lambda _: kept.embedder, kept.exact)
        self.encode_query, self.has_tokens, self._meta = kept.encode_query, False, meta
        table = np.zeros(len(rows), kept.model.row)
        for name in ("hash", "window", "first", "last"):
            table[name] = [int(row[name]) for row in rows]
        if rows:
            table["vector"] = [row["dense"] for row in rows]
        none = np.zeros((0, kept.model.token_dimension), np.int8)
        self._fetched = VectorIndex([Shard(table, none)], kept.model, kept.exact)

    def wanted(self) -> KeptVectors:
        """Return these vectors."""
        return self

    def share(self, _: VaultSnapshot) -> float:
        """Return the share of the vault's passages that have vectors."""
        return self._meta.share

    def knows(self, _: str) -> bool:
        """Return that the model is asked whatever the language is."""
        return True

    def index(self) -> VectorIndex:
        """Return all vectors at hand."""
        return self._fetched

    def joined(self, snapshot: VaultSnapshot) -> Joined:
        """Return the vectors by the documents of a snapshot, against the background of the whole vault."""
        found = super().joined(snapshot)
        vars(found)["background"] = self._meta.background
        return found
