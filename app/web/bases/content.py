"""What a base file says: its conditions, formulas, names and views, and what of it is not understood."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.markdown.properties import Value as Written
from app.markdown.properties import read_mapping
from app.sentences import Language
from app.showing import in_line
from app.web.bases.evaluate import unknown
from app.web.bases.expression import Field, Name, NotUnderstoodError, Tree, parse
from app.web.languages import spoken

MOST_STATEMENTS = 100
MOST_NESTING = 20
MOST_FORMULAS = 100
MOST_VIEWS = 30
MOST_COLUMNS = 30
MOST_NAME_CHARS = 200
MOST_PROBLEMS = 20
_FIELDS = {"filters", "formulas", "properties", "views"}
_VIEW_FIELDS = {"type", "name", "filters", "order", "sort", "limit", "groupBy"}
# How wide or high something is drawn: nothing is missing where it is not.
_LOOKS = {"columnSize", "rowHeight", "cardSize", "image", "imageFit", "imageAspectRatio", "indentProperties"}
_LAYOUTS = ("table",)

Problem = Literal["condition", "formula", "column", "layout", "setting"]
Junction = Literal["and", "or", "not"]


@dataclass(frozen=True, slots=True)
class Left:
    """Something that is not understood: what it is, as it is written, and what in it is not known."""

    kind: Problem
    written: str
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Conditions of which all, any or none must hold."""

    junction: Junction
    parts: "tuple[Tree | Group, ...]"


@dataclass(frozen=True, slots=True)
class Order:
    """What rows are sorted or grouped by."""

    column: str
    is_descending: bool


@dataclass(frozen=True, slots=True)
class View:
    """One table; ``limit`` is 0 where there is none."""

    name: str
    conditions: "Tree | Group | None"
    columns: tuple[str, ...]
    sort: tuple[Order, ...]
    group: Order | None
    limit: int
    problems: tuple[Left, ...]


@dataclass(slots=True)
class Base:
    """A base as it is written. ``error`` says why nothing of it can be read."""

    conditions: "Tree | Group | None" = None
    formulas: dict[str, Tree] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    views: list[View] = field(default_factory=list)
    problems: list[Left] = field(default_factory=list)
    error: str = ""

    def error_in(self, language: Language) -> str:
        """Return why nothing can be read, in a language."""
        return in_line(spoken(self.error, language), MOST_NAME_CHARS)


def read_base(text: str) -> Base:
    """Read a base, whatever it holds; without a view it has one that shows all."""
    base = Base()
    try:
        written = read_mapping(text)
    except ValueError as error:
        return Base(error=error.args[0])
    reader = _Reader(base)
    reader.read(written)
    base.problems = list(dict.fromkeys(base.problems))[:MOST_PROBLEMS]
    return base


