"""Whether the lines that a sentence of an answer cites say what it says.

Numbers with their units, dates, names and quotations are compared; what else a sentence says is not.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from app.chat.cite.dates import Moment, find_moments, without
from app.chat.cite.named import find_names, stands_in
from app.chat.cite.parse import find_quote, find_quotes
from app.chat.cite.quantity import Quantity, find_quantities, lasting
from app.chat.cite.words import content_words, folded_words, stems_of
from app.chat.evidence.evidence import Verdict
from app.chat.offline.phrases import language_of
from app.markdown.plain import plain_line
from app.markdown.sentences import sentence_starts
from app.notices import ClaimKind, Notice
from app.showing import in_line

MOST_CHARS = 4000
"""Of a longer sentence the beginning is held against its lines."""
MOST_NAMED = 50
"""Numbers, and times, of one sentence that are looked at."""
MOST_THERE = 3000
"""Numbers, and times, of all cited lines that are looked at."""
MOST_QUOTED = 160
"""Characters of a quotation that a reason repeats."""
_ROW = re.compile(r"\s*(?:>\s*)*\|")
_BEHIND = re.compile(r"[^.,;:!?()|\n\0]{0,40}")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a sentence, and for a bad one the reason."""

    verdict: Verdict
    reason: Notice | None = None
    line: str = ""
    """The line beside which the sentence fails, as it stands in the note; empty where none is nearest."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence or a row of the lines: where it begins in their text, and the stems of its words."""

    start: int
    is_row: bool
    stems: frozenset[str]


class _Passage:
    """Lines of a note as a reader sees them, with what stands above them."""

    def __init__(self, lines: Sequence[str], context: str) -> None:
        self.lines, self.context = tuple(lines), context
        shown = [plain_line(line) for line in self.lines]
        self.text = "\n".join(shown)
        self._starts = [0]
        for line in shown:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.moments = find_moments(self.text)[:MOST_THERE]
        self.moments_above = find_moments(context)
        self.quantities = find_quantities(without(self.text, self.moments))[:MOST_THERE]
        self.own = set(map(id, self.quantities))
        self.quantities_above = find_quantities(without(context, self.moments_above))
        self.folded = folded_words("\n".join((*self.lines, self.text, context)))
        self.language = language_of(self.text) or language_of(f"{self.text}\n{context}")

    def line_at(self, place: int) -> str:
        """Return the line on which a place of the text is, as it stands."""
        return self.lines[min(bisect_right(self._starts, place), len(self.lines)) - 1].strip()

    @cached_property
    def units(self) -> list[_Unit]:
        """The sentences and the rows of the lines."""
        found = []
        for line, (start, end) in zip(self.lines, pairwise(self._starts), strict=True):
            is_row = _ROW.match(line) is not None
            text = self.text[start : end - 1]
            borders = [0, *([] if is_row else sentence_starts(text)), len(text)]
            found += [
                _Unit(start + first, is_row, stems_in(text[first:last])) for first, last in pairwise(borders)
            ]
        return found

    def unit_at(self, place: int) -> _Unit:
        """Return the unit that a place of the text is in."""
        return self.units[bisect_right(self.units, place, key=lambda unit: unit.start) - 1]


_passage = lru_cache(maxsize=64)(_Passage)
"""Some lines, read once for all sentences that cite them."""


class _Pair:
    """A sentence and the passage it is held against."""

    def __init__(self, sentence: str, passage: _Passage, question: str, names: Collection[str]) -> None:
        sentence = sentence[:MOST_CHARS]
        self.passage, self.question, self.names = passage, question, names
        self.quotes = find_quotes(sentence)
        # What is quoted has to stand there word by word, and is looked at no further.
        said = sentence
        for quote in self.quotes:
            said = said[: quote.start] + " " * (quote.end - quote.start) + said[quote.end :]
        self.said = said.replace("\n", " ")
        self.text = plain_line(self.said)
        self.moments = find_moments(self.text)[:MOST_NAMED]
        self.bare = without(self.text, self.moments)
        self.quantities = find_quantities(self.bare)[:MOST_NAMED]
        self.stems = stems_in(" ".join((self.bare, *(quote.text for quote in self.quotes))))
        language = language_of(self.text)
        self.is_translated = None not in (language, passage.language) and language != passage.language

    def shared(self, unit: _Unit) -> int:
        """Count the stems that a unit has in common with the sentence."""
        return len(self.stems & unit.stems)

    def failure(self, reason: Notice, beside: Sequence[Moment | Quantity] = ()) -> Judgement:
        """Return a verdict beside the line of what contradicts the sentence, or else beside the nearest."""
        best = max(self.passage.units, key=self.shared, default=None)
        place = beside[0].start if beside else best.start if best else 0
        return Judgement("contradicted" if beside else "unsupported", reason, self.passage.line_at(place))


def judge(
    sentence: str,
    lines: Sequence[str],
    *,
    context: str = "",
    question: str = "",
    names: Collection[str] = (),
) -> Judgement:
    """Hold one sentence against the lines it cites.

    Args:
        sentence: A sentence of an answer, without its citation.
        lines: The lines of the note, as they stand there; none where the sentence cites nothing.
        context: What stands above the lines and says what they are about: title, headings, day.
        question: What was asked; its names may be repeated.
        names: Folded words that are known to be names, even where a sentence begins with them.
    """
    if not lines:
        return Judgement("uncited")
    pair = _Pair(sentence, _passage(tuple(lines), context), question, names)
    failures = (failure for check in (_quotations, _dates, _amounts, _names) for failure in check(pair))
    return next(failures, Judgement("supported"))


