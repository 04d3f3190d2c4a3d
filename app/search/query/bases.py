"""What a view of a Base selects, as the tree of a query: its filters are translated, and not evaluated."""

import ast
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, timedelta
from typing import Any, NamedTuple

from app.errors import BadRequestError, VaultError
from app.search.query import tree
from app.vault.client import VaultClient
from app.vault.dates import local_today, parse_day
from app.vault.files import read_file
from app.vault.obsidian import property_types
from app.vault.paths import path_key

MOST_BYTES, MOST_CHARS = 200_000, 2000
"""Of a Base, and of one of its filters."""
_TOKEN = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|&&|\|\||!(?!=)""")
_AS_PYTHON = {"&&": " and ", "||": " or ", "!": " not "}
_PROPERTY = re.compile(r"(?!(?:file|formula|this|note)$)\w+|note\.(\w+)|note\['([^']+)'\]")
_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}/]")
_SPAN = re.compile(r"(\d{1,4}) ?([dw]|days?|weeks?)")
_SIGNS: Mapping[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: ""}
_LISTS = ("tags", "aliases", "multitext")
_IS_CALLED = {
    "file.path": "^{}$",
    **dict.fromkeys(("file.name", "file.basename"), r"^(?:.*/)?{}(?:\.md)?$"),
    "file.folder": "^{}/[^/]+$",
}
"""Expressions for the path of a note of which a part is a text."""


def with_bases(vault: VaultClient, node: tree.Node) -> tree.Node:
    """Return a node in which what views select stands in the place of their names.

    Raises:
        BadRequestError: no view or several are called so, or a filter cannot be translated.
    """
    match node:
        case tree.Based():
            return _selected(vault, node.name)
        case tree.And() | tree.Or():
            return type(node)(tuple(with_bases(vault, part) for part in node.parts))
        case tree.Not():
            return tree.Not(with_bases(vault, node.part))
    return node


def _selected(vault: VaultClient, name: str) -> tree.Node:
    """Translate the view of a name; the name of a file means its first, and FILE#VIEW one of several."""
    # Few searches name a Base, and what reads its filters takes as long to load as half a search.
    from app.markdown.parse import parse_note

    found, known, wanted = list[list[Any]](), list[str](), path_key(name.replace(".base", ""))
    for path in vault.scan().others:
        if not path.endswith(".base") or vault.is_excluded(path):
            continue
        text, file = "", path.rpartition("/")[2].removesuffix(".base")
        with suppress(VaultError):
            text = read_file(vault.root, path, MOST_BYTES).data.decode("utf-8", "replace")
        base = parse_note(f"---\n{text}\n---\n").properties
        listed = base.get("views")
        views = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
        for number, view in enumerate(views):
            called = [f"{file}#{view.get('name')}", str(view.get("name")), *([] if number else [file])]
            known.append(f'base:"{called[0]}"')
            if wanted in map(path_key, called):
                found.append([base.get("filters"), view.get("filters")])
    if len(found) != 1:
        raise BadRequestError(
            "{count} views of Bases are called '{name}'",
            "there are {known:, }" if known else "the vault has none",
            count=len(found),
            name=name,
            known=tuple(known[:10]),
        )
    read = _View(name, property_types(vault.root)).read
    return tree.joined(tree.And, [read(filters) for filters in found[0] if filters is not None])


