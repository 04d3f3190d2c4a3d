"""Ask one passage whether a query's texts and expressions hold of it."""

import re
from collections.abc import Callable, Iterator

from app.search.lexical.analysis import fold
from app.search.query.pattern import Clock
from app.search.query.texts import Passage
from app.search.query.tree import And, Match, Node, Not, Or, Text, Within
from app.vault.paths import normalized

Question = Callable[[Passage], bool]

LONG_TEXT = 200
"""A longer text, in characters, is not looked for by a pattern, which reads on from each false start."""


def question(node: Node, clock: Clock) -> Question:
    """Turn a tree of texts and expressions into a function that asks it of a passage."""
    if isinstance(node, Text):
        finds = finder(node)
        if node.folds:
            return lambda passage: finds(passage.folded)
        return (lambda passage: finds(passage.raw)) if node.case else lambda passage: finds(passage.plain)
    if isinstance(node, Match):
        find = node.pattern.find
        return lambda passage: find(passage.raw, clock) is not None
    if isinstance(node, Not):
        asks = question(node.part, clock)
        return lambda passage: not asks(passage)
    if isinstance(node, And):
        first, *others = [question(part, clock) for part in node.parts]
        if len(others) == 1:
            [second] = others
            return lambda passage: first(passage) and second(passage)
        return lambda passage: first(passage) and all(other(passage) for other in others)
    if isinstance(node, Or):
        questions = [question(part, clock) for part in node.parts]
        return lambda passage: any(asks(passage) for asks in questions)
    if isinstance(node, Within) and node.unit == "line":
        asks, key = question(node.part, clock), key_of(node.part)
        return lambda passage: any(map(asks, candidate_lines(key, passage)))
    raise AssertionError(f"{node} is not asked of a passage")


def finder(node: Text) -> Callable[[str], bool]:
    """Make the function that looks for a text in one of its own form; a blank meets any run of blanks."""
    words = wanted(node).split()
    if len(words) == 1:
        [word] = words
        return lambda text: word in text
    if len(whole := " ".join(words)) > LONG_TEXT:
        return lambda text: whole in " ".join(text.split())
    search = re.compile(r"\s+".join(map(re.escape, words))).search
    return lambda text: search(text) is not None


def wanted(node: Text) -> str:
    """Give a text in the form in which passages are searched for it, with single blanks."""
    return form_of(node)(" ".join(normalized("NFC", node.text).split()))


def form_of(node: Text) -> Callable[[str], str]:
    """Give the function that turns a text into the form that a node compares."""
    return fold if node.folds else str if node.case else str.casefold


def candidate_lines(key: str, passage: Passage) -> Iterator[Passage]:
    """Give the lines of a text that have ``key`` without case; all lines where there is no key."""
    raw = passage.raw
    plain = passage.plain if key else ""
    # A text that grows when it loses its case has its lines at other places.
    if not key or len(plain) != len(raw):
        yield from map(Passage, raw.split("\n"))
        return
    at = plain.find(key)
    while at >= 0:
        start = plain.rfind("\n", 0, at) + 1
        end = plain.find("\n", at)
        end = len(raw) if end < 0 else end
        yield Passage(raw[start:end], plain[start:end])
        at = plain.find(key, end)


def key_of(part: Node) -> str:
    """Give the longest piece without blanks that a passage with ``part`` must have; empty for none."""
    if isinstance(part, Text) and not part.folds:
        return max(wanted(part).casefold().split(), key=len, default="")
    if isinstance(part, And):
        return max(map(key_of, part.parts), key=len)
    return ""
