"""How likely what was found answers a question at all."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from app.chat.evidence.nearness import Meaning, Nearness
from app.chat.evidence.note import Worth
from app.chat.evidence.weigh import AnalyzedQuestion, Candidate, in_context
from app.chat.evidence.when import is_of_another_time, lies_in
from app.search.excerpt import fold
from app.search.lexical.analysis import runs
from app.search.lexical.dictionary import rarity
from app.search.lexical.language import note_language, stop_words

BY_WORDS: Mapping[str, float] = {
    "always": -1.4,
    "words of the best": 2.483,
    "words of all": 0.812,
    "search": 2.805,
    "name missing": -1.5,
    "another time": -2.6,
}
"""What each sign counts where only words were compared.

`bench/answers/fit.py` fits it, with -2.075 for what counts always: words alone tell so little that more than
a quarter of the questions that notes answer would be refused, so that more others are let pass here. For the
same reason what is missing counts half of what fits.
"""
BY_MEANING: Mapping[str, float] = {
    "always": -1.3,
    "whole": 3.0,
    "said": 4.892,
    "unsaid": -5.784,
    "name missing": -3.0,
    "another time": -4.0,
}
"""What each sign counts where meaning was compared too.

Fitted likewise, and set by hand since: "always" so that one in ten of the questions that notes answer is
refused.
"""
HELD = 0.9
"""Share of a word's information from which on a span has the word itself."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_SENTENCE = re.compile(r"(?:\A|[.!?:])[\s\"'“«(’]*\Z")
"""What stands before a place where a sentence begins, so that a capital there tells nothing."""


class _Word(NamedTuple):
    """A word of a question, with how much of it the best span has: 0 to 1, by the word and by its meaning.

    ``rarity`` is its information in the question's language, 0 to 1; 1 where the span has it.
    """

    text: str
    worth: float
    held: float
    near: float
    rarity: float


def features_of(asked: AnalyzedQuestion, weighed: Sequence[tuple[Candidate, float]]) -> dict[str, float]:
    """Return what tells questions that notes answer from others, by name, for candidates best first."""
    candidates = [one for one, _ in weighed]
    best = candidates[0]
    together: dict[int, float] = {}
    for one in candidates:
        for part, worth in one.around.items():
            together[part] = max(worth, together.get(part, 0.0))
    signs = {
        "always": 1.0,
        "words of the best": asked.share(best.around),
        "words of all": asked.share(together),
        "search": max(one.evidence.probability for one in candidates),
        "name missing": _name_missing(asked, together),
        "another time": _another_time(asked, best),
    }
    if best.near is not None and asked.meaning is not None:
        words = _words(asked, asked.meaning, best, best.near)
        signs["whole"] = max(one.near.whole for one in candidates if one.near is not None)
        signs["said"] = _said(words)
        signs["unsaid"] = _unsaid(asked, asked.meaning, best, words)
    return signs


def _name_missing(asked: AnalyzedQuestion, together: Worth) -> float:
    """Return 1 where the question has a name that no span has, 0 where it has none or all are there."""
    of_time = set(runs(asked.window.phrase)) if asked.window else set()
    for place in asked.words.places([asked.question], 0)[0]:
        word = asked.question[place.start : place.end]
        # English writes "October" large; which time is meant is told by the sign of another time.
        is_name = word[:1].isupper() and not _SENTENCE.search(asked.question[: place.start])
        is_missing = place.part not in together
        if is_name and is_missing and word.lower() not in of_time:
            return 1.0
    return 0.0


def _another_time(asked: AnalyzedQuestion, best: Candidate) -> float:
    """Return 1 where the question names a time and dates say that the best span is of another one.

    Of questions in two steps the time may be that of the first, and how a thing is done is of no time.
    """
    if asked.window is None or best.joint or any(one.is_step for one in best.span.statements):
        return 0.0
    return float(is_of_another_time(asked.window, best.note, best.span))


def _words(asked: AnalyzedQuestion, meaning: Meaning, best: Candidate, near: Nearness) -> list[_Word]:
    """Return the words that tell what a question is about."""
    language = note_language(set(runs(asked.question)))
    mute, window = stop_words(language), asked.window
    # "March" does not stand in a note of 12 March, and is not missing there.
    said = runs(window.phrase) if window and lies_in(window, best.note, best.span) else ()
    found: dict[str, _Word] = {}
    for place in asked.words.places([asked.question], 0)[0]:
        typed = asked.question[place.start : place.end].lower()
        text = fold(typed)
        if text in mute or len(text) < 2:
            continue
        held = min(best.around.get(place.part, 0.0) / place.worth, 1.0) if place.worth else 0.0
        if typed in said:
            held = 1.0
        rare = 1.0 if held >= HELD else rarity(typed, language)
        word = _Word(text, place.worth, held, meaning.near_at(near, place.start, place.end), rare)
        found[text] = max(word, found.get(text, word), key=lambda each: each.worth)
    return list(found.values())


def _said(words: Sequence[_Word]) -> float:
    """Return the share of the question's information that a span has, by its words or by their meaning."""
    total = sum(word.worth for word in words)
    return sum(word.worth * max(word.held, word.near) for word in words) / total if total else 0.0


def _unsaid(asked: AnalyzedQuestion, meaning: Meaning, best: Candidate, words: Sequence[_Word]) -> float:
    """Return how much of the one word is missing that a span has least of, 0 to 1.

    It counts by its information, as a share of that of a word which stands in no note, and by how far the
    nearest word of the span lies from it in meaning. Each is read alone: beside its subject a word takes on
    the meaning of that, and "a dentist for Isla" would lie near to "the birthday of Isla". Many everyday
    words stand in no note of a small vault: a word has at most the information that it has in its language.
    """
    missing = [word for word in words if word.held < HELD]
    tried = [word.text for word in missing if not word.text.isdigit()]
    nearest = dict(zip(tried, meaning.nearest(tried, _telling_words(best)), strict=True))
    most, worst = asked.view.lexical.most_worth, 0.0
    for word in missing:
        there = max(word.held, nearest.get(word.text, 0.0))
        worst = max(worst, min(word.worth / most, word.rarity) * (1 - there))
    return worst


def _telling_words(best: Candidate) -> list[str]:
    """Return the words that a span says something with, each once."""
    mute = stop_words(best.note.language)
    return [word for word in dict.fromkeys(_WORD.findall(in_context(best).lower())) if fold(word) not in mute]


def answer_chance(asked: AnalyzedQuestion, weighed: Sequence[tuple[Candidate, float]]) -> float:
    """Return how likely some candidate answers the question, 0 to 1; 0 where there is none."""
    if not weighed:
        return 0.0
    signs = features_of(asked, weighed)
    table = BY_MEANING if "whole" in signs else BY_WORDS
    total = sum(table[name] * value for name, value in signs.items() if name in table)
    return float(1 / (1 + np.exp(-np.clip(total, -30, 30))))
