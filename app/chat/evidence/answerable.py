"""How likely what was found answers a question at all."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from app.chat.evidence.nearness import Meaning, Nearness
from app.chat.evidence.weigh import SPELT_SHARE, Asked, Candidate, in_context, names_above, worth_in
from app.search.excerpt import fold
from app.search.lexical.analysis import runs
from app.search.lexical.language import note_language, stop_words

BY_WORDS: Mapping[str, float] = {
    "always": -1.4,
    "words of the best": 2.483,
    "words of all": 0.812,
    "search": 2.805,
}
"""What each sign counts where only words were compared.

`bench/answers/fit.py` fits it, with -2.075 for what counts always: words alone tell so little that more than
a quarter of the questions that notes answer would be refused, so that more others are let pass here.
"""
BY_MEANING: Mapping[str, float] = {
    "always": -0.19,
    "words of the best": -2.66,
    "whole": 3.72,
    "said": 2.53,
    "unsaid": -5.65,
}
"""What each sign counts where meaning was compared too.

Fitted likewise, with -0.36 for what counts always: with a little more, no more of the questions that notes
answer are refused than before there was "unsaid".

Words that the best span has count against it beside "said", which counts them too: a span with the words of
a question, and as a whole far from it, is about the same things and answers something else.
"""
HELD = 0.9
"""Share of a word's information from which on a span has the word itself."""
_WORD = re.compile(r"[^\W\d_]{3,}")


class _Word(NamedTuple):
    """A word of a question, with how much of it the best span has: 0 to 1, by the word and by its meaning."""

    text: str
    worth: float
    held: float
    near: float


def signs_of(asked: Asked, weighed: Sequence[tuple[Candidate, float]]) -> dict[str, float]:
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
    }
    if best.near is not None and asked.meaning is not None:
        words = _words(asked, asked.meaning, best, best.near)
        signs["whole"] = max(one.near.whole for one in candidates if one.near is not None)
        signs["said"] = _said(words)
        signs["unsaid"] = _unsaid(asked, asked.meaning, best, words)
    return signs


def _words(asked: Asked, meaning: Meaning, best: Candidate, near: Nearness) -> list[_Word]:
    """Return the words that tell what a question is about."""
    mute = stop_words(note_language(set(runs(asked.question))))
    whole = "\n".join([names_above(best.note, best.span), *best.plain])
    there = worth_in(asked.typed, whole, best.note.language)
    found: dict[str, _Word] = {}
    for place in asked.typed.places([asked.question], 0)[0]:
        text = fold(asked.question[place.start : place.end])
        if place.part >= asked.typed.count or text in mute or len(text) < 2:
            continue
        held = min(there.get(place.part, 0.0) / place.worth, 1.0) if place.worth else 0.0
        word = _Word(text, place.worth, held, meaning.near_at(near, place.start, place.end))
        found[text] = max(word, found.get(text, word), key=lambda each: each.worth)
    return list(found.values())


def _said(words: Sequence[_Word]) -> float:
    """Return the share of the question's information that a span has, by its words or by their meaning."""
    total = sum(word.worth for word in words)
    return sum(word.worth * max(word.held, word.near) for word in words) / total if total else 0.0


def _unsaid(asked: Asked, meaning: Meaning, best: Candidate, words: Sequence[_Word]) -> float:
    """Return how much of the one word is missing that a span has least of, 0 to 1.

    It counts by its information, as a share of that of a word which stands in no note, and by how far the
    nearest word of the span lies from it in meaning, each read alone: beside its subject a word takes on the
    meaning of that, and "a dentist for Isla" would lie near to "the birthday of Isla".
    """
    missing = [word for word in words if word.held < HELD]
    instead: dict[str, list[str]] = {}
    for one in asked.query.spellings:
        instead.setdefault(fold(one.typed), []).append(one.text)
    mute = stop_words(best.note.language)
    there = list(dict.fromkeys(_WORD.findall(in_context(best).lower())))
    there = [word for word in there if fold(word) not in mute]
    sought = list(
        dict.fromkeys(text for word in missing for text in (word.text, *instead.get(word.text, ())))
    )
    sought = [text for text in sought if not text.isdigit()]
    nearest = dict(zip(sought, meaning.nearest(sought, there), strict=True))
    most, worst = asked.view.lexical.most_worth, 0.0
    for word in missing:
        spelt = (SPELT_SHARE * nearest.get(text, 0.0) for text in instead.get(word.text, ()))
        worst = max(worst, word.worth * (1 - max(word.held, nearest.get(word.text, 0.0), *spelt)))
    return worst / most


def answer_chance(asked: Asked, weighed: Sequence[tuple[Candidate, float]]) -> float:
    """Return how likely some candidate answers the question, 0 to 1; 0 where there is none."""
    if not weighed:
        return 0.0
    signs = signs_of(asked, weighed)
    table = BY_MEANING if "whole" in signs else BY_WORDS
    total = sum(table[name] * value for name, value in signs.items() if name in table)
    return float(1 / (1 + np.exp(-np.clip(total, -30, 30))))
