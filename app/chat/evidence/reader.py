"""Read evidence without a language model: choose what to quote, or say that the notes do not answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log

from app.chat.evidence.answerable import answer_chance
from app.chat.evidence.evidence import Claim
from app.chat.evidence.gather import Found
from app.chat.evidence.nearness import Meaning, scale_of
from app.chat.evidence.note import Note
from app.chat.evidence.span import Span, filled, joined, whole_list
from app.chat.evidence.statement import plain_text
from app.chat.evidence.weigh import AnalyzedQuestion, Candidate, candidates_of, weighed
from app.chat.evidence.when import is_of_another_time
from app.errors import VaultError
from app.notices import Notice, NoticeKind
from app.search.embedding.glosses import asks_in_french
from app.search.embedding.loading import is_installed
from app.search.lexical.analysis import runs
from app.search.lexical.dictionary import has_lists, may_be_word
from app.search.lexical.language import LANGUAGE_CODES, note_language
from app.search.query.read import read_question, respelt
from app.search.view import Vectors

MOST_QUOTATIONS, MOST_CHOSEN = 3, 4
"""Quotations, and the spans they are made of: of those that stand near each other one quotation is made."""
LEAST_SHARE, LEAST_BY_WORDS = 0.05, 0.15
"""A later quotation is given where it is at least this likely beside the first: where meaning was compared,
and where only words were."""
LEAST_ADDED, AS_LIKELY = 0.05, 0.5
"""Where meaning was compared it has also this share of the question that those before lack, or is this likely
beside the first. Of 216 answers to eight sets of questions three are lost by it, and with them almost half of
what was quoted beside them."""
ADDED = 2.0
"""What counts for a later quotation, beside its score, having all of a question that those before lack."""
RIGHT = 0.7
"""Share of first quotations that answer, where the notes do: 277 of 403 on nine vaults."""
SAYS_ALL, SAYS_ENOUGH = 0.9, 0.5
"""A row or item is quoted alone where it has this share of the question's words that its span has, and this
share of the question's information."""
QUOTED_CHARS = 600
"""A shorter first quotation is given with what stands around it, up to so many characters."""
STANDS_OUT = 0.2
"""A statement stands out among those of a quotation by so much more of the question's information."""
STEPS_CHARS, LIST_CHARS = 1500, 1000
"""Longest list of steps, and of anything else, that is quoted whole."""
JOINED_CHARS = 1000
"""Two quotations of one note are given as one, with what stands between them, up to so many characters."""

_BARE = re.compile(r"(?>\s|<!--[^<>]*-->|<[^<>\n]*>|!\[\[[^\[\]\n]*\]\]|!\[[^\[\]\n]*\]\([^()\s]*\))++")
_NAME = re.compile(r"(?<=[^.!?:] )[A-ZÀ-Þ]\w+")
"""A word inside a sentence that is written as a name."""
_POINTER = re.compile(r"\W{0,9}(?:\w{1,20}[ ,:]{1,3}){0,3}(?:\[\[[^\[\]]{1,200}\]\][ ,.;:)]{0,3}){1,9}")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation and the place it was taken from."""

    candidate: Candidate
    span: Span
    probability: float
    answering: str = ""
    """The statement that most likely says it, where one stands out among several."""

    @property
    def header(self) -> str:
        """The header of the table that the quotation is a part of; empty where it is of none."""
        first = self.span.statements[0]
        return first.above if first.kind == "row" and first.above.lstrip("> \t").startswith("|") else ""

    @property
    def claim(self) -> Claim:
        """The quotation as a claim of the answer."""
        first, last = self.span.first, self.span.last
        lines = str(first) if first == last else f"{first}-{last}"
        text = self.span.text
        probability = round(self.probability, 2)
        return Claim(
            text,
            "quoted",
            self.candidate.note.path,
            lines,
            text,
            probability,
            header=self.header,
            answering=self.answering,
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read out of evidence: quotations, best first, and how likely the notes answer at all."""

    quoted: tuple[Quoted, ...]
    probability: float
    notices: tuple[Notice, ...] = ()


