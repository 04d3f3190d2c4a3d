"""What an answer says in words of the program, in French and in English, and in which of them it is said."""

import re
from collections.abc import Sequence

from app.notices import Language
from app.search.lexical.analysis import runs
from app.search.lexical.language import LANGUAGES, asked_in
from app.sentences import SPACED, in_french

_ENGLISH, _FRENCH = LANGUAGES.index("english"), LANGUAGES.index("french")
_ACCENTS = frozenset("àâçéèêëîïôœùûü«»")


NOT_SAID = "The notes do not seem to say."


def phrase(text: str, language: Language, **facts: object) -> str:
    """Return a fixed text of an answer in a language; no line of French ends before one of its signs."""
    return (text if language == "en" else SPACED.sub("\u00a0", in_french(text))).format(**facts)


def lines_named(lines: str, language: Language) -> str:
    """Name lines: "line 16", "lines 16-20"."""
    return phrase("lines {numbers}" if "-" in lines else "line {numbers}", language, numbers=lines)


_MARKS = (("“", "”"), ("«\u00a0", "\u00a0»"), ('"', '"'))


def quotation(text: str, place: str, language: Language) -> str:
    """Write a quotation of one line and its place, between quotation marks that do not stand in it."""
    styles = _MARKS if language == "en" else (_MARKS[1], _MARKS[0], _MARKS[2])
    opening, closing = next(
        (style for style in styles if not any(sign.strip() in text for sign in style)), ("", "")
    )
    return f"{opening}{text}{closing} ({place})"


def language_of(text: str) -> Language | None:
    """Tell the language of a sentence by its stop words and accents; None where it is another, or unclear."""
    words = {part for run in runs(text) for part in (run, *re.split("['’-]", run))}
    known = asked_in(words, range(len(LANGUAGES)))
    if known is None:
        known = asked_in(words, (_ENGLISH, _FRENCH))
    if known is None:
        return None if _ACCENTS.isdisjoint(text.lower()) else "fr"
    return "en" if known == _ENGLISH else "fr" if known == _FRENCH else None


def language_for(questions: Sequence[str], reader: Language = "en") -> Language:
    """Return the language of an answer: of the last question, else of an earlier one, else the reader's.

    Args:
        questions: What was asked, oldest first.
        reader: The language of whoever reads the answer, where no question tells one.
    """
    for question in reversed(questions):
        if (language := language_of(question)) is not None:
            return language
    return reader
