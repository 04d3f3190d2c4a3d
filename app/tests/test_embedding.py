"""The embedding example is run as a reader runs it, on the example vault, without a key or a network."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import app
from app.search.searcher import searcher_for
from app.vault.client import VaultClient

EXAMPLE = Path(__file__).parents[2] / "examples" / "embed_in_your_app.py"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("embed_in_your_app", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    # The wheel's name for it; test_embedding_page.py runs the example on the wheel itself.
    monkeypatch.setitem(sys.modules, "vault_assistant", app)
    spec.loader.exec_module(module)
    yield module
    searcher_for(VaultClient(module.VAULT)).close()


def test_the_tool_answers_on_an_agent_with_dependencies_of_its_own(example: ModuleType) -> None:
    answer = example.main()
    assert answer.startswith("The notes say:")
    assert "projects/petrel/tasks.md" in answer
    assert "Waxed canvas" in answer
    assert "Error:" not in answer


def test_an_app_without_a_log_of_its_own_hears_nothing(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from app.dependencies import VaultClient\n"
        "from app.notes.answer import operate\n"
        "from app.search.answer import answer\n"
        "vault = VaultClient(sys.argv[1])\n"
        "print(operate(vault, {'operation': 'read', 'path': 'Missing'}))\n"
        "vault.resolve = None\n"
        "print(operate(vault, {'operation': 'read', 'path': 'A'}))\n"
        "print(answer(vault, {'operation': 'paint'}))\n"
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
    assert [line[:6] for line in done.stdout.splitlines()] == ["Error:"] * 3
    assert (done.returncode, done.stderr) == (0, "")
