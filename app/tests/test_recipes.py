"""The recipes are true: each is run by a shell, and prints what stands below it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.tests.cli.session import ENTER, Session
from app.tests.test_docs import ROOT, blocks

PAGE = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
RECIPES = [block.removeprefix("$ ").split("\n", 1) for block in blocks("console", PAGE)]
PICKED = blocks("sh", PAGE)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    command = tmp_path / "bin" / "vault-assistant"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m app.cli.entry "$@"\n')
    command.chmod(0o755)
    return tmp_path


def environment(place: Path) -> dict[str, str]:
    return {
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "VAULT_ASSISTANT_INDEX__INDEXES": '{"notes": {"embedding_model": null}}',
        "LC_ALL": "C.UTF-8",
    }


def test_there_are_recipes_to_run() -> None:
    assert len(RECIPES) >= 5
    assert len(PICKED) >= 1


@pytest.mark.parametrize(("command", "output"), RECIPES, ids=[recipe[0][:60] for recipe in RECIPES])
def test_a_recipe_prints_what_the_page_says(command: str, output: str, place: Path) -> None:
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=place / "examples" / "vault",
        env={**os.environ, **environment(place)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    shown = (re.escape(part.strip("\n")) for part in re.split(r"^…$", output, flags=re.MULTILINE))
    assert re.fullmatch("\n(?s:.*)".join(shown), done.stdout.rstrip("\n")), done.stdout


@pytest.mark.parametrize("command", PICKED)
def test_a_recipe_takes_what_is_picked(command: str, place: Path) -> None:
    subprocess.run(
        ["bash", "-c", "vault-assistant index"],
        cwd=place / "examples" / "vault",
        env={**os.environ, **environment(place)},
        check=True,
        capture_output=True,
    )
    with Session(
        command, program=("bash", "-c"), folder=place / "examples" / "vault", environment=environment(place)
    ) as session:
        session.wait_for("changed last")
        session.type("garboard")
        session.wait_for("words · 1 of ")
        session.type(ENTER)
        assert session.end() == 0
        assert "Traceback" not in session.text
        assert session.screen.rstrip().endswith("---")
