"""Whether the lines that a sentence of an answer cites say what it says."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise

from app.chat.cite.amounts import wrong_amounts
from app.chat.cite.dates import Moment, find_moments
from app.chat.cite.named import find_names, stands_in
from app.chat.cite.pair import Judgement, Pair
from app.chat.cite.parse import find_quote
from app.chat.cite.passage import folded_words, passage_of
from app.chat.evidence.evidence import Verdict
from app.markdown.plain import plain_line
from app.notices import ClaimKind, Notice
from app.search.query.times import WEEKDAY
from app.showing import in_line

__all__ = ["Judgement", "judge"]

RANGE = re.compile(r"\s*(?:-|–|to|through|until|au?|à)\s*(?:the|le)?\s*")
"""What stands between the first and the last day of a range."""
_WEEKDAY_NUMBER = re.compile(
    rf"(?<!\w)(?:{WEEKDAY})\s(?:the\s|le\s)?(?P<day>[0-3]?\d)(?:st|nd|rd|th|er)?(?!\s?[\w:/%€-]|[.,:/]\d)",
    re.IGNORECASE,
)
MOST_QUOTED = 160
"""Characters of a quotation that a reason repeats."""


def judge(
    sentence: str,
    lines: Sequence[str],
    *,
    context: str = "",
    question: str = "",
    names: Collection[str] = (),
) -> Judgement:
    """Hold one sentence against the lines it cites.

    Numbers with their units, dates, names and quotations are compared; what else a sentence says is not.

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
    pair = Pair(sentence, passage, question, names)
    failures = (failure for check in _CHECKS for failure in check(pair))
    return next(failures, Judgement("supported"))


def _quotations(pair: Pair) -> Iterator[Judgement]:
    for quote in pair.quotes:
        if find_quote(quote.text, pair.passage.lines) is None:
            words = in_line(" ".join(map(plain_line, quote.text.split("\n"))).strip(), MOST_QUOTED)
            yield pair.failure("unsupported", Notice(ClaimKind.OTHER_WORDS, words=words))


def _dates(pair: Pair) -> Iterator[Judgement]:
    passage = pair.passage
    there = [*passage.moments, *passage.moments_above]
    asked_years = {moment.year for moment in find_moments(pair.question) if moment.year}
    for moment in pair.moments:
        agreeing = [
            each for each in there if moment.agrees(each) and _knows_year(pair, moment, each, asked_years)
        ]
        if agreeing or moment.ends_in(there):
            continue
        if moment.is_day() and _is_written_apart(pair, moment):
            continue
        is_number = moment.text.isdigit() and any(
            int(moment.text) in each.values for each in (*passage.quantities, *passage.quantities_above)
        )
        if is_number or (moment.weekday is not None and _is_usual(pair, moment)):
            continue
        others = [each for each in passage.moments if (each.weekday is None) == (moment.weekday is None)]
        line = passage.line_at(others[0].start) if len(others) == 1 else None
        verdict: Verdict = "contradicted" if others else "unsupported"
        yield pair.failure(verdict, Notice(ClaimKind.OTHER_DATE, date=moment.text), line)


def _knows_year(pair: Pair, moment: Moment, other: Moment, asked: Collection[int]) -> bool:
    """Return whether the year of a sentence is in the notes, where the day that agrees has none."""
    if moment.year is None or other.year is not None:
        return True
    return moment.year in pair.passage.years or moment.year in asked


def _is_written_apart(pair: Pair, moment: Moment) -> bool:
    """Return whether the lines write a day without its month, as "Thursday 13" below "10 March"."""
    period = moment.period(moment.year)
    months = {
        (its.first.year if moment.year and each.year else 0, its.first.month)
        for each in (*pair.passage.moments, *pair.passage.moments_above)
        if each.weekday is None and (its := each.period(each.year)) is not None
    }
    if period is None or (period.first.year if moment.year else 0, period.first.month) not in months:
        return False
    alone = (match for match in _WEEKDAY_NUMBER.finditer(pair.passage.text))
    return any(int(match["day"]) == period.first.day for match in alone)


def _is_usual(pair: Pair, moment: Moment) -> bool:
    """Return whether a weekday lies between two of a range in the notes, as in "Monday to Friday"."""
    days = [each for each in pair.passage.moments if each.weekday is not None]
    return any(
        first.weekday < (moment.weekday or 0) < last.weekday  # type: ignore[operator]  # they have one
        for first, last in pairwise(days)
        if RANGE.fullmatch(pair.passage.text[first.end : last.start])
    )


def _names(pair: Pair) -> Iterator[Judgement]:
    passage = pair.passage
    text = "\n".join((*passage.lines, passage.text, passage.context, passage.context.title(), pair.question))
    words = passage.folded | folded_words(pair.question)
    for name in find_names(pair.said, pair.names):
        if stands_in(name, text, words, pair.names) or (name.kind == "opening" and pair.is_translated):
            continue
        yield pair.failure("unsupported", Notice(ClaimKind.OTHER_NAME, name=name.text))


_CHECKS: tuple[Callable[[Pair], Iterator[Judgement]], ...] = (
    _quotations, _dates, wrong_amounts, _names
)  # fmt: skip
"""What a sentence is held for, the surest first."""
