"""The questions that one text asks, in English and French: "who came, and when did they leave?" asks two."""

import re
from typing import NamedTuple

from app.chat.evidence.answer_type import INVERTED, is_in_french
from app.chat.evidence.clause import one_of
from app.chat.evidence.subject import subject_of
from app.search.excerpt import fold
from app.search.lexical.language import LANGUAGE_CODES, stop_words

MOST_QUESTIONS = 3
LONGEST = 300
"""A longer text, in characters, tells a story; what it asks is not taken apart."""
LEAST_WORDS = 2
"""A question with fewer telling words is asked of what the question before it is about."""

_BEFORE = (
    rf"(?:(?:{one_of('in at on from to for with by since until à de pour par avec chez depuis dans')}) )?"
)
_AUXILIARY = one_of(
    "is are was were do does did has have had can could will would should must may might shall"
)
_MEASURES = one_of("to much many long often far old late big large tall high deep heavy wide fast soon come")
_SUBJECTS = one_of("je j tu il elle on nous vous ils elles le les la l un une ma mon mes mais et")
# Before a verb that comes first they ask; before anything else they tell when, where or how something was.
_ENGLISH = (
    rf"who|whom|whose|what|which|(?:when|where|why)(?= (?:{_AUXILIARY})(?!\w)|\W*$)"
    rf"|how(?= (?:{_AUXILIARY}|{_MEASURES})(?!\w)|\W*$)"
)
_FRENCH = (
    r"qui|quoi|qu['’]est-ce|que (?:faire|dois|doit|faut|puis|peut)|où|pourquoi|comment|combien|quel(?:le)?s?"
    rf"|quand(?! (?:{_SUBJECTS})(?!\w))"
)
_OPENING = rf"{_BEFORE}(?:{_ENGLISH}|{_FRENCH})"
_OPENER = rf"(?P<opener>{_OPENING})(?!\w)"
_JOINT = re.compile(
    rf"(?:\s*[,;]\s*|\s+(?=(?:and|et) ))(?:(?:and|et)(?: then| puis)? )?\s*(?={_OPENER})|(?<=\?)\s+",
    re.IGNORECASE,
)
_OPENS = re.compile(rf"\W*{_OPENER}", re.IGNORECASE)
_ASKS = re.compile(
    rf"\W*(?:{_OPENING}|{_AUXILIARY}|est-ce)(?!\w)"
    r"|.*[^\W\d_]-(?:t-)?(?:je|tu|il|elle|on|nous|vous|ils|elles)(?!\w)",
    re.IGNORECASE,
)
_STANDS_FOR = re.compile(
    one_of(
        "he she it one ones they him them his hers its their there il elle ils elles lui leur leurs",
        "son sa ses y en là ça cela celui-ci celle-ci",
    ),
    re.IGNORECASE,
)
"""Words that stand for what was named before."""
_WORD = re.compile(r"[^\W_]+")


class Question(NamedTuple):
    """One question of a text: as it was typed, and so that it can be asked alone."""

    typed: str
    asked: str


def questions_in(text: str) -> tuple[Question, ...]:
    """Return the questions that a text asks.

    One that stands for a thing by a pronoun, or says too little, is asked with the names of the things that
    the first is about: "Who is Ann and where does she live?" asks "Who is Ann?", "where does she live, Ann?".
    A text that asks one question, or more than `MOST_QUESTIONS`, is returned as it is.
    """
    whole = (Question(text, text),)
    if len(text) > LONGEST:
        return whole
    parts = _parts(text.strip())
    if not 1 < len(parts) <= MOST_QUESTIONS or not all(map(_ASKS.match, parts)):
        return whole
    first = _whole(parts[0], parts)
    named = " ".join(first[one.start : one.end] for one in subject_of(f"{first}?")) or " ".join(
        _telling(first)
    )
    asked = (first, *(_whole(part, parts) if _is_bare(part) else _about(named, part) for part in parts[1:]))
    return tuple(Question(part, f"{each}?") for part, each in zip(parts, asked, strict=True))


def _parts(text: str) -> list[str]:
    """Return a text cut where a further question begins."""
    parts, begin = list[str](), 0
    for joint in _JOINT.finditer(text):
        part = text[begin : joint.start()]
        opener = joint["opener"]
        # "The man who built it and who sails it": the first "who" asks nothing, and neither does the second.
        opened = _OPENS.match(part)
        if opener and re.search(rf"(?<!\w){re.escape(opener)}(?!\w)", part[opened.end() if opened else 0 :]):
            continue
        parts.append(part)
        begin = joint.end()
    return [stripped for part in (*parts, text[begin:]) if (stripped := part.strip(" ?!.,;"))]


def _is_bare(part: str) -> bool:
    """Return whether a part says only how it asks, as "where" of "where and when was it?" does."""
    opened = _OPENS.match(part)
    return opened is not None and opened.end() == len(part)


def _whole(part: str, parts: list[str]) -> str:
    """Return a part with what it asks of: of "where and when was it?" the first is "where was it?"."""
    if not _is_bare(part):
        return part
    rests = (one[found.end() :] for one in parts if (found := _OPENS.match(one)))
    return part + next((rest for rest in rests if rest), "")


def _about(named: str, part: str) -> str:
    """Return a question with the names of things, where it does not name its own."""
    stands_for = any(map(_STANDS_FOR.fullmatch, _WORD.findall(part)))
    return f"{part}, {named}" if stands_for or len(_telling(part)) < LEAST_WORDS else part


def _telling(part: str) -> list[str]:
    """Return the words of a question but stop words and those that ask."""
    mute = stop_words(LANGUAGE_CODES.index("fr" if is_in_french(part) else "en"))
    return [
        word for word in _WORD.findall(INVERTED.sub("", part)) if len(word) > 1 and fold(word) not in mute
    ]
