"""What the program asks of an embedding model, whatever runs it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

Spans = list[tuple[int, int]]
"""Where each word piece of a text stands, as start and end in characters; special pieces left out."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """One text as a model sees it.

    ``vector`` has shape (dimension,) and ``tokens`` (pieces, dimension), one row for each word piece that is
    not special and was not cut off; all rows have length 1.
    """

    vector: Vectors
    tokens: Vectors


class Embedder(Protocol):
    """A model that turns texts into vectors; safe to use from many threads."""

    @property
    def fingerprint(self) -> str:
        """Names everything that decides a vector, but not what runs the model: equal ones may be mixed."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    @property
    def max_pieces(self) -> int:
        """Most word pieces of one text that the model sees, special pieces and the prompt left out."""

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into word pieces, uncut however long they are."""

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Encode passages of notes."""

    def encode_query(self, text: str) -> Encoded:
        """Encode a question."""
