"""Text that comes in pieces, broken between words as it comes."""

import re

from app.search.show.listing import columns

_WORD = re.compile(r"\n| +|[^ \n]+")
_SIGN = re.compile(r"[>*+-]|\d{1,9}[.)]")


class Flow:
    """Breaks lines between words where a terminal would break them inside of one.

    A word is held back until its end has come; `rest` gives what is still held.

    Args:
        width: Columns of the terminal; 0 where there is none, so that all passes as it is.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._used = 0
        self._held = ""
        self._blanks = ""
        self._margin = ""
        """What a line that goes on begins with: the sign of a quotation, blanks below that of a list."""
        self._has_begun = False
        """Whether more than such signs stands on the line."""

    def broken(self, text: str) -> str:
        """Return what can be shown after one more piece."""
        if not self._width:
            return text
        words = _WORD.findall(self._held + text)
        self._held = words.pop() if words and not words[-1].isspace() else ""
        return "".join(map(self._placed, words))

    def rest(self) -> str:
        """Return what is held back, at the end of a text that broke off."""
        held, self._held = self._held, ""
        return self._placed(held) if held else ""

    def _placed(self, word: str) -> str:
        """Return a word, a run of blanks or a line end, after the line end that it needs."""
        if word == "\n":
            self._used, self._blanks, self._margin, self._has_begun = 0, "", "", False
            return word
        if word.isspace():
            self._blanks += word
            return ""
        before, size = self._blanks, columns(word)
        self._blanks = ""
        if not self._has_begun:
            self._margin += before
            self._has_begun = not _SIGN.fullmatch(word)
            if not self._has_begun:
                self._margin += word if word == ">" else " " * size
        elif self._used + len(before) + size > self._width:
            self._used = len(self._margin) + size
            return f"\n{self._margin}{word}"
        self._used += len(before) + size
        return before + word
