"""How likely what was found answers a question at all."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from app.chat.evidence.answer_type import VALUES, AnswerType
from app.chat.evidence.belonging import Worth, belonging, carried, names_above, worth_in
from app.chat.evidence.nearness import Meaning, Nearness
from app.chat.evidence.people import tells_of_someone
from app.chat.evidence.subject import ends_before
from app.chat.evidence.weigh import AnalyzedQuestion, Candidate, in_context
from app.chat.evidence.when import CALENDAR, is_of_another_time, lies_in
from app.search.excerpt import fold
from app.search.lexical.analysis import runs
from app.search.lexical.dictionary import has_lists, may_be_word, rarity
from app.search.lexical.language import LANGUAGE_CODES, note_language, stop_words

BY_WORDS: Mapping[str, float] = {
    "always": -1.4,
    "words of the best": 2.483,
    "words of all": 0.812,
    "search": 2.805,
    "value missing": -2.6,
    "value apart": -1.5,
    "name missing": -1.5,
    "thing missing": -2.6,
    "person missing": -2.6,
    "another time": -2.6,
}
"""What each sign counts where only words were compared.

`bench/answers/fit.py` fits it, with -2.075 for what counts always: words alone tell so little that more than
a quarter of the questions that notes answer would be refused, so that more others are let pass here. For the
same reason what is missing counts half of what fits; "thing missing" as much as a missing value, set by hand.
"""
BY_MEANING: Mapping[str, float] = {
    "always": -1.03,
    "whole": 3.0,
    "said": 4.892,
    "unsaid": -5.784,
    "focus missing": -2.37,
    "name missing": -3.0,
    "value missing": -5.197,
    "value apart": -4.993,
    "value elsewhere": -3.926,
    "thing missing": -4.0,
    "person missing": -4.0,
    "another time": -4.0,
}
"""What each sign counts where meaning was compared too.

Fitted likewise, and set by hand since: "always" so that one in ten of the questions that notes answer is
refused. "thing missing" was set by hand, on questions in one step: fitted, questions in two outweigh them.
"""
HELD = 0.9
"""Share of a word's information from which on a span has the word itself."""
OF_THINGS = VALUES | {AnswerType.TIME, AnswerType.PERSON, AnswerType.NUMBER}
"""Kinds that are asked for of a thing, and that other things have too."""
LEAST_MISSING = 0.6
"""What of a thing may be missing before it tells that another one is spoken of."""
MOST_THINGS = 2
"""Things that a question may be about, such as the clutch of a car, for both to stand beside what answers."""
SAME_NAME = 0.8
"""Nearness from which on two names are one, such as "Lisbon" and "Lisbonne"."""
_WORD = re.compile(r"[^\W\d_]{3,}")


