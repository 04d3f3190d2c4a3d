"""Text that comes in pieces, broken between words as it comes."""

import re

from app.search.show.listing import columns

_WORD = re.compile(r"\n| +|[^ \n]+")


class Flow:
    """Breaks lines between words where a terminal would break them inside of one.

    A word is held back until its end has come; `rest` gives what is still held.

    Args:
        width: Columns of the terminal; 0 where there is none, so that all passes as it is.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._used = 0
        self._held = self._blanks = ""

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
            self._used, self._blanks = 0, ""
            return word
        if word.isspace():
            self._blanks += word
            return ""
        before, self._blanks = self._blanks, ""
        size = len(before) + columns(word)
        if self._used and self._used + size > self._width:
            self._used = size - len(before)
            return f"\n{word}"
        self._used += size
        return before + word
