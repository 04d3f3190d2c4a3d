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
            # The third of several is not three of them.
            return bool(self.values & other.values) and (bool(self.measures) or other.kinds != {"ordinal"})
        return bool(self.measures & other.measures) or any(
            _is_converted(one, self.unit, another, other.unit)
            for one in self.measures
            for another in other.measures
        )


def find_quantities(text: str) -> list[Quantity]:
    """Find the quantities of a text, in order; dates are none, and have to be blanked out before."""
    text = text.translate(LOOKALIKES)
    found = list(_clocks(text))
    taken = bytearray(len(text) + 1)
    for each in found:
        taken[each.start : each.end] = b"\1" * (each.end - each.start)
    tokens = [
        _Token(*match.span(), match[0], "" if match["digits"] else fold(match[0]))
        for match in _TOKEN.finditer(text)
    ]
    at = 0
    while at < len(tokens):
        read = None if taken[tokens[at].start] else _amount(text, tokens, at)
        if read is None:
            at += 1
            continue
        quantity, at = read
        found.append(quantity)
        if (rate := _rate(text, tokens, at)) is not None:
            quantity, at = rate
            found.append(quantity)
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


def _measures(unit: tuple[str, Fraction], values: set[Fraction]) -> frozenset[tuple[str, Fraction]]:
    """Return what a unit measures; degrees without a name may be either's, and Fahrenheit is Celsius too."""
    of, factor = unit
    found = {(of, value * factor) for value in values}
    if of == "degree":
        found |= {(each, value) for value in values for each in ("celsius", "fahrenheit")}
    if of == "fahrenheit":
        found |= {("celsius", (value - 32) * Fraction(5, 9)) for value in values}
    return frozenset(found)


def _is_converted(one: tuple[str, Fraction], unit: str, other: tuple[str, Fraction], other_unit: str) -> bool:
    """Return whether two amounts are the same but for the rounding of a conversion.

    Units of one system, such as grams and kilograms, have to agree exactly.
    """
    if {one[0], other[0]} == {"second", "month"}:
        own, its = (amount * (MONTH_SECONDS if of == "month" else 1) for of, amount in (one, other))
        return abs(own - its) <= own * MONTH_ROUNDED
    if one[0] != other[0] or unit == other_unit or not (unit and other_unit):
        return False
    if one[0] == "celsius":
        return abs(one[1] - other[1]) <= Fraction(1, 2)
    ratio = _factor(unit) / _factor(other_unit)
    return 1 not in (ratio.denominator, ratio.numerator) and abs(one[1] - other[1]) <= abs(one[1]) * ROUNDED


def _factor(unit: str) -> Fraction:
    power, _, name = unit.rpartition(" ")
    base = _units()[name]
    return (_raised(base, power) if power else base)[1]


def _amount(text: str, tokens: Sequence[_Token], at: int) -> tuple[Quantity, int] | None:
    """Read a number that begins at a token, with its unit; return it with the token behind it."""
    first, begin = tokens[at], at
    money = _units().get(first.text) if first.text in ("€", "$", "£", "¥") else None
    if money and at + 1 < len(tokens) and not tokens[at + 1].word:
        at += 1
    else:
        money = None
    read = _number(text, tokens, at)
    if read is None:
        return _unit_and_part(text, tokens, begin)
    values, kind, at = read
    is_word = bool(tokens[begin].word) and not money
    if kind == "ordinal":
        measures = frozenset(("ordinal", value) for value in values)
        return _made(text, first.start, tokens[at - 1].end, values, measures), at
    at, times = _multiple(tokens, at)
    values = {value * times for value in values}
    part, at = _part(tokens, at)
    values = {value + part for value in values}
    if money:
        return _made(text, first.start, tokens[at - 1].end, values, _measures(money, values), first.text), at
    of, unit, end = _unit(
        text, tokens, at, is_word=is_word, skips=0 if kind == "number" and times == 1 else 2
    )
    if of is None:
        measures = frozenset(("percent", value * 100) for value in values) if kind == "part" else frozenset()
        is_article = is_word and values == {1} and kind == "number"
        return _made(text, first.start, tokens[at - 1].end, values, measures, is_article=is_article), at
    more, at = _part(tokens, end)
    values = {value + more for value in values}
    measures = _measures(of, values)
    if of[0] == "second" and of[1] == 3600:
        measures |= {("clock", value * 60 % 1440) for value in values if value <= 24}
    return _made(text, first.start, tokens[at - 1].end, values, measures, unit), at


