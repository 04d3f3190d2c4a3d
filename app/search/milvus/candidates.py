"""The notes that Milvus found for a request, as a snapshot that the operations ask like any other."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

import numpy as np

from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import snapshot_of_part
from app.search.milvus.database import Row, Vault
from app.search.milvus.head import Head, Meta
from app.search.milvus.rows import NoteDocs, unpacked_tokens
from app.search.vectors.by_chunk import Joined
from app.search.vectors.faiss_index import Ids, Scores, VectorIndex
from app.search.vectors.shards import Model, Shard, Tokens
from app.search.vectors.store import KeptVectors


class CandidateSnapshot(VaultSnapshot):
    """Some notes of a vault; of all others it knows the paths, and what ranking and queries have to know.

    Args:
        head: What is known of the vault as a whole.
        notes: The notes.
    """

    def __init__(self, head: Head, notes: Sequence[NoteDocs]) -> None:
        # A note that has just become private may still be there as it was.
        part = snapshot_of_part(notes, head.vault_data, head.statistics)
        super().__init__(part, lambda path: head.notes.get(path) == "excluded")
        self.head = head

    @cached_property
    def shared_lines(self) -> frozenset[int]:
        """Return the hashes of the lines that stand word for word in many notes of the vault."""
        return self.head.shared

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

    def __init__(self, vault: Vault, kept: KeptVectors, rows: Sequence[Row], meta: Meta) -> None:
        super().__init__(kept.folder, kept.model, kept.embedder, lambda _: kept.embedder, kept.exact)
        self.encode_query = kept.encode_query
        self.has_tokens = meta.tokens
        self._meta = meta
        self._fetched = FetchedIndex(vault, meta, rows, kept)

    def answering(self, _: VaultSnapshot) -> KeptVectors:
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


class FetchedIndex(VectorIndex):
    """The vectors of some notes; those of tokens, which take much room, are fetched where they count."""

    def __init__(self, vault: Vault, meta: Meta, rows: Sequence[Row], kept: KeptVectors) -> None:
        super().__init__([_shard(rows, kept.model)], kept.model, kept.exact)
        self._vault, self._meta, self._width = vault, meta, kept.model.token_dimension
        self._ids: dict[tuple[int, int], str] = {(int(row["hash"]), row["window"]): row["id"] for row in rows}
        self._tokens_of: dict[int, Tokens] = {}

    def token_scores(self, query: Scores, groups: Sequence[Ids]) -> Scores:
        """Score groups of rows as `VectorIndex` does.

        Raises:
            SearchError: the database does not answer.
        """
        rows = [row for group in groups for row in group.tolist() if row not in self._tokens_of]
        ids = {self._id_of(row): row for row in rows if self._meta.tokens}
        self._tokens_of |= dict.fromkeys(rows, np.zeros((0, self._width), np.int8))
        for found in self._vault.by_id(self._meta.vectors, list(ids), ["id", "tokens"]):
            row = ids[found["id"]]
            self._tokens_of[row] = unpacked_tokens(found["tokens"], self._width)
            self._token_counts[row] = len(self._tokens_of[row])
        return super().token_scores(query, groups)

    def _id_of(self, row: int) -> str:
        passage = self.passage_of[row]
        return self._ids[int(self.hashes[passage]), row - int(self.starts[passage])]

    def row_tokens(self, row: int) -> Tokens:
        """Return the token vectors of a window."""
        return self._tokens_of[row]


def _shard(rows: Sequence[Row], model: Model) -> Shard:
    """Return vectors as a shard holds them; their token vectors are not at hand."""
    table = np.zeros(len(rows), model.row)
    for name in ("hash", "window", "first", "last"):
        table[name] = [int(row[name]) for row in rows]
    if rows:
        table["vector"] = [row["dense"] for row in rows]
    return Shard(table, np.zeros((0, model.token_dimension), np.int8))
