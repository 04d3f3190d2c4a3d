"""The words by which English and French name times: tables of phrases, made into patterns.

A table has one meaning a row. A phrase is a regular expression in which a blank stands for any blanks and
``{unit}`` for a word of the rows of that name; it is met without regard to case, on text in NFC with straight
apostrophes and hyphens. Alternatives with slots of their own stand apart, with blanks around their bar.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "fr")
_TABLES = Path(__file__).parent / "tables"
_APART = " | "

YEAR = r"(?:1[0-9]|20|21)[0-9]{2}(?![0-9])"
NUMBERED = r"(?<![./\-+$€£])"
"""What stands before a number that is no price, and no part of a longer number."""
ENDS = r"(?![/\-]?[0-9]|\.[0-9])"

Rows = Mapping[str, str]


@cache
def table(language: str, name: str = "times") -> Mapping[str, Rows]:
    """Return a table of a language: sections of rows, each a meaning with its phrases."""
    found: dict[str, Rows] = json.loads((_TABLES / f"{name}.{language}.json").read_text(encoding="utf-8"))
    return found


@cache
def phrases(section: str, name: str = "times") -> list[tuple[str, str]]:
    """Return the phrases of a section in all languages, each with its meaning."""
    return [
        (meaning, phrase)
        for language in LANGUAGES
        for meaning, row in table(language, name).get(section, {}).items()
        for phrase in row.split(_APART)
    ]


@cache
def words(section: str) -> Mapping[str, str]:
    """Map the words of a section to what they mean."""
    return {phrase: meaning for meaning, phrase in phrases(section)}


def of_row(meaning: str, section: str = "small words") -> str:
    """Return a piece of a pattern that meets one row of a section, in any language."""
    return any_of([phrase for each, phrase in phrases(section) if each == meaning])


def any_of(some: Sequence[str]) -> str:
    """Return a piece of a pattern that meets any of some phrases, the longest first."""
    return "(?:" + "|".join(sorted(some, key=len, reverse=True)).replace(" ", r"\s+") + ")"


def _words_of(*sections: str) -> str:
    return any_of([word for section in sections for word in words(section)])


MONTH = _words_of("month")
WEEKDAY = _words_of("weekday")
ORDINAL = rf"(?:[0-9]{{1,2}}{of_row('ordinal end')}|{_words_of('ordinal')})"
ANY_MONTH = rf"(?:{MONTH}|{_words_of('short month')}\b\.?)"
_DAY = rf"(?:[0-9]{{1,2}}{of_row('ordinal end')}?|{_words_of('ordinal')})"
_NUMBER = rf"(?:[0-9]{{1,3}}|{_words_of('number')})"

AMBIGUOUS = frozenset(words("sometimes"))
"""Words that are months only sometimes, and names."""

_SLOTS = {
    "month": MONTH, "mon": ANY_MONTH, "weekday": WEEKDAY, "season": _words_of("season"),
    "unit": _words_of("unit"), "part": _words_of("part"), "way": _words_of("way"),
    "this": _words_of("this way"), "dayword": _words_of("day"), "n": _NUMBER, "q": ORDINAL, "h": ORDINAL,
    "d": _DAY, "e": _DAY, "y": YEAR,
}  # fmt: skip
_SMALL = {
    "of": of_row("of"), "the": of_row("the"), "to": rf"(?:\s*-\s*|\s+{of_row('to')})", "numbered": NUMBERED,
    "ends": ENDS, "daypart": rf"(?:\s+{of_row('part of day')})?", "quarter": of_row("quarter"),
    "half": of_row("half"), "week": of_row("numbered week"), "last": of_row("last"),
    "weekday?": rf"(?:{WEEKDAY}\s*,?\s+)?{of_row('the')}?", "in": rf"(?:\s*,\s*|\s+){of_row('of')}?",
}  # fmt: skip
_SECTIONS = {
    "mon": ("month", "short month"),
    "way": ("way", "this way"),
    "dayword": ("day",),
    "n": ("number",),
}
_ORDINALS = ("q", "h", "d", "e")


@cache
def compiled(phrase: str, *, whole: bool = True) -> re.Pattern[str]:
    """Compile a phrase when it is first used.

    Args:
        phrase: The phrase; a word begins where it does.
        whole: Whether a word ends where it does; else what follows it is read by itself.
    """
    return re.compile(rf"(?<!\w)(?:{expanded(phrase)})" + r"(?!\w)" * whole, re.IGNORECASE)


def expanded(phrase: str) -> str:
    """Return a phrase as a regular expression."""

    def filled(slot: re.Match[str]) -> str:
        name = slot[1]
        return _SMALL[name] if name in _SMALL else rf"(?P<{'way' if name == 'this' else name}>{_SLOTS[name]})"

    return re.sub(r"\{([a-z]+\??)\}", filled, phrase.replace(" ", r"\s+"))


def value(slot: str, word: str) -> int | None:
    """Read the number that a slot was filled with: a word of its rows, or digits."""
    key = " ".join(word.lower().split()).rstrip("." if slot == "mon" else "")
    for section in ("ordinal",) if slot in _ORDINALS else _SECTIONS.get(slot, (slot,)):
        if key in words(section):
            return int(words(section)[key])
    digits = "".join(char for char in key if char.isdigit())
    return int(digits) if digits else None