def _made(text: str, start: int, end: int, values: set[Fraction], measures: frozenset[tuple[str, Fraction]],
          unit: str = "", *, is_article: bool = False) -> Quantity:  # fmt: skip
    return Quantity(start, end, text[start:end], frozenset(values), measures, unit, is_article)


def _number(text: str, tokens: Sequence[_Token], at: int) -> tuple[set[Fraction], str, int] | None:
    """Read a number alone: what it can mean, what kind of number it is, and the token behind it."""
    token = tokens[at]
    if not token.word:
        values, at = _readings(token.text), at + 1
        sign = text[token.start - 1 : token.start]
        if sign in ("-", "−") and not text[: token.start - 1][-1:].isalnum():
            values = {-value for value in values}
        following = tokens[at] if at < len(tokens) else None
        if following is not None and following.start == token.end:
            if following.word in _meanings("suffix"):
                return values, "ordinal", at + 1
            if not following.text[0].isalpha() and (part := _meanings("part").get(following.text)):
                return {value + part for value in values}, "number", at + 1
        return _times_part(values, tokens, at)
    if at and tokens[at - 1].end == token.start and tokens[at - 1].text in ("-", "'"):
        return None
    if (value := _meanings("group").get(token.word)) is not None:
        return {value}, "group", at + 1
    if (value := _meanings("part").get(token.word)) is not None:
        behind = _small_words(tokens, at + 1, 1)
        dozen = _meanings("group").get(tokens[behind].word) if behind < len(tokens) else None
        return ({value}, "part", at + 1) if dozen is None else ({value * dozen}, "group", behind + 1)
    spelled, end = _spelled(tokens, at)
    nth = tokens[end].word if end < len(tokens) else ""
    ordinal = _meanings("ordinal").get(tokens[end + 1].word if nth == "-" and end + 1 < len(tokens) else nth)
    if spelled is None:
        # "First" and "second" say more than a number.
        return ({ordinal}, "ordinal", end + 1) if ordinal is not None and ordinal > 2 else None
    if ordinal is not None and nth == "-":
        return {spelled + ordinal}, "ordinal", end + 2
    return _times_part({spelled}, tokens, end)


def _times_part(values: set[Fraction], tokens: Sequence[_Token], at: int) -> tuple[set[Fraction], str, int]:
    part = _meanings("part").get(tokens[at].word) if at < len(tokens) else None
    if part is None:
        return values, "number", at
    return {value * part for value in values}, "part", at + 1


def _spelled(tokens: Sequence[_Token], at: int) -> tuple[Fraction | None, int]:
    """Read number words in a row, such as "quatre-vingt-dix" or "two hundred and six"."""
    total = group = Fraction(0)
    room, begin, end = Fraction(10**12), at, at
    while at < len(tokens):
        word = tokens[at].word
        value, times = _meanings("number").get(word), _meanings("times").get(word)
        if value == 20 and end > begin and group % 100 == 4:
            group, room = group + 76, Fraction(20)
        elif value is not None and (value < room or end == begin):
            if group % 100 == 10 and not 7 <= value <= 9:
                break
            group += value
            room = Fraction(0 if value < 10 else 20 if value in (60, 80) else 10 if value % 10 == 0 else 0)
        elif times is not None and len(word) > 2 and (end > begin or times < 10**6):
            if times == 100:
                group, room = max(group, Fraction(1)) * 100, Fraction(100)
            else:
                total, group, room = total + max(group, Fraction(1)) * times, Fraction(0), times
        elif end > begin and (word == "-" or word in _meanings("and")) and at + 1 < len(tokens):
            follows = _meanings("number").get(tokens[at + 1].word)
            if not follows or (follows >= room and not (follows == 20 and group % 100 == 4)):
                break
            at += 1
            continue
        else:
            break
        at += 1
        end = at
    return (total + group if end > begin else None), end


def _multiple(tokens: Sequence[_Token], at: int) -> tuple[int, Fraction]:
    """Read "million", or "k" right behind its number."""
    token = tokens[at] if at < len(tokens) else None
    times = _meanings("times").get(token.word) if token is not None else None
    if token is None or times is None or times == 100:
        return at, Fraction(1)
    is_sign = len(token.word) == 1
    money = at + 1 < len(tokens) and tokens[at + 1].text in ("€", "$", "£")
    if is_sign and not (money or (token.start == tokens[at - 1].end and token.text in ("k", "K", "M"))):
        return at, Fraction(1)
    return at + 1, times


