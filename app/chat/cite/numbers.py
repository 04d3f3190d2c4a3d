"""The quantities that a text names: numbers in digits or in words, with units, and times of the day."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Literal

from app.chat.cite.units import LETTERS, SHORT, UNITS, measures_of
from app.search.excerpt import fold

Bound = Literal["", "about", "over", "under"]

_MULTIPLES = {
    "k": 10**3, "thousand": 10**3, "mille": 10**3, "m": 10**6, "million": 10**6, "millions": 10**6,
    "bn": 10**9, "billion": 10**9, "billions": 10**9, "milliard": 10**9, "milliards": 10**9,
}  # fmt: skip
_ONE_BY_ONE = """
zero zéro/one un une/two deux/three trois/four quatre/five cinq/six/seven sept/eight huit/nine neuf/ten dix
/eleven onze/twelve douze/thirteen treize/fourteen quatorze/fifteen quinze/sixteen seize/seventeen/eighteen
/nineteen
"""
_ONES = {word: value for value, words in enumerate(_ONE_BY_ONE.split("/")) for word in words.split()}
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "vingt": 20, "vingts": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60,
    "septante": 70, "huitante": 80, "octante": 80, "nonante": 90,
}  # fmt: skip
_HUNDREDS = {"hundred": 100, "cent": 100, "cents": 100}
_THOUSANDS = {
    "thousand": 10**3, "mille": 10**3, "million": 10**6, "millions": 10**6, "billion": 10**9,
    "milliard": 10**9, "milliards": 10**9,
}  # fmt: skip
_GROUPS = {
    "dozen": 12, "douzaine": 12, "huitaine": 8, "dizaine": 10, "quinzaine": 15, "vingtaine": 20,
    "trentaine": 30, "quarantaine": 40, "cinquantaine": 50, "soixantaine": 60, "centaine": 100, "twice": 2,
    "thrice": 3, "half a dozen": 6, "half-dozen": 6, "demi-douzaine": 6, "pair": 2, "paire": 2, "couple": 2,
    "half": 0.5, "moitié": 0.5,
}  # fmt: skip
_THIRD_ON = """
third troisième tiers/fourth quatrième/fifth cinquième/sixth sixième/seventh septième/eighth huitième
/ninth neuvième/tenth dixième/eleventh onzième/twelfth douzième/thirteenth treizième/fourteenth quatorzième
/fifteenth quinzième/sixteenth seizième
"""
_ORDINALS = {word: value for value, words in enumerate(_THIRD_ON.split("/"), 3) for word in words.split()}
_ORDINALS |= {"twentieth": 20, "vingtième": 20, "thirtieth": 30, "trentième": 30}
"""From the third on: "first" and "second" say more than a number."""
_LAST = {**_ORDINALS, "first": 1, "second": 2, "unième": 1, "deuxième": 2}
"""What may stand behind "twenty"."""
_GLYPHS = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4), "⅓": Fraction(1, 3)}


def _any(words: object) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))  # type: ignore[call-overload]


_SMALL = _any([*_ONES, *_TENS, *_HUNDREDS, *_THOUSANDS])
_SPELLED = rf"(?:{_SMALL})(?:(?:[ \t\n]+(?:et|and)[ \t\n]+|-et-|[ \t\n]+|-)(?:{_SMALL}))*"
_DIGITS = r"\d{1,3}(?:[  ]\d{3})+(?:[.,]\d+)?(?![\d])|\d{1,15}(?:[.,]\d{1,15}){0,5}(?!\d)"
_UNIT = _any(UNITS)
_ADJECTIVE = r"(?:whole|full|more|further|additional|extra|working|long|short|good|bonnes?|longues?|autres)"
_NUMBER = re.compile(
    rf"(?<![\w.,'’])(?<![A-Za-z]-)(?P<sign>[-−])?(?P<money>[€$£]\s?)?(?:(?P<digits>{_DIGITS})(?P<glyph>[½¼¾⅓])?|(?P<bare>[½¼¾⅓]))"
    rf"(?P<ordinal>st|nd|rd|th|e|er|ère|ème)?(?!\w*[A-Za-z]\d)(?=[^\w]|[A-Za-zµ°]|\Z)"
    rf"|(?<!\w)(?<!\w-)(?:(?P<nth>{_any(_ORDINALS)})"
    rf"|(?P<tens>twenty|thirty|forty|fifty|sixty|vingt|trente|quarante)[- ](?:et[- "
    rf"])?(?P<one>{_any(_LAST)}))(?!\w)"
    rf"|(?<!\w)(?<!\w-)(?P<spelled>{_SPELLED})(?!\w)"
    rf"|(?<!\w)(?P<group>{_any(_GROUPS)})(?!\w)",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(
    r"(?:(?P<tight>[kKM])(?![^\W_])|\s(?P<apart>[kM])(?=[€$£]))|[\s-]?(?P<word>thousand|mille|millions?"
    r"|billions?|bn|milliards?)\b",
    re.I,
)
_UNIT_AFTER = re.compile(
    rf"(?P<close>\s?(?P<sign>[€$£%°]C?F?)|\s?(?P<percent>per\s?cent|pour\s?cent)\b)"
    rf"|[\s-]?(?:{_ADJECTIVE}\s)?(?:d['’]|de\s)?(?P<word>{_UNIT})(?![\w²³])",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?<![\w:.,])(?P<h>[01]?\d|2[0-4])(?:"
    r":(?P<m>[0-5]\d)(?::[0-5]\d)?(?:\s?(?P<half>[ap])\.?m\b\.?)?"
    r"|\s?h(?:eures?)?\s?(?P<mh>[0-5]\d)(?!\w)(?!\s?(?:min|€|%))"
    r"|(?:\.(?P<md>[0-5]\d))?\s?(?P<halfd>[ap])\.?m\b\.?"
    r"|\s?o['’]clock)",
    re.IGNORECASE,
)
_HOURS = _any([word for word, value in _ONES.items() if 0 < value <= 12])
_SPOKEN_CLOCK = re.compile(
    rf"(?<![\w-])(?:(?P<past>half|quarter|five|ten|twenty)\s(?P<way>past|to)\s(?P<eh>{_HOURS}|\d{{1,2}})"
    rf"|(?P<fh>{_HOURS})\s+heures?\s+(?:et\s+)?(?P<fm>demie|quart|{_SPELLED})(?!\s*(?:min|heures?|jours?))"
    rf"|(?P<oh>{_HOURS})\s(?:o['’]clock|(?P<oh2>[ap])\.?m\b)"
    rf"|(?P<ph>{_HOURS}|1?\d)(?:\sheures?)?\s(?P<part>in\sthe\s(?:morning|afternoon|evening)|at\snight"
    rf"|du\smatin|du\ssoir"
    rf"|de\sl['’]après-midi)"
    rf"|(?P<twelve>noon|midday|midnight|midi|minuit))(?!\w)",
    re.IGNORECASE,
)
_BOUND_WORDS: dict[Bound, str] = {
    "under": r"\b(?:no|not)\smore\sthan|\bpas\splus\sd['e]|\bless\sthan|\bfewer\sthan|\bunder|\bbelow"
    r"|\bmoins\sd['e]"
    r"|\bat\smost|\bau\splus|\bup\sto|\bjusqu['’]à|\bwithin|\bmaximum|\bnearly|\balmost|\bpresque"
    r"|\bprès\sd['e]|<|≤",
    "over": r"\bno\sless\sthan|\bmore\sthan|\bover|\babove|\bplus\sd['e]|\bat\sleast|\bau\smoins"
    r"|\bminimum|>|≥"
    r"|\bau-delà\sd['e]",
    "about": r"\babout|\baround|\broughly|\bapproximately|\bsome|\benviron|\bquelque|\bà\speu\sprès|~|≈"
    r"|\bca\."
    r"|\bautour\sd['e]",
}
_BOUNDS_AFTER: dict[Bound, re.Pattern[str]] = {
    "under": re.compile(
        r"\s?(?:\w+\s)?(?:at\smost|au\splus|maximum|max\b|or\sless|or\sfewer|ou\smoins)", re.IGNORECASE
    ),
    "over": re.compile(r"\s?(?:\w+\s)?(?:at\sleast|au\smoins|minimum|or\smore|ou\splus)", re.IGNORECASE),
}
_BOUNDS: dict[Bound, re.Pattern[str]] = {
    bound: re.compile(rf"(?:{words})\s*(?:the\s|les\s|de\s|d['’])?\Z", re.IGNORECASE)
    for bound, words in _BOUND_WORDS.items()
}
_HUNDREDTHS = re.compile(
    rf"\s(?:(?P<digits>\d\d)|(?P<words>{_SPELLED}))"
    r"(?=\s*(?:[,.;:)]|\Z|\s(?:de|d['’]|of|on|in|by|sur|et|and)\b))",
    re.IGNORECASE,
)
_AND_HALF = re.compile(r"\s(?:et\sdemie?|and\sa\shalf)(?!\w)", re.IGNORECASE)
_TO = re.compile(r"\s*(?:-|–|to|à|until)\s*", re.IGNORECASE)
_LABEL = re.compile(
    r"(?<!\w)(?:chapters?|chapitres?|letters?|lettres?|numbers?|numéros?|n°|no\.|bus|pages?|steps?"
    r"|étapes?|rooms?|versions?"
    r"|release|channel|canal|lines?|lignes?|parts?|parties?|volumes?|tomes?|phases?|sections?|articles?"
    r"|figures?|tables?)\s?\Z",
    re.IGNORECASE,
)
_HOUR_BEFORE = re.compile(r"(?<!\w)(?:at|until|till|by|after|before|from|past)\s\Z", re.IGNORECASE)
_TIMES = "hour|heure|day|jour|week|semaine|month|mois|year|an|année|quarter|trimestre|night|nuit"
_RATES = {"mon": "month", "men": "month", "yea": "year", "ann": "year", "wee": "week", "heb": "week",
          "dai": "day", "quo": "day", "qua": "quarter", "tri": "quarter"}  # fmt: skip
_RATE = re.compile(
    rf"(?<!\w)(?:(?:an?|per|each|every|par|chaque)\s|/\s?)(?P<unit>{_TIMES})(?!\w)"
    r"|(?<!\w)(?P<word>monthly|mensuel\w*|yearly|annual\w*|annuel\w*|weekly|hebdomadaire\w*|daily|quotidien\w*"
    r"|quarterly|trimestriel\w*)(?!\w)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(rf"(?<![\w'’-])(?:an?|une?)\s(?P<unit>{_UNIT})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text, from ``start`` to ``end``, in every way in which it can be read.

    ``measures`` holds what is measured with the amount in the base unit, such as ``("second", 3600)`` for
    an hour; empty where the unit is none of those known. ``clock`` is minutes since midnight.
    """

    start: int
    end: int
    text: str
    values: frozenset[Fraction]
    measures: frozenset[tuple[str, Fraction]] = frozenset()
    bound: Bound = ""
    is_plain_one: bool = False
    """Whether it is "one", "un" or "une", which are mostly articles and pronouns."""
    noun_at: int = 0
    """Where the words after it begin."""

    @property
    def is_rate(self) -> bool:
        """Whether it says for how long an amount is, as "a month" does in "€4 a month"."""
        return any(of.startswith("per ") for of, _ in self.measures)

    def agrees(self, other: "Quantity") -> bool:
        """Return whether a quantity of the notes, ``other``, bears this one of an answer out."""
        if {self.bound, other.bound} == {"over", "under"}:
            return False
        dimensions = {of for of, _ in self.measures}, {of for of, _ in other.measures}
        if dimensions == (set(), {"ordinal"}):
            # The third of several is not three of them.
            return False
        if not all(dimensions) or (
            any("bare" in each for each in dimensions) and not (dimensions[0] & dimensions[1] - {"bare"})
        ):
            is_bare = not any(dimensions)
            return bool(self.values & other.values) or any(
                is_bare and self._bounds(own, each, other.bound)
                for own in self.values
                for each in other.values
            )
        return bool(self.measures & other.measures) or any(
            of == of_other and self._bounds(own, each, other.bound)
            for of, own in self.measures
            for of_other, each in other.measures
            if of not in ("clock", "ordinal")
        )

    def _bounds(self, own: Fraction, other: Fraction, bound: Bound) -> bool:
        """Return whether "about", "more than" or "less than" this number holds of another.

        Where the other is a bound itself, it has to be the same one.
        """
        match "" if bound else self.bound:
            case "about":
                return abs(own - other) * 10 <= own
            case "over":
                return own <= other <= own * Fraction(3, 2)
            case "under":
                return own * Fraction(2, 3) <= other <= own
        return False


