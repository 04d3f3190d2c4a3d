"""Whether the lines that a sentence of an answer cites say what it says."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.chat.cite.dates import Moment, day_numbers, find_moments
from app.chat.cite.named import find_names, stands_in
from app.chat.cite.numbers import Quantity, find_quantities
from app.chat.cite.opposites import RELATIONAL
from app.chat.cite.outcome import (
    Denial,
    Outcome,
    box_outcome,
    clauses,
    denials,
    has_negation,
    outcomes,
)
from app.chat.cite.parse import find_quote, find_quotes, plain_line
from app.chat.cite.passage import (
    Passage,
    Unit,
    content_words,
    folded_words,
    language_of,
    passage_of,
    stems_of,
    without,
)
from app.chat.evidence.evidence import Verdict
from app.notices import ClaimKind, Notice
from app.showing import in_line

FEW_UNITS = 5
"""So few sentences are taken to be about what cites them, though no word is the same."""
RANGE = re.compile(r"\s*(?:-|–|to|through|until|au?|à)\s*(?:the|le)?\s*")
"""What stands between the first and the last day of a range."""
_IDIOM = re.compile(
    r"(?<!\w)(?:(?:tous|toutes)\sles\s\w+|(?:un|one)\s(?:jour|day)|une?\sfois|de\sces\squatre)\Z",
    re.IGNORECASE,
)
"""Numbers that count nothing: "one day", "tous les deux"."""
MOST_QUOTED = 160
"""Characters of a quotation that a reason repeats."""
HALF, CLOSE = 0.5, 0.65
"""Share of a sentence's words in one sentence of the note from which on the two are taken to say the same."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a sentence came to beside its lines: the verdict, and for a bad one what is wrong."""

    verdict: Verdict
    reason: Notice | None = None
    line: str = ""
    """The line beside which the sentence fails, as it stands in the note; empty where none is nearest."""


def judge(
    sentence: str,
    lines: Sequence[str],
    *,
    context: str = "",
    question: str = "",
    names: Collection[str] = (),
) -> Judgement:
    """Hold one sentence against the lines it cites.

    Numbers with their units, dates, names, quotations, negation and words of outcome are compared; a
    sentence that only words them otherwise is supported.

    Args:
        sentence: A sentence of an answer, without its citation.
        lines: The lines of the note, as they stand there; none where the sentence cites nothing.
        context: What stands above the lines and says what they are about: title, headings, day.
        question: What was asked; its names may be repeated.
        names: Folded words that are known to be names, even where a sentence begins with them.
    """
    if not lines:
        return Judgement("uncited")
    passage = passage_of(tuple(lines), context)
    return next(_Held(sentence, passage, question, names).failures(), Judgement("supported"))


