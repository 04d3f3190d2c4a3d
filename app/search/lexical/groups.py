"""The languages of a vault that have statistics of their own: which chunks are taken together."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.language import LANGUAGES
from app.search.lexical.segment import Parts
from app.search.lexical.sparse import Ids, concatenated
from app.search.lexical.statistics import Group

LEAST_SHARE: Final = 0.1
LEAST_CHUNKS: Final = 50
"""A language of a smaller share of the chunks, or of fewer, has no statistics of its own.

Among a handful of chunks no word is rare, so that words which no chunk has would outweigh all others.
"""


class Groups:
    """The chunks of one snapshot by language; those of a language of few belong to the largest group.

    Args:
        parts: The segments, each with its first document.
        live: The documents that are live chunks.
    """

    def __init__(self, parts: Parts, live: NDArray[np.bool_]) -> None:
        self._parts, self._live = parts, live

    @cached_property
    def language_of(self) -> NDArray[np.uint8]:
        """The language of each document's note."""
        return concatenated((part.languages() for _, part in self._parts), np.uint8)

    @cached_property
    def documents(self) -> Sequence[Group]:
        """The documents of each group."""
        if not self._shared:
            return (slice(None),)
        return [np.flatnonzero(self.group_of == number) for number in range(len(self._shared))]

    def of(self, doc: int) -> int:
        """Return the number of a document's group."""
        return int(self.group_of[doc])

    def number(self, language: int | None) -> int | None:
        """Return the number of a language's group; None for one without statistics of its own."""
        return self._shared.index(language) if language in self._shared else None

    def counted(self, docs: Ids) -> list[int]:
        """Count some documents by group."""
        if not self._shared:
            return [len(docs)]
        counts: list[int] = np.bincount(self.group_of[docs], minlength=len(self._shared)).tolist()
        return counts

    @cached_property
    def _chunks(self) -> Ids:
        """How many chunks of the vault are in each language."""
        return np.bincount(self.language_of[self._live], minlength=len(LANGUAGES))

    @cached_property
    def _shared(self) -> list[int]:
        """The languages that have groups, by number; none where all are one group."""
        counts = self._chunks
        found: list[int] = np.flatnonzero(counts >= max(LEAST_CHUNKS, LEAST_SHARE * counts.sum())).tolist()
        return found if len(found) > 1 else []

    @cached_property
    def _numbers(self) -> NDArray[np.uint8]:
        """The number of each language's group."""
        numbers = np.zeros(len(LANGUAGES), np.uint8)
        if self._shared:
            numbers[:] = self._shared.index(int(self._chunks.argmax()))
            numbers[self._shared] = np.arange(len(self._shared))
        return numbers

    @cached_property
    def chunk_counts(self) -> list[int]:
        """How many chunks of the vault each group has."""
        counts: list[int] = (
            np.bincount(self._numbers, self._chunks, max(len(self._shared), 1)).astype(int).tolist()
        )
        return counts

    @cached_property
    def group_of(self) -> NDArray[np.uint8]:
        """The number of each document's group."""
        return self._numbers[self.language_of]
