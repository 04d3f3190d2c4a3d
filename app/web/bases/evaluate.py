"""Working out an expression for one file, in so many steps."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.markdown.targets import Target
from app.web.bases.expression import Call, Constant, Field, Item, Listed, Name, Operation, Tree, walk
from app.web.bases.files import CALLS, FIELDS, VaultFile
from app.web.bases.functions import FUNCTIONS, METHODS, field_of
from app.web.bases.values import (
    MOST_COMPARED,
    MOST_TEXT,
    Length,
    Link,
    Value,
    compare,
    equal,
    finite,
    is_number,
    is_true,
    later,
    length,
    moment,
    text_of,
)

MOST_STEPS = 500_000
"""Of all that one page works out."""
MOST_DEPTH = 120
"""Expressions within expressions, formulas that others use included."""
COSTS = {"sort": 15, "unique": 100, "join": 20}
"""Steps that a function takes for each item of a list, where it is more than one."""


class OutOfStepsError(Exception):
    """A base asks for more than a page works out."""


@dataclass(slots=True)
class Steps:
    """What may still be worked out."""

    left: int = MOST_STEPS

    def take(self, count: int = 1) -> None:
        """Count some work.

        Raises:
            OutOfStepsError: there is none left.
        """
        self.left -= count
        if self.left < 0:
            raise OutOfStepsError


def unknown(tree: Tree, formulas: Mapping[str, Tree]) -> Iterator[str]:
    """Yield what an expression names that is not known: functions, fields of a file, formulas."""
    for part in walk(tree):
        match part:
            case Call(None, name, _) if name not in FUNCTIONS and name not in ("if", "link"):
                yield f"{name}()"
            case Call(of, name, _) if of is not None and name not in METHODS and name not in CALLS:
                yield f".{name}()"
            case Field(Name("file") | Field(Name("this"), "file"), name) if name not in FIELDS:
                yield f"file.{name}"
            case Field(Name("formula"), name) if name not in formulas:
                yield f"formula.{name}"
            case _:
                pass


@dataclass(slots=True)
class Evaluator:
    """Works out expressions for one file.

    ``this`` is the file that holds the base; a formula that asks for itself gives nothing.
    """

    formulas: Mapping[str, Tree]
    file: VaultFile
    this: VaultFile | None
    steps: Steps
    known: dict[str, Value] = field(default_factory=dict)
    depth: int = 0

    def formula(self, name: str) -> Value:
        """Return what a formula gives for the file."""
        if name not in self.known and name in self.formulas:
            self.known[name] = None
            self.known[name] = self.value(self.formulas[name])
        return self.known.get(name)

    def value(self, tree: Tree) -> Value:
        """Work out an expression.

        Raises:
            OutOfStepsError: there is more to work out than is allowed.
        """
        self.steps.take()
        # Each expression is bounded when it is read; formulas that use one another are not.
        if self.depth >= MOST_DEPTH:
            raise OutOfStepsError
        self.depth += 1
        try:
            return self._value(tree)
        finally:
            self.depth -= 1

    def _value(self, tree: Tree) -> Value:
        match tree:
            case Constant(value):
                return value
            case Name(name):
                return self._named(name)
            case Listed(items):
                return [self.value(item) for item in items]
            case Field(of, name):
                return self._field(of, name)
            case Item(of, key):
                return self._item(of, self.value(key))
            case Call(None, name, arguments):
                return self._function(name, arguments)
            case Call(of, name, arguments):
                assert of is not None
                return self._method(self.value(of), name, [self.value(each) for each in arguments])
        return self._operation(tree)

    def _named(self, name: str) -> Value:
        if name == "file":
            return self.file
        if name == "this":
            return self.this
        return self.file.property(name)

    def _field(self, of: Tree, name: str) -> Value:
        match of:
            case Name("note"):
                return self.file.property(name)
            case Name("formula"):
                return self.formula(name)
        value = self.value(of)
        if isinstance(value, VaultFile):
            # "this.author" is a property, "this.file" the file.
            return value.property(name) if of == Name("this") and name != "file" else value.field(name)
        return field_of(value, name)

    def _item(self, of: Tree, key: Value) -> Value:
        match of:
            case Name("note"):
                return self.file.property(text_of(key))
            case Name("formula"):
                return self.formula(text_of(key))
        value = self.value(of)
        if isinstance(value, list | str) and is_number(key):
            assert isinstance(key, int | float)
            return value[int(key)] if 0 <= key < len(value) else None
        return value.get(text_of(key)) if isinstance(value, dict) else None

    def _function(self, name: str, arguments: tuple[Tree, ...]) -> Value:
        if name == "if":
            chosen = arguments[1:2] if arguments and is_true(self.value(arguments[0])) else arguments[2:3]
            return self.value(chosen[0]) if chosen else None
        given = [self.value(each) for each in arguments]
        self._weigh(*given)
        if name == "link":
            return self._link(given)
        return FUNCTIONS[name](given) if name in FUNCTIONS else None

    def _link(self, given: list[Value]) -> Value:
        to, said = (*given, None, None)[:2]
        if isinstance(to, VaultFile):
            return to.call("asLink", [said] if said is not None else [])
        if isinstance(to, Link):
            return Link(
                Target(to.target.file, to.target.subpath, text_of(said) or to.said), to.source, to.found
            )
        written = text_of(to).strip()
        if not written or "://" in written:
            return written or None
        return self.file.linked(Target(written, "", text_of(said) or written))

    def _method(self, value: Value, name: str, given: list[Value]) -> Value:
        self._weigh(value, *given)
        if isinstance(value, VaultFile) and name in CALLS:
            # Looking through links and tags costs more than a step.
            self.steps.take(20)
            return value.call(name, given)
        if isinstance(value, list):
            self.steps.take(len(value) * (len(given) + COSTS.get(name, 1)))
        return METHODS[name](value, given) if name in METHODS else None

    def _weigh(self, *values: Value) -> None:
        """Count what it takes to look at some values: long texts, lists and lists within them."""
        for value in values:
            if isinstance(value, str):
                self.steps.take(len(value) // 50)
            elif isinstance(value, list | dict):
                self.steps.take(20 * min(len(value), MOST_COMPARED))

    def _operation(self, tree: Operation) -> Value:
        if tree.left is None:
            right = self.value(tree.right)
            if tree.sign == "!":
                return not is_true(right)
            return finite(-right) if isinstance(right, int | float) else None
        left = self.value(tree.left)
        if tree.sign == "&&":
            return is_true(left) and is_true(self.value(tree.right))
        if tree.sign == "||":
            return is_true(left) or is_true(self.value(tree.right))
        right = self.value(tree.right)
        self._weigh(left, right)
        if tree.sign in ("==", "!="):
            return equal(left, right) is (tree.sign == "==")
        if tree.sign in ("<", "<=", ">", ">="):
            order = compare(left, right)
            return (
                order is not None
                and {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[tree.sign]
            )
        return _reckoned(tree.sign, left, right)


def _reckoned(sign: str, left: Value, right: Value) -> Value:
    """Add, subtract, multiply or divide; what does not go gives nothing."""
    if isinstance(left, int | float) and isinstance(right, int | float):
        return _number(sign, left, right)
    if isinstance(left, datetime) and sign in ("+", "-"):
        if (by := length(right)) is not None:
            return later(left, by, 1 if sign == "+" else -1)
        if sign == "-" and (other := moment(right)) is not None:
            return finite((left - other).total_seconds() * 1000)
    if (
        isinstance(left, Length)
        and isinstance(right, int | float)
        and sign in ("*", "/")
        and (sign == "*" or right)
    ):
        by_number = right if sign == "*" else 1 / right
        return Length(left.months * by_number, left.seconds * by_number)
    if sign == "+" and (isinstance(left, str) or isinstance(right, str)):
        return (text_of(left) + text_of(right))[:MOST_TEXT]
    return None


def _number(sign: str, left: float, right: float) -> Value:
    if sign in ("/", "%"):
        if not right:
            return None
        try:
            return finite(left / right if sign == "/" else left % right)
        except OverflowError:
            return None
    return finite(left + right if sign == "+" else left - right if sign == "-" else left * right)
