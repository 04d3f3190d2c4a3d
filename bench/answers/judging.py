"""Judge what was answered by a key: what the quotations hold, and where they stand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bench.answers.cases import Case, Place, folded

Verdict = Literal["first", "together", "place", "wrong", "refused", "silent", "unjudged"]
"""What an answer came to.

``first``: the first quotation holds the answer. ``together``: the first three do. ``place``: the first stands
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
    is_at_evidence: bool = False
    """Whether the first quotation stands on lines that answer."""
    chars: int = 0
    """Length of everything quoted."""


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
        return Judgement("refused")
    if not quotations:
        return Judgement("silent")
    chars = sum(len(each.text) for each in quotations)
    if not case.is_answerable:
        return Judgement("wrong", chars=chars)
    if not case.must and not case.answers:
        return Judgement("unjudged", chars=chars)
    place = quotations[0].place
    is_there = place is not None and any(
        each.path == place.path and each.first <= place.last and place.first <= each.last
        for each in (*case.evidence, *case.also)
    )
    # A short answer is whole in one quotation; a key of several strings may be spread over them.
    texts = [each.text for each in quotations[:TOGETHER]]
    tried = ["\n".join(texts)] if case.must else texts
    verdict: Verdict = "place" if is_there else "wrong"
    if holds(case, texts[0]):
        verdict = "first"
    elif any(holds(case, text) for text in tried):
        verdict = "together"
    return Judgement(verdict, is_there, chars)


def holds(case: Case, text: str) -> bool:
    """Tell whether a text has all strings of the key, or one of the short answers as whole words."""
    said = folded(text)
    if case.must:
        return all(folded(each) in said for each in case.must)
    return any(re.search(rf"(?<!\w){re.escape(folded(each))}(?!\w)", said) for each in case.answers)
