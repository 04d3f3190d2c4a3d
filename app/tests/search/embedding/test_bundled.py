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


def first_paths(vault: VaultClient, query: str, mode: str, count: int = 1) -> list[str]:
    return [hit.path for hit in search(vault, query, mode, limit=count)]


def test_deep_finds_what_fast_misses(vault: VaultClient) -> None:
    question, guide = (
        "What should a newcomer know about the neighbourhood?",
        "guides/A visitor's guide to Port-Avel.md",
    )
    assert guide not in {hit.path for hit in search(vault, question, "fast")}
    assert first_paths(vault, question, "deep") == [guide]


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("antique dinghy restoration cost limit", "projects/petrel/description.md"),
        ("baking dessert with prunes", "cuisine/Far breton.md"),
    ],
)
def test_other_words_are_found(vault: VaultClient, question: str, path: str) -> None:
    assert first_paths(vault, question, "deep") == [path]


def test_what_nothing_answers_scores_lower_than_what_is_answered(vault: VaultClient) -> None:
    answered = ("antique dinghy restoration cost limit", "When was the boat launched?")
    foreign = (
        "interest rate of the central bank",
        "install a graphics driver on Linux",
        "chess opening theory",
    )
    lowest = min(search(vault, question, "deep", limit=1)[0].score for question in answered)
    assert all(search(vault, question, "deep", limit=1)[0].score < lowest / 2 for question in foreign)


def test_the_readme_shows_what_comes(vault: VaultClient, monkeypatch: pytest.MonkeyPatch) -> None:
    command, output = DEEP
    monkeypatch.chdir(Path(vault.root).parents[1])
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("VAULT_ASSISTANT_CACHE_DIR", str(vault.settings.cache_folder))
    result = CliRunner().invoke(command_line, shlex.split(command)[1:])
    assert result.exit_code == 0
    shown = (re.escape(part.strip("\n")) for part in re.split(r"^…$", output, flags=re.MULTILINE))
    assert re.fullmatch("\n(?s:.*)\n?".join(shown), result.stdout.rstrip("\n"))