def find_quantities(text: str) -> list[Quantity]:
    """Find the quantities of a text, in order.

    Args:
        text: A sentence or lines, without dates, which are no quantities.
    """
    found: list[Quantity] = []
    taken = bytearray(len(text))

    def take(quantity: Quantity) -> None:
        taken[quantity.start : quantity.end] = b"\1" * (quantity.end - quantity.start)
        found.append(quantity)

    for clock in _clocks(text):
        take(clock)
    for match in _NUMBER.finditer(text):
        # The "cent" of "pour cent" is no number.
        if not any(taken[match.start() : match.end()]):
            for quantity in _quantities(text, match):
                take(quantity)
    for match in _RATE.finditer(text):
        if any(quantity.end <= match.start() <= quantity.end + 1 for quantity in found) or match["word"]:
            measures = measures_of(match["unit"] or _RATES[fold(match["word"])[:3]], {Fraction(1)})
            per = frozenset((f"per {of}", amount) for of, amount in measures)
            one = frozenset((Fraction(1),))
            take(Quantity(match.start(), match.end(), match[0], one, per, "", True, match.end()))
    for match in _ARTICLE.finditer(text):
        if not any(taken[match.start() : match.end()]):
            one, measures = frozenset((Fraction(1),)), measures_of(match["unit"], {Fraction(1)})
            take(Quantity(match.start(), match.end(), match[0], one, measures, "", True, match.end()))
    return _with_ranges(text, sorted(found, key=lambda each: each.start))


