"""The rooms of the code: who may import whom.

Every import counts, those for type checkers and those inside functions too: whoever reads a file has to know what they
name.
"""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

APP = Path(__file__).parents[1]

# From the bottom up. A row stands for all modules below it that have no row of their own; a module may import its own
# room and those above it in this list.
ROOMS = (
    "app.wordings",
    "app.translation",
    "app.spoken",
    "app.sentences",
    "app.notices",
    "app.showing",
    "app.errors",
    "app.limits",
    "app.stopping",
    "app.tokens",
    "app.parameters",
    "app.system",
    "app.config",
    "app.vault",
    "app.journal",
    "app.markdown",
    "app.dependencies",
    "app.bootstrap",
    "app.llm",
    "app.notes",
    "app.search.private",
    "app.search.models",
    "app.search.request",
    "app.search.lexical",
    "app.search.excerpt",
    "app.search.embedding",
    "app.search.index",
    "app.search.vectors",
    "app.search.view",
    "app.search.query",
    "app.search.show",
    "app.search.keyword",
    "app.search.rank",
    "app.search.upkeep",
    "app.search.milvus",
    "app.search",
    "app.chat",
    "app.library",
    "app",
    "app.serving",
    "app.mcp",
    "app.web",
    "app.cli",
)
APART = (("app.notes", "app.search"), ("app.mcp", "app.web"))
"""Rooms that do not know each other."""


MOST_LINES = 450


def dotted(path: Path) -> str:
    parts = ["app", *path.relative_to(APP).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    dotted(path): path for path in sorted(APP.rglob("*.py")) if "tests" not in path.relative_to(APP).parts
}


@cache
def imported(name: str) -> frozenset[str]:
    """Every module that a file imports, wherever it does so."""

    def found() -> Iterator[str]:
        for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    yield whole if whole in MODULES else node.module

    return frozenset(found()) - {name}


def room(name: str) -> str | None:
    """The longest row that covers a name; None for what is not ours or has no row."""
    while name not in ROOMS:
        name = name.rpartition(".")[0]
        if not name or name == "app":
            return None
    return name


def below(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in rooms)


def test_imports_point_down() -> None:
    for name in MODULES:
        own = room(name)
        assert own is not None, f"{name} has no room: give it a row in ROOMS"
        for target in imported(name) & MODULES.keys():
            other = room(target)
            assert other is not None
            assert ROOMS.index(other) <= ROOMS.index(own), f"{name} must not import {target}"


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = {name: imported(name) & MODULES.keys() for name in MODULES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


@pytest.mark.parametrize(("one", "other"), APART)
def test_rooms_that_do_not_know_each_other(one: str, other: str) -> None:
    for name in MODULES:
        for own, foreign in ((one, other), (other, one)):
            if below(name, (own,)):
                assert not [target for target in imported(name) if below(target, (foreign,))], name


def test_no_module_has_too_many_lines() -> None:
    lines = {name: len(path.read_text("utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}
