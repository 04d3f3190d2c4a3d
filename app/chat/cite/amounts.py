"""Whether the numbers of a sentence stand in the lines it cites, for what it gives them to."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from app.chat.cite.dates import day_numbers
from app.chat.cite.pair import Judgement, Pair
from app.chat.cite.passage import content_words, stems_of
from app.chat.cite.quantity import Quantity
from app.notices import ClaimKind, Notice

TIMES = {"clock", "second", "month"}
"""What is written with its unit: beside "four weeks" another "three" bears no "three weeks" out."""


def wrong_amounts(pair: Pair) -> Iterator[Judgement]:
    """Yield the numbers of a sentence that its lines do not have, or have of something else."""
    passage = pair.passage
    days = {
        period.first.day
        for each in (*passage.moments, *passage.moments_above)
        if (period := each.period(each.year)) and period.kind == "day"
    }
    alone = {start for start, _, number in day_numbers(pair.text) if number in days}
    for own in pair.quantities:
        is_day = own.start in alone or (_dimensions(own) == {"ordinal"} and own.values & days)
        if (own.is_plain_one and not own.is_rate) or is_day:
            continue
        if own.is_rate and not any(each.is_rate for each in passage.quantities):
            continue
        agreeing = _agreeing(pair, own)
        rivals = _exchanged(pair, own, agreeing) if agreeing else _rivals(pair, own)
        if agreeing and not rivals:
            continue
        if not agreeing and _is_count(pair, own):
            continue
        line = passage.line_at(rivals[0].start) if rivals else None
        yield pair.failure(
            "contradicted" if rivals else "unsupported",
            Notice(ClaimKind.OTHER_NUMBER, number=own.text),
            line,
        )


def _agreeing(pair: Pair, own: Quantity) -> list[Quantity]:
    """Return the quantities of the notes that bear a number out; with the same unit, where they have any."""
    passage = pair.passage
    there = [*passage.quantities, *passage.quantities_above]
    # The article "a" bears no number with a unit out.
    found = [
        each
        for each in (*there, *passage.durations)
        if own.agrees(each) and (each.measures or not each.is_plain_one or not own.measures)
    ]
    if not own.measures:
        return [] if _counts_a_measure(pair, own, found) else found
    if any(each.measures for each in found):
        return found
    kinds = _dimensions(own)
    if "ordinal" in kinds:
        return found
    if any(own.values & each.values and each.measures for each in there):
        return []
    if any(kinds & _dimensions(each) & TIMES for each in passage.quantities):
        return []
    return [
        each
        for each in found
        if pair.is_translated
        or not passage.holds(each)
        or not (noun := _noun(passage.text, each))
        or noun & pair.stems
        or kinds & {"page", "word"}
    ]


def _counts_a_measure(pair: Pair, own: Quantity, found: Sequence[Quantity]) -> bool:
    """Return whether a number counts something that the lines do not speak of, and measures there.

    "256 chapters" are not borne out by 256 pages. What a number counts may be said in other words, so that
    this is told by the unit that the lines have alone.
    """
    noun = _noun(pair.text, own)
    if not noun or not found or not pair.is_same_language or noun & pair.passage.stems:
        return False
    measured = [each for each in found if each.unit and not _dimensions(each) & {"clock", "ordinal", "bare"}]
    is_beside = not pair.text[own.end : own.end + 2].strip(" ").startswith(tuple(".,;:!?()|\0"))
    return is_beside and len(measured) == len(found)


def _is_count(pair: Pair, own: Quantity) -> bool:
    """Return whether a number counts things that the lines list, and for which they give no number."""
    noun = _noun(pair.text, own)
    numbered = (
        unit for each in pair.passage.quantities if (unit := pair.unit_of(each)) and not each.is_plain_one
    )
    is_listed = not own.measures and any(value in pair.passage.counts for value in own.values)
    return bool(noun) and is_listed and not any(noun & pair.unit_stems(unit) for unit in numbered)


def _rivals(pair: Pair, own: Quantity) -> list[Quantity]:
    """Return the quantities of the lines that measure, or count, the same with another amount."""
    kinds = _dimensions(own) - {"clock", "ordinal", "bare"}
    noun = _noun(pair.text, own)
    return [
        each
        for each in pair.passage.quantities
        if (kinds & _dimensions(each)) or (noun and noun & _noun(pair.passage.text, each))
    ]


def _exchanged(pair: Pair, own: Quantity, agreeing: Sequence[Quantity]) -> list[Quantity]:
    """Return the numbers that the lines give to what the sentence gives this one to.

    Empty where the number is in its place, or where that cannot be told. A row of a table is about what
    its cells name; elsewhere a number counts the word behind it.
    """
    passage = pair.passage
    agreeing = [each for each in agreeing if passage.holds(each)]
    if not agreeing:
        return []
    units = {each: pair.unit_of(each) for each in agreeing}
    if all(unit is not None and unit.is_row for unit in units.values()):
        own_share = max(pair.words_shared(unit) for unit in units.values() if unit)
        better = [unit for unit in passage.units if unit.is_row and pair.words_shared(unit) > own_share]
        return [
            each
            for each in passage.quantities
            if any(unit.start <= each.start < unit.end for unit in better) and not own.agrees(each)
            and _dimensions(each) - {"ordinal"} == (_dimensions(own) - {"ordinal"}) & _dimensions(each)
        ]  # fmt: skip
    noun = _noun(pair.text, own)
    if pair.is_translated or own.measures or not noun:
        return []
    after = {stem for word in content_words(pair.text[own.noun_at :])[:2] for stem in stems_of(word)}
    if any(not (bound := _noun(passage.text, each)) or bound & after for each in agreeing):
        return []
    return [
        each
        for each in passage.quantities
        if not own.agrees(each) and not each.is_plain_one and noun & _noun(passage.text, each)
    ]


def _noun(text: str, quantity: Quantity) -> frozenset[str]:
    """Return the stems of the word that a number counts: the one right behind it."""
    return _first_noun(text[quantity.noun_at : quantity.noun_at + 40])


@lru_cache(maxsize=8192)
def _first_noun(after: str) -> frozenset[str]:
    end = next((at for at, sign in enumerate(after) if sign in ".,;:!?()|\n\0"), len(after))
    words = content_words(after[:end])
    is_close = words and after[:end].lstrip(" -").startswith(words[0])
    return stems_of(words[0]) if is_close else frozenset()


def _dimensions(quantity: Quantity) -> set[str]:
    return {of for of, _ in quantity.measures}
