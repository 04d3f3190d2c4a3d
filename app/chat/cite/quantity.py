"""The quantities that a text names, in digits or in words, with units, and when one bears another out.

What the words of English and French mean stands in `numbers.tsv` and `units.tsv`, one meaning a row.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from app.chat.cite.words import function_words
from app.search.excerpt import fold
from app.vault.dates import LOOKALIKES

ROUNDED = Fraction(2, 100)
"""How far an amount may lie from one in other units, as a share: people round what they convert."""
MONTH_ROUNDED = Fraction(8, 100)
"""The same between weeks and months, which are no exact multiples."""
MONTH_SECONDS = 2_629_800
FAR = 20
"""Most characters between the times of the day that something begins and ends at."""
_TOKEN = re.compile(
    r"(?P<digits>(?<![\w.,'’])(?<![A-Za-z]-)"
    r"(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d{1,15}(?:[.,]\d{1,15}){0,5})"
    r"(?!\d)(?![^\W\d_]+\d))"
    r"|(?P<word>°?[^\W\d_]+(?:/[^\W\d_]+)?)|(?P<sign>\S)"
)
_CLOCK = re.compile(
    r"(?<![\w:.,])(?P<hour>[01]?\d|2[0-4])(?::(?P<minute>[0-5]\d)(?::[0-5]\d)?|\s?h\s?(?P<after>[0-5]\d)"
    r"|\.(?P<point>[0-5]\d)(?=\s?[ap]\.?m))?(?:\s?(?P<half>[ap])\.?m(?!\w)\.?)?(?![\w:])"
)
_MONEY = ("€", "$", "£", "¥")
_BETWEEN = ("-", "–", "x", "×", "/")
"""What stands between two numbers of one unit, beside small words."""
_SHORT = frozenset("smglwvh") | {"to", "go", "mo", "mi", "an", "min"}
"""Units that are words or letters of their own where no digits stand before them."""


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    word: str
    """Folded; empty for digits."""


_END = _Token(-1, -1, "", "\0")
_Unit = tuple[str, Fraction]
"""What is measured, and how much of its base unit is one."""
_HOUR: _Unit = ("second", Fraction(3600))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text, from ``start`` to ``end``, in every way in which it can be read.

    ``measures`` holds what is measured with the amount in the base unit, such as ``("second", 3600)`` for an
    hour; empty where the unit is none of those known. ``clock`` is minutes since midnight, ``per second``
    what "an hour" says in "€4 an hour".
    """

    start: int
    end: int
    text: str
    values: frozenset[Fraction]
    measures: frozenset[tuple[str, Fraction]] = frozenset()
    unit: str = ""
    """The unit as it is written, folded."""
    is_article: bool = False
    """Whether it is "one", "un" or "une" without a unit, which are mostly articles and pronouns."""

    @property
    def kinds(self) -> set[str]:
        """What it measures."""
        return {of for of, _ in self.measures}

    @property
    def is_rate(self) -> bool:
        """Whether it says for how long an amount is."""
        return any(of.startswith("per ") for of in self.kinds)

    def agrees(self, other: "Quantity") -> bool:
        """Return whether a quantity of the notes, ``other``, bears this one of an answer out."""
        if not self.measures or not other.measures:
            return bool(self.values & other.values)
        units = [_units().get(each.unit) for each in (self, other)]
        is_converted = None not in units and units[0] != units[1]
        return bool(self.measures & other.measures) or any(
            is_converted and _is_rounded(one, another) for one in self.measures for another in other.measures
        )


def find_quantities(text: str) -> list[Quantity]:
    """Find the quantities of a text, in order; dates are none, and have to be blanked out before."""
    text = text.translate(LOOKALIKES)
    found = list(_clocks(text))
    taken = bytearray(len(text) + 1)
    for each in found:
        taken[each.start : each.end] = b"\1" * (each.end - each.start)
    reader = _Reader(text)
    while (token := reader.peek()) is not _END:
        read = None if taken[token.start] else reader.quantity()
        if read is None:
            reader.at += 1
            continue
        found.append(read)
        if (rate := reader.rate()) is not None:
            found.append(rate)
    return _with_shared_units(text, sorted(found, key=lambda each: each.start))


def lasting(quantities: Sequence[Quantity]) -> Iterator[Quantity]:
    """Yield how long it is from one time of the day to the next, where the two stand side by side."""
    clocks = [each for each in quantities if "clock" in each.kinds]
    for first, second in pairwise(clocks):
        if second.start - first.end <= FAR:
            earlier, later = (
                next(amount for of, amount in each.measures if of == "clock") for each in (first, second)
            )
            measures = frozenset({("second", (later - earlier) % 1440 * 60)})
            yield Quantity(first.start, second.end, "", frozenset(), measures, "s")


@cache
def _rows(name: str) -> list[tuple[str, Fraction, list[str]]]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return [(kind, Fraction(value), [fold(word) for word in words.split()]) for kind, value, words in rows]