class _Word(NamedTuple):
    """A word of a question, with how much of it the best span has: 0 to 1, by the word and by its meaning.

    ``rarity`` is its information in the question's language, 0 to 1; 1 where it says what is asked about.
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
        "value missing": float(asked.answer_type in VALUES and not any(best.fits)),
        "value apart": _value_apart(asked, best),
        "value elsewhere": _value_elsewhere(asked, candidates),
        "name missing": _name_missing(asked, together),
        "thing missing": _thing_missing(asked, best),
        "person missing": _person_missing(asked, best),
        "another time": _another_time(asked, best),
    }
    if best.near is not None and asked.meaning is not None:
        words = _words(asked, asked.meaning, best, best.near)
        signs["whole"] = max(one.near.whole for one in candidates if one.near is not None)
        signs["said"] = _said(words)
        nearest = _nearest(asked.meaning, best, words)
        signs["unsaid"] = _unsaid(asked, words, nearest)
        signs["focus missing"] = _focus_missing(asked, words, nearest)
    return signs


def _value_apart(asked: AnalyzedQuestion, best: Candidate) -> float:
    """Return how much of the question stands apart from the value it asks for in the best span, 0 to 1."""
    around = asked.share(best.around)
    if asked.answer_type not in VALUES or not any(best.fits) or not around:
        return 0.0
    return 1 - best.close / around


def _value_elsewhere(asked: AnalyzedQuestion, candidates: Sequence[Candidate]) -> float:
    """Return how much more of the question another span has that holds no such value, 0 to 1."""
    if asked.answer_type not in VALUES:
        return 0.0
    others = (asked.share(one.around) for one in candidates if not any(one.fits))
    return max(0.0, max(others, default=0.0) - asked.share(candidates[0].around))


def _name_missing(asked: AnalyzedQuestion, together: Worth) -> float:
    """Return 1 where the question has a name that no span has, 0 where it has none or all are there."""
    for place in asked.words.places([asked.question], 0)[0]:
        is_name = asked.question[place.start].isupper() and not ends_before(asked.question, place.start)
        if fold(asked.question[place.start : place.end]) in CALENDAR:
            # English writes "October" large; which time is meant is told by the sign of another time.
            continue
        if is_name and place.part < asked.words.count and place.part not in together:
            return 1.0
    return 0.0


def _thing_missing(asked: AnalyzedQuestion, best: Candidate) -> float:
    """Return how much is missing of the thing whose value, name or time is asked for, 0 to 1.

    The value of another row, item or paragraph is another thing's. A name is there or not; of another word
    is there what the nearest word means of it. Less than `LEAST_MISSING` says nothing: one thing is called by
    many words. What another note names is asked for in two steps, and what is of many things stands nowhere
    beside them all.
    """
    is_of_many = sum(one.share == 1 for one in asked.things) > MOST_THINGS
    if not (asked.answer_type in OF_THINGS or best.asking is not None) or best.joint or is_of_many:
        return 0.0
    language = best.note.language
    told = list(belonging(best.note, best.span, best.fits))
    shares = [carried(asked.things, asked.covered(each, language)) for each in told]
    text = "\n".join(each for each, share in zip(told, shares, strict=True) if share == max(shares))
    there = asked.covered(text, language)
    missing = [(one, held) for one in asked.things if (held := there.get(one.part, 0.0) / one.worth) < HELD]
    near = [0.0] * len(missing)
    if asked.meaning is not None and best.near is not None:
        words = [asked.question[one.start : one.end].lower() for one, _ in missing]
        near = asked.meaning.nearest(words, _telling_words(text, language), text)
    worst = 0.0
    for (one, held), nearness in zip(missing, near, strict=True):
        is_there = max(held, nearness if nearness >= SAME_NAME or not one.is_name else 0.0)
        worst = max(worst, one.share * (1 - is_there))
    return max(0.0, worst - LEAST_MISSING) / (1 - LEAST_MISSING)


def _person_missing(asked: AnalyzedQuestion, best: Candidate) -> float:
    """Return 1 where a person is asked for and the best span tells of nobody, nor what it stands under.

    A note that is called by one large word which is no word of its language, or English, is about somebody.
    """
    if asked.answer_type is not AnswerType.PERSON or best.joint or best.asking is not None:
        return 0.0
    title, languages = best.note.title, (best.note.language, LANGUAGE_CODES.index("en"))
    is_large = title.isalpha() and title[:1].isupper()
    is_name = is_large and not (has_lists() and may_be_word(title.lower(), languages))
    told = "\n".join([names_above(best.note, best.span), *best.plain])
    return float(not is_name and not tells_of_someone(told, asked.question))


def _another_time(asked: AnalyzedQuestion, best: Candidate) -> float:
    """Return 1 where the question names a time and dates say that the best span is of another one.

    Of questions in two steps the time may be that of the first, and how a thing is done is of no time.
    """
    if asked.window is None or best.joint or asked.answer_type is AnswerType.STEPS:
        return 0.0
    return float(is_of_another_time(asked.window, best.note, best.span))


def _focus_missing(asked: AnalyzedQuestion, words: Sequence[_Word], nearest: Mapping[str, float]) -> float:
    """Return how far the nearest word of the best span lies from what the question asks for by name.

    Nothing of it is missing where a value tells that it is there, or where the question names nothing.
    """
    focus = next((word for word in words if word.text == asked.focus and word.held < HELD), None)
    return 1 - max(focus.held, nearest.get(focus.text, 0.0)) if focus else 0.0


def _words_there(best: Candidate) -> list[str]:
    """Return the words that a span says something with, each once."""
    return _telling_words(in_context(best), best.note.language)


def _telling_words(text: str, language: int) -> list[str]:
    mute = stop_words(language)
    return [word for word in dict.fromkeys(_WORD.findall(text.lower())) if fold(word) not in mute]


def _words(asked: AnalyzedQuestion, meaning: Meaning, best: Candidate, near: Nearness) -> list[_Word]:
    """Return the words that tell what a question is about."""
    language = note_language(set(runs(asked.question)))
    mute, about = stop_words(language), {one.part for one in asked.things}
    whole = "\n".join([names_above(best.note, best.span), *best.plain])
    there = worth_in(asked.words, whole, best.note.language)
    window = asked.window
    # "March" does not stand in a note of 12 March, and is not missing there.
    said = runs(window.phrase) if window and lies_in(window, best.note, best.span) else ()
    found: dict[str, _Word] = {}
    for place in asked.words.places([asked.question], 0)[0]:
        text = fold(asked.question[place.start : place.end])
        if place.part >= asked.words.count or text in mute or len(text) < 2:
            continue
        held = min(there.get(place.part, 0.0) / place.worth, 1.0) if place.worth else 0.0
        is_asked_for = best.asking is not None and place.part in best.asking
        if is_asked_for or asked.question[place.start : place.end].lower() in said:
            held = 1.0
        rare = 1.0
        if held < HELD and place.part not in about and text != asked.focus:
            rare = rarity(asked.question[place.start : place.end].lower(), language)
        word = _Word(text, place.worth, held, meaning.near_at(near, place.start, place.end), rare)
        found[text] = max(word, found.get(text, word), key=lambda each: each.worth)
    return list(found.values())


def _said(words: Sequence[_Word]) -> float:
    """Return the share of the question's information that a span has, by its words or by their meaning."""
    total = sum(word.worth for word in words)
    return sum(word.worth * max(word.held, word.near) for word in words) / total if total else 0.0


