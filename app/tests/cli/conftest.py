"""The command as a person meets it: arguments in, exit code, stdout and stderr out."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import COMMANDS, main, make_command
from app.tests.llm.conftest import server as server

GARDEN = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Home.md": "# Home\n\nSee [[Greenhouse]] and [[Missing]].\n",
    "projects/garden/Greenhouse.md": (
        "---\ntags: [garden, garden/glass]\ncreated: 2025-03-02\n---\n# Greenhouse\n\n"
        "The heating of the greenhouse\nis electric. Back to [[Home]].\n\n- [ ] mend the pane\n"
    ),
    "serre.md": "# La serre\n\nLe chauffage de la serre est électrique, décidé le 14 juillet.\n",
    "private/Diary.md": "# Diary\n\nThe secret of the greenhouse, and [[Home]].\n",
}


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Outcome]


def all_commands() -> dict[str, Any]:
    """Make all commands, by name; by the empty one what holds them."""
    made = {name: make_command(name) for name in ("", *COMMANDS)}
    return made | {f"setup {name}": each for name, each in made["setup"].commands.items()}


@pytest.fixture(autouse=True)
def words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Index words alone: loading a model takes seconds, and is tested where meaning is."""
    monkeypatch.setenv("VAULT_ASSISTANT_INDEX__INDEXES", '{"notes": {"embedding_model": null}}')


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run the command in an empty folder, with nobody at the keyboard."""
    empty = tmp_path / "elsewhere"
    empty.mkdir()
    monkeypatch.chdir(empty)

    def call(*arguments: str) -> Outcome:
        code = main(arguments)
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return Outcome(code, said.out, said.err)

    return call


@pytest.fixture
def garden(tiny_vault: Callable[..., Any]) -> str:
    """Give the folder of a small vault, for ``--vault``."""
    root = tiny_vault(GARDEN, name="garden").root
    for note in root.rglob("*.md"):
        # Not written just now: the index looks once more at files that may still be changing.
        os.utime(note, (time.time() - 3600, time.time() - 3600))
    return str(root)
