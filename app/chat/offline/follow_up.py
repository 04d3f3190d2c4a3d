"""A follow-up in full: what "and the slab?" asks after "how much was the stove?"."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from app.chat.evidence.subject import Named, subject_of
from app.chat.offline.phrases import FOLLOW_UP, OPERATORS, content_words
from app.search.excerpt import fold

_OPENING = re.compile(
    r"(?:(?:and|et|also|aussi)[\s,]+)*(?:(?:what|how) about\s+|qu['’]en est-il\s+(?=d['’]|de |du |des ))?",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:how|what|which|who|whom|whose|where|when|why|quel(?:le)?s?|qui|quand|combien|comment|pourquoi|quoi"
    r"|ou)(?!\w)"
)
_ASKING_ALONE = re.compile(rf"{_ASKING.pattern}(?: (?:much|many|long|old|big|far|often|de temps))?\s*")
_POSSESSIVE = re.compile(r"(?:his|her|its|their|sa|son|ses|leurs?)\s", re.IGNORECASE)
"""What begins with these asks more of the same thing: "and its colour?"."""
_THAT_OF = re.compile(
    r"(?:celles?|celui|ceux|those|that|the ones?)\s+(?=d['’]|(?:de|du|des|of|in|at|on|for|pour|dans) )",
    re.IGNORECASE,
)
_ARTICLE = (
    r"(?:l['’]|(?:the|an?|my|our|your|this|these|le|la|les|une?|mon|ma|mes|ton|ta|tes|son|sa|ses|notre|nos|votre"
    r"|vos|leurs?|ce|cet|cette|ces)\s+)"
)
_LED = re.compile(
    r"(?<!\w)(?:(?P<preposition>of|for|in|at|from|on|with|about|pour|dans|sur|chez|avec|en|à|au|aux|de|du|des)\s+"
    rf"|(?P<elided>d)['’])?(?P<article>{_ARTICLE})?$",
    re.IGNORECASE,
)
"""What leads up to a thing: a preposition and an article, one of them or none."""
_ALIKE = {"du": "de", "des": "de", "d": "de", "of": "de", "au": "à", "aux": "à", "for": "pour"}
_CONTRACTED = {"de le": "du", "de les": "des", "à le": "au", "à les": "aux"}
_OF = "de"
_ASKED_ALIKE = (_OF, "pour", "about")
"""Prepositions that a follow-up may have where its question has none: "and for the slab?"."""
_PARTICIPLE = re.compile(r"\w+(?:ed|ée?s?)", re.IGNORECASE)
_IS = re.compile(r"(?<!\w)(?:is|are|was|were|est|sont|etait|etaient)\s+(?P<rest>\S.*)")


class _Thing(NamedTuple):
    """A thing in a question: where it stands without what leads up to it, and what that is."""

    start: int
    end: int
    led: str
    preposition: str
    article: str
    is_name: bool


def in_full(question: str, earlier: str) -> str:
    """Return what a follow-up asks, in words that are understood without the question before it.

    What it names stands in the place of what the earlier question was about; the rest of that stays. Where it
    names nothing new, as "et quand ?" and "and its price?", it takes the earlier words along. Anything else
    than a follow-up stays as it is.

    Args:
        question: What was said now.
        earlier: The question before it, in full.
    """
    words = content_words(question)
    if words and FOLLOW_UP.match(question.strip()) is None:
        return question
    along = f"{question} {content_words(earlier)}"
    if not words or OPERATORS.search(question) or OPERATORS.search(earlier):
        return along
    rest = _rest(question)
    named, old = _things(rest), _things(earlier)
    if not named or not old or _POSSESSIVE.match(rest):
        return along
    if _ASKING.match(fold(rest)):
        # It says itself what it asks of the thing, save in "et quand la dalle ?".
        before = rest[: named[-1].start - len(named[-1].led)]
        is_whole = not _ASKING_ALONE.fullmatch(fold(before))
        return question if is_whole else f"{question} {content_words(_without(earlier, old))}"
    gone = _giving_way(named[0], earlier, old)
    return along if gone is None else _replaced(earlier, gone, rest, named[0])


def _rest(question: str) -> str:
    """Return a follow-up without the words that make it one, and without "how much?" behind what it names."""
    text = _OPENING.sub("", question.strip(), count=1).rstrip(" ?!.…")
    text = _THAT_OF.sub("", text) if _THAT_OF.match(text) else text
    first, _, last = text.rpartition(",")
    return first.strip() if first and _ASKING.match(fold(last.strip())) else text


def _things(question: str) -> list[_Thing]:
    """Return the things that a question names, each with what belongs to it by "of" and "de"."""
    parts = _parts(question)
    borders = [
        at
        for at, (one, other) in enumerate(pairwise(parts), 1)
        if other.preposition != _OF or one.is_name or question[one.end : other.start - len(other.led)].strip()
    ]
    return [
        parts[first]._replace(end=parts[last - 1].end)
        for first, last in pairwise([0, *borders, len(parts)])
        if parts
    ]


def _parts(question: str) -> list[_Thing]:
    """Return the things that a question names, "wall" and "house" of "the wall of the house" apart."""
    named = subject_of(question)
    # Words that nothing leads up to are verbs at times: "were painted".
    found = [each for each in _runs(question, named) if each.led or each.is_name]
    return found or list(_runs(question, _bare(question)))


def _runs(question: str, named: Sequence[Named]) -> Iterator[_Thing]:
    """Yield the runs of words that name one thing each."""
    borders = [
        at
        for at, (one, other) in enumerate(pairwise(named), 1)
        if question[one.end : other.start].strip() or one.is_name != other.is_name
    ]
    for first, last in pairwise([0, *borders, len(named)] if named else [0]):
        start, end = named[first].start, named[last - 1].end
        match = _LED.search(question[:start])
        led = match[0] if match else ""
        preposition = (match["preposition"] or match["elided"] or "").lower() if match else ""
        article = (match["article"] or "") if match else ""
        yield _Thing(start, end, led, _ALIKE.get(preposition, preposition), article, named[first].is_name)


def _bare(question: str) -> list[Named]:
    """Return the words for a thing that no article leads up to: of "où est maman ?", and of "slab" alone."""
    text = question.rstrip(" ?!.…")
    folded = fold(text)
    match = _IS.search(folded) if len(folded) == len(text) else None
    if match is None and _ASKING.match(folded):
        return []
    start = match.start("rest") if match else 0
    # Behind an article it shows whether they name a thing, and not what is asked of one.
    article = "the "
    found = subject_of(f"{article}{text[start:]}")
    if _PARTICIPLE.fullmatch(text[start:]) if match else len(text.split()) > len(found):
        return []
    moved = start - len(article)
    return [each._replace(start=each.start + moved, end=each.end + moved) for each in found]


def _giving_way(new: _Thing, earlier: str, old: Sequence[_Thing]) -> _Thing | None:
    """Return which thing of a question a new one takes the place of; None where it is asked besides."""
    alike = [each for each in _parts(earlier) if each.preposition == new.preposition]
    if new.preposition and alike:
        return alike[-1]
    if new.preposition and new.preposition not in _ASKED_ALIKE:
        return None
    names = [each for each in old if each.is_name] if new.is_name else []
    return (names or [each for each in old if not each.preposition] or list(old))[-1]


def _replaced(earlier: str, old: _Thing, rest: str, new: _Thing) -> str:
    """Write a new thing in the place of an old one, with the preposition that stands there."""
    text = rest[new.start :]
    if owner := re.match(r"['’]s\b", earlier[old.end :]):
        text = text.removesuffix(owner[0])
    if new.preposition == old.preposition:
        led = new.led or ("" if new.is_name else old.led)
    elif old.preposition and not new.preposition:
        first = old.led.split()[0].lower()
        # "du" and "d'" are put together anew with the article that follows.
        word = old.preposition if first in ("du", "des", "au", "aux") or first[1:2] in ("'", "’") else first
        joined = f"{word} {new.article}".rstrip()
        blank = "" if joined.endswith(("'", "’")) else " "
        led = _CONTRACTED.get(joined.lower(), joined) + blank
    else:
        led = new.article or ("" if new.is_name else old.article)
    return f"{earlier[: old.start - len(old.led)]}{led}{text}{earlier[old.end :]}"


def _without(earlier: str, old: Sequence[_Thing]) -> str:
    """Return a question without the things that it names."""
    for each in reversed(old):
        earlier = earlier[: each.start] + earlier[each.end :]
    return earlier