@cache
def _meanings(kind: str) -> Mapping[str, Fraction]:
    return {word: value for of, value, words in _rows("numbers.tsv") if of == kind for word in words}


@cache
def _units() -> Mapping[str, tuple[str, Fraction]]:
    return {word: (of, factor) for of, factor, words in _rows("units.tsv") for word in words}


def _measures(unit: _Unit, values: set[Fraction]) -> frozenset[_Unit]:
    return frozenset((unit[0], value * unit[1]) for value in values)


def _is_rounded(one: _Unit, other: _Unit) -> bool:
    """Return whether two amounts are the same but for the rounding of a conversion."""
    if {one[0], other[0]} == {"second", "month"}:
        own, its = (amount * (MONTH_SECONDS if of == "month" else 1) for of, amount in (one, other))
        return abs(own - its) <= own * MONTH_ROUNDED
    return one[0] == other[0] and abs(one[1] - other[1]) <= abs(one[1]) * ROUNDED


class _Reader:
    """Reads the quantities of a text from left to right, but for the times of the day."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.tokens = [
            _Token(*match.span(), match[0], "" if match["digits"] else fold(match[0]))
            for match in _TOKEN.finditer(text)
        ]

    def peek(self, ahead: int = 0) -> _Token:
        """Return a token from here on; behind the last one, a token of no meaning."""
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else _END

    def quantity(self) -> Quantity | None:
        """Read the number that begins here with its unit, and step behind it; None where none begins."""
        begin, first = self.at, self.peek()
        money = first.text if first.text in _MONEY and not self.peek(1).word else ""
        self.at += bool(money)
        read = self._number()
        if read is None:
            self.at = begin
            return self._unit_and_part()
        values, is_part = read
        times = self._multiple()
        part = self._part()
        values = {value * times + part for value in values}
        if money:
            return self._made(begin, values, _measures(_units()[money], values), money)
        is_word = bool(first.word)
        of, unit = self._unit(is_word=is_word, skips=2 if is_part or times > 1 else 0)
        if of is None:
            measures = frozenset(("percent", value * 100) for value in values) if is_part else frozenset()
            return self._made(begin, values, measures, is_article=is_word and values == {1})
        part = self._part()
        values = {value + part for value in values}
        measures = _measures(of, values)
        if of == _HOUR:
            measures |= {("clock", value * 60 % 1440) for value in values if value <= 24}
        return self._made(begin, values, measures, unit)

    def rate(self) -> Quantity | None:
        """Read "a month" or "par jour" here, or at most two words behind; None, and no step, without it."""
        begin = self.at
        for self.at in range(begin, begin + 3):
            of = _units().get(self.peek(1).word, ("", 0))
            if self.peek().word in _meanings("per") and of[0] in ("second", "month"):
                self.at += 2
                return self._made(self.at - 2, {Fraction(1)}, frozenset({(f"per {of[0]}", Fraction(of[1]))}))
            if not self.peek().text.isalpha():
                break
        self.at = begin
        return None

    def _made(
        self,
        begin: int,
        values: set[Fraction],
        measures: frozenset[tuple[str, Fraction]] = frozenset(),
        unit: str = "",
        *,
        is_article: bool = False,
    ) -> Quantity:
        start, end = self.tokens[begin].start, self.tokens[self.at - 1].end
        return Quantity(start, end, self.text[start:end], frozenset(values), measures, unit, is_article)

    def _number(self) -> tuple[set[Fraction], bool] | None:
        """Read a number alone: what it can mean, and whether it is a part such as "half"."""
        token = self.peek()
        if not token.word:
            values = _readings(token.text)
            self.at += 1
            before = self.text[: token.start]
            if before[-1:] in ("-", "−") and not before[-2:-1].isalnum():
                values = {-value for value in values}
        elif self.at and self.peek(-1).end == token.start and self.peek(-1).text in ("-", "'"):
            return None
        elif (part := _meanings("part").get(token.word)) is not None:
            self.at += 1
            return {part}, True
        elif (spelled := self._spelled()) is not None:
            values = {spelled}
        else:
            return None
        part = _meanings("part").get(self.peek().word)
        if part is None:
            return values, False
        self.at += 1
        return {value * part for value in values}, True

    def _spelled(self) -> Fraction | None:
        """Read number words in a row, such as "quatre-vingt-dix" or "two hundred and six"."""
        total = group = Fraction(0)
        room, begin, end = Fraction(10**12), self.at, self.at
        while True:
            word = self.peek().word
            value, times = _meanings("number").get(word), _meanings("times").get(word)
            if value == 20 and end > begin and group % 100 == 4:
                group, room = group + 76, Fraction(20)
            elif value is not None and (value < room or end == begin):
                if group % 100 == 10 and not 7 <= value <= 9:
                    break
                group += value
                room = Fraction(
                    0 if value < 10 else 20 if value in (60, 80) else 10 if value % 10 == 0 else 0
                )
            elif times is not None and len(word) > 2 and (end > begin or times < 10**6):
                if times < 1000:
                    group, room = max(group, Fraction(1)) * times, times
                else:
                    total, group, room = total + max(group, Fraction(1)) * times, Fraction(0), times
            elif end > begin and (word == "-" or word in _meanings("and")):
                follows = _meanings("number").get(self.peek(1).word)
                if not follows or (follows >= room and not (follows == 20 and group % 100 == 4)):
                    break
                self.at += 1
                continue
            else:
                break
            self.at += 1
            end = self.at
        self.at = end
        return total + group if end > begin else None

    def _multiple(self) -> Fraction:
        """Read "million", or "k" right behind its number."""
        token = self.peek()
        times = _meanings("times").get(token.word, Fraction(1))
        is_glued = token.start == self.peek(-1).end and token.text in ("k", "K", "M")
        if times < 1000 or (len(token.word) == 1 and not is_glued and self.peek(1).text not in _MONEY):
            return Fraction(1)
        self.at += 1
        return times

    def _part(self) -> Fraction:
        """Read "and a half" or "et demie" behind a number or its unit."""
        behind = 0
        while behind < 2 and self.peek(behind).word in function_words():
            behind += 1
        part = _meanings("part").get(self.peek(behind).word) if behind else None
        self.at += behind + 1 if part else 0
        return part or Fraction(0)

    def _unit_and_part(self) -> Quantity | None:
        """Read "year and a half"."""
        begin, word = self.at, self.peek().word
        of = _units().get(word)
        self.at += 1
        part = self._part()
        if of is None or not part or word in _SHORT - {"an"}:
            self.at = begin
            return None
        return self._made(begin, {1 + part}, _measures(of, {1 + part}), word)

    def _unit(self, *, is_word: bool, skips: int) -> tuple[_Unit | None, str]:
        """Read the unit behind a number and ``skips`` small words; no step is made without it."""
        begin = self.at
        self._skip_small_words(skips)
        word, behind = self.peek().word, self.peek(1).word
        for unit, size in ((f"{word}_{behind}", 2), (word, 1), (word.split("/")[0], 1)):
            if unit in _units() and not (unit in _SHORT and is_word):
                self.at += size
                return _units()[unit], unit
        self.at = begin
        return None, ""

    def _skip_small_words(self, most: int) -> None:
        """Step over at most some words without a meaning of their own, and over elided ones."""
        while self.peek(1) is not _END:
            word = self.peek().word
            if len(word) == 1 and self.peek(1).text in ("'", "’"):
                self.at += 2
            elif most and word in function_words():
                self.at, most = self.at + 1, most - 1
            else:
                break


def _with_shared_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """Give the first number of "14-18 h", and those of "130 x 95 x 30 cm", the unit of the last."""
    for at in range(len(found) - 2, -1, -1):
        first, second = found[at : at + 2]
        between = fold(text[first.end : second.start]).strip()
        is_joined = between in _BETWEEN or between in function_words()
        if second.unit and second.values and is_joined and not (first.measures or first.is_article):
            factor = _units()[second.unit][1]
            kind = next(of for of in second.kinds if of != "clock")
            measures = frozenset((kind, value * factor) for value in first.values)
            found[at] = replace(first, measures=measures, unit=second.unit)
    return found


@cache
def _readings(digits: str) -> set[Fraction]:
    """Return what a number in digits can mean: "1,200" is 1200 in English, and 1.2 in French."""
    plain = re.sub(r"\s", "", digits)
    signs = [sign for sign in plain if sign in ".,"]
    if not signs:
        return {Fraction(plain)}
    groups = re.split(r"[.,]", plain)
    readings: set[Fraction] = set()
    if all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3 and len(set(signs)) == 1:
        readings.add(Fraction("".join(groups)))
    if len(signs) == 1 or (len(set(signs)) == 2 and signs.count(signs[-1]) == 1):
        readings.add(Fraction("".join(groups[:-1]) + "." + groups[-1]))
    return readings or {Fraction("".join(groups))}


def _clocks(text: str) -> Iterator[Quantity]:
    """Yield the times of the day; one of twelve hours without its half is read as both of its hours."""
    for match in _CLOCK.finditer(text):
        written = match["minute"] or match["after"] or match["point"]
        if written is None and not match["half"]:
            continue
        minutes = int(match["hour"]) % 24 * 60 + int(written or 0)
        times = {minutes}
        if match["half"]:
            times = {minutes % 720 + (720 if match["half"].lower() == "p" else 0)}
        measures = {("clock", Fraction(each)) for each in times}
        if match["after"]:
            measures.add(("second", Fraction(minutes * 60)))
        yield Quantity(*match.span(), match[0], frozenset(), frozenset(measures))
