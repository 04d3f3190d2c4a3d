"""What other programs build on, as a text: names, signatures and fields, to be compared with the stored one.

Write the stored one anew, and say so in the changelog: ``python -m app.tests.package.api --write``.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import app as package

STORED = Path(__file__).with_name("public_api.txt")

MORE = (
    "search:keyword_search",
    "search:search",
    "search.answer:answer",
    "search.searcher:searcher_for",
    "chat.ask.answer:ask",
    "chat.ask.answer:ask_async",
    "chat.cite.check:check_answer",
    "chat.cite.check:check_citations",
    "chat.cite.names:NamedNotes",
    "chat.cite.support:judge",
    "chat.save:Exchange",
    "chat.save:save_conversation",
    "chat.evidence.evidence:Claim",
    "chat.evidence.evidence:Evidence",
    "library.tools:CallInfo",
    "notes.models:Reading",
    "notes.models:Touched",
    "notes.proposal:approve",
    "notes.proposal:propose",
    "notes.proposal:withdraw",
    "search.models:SearchResult",
)
"""What docs/embedding.md names besides what stands at the top: the module below the package, and the name."""


def describe() -> str:
    """Describe all of it, a line for each name, function, method and field."""
    lines: list[str] = []
    for name in sorted(set(package.__all__) - {"__version__"}):
        lines += _described(name, getattr(package, name))
    for place in MORE:
        module, _, name = place.partition(":")
        lines += _described(f"{module}.{name}", getattr(import_module(f"app.{module}"), name))
    return "\n".join(lines) + "\n"


def _described(name: str, value: Any) -> Iterator[str]:
    match _source(name.rpartition(".")[2], value):
        case ast.ClassDef() as node:
            yield f"class {name}({', '.join(map(ast.unparse, node.bases))})"
            yield from (f"  {line}" for line in _members(node))
        case ast.FunctionDef() | ast.AsyncFunctionDef() as node:
            yield _signature(node, name)
        case ast.AnnAssign(value=ast.expr() as meant):
            yield f"{name} = {ast.unparse(meant)}"
        case other:
            raise AssertionError(f"{name} is a {type(other).__name__}")


def _members(node: ast.ClassDef) -> Iterator[str]:
    """Describe what a class offers: its fields, its constructor, its methods and properties."""
    for child in node.body:
        match child:
            case ast.AnnAssign(target=ast.Name(id=field)) if not field.startswith("_"):
                yield f"{field}: {ast.unparse(child.annotation)}{' = ...' if child.value else ''}"
            case ast.FunctionDef(name=method) | ast.AsyncFunctionDef(name=method) if not method.startswith(
                "_"
            ) or method in ("__init__", "__aenter__", "__aexit__"):
                marks = "".join(f"@{ast.unparse(mark)} " for mark in child.decorator_list)
                yield marks + _signature(child, method)


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> str:
    """Write a signature as the source has it: the same on every version of Python."""
    # What a decorator gives is no part of what a caller sees.
    node.args.kwonlyargs, node.args.kw_defaults = (
        [each for each in node.args.kwonlyargs if not each.arg.startswith("_")],
        [
            default
            for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if not each.arg.startswith("_")
        ],
    )
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{'async ' if isinstance(node, ast.AsyncFunctionDef) else ''}{name}({ast.unparse(node.args)}){returns}"


def _source(name: str, value: Any) -> ast.stmt:
    """Find the statement that defines a name."""
    home = "app.chat.ask.events" if name == "AskEvent" else inspect.unwrap(value).__module__
    tree = ast.parse(inspect.getsource(import_module(home)))
    [found] = [
        node
        for node in tree.body
        if getattr(node, "name", "") == name
        or (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name)
    ]
    return found


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        STORED.write_text(describe(), encoding="utf-8")
    else:
        sys.stdout.write(describe())
