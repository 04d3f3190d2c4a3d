"""Find how the notes write a telephone number that is asked for, whatever its blanks, dots and prefix."""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Mask
from app.search.query.time_window import window_of
from app.search.query.tree import Or, Query, Text
from app.vault.dates import local_today

LEAST_DIGITS, MOST_DIGITS = 7, 14
MOST_WRITINGS = 8
MOST_READ = 200
"""Most notes that are read for the ways in which they write the number."""

_SIGN = r"[ \u00a0\u202f./()\-\u2010\u2011]"
_NUMBER = re.compile(rf"\+?\(?\d(?:{_SIGN}{{0,2}}\d)*")
_GROUP = re.compile(r"\d+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_COUNTRY = r"(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[1-9]\d{2})"
"""A calling code: those of one and two digits are given out for good, and all others have three."""
_ABROAD = re.compile(rf"(?:\+|00)(?P<country>{_COUNTRY})0?(?P<own>\d+)")


def as_written(snapshot: VaultSnapshot, query: Query) -> Query:
    """Return a query that asks for a telephone number alone with the ways in which notes write that number.

    Any other query, and a number that no note writes otherwise than it was typed, is returned as it is.
    """
    typed = query.text.strip()
    if not _is_number(typed) or window_of(query, local_today()) is not None:
        return query
    digits = "".join(_GROUP.findall(typed))
    written, own = _written(("+" if typed.startswith("+") else "") + digits)
    if len(own) < LEAST_DIGITS - 1:
        # "0012024" is no number of some country.
        return query
    notes = snapshot.cached_mask(("telephone", own), lambda: _candidates(snapshot, own))
    ways = dict.fromkeys(
        found[0]
        for note in np.flatnonzero(notes)[:MOST_READ].tolist()
        for found in written.finditer(snapshot.texts[note].raw)
    )
    ways.pop(typed, None)
    if not ways:
        return query
    some = tuple(ways)[:MOST_WRITINGS]
    root = Or(tuple(Text(way, quoted=True) for way in (typed, *some)))
    return replace(query, root=root, is_plain=False, writings=some)


def _is_number(text: str) -> bool:
    """Return whether a text is one number of so many digits, and no years beside each other."""
    groups = _GROUP.findall(text)
    return (
        bool(_NUMBER.fullmatch(text))
        and LEAST_DIGITS <= sum(map(len, groups)) <= MOST_DIGITS
        and not any(map(_YEAR.fullmatch, groups))
    )


def _written(number: str) -> tuple[re.Pattern[str], str]:
    """Return what finds a number in a text, and its digits without the prefix of a country or region."""
    abroad = _ABROAD.fullmatch(number)
    country = abroad["country"] if abroad else _COUNTRY
    own = abroad["own"] if abroad else number.removeprefix("+").removeprefix("0")
    between = f"{_SIGN}{{0,2}}"
    before = rf"(?:\+|00){between}{country}{between}(?:0{between})?"
    if abroad or number.startswith("0"):
        before = f"{before}|0{between}"
    if abroad or not number.startswith("0"):
        # Nothing before it, not even the code of another country or of a region.
        before = rf"{before}|(?<!\d{_SIGN})(?<!\d{_SIGN}{{2}})"
    return re.compile(rf"(?<![\d+.,])\(?(?:{before}){between.join(own)}(?!\d)"), own


def _candidates(snapshot: VaultSnapshot, own: str) -> Mask:
    """Return the notes that may be shown and have the digits in a row, cut into words in any way."""
    shown = snapshot.chunks_of(snapshot.visible)
    found = [snapshot.lexical.phrase(" ".join(groups), shown) for groups in _cut(own)]
    return snapshot.notes_of(np.concatenate(found))


def _cut(digits: str) -> Iterator[tuple[str, ...]]:
    """Yield the ways to cut digits into groups; only the first may be of a single digit."""
    yield (digits,)
    for at in range(1, len(digits) - 1):
        yield from ((*groups, digits[at:]) for groups in _cut(digits[:at]) if at == 1 or len(groups[-1]) > 1)
