"""README and docs are true: their commands run, their output is what comes, their tables are the code's."""

import ast
import inspect
import re
import shlex
import shutil
import textwrap
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app.bootstrap import open_vault
from app.cli.main import app as command_line
from app.cli.main import make_command
from app.config.settings import (
    DeepSettings,
    EmbeddingSettings,
    IndexDefinition,
    Settings,
    load_settings,
)
from app.search.keyword.judge import PROPOSED_MODELS
from app.search.operations import OPERATIONS as SEARCH_OPERATIONS
from app.tests.cli.session import on_terminal

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS_PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
SETTINGS_PAGE = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")


def blocks(language: str, text: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def rows(page: str, heading: str) -> dict[str, list[str]]:
    """The rows of the first table below a heading, by what stands in backticks in their first cell."""
    table = page.split(f"# {heading}\n")[1].split("\n| ---")[1].split("\n\n")[0]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[1:]]
    return {row[0].strip("` |"): [cell.rstrip("|").strip() for cell in row[1:]] for row in cells}


def docstrings(model: type) -> dict[str, str]:
    body = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    assert isinstance(body, ast.ClassDef)
    return {
        field.target.id: str(text.value.value)
        for field, text in zip(body.body, body.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
    }


def first_lines(operations: Mapping[Any, object]) -> dict[str, str]:
    return {name: (function.__doc__ or "").splitlines()[0] for name, function in operations.items()}


def arguments_of(command: str) -> list[str]:
    program, *arguments = shlex.split(command, comments=True)
    assert program in ("vault-assistant", "wksc")
    return arguments


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("VAULT_ASSISTANT_INDEX__INDEXES", '{"notes": {"embedding_model": null}}')

    def call(command: str) -> Result:
        return CliRunner().invoke(command_line, arguments_of(command))

    return call


SESSIONS = [block.removeprefix("$ ").split("\n", 1) for block in blocks("console", README)]
COMMANDS = [
    line.strip()
    for block in blocks("sh", README + COMMANDS_PAGE)
    for line in block.splitlines()
    if line.startswith("vault-assistant") and "examples/vault" in line
]
TERMINAL_COLUMNS = 120


@pytest.mark.parametrize(("command", "output"), SESSIONS, ids=[session[0] for session in SESSIONS])
def test_what_the_readme_shows_is_what_a_terminal_shows(
    command: str, output: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    seen = on_terminal(
        *arguments_of(command), columns=TERMINAL_COLUMNS, folder=tmp_path, environment={"NO_COLOR": "1"}
    )
    assert (seen.code, seen.text.rstrip("\n")) == (0, output.rstrip("\n"))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_pages_find_something(command: str, run: Any) -> None:
    assert run(command).exit_code == 0


def test_the_table_of_commands_is_the_command_lines_own() -> None:
    made = make_command("")
    shown = made.get_help(made.make_context("vault-assistant", [], resilient_parsing=True)).split(
        "Options:\n"
    )[0]
    assert {
        name: cells[0]
        for name, cells in (
            (name.split()[0], cells) for name, cells in rows(COMMANDS_PAGE, "Commands").items()
        )
    } == dict(re.findall(r"^  ([a-z]+) {2,}(\S.*)$", shown, re.MULTILINE))


def test_the_table_of_search_operations_is_the_codes() -> None:
    table = rows(COMMANDS_PAGE, "Finding")
    assert {name: cells[0] for name, cells in table.items()} == first_lines(SEARCH_OPERATIONS)


def test_the_table_of_settings_is_the_codes() -> None:
    table = rows(SETTINGS_PAGE, "Settings")
    assert list(table) == list(Settings.model_fields)
    assert {name: cells[1] for name, cells in table.items()} == docstrings(Settings)
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True)
        if name not in ("index", "embedding", "deep"):
            assert table[name][0] == ("none" if default in (None, {}) else f"`{default}`")


def test_the_table_of_deep_settings_is_the_codes() -> None:
    table = rows(SETTINGS_PAGE, "Blocks")
    fields = {
        f"{block}.{name}": (field.default, text)
        for block, model in (
            ("embedding", EmbeddingSettings),
            ("deep", DeepSettings),
        )
        for (name, field), text in zip(model.model_fields.items(), docstrings(model).values(), strict=True)
    }
    assert table == {
        name: ["none" if default is None else f"`{default}`", text]
        for name, (default, text) in fields.items()
    }


def test_the_example_configurations_are_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    home, work = tmp_path / "Notes", tmp_path / "Work"
    (work / "Notes").mkdir(parents=True)
    home.mkdir()
    [models, indexes, group] = blocks("json", SETTINGS_PAGE)
    file = tmp_path / "config.json"
    file.write_text(models)
    assert load_settings(file).keyword_models == PROPOSED_MODELS
    file.write_text(indexes)
    assert {name: index.embedding_model for name, index in load_settings(file).index.indexes.items()} == {
        "notes": "all-MiniLM-L6-v2",
        "words": None,
        "photos": "clip-ViT-B-32",
    }
    file.write_text(group)
    assert open_vault("work", file).root == work / "Notes"
    opened = open_vault("home", file)
    assert opened.root == home
    assert opened.settings.index.indexes == {"notes": IndexDefinition(exclude=("templates/*",))}


def test_the_extras_are_those_of_the_package() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(rows(README, "Install")) == set(extras)


@pytest.mark.parametrize(
    "page", sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")]), ids=lambda page: page.name
)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target, heading in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", text):
        led_to = page.parent / target if target else page
        assert led_to.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.+)$", led_to.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
            assert heading in anchors, f"{target}#{heading}"
