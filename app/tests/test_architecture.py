"""Imports point down: what lies below knows nothing of what lies above."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

APP = Path(__file__).parents[1]

# From the bottom up. A package stands for all its modules unless one has a row of its own.
LAYERS: list[tuple[str, ...]] = [
    ("app.errors", "app", "app.vault.paths", "app.showing", "app.limits", "app.serving.http"),
    ("app.config.settings", "app.config.folders", "app.config.folders", "app.config.paths"),
    ("app.config.trust",),
    ("app.config.file",),
    ("app.config.settings",),
    ("app.vault.paths", "app.vault.dates", "app.vault.encoding", "app.vault.walk", "app.vault.files", "app.vault.obsidian", "app.vault.scan", "app.vault.names",
     "app.vault.javascript", "app.serving.address", "app.serving.http"),
    ("app.markdown", "app.markdown.links", "app.dependencies"),
    ("app.journal",),
    ("app.notes.models",),
    ("app.search.models", "app.search.index.chunk", "app.search.text", "app.vault.glob", "app.search.query.scopes", "app.search.request", "app.chat.ask.concat",
     "app.search.private"),
    ("app.search.lexical", "app.search.request", "app.search.format", "app.search.rank.fusion",
     "app.search.vectors.vectors"),
    ("app.search.query.parse", "app.search.query.tree", "app.search.query.leaves", "app.search.query.cursor",
     "app.search.query.pattern", "app.search.query.cursor",
     "app.search.query.cursor", "app.search.index.documents"),
    ("app.search.index.documents", "app.search.index.watch", "app.llm"),
    ("app.search.index.snapshot", "app.search.index.store", "app.search.index.sync"),
    ("app.search.vectors.by_chunk",),
    ("app.search.vectors.store",),
    ("app.search.vectors.build", "app.search.vectors.store"),
    ("app.search.vectors.images",),
    ("app.search.vectors.vectors",),
    ("app.search.query", "app.search.query.filters", "app.search.query.link_walk", "app.search.upkeep"),
    ("app.search.keyword", "app.search.rank.words", "app.search.rank.words", "app.search.results", "app.search.query.suggest",
     "app.search.rank.reasons"),
    ("app.search.rank.expand", "app.search.rank.rerank"),
    ("app.search.rank.deep", "app.search.query.explain"),
    ("app.search.rank.merge", "app.search.rank.words"),
    ("app.search.rank.deep",),
    ("app.search.operations", "app.notes"),
    ("app.search.upkeep",),
    ("app.search.searcher",),
    ("app.search.answer", "app.search.answer", "app.search.answer", "app.search.named.models"),
    ("app.search.tools", "app.search", "app.notes.tools"),
    ("app.chat",),
    ("app.bootstrap",),
    ("app.serving.keeper", "app.serving.socket"),
    ("app.mcp",),
    ("app.web",),
    ("app.mcp.install",),
    ("app.cli",),
    ("app.tests",),
]  # fmt: skip
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def modules() -> list[Path]:
    return sorted(path for path in APP.rglob("*.py") if "tests" not in path.relative_to(APP).parts)


def dotted(path: Path) -> str:
    parts = ["app", *path.relative_to(APP).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def level(name: str) -> int | None:
    """Give the level of the longest row that covers a name; None for what is not ours."""
    while name:
        if name in LEVEL:
            return LEVEL[name]
        name = name.rpartition(".")[0]
    return None


def imported(tree: ast.AST) -> Iterator[str]:
    """Every module a file imports, `import a.b` and `from a import b` alike, types-only imports left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if is_module(whole) else node.module
        else:
            yield from imported(node)


def is_module(name: str) -> bool:
    path = APP.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_imports_point_down(path: Path) -> None:
    name = dotted(path)
    own = level(name)
    assert own is not None
    for target in imported(ast.parse(path.read_text(encoding="utf-8"))):
        below = level(target)
        assert below is None or below <= own, f"{name} must not import {target}"


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_notes_and_search_do_not_know_each_other(path: Path) -> None:
    name = dotted(path)
    targets = list(imported(ast.parse(path.read_text(encoding="utf-8"))))
    if name.startswith("app.notes"):
        assert not [target for target in targets if target.startswith("app.search")]
    if name.startswith("app.search"):
        assert not [target for target in targets if target.startswith("app.notes")]


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_one_library_has_one_room(path: Path) -> None:
    rooms: dict[str, str | tuple[str, ...]] = {
        "whoosh": "app.search.lexical",
        "watchfiles": "app.search.index.watch",
        "markdown_it": ("app.markdown", "app.web.render", "app.web.talk.citations"),
        "nh3": ("app.web.render", "app.web.talk.citations"),
        "jinja2": "app.web.pages",
        "frontmatter": "app.markdown",
        "send2trash": "app.notes.apply",
        "typer": "app.cli",
        "faiss": "app.search.vectors.faiss_index",
        "onnxruntime": ("app.search.embedding.onnx_model", "app.search.embedding.onnx_model"),
        "tokenizers": "app.search.vectors.vectors",
        "regex": ("app.search.query.pattern", "app.vault.obsidian"),
    }
    for target in imported(ast.parse(path.read_text(encoding="utf-8"))):
        room = rooms.get(target.partition(".")[0])
        assert room is None or dotted(path).startswith(room), f"{target} belongs into {room}"


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_no_module_outgrows_its_reader(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 450


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_nothing_reads_what_could_run(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    running = {"pickle", "_pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
    assert not [target for target in imported(tree) if target.partition(".")[0] in running]
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = ast.unparse(call.func)
        assert name not in ("torch.load", "np.load", "numpy.load", "eval", "exec"), f"{dotted(path)}: {name}"
        for keyword in call.keywords:
            trusting = keyword.arg in ("allow_pickle", "trust_remote_code")
            assert not trusting or ast.unparse(keyword.value) == "False", f"{dotted(path)}: {keyword.arg}"
