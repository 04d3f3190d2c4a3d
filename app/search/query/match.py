"""Ask one passage whether a query's texts and expressions hold of it, and on which lines they stand."""

import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache

from app.search.lexical.analysis import fold
from app.search.query.pattern import Clock
from app.search.query.texts import Passage
from app.search.query.tree import And, Match, Node, Not, Or, Text, Within


def holds(node: Node, passage: Passage, clock: Clock) -> bool:
    """Tell whether a passage has what a tree of texts and expressions asks for."""
    if isinstance(node, Text):
        return wanted(node) in passage.form(_form(node))
    if isinstance(node, Match):
        return node.pattern.find(passage.raw, clock) is not None
    if isinstance(node, And):
        return all(holds(part, passage, clock) for part in node.parts)
    if isinstance(node, Or):
        return any(holds(part, passage, clock) for part in node.parts)
    if isinstance(node, Not):
        return not holds(node.part, passage, clock)
    if isinstance(node, Within):
        return any(holds(node.part, line, clock) for line in candidate_lines(node.part, passage.raw))
    raise AssertionError(f"{node} is not asked of a passage")


def candidate_lines(part: Node, raw: str) -> Iterator[Passage]:
    """Give the lines of a text of which ``part`` may hold; a word it cannot do without finds them."""
    key = key_of(part)
    folded = raw.casefold() if key else ""
    # A text that grows in folding has its lines at other places.
    if not key or len(folded) != len(raw):
        yield from map(Passage, raw.split("\n"))
        return
    at = folded.find(key)
    while at >= 0:
        start = folded.rfind("\n", 0, at) + 1
        end = folded.find("\n", at)
        end = len(raw) if end < 0 else end
        yield Passage(raw[start:end])
        at = folded.find(key, end)


def key_of(part: Node) -> str:
    """Give the longest piece without blanks that a passage with ``part`` must have; empty for none."""
    if isinstance(part, Text) and not part.folds:
        return max(wanted(part).casefold().split(), key=len, default="")
    if isinstance(part, And):
        return max(map(key_of, part.parts), key=len)
    return ""


@lru_cache(maxsize=512)
def wanted(node: Text) -> str:
    """Give a text in the form in which passages are searched for it."""
    return _form(node)(unicodedata.normalize("NFC", node.text))


def _form(node: Text) -> Callable[[str], str]:
    return folded if node.folds else spaced if node.case else literal


def spaced(text: str) -> str:
    """Give a text with every run of blanks, line ends included, as one space."""
    return " ".join(text.split())


def literal(text: str) -> str:
    """Give a text as exact constructs compare it: no case, blanks as one space."""
    return spaced(text.casefold())


def folded(text: str) -> str:
    """Give a text as bare words are compared: no case, no accents."""
    return fold(literal(text))


def shown_lines(node: Node, raw: str, clock: Clock) -> list[int]:
    """List the lines, from 1, on which a word or expression that counts for ``node`` stands."""
    leaves = list(_positive(node))
    return [
        number
        for number, line in enumerate(raw.split("\n"), start=1)
        if (passage := Passage(line)) and any(holds(leaf, passage, clock) for leaf in leaves)
    ]


def _positive(node: Node, positive: bool = True) -> Iterator[Node]:
    """Give the parts whose place in the text shows why a note was found."""
    if isinstance(node, And | Or):
        for part in node.parts:
            yield from _positive(part, positive)
    elif isinstance(node, Not):
        yield from _positive(node.part, not positive)
    elif positive and (isinstance(node, Within) and node.unit == "line"):
        yield node.part
    elif isinstance(node, Within):
        yield from _positive(node.part, positive)
    elif positive and isinstance(node, Text | Match) and node.target in ("note", "content"):
        yield node
