"""The texts of notes in the forms in which queries ask: as they stand, without case, without accents."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from app.search.lexical.analysis import fold

MAX_KEPT = 64_000_000
"""How many bytes of notes, as they are and folded, one snapshot keeps; the rest is made each time."""

_FOLDED = re.compile(
    b"|".join(
        chr(sign).encode()
        for sign in (
            *(0xDF, 0x130, 0x149, 0x17F, 0x1F0, 0x1E9E, 0x212A),
            *range(0x1E96, 0x1E9B),
            *range(0xFB00, 0xFB07),
        )
    )
)
"""The signs beyond ASCII that have plain letters in them without case, as UTF-8."""

_BLANK_SIGNS = (
    *(*range(0x09, 0x0E), *range(0x1C, 0x21), 0x85, 0xA0, 0x1680),
    *(*range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
)
_BLANKS = b"(?:%s)+" % b"|".join(re.escape(chr(sign).encode()) for sign in _BLANK_SIGNS)
"""What finds one or more signs that are blanks in a text, as UTF-8."""


@lru_cache(maxsize=64)
def _in_a_row(words: tuple[str, ...]) -> re.Pattern[bytes]:
    """Return what finds words in a row in a text in UTF-8."""
    return re.compile(_BLANKS.join(re.escape(word.encode("utf-8", "surrogatepass")) for word in words))


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

    def has(self, doc: int, pieces: Iterable[str]) -> bool:
        """Return whether a text, case aside, has some pieces of text without case, each of them somewhere."""
        raw = self._packed(self._raw, doc, lambda: self._unpack(doc))
        # Bytes are searched several times as fast as a text is decoded and freed of its case.
        low, whole = raw.lower(), None
        for piece in pieces:
            if piece.encode("utf-8", "surrogatepass") in low:
                continue
            if piece.isascii() and not _FOLDED.search(raw):
                return False
            whole = raw.decode("utf-8", "surrogatepass").casefold() if whole is None else whole
            if piece not in whole:
                return False
        return True

    def holds(self, doc: int, words: tuple[str, ...], finds: Callable[[str], bool]) -> bool:
        """Return whether a text, case aside, has words without case in a row.

        ``finds`` tells it of the text without case; it is asked where its bytes do not tell.
        """
        raw = self._packed(self._raw, doc, lambda: self._unpack(doc))
        low = raw.lower()
        if " ".join(words).encode("utf-8", "surrogatepass") in low or _in_a_row(words).search(low):
            return True
        if all(map(str.isascii, words)) and not _FOLDED.search(raw):
            return False
        return finds(raw.decode("utf-8", "surrogatepass").casefold())

    def _form(self, kept: dict[int, bytes], doc: int, make: Callable[[], str]) -> str:
        return self._packed(kept, doc, make).decode("utf-8", "surrogatepass")

    def _packed(self, kept: dict[int, bytes], doc: int, make: Callable[[], str]) -> bytes:
        packed = kept.get(doc)
        if packed is None:
            packed = make().encode("utf-8", "surrogatepass")
            # Two threads may both count one text, which leaves less room and never more.
            if len(packed) <= self._room:
                self._room -= len(packed)
                kept[doc] = packed
        return packed