class _View(NamedTuple):
    """Translates the filters of one view; what it cannot translate is a `ValueError` inside."""

    name: str
    types: Mapping[str, str]

    def read(self, filters: Any) -> tree.Node:  # noqa: ANN401 - whatever YAML holds
        """Return the node of a filter, or of a group of them."""
        match filters:
            case {"and": [*listed], **rest} if not rest:
                return tree.joined(tree.And, [self.read(each) for each in listed])
            case {"or": [*listed], **rest} if not rest:
                return tree.joined(tree.Or, [self.read(each) for each in listed])
            case {"not": [*listed], **rest} if not rest:
                return tree.Not(tree.joined(tree.Or, [self.read(each) for each in listed]))
            case str() if len(filters) <= MOST_CHARS:
                # But for three signs, what can be translated is written as in Python.
                text = _TOKEN.sub(lambda token: _AS_PYTHON.get(token[0], token[0]), filters)
                with suppress(SyntaxError, ValueError, TypeError, RecursionError, MemoryError, OverflowError):
                    return self._node(ast.parse(text.strip(), mode="eval").body)
        raise BadRequestError(
            "the view '{name}' filters by '{part}', which cannot be searched for",
            "folders, tags, properties, links, dates and names can",
            name=self.name,
            part=str(filters),
        )

    def _node(self, found: ast.expr) -> tree.Node:
        match found:
            case ast.BoolOp(op, values):
                kind = tree.And if isinstance(op, ast.And) else tree.Or
                return tree.joined(kind, [self._node(each) for each in values])
            case ast.UnaryOp(ast.Not(), operand):
                return tree.Not(self._node(operand))
            case ast.Compare(left, [ast.NotEq()], [value]):
                return tree.Not(_compared(ast.unparse(left), "", _value(value)))
            case ast.Compare(left, [sign], [value]) if type(sign) in _SIGNS:
                return _compared(ast.unparse(left), _SIGNS[type(sign)], _value(value))
            case ast.Call(ast.Attribute(subject, method), values):
                return self._asked(ast.unparse(subject), method, [str(_value(each)) for each in values])
        raise ValueError

    def _asked(self, subject: str, method: str, texts: list[str]) -> tree.Node:
        """Translate what is asked of a file or of a property."""
        if subject == "file" and method in _OF_FILES:
            return tree.Or(tuple(map(_OF_FILES[method], texts)))
        name = _property(subject)
        match method, self.types.get(path_key(name)):
            case "isEmpty", _:
                # None of its values has a character.
                return tree.Not(tree.Property((name,), tree.Match(tree.read_pattern("."))))
            case "contains" | "containsAll" | "containsAny", kind if kind in _LISTS:
                group = tree.Or if method == "containsAny" else tree.And
                return group(tuple(_holding(name, text) for text in texts))
            case "contains", "text":
                return tree.And(tuple(tree.Property((name,), tree.Text(text)) for text in texts))
        raise ValueError


def _compared(subject: str, sign: Any, value: Any) -> tree.Node:  # noqa: ANN401 - as `_value` returns it
    match subject, value:
        case "file.ctime" | "file.mtime", date() if sign:
            # A day begins at midnight: what is at or before it is of the days before.
            days = (value, None) if sign[0] == ">" else (None, value - timedelta(days=1))
            return tree.Dated("created" if subject == "file.ctime" else "modified", *days)
        case "file.ext", "md" if not sign:
            return tree.And(())
        case _, str() if subject in _IS_CALLED and not sign:
            return _path(_IS_CALLED[subject], value)
        case _, int() | float() | date() if sign:
            bound = value if isinstance(value, date) else float(value)
            return tree.Property((_property(subject),), tree.Compared(sign, bound))
        case _ if not sign:
            return _holding(_property(subject), str(value))
    raise ValueError


def _property(subject: str) -> str:
    if (found := _PROPERTY.fullmatch(subject)) is None:
        raise ValueError
    return found[1] or found[2] or subject


def _value(found: ast.expr) -> Any:  # noqa: ANN401 - a text, number or day
    match found:
        case ast.Constant(str() | int() | float() as value):
            return value
        case ast.Name("true" | "false" as name):
            return name
        case ast.Call(ast.Name("now" | "today"), []):
            return local_today()
        case ast.Call(ast.Name("date"), [ast.Constant(str() as text)]) if day := parse_day(text):
            return day
        case ast.Call(ast.Name("link"), [ast.Constant(str() as text), *_]):
            return text
        case ast.BinOp(day, ast.Add() | ast.Sub() as sign, ast.Constant(str() as text)):
            if span := _SPAN.fullmatch(text):
                days = timedelta(days=int(span[1]) * (7 if span[2][0] == "w" else 1))
                return _value(day) + (days if isinstance(sign, ast.Add) else -days)
    raise ValueError


def _path(form: str, text: str) -> tree.Node:
    escaped = _SPECIAL.sub(r"\\\g<0>", text.strip("/"))
    return tree.Match(tree.read_pattern(form.replace("{}", escaped)), "path")


def _holding(name: str, text: str) -> tree.Node:
    return tree.Property((name,), tree.Text(text, quoted=True))


_OF_FILES: Mapping[str, Callable[[str], tree.Node]] = {
    "hasTag": lambda text: tree.Tag(text.lstrip("#").strip("/")),
    "inFolder": lambda text: _path("^{}/", text),
    "hasLink": lambda text: tree.Linked("to", text),
    "hasProperty": lambda text: tree.Property((text,)),
}
