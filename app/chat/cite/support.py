"""Whether the lines that a sentence of an answer cites say what it says."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.cite.parse import find_quote, find_quotes
from app.chat.evidence.evidence import Verdict
from app.notices import Notice, NoticeKind


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a sentence came to beside its lines: the verdict, and for a bad one what is wrong."""

    verdict: Verdict
    reason: Notice | None = None
    line: str = ""
    """The line beside which the sentence fails, as it stands in the note; empty where none is nearest."""


def judge(sentence: str, lines: Sequence[str], *, context: str = "", question: str = "") -> Judgement:
    """Hold one sentence against the lines it cites.

    Args:
        sentence: A sentence of an answer, without its citation.
        lines: The lines of the note, as they stand there; none where the sentence cites nothing.
        context: What stands above the lines and says what they are about: title, headings, day.
        question: What was asked; its names may be repeated.
    """
    if not lines:
        return Judgement("uncited")
    for quote in find_quotes(sentence):
        if find_quote(quote.text, lines) is None:
            return Judgement("unsupported", Notice(NoticeKind.CLAIM_QUOTES, words=quote.text))
    return Judgement("supported")
