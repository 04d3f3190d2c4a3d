"""``setup skill``: what an agent is told runs as it stands."""

import re
import shlex
from pathlib import Path

import frontmatter
import pytest

from app.cli.skill import skill_name
from app.tests.cli.conftest import Run
from app.tests.conftest import MakeVault

BOAT = {"Work/Boat plan.md": "# Hull\n\nThe hull of #boat/hull is planked.\n"}


@pytest.fixture
def boat(tiny_vault: MakeVault) -> Path:
    return tiny_vault(BOAT, name="Boat").root


def test_the_commands_of_the_text_run(run: Run, boat: Path) -> None:
    text = run("setup", "skill", "--vault", str(boat)).out
    assert frontmatter.loads(text)["name"] == "boat"
    commands = [shlex.split(line, comments=True) for line in re.findall(r"(?m)^vault-assistant (.+)$", text)]
    assert [each[0] for each in commands] == ["find", "find", "cat", "list"]
    real = {
        "words of the notes": "hull",
        "a question": "what is planked",
        "Folder/Note#Heading": "Boat plan#Hull",
    }
    for command in commands:
        # The index of the tests has no model.
        words = [real.get(word, word) for word in command if word != "--deep"]
        assert run(*words).code == 0, command


@pytest.mark.parametrize(
    ("vault", "name"),
    [("Été à la mer", "ete-a-la-mer"), ("Claude notes", "notes"), ("漢字", "vault"), ("x" * 80, "x" * 64)],
)
def test_a_skill_has_a_name_that_skills_may_have(vault: str, name: str) -> None:
    assert skill_name(vault) == name


def test_a_section_names_what_may_be_shown_and_no_markup(run: Run, tiny_vault: MakeVault) -> None:
    notes = {
        ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
        "Work/Boat plan.md": "#boat/hull and #larch",
        "private/Diary.md": "#secret",
    }
    root = tiny_vault(notes, name="Other <b>` # x").root
    assert run("index", "--vault", str(root)).code == 0
    text = run("setup", "skill", "--vault", str(root), "--agents").out
    assert text.startswith("## Notes of the vault `Other b  x`\n")
    assert text.endswith("- Top folders: Work. Tags: #boat, #boat/hull, #larch.\n")
