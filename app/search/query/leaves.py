"""Read the single values of a query: a word, a date, a number to compare with, a tag, a note's name."""

import re
from datetime import date, timedelta
from typing import Literal, NamedTuple

from app.errors import BadRequestError
from app.search.query.pattern import Pattern
from app.search.query.tree import Compared, Comparison, Dated, Linked, Match, Node, Null, Tag, Target, Text
from app.sentences import Sentence, worded
from app.vault.dates import parse_bound

Place = Literal["note", "text", "value", "tag", "link", "date"]
"""What a value is asked of; it decides how the value is read."""

_SIGN = re.compile(r"(<=|>=|<|>)\s*(.*)", re.DOTALL)
_NUMBER = re.compile(r"[-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?")
_DAY = timedelta(days=1)


class ExpectedError(ValueError):
    """A value cannot be read: what was expected in its place, with its facts."""

    def __init__(self, expected: str, **facts: object) -> None:
        self.expected = worded(expected, facts)
        super().__init__(self.expected)


class Context(NamedTuple):
    """Where in a query a value stands: below which operator, in which text, with or without case."""

    place: Place = "note"
    operator: str = ""
    target: Target = "note"
    case: bool | None = None

    def text(self, text: str, *, quoted: bool) -> Node:
        """Make the leaf of a word or phrase.

        Raises:
            ExpectedError: it is none of what may stand here.
        """
        if self.place == "value":
            return _value(text, quoted, case=bool(self.case))
        if self.place == "tag":
            return _tag(text)
        if self.place == "link":
            return _link(text, self.operator)
        if self.place == "date":
            return _dated(text, "created" if self.operator == "created" else "modified")
        bare = self.place == "note" and not quoted and self.case is None
        return Text(text, quoted, bare, bool(self.case), self.target)

    def pattern(self, pattern: Pattern) -> Node:
        """Make the leaf of a regular expression.

        Raises:
            ExpectedError: none may stand here.
        """
        if self.place in ("link", "date"):
            raise ExpectedError(
                "a note's name after '{operator}:', not a regular expression"
                if self.place == "link"
                else "a date after '{operator}:', not a regular expression",
                operator=self.operator,
            )
        return Tag("", pattern) if self.place == "tag" else Match(pattern, self.target)


def _value(text: str, quoted: bool, *, case: bool) -> Node:
    if not quoted and text == "null":
        return Null()
    found = None if quoted else _SIGN.fullmatch(text)
    if found is None:
        return Text(text, quoted, case=case)
    sign: Comparison = found[1]  # type: ignore[assignment]
    bound = found[2].strip().strip('"')
    number = _NUMBER.fullmatch(bound)
    expected = Sentence("a number, or a date such as 2025-07-14, after '{sign}'", sign=sign)
    return Compared(sign, float(bound) if number else _day(bound, sign, expected))


def _day(text: str, sign: str, expected: str) -> date:
    try:
        # What is later than July starts after its last day; what is earlier ends before its first.
        return parse_bound(text, end=sign in (">", "<="))
    except BadRequestError as error:
        raise ExpectedError(expected) from error


def _tag(text: str) -> Tag:
    name = text.strip().lstrip("#").strip("/")
    if not name:
        raise ExpectedError("a tag after 'tag:', such as tag:#project")
    return Tag(name)


def _link(text: str, operator: str) -> Linked:
    if not text.strip(" []"):
        raise ExpectedError("a note's name after '{operator}:'", operator=operator)
    return Linked("to" if operator == "links-to" else "from", text)


def _dated(text: str, field: Literal["created", "modified"]) -> Dated:
    expected = Sentence(
        "a date after '{field}:', such as 2025-07, >=2025-07-14, 2025-01..2025-03", field=field
    )
    if found := _SIGN.fullmatch(text):
        sign, bound = found[1], found[2].strip().strip('"')
        try:
            if sign in ("<", "<="):
                last = _first(bound, expected) - _DAY if sign == "<" else _last(bound, expected)
                return Dated(field, None, last)
            first = _last(bound, expected) + _DAY if sign == ">" else _first(bound, expected)
            return Dated(field, first, None)
        except OverflowError as error:
            raise ExpectedError(expected) from error
    low, dots, high = text.partition("..")
    if not dots:
        return Dated(field, _first(text, expected), _last(text, expected))
    start = _first(low, expected) if low.strip() else None
    end = _last(high, expected) if high.strip() else None
    if (start is None and end is None) or (start and end and start > end):
        raise ExpectedError("a range in order after '{field}:', such as 2025-01..2025-03", field=field)
    return Dated(field, start, end)


def _first(text: str, expected: str) -> date:
    return _day(text, ">=", expected)


def _last(text: str, expected: str) -> date:
    return _day(text, "<=", expected)
