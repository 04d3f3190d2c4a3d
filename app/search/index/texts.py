"""The texts of notes in the forms in which queries ask: as they stand, without case, without accents."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from app.search.lexical.analysis import fold
from app.vault.paths import plain_signs

MAX_KEPT = 64_000_000
"""How many bytes of notes one snapshot keeps; the rest is unpacked each time."""

_ASCII = bytes(range(0x80))
_FOLDED = re.compile(
    b"|".join(
        chr(sign).encode() for sign in (*map(ord, "ßİŉſǰẖẗẘẙẚẞ\u212aﬀﬁﬂﬃﬄﬅﬆ\xad"), *range(0x300, 0x370))
    )
)
"""What has plain letters in it without case, or stands between them unseen, as UTF-8."""
_BLANKS = (
    rb"(?:[\s\x1c-\x1f]|\xc2[\x85\xa0]|\xe1\x9a\x80"
    rb"|\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|\xe3\x80\x80)+"
)
"""What finds whitespace in a text, as UTF-8."""
LONG_TEXT = 200
"""A longer text, in characters, is not looked for by a pattern, which reads on from each false start."""


@lru_cache(maxsize=64)
def _in_a_row(words: tuple[str, ...]) -> re.Pattern[bytes]:
    """Return what finds words in a row in a text in UTF-8."""
    return re.compile(_BLANKS.join(re.escape(_packed(word)) for word in words))


def without_case(text: str) -> str:
    """Return the form in which texts are compared without case: with one kind of apostrophe and hyphen."""
    return plain_signs(text.casefold())


def _is_bare(word: str) -> bool:
    """Return whether a word has plain letters alone, and neither apostrophe nor hyphen."""
    return word.isascii() and "'" not in word and "-" not in word


def _packed(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


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
            self._plain = without_case(self.raw)
        return self._plain

    @property
    def written(self) -> str:
        """The text with its case, and with one kind of apostrophe and hyphen."""
        return plain_signs(self.raw)

    @property
    def folded(self) -> str:
        """The text without case and accents."""
        if self._folded is None:
            self._folded = fold(self.raw)
        return self._folded


class Texts:
    """The texts of one snapshot's notes, of which the first that are asked for are kept, as UTF-8.

    A text with a single emoji takes four bytes a letter in Python; to decode it costs a hundredth of what
    unpacking does. The first and not the last are kept: of a query that reads more than there is room for,
    the next one then finds some, where of the last it would find none.
    """

    def __init__(self, unpack: Callable[[int], str]) -> None:
        self._unpack = unpack
        self._kept: dict[int, bytes] = {}
        self._room = MAX_KEPT

    def __getitem__(self, doc: int) -> TextForms:
        return TextForms(self._bytes(doc).decode("utf-8", "surrogatepass"))

    def lines_of(self, doc: int, words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        """Yield the first and the last line, from 1, of each place where a text has words in a row.

        Case aside, and whatever whitespace stands between the words; these, one at least, are without case.
        """
        low = self._without_case(doc, words)
        search, line, before = _in_a_row(words).search, 1, 0
        while (found := search(low, before)) is not None:
            start = found.start()
            line += low.count(b"\n", before, start)
            yield line, line + low.count(b"\n", start, found.end())
            # One place may begin inside another.
            before = start + 1

    def lines_with(self, doc: int, word: str) -> Iterator[str]:
        """Yield the lines of a text that have a word, without case and whitespace; maybe some others."""
        raw, low, wanted = self._bytes(doc), self._without_case(doc, (word,)), _packed(word)
        if low != raw.lower():
            yield from self[doc].raw.split("\n")
            return
        at = low.find(wanted)
        while at >= 0:
            end = low.find(b"\n", at)
            end = end if end >= 0 else len(low)
            yield raw[low.rfind(b"\n", 0, at) + 1 : end].decode("utf-8", "surrogatepass")
            at = low.find(wanted, end)

    def _without_case(self, doc: int, words: tuple[str, ...]) -> bytes:
        """Return a text without case, as far as some words can tell."""
        raw = self._bytes(doc)
        # Bytes are freed of the case of plain letters several times as fast as a text of that of all.
        odd = b"" if raw.isascii() else raw.translate(None, _ASCII)
        is_plain = not odd or (all(map(_is_bare, words)) and not _FOLDED.search(odd))
        return raw.lower() if is_plain else _packed(self[doc].plain)

    def holds(self, doc: int, words: tuple[str, ...]) -> bool:
        """Return whether a text, case aside, has words without case in a row."""
        return next(self.lines_of(doc, words), None) is not None

    def _bytes(self, doc: int) -> bytes:
        packed = self._kept.get(doc)
        if packed is None:
            packed = _packed(self._unpack(doc))
            # Two threads may both count one text, which leaves less room and never more.
            if len(packed) <= self._room:
                self._room -= len(packed)
                self._kept[doc] = packed
        return packed