def _nearest(meaning: Meaning, best: Candidate, words: Sequence[_Word]) -> dict[str, float]:
    """Return of each word that a span has not how near the nearest lies.

    Each is read alone: beside its subject a word takes on the meaning of that, and "a dentist for Isla" would
    lie near to "the birthday of Isla".
    """
    tried = [word.text for word in words if word.held < HELD and not word.text.isdigit()]
    return dict(zip(tried, meaning.nearest(tried, _words_there(best)), strict=True))


def _unsaid(asked: AnalyzedQuestion, words: Sequence[_Word], nearest: Mapping[str, float]) -> float:
    """Return how much of the one word is missing that a span has least of, 0 to 1.

    It counts by its information, as a share of that of a word which stands in no note, and by how far the
    nearest word of the span lies from it in meaning. Many everyday words stand in no note of a small vault:
    one that does not say what is asked about has at most the information that it has in its language.
    """
    most, worst = asked.view.lexical.most_worth, 0.0
    for word in words:
        if word.held < HELD:
            there = max(word.held, nearest.get(word.text, 0.0))
            worst = max(worst, min(word.worth / most, word.rarity) * (1 - there))
    return worst


def answer_chance(asked: AnalyzedQuestion, weighed: Sequence[tuple[Candidate, float]]) -> float:
    """Return how likely some candidate answers the question, 0 to 1; 0 where there is none."""
    if not weighed:
        return 0.0
    signs = features_of(asked, weighed)
    table = BY_MEANING if "whole" in signs else BY_WORDS
    total = sum(table[name] * value for name, value in signs.items() if name in table)
    return float(1 / (1 + np.exp(-np.clip(total, -30, 30))))
