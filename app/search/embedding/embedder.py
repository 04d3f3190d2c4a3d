"""What the program asks of an embedding model, and what all models that run here have in common."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import shake_256
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

Vectors = NDArray[np.float32]

Spans = list[tuple[int, int]]
"""Where each word piece of a text stands, as start and end in characters; special pieces left out."""

Pass = Callable[[NDArray[np.int64], NDArray[np.int64]], tuple[Vectors, Vectors]]
"""One pass, from ids and mask, both of shape (texts, pieces), to vectors of shape (texts, dimension) and
token vectors of shape (texts, pieces, dimension), all of length 1."""

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
USUAL_PIECES = 512
"""Batches of longer texts hold fewer of them, so that memory stays within bounds."""
TOKEN_DIMENSION = 64
"""Most numbers of a small token vector."""
PROJECTION = "signs-1"
"""Names how token vectors are projected; another way needs another name, since vectors of both do not mix."""
SCALE = 127


@dataclass(frozen=True, slots=True)
class Encoded:
    """One text as a model sees it.

    ``vector`` has shape (dimension,) and ``tokens`` (pieces, dimension), one row for each word piece that is
    not special and was not cut off; all rows have length 1.
    """

    vector: Vectors
    tokens: Vectors


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


class Embedder(ABC):
    """A model that turns texts into vectors; safe to use from many threads.

    ``fingerprint`` names everything that decides a vector, but not what runs the model: equal ones may be
    mixed. A vector has ``dimension`` numbers, and of one text the model sees at most ``max_pieces`` word
    pieces, special pieces and the prompt left out.
    """

    fingerprint: str
    dimension: int
    max_pieces: int
    prompts = Prompts()
    words_weight = 0.55
    """Share of words in the score of `deep`, as fitted for the bundled model."""
    has_small_tokens = True
    """Whether small token vectors of passages are worth their room."""
    is_fastest = False
    """Whether no other way to run the model embeds many passages faster."""

    def prompt(self, *, query: bool) -> str:
        """Return what the model wants before a question, or a passage."""
        return self.prompts.query if query else self.prompts.document

    @abstractmethod
    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into word pieces, uncut however long they are."""

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Encode passages of notes."""
        return self.encode_all(texts, query=False)

    def encode_query(self, text: str) -> Encoded:
        """Encode a question."""
        return self.encode_all([text], query=True)[0]

    @abstractmethod
    def encode_all(self, texts: Sequence[str], *, query: bool) -> list[Encoded]:
        """Encode texts as questions, or as passages."""


class PieceEmbedder(Embedder):
    """What embedders have in common whose tokenizer is here."""

    def __init__(self, facts: Facts, tokenizer: "Tokenizer") -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self.fingerprint, self.dimension = facts.fingerprint, facts.dimension
        self.prompts, self._pad, self._tokenizer = facts.prompts, facts.pad, tokenizer
        # Some tokenizers add a special piece on one side only, and some none.
        self._room = max(0, facts.length - tokenizer.num_special_tokens_to_add(False))
        longest = max(map(len, self.spans([facts.prompts.query, facts.prompts.document])))
        self.max_pieces = max(1, self._room - longest)

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into word pieces, uncut however long they are."""
        return [encoding.offsets for encoding in self._cut(texts)]

    def _cut(self, texts: Sequence[str]) -> list["Encoding"]:
        return self._tokenizer.encode_batch([readable(text) for text in texts], add_special_tokens=False)


class ModelEmbedder(PieceEmbedder):
    """The embedder of one loaded model, whatever runs it."""

    def __init__(self, facts: Facts, tokenizer: "Tokenizer", run: Pass, batch: int) -> None:
        super().__init__(facts, tokenizer)
        self._run, self._batch = run, batch

    def encode_all(self, texts: Sequence[str], *, query: bool) -> list[Encoded]:
        """Encode texts as questions, or as passages."""
        prompt = self.prompt(query=query)
        rows = [self._row(encoding, len(prompt)) for encoding in self._cut([prompt + text for text in texts])]
        sizes = [len(ids) for ids, _ in rows]
        size = max(1, self._batch * USUAL_PIECES // max(USUAL_PIECES, *sizes, 1))
        # The longest first, so that too little memory shows at once.
        order = sorted(range(len(rows)), key=lambda at: -sizes[at])
        encoded: dict[int, Encoded] = {}
        for start in range(0, len(order), size):
            batch = order[start : start + size]
            # A model without special pieces sees nothing of an empty text: give it one masked piece.
            width = max(1, sizes[batch[0]])
            mask = (np.arange(width) < np.array([sizes[at] for at in batch])[:, None]).astype(np.int64)
            ids = np.full(mask.shape, self._pad, np.int64)
            ids[mask > 0] = np.concatenate([rows[at][0] for at in batch])
            vectors, tokens = self._run(ids, mask)
            for at, vector, pieces in zip(batch, vectors, tokens, strict=True):
                encoded[at] = Encoded(vector, pieces[: sizes[at]][rows[at][1]])
        return [encoded[at] for at in range(len(texts))]

    def _row(self, encoding: "Encoding", prompt: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the ids of all pieces that the model reads, and which of them are the text's own."""
        # Cut before the special pieces are added, so that the last one is never lost.
        encoding.truncate(self._room)
        whole = self._tokenizer.post_process(encoding)
        # The prompt's last piece may reach over the blank to the text; no piece of the text ends before it.
        ends = np.array([end for _, end in whole.offsets], dtype=np.int64)
        special = np.array(whole.special_tokens_mask, dtype=bool)
        return np.array(whole.ids, dtype=np.int64), ~special & (ends > prompt) if prompt else ~special


def readable(text: str) -> str:
    """Replace what UTF-8 cannot hold (a file name's stray bytes), one for one, so that offsets stay right."""
    return LONE_SURROGATE.sub("\ufffd", text)


def token_dimension(dimension: int) -> int:
    """Return the dimension of small token vectors for a model's dimension."""
    return min(TOKEN_DIMENSION, dimension)


def project(tokens: Vectors) -> Vectors:
    """Project token vectors of shape (tokens, dimension) to unit rows of few dimensions.

    Random signs keep cosines nearly as they were, for any model, and are the same on every machine.

    Source: Achlioptas, Database-friendly random projections, PODS 2001.
    """
    small = tokens @ _signs(tokens.shape[1])
    lengths = np.linalg.norm(small, axis=1, keepdims=True)
    unit: Vectors = (small / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit


def quantize(tokens: Vectors) -> NDArray[np.int8]:
    """Round unit rows to eight bits a number, in steps of 1 / `SCALE`."""
    return np.rint(tokens * SCALE).astype(np.int8)


@lru_cache(maxsize=4)
def _signs(dimension: int) -> Vectors:
    width = token_dimension(dimension)
    data = shake_256(b"token projection").digest((dimension * width + 7) // 8)
    bits = np.unpackbits(np.frombuffer(data, np.uint8))[: dimension * width]
    return (bits.reshape(dimension, width) * 2.0 - 1.0).astype(np.float32)
