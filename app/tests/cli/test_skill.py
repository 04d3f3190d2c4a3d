"""``setup skill``: what an agent is told runs as it stands, and is written on a yes and in its own part alone."""

import re
import shlex
from pathlib import Path

import frontmatter
import pytest

from app.cli.skill import skill_name, with_section
from app.errors import ConfigError
from app.tests.cli.conftest import Run
from app.tests.conftest import MakeVault

BOAT = {"Work/Boat plan.md": "# Hull\n\nThe hull of #boat/hull is planked.\n"}


@pytest.fixture
def boat(tiny_vault: MakeVault) -> Path:
    return tiny_vault(BOAT, name="Boat").root


def test_the_commands_of_the_text_run(run: Run, boat: Path) -> None:
    text = run("setup", "skill", "--vault", str(boat)).out
    assert text.startswith("---\nname: boat\n")
    assert list(Path().iterdir()) == [], "into a pipe it is printed, and not written"
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


def test_a_file_is_written_and_refreshed_in_its_own_part_alone(run: Run, boat: Path) -> None:
    at = ("setup", "skill", "--vault", str(boat), "--yes", "--lang", "fr")
    file = Path(".claude/skills/boat/SKILL.md").absolute()
    assert run(*at).err == f"« {file} » a été écrit.\n"
    first = file.read_text()
    assert frontmatter.loads(first)["name"] == "boat"
    assert run(*at).err == f"« {file} » le dit déjà.\n"
    head, body = first.split("<!-- vault-assistant:begin boat -->\n")
    own = head.replace("Searches", "MINE: searches") + "before\n\n"
    old = body.replace("Search before you answer", "Do as you like")
    assert old != body, "its text stays English"
    file.write_text(f"{own}<!-- vault-assistant:begin boat -->\n{old}\nafter, without a line end")
    assert run(*at).code == 0
    second = f"{own}<!-- vault-assistant:begin boat -->\n{body}\nafter, without a line end"
    assert file.read_text() == second
    assert [path.name for path in file.parent.iterdir()] == ["SKILL.md"]


def test_a_section_of_a_file_for_agents(run: Run, boat: Path, tiny_vault: MakeVault) -> None:
    file = Path("AGENTS.md")
    file.write_bytes(b"# Build\r\n\r\nRun make.")
    # A vault's name is data without markup.
    other = tiny_vault({"One.md": "x"}, name="Other <b>` # x").root
    for root in (boat, other):
        assert run("setup", "skill", "--vault", str(root), "--agents", "AGENTS.md", "--yes").code == 0
    text = file.read_bytes().decode()
    begin = "<!-- vault-assistant:begin boat -->\r\n## Notes of the vault `Boat`\r\n"
    assert text.startswith(f"# Build\r\n\r\nRun make.\r\n\r\n{begin}")
    assert "\n## Notes of the vault `Other b  x`\r\n" in text
    assert text.count("\n") == text.count("\r\n")
    assert re.findall(r"vault-assistant:(\w+) (boat|other)", text) == [
        ("begin", "boat"), ("end", "boat"), ("begin", "other"), ("end", "other"),
    ]  # fmt: skip


@pytest.mark.parametrize("marks", ["begin", "end", "end begin", "begin begin end", "begin end end"])
def test_marks_that_are_no_pair_are_left_alone(marks: str) -> None:
    text = "\n".join(f"<!-- vault-assistant:{mark} boat -->" for mark in marks.split())
    with pytest.raises(ConfigError, match="than one pair of"):
        with_section(Path("A.md"), text.encode(), "boat", "new\n")
    with pytest.raises(ConfigError, match="is not UTF-8"):
        with_section(Path("A.md"), b"\xff", "boat", "new\n")


def test_nothing_is_written_unasked_into_the_vault(
    run: Run, boat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(boat / "Work")
    refused = run("setup", "skill", "--yes", "--vault", str(boat))
    assert refused.code == 2
    assert "lies in the vault, where nothing is written unasked" in refused.err
    assert not Path(".claude").exists()
    into = ("setup", "skill", "--yes", "--vault", str(boat), "--agents", "Skill/SKILL.md")
    assert run(*into).code == 0
    file = Path("Skill/SKILL.md")
    file.write_text(file.read_text().replace("Search before", "Never mind"))
    # It is a note of the vault now: what it held is kept.
    assert "\nWhat it held: '" in run(*into).err
