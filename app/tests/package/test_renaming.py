"""What the build renames in a module, and what it leaves."""

import importlib.util
import sys
from types import ModuleType

import pytest

from app.tests.package.wheel import ROOT

MODULES = ("cli", "search", "errors")


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from app import errors\n", "from vault_assistant import errors\n"),
        ("yield from app.routes\n", "yield from app.routes\n"),
        ("from app.search import search\n", "from vault_assistant.search import search\n"),
        ("import os, app.cli as c; x = 1\n", "import os, vault_assistant.cli as c; x = 1\n"),
        ("from typer import app\n", "from typer import app\n"),
        ('run("-m", "app.cli.main")\n', 'run("-m", "vault_assistant.cli.main")\n'),
        ("f'module {x} app.errors {y}'\n", "f'module {x} vault_assistant.errors {y}'\n"),
        (
            "'app.json', 'my.app.cli', 'static/app.search'\n",
            "'app.json', 'my.app.cli', 'static/app.search'\n",
        ),
    ],
)
def test_a_module_is_renamed_where_it_names_the_package(text: str, expected: str, build: ModuleType) -> None:
    assert build.renamed(text, MODULES) == expected


def test_an_import_that_binds_the_name_is_refused(build: ModuleType) -> None:
    with pytest.raises(ValueError, match="line 2: write 'from app"):
        build.renamed("x = 1\nimport app.search\n", MODULES)


def test_an_editable_install_shows_the_repository_as_it_stands(build: ModuleType) -> None:
    data: dict[str, dict[str, str]] = {"force_include": {}}
    build.CustomBuildHook("", {}, None, None, "", "wheel").initialize("editable", data)
    assert data == {"force_include": {}}
    assert sys.modules["app"].__name__ == "app"
