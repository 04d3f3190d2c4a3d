"""What other programs build on changes on purpose only, and is imported when it is used."""

import re
import subprocess
import sys

import pytest

from app.tests.package.api import STORED, describe
from app.tests.package.wheel import ROOT

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


def run(script: str) -> str:
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


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
