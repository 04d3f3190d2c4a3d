"""The quantities that a text names: numbers in digits or in words, with units, and times of the day."""

import re
from bisect import bisect_right, insort
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

from app.chat.cite.quantity import Bound, Quantity
from app.chat.cite.spelled import ONES, SPELLED, TENS, any_of, spelled, word_value
from app.chat.cite.units import LETTERS, SHORT, UNITS, measures_of
from app.search.excerpt import fold
from app.vault.dates import LOOKALIKES

_MULTIPLES = {
    "k": 10**3, "thousand": 10**3, "mille": 10**3, "m": 10**6, "million": 10**6, "millions": 10**6,
    "bn": 10**9, "billion": 10**9, "billions": 10**9, "milliard": 10**9, "milliards": 10**9,
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


_DIGITS = r"\d{1,3}(?:[  ]\d{3})+(?:[.,]\d+)?(?![\d])|\d{1,15}(?:[.,]\d{1,15}){0,5}(?!\d)"
_UNIT = any_of(UNITS)
_NUMBER = re.compile(
    rf"(?<![\w.,'’])(?<![A-Za-z]-)(?P<sign>[-−])?(?P<money>[€$£]\s?)?(?:(?P<digits>{_DIGITS})(?P<glyph>[½¼¾⅓])?|(?P<bare>[½¼¾⅓]))"
    rf"(?P<ordinal>st|nd|rd|th|e|er|ère|ème)?(?!\w*[A-Za-z]\d)(?=[^\w]|[A-Za-zµ°]|\Z)"
    rf"|(?<!\w)(?<!\w-)(?:(?P<nth>{any_of(_ORDINALS)})"
    rf"|(?P<tens>twenty|thirty|forty|fifty|sixty|vingt|trente|quarante)[- ](?:et[- "
    rf"])?(?P<one>{any_of(_LAST)}))(?!\w)"
    rf"|(?<!\w)(?<!\w-)(?P<spelled>{SPELLED})(?!\w)"
    rf"|(?<!\w)(?P<group>{any_of(_GROUPS)})(?!\w)",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(
    r"(?:(?P<tight>[kKM])(?![^\W_])|\s(?P<apart>[kM])(?=[€$£]))|[\s-]?(?P<word>thousand|mille|millions?"
    r"|billions?|bn|milliards?)\b",
    re.I,
)
_UNIT_AFTER = re.compile(
    rf"(?P<close>\s?(?P<sign>[€$£%]|°(?:[CF](?!\w))?)|\s?(?P<percent>per\s?cent|pour\s?cent)\b)"
    rf"|[\s-]?(?:d['’]|de\s)?(?P<word>{_UNIT})(?![\w²³])",
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
_HOURS = any_of([word for word, value in ONES.items() if 0 < value <= 12])
_SPOKEN_CLOCK = re.compile(
    rf"(?<![\w-])(?:(?P<past>half|quarter|five|ten|twenty)\s(?P<way>past|to)\s(?P<eh>{_HOURS}|\d{{1,2}})"
    rf"|(?P<fh>{_HOURS})\s+heures?\s+(?:et\s+)?(?P<fm>demie|quart|{SPELLED})(?!\s*(?:min|heures?|jours?))"
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
    rf"\s(?:(?P<digits>\d\d)|(?P<words>{SPELLED}))"
    r"(?=\s*(?:[,.;:)]|\Z|\s(?:de|d['’]|of|on|in|by|sur|et|and)\b))",
    re.IGNORECASE,
)
_AND_HALF = re.compile(r"\s(?:et\sdemie?|and\sa\shalf)(?!\w)", re.IGNORECASE)
_TO = re.compile(r"\s*(?:-|–|to|à|until|x|×|by|sur|et|and|or|ou)\s*", re.IGNORECASE)
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
_PARTS = {
    "half": Fraction(1, 2), "demi": Fraction(1, 2), "demie": Fraction(1, 2), "third": Fraction(1, 3),
    "thirds": Fraction(1, 3), "tiers": Fraction(1, 3), "quarter": Fraction(1, 4), "quarters": Fraction(1, 4),
    "quart": Fraction(1, 4), "quarts": Fraction(1, 4),
}  # fmt: skip
_PART = re.compile(
    rf"(?<![\w'’-])(?:(?:(?P<count>an?|one|two|three|une?|deux|trois)[\s-])?(?P<part>{any_of(_PARTS)})"
    rf"(?:\s(?:of\s)?(?:an?|one)\s|-|\sd['’](?:une?\s)?)"
    rf"|(?:an?|one|une?)\s(?=[\w]+\s(?:and\sa\shalf|et\sdemie?)(?!\w)))(?P<unit>{_UNIT})"
    r"(?P<and_half>\s(?:and\sa\shalf|et\sdemie?))?(?!\w)",
    re.IGNORECASE,
)
"""A part of one unit, or one and a half of it."""
_SHARE = re.compile(
    r"(?<![\w.,/-])(?P<count>an?|one|two|three|four|une?|deux|trois|quatre|le|les\s(?:deux|trois|quatre)"
    # "3 quarts" may be of milk.
    r"|(?:les\s)?[2-9](?!\s?qu))\s"
    r"(?P<part>thirds?|quarters?|fifths?|tenths?|tiers|quarts?|cinquièmes?|dixièmes?)(?!\w)",
    re.IGNORECASE,
)
_SHARES = {
    "third": 3,
    "tier": 3,
    "quarter": 4,
    "quart": 4,
    "fifth": 5,
    "cinquième": 5,
    "tenth": 10,
    "dixième": 10,
}
_OVEN = re.compile(r"\b(?:au|le|du|un|ce|de|mon|notre|petit)\s\Z", re.IGNORECASE)
"""What makes a French oven of "four"."""
_ONE_WORD = re.compile(r"(?:[\s-][^\W\d_]+){0,2}\s?")


def find_quantities(text: str) -> list[Quantity]:
    """Find the quantities of a text, in order.

    Args:
        text: A sentence or lines, without dates, which are no quantities.
    """
    text = text.translate(LOOKALIKES)
    found: list[Quantity] = []
    taken = bytearray(len(text))

    def take(quantity: Quantity) -> None:
        taken[quantity.start : quantity.end] = b"\1" * (quantity.end - quantity.start)
        found.append(quantity)

    for part in _parts(text):
        take(part)
    for share in _shares(text):
        if not any(taken[share.start : share.end]):
            take(share)
    for clock in _clocks(text):
        if not any(taken[clock.start : clock.end]):
            take(clock)
    for match in _NUMBER.finditer(text):
        # The "cent" of "pour cent" is no number.
        if not any(taken[match.start() : match.end()]):
            for quantity in _quantities(text, match):
                take(quantity)
    ends = sorted(quantity.end for quantity in found)
    for match in _RATE.finditer(text):
        at = bisect_right(ends, match.start())
        if match["word"] or any(_ONE_WORD.fullmatch(text, end, match.start()) for end in ends[at - 1 : at]):
            measures = measures_of(match["unit"] or _RATES[fold(match["word"])[:3]], {Fraction(1)})
            per = frozenset((f"per {of}", amount) for of, amount in measures)
            one = frozenset((Fraction(1),))
            take(Quantity(match.start(), match.end(), match[0], one, per, "", True, match.end()))
            insort(ends, match.end())
    return _with_ranges(text, sorted(found, key=lambda each: each.start))


def _parts(text: str) -> Iterator[Quantity]:
    """Yield "half an hour", "trois quarts d'heure" and "a year and a half"."""
    for match in _PART.finditer(text):
        value = Fraction(1)
        if match["part"]:
            count = (match["count"] or "one").lower()
            value = ONES.get(count, 1) * _PARTS[match["part"].lower()]
        if match["and_half"]:
            value += Fraction(1, 2)
        measures = measures_of(match["unit"], {value})
        yield Quantity(
            match.start(), match.end(), match[0], frozenset((value,)), measures, noun_at=match.end(),
            unit=match["unit"].lower(),
        )  # fmt: skip


def _shares(text: str) -> Iterator[Quantity]:
    """Yield "a fifth" and "les deux tiers", which are per cent too; a fifth may be the fifth of several."""
    for match in _SHARE.finditer(text):
        count = match["count"].lower().split()[-1]
        part = Fraction(1, _SHARES[match["part"].lower().rstrip("s")])
        value = (int(count) if count.isdigit() else ONES.get(count, 1)) * part
        measures = {("percent", value * 100), ("share", value)}
        if count == "le":
            measures.add(("ordinal", 1 / part))
        yield Quantity(
            match.start(),
            match.end(),
            match[0],
            frozenset((value,)),
            frozenset(measures),
            noun_at=match.end(),
        )


def _with_ranges(text: str, found: list[Quantity]) -> list[Quantity]:
    """Give the first number of "14-18 h", and those of "130 x 95 x 30 cm", the unit of the last."""
    for at in range(len(found) - 2, -1, -1):
        first, second = found[at : at + 2]
        between = text[first.end : second.start]
        if (
            first.measures
            or first.is_plain_one
            or not second.unit
            or not second.values
            or not _TO.fullmatch(between)
        ):
            continue
        (whole, *_), (value, *_) = sorted(second.values), sorted(first.values)
        kinds = ((of, amount) for of, amount in second.measures if of not in ("ordinal", "bare"))
        measures = frozenset((of, amount * value / whole) for of, amount in kinds if whole)
        found[at] = replace(first, measures=measures, unit=second.unit)
    return found


def _quantities(text: str, match: re.Match[str]) -> Iterator[Quantity]:
    """Read one match; spelled words may be several numbers in a row."""
    if match["spelled"]:
        for amount, start, end in spelled(match["spelled"], match.start("spelled")):
            if text[start:end].lower() == "four" and _OVEN.search(text, max(0, start - 8), start):
                continue
            yield _with_unit(text, start, end, {Fraction(amount)}, is_word=True)
        return
    if match["group"]:
        # "€9 a dozen" does not cost 12 euros.
        value = Fraction(_GROUPS[match["group"].lower()])
        counted = frozenset((("count", value), *([("percent", value * 100)] if value < 1 else [])))
        yield Quantity(
            match.start(), match.end(), match[0], frozenset((value,)), counted, noun_at=match.end()
        )
        return
    if match["nth"] or match["one"]:
        nth, tens = match["nth"] or match["one"], match["tens"] or ""
        value = Fraction(_LAST[nth.lower()] + TENS.get(tens.lower(), 0))
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
    after, unit = _UNIT_AFTER.match(text, end), money
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
                more = hundredths["digits"] or next(spelled(hundredths["words"], 0))[0]
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
    unit = unit.lower() if measures else ""
    return Quantity(start, end, text[start:end], frozenset(values), measures, bound, one, noun_at, unit)


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


def _clocks(text: str) -> Iterator[Quantity]:
    """Yield the times of the day; one of twelve hours is read as both of its hours."""
    for match in _CLOCK.finditer(text):
        minutes = int(match["h"]) % 24 * 60 + int(match["m"] or match["mh"] or match["md"] or 0)
        half = (match["half"] or match["halfd"] or "").lower()
        if half:
            minutes = minutes % 720 + (720 if half == "p" else 0)
        lasting = {("second", Fraction(minutes * 60))} if match["mh"] else set()
        both = not half and not match["mh"] and 0 < minutes < 780 and len(match["h"]) == 1
        clock = _clock(match, minutes, both or "clock" in match[0].lower())
        yield replace(clock, measures=clock.measures | lasting)
    for match in _SPOKEN_CLOCK.finditer(text):
        if match["twelve"]:
            yield _clock(match, 720 if match["twelve"].lower() in ("noon", "midday", "midi") else 0, False)
        elif match["eh"]:
            hour = ONES.get(match["eh"].lower()) or int(match["eh"])
            past = {"half": 30, "quarter": 15}.get(match["past"].lower()) or word_value(match["past"])
            yield _clock(
                match, (hour * 60 + (past if match["way"].lower() == "past" else -past)) % 1440, True
            )
        elif match["fh"]:
            past = {"demie": 30, "quart": 15}.get(match["fm"].lower()) or word_value(match["fm"])
            yield _clock(match, ONES[match["fh"].lower()] * 60 + past, True)
        elif match["ph"]:
            hour = (ONES.get(match["ph"].lower()) or int(match["ph"])) % 12
            is_morning = "mor" in match["part"].lower() or "matin" in match["part"].lower()
            yield _clock(match, (hour if is_morning else hour + 12) * 60, False)
        else:
            minutes = ONES[match["oh"].lower()] * 60
            if match["oh2"]:
                minutes = minutes % 720 + (720 if match["oh2"].lower() == "p" else 0)
            yield _clock(match, minutes, not match["oh2"])


def _clock(match: re.Match[str], minutes: int, both: bool) -> Quantity:
    times = {minutes % 1440, (minutes + 720) % 1440} if both else {minutes % 1440}
    measures = frozenset(("clock", Fraction(each)) for each in times)
    return Quantity(match.start(), match.end(), match[0], frozenset(), measures, noun_at=match.end())