def stems_in(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that carry its meaning."""
    return frozenset(stem for word in content_words(text) for stem in stems_of(word))


def named_in(text: str) -> bool:
    """Return whether a text names a time or a quantity."""
    moments = find_moments(text)
    return bool(moments) or any(not each.is_article for each in find_quantities(without(text, moments)))


def _quotations(pair: _Pair) -> Iterator[Judgement]:
    for quote in pair.quotes:
        if find_quote(quote.text, pair.passage.lines) is None:
            words = in_line(" ".join(map(plain_line, quote.text.split("\n"))).strip(), MOST_QUOTED)
            yield pair.failure(Notice(ClaimKind.OTHER_WORDS, words=words))


def _dates(pair: _Pair) -> Iterator[Judgement]:
    passage = pair.passage
    there = [*passage.moments, *passage.moments_above]
    years = {moment.year for moment in (*there, *find_moments(pair.question))}
    for moment in pair.moments:
        if moment.ends_in(there) or any(
            # The year of a day stands in the notes, or in the question.
            moment.agrees(each) and (moment.year is None or each.year or moment.year in years)
            for each in there
        ):
            continue
        if moment.text.isdigit() and any(
            int(moment.text) in each.values for each in (*passage.quantities, *passage.quantities_above)
        ):
            continue
        others = [each for each in passage.moments if (each.weekday is None) == (moment.weekday is None)]
        yield pair.failure(Notice(ClaimKind.OTHER_DATE, date=moment.text), others)


def _amounts(pair: _Pair) -> Iterator[Judgement]:
    passage = pair.passage
    days = {
        period.first.day for each in (*passage.moments, *passage.moments_above) if (period := each.period)
    }
    for own in pair.quantities:
        is_day = own.kinds == {"ordinal"} and own.values & days
        if own.is_article or is_day or (own.is_rate and not any(each.is_rate for each in passage.quantities)):
            continue
        agreeing = _agreeing(pair, own)
        rivals = _exchanged(pair, own, agreeing) if agreeing else _rivals(pair, own)
        if not agreeing or rivals:
            yield pair.failure(Notice(ClaimKind.OTHER_NUMBER, number=own.text), rivals)


def _agreeing(pair: _Pair, own: Quantity) -> list[Quantity]:
    """Return the quantities of the notes that bear a number out; with the same unit, where they have any."""
    passage = pair.passage
    there = [*passage.quantities, *lasting(passage.quantities), *passage.quantities_above]
    found = [each for each in there if own.agrees(each)]
    measured = [each for each in found if each.kinds - {"ordinal"}]
    if own.kinds == {"ordinal"}:
        return found
    if own.measures:
        if measured or any(own.values & each.values and each.measures for each in there):
            return measured
        if any(own.kinds & each.kinds & {"second", "month"} for each in passage.quantities):
            # Beside "four weeks" another "three" bears no "three weeks" out.
            return []
        return [
            each
            for each in found
            if pair.is_translated or not (noun := _noun(passage.text, each)) or noun & pair.stems
        ]
    noun = _noun(pair.text, own)
    if measured == found and noun and not pair.is_translated and not noun & stems_in(passage.text):
        # "256 chapters" are not borne out by 256 pages.
        return []
    return found


def _rivals(pair: _Pair, own: Quantity) -> list[Quantity]:
    """Return the quantities of the lines that measure, or count, the same with another amount."""
    noun = _noun(pair.text, own)
    return [
        each
        for each in pair.passage.quantities
        if own.kinds & each.kinds or noun & _noun(pair.passage.text, each)
    ]


def _exchanged(pair: _Pair, own: Quantity, agreeing: Sequence[Quantity]) -> list[Quantity]:
    """Return the numbers that the lines give to what the sentence gives this one to.

    Empty where the number is in its place, or where that cannot be told. A row of a table is about what
    its cells name; elsewhere a number counts the word behind it.
    """
    passage = pair.passage
    others = [each for each in passage.quantities if not own.agrees(each) and not each.is_article]
    if not passage.own.issuperset(map(id, agreeing)):
        return []
    units = [passage.unit_at(each.start) for each in agreeing]
    if all(unit.is_row for unit in units):
        best = max(map(pair.shared, units))
        return [
            each
            for each in others
            if (unit := passage.unit_at(each.start)).is_row
            and pair.shared(unit) > best
            and each.kinds <= own.kinds
        ]
    noun = _noun(pair.text, own)
    bound = [{each.unit} if each.unit else _noun(passage.text, each) for each in agreeing]
    if pair.is_translated or own.measures or not all(bound) or noun & frozenset().union(*bound):
        return []
    return [each for each in others if noun & _noun(passage.text, each)]


def _noun(text: str, quantity: Quantity) -> frozenset[str]:
    """Return the stems of the word that a number counts: the one right behind it."""
    behind = _BEHIND.match(text, quantity.end)
    return _first_stems(behind[0]) if behind else frozenset()


@lru_cache(maxsize=8192)
def _first_stems(text: str) -> frozenset[str]:
    words = content_words(text)
    return stems_of(words[0]) if words and text.lstrip(" -").startswith(words[0]) else frozenset()


def _names(pair: _Pair) -> Iterator[Judgement]:
    passage = pair.passage
    text = "\n".join((*passage.lines, passage.text, passage.context, passage.context.title(), pair.question))
    words = passage.folded | folded_words(pair.question)
    for name in find_names(pair.said, pair.names):
        if not stands_in(name, text, words, pair.names) and not (
            name.kind == "opening" and pair.is_translated
        ):
            yield pair.failure(Notice(ClaimKind.OTHER_NAME, name=name.text))
