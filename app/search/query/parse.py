"""Read a query as typed, in Obsidian's language, into a tree.

A recursive-descent parser by hand: whether a character is an operator or plain text depends on what follows,
such as the bracket that closes or the word before the colon, and what is no operator is text, never an
error. That is two lines here, and a contortion in the grammar of a parsing library.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, timedelta
from typing import Literal, NamedTuple, get_args

from app.errors import BadRequestError, PatternError, QueryError
from app.search.query import tree
from app.sentences import worded
from app.vault.dates import parse_bound
from app.vault.paths import NOTE_SUFFIX

MAX_STRUCTURE = 4000
"""A longer query is text as a whole: somebody pasted a page."""
MAX_DEPTH = 30
"""Most groups within each other."""
MAX_PARTS = 400
"""Most parts that are no bare words; nobody means a query beyond that."""
SENTENCE_WORDS = 4
"""A text with so many bare words is a sentence rather than a query of operators."""

UNITS: tuple[tree.Unit, ...] = get_args(tree.Unit)
TARGETS: dict[str, tree.Target] = {"file": "file", "path": "path", "content": "content"}
PLACES: dict[str, "Place"] = {
    "tag": "tag", "links-to": "link", "linked-from": "link", "created": "date", "modified": "date",
    "base": "base", "kind": "kind",
}  # fmt: skip
OPERATORS = (*TARGETS, "match-case", "ignore-case", *UNITS, *PLACES)

_NAMES = "|".join(sorted(OPERATORS, key=len, reverse=True))
_OPERATOR = re.compile(rf"({_NAMES}):(?=\S)(?!//)")
OPERATOR_AS_TEXT = re.compile(rf"(?:^|(?<=[\s(-]))({_NAMES}):(?=\s|$)")
"""What meets the name of an operator that is text, since whitespace follows it."""
_PHRASE = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)
_EXPRESSION = re.compile(r"/(?![/*\s])(?>\\.|\[(?:\\.|[^\]\\\n])*+\]|[^/\\\n])++/")
_WIKILINK = re.compile(r"\[\[[^\[\]]+\]\]")
_SIGN = re.compile(r"(<=|>=|<|>)\s*")
_DAY_AND_HOUR = re.compile(r"\S*\d\S*\s+\d{1,2}")
_BLANKS = re.compile(r"\s*")
_RUN = re.compile(r"\S*")
_TRAILING = re.compile(r"[)\].,;:!?]*")
_OR = re.compile(r"OR(?=\s+\S)")
_OR_BETWEEN = re.compile(r"\s+OR\s+")
_STARTS = re.compile(r"(?:^|(?<=[\s(\[:<>=-]))")
_ENDS = re.compile(r"[\s)\].,;:!?]|$")
_CLOSING = {
    '"': "'\"' that closes this one, with a blank after it",
    "(": "')' that closes this '(', with a blank after it",
}

IsProperty = Callable[[str], bool]
Place = Literal["note", "text", "value", "tag", "link", "date", "base", "kind"]
"""What a value is asked of; it decides how the value is read."""
_SIGNED: frozenset[Place] = frozenset(("value", "date"))
"""Where a value may begin with a sign such as ``>=``, blanks after it."""


class Context(NamedTuple):
    """Where in a query a value stands: below which operator, in which text, with or without case."""

    place: Place = "note"
    operator: str = ""
    target: tree.Target = "note"
    case: bool | None = None


def parse_query(text: str, is_property: IsProperty = lambda _: False) -> tree.Query:
    """Read one query. A text without operators never fails.

    Args:
        text: The query as typed.
        is_property: Tells whether some note has a property of that name, so that ``[name]`` asks for it.

    Raises:
        BadRequestError: an operator's value is missing or cannot be read; with the position in the query.
    """
    text = text.strip()
    parser = _Parser(text, is_property)
    root, star = parser.alternatives(0, len(text), Context()), tree.Text("*", folds=True)
    # A star asks for everything, which beside other parts is nothing.
    kept = [
        part for part in (root.parts if isinstance(root, tree.And) else (root,)) if part not in (star, None)
    ]
    return tree.Query(text, tree.joined(tree.And, kept), parser.is_plain)


def parse_prose(text: str) -> tree.Node | None:
    """Read a sentence, in which operators alone are none of its words; None for words that ask for nothing.

    Raises:
        BadRequestError: an operator's value is missing or cannot be read.
    """
    return _Parser(text, prose=True).alternatives(0, len(text), Context())


def reads_as_prose(text: str) -> bool:
    """Return whether a text is a sentence: a question mark ends it, or four bare words stand in it."""
    spans = find_spans(text)
    at = words = 0
    while at < len(text) and words < SENTENCE_WORDS:
        if text[at] in "(-" or text[at].isspace():
            at += 1
            continue
        operator = _OPERATOR.match(text, at)
        start = operator.end() if operator else at
        end = spans.get(start, start)
        is_word = operator is None and end == at and text[at].isalnum()
        while end < len(text) and not text[end].isspace():
            end += 1
        words += is_word and text[at:end] != "OR"
        at = max(end, at + 1)
    return words >= SENTENCE_WORDS or (words > 0 and text.rstrip("!！").endswith(("?", "？", "؟")))


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
        char = text[at]
        starts = _STARTS.match(text, at) if char in '"/' else None
        found = (_PHRASE if char == '"' else _EXPRESSION).match(text, at) if starts else None
        if found and _ENDS.match(text, found.end()):
            spans[at] = found.end()
            at = found.end()
            continue
        if char in "([":
            opened[")" if char == "(" else "]"].append(at)
        elif char in ")]" and opened[char]:
            start = opened[char].pop()
            if _ENDS.match(text, at + 1):
                spans[start] = at + 1
        at += 1
    return spans


class _Parser:
    """Reads ranges of one text, each into a tree; ``at`` is the next character."""

    def __init__(self, text: str, is_property: IsProperty = lambda _: False, *, prose: bool = False) -> None:
        self.text, self.is_property, self.prose = text, is_property, prose
        self.spans = find_spans(text)
        self.is_plain = True
        self.at = self.parts = self.depth = 0

    def alternatives(self, start: int, end: int, context: Context) -> tree.Node | None:
        """Read parts side by side, divided by OR; None where there is nothing."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(start, "at most {most} groups within each other", most=MAX_DEPTH)
        rows: list[list[tree.Node]] = [[]]
        self.at, is_or = start, False
        while self._skip(_BLANKS, self.at, end):
            if rows[-1] and not is_or and _OR.match(self.text, self.at, end):
                self.at += 2
                self.is_plain = False
                is_or = self.prose and self.depth == 1
                rows += [] if is_or else [[]]
            elif (part := self._part(end, context)) is not None:
                # In a sentence OR is a word, but for one between two operators.
                if is_or and not tree.is_bare(part) and not tree.is_bare(rows[-1][-1]):
                    part = tree.joined(tree.Or, [rows[-1].pop(), part])
                rows[-1].append(part)
                is_or = False
        self.depth -= 1
        groups = [tree.joined(tree.And, row) for row in rows if row]
        return tree.joined(tree.Or, groups) if groups else None

    def _skip(self, what: re.Pattern[str], start: int, end: int) -> bool:
        """Go behind what stands at a place, or nothing; False where the range ends there."""
        found = what.match(self.text, start, end)
        self.at = found.end() if found else start
        return self.at < end

    def _part(self, end: int, context: Context) -> tree.Node | None:
        """Read one part, negated or not; None for a character that asks for nothing."""
        is_negated = self.text[self.at] == "-" and self._negates(self.at + 1, end, context)
        self.at += is_negated
        part = self._operand(end, context)
        if part is None or not is_negated:
            return part
        self._count(self.at)
        return tree.Not(part)

    def _negates(self, at: int, end: int, context: Context) -> bool:
        """Tell a minus from a dash: what follows must be able to start a word or a group."""
        sign = self.text[at : min(at + 1, end)]
        if self.prose and context.place == "note":
            if sign == "(":
                return bool(_OPERATOR.search(self.text, at, self.spans.get(at, at)))
            return (sign == "[" and at in self.spans) or bool(_OPERATOR.match(self.text, at, end))
        if sign and sign in '(["/':
            return at in self.spans
        if context.place in _SIGNED and sign and sign in "<>0123456789":
            return not sign.isdigit()
        return bool(sign) and (sign.isalnum() or sign in "_#@$" or (ord(sign) > 127 and not sign.isspace()))

    def _operand(self, end: int, context: Context, *, is_value: bool = False) -> tree.Node | None:
        """Read a group, a phrase, an expression, a property, an operator or a word.

        Args:
            end: Where what is read ends at the latest.
            context: Where it stands.
            is_value: Whether it stands against an operator's colon, so that what opens has to be closed.
        """
        start, sign, close = self.at, self.text[self.at], self.spans.get(self.at, 0)
        close = close if close <= end else 0
        if sign in '"/' and self.prose and context.place == "note":
            return self._word(end, context)
        is_blank = bool(close) and not self.text[start + 1 : close - 1].strip()
        if is_value and sign in _CLOSING:
            if not close:
                raise self._error(start, _CLOSING[sign])
            if is_blank:
                raise self._error(start + 1, "something to find after '{name}:'", name=context.operator)
        if sign == "(" and close and not is_blank:
            part = self.alternatives(start + 1, close - 1, context)
            self._skip(_TRAILING, close, end)
            return part
        if sign == '"' and close and (context.place == "value" or not is_blank):
            self._skip(_TRAILING, close, end)
            return self._leaf(
                start, self.text[start + 1 : close - 1].replace('\\"', '"'), context, quoted=True
            )
        if sign == "/" and close and context.place not in ("link", "date", "base"):
            pattern = self._pattern(start, close, case=bool(context.case))
            self._skip(_TRAILING, close, end)
            self._count(start)
            return tree.Tag("", pattern) if context.place == "tag" else tree.Match(pattern, context.target)
        if sign == "[" and context.place == "note" and (found := self._bracket(start, close, end, context)):
            return found
        if context.place != "value" and (operator := _OPERATOR.match(self.text, start, end)):
            return self._operator(operator[1], operator.end(), end, context)
        if sign == "(" and (start + 1 in self.spans or _OPERATOR.match(self.text, start + 1, end)):
            # A parenthesis that nobody closes asks for nothing.
            self.at += 1
            return None
        return self._word(end, context)

    def _operator(self, name: str, after: int, end: int, context: Context) -> tree.Node:
        self._count(self.at)
        is_case = name in ("match-case", "ignore-case")
        if context.place != "note" and not is_case:
            expected = "no '{name}:' inside '{outer}:'; put it beside, or in quotes if it is text"
            raise self._error(self.at, expected, name=name, outer=context.operator)
        self.at = after
        target = TARGETS.get(name, "content")
        inside = Context(PLACES.get(name, "text"), name, target, context.case)
        if is_case:
            inside = context._replace(case=name == "match-case")
        part = self._operand(end, inside, is_value=not is_case)
        if part is None:
            raise self._error(after, "something to find after '{name}:'", name=name)
        return tree.Within(name, part) if name in UNITS else part

    def _bracket(self, start: int, close: int, end: int, context: Context) -> tree.Node | None:
        """Read ``[name]`` or ``[name:value]``; None where it is text."""
        if not close or self.text.startswith("[[", start):
            return None
        colon = start + 1
        while colon < close - 1 and self.text[colon] != ":":
            colon = colon + 1 if self.text[colon] == "[" else self.spans.get(colon, colon + 1)
        name, value = self.text[start + 1 : colon].strip(), self.text[colon + 1 : close - 1]
        if colon >= close - 1:
            name = self.text[start + 1 : close - 1].strip().strip('"')
            if not name or not self.is_property(name):
                return None
            self._skip(_TRAILING, close, end)
            self._count(start)
            return tree.Property((name,))
        # A time of day, an address, "[note:]" and a field in the text, "[due:: today]", are no properties.
        # So is the time before a line of a chat: "[14.03.24, 18:02]".
        is_time = name.isdigit() or (value[:2].isdigit() and _DAY_AND_HOUR.fullmatch(name))
        if not name or is_time or not value.strip() or value.startswith(("//", ":")):
            return None
        self._count(start)
        names = tuple(self._names(start + 1, name))
        place = Context("value", f"[{name}", "content", bool(context.case))
        inside = self.alternatives(colon + 1, close - 1, place)
        self._skip(_TRAILING, close, end)
        return tree.Property(names, inside)

    def _names(self, start: int, written: str) -> Iterator[str | tree.Pattern]:
        """Yield the names of a property: one, or several with OR between them, some of them expressions."""
        if written.startswith("(") and written.endswith(")"):
            written = written[1:-1].strip()
        for name in _OR_BETWEEN.split(written):
            at = self.text.index(name, start)
            if name.startswith("/") and self.spans.get(at) == at + len(name):
                yield self._pattern(at, at + len(name))
            else:
                yield name.strip().strip('"')

    def _pattern(self, start: int, close: int, *, case: bool = False) -> tree.Pattern:
        """Read the regular expression between two slashes."""
        try:
            return tree.read_pattern(self.text[start + 1 : close - 1], case=case)
        except PatternError as error:
            raise self._error(start + 1 + error.at, error.expected) from error

    def _word(self, end: int, context: Context) -> tree.Node:
        """Read up to the next whitespace, and a phrase or link that has some where a value may have one."""
        start = self.at
        if context.place in _SIGNED and (sign := _SIGN.match(self.text, start, end)):
            self.at = sign.end()
            close = self.spans.get(self.at, end + 1)
            if self.text.startswith('"', self.at) and close <= end:
                bound = self.text[self.at + 1 : close - 1]
                self._skip(_TRAILING, close, end)
                return self._leaf(start, sign[1] + bound, context)
        if context.place == "link" and (link := _WIKILINK.match(self.text, start, end)):
            self.at = link.end()
        self._skip(_RUN, self.at, end)
        return self._leaf(start, self.text[start : self.at], context)

    def _leaf(self, start: int, text: str, context: Context, *, quoted: bool = False) -> tree.Node:
        """Make the node of a word or phrase, as it is read in its place."""
        if not quoted and context.place == "note" and context.case is None:
            return tree.Text(text, folds=True, target=context.target)
        self._count(start)
        if context.place == "value":
            return self._compared(start, text, context, quoted=quoted)
        if context.place == "date":
            return self._dated(start, text, "created" if context.operator == "created" else "modified")
        if context.place == "base":
            return tree.Based(text.strip())
        if context.place == "link":
            if not text.strip(" []"):
                raise self._error(start, "a note's name after '{operator}:'", operator=context.operator)
            return tree.Linked("to" if context.operator == "links-to" else "from", text)
        if context.place == "tag":
            if not (name := text.strip().lstrip("#").strip("/")):
                raise self._error(start, "a tag after 'tag:', such as tag:#project")
            return tree.Tag(name)
        if context.place == "kind":
            name = text.strip().lstrip(".")
            ending = NOTE_SUFFIX[1:] if name.lower() == "note" else re.escape(name)
            return tree.Match(tree.read_pattern(rf"\.{ending}$"), "file")
        return tree.Text(text, quoted, case=bool(context.case), target=context.target)

    def _compared(self, start: int, text: str, context: Context, *, quoted: bool) -> tree.Node:
        """Read what a property's value is compared with, or holds."""
        if text == "null" and not quoted:
            return tree.Null()
        if quoted or not (found := _SIGN.match(text)):
            return tree.Text(text, quoted, case=bool(context.case))
        sign: tree.Comparison = found[1]  # type: ignore[assignment]
        bound = text[found.end() :].strip().strip('"')
        if (number := tree.number_of(bound)) is not None:
            return tree.Compared(sign, number)
        if day := _day(bound, end=sign in (">", "<=")):
            return tree.Compared(sign, day)
        raise self._error(start, "a number, or a date such as 2025-07-14, after '{sign}'", sign=sign)

    def _dated(self, start: int, text: str, field: Literal["created", "modified"]) -> tree.Dated:
        """Read a day, month or year, what is before or after one, or a range."""
        low, dots, high = text.partition("..")
        first, last = _day(low), _day(high if dots else low, end=True)
        is_read = all(day or (dots and not part.strip()) for day, part in ((first, low), (last, high)))
        if found := _SIGN.match(text):
            day = _day(text[found.end() :].strip().strip('"'), end=found[1] in (">", "<="))
            with suppress(OverflowError):
                day = day and day + timedelta({"<": -1, ">": 1}.get(found[1], 0))
                first, last = (None, day) if found[1] in ("<", "<=") else (day, None)
                is_read = True
        if not is_read or not (first or last) or (first and last and first > last):
            expected = "a date after '{field}:', such as 2025-07, >=2025-07-14, 2025-01..2025-03"
            raise self._error(start, expected, field=field)
        return tree.Dated(field, first, last)

    def _count(self, at: int) -> None:
        """Note that a part is no bare word."""
        self.is_plain = False
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise self._error(at, "at most {count} parts", count=MAX_PARTS)

    def _error(self, at: int, expected: str, **facts: object) -> QueryError:
        """Make the error that names a place, and what was expected there."""
        return QueryError(self.text, at, worded(expected, facts))


def _day(text: str, *, end: bool = False) -> date | None:
    """Read a day; what is later than July starts after its last day."""
    with suppress(BadRequestError):
        return parse_bound(text, end=end)
    return None
