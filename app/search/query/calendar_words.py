"""The words of the calendar in English and French, as tables and as pieces of regular expressions.

The pieces are met without regard to case, on text in NFC with straight apostrophes and hyphens.
"""

from app.search.query.period import AUTUMN, SPRING, SUMMER, WINTER, Kind, Third

MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
    "september": 9, "october": 10, "november": 11, "december": 12,
    "janvier": 1, "février": 2, "fevrier": 2, "mars": 3, "avril": 4, "mai": 5, "juin": 6, "juillet": 7,
    "août": 8, "aout": 8, "septembre": 9, "octobre": 10, "novembre": 11, "décembre": 12, "decembre": 12,
}  # fmt: skip
SHORT_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
    "nov": 11, "dec": 12, "janv": 1, "févr": 2, "fevr": 2, "avr": 4, "juil": 7, "déc": 12,
}  # fmt: skip
"""These count only beside a day or a year."""
SOMETIMES_MONTHS = frozenset(("may", "march", "mars", "mai"))
FIRST_NAMES = frozenset(("april", "june", "august", "avril"))

WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
    "lundi": 0, "mardi": 1, "mercredi": 2, "jeudi": 3, "vendredi": 4, "samedi": 5, "dimanche": 6,
}  # fmt: skip
SEASONS = {
    "spring": SPRING, "summer": SUMMER, "autumn": AUTUMN, "fall": AUTUMN, "winter": WINTER,
    "printemps": SPRING, "été": SUMMER, "automne": AUTUMN, "hiver": WINTER,
}  # fmt: skip
UNITS: dict[str, Kind] = {
    "day": "day", "week": "week", "weekend": "weekend", "month": "month", "quarter": "quarter", "year": "year",  # noqa: E501
    "jour": "day", "semaine": "week", "week-end": "weekend", "mois": "month", "trimestre": "quarter",
    "semestre": "half", "an": "year", "année": "year", "annee": "year",
}  # fmt: skip
FEW = 0
"""The number of "a few"."""
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
    "a couple of": 2, "couple of": 2, "a few": FEW, "few": FEW, "several": FEW,
    "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9,
    "dix": 10, "onze": 11, "douze": 12, "quinze": 15, "vingt": 20, "trente": 30, "quelques": FEW,
}  # fmt: skip
_TENS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
ORDINALS = {
    **{word: number for number, word in enumerate(_TENS, start=1)},
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
    "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
    **{f"twenty-{word}": 20 + number for number, word in enumerate(_TENS, start=1)}, "thirty-first": 31,
    "premier": 1, "première": 1, "premiere": 1, "deuxième": 2, "deuxieme": 2, "seconde": 2,
    "troisième": 3, "troisieme": 3, "quatrième": 4, "quatrieme": 4,
}  # fmt: skip
THIRDS: dict[str, Third] = {
    "early": "early", "beginning": "early", "start": "early", "début": "early", "debut": "early",
    "mid": "mid", "middle": "mid", "mi": "mid", "milieu": "mid", "late": "late", "end": "late", "fin": "late",
}  # fmt: skip


def _any(words: object) -> str:
    """Return a piece that meets any of some words, the longest first."""
    ordered = sorted(map(str, words), key=len, reverse=True)  # type: ignore[call-overload]
    return "(?:" + "|".join(ordered).replace(" ", r"\s+") + ")"


MONTH = _any(MONTHS)
ANY_MONTH = rf"(?:{_any(MONTHS)}|{_any(SHORT_MONTHS)}\b\.?)"
WEEKDAY = _any(WEEKDAYS)
SEASON = _any(SEASONS)
NUMBER = rf"(?:[0-9]{{1,3}}|{_any(NUMBERS)})"
ORDINAL = rf"(?:[0-9]{{1,2}}(?:st|nd|rd|th|er|re|ère|e|ème)|{_any(ORDINALS)})"
DAY = rf"(?:[0-9]{{1,2}}(?:st|nd|rd|th|er)?|{_any(ORDINALS)})"
YEAR = r"(?:1[0-9]|20|21)[0-9]{2}(?![0-9])"
UNIT_EN = "(?:day|week|weekend|month|quarter|year)"
UNIT_FR = "(?:jour|semaine|week-?end|mois|trimestre|semestre|an|année|annee)"
THE = r"(?:(?:the|le|la|les)\s+|l')?"
OF = r"(?:\s*,\s*|\s+)(?:(?:of|in|de|du|en)\s+)?"
"""What may stand between a month, a season or a quarter and its year."""
HYPHEN = "[-\u2010-\u2015]"


def number(word: str, words: dict[str, int]) -> int | None:
    """Read a number in digits or as one of some words; None where it is neither."""
    word = " ".join(word.lower().split())
    digits = "".join(sign for sign in word if sign.isdigit())
    return int(digits) if digits else words.get(word)


def month_number(word: str) -> int:
    """Read the name of a month, short or not."""
    word = word.lower().rstrip(".")
    return MONTHS.get(word) or SHORT_MONTHS[word]


def unit(word: str) -> Kind:
    """Read a unit of time, in the plural too."""
    word = word.lower()
    if word.startswith("week") and "end" in word:
        return "weekend"
    return UNITS[word] if word in UNITS else UNITS[word.rstrip("s")]
