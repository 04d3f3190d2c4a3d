"""Judge what was answered by a key: what the quotations hold, where they stand, and what is said beside."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bench.answers.cases import Case, Place, folded

Verdict = Literal["first", "together", "place", "wrong", "refused", "silent", "unjudged"]
"""What an answer came to.

``first``: the first quotation holds the answer. ``together``: all of them do. ``place``: the first stands
where the answer is, without its words. ``wrong``: neither, or there is nothing to find. ``refused``: it
said that the notes do not answer. ``silent``: it neither refused nor quoted. ``unjudged``: it quoted,
and the question has no key.
"""
TOGETHER = 3
"""Quotations that may hold the answer together, by a key of several strings."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of a note, and the lines that they were found on; ``place`` is None where they were not."""

    path: str
    lines: str
    text: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """How good one answer was."""

    verdict: Verdict
    is_at_evidence: bool
    """Whether the first quotation stands on lines that answer."""
    evidence_quoted: float
    """Share of the places that answer of which a line is quoted."""
    chars: int
    """Length of everything quoted, in characters without line ends."""
    noise: int
    """Characters of it on lines that do not answer."""


def quotation(path: str, lines: str, text: str, note: str | None) -> Quotation:
    """Find a quotation in the text of its note, within the lines that it names.

    ``note`` is None where there is no such note.
    """
    return Quotation(path, lines, text, None if note is None else _located(path, lines, text, note))


def _located(path: str, lines: str, text: str, note: str) -> Place | None:
    named = re.fullmatch(r"(\d+)(?:-(\d+))?", lines)
    if named is None or not text.strip():
        return None
    first, last = int(named[1]), int(named[2] or named[1])
    shown = "\n".join(note.split("\n")[max(first - 1, 0) : last])
    at = shown.find(text.rstrip("\n"))
    if at < 0 or text not in note:
        return None
    start = first + shown.count("\n", 0, at)
    return Place(path, start, start + text.rstrip("\n").count("\n"))


def judge(case: Case, is_answered: bool, quotations: Sequence[Quotation]) -> Judgement:
    """Judge one answer; what is quoted beside a refusal is taken for no answer."""
    if not is_answered:
        return Judgement("refused", False, 0.0, 0, 0)
    good = (*case.evidence, *case.also)
    verdict, is_at_evidence = _verdict(case, good, quotations)
    quoted = [_overlaps(place, quotations) for place in case.evidence]
    chars = sum(len(each.text.replace("\n", "")) for each in quotations)
    return Judgement(
        verdict,
        is_at_evidence,
        sum(quoted) / len(quoted) if quoted else 0.0,
        chars,
        chars - sum(_chars_within(each, good) for each in quotations),
    )


def _verdict(case: Case, good: Sequence[Place], quotations: Sequence[Quotation]) -> tuple[Verdict, bool]:
    if not quotations:
        return "silent", False
    if not case.is_answerable:
        return "wrong", False
    if not case.must and not case.answers:
        return "unjudged", False
    is_at_evidence = any(_overlaps(place, quotations[:1]) for place in good)
    if holds(case, quotations[0].text):
        return "first", is_at_evidence
    # A short answer is whole in one quotation; a key of several strings may be spread over them.
    tried = [each.text for each in quotations]
    if case.must:
        tried = ["\n".join(tried[:TOGETHER])]
    if any(holds(case, text) for text in tried):
        return "together", is_at_evidence
    return ("place" if is_at_evidence else "wrong"), is_at_evidence


def holds(case: Case, text: str) -> bool:
    """Tell whether a text has all strings of the key, or one of the short answers as whole words."""
    said = folded(text)
    if case.must:
        return all(folded(each) in said for each in case.must)
    return any(re.search(rf"(?<!\w){re.escape(folded(each))}(?!\w)", said) for each in case.answers)


def _overlaps(place: Place, quotations: Sequence[Quotation]) -> bool:
    return any(
        each.place is not None
        and each.place.path == place.path
        and each.place.first <= place.last
        and place.first <= each.place.last
        for each in quotations
    )


def _chars_within(quoted: Quotation, good: Sequence[Place]) -> int:
    if quoted.place is None:
        return 0
    lines = enumerate(quoted.text.split("\n"), start=quoted.place.first)
    return sum(
        len(line)
        for at, line in lines
        if any(place.path == quoted.path and place.first <= at <= place.last for place in good)
    )
