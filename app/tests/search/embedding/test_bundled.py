"""The model that comes with the extra, once, for real: what the README and the demo promise."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.main import app as command_line
from app.search import search
from app.tests.test_docs import SESSIONS
from app.vault.client import VaultClient

[DEEP] = [(command, output) for command, output in SESSIONS if " find deep " in command]


@pytest.fixture
def vault(embedded_example: VaultClient) -> VaultClient:
    return embedded_example


def test_deep_finds_what_fast_misses(vault: VaultClient) -> None:
    question = "What should a newcomer know about the neighbourhood?"
    guide = "guides/A visitor's guide to Port-Avel.md"
    assert guide not in {hit.path for hit in search(vault, question, "fast")}
    assert search(vault, question, "deep", limit=1)[0].path == guide


def test_the_readme_shows_what_comes(vault: VaultClient, monkeypatch: pytest.MonkeyPatch) -> None:
    command, output = DEEP
    monkeypatch.chdir(Path(vault.root).parents[1])
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("VAULT_ASSISTANT_CACHE_DIR", str(vault.settings.cache_folder))
    result = CliRunner().invoke(command_line, shlex.split(command)[1:])
    assert result.exit_code == 0
    shown = (re.escape(part.strip("\n")) for part in re.split(r"^…$", output, flags=re.MULTILINE))
    assert re.fullmatch("\n(?s:.*)\n?".join(shown), result.stdout.rstrip("\n"))
