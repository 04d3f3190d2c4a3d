"""Find what stands as one thing in a query: "phrases", /expressions/, (groups) and [brackets].

A sign opens something only at the start of a word, and only where its counterpart closes it at the end of
one; all others are text. So a plain question keeps its inch marks, smileys and slashes.
"""

import re
from dataclasses import dataclass

MAX_STRUCTURE = 4000
"""A longer query is text as a whole: somebody pasted a page."""

_PHRASE = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)
_EXPRESSION = re.compile(r"/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+)/")
_OPENS_AFTER = frozenset("([-:<>=")
_CLOSES_BEFORE = frozenset(")].,;:!?")


@dataclass(frozen=True, slots=True)
class Spans:
    """Where things that belong together end, by where they start; ends lie after the closing sign."""

    phrases: dict[int, int]
    expressions: dict[int, int]
    groups: dict[int, int]
    brackets: dict[int, int]


def find_spans(text: str) -> Spans:
    """Find them all, in one pass."""
    spans = Spans({}, {}, {}, {})
    if len(text) > MAX_STRUCTURE:
        return spans
    open_groups: list[int] = []
    open_brackets: list[int] = []
    at = 0
    while at < len(text):
        sign, starts = text[at], at == 0 or text[at - 1].isspace() or text[at - 1] in _OPENS_AFTER
        if sign in '"/' and starts:
            found = (_PHRASE if sign == '"' else _EXPRESSION).match(text, at)
            if found and closes(text, found.end()):
                (spans.phrases if sign == '"' else spans.expressions)[at] = found.end()
                at = found.end()
                continue
        elif sign == "(":
            open_groups.append(at)
        elif sign == ")" and open_groups:
            _close(text, spans.groups, open_groups.pop(), at + 1)
        elif sign == "[":
            open_brackets.append(at)
        elif sign == "]" and open_brackets:
            _close(text, spans.brackets, open_brackets.pop(), at + 1)
        at += 1
    return spans


def _close(text: str, spans: dict[int, int], start: int, end: int) -> None:
    if closes(text, end):
        spans[start] = end


def closes(text: str, end: int) -> bool:
    """Tell whether a word may end here."""
    return end == len(text) or text[end].isspace() or text[end] in _CLOSES_BEFORE
