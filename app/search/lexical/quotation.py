"""Tell what stands in quotation marks from the rest of a text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

# No sign that opens a quotation stands inside one: a row of them would be looked through again from each.
# An apostrophe inside a word closes nothing.
_QUOTED = re.compile(
    r"\"([^\"]*)\"|“([^“”]*)”|«([^«»]*)»|„([^„“”]*)[“”]"
    r"|\u2018((?:[^\u2018\u2019]|\u2019(?=\w))*)\u2019(?!\w)"
)


class Piece(NamedTuple):
    """A part of a text, without the marks around it; ``start`` and ``end`` count them in."""

    text: str
    start: int
    end: int
    quoted: bool


def pieces(text: str) -> Iterator[Piece]:
    """Yield what stands in quotation marks and what stands between, in order."""
    at = 0
    for found in _QUOTED.finditer(text):
        if at < found.start():
            yield Piece(text[at : found.start()], at, found.start(), quoted=False)
        inside = next(group for group in found.groups() if group is not None)
        yield Piece(inside, found.start(), found.end(), quoted=True)
        at = found.end()
    if at < len(text):
        yield Piece(text[at:], at, len(text), quoted=False)
