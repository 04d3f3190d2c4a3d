"""Quote what answers a question best, or tell that the notes do not answer it, without a language model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from app.chat.evidence.evidence import Claim
from app.chat.evidence.fields import asks_for_newest
from app.chat.evidence.gather import Found
from app.chat.evidence.nearness import Meaning, scale_of
from app.chat.evidence.order import AnalyzedQuestion, Candidate, answer_chance, candidates_of, ordered
from app.chat.evidence.spans import LONGEST, Span, joined
from app.errors import VaultError
from app.notices import Notice, NoticeKind
from app.search.embedding.glosses import asks_in_french
from app.search.embedding.loading import is_installed
from app.search.lexical.analysis import runs
from app.search.lexical.dictionary import has_lists, may_be_word
from app.search.lexical.language import LANGUAGE_CODES, note_language
from app.search.query.read import read_question, respelt
from app.search.query.times import written_periods
from app.search.rank.dated import name_periods
from app.search.view import Vectors

MOST_QUOTATIONS = 3
LEAST_SHARE, LEAST_BY_WORDS = 0.6, 0.8
"""A later quotation is given where it is at least this likely beside the first: where meaning was compared,
and where only words were."""
NEWER, NEWEST = 0.8, 0.05
"""A newer span goes first that is at least so likely beside the best: always, and where a question asks for
the newest."""
DAY_CHARS = 20
"""Characters at the beginning of a span in which its day may stand."""
RIGHT = 0.7
"""Share of first quotations that answer, where the notes do."""

_NAME = re.compile(r"(?<=[^.!?:] )[A-ZÀ-Þ]\w+")
"""A word inside a sentence that is written as a name."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation and what it was made of."""

    candidate: Candidate
    span: Span
    probability: float

    @property
    def header(self) -> str:
        """The header of the table that the quotation is a row of; empty where it is none."""
        return self.span.above if self.span.kind == "row" else ""

    @property
    def claim(self) -> Claim:
        """The quotation as a claim of the answer."""
        first, last, text = self.span.first, self.span.last, self.span.text
        return Claim(
            text,
            "quoted",
            self.candidate.note.path,
            str(first) if first == last else f"{first}-{last}",
            text,
            round(self.probability, 2),
            header=self.header,
            answering=self.candidate.span.text if self.candidate.span.text != text else "",
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read out of evidence: quotations, best first, and how likely the notes answer at all."""

    quoted: tuple[Quoted, ...]
    probability: float
    nearest: tuple[Quoted, ...] = ()
    """What comes first, however unlikely the others are beside it."""
    notices: tuple[Notice, ...] = ()


def read(found: Found) -> Reading:
    """Choose what to quote of the evidence for a question.

    Raises:
        VaultError: the model that compares meaning cannot be run.
    """
    asked = asked_of(found)
    scored = newest_first(asked, ordered(asked, candidates_of(asked, found.evidence)))
    probability = answer_chance(asked, scored)
    by_words = asked.meaning is None and _vectors(found) is not None
    notices = (Notice(NoticeKind.READ_BY_WORDS),) if by_words else ()
    share = LEAST_BY_WORDS if asked.meaning is None else LEAST_SHARE
    quoted, nearest = (_chosen(scored, probability, least) for least in (share, 0.0))
    return Reading(tuple(quoted), probability, tuple(nearest), notices)


def asked_of(found: Found, *, by_words: bool = False) -> AnalyzedQuestion:
    """Return the question as the notes spell it, compared by words alone where vectors would mislead."""
    question = _as_spelt(found)
    asked = AnalyzedQuestion(question, found.view)
    vectors = None if by_words else _vectors(found)
    if vectors is None:
        return asked
    # A short question has as many stop words of a neighbouring language: "a", "la" are Italian too.
    language = "fr" if asks_in_french(found.question) else LANGUAGE_CODES[_language(found.question)]
    try:
        if not vectors.knows(language):
            return asked
        embedder = vectors.wanted().embedder
    except VaultError:
        # What keeps a model from being used was said by the search.
        return asked
    if not scale_of(embedder).tells:
        return asked
    return AnalyzedQuestion(question, found.view, Meaning(embedder, question))


def _vectors(found: Found) -> Vectors | None:
    """Return the vectors, where some passages have them: the question is encoded anew, so that few do."""
    vectors = found.view.vectors
    try:
        return vectors if vectors and is_installed() and vectors.share(found.view.snapshot) else None
    except VaultError:
        # What is wrong with them was said by the search.
        return None


def _as_spelt(found: Found) -> str:
    """Return the question with its misspellings as the notes have them.

    A word of its language is none, nor is a name: one that no note has says that another thing is meant.
    """
    question = found.question
    names = {named.lower() for named in _NAME.findall(question)}
    wrong = [
        one
        for one in read_question(found.view.snapshot, question).spellings
        if one.typed not in names and not (has_lists() and may_be_word(one.typed, [_language(question)]))
    ]
    return respelt(question, tuple(wrong)) if wrong else question


def _language(question: str) -> int:
    """Return the language of a question."""
    return note_language(set(runs(question)))


def newest_first(
    asked: AnalyzedQuestion, scored: Sequence[tuple[Candidate, float]]
) -> Sequence[tuple[Candidate, float]]:
    """Put the newest span first that is nearly as good as the best, of its note or of another day's note."""
    if not scored or not (day := _day(scored[0][0])):
        return scored
    best, score = scored[0]
    least = NEWEST if asks_for_newest(asked.question) else NEWER
    newest = best
    for one, other in scored:
        is_alike = one.note is best.note or (not one.span.day and not best.span.day)
        if exp(other - score) >= least and is_alike and _day(one) > day:
            newest, day = one, _day(one)
    return [(newest, score), *(each for each in scored if each[0] is not newest)]


def _day(one: Candidate) -> str:
    """Return the day of a span: of what it begins with, of the heading above it, or of its note's name."""
    begun, named = written_periods(one.span.plain[:DAY_CHARS]), name_periods(one.note.path)
    return str(begun[0].first) if begun else one.span.day or next((str(day.first) for day in named), "")


def _chosen(scored: Sequence[tuple[Candidate, float]], probability: float, least: float) -> list[Quoted]:
    """Quote the best few that do not overlap or say the same, and are not far less likely than the best."""
    kept: list[Quoted] = []
    for one, score in scored:
        share = min(exp(score - scored[0][1]), 1.0)
        if len(kept) == MOST_QUOTATIONS or share < least:
            break
        span = extent(one)
        beside = [other.span for other in kept if other.candidate.note is one.note]
        is_said = any(span.start < other.end and other.start < span.end for other in beside)
        # A later one has to hold something of the question itself, and not only stand below it.
        if not kept or (one.inside and not is_said and all(other.span.text != span.text for other in kept)):
            kept.append(Quoted(one, span, RIGHT * probability * share))
    return kept


def extent(one: Candidate) -> Span:
    """Return what to quote for a span: with what it introduces, or with its neighbours while it is short."""
    spans, span = one.note.spans, one.span
    first = last = next(at for at, each in enumerate(spans) if each.start == span.start)
    introduces = span.kind == "item" or span.text.endswith(":")
    line = span.text.partition("\n")[0] if span.kind == "item" else span.text.rpartition("\n")[2]

    def belongs(other: Span) -> bool:
        if introduces:
            return other.kind != "row" and any(each.endswith(line) for each in other.above.split("\n"))
        return other.kind == span.kind == "sentence" and other.block == span.block

    def fits(first: int, last: int) -> bool:
        return spans[last].end - spans[first].start <= LONGEST

    while last + 1 < len(spans) and belongs(spans[last + 1]) and fits(first, last + 1):
        last += 1
    while first and belongs(spans[first - 1]) and fits(first - 1, last):
        first -= 1
    return joined(one.note.text, spans[first : last + 1])
