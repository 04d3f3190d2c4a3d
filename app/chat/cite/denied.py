"""Whether a sentence says the opposite of the lines it cites, or denies what they say."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from app.chat.cite.opposites import RELATIONAL
from app.chat.cite.outcome import (
    Denial,
    Outcome,
    box_outcome,
    clauses,
    contraries,
    denials,
    denies,
    has_negation,
    is_denying_word,
    outcomes,
    telling,
)
from app.chat.cite.pair import Judgement, Pair
from app.chat.cite.passage import Unit, content_words, stems_of
from app.notices import ClaimKind, Notice
from app.search.excerpt import fold

FEW_UNITS = 5
"""So few sentences are taken to be about what cites them, though no word is the same."""
HALF, CLOSE = 0.5, 0.65
"""Share of a sentence's words in one sentence of the note from which on the two are taken to say the same."""
_WORD = re.compile(r"[^\W\d_]+")
CLEARLY = 2
"""Words that the clause which says the opposite shares more with a sentence than one which says the same."""


def wrong_outcomes(pair: Pair) -> Iterator[Judgement]:
    """Yield each outcome that a sentence states and that its lines state the other way round."""
    own = () if pair.text.endswith("?") else outcomes(pair.text)
    for name in dict.fromkeys(each.pair for each in own):
        stated = [each for each in own if each.pair == name]
        if len({each.is_first for each in stated}) > 1:
            continue
        same, opposite = (-1, -1), (-1, -1)
        failing: list[Unit] = []
        for unit in pair.passage.units:
            share = pair.shares[unit] - _share_of(pair, stated[0], unit)
            for is_first, beside in _sides(pair, unit, stated[0]).items():
                if is_first == stated[0].is_first:
                    same = max(same, (beside, share))
                    continue
                if (beside, share) > opposite:
                    failing = [unit]
                opposite = max(opposite, (beside, share))
        if not failing or (stated[0].is_negated and _says_otherwise(own, name, failing[0])):
            continue
        word = pair.text[stated[0].start : stated[0].end]
        failure = pair.failure("contradicted", Notice(ClaimKind.OPPOSITE, words=word), pair.nearest(failing))
        if name not in RELATIONAL and (sides := _told_of(pair, stated)).keys() == {True, False}:
            if _is_said_of_it(sides[not stated[0].is_first], sides[stated[0].is_first]):
                yield failure
            continue
        # Where one sentence says both, the opposite has to be said of it clearly.
        beside = _sides(pair, failing[0], stated[0]).get(stated[0].is_first, -CLEARLY)
        if opposite[0] < beside + CLEARLY:
            continue
        if _is_told_elsewhere(pair, stated[0], failing[0]):
            continue
        is_about = max(opposite) > 0 or (len(pair.passage.units) <= FEW_UNITS and opposite[1] == 0)
        if is_about and opposite > same:
            yield failure


def _is_told_elsewhere(pair: Pair, outcome: Outcome, unit: Unit) -> bool:
    """Return whether another unit has clearly more of what an outcome is said of than a unit has."""
    about = outcome.side | outcome.subject
    held = len(about & pair.unit_stems(unit))
    return any(len(about & pair.unit_stems(other)) >= held + CLEARLY for other in pair.passage.units)


def _told_of(pair: Pair, stated: Sequence[Outcome]) -> dict[bool, frozenset[str]]:
    """Return for each side of a pair that the lines state the words and numbers of the sentence said with it.

    Of several that state a side it is the one with most of them; a subject that is left out, or is a
    pronoun, is the last one named.
    """
    text = pair.text
    for each in stated:
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    words = telling(fold(text))
    found: dict[bool, frozenset[str]] = {}
    subject: frozenset[str] = frozenset()
    for unit in pair.passage.units:
        there = [each for each in outcomes(unit.text) if each.pair == stated[0].pair]
        box = box_outcome(pair.passage.line_at(unit.start)) if stated[0].pair == "done" else None
        for each in sorted(there, key=lambda each: each.start):
            subject = each.subject or subject
            shared = frozenset(word for word, stems in words.items() if stems & (each.side | subject))
            side = each.is_first if box is None else box
            found[side] = max(found.get(side, frozenset()), shared, key=len)
    return found


