"""A sentence of an answer beside the lines it cites, and what the two have in common."""

from collections.abc import Collection
from dataclasses import dataclass

from app.chat.cite.dates import Moment, find_moments
from app.chat.cite.numbers import find_quantities
from app.chat.cite.parse import find_quotes
from app.chat.cite.passage import Passage, Unit, content_words, language_of, stems_of, without
from app.chat.cite.quantity import Quantity
from app.chat.evidence.evidence import Verdict
from app.markdown.plain import plain_line
from app.notices import Notice


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a sentence, and for a bad one the reason."""

    verdict: Verdict
    reason: Notice | None = None
    line: str = ""
    """The line beside which the sentence fails, as it stands in the note; empty where none is nearest."""


MOST_CHARS = 4000
"""Of a longer sentence the beginning is held against its lines."""
MOST_NAMED = 50
"""Numbers, and times, of one sentence that are looked at."""


class Pair:
    """A sentence and the passage it is held against.

    Args:
        sentence: A sentence, without its citation.
        passage: The lines it cites.
        question: What was asked.
        names: Folded words that are known to be names.
    """

    def __init__(self, sentence: str, passage: Passage, question: str, names: Collection[str]) -> None:
        sentence = sentence[:MOST_CHARS]
        self.passage, self.question, self.names = passage, question, names
        self.quotes = find_quotes(sentence)
        # What is quoted has to stand there word by word, and is looked at no further.
        said = sentence
        for quote in self.quotes:
            said = said[: quote.start] + " " * (quote.end - quote.start) + said[quote.end :]
        self.said = said.replace("\n", " ")
        self.text = plain_line(self.said)
        moments = find_moments(self.text)
        self.moments = moments[:MOST_NAMED]
        self.quantities = find_quantities(without(self.text, moments))[:MOST_NAMED]
        words = content_words(without(self.text, self.moments))
        quoted = [word for quote in self.quotes for word in content_words(quote.text)]
        self.stems = frozenset(stem for word in (*words, *quoted) for stem in stems_of(word))
        language = language_of(self.text)
        self.is_translated = None not in (language, passage.language) and language != passage.language
        self.is_same_language = language is not None and language == passage.language

    def nearest(self) -> str:
        """Return the line of the unit that has most words in common with the sentence."""
        if not self.passage.units:
            return ""
        best = max(self.passage.units, key=self.words_shared)
        return self.passage.line_at(best.start + len(best.text) - len(best.text.lstrip()))

    def failure(self, verdict: Verdict, reason: Notice, line: str | None = None) -> Judgement:
        """Return a verdict with its reason, beside a line; without one beside the nearest."""
        return Judgement(verdict, reason, self.nearest() if line is None else line)

    def unit_of(self, part: Quantity | Moment) -> Unit | None:
        """Return the sentence, item or row of the lines that a part of them stands in."""
        return self.passage.unit_at(part.start)

    def words_shared(self, unit: Unit) -> int:
        """Count the words that a unit has in common with the sentence."""
        return sum(not self.stems.isdisjoint(each) for each in self.passage.unit_stems[unit])

    def unit_stems(self, unit: Unit) -> frozenset[str]:
        """Return the stems of the words of a unit."""
        return frozenset().union(*self.passage.unit_stems[unit])
