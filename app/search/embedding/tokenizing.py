"""Texts to word pieces, with the place of each, and batches of texts of about one length."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.search.embedding.embedder import Encoded, Spans, Vectors

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

LONE_SURROGATE = re.compile("[\ud800-\udfff]")

Pass = Callable[[NDArray[np.int64], NDArray[np.int64]], tuple[Vectors, Vectors]]
"""One pass, from ids and mask, both of shape (texts, pieces), to vectors of shape (texts, dimension) and
token vectors of shape (texts, pieces, dimension), all of length 1."""
USUAL_PIECES = 512
"""Batches of longer texts hold fewer of them, so that memory stays within bounds."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One text as a model reads it: ``ids`` of all pieces, and which of them (``own``) are the text's own."""

    ids: NDArray[np.int64]
    own: NDArray[np.bool_]


class Pieces:
    """A model's tokenizer; ``length`` is the most pieces that the model reads, special ones included."""

    def __init__(self, tokenizer: "Tokenizer", length: int) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self.length = length
        # Some tokenizers add a special piece on one side only, and some none.
        self._specials = tokenizer.num_special_tokens_to_add(False)

    def room(self, prompts: Sequence[str]) -> int:
        """Return how many pieces of a text the model reads after the longest of these prompts; at least 1."""
        longest = max(len(self._plain(prompt)) for prompt in prompts)
        return max(1, self.length - self._specials - longest)

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into word pieces, uncut however long they are."""
        encodings = self._tokenizer.encode_batch([readable(text) for text in texts], add_special_tokens=False)
        return [encoding.offsets for encoding in encodings]

    def rows(self, texts: Sequence[str], prompt: str) -> list[TokenRow]:
        """Put the prompt before each text, cut what the model would not read, and add the special pieces."""
        encodings = self._tokenizer.encode_batch(
            [prompt + readable(text) for text in texts], add_special_tokens=False
        )
        return [self._row(encoding, len(prompt)) for encoding in encodings]

    def _row(self, encoding: "Encoding", prompt: int) -> TokenRow:
        # Cut before the special pieces are added, so that the last one is never lost.
        encoding.truncate(max(0, self.length - self._specials))
        whole = self._tokenizer.post_process(encoding)
        # The prompt's last piece may reach over the blank to the text; no piece of the text ends before it.
        ends = np.array([end for _, end in whole.offsets], dtype=np.int64)
        special = np.array(whole.special_tokens_mask, dtype=bool)
        return TokenRow(
            np.array(whole.ids, dtype=np.int64), ~special & (ends > prompt) if prompt else ~special
        )

    def _plain(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids


def readable(text: str) -> str:
    """Replace what UTF-8 cannot hold (a file name's stray bytes), one for one, so that offsets stay right."""
    return LONE_SURROGATE.sub("\ufffd", text)


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


class PieceEmbedder(ABC):
    """What embedders have in common whose word pieces are known here."""

    def __init__(self, fingerprint: str, dimension: int, pieces: Pieces, prompts: Prompts) -> None:
        self.fingerprint, self.dimension = fingerprint, dimension
        self.max_pieces = pieces.room((prompts.query, prompts.document))
        self._pieces, self._prompts = pieces, prompts

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into word pieces, uncut however long they are."""
        return self._pieces.spans(texts)

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Encode passages of notes."""
        return self._encode(texts, self._prompts.document)

    def encode_query(self, text: str) -> Encoded:
        """Encode a question."""
        return self._encode([text], self._prompts.query)[0]

    @abstractmethod
    def _encode(self, texts: Sequence[str], prompt: str) -> list[Encoded]: ...


class ModelEmbedder(PieceEmbedder):
    """The embedder of one loaded model, whatever runs it."""

    def __init__(self, facts: Facts, pieces: Pieces, run: Pass, batch: int) -> None:
        super().__init__(facts.fingerprint, facts.dimension, pieces, facts.prompts)
        self._pad, self._run, self._batch = facts.pad, run, batch

    def _encode(self, texts: Sequence[str], prompt: str) -> list[Encoded]:
        rows = self._pieces.rows(texts, prompt)
        encoded: dict[int, Encoded] = {}
        for batch in self._batches(rows):
            vectors, tokens = self._run(*self._padded([rows[at] for at in batch]))
            for at, vector, pieces in zip(batch, vectors, tokens, strict=True):
                encoded[at] = Encoded(vector, pieces[: len(rows[at].own)][rows[at].own])
        return [encoded[at] for at in range(len(texts))]

    def _batches(self, rows: Sequence[TokenRow]) -> Iterator[list[int]]:
        """Yield positions of rows, the longest first, so that too little memory shows at once."""
        order = sorted(range(len(rows)), key=lambda at: len(rows[at].ids), reverse=True)
        at = 0
        while at < len(order):
            longest = len(rows[order[at]].ids)
            size = max(1, min(self._batch, self._batch * USUAL_PIECES // max(1, longest)))
            yield order[at : at + size]
            at += size

    def _padded(self, rows: Sequence[TokenRow]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        # A model without special pieces sees nothing of an empty text: give it one masked piece.
        width = max(1, *(len(row.ids) for row in rows))
        ids = np.full((len(rows), width), self._pad, np.int64)
        mask = np.zeros((len(rows), width), np.int64)
        for at, row in enumerate(rows):
            ids[at, : len(row.ids)] = row.ids
            mask[at, : len(row.ids)] = 1
        return ids, mask
