"""Whether the lines that a sentence of an answer cites say what it says.

Numbers with their units, dates, names and quotations are compared; what else a sentence says is not.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.chat.cite.dates import find_moments, without
from app.chat.cite.named import find_names, stands_in
from app.chat.cite.parse import find_quote, find_quotes
from app.chat.cite.quantity import Quantity, find_quantities, lasting
from app.chat.cite.words import content_words, folded_words, stems_of
from app.chat.evidence.evidence import Verdict
from app.chat.offline.phrases import language_of
from app.markdown.plain import plain_line
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
_BEHIND = re.compile(r"[^.,;:!?()|\n\0]{0,40}")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a sentence, and for a bad one the reason."""

    verdict: Verdict
    reason: Notice | None = None
    line: str = ""
    """The line that is nearest to a sentence which fails, as it stands in the note; empty where none is."""


class _Passage:
    """Lines of a note as a reader sees them, with what stands above them."""

    def __init__(self, lines: Sequence[str], context: str) -> None:
        self.lines, self.context = tuple(lines), context
        self.text = "\n".join(map(plain_line, lines))
        self.moments = find_moments(self.text)[:MOST_THERE]
        self.moments_above = find_moments(context)
        self.quantities = find_quantities(without(self.text, self.moments))[:MOST_THERE]
        self.quantities_above = find_quantities(without(context, self.moments_above))
        self.folded = folded_words("\n".join((*self.lines, self.text, context)))
        self.language = language_of(self.text) or language_of(f"{self.text}\n{context}")


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
        language = language_of(self.text)
        self.is_translated = None not in (language, passage.language) and language != passage.language

    def failure(self, reason: Notice) -> Judgement:
        """Return the verdict for a reason, beside the line that has most words of the sentence."""
        stems = stems_in(" ".join((self.bare, *(quote.text for quote in self.quotes))))
        nearest = max(self.passage.lines, key=lambda line: len(stems & stems_in(plain_line(line))))
        return Judgement("unsupported", reason, nearest.strip())


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
    numbers = [*passage.quantities, *passage.quantities_above]
    years = {moment.year for moment in (*there, *find_moments(pair.question))}
    for moment in pair.moments:
        is_number = moment.text.isdigit() and any(int(moment.text) in each.values for each in numbers)
        if not is_number and not any(
            # The year of a day stands in the notes, or in the question.
            moment.agrees(each) and (moment.year is None or each.year or moment.year in years)
            for each in there
        ):
            yield pair.failure(Notice(ClaimKind.OTHER_DATE, date=moment.text))


def _amounts(pair: _Pair) -> Iterator[Judgement]:
    passage = pair.passage
    for own in pair.quantities:
        if own.is_article or (own.is_rate and not any(each.is_rate for each in passage.quantities)):
            continue
        agreeing = _agreeing(pair, own)
        if not agreeing or _is_of_another(pair, own, agreeing):
            yield pair.failure(Notice(ClaimKind.OTHER_NUMBER, number=own.text))


def _agreeing(pair: _Pair, own: Quantity) -> list[Quantity]:
    """Return the quantities of the notes that bear a number out; with the same unit, where they have any."""
    passage = pair.passage
    there = [*passage.quantities, *lasting(passage.quantities), *passage.quantities_above]
    found = [each for each in there if own.agrees(each)]
    measured = [each for each in found if each.measures]
    if own.measures:
        if any(own.values & each.values and each.measures for each in there):
            return measured
        # Beside "four weeks" another "three" bears no "three weeks" out.
        is_timed = any(own.kinds & each.kinds & {"second", "month"} for each in passage.quantities)
        return measured if is_timed else found
    noun = _noun(pair.text, own)
    if measured == found and noun and not pair.is_translated and not noun & stems_in(passage.text):
        # "256 chapters" are not borne out by 256 pages.
        return []
    return found


def _is_of_another(pair: _Pair, own: Quantity, agreeing: Sequence[Quantity]) -> bool:
    """Return whether the lines give a number to something else, and another one to what is counted."""
    text, noun = pair.passage.text, _noun(pair.text, own)
    if own.measures or pair.is_translated or any(each in pair.passage.quantities_above for each in agreeing):
        return False
    counted = [{each.unit} if each.unit else _noun(text, each) for each in agreeing]
    if not all(counted) or noun & frozenset().union(*counted):
        return False
    others = (each for each in pair.passage.quantities if not own.agrees(each) and not each.is_article)
    return any(noun & _noun(text, each) for each in others)


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
    text = "\n".join((*passage.lines, passage.text, passage.context, pair.question))
    words = passage.folded | folded_words(pair.question)
    for name in find_names(pair.said, pair.names):
        if not stands_in(name, text, words) and not (name.kind == "opening" and pair.is_translated):
            yield pair.failure(Notice(ClaimKind.OTHER_NAME, name=name.text))
