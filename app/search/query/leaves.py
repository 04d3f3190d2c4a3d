"""Read the single values of a query: a word, a date, a number to compare with, a tag, a note's name."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from typing import Literal, NamedTuple, NoReturn

from app.errors import BadRequestError
from app.search.query.pattern import Pattern
from app.search.query.tree import Compared, Comparison, Dated, Linked, Match, Node, Null, Tag, Target, Text
from app.vault.dates import parse_bound

Place = Literal["note", "text", "value", "tag", "link", "date"]
"""What a value is asked of; it decides how the value is read."""

_SIGN = re.compile(r"(<=|>=|<|>)\s*(.*)", re.DOTALL)
_NUMBER = re.compile(r"[-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?")
_DAY = timedelta(days=1)


Fail = Callable[..., NoReturn]
"""Raises the error that says what was expected in a place, with its facts."""


class Context(NamedTuple):
    """Where in a query a value stands: below which operator, in which text, with or without case."""

    place: Place = "note"
    operator: str = ""
    target: Target = "note"
    case: bool | None = None

    def text(self, text: str, fail: Fail, *, quoted: bool) -> Node:
        """Make the leaf of a word or phrase; ``fail`` where it is none of what may stand here."""
        if self.place == "value":
            return _value(text, fail, quoted, case=bool(self.case))
        if self.place == "tag":
            name = text.strip().lstrip("#").strip("/")
            return Tag(name) if name else fail("a tag after 'tag:', such as tag:#project")
        if self.place == "link":
            if not text.strip(" []"):
                fail("a note's name after '{operator}:'", operator=self.operator)
            return Linked("to" if self.operator == "links-to" else "from", text)
        if self.place == "date":
            return _dated(text, fail, "created" if self.operator == "created" else "modified")
        bare = self.place == "note" and not quoted and self.case is None
        return Text(text, quoted, bare, bool(self.case), self.target)

    def pattern(self, pattern: Pattern, fail: Fail) -> Node:
        """Make the leaf of a regular expression; ``fail`` where none may stand here."""
        if self.place == "link":
            fail("a note's name after '{operator}:', not a regular expression", operator=self.operator)
        if self.place == "date":
            fail("a date after '{operator}:', not a regular expression", operator=self.operator)
        return Tag("", pattern) if self.place == "tag" else Match(pattern, self.target)


def _value(text: str, fail: Fail, quoted: bool, *, case: bool) -> Node:
    if not quoted and text == "null":
        return Null()
    found = None if quoted else _SIGN.fullmatch(text)
    if found is None:
        return Text(text, quoted, case=case)
    sign: Comparison = found[1]  # type: ignore[assignment]
    bound = found[2].strip().strip('"')
    if _NUMBER.fullmatch(bound):
        return Compared(sign, float(bound))
    # What is later than July starts after its last day; what is earlier ends before its first.
    day = _day(bound, end=sign in (">", "<="))
    return (
        Compared(sign, day)
        if day
        else fail("a number, or a date such as 2025-07-14, after '{sign}'", sign=sign)
    )


def _day(text: str, *, end: bool) -> date | None:
    try:
        return parse_bound(text, end=end)
    except BadRequestError:
        return None


def _dated(text: str, fail: Fail, field: Literal["created", "modified"]) -> Dated:
    if found := _SIGN.fullmatch(text):
        sign, bound = found[1], found[2].strip().strip('"')
        day = _day(bound, end=sign in (">", "<="))
        with suppress(OverflowError):
            if day and sign in ("<", "<="):
                return Dated(field, None, day - _DAY if sign == "<" else day)
            if day:
                return Dated(field, day + _DAY if sign == ">" else day, None)
    low, dots, high = text.partition("..")
    ends = [(part, _day(part, end=end)) for part, end in ((low, False), (high if dots else low, True))]
    if any(part.strip() and not day for part, day in ends) or not (dots or low.strip()):
        fail("a date after '{field}:', such as 2025-07, >=2025-07-14, 2025-01..2025-03", field=field)
    start, end = (day for _, day in ends)
    if (start is None and end is None) or (start and end and start > end):
        fail("a range in order after '{field}:', such as 2025-01..2025-03", field=field)
    return Dated(field, start, end)
