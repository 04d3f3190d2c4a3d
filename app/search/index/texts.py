"""The texts of notes in the forms in which queries ask: as they stand, without case, without accents."""

from collections.abc import Callable

from app.search.lexical.analysis import fold

MAX_KEPT = 40_000_000
"""How many bytes of notes, in all their forms, one snapshot keeps; the rest is unpacked each time."""


class TextForms:
    """A text that several questions are asked of; its other forms are made when first needed.

    ``keep`` gives a form of the text that is kept elsewhere, from its name and what makes it.
    """

    __slots__ = ("_folded", "_keep", "_plain", "raw")

    def __init__(
        self,
        raw: str,
        plain: str | None = None,
        keep: Callable[[str, Callable[[], str]], str] | None = None,
    ) -> None:
        self.raw = raw
        self._plain = plain
        self._folded: str | None = None
        self._keep = keep

    @property
    def plain(self) -> str:
        """The text without case."""
        if self._plain is None:
            make = self.raw.casefold
            self._plain = self._keep("plain", make) if self._keep else make()
        return self._plain

    @property
    def folded(self) -> str:
        """The text without case and accents."""
        if self._folded is None:
            raw = self.raw
            self._folded = self._keep("folded", lambda: fold(raw)) if self._keep else fold(raw)
        return self._folded


class Texts:
    """The texts of one snapshot's notes, of which the first that are asked for are kept, as UTF-8.

    A text with a single emoji takes four bytes a letter in Python; to decode it costs a hundredth of what
    unpacking does. The first and not the last are kept: of a query that reads more than there is room for,
    the next one then finds some, where of the last it would find none.
    """

    def __init__(self, unpack: Callable[[int], str]) -> None:
        self._unpack = unpack
        self._kept: dict[str, dict[int, bytes]] = {"raw": {}, "plain": {}, "folded": {}}
        self._room = MAX_KEPT

    def __getitem__(self, doc: int) -> TextForms:
        raw = self._form(doc, "raw", lambda: self._unpack(doc))
        return TextForms(raw, keep=lambda name, make: self._form(doc, name, make))

    def _form(self, doc: int, name: str, make: Callable[[], str]) -> str:
        kept = self._kept[name]
        packed = kept.get(doc)
        if packed is not None:
            return packed.decode("utf-8", "surrogatepass")
        text = make()
        packed = text.encode("utf-8", "surrogatepass")
        # Two threads may both count one text, which leaves less room and never more.
        if len(packed) <= self._room:
            self._room -= len(packed)
            kept[doc] = packed
        return text