def _part(tokens: Sequence[_Token], at: int) -> tuple[Fraction, int]:
    """Read "and a half" or "et demie" behind a number or its unit."""
    behind = at
    while behind < min(at + 2, len(tokens)) and tokens[behind].word in function_words():
        behind += 1
    part = _meanings("part").get(tokens[behind].word) if at < behind < len(tokens) else None
    return (part, behind + 1) if part is not None else (Fraction(0), at)


def _unit(
    text: str, tokens: Sequence[_Token], at: int, *, is_word: bool, skips: int
) -> tuple[tuple[str, Fraction] | None, str, int]:
    """Read the unit behind a number, and ``skips`` small words; return it with the token behind it."""
    at = _small_words(tokens, at, skips)
    if at >= len(tokens) or "\n" in text[tokens[at - 1].end : tokens[at].start]:
        return None, "", at
    units, token, behind = _units(), tokens[at], tokens[at + 1].word if at + 1 < len(tokens) else ""
    if percent := units.get(f"{token.word}_{behind}"):
        return percent, "%", at + 2
    word = token.word if token.word in units else fold(token.text.partition("/")[0].rstrip("²³"))
    of, other = units.get(word), units.get(behind)
    if of is None or (word in _SHORT and is_word):
        return None, "", at
    for power, base, name, end in (
        (of[0], other, behind, at + 2),
        (other[0] if other else "", of, word, at + 2),
        ("square" if "²" in token.text else "cubic" if "³" in token.text else "", of, word, at + 1),
    ):
        if power in ("square", "cubic") and base is not None and base[0] == "metre":
            return _raised(base, power), f"{power} {name}", end
    return (None, "", at) if of[0] in ("square", "cubic") else (of, word, at + 1)


def _small_words(tokens: Sequence[_Token], at: int, most: int) -> int:
    """Step over at most some words without a meaning of their own, elided ones and a hyphen among them."""
    while at + 1 < len(tokens):
        word, behind = tokens[at].word, tokens[at + 1].text
        if behind in ("'", "’") and len(word) == 1:
            at += 2
        elif word == "-":
            at += 1
        elif most and word in function_words() and (word not in _units() or fold(behind) in _units()):
            at, most = at + 1, most - 1
        else:
            break
    return at


def _raised(base: tuple[str, Fraction], power: str) -> tuple[str, Fraction]:
    return ("square metre", base[1] ** 2) if power == "square" else ("litre", base[1] ** 3 * 1000)


def _unit_and_part(text: str, tokens: Sequence[_Token], at: int) -> tuple[Quantity, int] | None:
    """Read "year and a half"."""
    of = _units().get(tokens[at].word)
    part, end = _part(tokens, at + 1)
    if of is None or not part or tokens[at].word in _SHORT - {"an"}:
        return None
    values = {1 + part}
    token = tokens[at]
    return _made(text, token.start, tokens[end - 1].end, values, _measures(of, values), token.word), end


def _rate(text: str, tokens: Sequence[_Token], at: int) -> tuple[Quantity, int] | None:
    """Read "a month" or "par jour" behind an amount, and at most two words behind it."""
    for begin in range(at, min(at + 3, len(tokens) - 1)):
        of = _units().get(tokens[begin + 1].word)
        if tokens[begin].word in _meanings("per") and of is not None and of[0] in ("second", "month"):
            start, end = tokens[begin].start, tokens[begin + 1].end
            measures = frozenset({(f"per {of[0]}", of[1])})
            return _made(text, start, end, {Fraction(1)}, measures), begin + 2
        if not tokens[begin].word or not tokens[begin].text.isalpha():
            break
    return None


def _with_shared_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """Give the first number of "14-18 h", and those of "130 x 95 x 30 cm", the unit of the last."""
    for at in range(len(found) - 2, -1, -1):
        first, second = found[at : at + 2]
        between = fold(text[first.end : second.start]).strip()
        is_joined = between in _BETWEEN or between in function_words()
        if second.unit and second.values and is_joined and not (first.measures or first.is_article):
            factor = _factor(second.unit)
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
        elif match["minute"] and 0 < minutes < 780 and len(match["hour"]) == 1:
            times |= {(minutes + 720) % 1440}
        measures = {("clock", Fraction(each)) for each in times}
        if match["after"]:
            measures.add(("second", Fraction(minutes * 60)))
        yield Quantity(*match.span(), match[0], frozenset(), frozenset(measures))