def read(found: Found) -> Reading:
    """Choose what to quote of the evidence for a question.

    Raises:
        VaultError: the model that compares meaning cannot be run.
    """
    asked = asked_of(found)
    ranked = _in_time(asked, weighed(asked, candidates_of(asked, found.evidence)))
    probability = answer_chance(asked, ranked)
    quoted = _choose_quotations(asked, ranked, probability)
    by_words = asked.meaning is None and _vectors(found) is not None
    notices = (Notice(NoticeKind.READ_BY_WORDS),) if by_words else ()
    return Reading(tuple(quoted), probability, notices)


def _in_time(
    asked: AnalyzedQuestion, ranked: Sequence[tuple[Candidate, float]]
) -> Sequence[tuple[Candidate, float]]:
    """Leave out what is of another time than the question names, where the best is not."""
    window = asked.window
    if window is None or not ranked or is_of_another_time(window, ranked[0][0].note, ranked[0][0].span):
        return ranked
    return [
        (one, score)
        for one, score in ranked
        if one.joint or not is_of_another_time(window, one.note, one.span)
    ]


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
    return AnalyzedQuestion(question, found.view, Meaning(embedder, question, asked.words))


def _vectors(found: Found) -> Vectors | None:
    """Return the vectors, where some passages have them: what may be quoted is compared by their model.

    It is encoded for each question, so that the first vectors of a large vault are enough, though the search
    goes by words then.
    """
    vectors = found.view.vectors
    try:
        return vectors if vectors and is_installed() and vectors.share(found.view.snapshot) else None
    except VaultError:
        # What is wrong with them was said by the search.
        return None


def _as_spelt(found: Found) -> str:
    """Return the question with its slips as the notes have them.

    A word of its language is none, nor is a name: one that no note has says that another thing is meant.
    Where no lists of words are here, the spellings are those of the search.
    """
    question = found.question
    spellings = read_question(found.view.snapshot, question).spellings
    names = {named.lower() for named in _NAME.findall(question)}
    slips = [
        one
        for one in spellings
        if one.typed not in names and not (has_lists() and may_be_word(one.typed, [_language(question)]))
    ]
    return respelt(question, tuple(slips)) if slips else question


def _language(question: str) -> int:
    """Return the language of a question."""
    return note_language(set(runs(question)))


def _choose_quotations(
    asked: AnalyzedQuestion, ranked: Sequence[tuple[Candidate, float]], probability: float
) -> list[Quoted]:
    """Quote the best few that do not overlap or say the same, and are not far less likely than the best.

    After the first, what has more of the question that is not said yet goes before what says the same again.
    Those that stand near each other in a note are one quotation: what answers often lies beside what comes
    first, and a passage in its own order reads better than two pieces of it.
    """
    kept: list[Quoted] = []
    least = LEAST_BY_WORDS if asked.meaning is None else LEAST_SHARE
    shares = [(one, exp(score - ranked[0][1])) for one, score in ranked]
    left = [(one, share) for one, share in shares if share >= least]
    chosen: list[Candidate] = []
    while left and len(chosen) < MOST_CHOSEN and len(kept) < MOST_QUOTATIONS:
        at, added = _next(asked, left, chosen)
        one, share = left.pop(at)
        is_needless = added < LEAST_ADDED and share < AS_LIKELY
        if is_needless or any(_repeats(one, other) for other in kept):
            continue
        chosen.append(one)
        extent = _extent(asked, one)
        if any(one.note is other.candidate.note and extent.overlaps(other.span) for other in kept):
            extent = one.span
        is_whole = one.is_property or _is_steps(extent) or len(extent.statements) < len(one.span.statements)
        if not is_whole and _join(asked, kept, one, extent):
            continue
        if not kept and not is_whole:
            extent = filled(
                one.note.text, one.note.statements, extent, QUOTED_CHARS, asked.view.snapshot.is_shared
            )
        extent = _trimmed(one.note, extent)
        kept.append(Quoted(one, extent, RIGHT * probability * share, _answering(asked, one.note, extent)))
    return sorted(kept, key=lambda each: -each.probability)


