"""Read the single things of a query from left to right, and say where one cannot be read."""

import re
from functools import partial
from typing import NoReturn

from app.errors import PatternError, QueryError
from app.search.query.leaves import Context
from app.search.query.pattern import Pattern, read_pattern
from app.search.query.tree import Node
from app.sentences import worded

MAX_STRUCTURE = 4000
"""A longer query is text as a whole: somebody pasted a page."""
_PHRASE = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)
_EXPRESSION = re.compile(r"/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+)/")
_OPENS_AFTER = frozenset("([-:<>=")
_CLOSES_BEFORE = frozenset(")].,;:!?")

MAX_PARTS = 400
"""Most parts that are no bare words; nobody means a query beyond that."""
_SIGN = re.compile(r"(<=|>=|<|>)\s*")
_WIKILINK = re.compile(r"\[\[[^\[\]]+\]\]")
_TRAILING = frozenset(".,;:!?)]")


def find_spans(text: str) -> dict[int, int]:
    """Find what belongs together: phrases, expressions, groups and brackets, in one pass.

    Returns:
        Where each ends, after the closing character, by where it starts.
    """
    spans: dict[int, int] = {}
    if len(text) > MAX_STRUCTURE:
        return spans
    opened: dict[str, list[int]] = {")": [], "]": []}
    at = 0
    while at < len(text):
        char, starts = text[at], at == 0 or text[at - 1].isspace() or text[at - 1] in _OPENS_AFTER
        found = (_PHRASE if char == '"' else _EXPRESSION).match(text, at) if char in '"/' and starts else None
        if found and _closes(text, found.end()):
            spans[at] = found.end()
            at = found.end()
            continue
        if char in "([":
            opened[")" if char == "(" else "]"].append(at)
        elif char in ")]" and opened[char]:
            start = opened[char].pop()
            if _closes(text, at + 1):
                spans[start] = at + 1
        at += 1
    return spans


def _closes(text: str, end: int) -> bool:
    """Return whether a word may end here."""
    return end == len(text) or text[end].isspace() or text[end] in _CLOSES_BEFORE


class Cursor:
    """A place in a query; ``at`` is the next sign, and whatever is read ends before ``end``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = find_spans(text)
        self.is_plain = True
        self.at = self.parts = 0

    def skip_blanks(self, end: int) -> bool:
        """Go to the next sign that is no blank; False where there is none."""
        while self.at < end and self.text[self.at].isspace():
            self.at += 1
        return self.at < end

    def close(self, end: int) -> int:
        """Return where the thing that starts here ends, 0 where it does not end in this range."""
        close = self.spans.get(self.at, 0)
        return close if close <= end else 0

    def is_blank(self, start: int) -> bool:
        """Return whether there is nothing in the group or phrase that starts there."""
        close = self.spans.get(start, start + 1)
        return not self.text[start + 1 : close - 1].strip()

    def phrase(self, end: int, context: Context) -> Node:
        """Read the phrase that starts here."""
        start, close = self.at, self.spans[self.at]
        text = self.text[start + 1 : close - 1].replace('\\"', '"')
        self.finish(close, end)
        return self._leaf(start, text, context, quoted=True)

    def expression(self, end: int, context: Context) -> Node:
        """Read the regular expression that starts here."""
        start, close = self.at, self.spans[self.at]
        pattern = self.pattern(start, close, bool(context.case))
        self.finish(close, end)
        self.count(start)
        return context.pattern(pattern, partial(self._fail, start))

    def pattern(self, start: int, close: int, case: bool) -> Pattern:
        """Read the regular expression between two slashes."""
        try:
            return read_pattern(self.text[start + 1 : close - 1], case=case)
        except PatternError as error:
            raise self.error(start + 1 + error.at, error.expected) from error

    def word(self, end: int, context: Context) -> Node:
        """Read up to the next blank, and a phrase or link with blanks where a value may have one."""
        start = self.at
        sign = _SIGN.match(self.text, start, end) if context.place in ("value", "date") else None
        if sign:
            self.at = sign.end()
            if self.text.startswith('"', self.at) and (close := self.close(end)):
                bound = self.text[self.at + 1 : close - 1]
                self.finish(close, end)
                return self._leaf(start, sign[1] + bound, context, quoted=False)
        if context.place == "link" and (link := _WIKILINK.match(self.text, start, end)):
            self.at = link.end()
        while self.at < end and not self.text[self.at].isspace():
            self.at += 1
        return self._leaf(start, self.text[start : self.at], context, quoted=False)

    def _leaf(self, start: int, text: str, context: Context, *, quoted: bool) -> Node:
        if quoted or context.place != "note" or context.case is not None:
            self.count(start)
        return context.text(text, partial(self._fail, start), quoted=quoted)

    def _fail(self, at: int, expected: str, **facts: object) -> NoReturn:
        raise self.error(at, expected, **facts)

    def finish(self, close: int, end: int) -> None:
        """Go on after a closing sign and the punctuation against it."""
        self.at = close
        while self.at < end and self.text[self.at] in _TRAILING:
            self.at += 1

    def count(self, at: int) -> None:
        """Note that a part is no bare word."""
        self.is_plain = False
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise self.error(at, "at most {count} parts", count=MAX_PARTS)

    def error(self, at: int, expected: str, **facts: object) -> QueryError:
        """Make the error that names a place, counted from 1, and what was expected there."""
        return QueryError(self.text, at, worded(expected, facts))
