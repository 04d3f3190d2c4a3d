"""The rooms of the code: who may import whom, which library lives where, and when a module is one of its own.

Every import counts, those for type checkers and those inside functions too: whoever reads a file has to know what they
name.
"""

import ast
from collections import defaultdict
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
    "app.spoken",
    "app.sentences",
    "app.notices",
    "app.showing",
    "app.errors",
    "app.limits",
    "app.stopping",
    "app.tokens",
    "app.parameters",
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
    "app.search.excerpt",
    "app.search.request",
    "app.search.format",
    "app.search.lexical",
    "app.search.embedding",
    "app.search.index",
    "app.search.vectors",
    "app.search.view",
    "app.search.query",
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

LIBRARIES: dict[str, tuple[str, ...]] = {
    "faiss": ("app.search.vectors.faiss_index",),
    "grpc": ("app.search.milvus.database",),
    "frontmatter": ("app.markdown",),
    "jinja2": ("app.web.pages",),
    "jwt": ("app.mcp.oauth",),
    "markdown_it": ("app.markdown", "app.web.render", "app.web.talk.citations"),
    "prompt_toolkit": ("app.cli",),
    "nh3": ("app.web.render", "app.web.talk.citations"),
    "onnxruntime": ("app.search.embedding.onnx_model",),
    "rapidfuzz": ("app.search.lexical.speller",),
    "pymilvus": ("app.search.milvus.database",),
    "regex": ("app.search.query.pattern", "app.vault.obsidian"),
    "spellchecker": ("app.search.lexical.dictionary",),
    "send2trash": ("app.notes.trash",),
    "tokenizers": ("app.search.embedding",),
    "torch": ("app.search.embedding",),
    "typer": ("app.cli",),
    "watchfiles": ("app.search.index.watch",),
    "whoosh": ("app.search.lexical",),
    "zstandard": ("app.search.lexical.packing",),
}

MOST_LINES = 450
FEW_LINES = 120
ALONE: dict[str, str] = {
    "app.chat.evidence": "each step from a note to what is quoted of it; two have tables that a benchmark fits",
    "app.chat.ask.speech": "the events of a model that streams",
    "app.chat.save": "the form of a saved conversation",
    "app.config.change": "the form of a configuration file",
    "app.config.refusals": "what pydantic says of a value that is wrong",
    "app.cli": "one file for each command, each with typer",
    "app.library": "what other programs build on, each for another kind of program",
    "app.llm.embeddings": "the agent library's models of embedding",
    "app.llm.models": "from a model's name to the agent library's model",
    "app.markdown.due": "the forms in which two plugins of Obsidian write a day",
    "app.markdown.parse": "offered to others by the package",
    "app.vault.daily": "the parts of a form of dates",
    "app.mcp.approval": "the SDK's forms for a person",
    "app.mcp.http": "starlette, and the form of a request",
    "app.mcp.install": "the clients' configuration files; the SDK's own client",
    "app.mcp.server": "the SDK, which may not be installed",
    "app.mcp.stdio": "the SDK's standard input and output",
    "app.notes": "the form of a diff; the tool of agents, which has to be importable there",
    "app.search.embedding.apart": "a process of its own, with a command line of its own",
    "app.search.embedding.catalogue": "a table: models worth having",
    "app.search.embedding.gloss_rules": "a table: what is known by hand of each language that is glossed",
    "app.search.embedding.model_files": "the files of a folder that holds a model",
    "app.search.embedding.prompts": "a table: what families of models want before a text",
    "app.search.embedding.remote_model": "a model behind a server",
    "app.search.index.graph": "how links are found by the terms of the index",
    "app.search.engine": "what a search needs of an index, whichever engine keeps it",
    "app.search.lexical.dictionary": "lists of the words of languages",
    "app.search.lexical.groups": "which chunks are counted together",
    "app.search.lexical.part": "the files of a segment that lasts as long as a search",
    "app.search.query.scopes": "the form of a scope",
    "app.search.query.suggest": "what to try when nothing was found",
    "app.search.rank": "one step of the ranking each",
    "app.chat.cite.denied": "one thing that a sentence is held for",
    "app.chat.cite.places": "the forms in which models cite by number",
    "app.chat.cite.second": "the labels of models that judge",
    "app.chat.cite.spelled": "tables: numbers in words",
    "app.chat.cite.units": "a table: units of measure and signs of currencies",
    "app.vault.registered": "the form of Obsidian's list of vaults",
    "app.wordings": "a part of the table of wordings",
    "app.web": "uvicorn; one file for each page",
}
"""Modules of few lines that a single other one imports, and the library or format that each hides."""


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


def test_one_library_has_one_room() -> None:
    for name in MODULES:
        for target in imported(name):
            rooms = LIBRARIES.get(target.partition(".")[0])
            assert rooms is None or below(name, rooms), f"{name}: {target} belongs into {' or '.join(rooms)}"


def test_a_module_is_one_noun() -> None:
    long = [name for name, path in MODULES.items() if len(path.read_text("utf-8").splitlines()) > MOST_LINES]
    assert long == []


def test_a_module_has_several_users_or_a_reason() -> None:
    users: dict[str, set[str]] = defaultdict(set)
    for name in MODULES:
        for target in imported(name):
            users[target].add(name)
    small = [
        f"{name}, used by {min(users[name])}"
        for name, path in MODULES.items()
        if len(users[name]) == 1
        and path.name != "__init__.py"
        and len(path.read_text(encoding="utf-8").splitlines()) <= FEW_LINES
        and not below(name, tuple(ALONE))
    ]
    assert small == [], "let them live with their users, or say in ALONE what they hide"