def _next(
    asked: AnalyzedQuestion, left: Sequence[tuple[Candidate, float]], chosen: Sequence[Candidate]
) -> tuple[int, float]:
    """Return which of the candidates left to quote next, by its share and what it adds, and how much it adds.

    It adds what it has of the question that those chosen lack, 0 to 1; the first adds all, as does each where
    only words were compared.
    """
    known = [one.near for one in chosen if one.near is not None]
    if asked.meaning is None or not known:
        return 0, 1.0
    added = [asked.meaning.added(one.near, known) if one.near else 0.0 for one, _ in left]
    worth = [log(share) + ADDED * more for (_, share), more in zip(left, added, strict=True)]
    best = worth.index(max(worth))
    return best, added[best]


def _join(asked: AnalyzedQuestion, kept: list[Quoted], one: Candidate, extent: Span) -> bool:
    """Add a stretch of a note to the first quotation that it can be one with; return whether there is one.

    A property and steps are given alone.
    """
    for at, other in enumerate(kept):
        note = other.candidate.note
        if one.note is not note or other.candidate.is_property or _is_steps(other.span):
            continue
        is_shared = asked.view.snapshot.is_shared
        both = joined(note.text, note.statements, other.span, extent, JOINED_CHARS, is_shared)
        others = (each for each in kept if each is not other and each.candidate.note is note)
        if both is not None and not any(both.overlaps(each.span) for each in others):
            both = _trimmed(note, both)
            kept[at] = replace(other, span=both, answering=_answering(asked, note, both))
            return True
    return False


def _answering(asked: AnalyzedQuestion, note: Note, span: Span) -> str:
    """Return the statement of a span that stands out as what says it; empty where none does, and in code."""
    if any(one.kind == "code" for one in span.statements):
        return ""
    worth = [asked.share(asked.covered(plain_text(one.text), note.language)) for one in span.statements]
    best, *others = sorted(worth, reverse=True)
    stands_out = bool(others) and best - others[0] >= STANDS_OUT
    return span.statements[worth.index(best)].text if stands_out else ""


def _repeats(one: Candidate, other: Quoted) -> bool:
    """Return whether a span has lines that are quoted already, or the words of a quoted one elsewhere."""
    if one.note is other.candidate.note:
        return one.span.overlaps(other.candidate.span) or one.span.overlaps(other.span)
    return one.plain == other.candidate.plain


def _extent(asked: AnalyzedQuestion, one: Candidate) -> Span:
    """Return what to quote of a span: all of its steps or its list, or the one row or item that says it."""
    if _is_steps(one.span):
        return whole_list(one.note.text, one.note.statements, one.span, STEPS_CHARS)
    enough = max(SAYS_ALL * asked.share(one.inside), SAYS_ENOUGH)
    says = [
        each
        for each, plain in zip(one.span.statements, one.plain, strict=True)
        if each.kind in ("row", "item") and asked.share(asked.covered(plain, one.note.language)) >= enough
    ]
    if len(says) == 1:
        return Span(says[0].text, (says[0],))
    return whole_list(one.note.text, one.note.statements, one.span, LIST_CHARS)


def _is_steps(span: Span) -> bool:
    return any(each.is_step for each in span.statements)


def _trimmed(note: Note, span: Span) -> Span:
    """Leave out at both ends of a span what says nothing by itself.

    That is what only points to another note, such as "See [[Home]].", and comments, tags and pictures.
    """
    kept = list(span.statements)
    while len(kept) > 1 and _says_nothing(kept[-1].text):
        kept.pop()
    while len(kept) > 1 and _says_nothing(kept[0].text):
        kept.pop(0)
    return Span(note.text[kept[0].start : kept[-1].end], tuple(kept))


def _says_nothing(text: str) -> bool:
    return _POINTER.fullmatch(text) is not None or _BARE.fullmatch(text) is not None
