"""Bring text into a normal form of Unicode at a cost that grows with its length alone."""

import re
import unicodedata
from functools import lru_cache
from typing import Literal

Form = Literal["NFC", "NFKD"]

# Signs that may be marks on the letter before them: none is part of a word, but for two of kana.
_MANY_MARKS = re.compile("(?:[^\\w\\s\0-\x7f]|[\uff9e\uff9f]){33,}")

STEP = 32
"""Every so many characters are looked at: a longer run of marks has one of these."""


def normalized(form: Form, text: str) -> str:
    """Give ``unicodedata.normalize(form, text)``.

    That sorts the marks on one letter by insertion, which for a hundred thousand of them takes a minute; here
    those of a long run are in order before.
    """
    if text.isascii():
        return text
    if len(text) > STEP and any(map(_is_mark, set(text[::STEP]))):
        text = _MANY_MARKS.sub(lambda run: _in_order(form, run[0]), text)
    return unicodedata.normalize(form, text)


@lru_cache(maxsize=4096)
def _is_mark(sign: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFKD", sign)[0]) != 0


def _in_order(form: Form, run: str) -> str:
    """Take signs apart and sort the marks between those that are none, equal ones in the order they come."""
    apart = "".join(unicodedata.normalize("NFD" if form == "NFC" else form, sign) for sign in run)
    ordered: list[str] = []
    marks: list[str] = []
    for sign in apart:
        if unicodedata.combining(sign):
            marks.append(sign)
        else:
            ordered += [*sorted(marks, key=unicodedata.combining), sign]
            marks.clear()
    return "".join([*ordered, *sorted(marks, key=unicodedata.combining)])
