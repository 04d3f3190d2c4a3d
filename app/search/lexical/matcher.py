"""A matcher of Whoosh over the arrays of one term."""

from typing import TYPE_CHECKING

import numpy as np
from whoosh.matching.mcore import ListMatcher

from app.search.lexical.arrays import Array
from app.search.lexical.postings import prefix_sums

if TYPE_CHECKING:
    from whoosh.formats import Format
    from whoosh.reading import TermInfo


class ArrayMatcher(ListMatcher):  # type: ignore[misc]
    """Walks the postings of a term; where its words stand is read when it is asked for."""

    def __init__(
        self,
        ids: list[int],
        tfs: list[float],
        places: Array | None,
        format_: "Format",
        scorer: object,
        term: tuple[str, bytes],
        terminfo: "TermInfo",
        at: int = 0,
    ) -> None:
        super().__init__(ids, tfs, None, format_, scorer, at, None, term, terminfo)
        self._places = places
        self._starts = None if places is None else prefix_sums(np.array(tfs, np.int64))

    def copy(self) -> "ArrayMatcher":
        """Return another that stands at the same place."""
        return ArrayMatcher(
            self._ids,
            self._weights,
            self._places,
            self._format,
            self._scorer,
            self._term,
            self._terminfo,
            self._i,
        )

    def value(self) -> bytes:
        """Return where the word stands in this document."""
        if self._places is None or self._starts is None:
            return b""
        start, end = self._starts[self._i : self._i + 2]
        found: bytes = self._places[start:end].astype("<u4").tobytes()
        return found

    def skip_to_quality(self, minquality: float) -> int:
        """Go past the one block that there is where it cannot be good enough."""
        if self.block_quality() > minquality:
            return 0
        self._i = len(self._ids)
        return 1
