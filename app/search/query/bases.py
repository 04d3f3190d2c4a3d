"""What a view of a Base selects, as the tree of a query: its filters are translated, and not evaluated."""

import ast
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

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
_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}/]")
_SPAN = re.compile(r"(\d{1,4}) ?([dw]|days?|weeks?)")
_SIGNS: Mapping[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: ""}
_IS_CALLED = {
    "path": "^{}$",
    "name": r"^(?:.*/)?{}(?:\.md)?$",
    "basename": r"^(?:.*/)?{}\.md$",
    "folder": "^{}/[^/]+$",
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
        text = ""
        with suppress(VaultError):
            text = read_file(vault.root, path, MOST_BYTES).data.decode("utf-8", "replace")
        base, file = (
            parse_note(f"---\n{text}\n---\n").properties,
            path.rpartition("/")[2].removesuffix(".base"),
        )
        views = [each for each in base.get("views") or () if isinstance(each, dict)]
        for number, view in enumerate(views):
            called = [f"{file}#{view.get('name')}", str(view.get("name")), *([] if number else [file])]
            known.append(called[0])
            if wanted in map(path_key, called):
                found.append([base.get("filters"), view.get("filters")])
    if len(found) != 1:
        raise BadRequestError(
            "{count} views of Bases are called '{name}'",
            "there are '{known:', '}'" if known else "the vault has none",
            count=len(found),
            name=name,
            known=tuple(known[:10]),
        )
    reader = _Reader(name, property_types(vault.root))
    return tree.joined(tree.And, [reader.read(each) for each in found[0] if each is not None])


class _Reader:
    """Translates the filters of one view."""

    def __init__(self, name: str, types: Mapping[str, str]) -> None:
        self._name, self._types, self._part = name, types, ""

    def read(self, filters: Any) -> tree.Node:  # noqa: ANN401 - whatever YAML holds
        """Return the node of a filter, or of a group of them."""
        match filters:
            case {"and": [*listed], **rest} if not rest:
                return tree.joined(tree.And, [self.read(each) for each in listed])
            case {"or": [*listed], **rest} if not rest:
                return tree.joined(tree.Or, [self.read(each) for each in listed])
            case {"not": [*listed], **rest} if not rest:
                return tree.Not(tree.joined(tree.Or, [self.read(each) for each in listed]))
        self._part = str(filters)
        if isinstance(filters, str) and len(filters) <= MOST_CHARS:
            # But for three signs, what can be translated is written as in Python.
            text = _TOKEN.sub(lambda token: _AS_PYTHON.get(token[0], token[0]), filters)
            with suppress(SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
                return self._node(ast.parse(text.strip(), mode="eval").body)
        raise self._unread()

    def _unread(self) -> BadRequestError:
        return BadRequestError(
            "the view '{name}' filters by '{part}', which cannot be searched for",
            "folders, tags, properties, links, dates and names can",
            name=self._name,
            part=self._part,
        )

    def _node(self, found: ast.expr) -> tree.Node:
        match found:
            case ast.BoolOp():
                kind = tree.And if isinstance(found.op, ast.And) else tree.Or
                return tree.joined(kind, [self._node(each) for each in found.values])
            case ast.UnaryOp(op=ast.Not()):
                return tree.Not(self._node(found.operand))
            case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[value]):
                return tree.Not(self._compared(left, "", self._value(value)))
            case ast.Compare(left=left, ops=[sign], comparators=[value]) if type(sign) in _SIGNS:
                return self._compared(left, _SIGNS[type(sign)], self._value(value))
            case ast.Call(func=ast.Attribute(value=subject, attr=method), args=values):
                texts = [text for text in map(self._value, values) if isinstance(text, str)]
                if len(texts) == len(values):
                    return self._asked(subject, method, texts)
        raise self._unread()

    def _compared(self, subject: ast.expr, sign: Any, value: Any) -> tree.Node:  # noqa: ANN401
        match subject, value:
            case ast.Attribute(value=ast.Name(id="file"), attr="ctime" | "mtime" as part), date() if sign:
                # A day begins at midnight: what is at or before it is of the days before.
                days = (value, None) if sign[0] == ">" else (None, value - timedelta(days=1))
                return tree.Dated("created" if part == "ctime" else "modified", *days)
            case ast.Attribute(value=ast.Name(id="file"), attr="ext"), "md" if not sign:
                return tree.And(())
            case ast.Attribute(value=ast.Name(id="file"), attr=part), str() if (
                part in _IS_CALLED and not sign
            ):
                return _path(_IS_CALLED[part], value)
            case _, bool():
                value = str(value).lower()
        name = self._property(subject)
        if sign and isinstance(value, int | float | date):
            bound = value if isinstance(value, date) else float(value)
            return tree.Property((name,), tree.Compared(sign, bound))
        if sign:
            raise self._unread()
        if value is not None:
            return _holding(name, str(value))
        return tree.Or((tree.Not(tree.Property((name,))), tree.Property((name,), tree.Null())))

    def _asked(self, subject: ast.expr, method: str, texts: list[str]) -> tree.Node:
        """Translate what is asked of a file, of its name, or of a property."""
        match subject:
            case ast.Name(id="file") if method in _OF_FILES:
                return tree.Or(tuple(map(_OF_FILES[method], texts)))
            case ast.Attribute(value=ast.Name(id="file"), attr="name" | "path" as part) if (
                method == "contains"
            ):
                target: tree.Target = "path" if part == "path" else "file"
                return tree.Or(tuple(tree.Text(text, quoted=True, target=target) for text in texts))
        name = self._property(subject)
        kind, is_contained = self._types.get(path_key(name)), tuple(_holding(name, text) for text in texts)
        match method:
            case "isEmpty" if not texts:
                # None of its values has a character.
                return tree.Not(tree.Property((name,), tree.Match(tree.read_pattern("."))))
            case "containsAny" if kind in ("tags", "aliases", "multitext"):
                return tree.Or(is_contained)
            case "contains" | "containsAll" if kind in ("tags", "aliases", "multitext"):
                return tree.And(is_contained)
            case "contains" if kind == "text":
                return tree.Or(tuple(tree.Property((name,), tree.Text(text)) for text in texts))
        raise self._unread()

    def _property(self, found: ast.expr) -> str:
        match found:
            case ast.Name(id=name) if name not in ("file", "formula", "this", "note"):
                return name
            case ast.Attribute(value=ast.Name(id="note"), attr=name):
                return name
            case ast.Subscript(value=ast.Name(id="note"), slice=ast.Constant(value=str() as name)):
                return name
        raise self._unread()

    def _value(self, found: ast.expr) -> Any:  # noqa: ANN401 - a text, number, boolean or day, or None
        match found:
            case ast.Constant(value=str() | int() | float() as value):
                return value
            case ast.Name(id="true" | "false" | "null" as name):
                return {"true": True, "false": False, "null": None}[name]
            case ast.Call(func=ast.Name(id="now" | "today"), args=[]):
                return local_today()
            case ast.Call(func=ast.Name(id="date"), args=[ast.Constant(value=text)]) if day := parse_day(
                text
            ):
                return day
            case ast.Call(func=ast.Name(id="link"), args=[ast.Constant(value=str() as text), *_]):
                return text
            case ast.BinOp(left=left, op=sign, right=ast.Constant(value=str() as text)):
                day, span = self._value(left), _SPAN.fullmatch(text)
                if isinstance(day, date) and span and isinstance(sign, ast.Add | ast.Sub):
                    days = timedelta(days=int(span[1]) * (7 if span[2][0] == "w" else 1))
                    return day + days if isinstance(sign, ast.Add) else day - days
        raise self._unread()


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
