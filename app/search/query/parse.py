"""Read a query as typed, in Obsidian's language, into a tree.

A recursive-descent parser by hand: whether a sign is an operator or plain text depends on what follows,
such as the bracket that closes or the word before the colon, and what is no operator is text, never an
error. That is two lines here, and a contortion in the grammar of a parsing library.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from app.errors import BadRequestError, PatternError
from app.notices import Notice, NoticeKind
from app.search.lexical.quotation import pieces
from app.search.query.asking import without_asking
from app.search.query.cursor import Cursor, find_spans
from app.search.query.leaves import Context
from app.search.query.pattern import Pattern, read_pattern
from app.search.query.tree import (
    And,
    Match,
    Node,
    Not,
    Or,
    Property,
    Query,
    Text,
    Unit,
    Within,
    is_bare,
    joined,
    positive_texts,
)

__all__ = ["OPERATORS", "IsProperty", "Query", "parse_query", "parse_question"]

MAX_DEPTH = 30
"""Most groups within each other."""
SENTENCE_WORDS = 4
"""A text with so many bare words is a sentence rather than a query of operators."""

UNITS: dict[str, Unit] = {
    "line": "line", "block": "block", "section": "section", "task": "task", "task-todo": "task-todo",
    "task-done": "task-done", "heading": "heading", "alias": "alias",
}  # fmt: skip
OPERATORS = (
    "file", "path", "content", "match-case", "ignore-case", "tag", *UNITS,
    "links-to", "linked-from", "created", "modified",
)  # fmt: skip
_HOLD_LINES = frozenset(("block", "section", "task", "task-todo", "task-done"))

_NAMES = "|".join(sorted(OPERATORS, key=len, reverse=True))
_OPERATOR = re.compile(rf"({_NAMES}):(?=\S)(?!//)")
_BLANK_AFTER = re.compile(rf"(?:^|(?<=[\s(-]))({_NAMES}):(?=\s|$)")
_SLASHED = re.compile(r"(?:(?<=[\s(:-])|^)/(\S(?:[^/\n]*[^\s/])?)/(?=[\s)]|$)")
_DAY_AND_HOUR = re.compile(r"\S*\d\S*\s+\d{1,2}")
_OR_BETWEEN = re.compile(r"\s+OR\s+")

IsProperty = Callable[[str], bool]


def parse_query(text: str, is_property: IsProperty | None = None) -> Query:
    """Read one query. A text without operators never fails.

    Args:
        text: The query as typed.
        is_property: Tells whether some note has a property of that name, so that ``[name]`` asks for it;
            left out, ``[name]`` is text.

    Raises:
        BadRequestError: an operator's value is missing or cannot be read; with the position in the query.
    """
    text = text.strip()
    parser = _Parser(text, is_property)
    root = parser.alternatives(0, len(text), Context())
    if isinstance(root, And):
        # A star asks for everything, which beside other parts is nothing.
        kept = [part for part in root.parts if not _is_star(part)]
        root = joined(And, kept) if kept else None
    return Query(text, None if root is None or _is_star(root) else root, parser.is_plain, _hints(text))


@lru_cache(maxsize=256)
def parse_question(text: str) -> Query:
    """Read the query of a ranked search, which may be a sentence.

    Words that only ask, as "what did I write about", are left out. In a sentence, quotation marks, a bare
    ``OR``, slashes and a dash before a word are what they are in any sentence: its words rank and filter
    nothing. Operators, such as ``tag:`` or ``[status:done]``, filter as in a query, and one that cannot be
    read is text.

    Raises:
        BadRequestError: the text is no sentence, and an operator's value is missing or cannot be read.
    """
    text = text.strip()
    if not reads_as_prose(text):
        return parse_query(text)
    typed, text = text, without_asking(text)
    try:
        root = _Parser(text, None, prose=True).alternatives(0, len(text), Context())
    except BadRequestError:
        root = None
    if root is None or is_bare(root):
        return replace(read_as_prose(text), hints=_hints(text), typed=typed if typed != text else "")
    return Query(text, root, is_plain=False, hints=_hints(text))


def read_as_prose(text: str) -> Query:
    """Read a text as words alone, whatever signs stand in it."""
    return Query(text, joined(And, list(_sentence_words(text))))


def _hints(text: str) -> tuple[Notice, ...]:
    """Say which operators were read as text, since a blank follows them."""
    return tuple(Notice(NoticeKind.OPERATOR_IS_TEXT, name=found[1]) for found in _BLANK_AFTER.finditer(text))


def broken_expressions(text: str) -> Iterator[Notice]:
    """Say what stands between slashes and was read as text, since it is no regular expression."""
    if reads_as_prose(text):
        return
    known = find_spans(text)
    for found in _SLASHED.finditer(text):
        if found.start() not in known:
            try:
                read_pattern(found[1])
            except PatternError as error:
                at = found.start(1) + error.at + 1
                yield Notice(
                    NoticeKind.EXPRESSION_IS_TEXT, source=found[0], position=at, expected=error.expected
                )


def _sentence_words(text: str) -> Iterator[Node]:
    """Yield the words of a sentence, all bare; those in quotation marks are known by that."""
    for piece in pieces(text):
        yield from (Text(word, quoted=piece.quoted, folds=True) for word in piece.text.split())


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


def is_phrase(node: Node) -> bool:
    """Return whether a node asks for nothing but phrases and regular expressions, without any operator."""
    if isinstance(node, And | Or):
        return all(map(is_phrase, node.parts))
    if isinstance(node, Match):
        return node.target == "note"
    return isinstance(node, Text) and node.quoted and node.target == "note" and not node.case


def without_phrases(query: Query) -> Query | None:
    """Return a query whose phrases and expressions filter nothing; None where nothing is left to rank by.

    The words of its phrases rank.
    """
    phrases = [text for part in query.parts if is_phrase(part) for text in positive_texts(part)]
    words: list[Node] = [Text(word, folds=True) for text in phrases for word in text.split()]
    parts = [part for part in query.parts if not is_phrase(part)] + words
    root = joined(And, parts) if parts else None
    loosened = replace(query, root=root, is_plain=False)
    return loosened if loosened.has_bare_words else None


def _is_star(node: Node) -> bool:
    return isinstance(node, Text) and node.folds and node.text == "*"


class _Parser(Cursor):
    """Reads ranges of one text, each into a tree."""

    def __init__(self, text: str, is_property: IsProperty | None, *, prose: bool = False) -> None:
        super().__init__(text)
        self.is_property = is_property
        self.prose = prose
        self.depth = 0

    def alternatives(self, start: int, end: int, context: Context) -> Node | None:
        """Read parts side by side, divided by OR; None where there is nothing."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(start, "at most {most} groups within each other", most=MAX_DEPTH)
        rows: list[list[Node]] = [[]]
        self.at = start
        while self.skip_blanks(end):
            if rows[-1] and self._is_or(end):
                self.at += 2
                self.is_plain = False
                if self.prose and self.depth == 1:
                    rows[-1] = self._joined_by_or(rows[-1], end, context)
                else:
                    rows.append([])
            elif (part := self._part(end, context)) is not None:
                rows[-1].append(part)
        self.depth -= 1
        groups = [joined(And, row) for row in rows if row]
        return joined(Or, groups) if groups else None

    def _joined_by_or(self, row: list[Node], end: int, context: Context) -> list[Node]:
        """Return the parts of a sentence up to what follows an OR: between two operators it is one itself."""
        self.skip_blanks(end)
        part = self._part(end, context)
        if part is None:
            return row
        if is_bare(row[-1]) or is_bare(part):
            return [*row, part]
        return [*row[:-1], joined(Or, [row[-1], part])]

    def _is_or(self, end: int) -> bool:
        after = self.text[self.at + 2 : end]
        return self.text.startswith("OR", self.at) and after[:1].isspace() and not after.isspace()

    def _part(self, end: int, context: Context) -> Node | None:
        """Read one part, negated or not; None for a sign that asks for nothing."""
        if self.text[self.at] != "-" or not self._negates(self.at + 1, end, context):
            return self._operand(end, context)
        self.at += 1
        part = self._operand(end, context)
        if part is None:
            return None
        self.count(self.at)
        return Not(part)

    def _negates(self, at: int, end: int, context: Context) -> bool:
        """Tell a minus from a dash: what follows must be able to start a word or a group."""
        sign = self.text[at : min(at + 1, end)]
        if self.prose and context.place == "note":
            if sign == "(":
                return bool(_OPERATOR.search(self.text, at, self.spans.get(at, at)))
            return (sign == "[" and at in self.spans) or bool(_OPERATOR.match(self.text, at, end))
        if sign and sign in '(["/':
            return at in self.spans
        if context.place in ("value", "date") and sign and sign in "<>0123456789":
            return not sign.isdigit()
        return bool(sign) and (sign.isalnum() or sign in "_#@$" or (ord(sign) > 127 and not sign.isspace()))

    def _operand(self, end: int, context: Context) -> Node | None:
        start, sign = self.at, self.text[self.at]
        if sign in '"/' and self.prose and context.place == "note":
            return self.word(end, context)
        if sign == "(" and self.close(end) and not self.is_blank(start):
            return self._group(end, context)
        if sign == '"' and self.close(end):
            if context.place == "value" or not self.is_blank(start):
                return self.phrase(end, context)
        elif sign == "/" and self.close(end):
            return self.expression(end, context)
        elif sign == "[" and context.place == "note" and (found := self._bracket(end, context)):
            return found
        if context.place != "value" and (operator := _OPERATOR.match(self.text, start, end)):
            return self._operator(operator[1], operator.end(), end, context)
        opens = start + 1 in self.spans or _OPERATOR.match(self.text, start + 1, end)
        if sign == "(" and opens:
            # A parenthesis that nobody closes asks for nothing.
            self.at += 1
            return None
        return self.word(end, context)

    def _group(self, end: int, context: Context) -> Node | None:
        close = self.spans[self.at]
        part = self.alternatives(self.at + 1, close - 1, context)
        self.finish(close, end)
        return part

    def _operator(self, name: str, after: int, end: int, context: Context) -> Node:
        self.count(self.at)
        self._check_allowed(name, context)
        self.at = after
        if name in ("match-case", "ignore-case"):
            part = self._operand(end, context._replace(case=name == "match-case"))
        else:
            part = self._value(end, _inside(name, context))
        if part is None:
            raise self.error(after, "something to find after '{name}:'", name=name)
        return Within(UNITS[name], part) if name in UNITS else part

    def _check_allowed(self, name: str, context: Context) -> None:
        lines_of = name == "line" and context.operator in _HOLD_LINES
        if context.place != "note" and name not in ("match-case", "ignore-case") and not lines_of:
            raise self.error(
                self.at,
                "no '{name}:' inside '{outer}:'; put it beside, or in quotes if it is text",
                name=name,
                outer=context.operator,
            )

    def _value(self, end: int, context: Context) -> Node | None:
        """Read what stands right against an operator's colon."""
        start, sign = self.at, self.text[self.at]
        if sign == '"':
            if not self.close(end):
                raise self.error(
                    start,
                    "'\"' that closes this one"
                    if self.text.find('"', start + 1, end) < 0
                    else "'\"' that closes this one, with a blank after it",
                )
            if self.is_blank(start):
                raise self.error(start + 1, "something to find after '{name}:'", name=context.operator)
            return self.phrase(end, context)
        if sign == "(":
            if not self.close(end):
                if self.text.find(")", start, end) < 0:
                    raise self.error(start, "')' that closes this '('")
                raise self.error(start, "')' that closes this '(', with a blank after it")
            if self.is_blank(start):
                raise self.error(start + 1, "something to find inside '{name}:( )'", name=context.operator)
            return self._group(end, context)
        if sign == "/" and self.close(end):
            return self.expression(end, context)
        if context.place == "text" and (operator := _OPERATOR.match(self.text, start, end)):
            return self._operator(operator[1], operator.end(), end, context)
        return self.word(end, context)

    def _bracket(self, end: int, context: Context) -> Node | None:
        """Read ``[name]`` or ``[name:value]``; None where it is text."""
        start, close = self.at, self.close(end)
        if not close or self.text.startswith("[[", start):
            return None
        colon = self._colon(start + 1, close - 1)
        if colon < 0:
            name = self.text[start + 1 : close - 1].strip().strip('"')
            if not name or self.is_property is None or not self.is_property(name):
                return None
            self.finish(close, end)
            self.count(start)
            return Property((name,))
        name, value = self.text[start + 1 : colon].strip(), self.text[colon + 1 : close - 1]
        # A time of day, an address, "[note:]" and a field in the text, "[due:: today]", are no properties.
        # So is the time before a line of a chat: "[14.03.24, 18:02]".
        is_time = name.isdigit() or (value[:2].isdigit() and _DAY_AND_HOUR.fullmatch(name))
        if not name or is_time or not value.strip() or value.startswith(("//", ":")):
            return None
        self.count(start)
        names = self._names(start + 1, colon)
        inside = self.alternatives(
            colon + 1, close - 1, Context("value", f"[{name}", "content", bool(context.case))
        )
        self.finish(close, end)
        return Property(names, inside)

    def _colon(self, start: int, end: int) -> int:
        at = start
        while at < end:
            if self.text[at] == ":":
                return at
            at = at + 1 if self.text[at] == "[" else self.spans.get(at, at + 1)
        return -1

    def _names(self, start: int, end: int) -> tuple[str | Pattern, ...]:
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        if text.lstrip().startswith("(") and self.spans.get(start) == start + len(text.strip()):
            return self._names(start + 1, start + len(text.strip()) - 1)
        names: list[str | Pattern] = []
        for name in _OR_BETWEEN.split(self.text[start:end].strip()):
            at = self.text.index(name, start)
            if name.startswith("/") and self.spans.get(at) == at + len(name):
                names.append(self.pattern(at, at + len(name), False))
            else:
                names.append(name.strip().strip('"'))
        return tuple(names)


def _inside(name: str, context: Context) -> Context:
    """Return the context of an operator's value."""
    if name == "tag":
        return Context("tag", name)
    if name in ("links-to", "linked-from"):
        return Context("link", name)
    if name in ("created", "modified"):
        return Context("date", name)
    if name in ("file", "path", "content"):
        return Context("text", name, name, context.case)  # type: ignore[arg-type]
    return Context("text", name, "content", context.case)