def _is_said_of_it(opposite: frozenset[str], same: frozenset[str]) -> bool:
    """Return whether what a sentence speaks of is where the opposite is said, and not where the same is."""
    return len(opposite - same) >= (CLEARLY + len(same - opposite) if same - opposite else 1)


def states_the_same(pair: Pair) -> bool:
    """Return whether some outcome of a sentence is one of its lines."""
    own = {(each.pair, each.is_first) for each in outcomes(pair.text)}
    return any((e.pair, e.is_first) in own for unit in pair.passage.units for e in outcomes(unit.text))


def _says_otherwise(own: Sequence[Outcome], name: str, unit: Unit) -> bool:
    """Return whether another outcome stands in a unit, as "not open early" says "opened late"."""
    there = {(each.pair, each.is_first) for each in outcomes(unit.text)}
    return any(each.pair != name and (each.pair, each.is_first) in there for each in own)


def wrong_contraries(pair: Pair) -> Iterator[Judgement]:
    """Yield where a sentence says "agrees" and its lines "disagrees", or the other way round."""
    held = pair.passage.stems
    for stems, is_prefixed, is_denied, word in contraries(pair.text):
        if stems_of(word) & held:
            # What also stands there as the sentence has it is of something else.
            continue
        for unit in pair.passage.units:
            for others, is_other_prefixed, is_other_denied, _ in contraries(unit.text):
                is_pair = is_prefixed != is_other_prefixed and bool(stems & others)
                if is_pair and is_denied != is_other_denied and pair.shares[unit]:
                    written = next((each for each in pair.words if fold(each) == word), word)
                    notice = Notice(ClaimKind.OPPOSITE, words=written)
                    yield pair.failure("contradicted", notice, pair.nearest([unit]))


def _share_of(pair: Pair, outcome: Outcome, unit: Unit) -> int:
    """Return 1 where the word of the outcome itself is what a unit shares."""
    stems = stems_of(pair.text[outcome.start : outcome.end].split(" ")[0])
    return int(any(stems & stems_of(word) for word in content_words(unit.text)))


def _sides(pair: Pair, unit: Unit, own: Outcome) -> dict[bool, int]:
    """Return which sides of a pair a unit states; of "before" only those of the same thing.

    With each side stands how many words the clauses that state it share with the sentence.
    """
    if own.pair == "done" and (box := box_outcome(pair.passage.line_at(unit.start))) is not None:
        # What the words of a task say is what is to be done; its box says whether it is.
        return {box: 0}
    sides: dict[bool, int] = {}
    found = [each for each in outcomes(unit.text) if each.pair == own.pair]
    if denies(pair.text) and denies(unit.text):
        # Both deny, and the same word: how far each negation reaches is not told for sure.
        is_said = own.is_first != own.is_negated
        found = [
            replace(each, is_first=own.is_first) if (each.is_first != each.is_negated) == is_said else each
            for each in found
        ]
    if own.pair in RELATIONAL:
        if any(each.is_first == own.is_first and each.following != own.following for each in found):
            return {}
        found = [each for each in found if each.following == own.following]
    for each in found:
        shared = len(each.beside & pair.folded_stems)
        sides[each.is_first] = max(shared, sides.get(each.is_first, 0))
    return sides


def wrong_denials(pair: Pair) -> Iterator[Judgement]:
    """Yield what a sentence denies and its lines say, and the other way round; in one language only."""
    if not pair.is_same_language:
        return
    denied = denials(pair.text)
    for denial in denied:
        if _is_borne_out(pair, denial):
            continue
        units = [unit for unit in pair.passage.units if _asserts(pair, unit, denial)]
        if units:
            near = units if _closeness(pair, None, denial) >= HALF else []
        else:
            most = max(pair.shares.values(), default=0)
            near = [
                unit
                for unit in pair.passage.units
                if pair.shares[unit] == most and not has_negation(unit.text)
                and _says_the_rest(pair, unit, denial)
            ]  # fmt: skip
        if near:
            yield _denial(pair, near)
    if not denied and not has_negation(pair.raw):
        for unit in pair.passage.units:
            for denial in denials(unit.text):
                is_about = denial.stems & pair.stems and (
                    _closeness(pair, unit) >= CLOSE or _says_all(pair, denial)
                )
                if is_about and not any(denial.stems & _asserted(each.text) for each in pair.passage.units):
                    yield _denial(pair, [unit])


