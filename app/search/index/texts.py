"""The texts of notes in the forms in which queries ask: as they stand, without case, without accents."""

from collections.abc import Callable

from app.search.lexical.analysis import fold

MAX_KEPT = 64_000_000
"""How many bytes of notes, as they are and folded, one snapshot keeps; the rest is made each time."""


class TextForms:
    """A text that several questions are asked of; its other forms are made when first needed.

    ``keep`` gives the folded text where it is kept elsewhere, from what makes it.
    """

    __slots__ = ("_folded", "_keep", "_plain", "raw")

    def __init__(
        self,
        raw: str,
        plain: str | None = None,
        keep: Callable[[Callable[[], str]], str] | None = None,
    ) -> None:
        self.raw = raw
        self._plain = plain
        self._folded: str | None = None
        self._keep = keep

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
            raw = self.raw
            self._folded = self._keep(lambda: fold(raw)) if self._keep else fold(raw)
        return self._folded


class Texts:
    """The texts of one snapshot's notes, of which the first that are asked for are kept, as UTF-8.

    A text with a single emoji takes four bytes a letter in Python; to decode it costs a hundredth of what
    unpacking does. The first and not the last are kept: of a query that reads more than there is room for,
    the next one then finds some, where of the last it would find none.
    """

    def __init__(self, unpack: Callable[[int], str]) -> None:
        self._unpack = unpack
        # Folding accents is slow, so that those texts are kept too; leaving out case is fast.
        self._raw: dict[int, bytes] = {}
        self._folded: dict[int, bytes] = {}
        self._room = MAX_KEPT

    def __getitem__(self, doc: int) -> TextForms:
        raw = self._form(self._raw, doc, lambda: self._unpack(doc))
        return TextForms(raw, keep=lambda make: self._form(self._folded, doc, make))

    def _form(self, kept: dict[int, bytes], doc: int, make: Callable[[], str]) -> str:
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
