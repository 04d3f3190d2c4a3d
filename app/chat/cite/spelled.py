"""Numbers in words, in English and in French."""

import re
from collections.abc import Iterable, Iterator

_ONE_BY_ONE = """
zero zéro/one un une/two deux/three trois/four quatre/five cinq/six/seven sept/eight huit/nine neuf/ten dix
/eleven onze/twelve douze/thirteen treize/fourteen quatorze/fifteen quinze/sixteen seize/seventeen/eighteen
/nineteen
"""
ONES = {word: value for value, words in enumerate(_ONE_BY_ONE.split("/")) for word in words.split()}
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "vingt": 20, "vingts": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60,
    "septante": 70, "huitante": 80, "octante": 80, "nonante": 90,
}  # fmt: skip
_HUNDREDS = {"hundred": 100, "cent": 100, "cents": 100}
_THOUSANDS = {
    "thousand": 10**3, "mille": 10**3, "million": 10**6, "millions": 10**6, "billion": 10**9,
    "milliard": 10**9, "milliards": 10**9,
}  # fmt: skip


def any_of(words: Iterable[str]) -> str:
    """Return a piece of an expression that meets any of some words, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_SMALL = any_of([*ONES, *TENS, *_HUNDREDS, *_THOUSANDS])
SPELLED = rf"(?:{_SMALL})(?:(?:[ \t\n]+(?:et|and)[ \t\n]+|-et-|[ \t\n]+|-)(?:{_SMALL}))*"


def spelled(words: str, start: int) -> Iterator[tuple[int, int, int]]:
    """Yield the numbers of a run of number words, each with where it stands."""
    total = group = 0
    begin = end = -1
    last = 0
    for match in re.finditer(r"[^\W\d_]+", words):
        word = match[0].lower()
        if word in ("et", "and"):
            continue
        value = ONES.get(word, TENS.get(word, _HUNDREDS.get(word, _THOUSANDS.get(word, 0))))
        continues = begin >= 0 and (
            (
                word in ONES
                and last in (20, 30, 40, 50, 60, 70, 80, 90)
                and 0 < value < (20 if last in (60, 80) else 10)
            )
            or (word in ONES and last == 10 and value in (7, 8, 9))
            or (word in ("vingt", "vingts") and last == 4)
            or (word in _HUNDREDS and 0 < group < 100)
            or (word in _THOUSANDS and group > 0)
            or (last in (100, 1000, 10**6, 10**9) and word in (ONES | TENS) and value)
            or (last in (1000, 10**6, 10**9) and word in _HUNDREDS)
        )
        if begin >= 0 and not continues:
            yield total + group, start + begin, start + end
            total = group = 0
            begin = -1
        if begin < 0:
            begin = match.start()
        end = match.end()
        if word in _THOUSANDS:
            total, group = total + max(group, 1) * value, 0
        elif word in _HUNDREDS:
            group = max(group, 1) * 100
        elif word in ("vingt", "vingts") and last == 4 and continues:
            group, value = group - 4 + 80, 80
        else:
            group += value
        last = value
    if begin >= 0:
        yield total + group, start + begin, start + end


def word_value(words: str) -> int:
    """Return the first number of a run of number words."""
    return next(spelled(words, 0))[0]
