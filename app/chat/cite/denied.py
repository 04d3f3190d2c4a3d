"""Whether a sentence says the opposite of the lines it cites, or denies what they say."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from app.chat.cite.opposites import RELATIONAL
from app.chat.cite.outcome import Denial, Outcome, box_outcome, clauses, denials, has_negation, outcomes
from app.chat.cite.pair import Judgement, Pair
from app.chat.cite.passage import Unit, content_words, stems_of
from app.notices import ClaimKind, Notice

FEW_UNITS = 5
"""So few sentences are taken to be about what cites them, though no word is the same."""
HALF, CLOSE = 0.5, 0.65
"""Share of a sentence's words in one sentence of the note from which on the two are taken to say the same."""


def wrong_outcomes(pair: Pair) -> Iterator[Judgement]:
    """Yield each outcome that a sentence states and that its lines state the other way round."""
    own = () if pair.text.endswith("?") else outcomes(pair.text)
    for name in dict.fromkeys(each.pair for each in own):
        stated = [each for each in own if each.pair == name]
        if len({each.is_first for each in stated}) > 1:
            continue
        same, opposite = -1, -1
        failing: list[Unit] = []
        for unit in pair.passage.units:
            sides = _sides(pair, unit, stated[0])
            share = pair.shares[unit] - _share_of(pair, stated[0], unit)
            if stated[0].is_first in sides:
                same = max(same, share)
            elif sides:
                if share > opposite:
                    failing = [unit]
                opposite = max(opposite, share)
        is_about = opposite > 0 or (len(pair.passage.units) <= FEW_UNITS and opposite == 0)
        if failing and is_about and opposite > same:
            word = pair.text[stated[0].start : stated[0].end]
            yield pair.failure("contradicted", Notice(ClaimKind.OPPOSITE, words=word), pair.nearest(failing))


def _share_of(pair: Pair, outcome: Outcome, unit: Unit) -> int:
    """Return 1 where the word of the outcome itself is what a unit shares."""
    stems = stems_of(pair.text[outcome.start : outcome.end].split(" ")[0])
    return int(any(stems & stems_of(word) for word in content_words(unit.text)))


def _sides(pair: Pair, unit: Unit, own: Outcome) -> set[bool]:
    """Return which sides of a pair a unit states; of "before" only those of the same thing."""
    sides = {
        each.is_first
        for each in outcomes(unit.text)
        if each.pair == own.pair and (own.pair not in RELATIONAL or each.following == own.following)
    }
    if own.pair == "done":
        box = box_outcome(pair.passage.line_at(unit.start))
        # What the words of a task say is what is to be done; its box says whether it is.
        return sides if box is None else {box}
    return sides


def wrong_denials(pair: Pair) -> Iterator[Judgement]:
    """Yield what a sentence denies and its lines say, and the other way round; in one language only."""
    if not pair.is_same_language:
        return
    denied = denials(pair.text)
    for denial in denied:
        units = [unit for unit in pair.passage.units if denial.stems & _asserted(unit.text)]
        if units:
            is_denied_too = any(_denies(pair, unit, denial.stems) for unit in pair.passage.units)
            near = units if not is_denied_too and _closeness(pair, None, denial) >= HALF else []
        else:
            near = [
                unit
                for unit in pair.passage.units
                if not has_negation(unit.text) and _says_the_rest(pair, unit, denial)
            ]
        if near:
            yield _denial(pair, near)
    if not denied and not has_negation(pair.text):
        for unit in pair.passage.units:
            for denial in denials(unit.text):
                is_about = denial.stems & pair.stems and _closeness(pair, unit) >= CLOSE
                if is_about and not any(denial.stems & _asserted(each.text) for each in pair.passage.units):
                    yield _denial(pair, [unit])


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
    return frozenset(stem for clause in plain for word in content_words(clause) for stem in stems_of(word))


def _denies(pair: Pair, unit: Unit, stems: frozenset[str]) -> bool:
    """Return whether a unit denies a word."""
    return any(stems & denial.stems for denial in denials(unit.text))


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
