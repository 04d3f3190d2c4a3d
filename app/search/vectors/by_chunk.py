"""Vectors as one snapshot of the index sees them: which chunk has which passage."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.search.index.snapshot import VaultSnapshot
from app.search.vectors.faiss_index import Ids, Scores, VectorIndex
from app.search.vectors.shards import Mask

Lines = tuple[int, int]

SAMPLE = 256
"""Windows, and notes, by which the background of a vault is estimated."""
UNKNOWN = 4.0
"""How far neighbouring windows are taken to stand out where no note has two."""
LEAST = 4
"""With fewer windows there is no background."""


@dataclass(frozen=True, slots=True)
class Background:
    """What cosines are in a vault by chance: mean and deviation over random pairs of windows.

    ``standing`` is how many deviations the neighbouring windows of a note lie above the mean. A model that
    means nothing tells them hardly apart.
    """

    mean: float
    deviation: float
    standing: float


class Joined:
    """Vectors by the documents of a snapshot; several chunks may share a passage."""

    def __init__(self, snapshot: VaultSnapshot, index: VectorIndex) -> None:
        self.snapshot, self.index = snapshot, index

    @cached_property
    def passage_of(self) -> Ids:
        """The passage of each document; -1 for what is no chunk, or has no vectors yet."""
        passages = np.full(self.snapshot.lexical.size, -1, np.int64)
        chunks = self.snapshot.lexical.chunks
        passages[chunks] = self.index.passages(self.snapshot.lexical.column("text_hash")[chunks])
        return passages

    @cached_property
    def missing(self) -> Ids:
        """Visible chunks that have no vectors yet, one for each text, those of the newest notes first."""
        lexical = self.snapshot.lexical
        docs = np.flatnonzero(self.snapshot.chunks_of(self.snapshot.visible) & (self.passage_of < 0))
        docs = docs[np.unique(lexical.column("text_hash")[docs], return_index=True)[1]]
        newest: Ids = docs[np.lexsort((docs, -lexical.column("modified")[lexical.note_of[docs]]))]
        return newest

    @cached_property
    def share(self) -> float:
        """The share of the visible chunks that have vectors, 0 to 1; 1 where there is no chunk."""
        visible = self.snapshot.chunks_of(self.snapshot.visible)
        return float((self.passage_of[visible] >= 0).mean()) if visible.any() else 1.0

    @cached_property
    def background(self) -> Background | None:
        """What cosines are by chance among the visible chunks; None where there are too few windows to tell.

        The sample is the same for the same vectors.
        """
        chance = np.random.default_rng(0)
        visible = self.snapshot.chunks_of(self.snapshot.visible) & (self.passage_of >= 0)
        rows = _some(np.flatnonzero(self._allowed_rows(visible, {})), chance)
        if len(rows) < LEAST:
            return None
        vectors = self.index.vectors(rows)
        pairs = (vectors @ vectors.T)[np.triu_indices(len(rows), 1)]
        mean, deviation = float(pairs.mean()), max(float(pairs.std()), 1e-6)
        notes = _some(np.unique(self.snapshot.lexical.note_of[visible]), chance)
        neighbours = [
            found[at : at + 2]
            for note in notes.tolist()
            if len(found := self.note_rows(note)) > 1
            for at in [int(chance.integers(len(found) - 1))]
        ]
        if not neighbours:
            return Background(mean, deviation, UNKNOWN)
        left, right = (self.index.vectors(np.array(side)) for side in zip(*neighbours, strict=True))
        return Background(mean, deviation, (float((left * right).sum(axis=1).mean()) - mean) / deviation)

    @cached_property
    def _docs(self) -> tuple[Ids, Ids]:
        """The chunks ordered by passage, and the passages they are ordered by."""
        docs = np.flatnonzero(self.passage_of >= 0)
        order = np.argsort(self.passage_of[docs], kind="stable")
        return docs[order], self.passage_of[docs[order]]

    def nearest(self, query: Scores, k: int, mask: Mask, lines: Mapping[int, tuple[Lines, ...]]) -> list[int]:
        """Give the chunks of a mask whose best window is nearest, best first: ``k`` texts, all their chunks.

        ``lines`` has the allowed lines of chunks allowed in part; windows outside of them do not count.
        """
        rows = self._allowed_rows(mask, lines)
        docs, passages = self._docs
        nearest = self.index.search(query, k, rows)
        starts, ends = np.searchsorted(passages, nearest), np.searchsorted(passages, nearest, "right")
        found = [docs[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        ordered: Ids = np.concatenate([*found, np.zeros(0, np.int64)])
        allowed_docs: list[int] = ordered[mask[ordered]].tolist()
        return allowed_docs

    def _allowed_rows(self, mask: Mask, lines: Mapping[int, tuple[Lines, ...]]) -> Mask:
        """Return which windows lie in the chunks of a mask, and touch the lines of those allowed in part."""
        allowed = np.zeros(len(self.index.hashes) + 1, np.bool_)
        whole = mask.copy()
        whole[list(lines)] = False
        # Documents without vectors are passage -1: the last place, which stands for none.
        allowed[self.passage_of[whole]] = True
        rows: Mask = allowed[:-1][self.index.passage_of]
        for doc in lines:
            if mask[doc]:
                rows[self.rows(doc, lines)] = True
        return rows

    def lines_of(self, doc: int, row: int) -> tuple[int, int]:
        """Return the lines of the file that a window of a chunk covers."""
        start = self.snapshot.chunk_lines(doc)[0]
        return start + int(self.index.first_line[row]), start + int(self.index.last_line[row])

    def note_rows(self, note: int) -> Ids:
        """Return the windows of all chunks of a note, which follow it."""
        start, end = np.searchsorted(self.snapshot.lexical.note_of, (note, note + 1)).tolist()
        return np.concatenate([self.rows(doc, {}) for doc in range(start, end)])

    def rows(self, doc: int, lines: Mapping[int, tuple[Lines, ...]]) -> Ids:
        """Return the windows of a chunk: all, or those that touch its allowed lines."""
        passage = int(self.passage_of[doc])
        if passage < 0:
            return np.zeros(0, np.int64)
        rows = np.arange(self.index.starts[passage], self.index.starts[passage + 1])
        ranges = lines.get(doc)
        if not ranges:
            return rows
        start = self.snapshot.chunk_lines(doc)[0]
        first, last = self.index.first_line[rows] + start, self.index.last_line[rows] + start
        kept: Ids = rows[np.any([(first <= end) & (last >= begin) for begin, end in ranges], axis=0)]
        return kept


def _some(ids: Ids, chance: "np.random.Generator") -> Ids:
    """Choose `SAMPLE` of some numbers, ascending; all where there are no more."""
    chosen: Ids = np.sort(chance.choice(ids, SAMPLE, replace=False)) if len(ids) > SAMPLE else ids
    return chosen