def _with_ranges(text: str, found: list[Quantity]) -> list[Quantity]:
    """Give the first number of "14-18 h" the unit of the second."""
    for at, (first, second) in enumerate(pairwise(found)):
        between = text[first.end : second.start]
        if first.measures or not second.measures or not second.values or not _TO.fullmatch(between):
            continue
        (whole, *_), (value, *_) = sorted(second.values), sorted(first.values)
        kinds = ((of, amount) for of, amount in second.measures if of not in ("ordinal", "bare"))
        measures = frozenset((of, amount * value / whole) for of, amount in kinds if whole)
        found[at] = replace(first, measures=measures)
    return found


def _quantities(text: str, match: re.Match[str]) -> Iterator[Quantity]:
    """Read one match; spelled words may be several numbers in a row."""
    if match["spelled"]:
        for amount, start, end in _spelled(match["spelled"], match.start("spelled")):
            yield _with_unit(text, start, end, {Fraction(amount)}, is_word=True)
        return
    if match["group"]:
        # "€9 a dozen" does not cost 12 euros.
        value = Fraction(_GROUPS[match["group"].lower()])
        counted = frozenset((("count", value),))
        yield Quantity(
            match.start(), match.end(), match[0], frozenset((value,)), counted, noun_at=match.end()
        )
        return
    if match["nth"] or match["one"]:
        nth, tens = match["nth"] or match["one"], match["tens"] or ""
        value = Fraction(_LAST[nth.lower()] + _TENS.get(tens.lower(), 0))
        measures = frozenset((("ordinal", value),))
        yield Quantity(
            match.start(), match.end(), match[0], frozenset((value,)), measures, noun_at=match.end()
        )
        return
    values = {_GLYPHS[match["bare"]]} if match["bare"] else _readings(match["digits"])
    if match["glyph"]:
        values = {value + _GLYPHS[match["glyph"]] for value in values}
    if match["sign"]:
        values = {-value for value in values}
    if match["ordinal"]:
        yield Quantity(
            match.start(), match.end(), match[0], frozenset(values),
            frozenset(("ordinal", value) for value in values), noun_at=match.end(),
        )  # fmt: skip
        return
    yield _with_unit(text, match.start(), match.end(), values, money=(match["money"] or "").strip())