class _Held:
    """A sentence and the lines it is held against."""

    def __init__(self, sentence: str, passage: Passage, question: str, names: Collection[str]) -> None:
        self.raw, self.passage, self.question, self.names = sentence, passage, question, names
        self.quotes = find_quotes(sentence)
        # What is quoted has to stand there word by word, and is looked at no further.
        said = sentence
        for quote in self.quotes:
            said = said[: quote.start] + " " * (quote.end - quote.start) + said[quote.end :]
        self.said = said.replace("\n", " ")
        self.text = plain_line(self.said)
        self.moments = find_moments(self.text)
        self.quantities = find_quantities(without(self.text, self.moments))
        self.words = content_words(without(self.text, self.moments))
        quoted = [word for quote in self.quotes for word in content_words(quote.text)]
        self.stems = frozenset(stem for word in (*self.words, *quoted) for stem in stems_of(word))
        language = language_of(self.text)
        self.is_translated = None not in (language, passage.language) and language != passage.language
        self.is_same_language = language is not None and language == passage.language
        self._shares = {unit: self._shared(unit) for unit in passage.units}

    def failures(self) -> Iterator[Judgement]:
        """Yield what is wrong with the sentence, what is surest first."""
        yield from self._quotations()
        yield from self._dates()
        yield from self._numbers()
        yield from self._names()
        yield from self._outcomes()
        yield from self._negations()
        yield from self._no_word()

    def _shared(self, unit: Unit) -> int:
        """Count the words, numbers and times that a unit has in common with the sentence."""
        words = {word.lower() for word in content_words(unit.text)}
        count = sum(bool(self.stems & stems_of(word)) for word in words)
        count += sum(
            any(own.agrees(each) for own in self.moments)
            for each in self.passage.moments
            if unit.start <= each.start < unit.end
        )
        return count + sum(
            any(own.agrees(each) for own in self.quantities)
            for each in self.passage.quantities
            if unit.start <= each.start < unit.end and not each.is_plain_one
        )

    def _nearest(self, units: Sequence[Unit] = ()) -> str:
        """Return the line of the unit that is nearest to the sentence."""
        among = units or self.passage.units
        if not among:
            return ""
        best = max(among, key=lambda unit: self._shares[unit])
        return self.passage.line_at(best.start + len(best.text) - len(best.text.lstrip()))

    def _quotations(self) -> Iterator[Judgement]:
        for quote in self.quotes:
            if find_quote(quote.text, self.passage.lines) is None:
                words = in_line(" ".join(map(plain_line, quote.text.split("\n"))).strip(), MOST_QUOTED)
                yield self._failure("unsupported", Notice(ClaimKind.OTHER_WORDS, words=words))

    def _failure(self, verdict: Verdict, reason: Notice, line: str | None = None) -> Judgement:
        return Judgement(verdict, reason, self._nearest() if line is None else line)

    def _dates(self) -> Iterator[Judgement]:
        passage = self.passage
        there = [*passage.moments, *passage.moments_above]
        asked_years = {moment.year for moment in find_moments(self.question) if moment.year}
        for moment in self.moments:
            agreeing = [
                each for each in there if moment.agrees(each) and self._knows_year(moment, each, asked_years)
            ]
            if (agreeing and not self._is_of_another(moment, agreeing)) or moment.ends_in(there):
                continue
            is_number = moment.text.isdigit() and any(
                int(moment.text) in each.values for each in (*passage.quantities, *passage.quantities_above)
            )
            if is_number or (moment.weekday is not None and self._is_usual(moment)):
                continue
            others = [each for each in passage.moments if (each.weekday is None) == (moment.weekday is None)]
            line = passage.line_at(others[0].start) if len(others) == 1 else None
            verdict: Verdict = "contradicted" if others else "unsupported"
            yield self._failure(verdict, Notice(ClaimKind.OTHER_DATE, date=moment.text), line)

    def _is_of_another(self, moment: Moment, agreeing: Sequence[Moment]) -> bool:
        """Return whether a day stands in nothing that the sentence is about, and another day does."""
        if any(each not in self.passage.moments for each in agreeing) or moment.weekday is not None:
            return False
        units = {unit for each in agreeing if (unit := self._unit_of(each))}
        if self.is_translated or any(self._words_shared(unit) for unit in units):
            return False
        return any(
            each.is_day() and moment.is_day() and unit not in units and self._words_shared(unit) > 1
            for each in self.passage.moments
            if (unit := self._unit_of(each))
        )

    def _knows_year(self, moment: Moment, other: Moment, asked: Collection[int]) -> bool:
        """Return whether the year of a sentence is in the notes, where the day that agrees has none."""
        if moment.year is None or other.year is not None:
            return True
        return moment.year in self.passage.years or moment.year in asked

    def _is_usual(self, moment: Moment) -> bool:
        """Return whether a weekday lies between two of a range in the notes, as in "Monday to Friday"."""
        days = [each for each in self.passage.moments if each.weekday is not None]
        return any(
            first.weekday < (moment.weekday or 0) < last.weekday  # type: ignore[operator]  # they have one
            for first, last in pairwise(days)
            if RANGE.fullmatch(self.passage.text[first.end : last.start])
        )

    def _numbers(self) -> Iterator[Judgement]:
        passage = self.passage
        there = [*passage.quantities, *passage.quantities_above]
        days = {
            period.first.day
            for each in (*passage.moments, *passage.moments_above)
            if (period := each.period(each.year)) and period.kind == "day"
        }
        alone = {start for start, _, number in day_numbers(self.text) if number in days}
        in_names = {
            number.text
            for name in find_names(self.said)
            if name.kind not in ("name", "opening")
            for number in find_quantities(name.text)
        }
        for own in self.quantities:
            is_day = own.start in alone or (_dimensions(own) == {"ordinal"} and own.values & days)
            if (
                own.is_plain_one
                or is_day
                or _IDIOM.search(self.text[: own.end])
                or (own.text in in_names and not own.measures)
            ):
                continue
            # The article "a" bears no number with a unit out.
            agreeing = [
                each
                for each in there
                if own.agrees(each) and (each.measures or not each.is_plain_one or not own.measures)
            ]
            rivals = self._exchanged(own, agreeing) if agreeing else self._rivals(own)
            if agreeing and not rivals:
                continue
            if not agreeing and self._is_count(own):
                continue
            line = passage.line_at(rivals[0].start) if rivals else None
            yield self._failure(
                "contradicted" if rivals else "unsupported",
                Notice(ClaimKind.OTHER_NUMBER, number=own.text),
                line,
            )

    def _is_count(self, own: Quantity) -> bool:
        """Return whether a number counts things that the lines list, and for which they give no number."""
        noun = self._noun(self.text, own)
        numbered = (
            unit
            for each in self.passage.quantities
            if (unit := self._unit_of(each)) and not each.is_plain_one
        )
        is_listed = not own.measures and any(value in self.passage.counts for value in own.values)
        return bool(noun) and is_listed and not any(noun & self._unit_stems(unit) for unit in numbered)

    def _rivals(self, own: Quantity) -> list[Quantity]:
        """Return the quantities of the lines that measure, or count, the same with another amount."""
        kinds = _dimensions(own) - {"clock", "ordinal", "bare"}
        noun = self._noun(self.text, own)
        return [
            each
            for each in self.passage.quantities
            if (kinds & _dimensions(each)) or (noun and noun & self._noun(self.passage.text, each))
        ]

    def _exchanged(self, own: Quantity, agreeing: Sequence[Quantity]) -> list[Quantity]:
        """Return the numbers that the lines give to what the sentence gives this one to.

        Empty where the number is in its place, or where that cannot be told. A row of a table is about what
        its cells name; elsewhere a number counts the word behind it.
        """
        passage = self.passage
        agreeing = [each for each in agreeing if each in passage.quantities]
        if not agreeing:
            return []
        units = {each: self._unit_of(each) for each in agreeing}
        if all(unit is not None and unit.is_row for unit in units.values()):
            own_share = max(self._words_shared(unit) for unit in units.values() if unit)
            better = [unit for unit in passage.units if unit.is_row and self._words_shared(unit) > own_share]
            return [
                each
                for each in passage.quantities
                if any(unit.start <= each.start < unit.end for unit in better) and not own.agrees(each)
                and _dimensions(each) - {"ordinal"} == (_dimensions(own) - {"ordinal"}) & _dimensions(each)
            ]  # fmt: skip
        if elsewhere := self._elsewhere(own, agreeing):
            return elsewhere
        noun = self._noun(self.text, own)
        if self.is_translated or own.measures or not noun:
            return []
        after = {stem for word in content_words(self.text[own.noun_at :])[:2] for stem in stems_of(word)}
        others = {
            stem for each in self.quantities if each is not own for stem in self._noun(self.text, each)
        }  # fmt: skip
        for each in agreeing:
            bound = self._noun(passage.text, each)
            if not bound or bound & after or not bound & others:
                return []
        return [
            each
            for each in passage.quantities
            if not own.agrees(each) and not each.is_plain_one and noun & self._noun(passage.text, each)
        ] or [each for each in agreeing if self._noun(passage.text, each) & others]

    def _elsewhere(self, own: Quantity, agreeing: Sequence[Quantity]) -> list[Quantity]:
        """Return other amounts in what the sentence is about, where its own stands in something else."""
        units = {unit for each in agreeing if (unit := self._unit_of(each))}
        if any(self._shares[unit] > 1 or self._words_shared(unit) for unit in units):
            return []
        kinds = _dimensions(own) - {"clock", "ordinal", "bare"}
        return [
            each
            for each in self.passage.quantities
            if kinds & _dimensions(each) and not own.agrees(each) and (unit := self._unit_of(each))
            and unit not in units and self._shares[unit] > 1
        ]  # fmt: skip

    def _unit_of(self, part: Quantity | Moment) -> Unit | None:
        return next((unit for unit in self.passage.units if unit.start <= part.start < unit.end), None)

    def _words_shared(self, unit: Unit) -> int:
        return len({min(stems_of(word)) for word in content_words(unit.text) if self.stems & stems_of(word)})

    def _unit_stems(self, unit: Unit) -> frozenset[str]:
        return frozenset(stem for word in content_words(unit.text) for stem in stems_of(word))

    def _noun(self, text: str, quantity: Quantity) -> frozenset[str]:
        """Return the stems of the word that a number counts: the one right behind it."""
        after = text[quantity.noun_at : quantity.noun_at + 40]
        end = next((at for at, sign in enumerate(after) if sign in ".,;:!?()|\n\0"), len(after))
        words = content_words(after[:end])
        is_close = words and after[:end].lstrip(" -").startswith(words[0])
        return stems_of(words[0]) if is_close else frozenset()

    def _names(self) -> Iterator[Judgement]:
        passage = self.passage
        text = "\n".join((*passage.lines, passage.text, passage.context, self.question))
        words = passage.folded | folded_words(self.question)
        for name in find_names(self.said, self.names):
            if stands_in(name, text, words, self.names):
                continue
            if name.kind == "opening" and (self.is_translated or not self._has_other_name()):
                continue
            yield self._failure("unsupported", Notice(ClaimKind.OTHER_NAME, name=name.text))

    def _has_other_name(self) -> bool:
        """Return whether the lines name someone or something that the sentence leaves out."""
        own = folded_words(self.raw)
        # In a cell each word with a capital may be a name, as where a sentence goes on.
        there = [unit.text.replace("|", "a") if unit.is_row else unit.text for unit in self.passage.units]
        there += self.passage.context.split("\n")
        return any(
            not folded_words(name.text) & own for text in there for name in find_names(text, self.names)
        )

    def _outcomes(self) -> Iterator[Judgement]:
        own = () if self.text.endswith("?") else outcomes(self.text)
        for pair in dict.fromkeys(each.pair for each in own):
            stated = [each for each in own if each.pair == pair]
            if len({each.is_first for each in stated}) > 1:
                continue
            same, opposite = -1, -1
            failing: list[Unit] = []
            for unit in self.passage.units:
                sides = self._sides(unit, stated[0])
                share = self._shares[unit] - self._share_of(stated[0], unit)
                if stated[0].is_first in sides:
                    same = max(same, share)
                elif sides:
                    if share > opposite:
                        failing = [unit]
                    opposite = max(opposite, share)
            is_about = opposite > 0 or (len(self.passage.units) <= FEW_UNITS and opposite == 0)
            if failing and is_about and opposite > same:
                word = self.text[stated[0].start : stated[0].end]
                yield self._failure(
                    "contradicted", Notice(ClaimKind.OPPOSITE, words=word), self._nearest(failing)
                )

    def _share_of(self, outcome: Outcome, unit: Unit) -> int:
        """Return 1 where the word of the outcome itself is what a unit shares."""
        stems = stems_of(self.text[outcome.start : outcome.end].split(" ")[0])
        return int(any(stems & stems_of(word) for word in content_words(unit.text)))

    def _sides(self, unit: Unit, own: Outcome) -> set[bool]:
        """Return which sides of a pair a unit states; of "before" only those of the same thing."""
        sides = {
            each.is_first
            for each in outcomes(unit.text)
            if each.pair == own.pair and (own.pair not in RELATIONAL or each.following == own.following)
        }
        if own.pair == "done":
            box = box_outcome(self.passage.line_at(unit.start))
            # What the words of a task say is what is to be done; its box says whether it is.
            return sides if box is None else {box}
        return sides

    def _negations(self) -> Iterator[Judgement]:
        if not self.is_same_language:
            return
        denied = denials(self.text)
        for denial in denied:
            units = [unit for unit in self.passage.units if self._asserts(unit, denial.stems)]
            if units:
                is_denied_too = any(self._denies(unit, denial.stems) for unit in self.passage.units)
                near = units if not is_denied_too and self._closeness(None, denial) >= HALF else []
            else:
                # "Did not go" denies "went".
                near = [
                    unit
                    for unit in self.passage.units
                    if denial.is_do and not has_negation(unit.text) and self._closeness(unit, denial) >= CLOSE
                ]
            if near:
                yield self._denial(near)
        if not denied and not has_negation(self.text):
            for unit in self.passage.units:
                for denial in denials(unit.text):
                    asserted = any(self._asserts(each, denial.stems) for each in self.passage.units)
                    if denial.stems & self.stems and not asserted and self._closeness(unit) >= CLOSE:
                        yield self._denial([unit])

    def _asserts(self, unit: Unit, stems: frozenset[str]) -> bool:
        """Return whether a unit has a word in a clause that denies nothing."""
        return any(
            not has_negation(clause) and any(stems & stems_of(word) for word in content_words(clause))
            for clause in clauses(unit.text)
        )

    def _denies(self, unit: Unit, stems: frozenset[str]) -> bool:
        """Return whether a unit denies a word."""
        return any(stems & denial.stems for denial in denials(unit.text))

    def _closeness(self, unit: Unit | None, denial: Denial | None = None) -> float:
        """Return which share of the words of the sentence, or of what denies besides its word, a unit has.

        Without a unit, what all lines and the headings above them have.
        """
        held = self._unit_stems(unit) if unit else self.passage.stems
        words = [stems_of(word) for word in (content_words(denial.clause) if denial else self.words)]
        if denial:
            words = [stems for stems in words if not stems & denial.stems] or [
                stems for word in self.words if not (stems := stems_of(word)) & denial.stems
            ]
        return sum(bool(stems & held) for stems in words) / len(words) if words else 0.0

    def _denial(self, units: Sequence[Unit]) -> Judgement:
        return self._failure("contradicted", Notice(ClaimKind.DENIED), self._nearest(units))

    def _no_word(self) -> Iterator[Judgement]:
        if not self.words or self.quotes or not self.is_same_language:
            return
        if not (self.stems & self.passage.stems) and not any(self._shares.values()):
            yield self._failure("unsupported", Notice(ClaimKind.OF_ANOTHER))


def _dimensions(quantity: Quantity) -> set[str]:
    return {of for of, _ in quantity.measures}
