"""What other programs build on changes on purpose only, and is imported when it is used."""

import json
import re
import subprocess
import sys

import pytest

import app as package
from app.tests.package.api import STORED, describe
from app.tests.package.wheel import ROOT

MOST_CPU_SECONDS = 0.4
DOCUMENT = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")


def test_names_and_signatures_are_as_they_were() -> None:
    """On purpose: `python -m app.tests.package.api --write`, and a line in CHANGELOG.md."""
    assert describe() == STORED.read_text(encoding="utf-8")


def test_whatever_the_page_imports_is_kept_compatible() -> None:
    stored = STORED.read_text(encoding="utf-8")
    found = re.findall(r"^from vault_assistant(\.[\w.]+)? import (.+)$", DOCUMENT, re.MULTILINE)
    assert len(found) > 10
    for module, names in found:
        for name in names.split("  #")[0].strip("() ").split(", "):
            place = f"{module.removeprefix('.')}.{name}" if module else name
            assert re.search(rf"^(async |class )?{re.escape(place)}\b", stored, re.MULTILINE), place


def test_a_name_that_is_not_there_is_said() -> None:
    with pytest.raises(AttributeError, match="module 'app' has no attribute 'Vaults'"):
        package.Vaults  # type: ignore[attr-defined]  # noqa: B018
    assert set(package.__all__) <= set(dir(package))


def run(script: str) -> str:
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_importing_the_package_imports_nothing_of_it() -> None:
    loaded = json.loads(run("import app, json, sys; print(json.dumps(sorted(sys.modules)))"))
    assert [name for name in loaded if name.startswith("app")] == ["app"]
    assert not {"pydantic", "numpy", "asyncio", "pydantic_ai"} & set(loaded)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vault_search", "note_operations", "VaultToolset", "VaultTools", "Vault"])
def test_the_tools_are_imported_quickly_where_the_agent_library_is_there(name: str) -> None:
    """Processor time; the best of three, since another process may have emptied the caches."""
    script = (
        "import time, pydantic_ai\n"
        "before = time.process_time()\n"
        f"from app import {name}\n"
        "print(time.process_time() - before)\n"
    )
    assert min(float(run(script)) for _ in range(3)) < MOST_CPU_SECONDS


@pytest.mark.parametrize(
    "name",
    [
        "Vault",
        "VaultTools",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("vault_search", "note_operations", "VaultToolset")
        ),
    ],
)
def test_what_searches_is_not_imported_before_it_is_used(name: str) -> None:
    loaded = run(f"from app import {name}; import sys; print(*sorted(sys.modules))").split()
    heavy = {"numpy", "whoosh", "torch", "faiss", "onnxruntime", "app.search.searcher", "app.chat.ask.agent"}
    assert not heavy & set(loaded)
    assert ("pydantic_ai" in loaded) == (name not in ("Vault", "VaultTools"))