def _with_unit(
    text: str, start: int, end: int, values: set[Fraction], is_word: bool = False, money: str = ""
) -> Quantity:
    """Read what follows a number: a multiple, a unit."""
    half = _AND_HALF.match(text, end)
    if half:
        values, end = {value + Fraction(1, 2) for value in values}, half.end()
    noun_at = end
    multiple = _MULTIPLE.match(text, end)
    if multiple and (multiple["word"] or not is_word):
        factor = _MULTIPLES[(multiple["word"] or multiple["tight"] or multiple["apart"]).lower()]
        values, end = {value * factor for value in values}, multiple.end()
        noun_at = end
    bound: Bound = next(
        (bound for bound, words in _BOUNDS.items() if words.search(text[max(0, start - 16) : start])), ""
    )
    if not bound:
        bound = next((bound for bound, words in _BOUNDS_AFTER.items() if words.match(text, end)), "")
    measures: frozenset[tuple[str, Fraction]] = frozenset()
    after = _UNIT_AFTER.match(text, end)
    if money:
        measures = measures_of(money, values)
    elif after:
        unit = "%" if after["percent"] else (after["sign"] or after["word"])
        is_sign = len(unit) > 1 or unit in LETTERS
        if is_sign and not (unit.lower() in SHORT and (is_word or "\n" in after[0])):
            measures, end = measures_of(unit, values), after.end()
            half, hundredths = _AND_HALF.match(text, end), _HUNDREDTHS.match(text, end)
            if half:
                values = {value + Fraction(1, 2) for value in values}
                measures, end = measures_of(unit, values), half.end()
            elif hundredths and next(iter(measures))[0] in ("metre", "€", "$", "£"):
                # Two metres twenty.
                more = hundredths["digits"] or next(_spelled(hundredths["words"], 0))[0]
                values = {value + Fraction(int(more), 100) for value in values}
                measures, end = measures_of(unit, values), hundredths.end()
            if unit.lower() in ("h", "heure", "heures"):
                measures |= {("clock", value * 60 % 1440) for value in values if value <= 24}
    elif _LABEL.search(text[max(0, start - 24) : start]):
        # Chapter 3 is the third chapter.
        measures = frozenset((of, value) for value in values for of in ("ordinal", "label"))
    elif all(0 < value <= 12 for value in values) and _HOUR_BEFORE.search(text[max(0, start - 10) : start]):
        hours = {("clock", value * 60 + more) for value in values for more in (0, 720)}
        measures = frozenset(hours | {("bare", value) for value in values})
    one = is_word and values == {Fraction(1)} and not measures
    return Quantity(start, end, text[start:end], frozenset(values), measures, bound, one, noun_at)


