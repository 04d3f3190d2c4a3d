"""What the build renames in a module, and what it leaves."""

import importlib.util

import pytest

from app.tests.package.wheel import ROOT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from app.search import search\n", "from vault_assistant.search import search\n"),
        ("yield from app.routes\n", "yield from app.routes\n"),
        ('run("-m", "app.cli.main")\n', 'run("-m", "vault_assistant.cli.main")\n'),
        (
            "'app.json', 'my.app.cli', 'static/app.search'\n",
            "'app.json', 'my.app.cli', 'static/app.search'\n",
        ),
        ("x = 1\nimport app.search\n", None),
    ],
)
def test_a_module_is_renamed_where_it_names_the_package(text: str, expected: str | None) -> None:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    if expected is None:
        with pytest.raises(ValueError, match="line 2: write 'from app"):
            build.renamed(text, ("cli", "search", "errors"))
    else:
        assert build.renamed(text, ("cli", "search", "errors")) == expected
