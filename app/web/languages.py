"""The language of the page: the browser's, where the page speaks it, and what each sentence is in French."""

from collections.abc import Callable

from app.sentences import SPACED, Language, Quoted, Worded, in_french, put, worded
from app.translation import french


def language_of(accepted: str) -> Language:
    """Return the first of the languages that a browser accepts which the page speaks, ``en`` or ``fr``.

    Args:
        accepted: The header ``Accept-Language``, such as ``fr-CA,fr;q=0.9,en;q=0.8``.
    """
    wanted = list[tuple[float, str]]()
    for entry in accepted[:400].split(","):
        name, _, weight = "".join(entry.split()).partition(";q=")
        try:
            share = float(weight or 1)
        except ValueError:
            continue
        if share > 0:
            wanted.append((-share, name.partition("-")[0].lower()))
    # Sorting keeps the order of those wanted alike.
    known: tuple[Language, ...] = ("en", "fr")
    first = (each for _, name in sorted(wanted, key=lambda each: each[0]) for each in known if each == name)
    return next(first, "en")


def said(language: str) -> tuple[Callable[[str], str], Callable[[str, str, int], str]]:
    """Return what gives a sentence of the templates in a language, and one that depends on a number.

    A sentence without a translation stays English; a test sees to it that there is none.
    """

    def one(sentence: str) -> str:
        return typeset(in_french(sentence, "page")) if language == "fr" else sentence

    def several(single: str, plural: str, number: int) -> str:
        if language != "fr":
            return single if number == 1 else plural
        return typeset(french().ngettext(single, plural, number))

    return one, several


def typeset(sentence: str) -> str:
    """Return a French sentence in which no line ends before one of its signs, by narrow spaces."""
    return SPACED.sub("\u202f", sentence)


def spoken(text: str, language: Language) -> str:
    """Return what Python says in a language, set as the page's own sentences; facts stay as they are."""
    known = worded(text, {})
    if language != "fr" or isinstance(known, Quoted):
        return known.said(language)
    wording = known.wording("fr")
    if wording == known.wording("en"):
        # A plain text may be all names.
        return known.said("fr")
    facts = {
        name: spoken(fact, "fr") if isinstance(fact, Worded) else fact for name, fact in known.facts.items()
    }
    return put(typeset(wording), facts, "fr")