@cache
def _readings(digits: str) -> set[Fraction]:
    """Return what a number in digits can mean: "1,200" is 1200 in English, and 1.2 in French."""
    plain = re.sub(r"[  ]", "", digits)
    signs = [sign for sign in plain if sign in ".,"]
    if not signs:
        return {Fraction(plain)}
    groups = re.split(r"[.,]", plain)
    readings: set[Fraction] = set()
    if all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3 and len(set(signs)) == 1:
        readings.add(Fraction("".join(groups)))
    if len(signs) == 1 or (len(set(signs)) == 2 and signs.count(signs[-1]) == 1):
        readings.add(Fraction("".join(groups[:-1]) + "." + groups[-1]))
    return readings or {Fraction(plain.replace(",", "").replace(".", ""))}


def _spelled(words: str, start: int) -> Iterator[tuple[int, int, int]]:
    """Yield the numbers of a run of number words, each with where it stands."""
    total = group = 0
    begin = end = -1
    last = 0
    for match in re.finditer(r"[^\W\d_]+", words):
        word = match[0].lower()
        if word in ("et", "and"):
            continue
        value = _ONES.get(word, _TENS.get(word, _HUNDREDS.get(word, _THOUSANDS.get(word, 0))))
        continues = begin >= 0 and (
            (
                word in _ONES
                and last in (20, 30, 40, 50, 60, 70, 80, 90)
                and 0 < value < (20 if last in (60, 80) else 10)
            )
            or (word in _ONES and last == 10 and value in (7, 8, 9))
            or (word in ("vingt", "vingts") and last == 4)
            or (word in _HUNDREDS and 0 < group < 100)
            or (word in _THOUSANDS and group > 0)
            or (last in (100, 1000, 10**6, 10**9) and word in (_ONES | _TENS) and value)
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


def _clocks(text: str) -> Iterator[Quantity]:
    """Yield the times of the day; one of twelve hours is read as both of its hours."""
    for match in _CLOCK.finditer(text):
        minutes = int(match["h"]) % 24 * 60 + int(match["m"] or match["mh"] or match["md"] or 0)
        half = (match["half"] or match["halfd"] or "").lower()
        if half:
            minutes = minutes % 720 + (720 if half == "p" else 0)
        both = not half and not match["mh"] and 0 < minutes < 780 and len(match["h"]) == 1
        yield _clock(match, minutes, both or "clock" in match[0].lower())
    for match in _SPOKEN_CLOCK.finditer(text):
        if match["twelve"]:
            yield _clock(match, 720 if match["twelve"].lower() in ("noon", "midday", "midi") else 0, False)
        elif match["eh"]:
            hour = _ONES.get(match["eh"].lower()) or int(match["eh"])
            past = {"half": 30, "quarter": 15}.get(match["past"].lower()) or _word_value(match["past"])
            yield _clock(
                match, (hour * 60 + (past if match["way"].lower() == "past" else -past)) % 1440, True
            )
        elif match["fh"]:
            past = {"demie": 30, "quart": 15}.get(match["fm"].lower()) or _word_value(match["fm"])
            yield _clock(match, _ONES[match["fh"].lower()] * 60 + past, True)
        elif match["ph"]:
            hour = (_ONES.get(match["ph"].lower()) or int(match["ph"])) % 12
            is_morning = "mor" in match["part"].lower() or "matin" in match["part"].lower()
            yield _clock(match, (hour if is_morning else hour + 12) * 60, False)
        else:
            minutes = _ONES[match["oh"].lower()] * 60
            if match["oh2"]:
                minutes = minutes % 720 + (720 if match["oh2"].lower() == "p" else 0)
            yield _clock(match, minutes, not match["oh2"])


def _clock(match: re.Match[str], minutes: int, both: bool) -> Quantity:
    times = {minutes % 1440, (minutes + 720) % 1440} if both else {minutes % 1440}
    measures = frozenset(("clock", Fraction(each)) for each in times)
    return Quantity(match.start(), match.end(), match[0], frozenset(), measures, noun_at=match.end())


def _word_value(words: str) -> int:
    return next(_spelled(words, 0))[0]
