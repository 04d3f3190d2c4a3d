"""The language of conditions and formulas: from a text to a tree, which `evaluate` works out.

The grammar is closed: there are numbers, texts, lists, names, fields, calls and operators, and nothing else.
From what binds least to what binds most::

    or        = and { "||" and }            and     = compared { "&&" compared }
    compared  = sum { ("==" | "!=" | "<" | "<=" | ">" | ">=") sum }
    sum       = product { ("+" | "-") product }
    product   = unary { ("*" | "/" | "%") unary }
    unary     = ("!" | "-") unary | after
    after     = one { "." NAME [ "(" [ or { "," or } ] ")" ] | "[" or "]" }
    one       = NUMBER | TEXT | NAME [ "(" … ")" ] | "(" or ")" | "[" [ or { "," or } ] "]"
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST_CHARS = 2000
MOST_PARTS = 200
MOST_NESTING = 40
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[0-9]{1,18}(?:\.[0-9]{1,18})?)
    |(?P<text>"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')
    |(?P<name>[^\W\d]\w*)
    |(?P<sign>==|!=|<=|>=|&&|\|\||[-+*/%<>!()\[\],.])
    |(?P<end>\Z))""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t"}
_LEVELS = (("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))


class NotUnderstoodError(ValueError):
    """A text is no expression, or asks for what is not known; the message is what that is."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A value as it is written."""

    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Name:
    """A name by itself: a property of the note, or ``file``, ``note``, ``formula``, ``this``."""

    name: str


@dataclass(frozen=True, slots=True)
class Field:
    """``of.name``."""

    of: "Tree"
    name: str


@dataclass(frozen=True, slots=True)
class Item:
    """``of[key]``."""

    of: "Tree"
    key: "Tree"


@dataclass(frozen=True, slots=True)
class Call:
    """``of.name(arguments)``; without ``of`` a function by itself."""

    of: "Tree | None"
    name: str
    arguments: "tuple[Tree, ...]"


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with what stands beside it; ``left`` is None where it stands before one thing."""

    sign: str
    left: "Tree | None"
    right: "Tree"


@dataclass(frozen=True, slots=True)
class Listed:
    """``[a, b]``."""

    items: "tuple[Tree, ...]"


Tree = Constant | Name | Field | Item | Call | Operation | Listed


def parse(text: str) -> Tree:
    """Read an expression.

    Raises:
        NotUnderstoodError: it is none, or too long.
    """
    if len(text) > MOST_CHARS:
        raise NotUnderstoodError(f"{text[:40]}…")
    parser = _Parser(text)
    tree = parser.level(0, 0)
    parser.expect("")
    return tree


def walk(tree: Tree) -> Iterator[Tree]:
    """Yield a tree and all within it."""
    yield tree
    match tree:
        case Field(of):
            below: tuple[Tree | None, ...] = (of,)
        case Item(of, key):
            below = (of, key)
        case Call(of_or_none, _, arguments):
            below = (of_or_none, *arguments)
        case Operation(_, left, right):
            below = (left, right)
        case Listed(items):
            below = items
        case _:
            below = ()
    for part in below:
        if part is not None:
            yield from walk(part)


class _Parser:
    def __init__(self, text: str) -> None:
        self._text, self._at, self._parts = text, 0, 0
        self._kind, self._token = "", ""
        self._next()

    def _next(self) -> str:
        """Go to the next token; return the one before."""
        before = self._token
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            raise NotUnderstoodError(self._text[self._at :].strip()[:40])
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise NotUnderstoodError(f"{self._text[:40]}…")
        self._kind, self._token, self._at = str(found.lastgroup), found[found.lastgroup or 0], found.end()
        return before

    def expect(self, token: str) -> None:
        """Take a sign, or the end of the text."""
        if self._token != token or self._kind not in ("sign", "end"):
            raise NotUnderstoodError(self._token or self._text[-20:])
        if token:
            self._next()

    def _takes(self, *signs: str) -> str:
        """Take one of some signs, if it comes next."""
        return self._next() if self._kind == "sign" and self._token in signs else ""

    def level(self, level: int, depth: int) -> Tree:
        """Read what binds at least as much as the operators of a level."""
        if depth > MOST_NESTING:
            raise NotUnderstoodError("((…))")
        if level == len(_LEVELS):
            return self._unary(depth)
        left = self.level(level + 1, depth)
        while sign := self._takes(*_LEVELS[level]):
            left = Operation(sign, left, self.level(level + 1, depth))
        return left

    def _unary(self, depth: int) -> Tree:
        if depth > MOST_NESTING:
            raise NotUnderstoodError("!!…")
        if sign := self._takes("!", "-"):
            return Operation(sign, None, self._unary(depth + 1))
        return self._after(self._one(depth), depth)

    def _after(self, tree: Tree, depth: int) -> Tree:
        while sign := self._takes(".", "["):
            if sign == "[":
                tree = Item(tree, self.level(0, depth + 1))
                self.expect("]")
                continue
            if self._kind != "name":
                raise NotUnderstoodError(f".{self._token}")
            name = self._next()
            tree = Call(tree, name, self._listed(")", depth)) if self._takes("(") else Field(tree, name)
        return tree

    def _one(self, depth: int) -> Tree:
        if self._kind == "number":
            written = self._next()
            return Constant(float(written) if "." in written else int(written))
        if self._kind == "text":
            inside = self._next()[1:-1]
            return Constant(_ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), inside))
        if self._kind == "name":
            name = self._next()
            if self._takes("("):
                return Call(None, name, self._listed(")", depth))
            known = {"true": True, "false": False, "null": None}
            return Constant(known[name]) if name in known else Name(name)
        if self._takes("("):
            tree = self.level(0, depth + 1)
            self.expect(")")
            return tree
        if self._takes("["):
            return Listed(self._listed("]", depth))
        raise NotUnderstoodError(self._token or self._text[-20:])

    def _listed(self, closing: str, depth: int) -> tuple[Tree, ...]:
        """Read what stands between commas, up to a closing sign."""
        if self._takes(closing):
            return ()
        items = [self.level(0, depth + 1)]
        while self._takes(","):
            items.append(self.level(0, depth + 1))
        self.expect(closing)
        return tuple(items)