def _is_borne_out(pair: Pair, denial: Denial) -> bool:
    """Return whether lines deny the same word, or say its opposite or another denial of the same thing."""
    about = pair.folded_stems - denial.stems
    own = {(each.pair, each.is_first) for each in outcomes(pair.text) if each.is_negated}
    for unit in pair.passage.units:
        if any(denial.stems & other.stems for other in denials(unit.text)):
            return True
        if any((each.pair, each.is_first) in own and each.beside & about for each in outcomes(unit.text)):
            return True
    return False


def _asserts(pair: Pair, unit: Unit, denial: Denial) -> bool:
    """Return whether a clause of a unit says what a sentence denies, of the same thing."""
    about = pair.folded_stems - denial.stems
    for clause in clauses(unit.text):
        stems = _stems_in(clause)
        # "Authentic, mended above" says it of what the whole is about; "a battery" only names one.
        is_alone = not stems - denial.stems and not denial.is_noun
        is_said = stems & denial.stems and not has_negation(_but(clause, denial.stems))
        if is_said and (stems & about or not about or is_alone):
            return True
    return False


def _but(clause: str, stems: frozenset[str]) -> str:
    """Return a clause without the words of some stems: "stopped" half denies, unless it is what is denied."""
    return _WORD.sub(lambda word: "" if stems_of(word[0]) & stems else word[0], clause)


def _says_all(pair: Pair, denial: Denial) -> bool:
    """Return whether a sentence has all words of a clause that denies, as of "no incident"."""
    words = [word for word in content_words(denial.clause) if not is_denying_word(word)]
    return all(stems_of(word) & pair.folded_stems for word in words)


@lru_cache(maxsize=4096)
def _stems_in(clause: str) -> frozenset[str]:
    return frozenset(stem for word in content_words(clause) for stem in stems_of(word))


def _says_the_rest(pair: Pair, unit: Unit, denial: Denial) -> bool:
    """Return whether a unit says what a sentence does, but for the word that this denies.

    The verb may be there in another form, as "went" of "did not go", or in other words, where a number, a
    time or a name is the same.
    """
    closeness = _closeness(pair, unit, None if unit.is_row else denial)
    exact = pair.shares[unit] - pair.words_shared(unit)
    return (denial.is_do and closeness >= CLOSE) or (exact > 0 and closeness >= HALF)


@lru_cache(maxsize=4096)
def _asserted(text: str) -> frozenset[str]:
    """Return the stems of the words that stand in clauses of a unit which deny nothing."""
    plain = (clause for clause in clauses(text) if not has_negation(clause))
    return frozenset().union(*map(_stems_in, plain))


def _closeness(pair: Pair, unit: Unit | None, denial: Denial | None = None) -> float:
    """Return which share of the words of the sentence, or of what denies besides its word, a unit has.

    Without a unit, what all lines and the headings above them have.
    """
    held = pair.unit_stems(unit) if unit else pair.passage.stems
    words = [stems_of(word) for word in (content_words(denial.clause) if denial else pair.words)]
    if denial:
        words = [stems for stems in words if not stems & denial.stems] or [
            stems for word in pair.words if not (stems := stems_of(word)) & denial.stems
        ]
    return sum(bool(stems & held) for stems in words) / len(words) if words else 0.0


def _denial(pair: Pair, units: Sequence[Unit]) -> Judgement:
    return pair.failure("contradicted", Notice(ClaimKind.DENIED), pair.nearest(units))
