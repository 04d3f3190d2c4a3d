"""Encode many texts with few passes through a model: batches of texts of about one length."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.search.semantic.embedder import Encoded, Spans, Vectors
from app.search.semantic.pieces import Pieces, Row

Pass = Callable[[NDArray[np.int64], NDArray[np.int64]], tuple[Vectors, Vectors]]
"""One pass, from ids and mask, both of shape (texts, pieces), to vectors of shape (texts, dimension) and
token vectors of shape (texts, pieces, dimension), all of length 1."""

USUAL_PIECES = 512
"""Batches of longer texts hold fewer of them, so that memory stays within bounds."""


@dataclass(frozen=True, slots=True)
class Prompts:
    """What a model wants before a text; empty where it wants nothing."""

    query: str = ""
    document: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What decides how a model reads texts: ``length`` counts all pieces, ``pad`` is the id that fills."""

    fingerprint: str
    dimension: int
    length: int
    pad: int
    prompts: Prompts


class ModelEmbedder:
    """The embedder of one loaded model, whatever runs it."""

    def __init__(self, facts: Facts, pieces: Pieces, run: Pass, batch: int) -> None:
        self._facts, self._pieces, self._run, self._batch = facts, pieces, run, batch
        self._room = pieces.room((facts.prompts.query, facts.prompts.document))

    @property
    def fingerprint(self) -> str:
        """Names everything that decides a vector, but not what runs the model."""
        return self._facts.fingerprint

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return self._facts.dimension

    @property
    def max_pieces(self) -> int:
        """Most word pieces of one text that the model sees, after either prompt."""
        return self._room

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into word pieces, uncut however long they are."""
        return self._pieces.spans(texts)

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Encode passages of notes."""
        return self._encode(texts, self._facts.prompts.document)

    def encode_query(self, text: str) -> Encoded:
        """Encode a question."""
        return self._encode([text], self._facts.prompts.query)[0]

    def _encode(self, texts: Sequence[str], prompt: str) -> list[Encoded]:
        rows = self._pieces.rows(texts, prompt)
        encoded: dict[int, Encoded] = {}
        for batch in self._batches(rows):
            vectors, tokens = self._run(*self._padded([rows[at] for at in batch]))
            for at, vector, pieces in zip(batch, vectors, tokens, strict=True):
                encoded[at] = Encoded(vector, pieces[: len(rows[at].own)][rows[at].own])
        return [encoded[at] for at in range(len(texts))]

    def _batches(self, rows: Sequence[Row]) -> Iterator[list[int]]:
        """Give positions of rows, the longest first, so that too little memory shows at once."""
        order = sorted(range(len(rows)), key=lambda at: len(rows[at].ids), reverse=True)
        at = 0
        while at < len(order):
            longest = len(rows[order[at]].ids)
            size = max(1, min(self._batch, self._batch * USUAL_PIECES // max(1, longest)))
            yield order[at : at + size]
            at += size

    def _padded(self, rows: Sequence[Row]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        # A model without special pieces sees nothing of an empty text: give it one masked piece.
        width = max(1, *(len(row.ids) for row in rows))
        ids = np.full((len(rows), width), self._facts.pad, np.int64)
        mask = np.zeros((len(rows), width), np.int64)
        for at, row in enumerate(rows):
            ids[at, : len(row.ids)] = row.ids
            mask[at, : len(row.ids)] = 1
        return ids, mask
