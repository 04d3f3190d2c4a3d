"""The texts of notes in the forms in which queries ask: as they stand, without case, without accents."""

from collections.abc import Callable

from app.search.lexical.analysis import fold

MAX_KEPT = 32_000_000
"""How many characters of notes one snapshot keeps in memory; the rest is unpacked each time."""


class TextForms:
    """A text that several questions are asked of; its other forms are made when first needed."""

    __slots__ = ("_folded", "_plain", "raw")

    def __init__(self, raw: str, plain: str | None = None) -> None:
        self.raw = raw
        self._plain = plain
        self._folded: str | None = None

    @property
    def plain(self) -> str:
        """The text without case."""
        if self._plain is None:
            self._plain = self.raw.casefold()
        return self._plain

    @property
    def folded(self) -> str:
        """The text without case and accents."""
        if self._folded is None:
            self._folded = fold(self.raw)
        return self._folded


class Texts:
    """The texts of one snapshot's notes, of which the first that are asked for are kept.

    The first and not the last: of a query that reads more than there is room for, the next one then finds
    some, where of the last it would find none.
    """

    def __init__(self, unpack: Callable[[int], str]) -> None:
        self._unpack = unpack
        self._kept: dict[int, TextForms] = {}
        self._room = MAX_KEPT

    def __getitem__(self, doc: int) -> TextForms:
        found = self._kept.get(doc)
        if found is None:
            found = TextForms(self._unpack(doc))
            # Two threads may both count one text, which leaves less room and never more.
            if len(found.raw) <= self._room:
                self._room -= len(found.raw)
                self._kept[doc] = found
        return found