class _Reader:
    """Reads one base, and notes what it does not understand."""

    def __init__(self, base: Base) -> None:
        self._base, self._problems, self._statements = base, base.problems, 0
        self._lost: set[str] = set()

    def read(self, written: Mapping[str, Written]) -> None:
        self._formulas(written.get("formulas"))
        self._base.names = dict(_names(written.get("properties")))
        self._base.conditions = self._conditions(written.get("filters"), 0)
        self._unknown_settings(written, _FIELDS)
        views = written.get("views")
        shown = [view for view in (views if isinstance(views, list) else ()) if isinstance(view, dict)]
        self._base.views = [self._view(view, at) for at, view in enumerate(shown[:MOST_VIEWS], 1)]
        if not self._base.views:
            self._base.views = [self._view({}, 1)]

    def _formulas(self, written: Written) -> None:
        named = dict(list(written.items())[:MOST_FORMULAS]) if isinstance(written, dict) else {}
        read: dict[str, Tree] = {}
        for name, text in named.items():
            try:
                read[_clean(name)] = parse(_text(text))
            except NotUnderstoodError as error:
                self._problems.append(Left("formula", _clean(name), _clean(str(error))))
        for name, tree in read.items():
            if missing := next(unknown(tree, read), ""):
                self._problems.append(Left("formula", name, missing))
        self._lost = {left.written for left in self._problems}
        self._base.formulas = {name: tree for name, tree in read.items() if not [*unknown(tree, read)]}

    def _conditions(self, written: Written, depth: int) -> Tree | Group | None:
        """Read conditions; None for none that are understood."""
        if written is None:
            return None
        if depth > MOST_NESTING:
            said = json.dumps(written, default=str, ensure_ascii=False)
            self._problems.append(Left("condition", _clean(said[:100])))
            return None
        if not isinstance(written, dict | list):
            return self._statement(_text(written))
        # A list by itself means that all must hold.
        groups = {"and": written} if isinstance(written, list) else written
        read: list[Tree | Group] = []
        for junction, parts in groups.items():
            if junction not in ("and", "or", "not"):
                self._problems.append(Left("condition", _clean(f"{junction}: {_text(parts)}")))
                continue
            below = parts if isinstance(parts, list) else [parts]
            understood = [part for each in below if (part := self._conditions(each, depth + 1)) is not None]
            if understood:
                known: Junction = "and" if junction == "and" else "or" if junction == "or" else "not"
                read.append(Group(known, tuple(understood)))
        return read[0] if len(read) == 1 else Group("and", tuple(read)) if read else None

    def _statement(self, text: str) -> Tree | None:
        self._statements += 1
        if not text.strip():
            return None
        try:
            if self._statements > MOST_STATEMENTS:
                raise NotUnderstoodError("…")
            tree = parse(text)
        except NotUnderstoodError as error:
            self._problems.append(Left("condition", _clean(text), _clean(str(error))))
            return None
        if missing := next(unknown(tree, self._base.formulas), ""):
            self._problems.append(Left("condition", _clean(text), missing))
            return None
        return tree

    def _view(self, written: Mapping[str, Written], number: int) -> View:
        self._problems = []
        name = _clean(_text(written.get("name"))) or str(number)
        layout = _text(written.get("type")) or "table"
        if layout not in _LAYOUTS:
            self._problems.append(Left("layout", _clean(layout)))
        self._unknown_settings(written, _VIEW_FIELDS | _LOOKS)
        limit = written.get("limit")
        view = View(
            name=name,
            conditions=self._conditions(written.get("filters"), 0),
            columns=tuple(self._columns(written.get("order"))) or ("file.name",),
            sort=tuple(self._orders(written.get("sort"))),
            group=next(self._orders(written.get("groupBy")), None),
            limit=limit if type(limit) is int and 0 < limit < 10**9 else 0,
            problems=tuple(dict.fromkeys(self._problems))[:MOST_PROBLEMS],
        )
        self._problems = self._base.problems
        return view

    def _columns(self, written: Written) -> Iterator[str]:
        columns = dict.fromkeys(_text(each) for each in (written if isinstance(written, list) else ()))
        for column in list(columns)[:MOST_COLUMNS]:
            if self._is_known(column):
                yield column

    def _orders(self, written: Written) -> Iterator[Order]:
        """Read what is sorted or grouped by: a property, or properties with a direction."""
        for each in (written if isinstance(written, list) else [written])[:MOST_COLUMNS]:
            of = each if isinstance(each, dict) else {"property": each}
            column = _text(of.get("property") or of.get("column"))
            if column and self._is_known(column):
                yield Order(column, _text(of.get("direction")).upper() == "DESC")

    def _is_known(self, column: str) -> bool:
        missing = next(unknown(column_tree(column), self._base.formulas), "")
        # A formula that is not understood has been named already.
        if missing and missing.removeprefix("formula.") not in self._lost:
            self._problems.append(Left("column", _clean(column)))
        return not missing and bool(column)

    def _unknown_settings(self, written: Mapping[str, Written], known: set[str]) -> None:
        self._problems += [Left("setting", _clean(name)) for name in written if name not in known]


def column_tree(column: str) -> Tree:
    """Return the expression of a column; a name without ``file.`` or ``formula.`` is a property's."""
    root, dot, name = column.partition(".")
    if not dot or root not in ("file", "note", "formula"):
        return Field(Name("note"), column)
    return Field(Name(root), name)


def _names(written: Written) -> Iterator[tuple[str, str]]:
    """Yield the names that columns are shown by."""
    for column, settings in list(written.items())[:200] if isinstance(written, dict) else ():
        if isinstance(settings, dict) and (name := _clean(_text(settings.get("displayName")))):
            yield column.removeprefix("note."), name


def _text(written: Written) -> str:
    if isinstance(written, bool):
        return "true" if written else "false"
    # YAML may hold halves of surrogate pairs, which cannot be shown.
    return str(written).encode("utf-8", "replace").decode() if isinstance(written, str | int | float) else ""


def _clean(text: str) -> str:
    """Return a text short, on one line, and as it can be shown."""
    return " ".join(text[:MOST_NAME_CHARS].split()).encode("utf-8", "replace").decode()
