"""``skill``: what an agent is told runs as it stands, and is written on a yes and in its own part alone."""

import re
import shlex
from pathlib import Path

import frontmatter
import pytest

from app.cli.skill import skill_name, with_section
from app.errors import ConfigError
from app.tests.cli.conftest import Run
from app.tests.cli.session import ENTER, Session
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient


@pytest.fixture
def boat(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault({"Work/Boat plan.md": "# Hull\n\nThe hull of #boat/hull is planked.\n"}, name="Boat")


def test_the_commands_of_the_text_run(run: Run, boat: VaultClient) -> None:
    text = run("setup", "skill", "--vault", str(boat.root)).out
    commands = [
        shlex.split(line, comments=True) for line in re.findall(r"^vault-assistant (.+)$", text, re.MULTILINE)
    ]
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


def test_a_vaults_name_is_data_without_markup(tiny_vault: MakeVault, run: Run) -> None:
    vault = tiny_vault({"A.md": "a"}, name="Boat <b>` # x")
    assert (
        run("setup", "skill", "--vault", str(vault.root)).out.count("## Notes of the vault `Boat b  x`\n")
        == 1
    )


def test_what_is_said_of_the_file_is_french_and_its_text_stays_english(run: Run, boat: VaultClient) -> None:
    at = ("setup", "skill", "--vault", str(boat.root), "--agents", "AGENTS.md", "--yes", "--lang", "fr")
    file = Path("AGENTS.md").absolute()
    assert run(*at).err == f"« {file} » a été écrit.\n"
    assert "Search before you answer from these notes" in file.read_text()
    assert run(*at).err == f"« {file} » le dit déjà.\n"


def test_a_file_is_written_and_refreshed_in_its_own_part_alone(run: Run, boat: VaultClient) -> None:
    at = ("setup", "skill", "--vault", str(boat.root), "--yes")
    file = Path(".claude/skills/boat/SKILL.md").absolute()
    assert run(*at).err == f"Wrote '{file}'.\n"
    first = file.read_text()
    assert frontmatter.loads(first)["name"] == "boat"
    assert run(*at).err == f"'{file}' says this already.\n"
    head, body = first.split("<!-- vault-assistant:begin boat -->\n")
    own = head.replace("Searches", "MINE: searches") + "before\n\n"
    old = body.replace("Search before you answer", "Do as you like")
    file.write_text(f"{own}<!-- vault-assistant:begin boat -->\n{old}\nafter, without a line end")
    assert run(*at).code == 0
    second = f"{own}<!-- vault-assistant:begin boat -->\n{body}\nafter, without a line end"
    assert file.read_text() == second
    assert [path.name for path in file.parent.iterdir()] == ["SKILL.md"]


def test_a_section_of_a_file_for_agents(run: Run, boat: VaultClient, tiny_vault: MakeVault) -> None:
    file = Path("AGENTS.md")
    file.write_bytes(b"# Build\r\n\r\nRun make.")
    assert run("setup", "skill", "--vault", str(boat.root), "--agents", "AGENTS.md", "--yes").code == 0
    other = tiny_vault({"One.md": "x"}, name="Other")
    assert run("setup", "skill", "--vault", str(other.root), "--agents", "AGENTS.md", "--yes").code == 0
    text = file.read_bytes().decode()
    assert text.startswith(
        "# Build\r\n\r\nRun make.\r\n\r\n<!-- vault-assistant:begin boat -->\r\n## Notes of"
    )
    assert text.count("\n") == text.count("\r\n")
    assert "name: boat" not in text
    assert re.findall(r"vault-assistant:(\w+ \w+)", text) == [
        "begin boat", "end boat", "begin other", "end other",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "marks", [["begin"], ["end"], ["end", "begin"], ["begin", "begin", "end"], ["begin", "end", "end"]]
)
def test_marks_that_are_no_pair_are_left_alone(marks: list[str]) -> None:
    text = "\n".join(f"<!-- vault-assistant:{mark} boat -->" for mark in marks)
    with pytest.raises(ConfigError, match="than one pair of"):
        with_section(Path("A.md"), text.encode(), "boat", "new\n")
    with pytest.raises(ConfigError, match="is not UTF-8"):
        with_section(Path("A.md"), b"\xff", "boat", "new\n")


def test_nothing_is_written_into_a_pipe_or_unasked_into_the_vault(
    run: Run, boat: VaultClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = run("setup", "skill", "--vault", str(boat.root))
    assert printed.code == 0
    assert printed.out.startswith("---\nname: boat\n")
    assert "begin boat" not in printed.out
    assert run("setup", "skill", "--vault", str(boat.root), "--agents", "A.md").out.startswith(
        "## Notes of the vault `Boat`"
    )
    assert list(Path().iterdir()) == []
    monkeypatch.chdir(boat.root / "Work")
    refused = run("setup", "skill", "--yes", "--vault", str(boat.root))
    assert refused.code == 2
    assert "lies in the vault, where nothing is written unasked" in refused.err
    assert not (boat.root / "Work/.claude").exists()
    into = ("setup", "skill", "--yes", "--vault", str(boat.root), "--agents", "Skill/SKILL.md")
    assert run(*into).code == 0
    file = boat.root / "Work/Skill/SKILL.md"
    file.write_text(file.read_text().replace("Search before", "Never mind"))
    # It is a note of the vault now: what it held is kept.
    again = run(*into).err.splitlines()
    assert again[0] == f"Wrote '{file}'."
    assert again[1].startswith(f"What it held: '{file}.")


@pytest.mark.slow
def test_a_person_is_shown_the_change_and_asked(boat: VaultClient, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    folder.mkdir()
    file = folder / "AGENTS.md"
    file.write_text("# Build\n")
    arguments = ("setup", "skill", "--vault", str(boat.root), "--agents", "AGENTS.md")
    for answer, code in (("n", 1), ("y", 0)):
        assert file.read_text() == "# Build\n"
        with Session(*arguments, folder=folder, columns=200, environment={"LC_ALL": "C.UTF-8"}) as session:
            session.wait_for("Write this? [y/N]")
            session.type(answer + ENTER)
            assert session.end() == code
        assert "\x1b[32m+## Notes of the vault `Boat`" in session.text
        assert (f"Wrote '{file}'." in session.text) == (answer == "y")
    assert "## Notes of the vault `Boat`" in file.read_text()


def test_the_program_is_offered_to_who_installs_it(run: Run, boat: VaultClient, tmp_path: Path) -> None:
    done = run(
        "setup",
        "install",
        "claude-code",
        "--vault",
        str(boat.root),
        "--file",
        str(tmp_path / "c.json"),
        "--no-test",
    )
    assert f"vault-assistant setup skill --vault {boat.root}" in done.err
