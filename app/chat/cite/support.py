"""Whether the lines that a sentence of an answer cites say what it says."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise

from app.chat.cite.amounts import wrong_amounts
from app.chat.cite.dates import Moment, find_moments
from app.chat.cite.named import Name, find_names, stands_in
from app.chat.cite.pair import Judgement, Pair
from app.chat.cite.parse import find_quote
from app.chat.cite.passage import folded_words, passage_of
from app.chat.evidence.evidence import Verdict
from app.markdown.plain import plain_line
from app.notices import ClaimKind, Notice
from app.search.excerpt import fold
from app.search.query.calendar_words import WEEKDAY
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
        if (agreeing and not _is_of_another(pair, moment, agreeing)) or moment.ends_in(there):
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


def _is_of_another(pair: Pair, moment: Moment, agreeing: Sequence[Moment]) -> bool:
    """Return whether a day stands in nothing that the sentence is about, and another day does."""
    if any(not pair.passage.holds(each) for each in agreeing):
        return False
    if moment.weekday is not None:
        homes = pair.homes(
            [pair.unit_of(each) for each in agreeing], " ".join(each.text for each in agreeing)
        )
        return any(
            each.weekday is not None
            and not any(said.agrees(each) for said in pair.moments)
            and pair.unit_of(each) in homes
            for each in pair.passage.moments
        )
    units = {unit for each in agreeing if (unit := pair.unit_of(each))}
    if pair.is_translated or any(pair.words_shared(unit) for unit in units):
        return False
    return any(
        each.is_day() and moment.is_day() and unit not in units and pair.words_shared(unit) > 1
        for each in pair.passage.moments
        if (unit := pair.unit_of(each))
    )


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
    for name in (named := find_names(pair.said, pair.names)):
        if stands_in(name, text, words, pair.names):
            whole = " ".join(each.text for each in named if _is_one(pair.said, name, each))
            if _is_named_elsewhere(pair, name, whole):
                yield pair.failure("contradicted", Notice(ClaimKind.OTHER_NAME, name=name.text))
            continue
        if name.kind == "opening" and pair.is_translated:
            continue
        yield pair.failure("unsupported", Notice(ClaimKind.OTHER_NAME, name=name.text))


def _is_one(text: str, name: Name, other: Name) -> bool:
    """Return whether nothing but a blank, or nothing, stands between two words of a name in a text."""
    first, second = sorted((name, other), key=lambda each: each.start)
    return name == other or not text[first.end : second.start].strip()


def _is_named_elsewhere(pair: Pair, name: Name, whole: str) -> bool:
    """Return whether the lines name another where the sentence names this one, and this one behind it.

    They do where half of the sentence's words stand beside the other name, which in the note of a person is
    the title too. Whom a sentence is about may be named some sentences before it, and above.
    """
    passage, own = pair.passage, folded_words(name.text)
    if name.kind != "name" or own & (folded_words(passage.context) | folded_words(pair.question)):
        return False
    units = [unit for unit in passage.units if own <= folded_words(unit.text)]
    said, person = folded_words(pair.raw), _person(pair)
    for home in pair.homes(units, whole):
        if home.start < units[0].start and 2 * pair.words_shared(home) >= len(pair.words):
            there = {each.text for each in find_names(home.text, pair.names) if each.kind == "name"} | person
            if any(not folded_words(each) & said for each in there):
                return True
    return False


def _person(pair: Pair) -> set[str]:
    """Return the name of the note where it is one of several words, as that of a person is."""
    title = pair.passage.context.partition("\n")[0].rpartition(" / ")[2]
    words = title.split()
    is_name = len(words) > 1 and all(word[:1].isupper() and fold(word) in pair.names for word in words)
    return {title} if is_name else set()


_CHECKS: tuple[Callable[[Pair], Iterator[Judgement]], ...] = (
    _quotations, _dates, wrong_amounts, _names
)  # fmt: skip
"""What a sentence is held for, the surest first."""
