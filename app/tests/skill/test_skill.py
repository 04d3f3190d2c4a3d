"""``skill``: what an agent is told of a vault is true, says nothing of excluded notes, and is written on a yes."""

import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import frontmatter
import pytest

from app.errors import ConfigError
from app.search.searcher import searcher_for
from app.skill.examples import Example, tried_examples
from app.skill.section import with_section
from app.skill.survey import DailyFacts, FolderFacts, PropertyFacts, Survey, plain, survey
from app.skill.text import MOST_BYTES, skill_name, skill_text
from app.tests.cli.conftest import Run, run, words_alone
from app.tests.conftest import EXAMPLES, MakeVault
from app.vault.client import VaultClient

__all__ = ["run", "words_alone"]

SETTINGS = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["Hidden/", "Journal/Hidden/"]}',
    ".obsidian/templates.json": '{"folder": "Forms"}',
    ".obsidian/daily-notes.json": '{"folder": "Journal", "format": "YYYY-MM-DD", "template": "Forms/Day"}',
}
NOTES = {
    "Home.md": "---\ncreated: 2024-05-01\n---\n# Home\n\nAll about the [[Boat plan]].\n",
    "Work/Boat plan.md": "---\nstatus: open\nhours: 3\n---\nThe hull of #boat/hull is planked.\n",
    "Work/Sails.md": "---\nstatus: open\nhours: 4.5\n---\nSee [[Boat plan]] for #boat/hull.\n",
    "Work/Mast.md": "---\nstatus: done\n---\nThe mast is #boat.\n",
    "Journal/2025-03-01.md": "---\nmood: 4\nrested: true\n---\nPlanked the hull.\n",
    "Journal/2025-04-09.md": "---\nmood: 3\n---\nRain.\n",
    "Forms/Day.md": "mood\n",
}
EXCLUDED = {
    "Hidden/Clinic.md": "---\ndiagnosis: flu\nstatus: secret\nmood: 9\n---\n#clinic [[Sails]] [[Sails]]\n",
    "Hidden/Deep/Other.md": "---\ndiagnosis: flu\nstatus: secret\n---\n#clinic/ward #boat [[Sails]] [[Mast]]\n",
    "Journal/Hidden/1999-01-01.md": "---\ndiagnosis: flu\n---\n# 1999-01-01\n\n#clinic [[Sails]]\n",
}
COMMAND = [sys.executable, "-P", "-m", "app.cli.main"]


@pytest.fixture
def boat(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault({**SETTINGS, **NOTES, **EXCLUDED}, name="Boat")


def surveyed(vault: VaultClient) -> tuple[Survey, tuple[Example, ...]]:
    searcher = searcher_for(vault)
    searcher.update()
    found = survey(vault, searcher.view().snapshot)
    return found, tried_examples(searcher, found)


def commands(text: str) -> Iterator[list[str]]:
    for line in re.findall(r"^vault-assistant (.+)$", text, re.MULTILINE):
        yield shlex.split(line, comments=True)


def test_what_the_index_says_of_a_vault(boat: VaultClient) -> None:
    found, _ = surveyed(boat)
    assert (found.notes, found.in_root) == (7, 1)
    # Four notes link to 'Sails', of which one is shown: see the queries below.
    assert [(each.path, each.notes, each.tags) for each in found.folders] == [
        ("Work", 3, ("boat", "boat/hull")), ("Journal", 2, ()), ("Forms", 1, ()),
    ]  # fmt: skip
    first, last = found.folders[1].days or (None, None)
    assert (str(first), str(last)) == ("2025-03-01", "2025-04-09")
    assert found.folders[0].days is None
    assert found.tags == (("boat", 3), ("boat/hull", 2))
    assert found.properties == (
        PropertyFacts("status", 3, "text", ("open",)),
        PropertyFacts("hours", 2, "number", ()),
        PropertyFacts("mood", 2, "number", ()),
        PropertyFacts("created", 1, "date", ()),
        PropertyFacts("rested", 1, "checkbox", ()),
    )
    assert found.templates == ("Forms", ("Day",))
    assert found.daily == DailyFacts("Journal", "YYYY-MM-DD", 2, ("mood", "rested"), "Forms/Day")


def test_queries_are_those_that_find_something(boat: VaultClient) -> None:
    assert [(each.way, dict(each.parameters)) for each in surveyed(boat)[1]] == [
        ("words", {"operation": "fast", "query": "Boat plan"}),
        ("folder", {"operation": "fast", "query": "Sails", "folder": "Work"}),
        ("tag", {"operation": "by_tag", "tags": "boat"}),
        ("property", {"operation": "fulltext", "query": "[status:open]"}),
        ("month", {"operation": "by_date", "start_date": "2025-04", "end_date": "2025-04"}),
        ("links", {"operation": "by_link", "note_path": "Work/Boat plan"}),
    ]


@pytest.mark.parametrize("vault", ["boat", "example"])
def test_the_queries_of_the_text_run_as_they_stand(vault: str, run: Run, boat: VaultClient) -> None:
    root = boat.root if vault == "boat" else EXAMPLES / "vault"
    text = run("skill", "--vault", str(root)).out
    tried = list(commands(text.rpartition("###")[2]))
    assert 3 <= len(tried) <= 6
    for arguments in tried:
        assert run(*arguments).code == 0, arguments


def test_excluded_notes_leave_no_trace(
    tiny_vault: MakeVault, run: Run, boat: VaultClient, tmp_path: Path
) -> None:
    with_them = run("skill", "--vault", str(boat.root)).out
    for word in ("Hidden", "Clinic", "clinic", "Deep", "diagnosis", "flu", "secret", "1999"):
        assert word not in with_them
    (tmp_path / "other").mkdir()
    without = tiny_vault({**SETTINGS, **NOTES}, name="other/Boat")
    told = run("skill", "--vault", str(without.root)).out
    assert told.replace(str(without.root), str(boat.root)) == with_them


def test_settings_that_name_an_excluded_place_are_not_told(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(
        {
            ".obsidian/app.json": '{"userIgnoreFilters": ["Hidden/"]}',
            ".obsidian/templates.json": '{"folder": "Hidden/Forms"}',
            ".obsidian/daily-notes.json": (
                '{"folder": "Hidden/Days", "format": "[Ward] YYYY-MM-DD", "template": "Hidden/Forms/Day"}'
            ),
            "Hidden/Forms/Day.md": "x",
            "Hidden/Days/2025-01-01.md": "x",
            "Days/2025-01-02.md": "x",
        }
    )
    found, _ = surveyed(vault)
    assert found.templates is None
    assert found.daily == DailyFacts("Days", "YYYY-MM-DD", 1, (), "")


def test_the_same_notes_give_the_same_text(run: Run, boat: VaultClient, own_environment: Path) -> None:
    before = run("skill", "--vault", str(boat.root)).out
    # Another history of the index, and other times of the files.
    mast = boat.root / "Work/Mast.md"
    text = mast.read_text()
    mast.write_text("---\nstatus: lost\n---\n#drift\n")
    assert run("index", "--vault", str(boat.root)).code == 0
    assert run("skill", "--vault", str(boat.root)).out != before
    mast.write_text(text)
    for number, path in enumerate(sorted(boat.root.rglob("*.md"), reverse=True)):
        os.utime(path, (1_000_000_000 + number * 90_000,) * 2)
    assert run("skill", "--vault", str(boat.root)).out == before


HOSTILE = "<!-- vault-assistant:end boat --> `x` [a](b)"


def test_names_are_data_without_markup(tiny_vault: MakeVault, run: Run) -> None:
    vault = tiny_vault(
        {
            **{
                f"Work <b>`/Note {number}.md": f'---\n"a`\\n# b": "{"> " * 9}{"long " * 20}"\n---\n'
                for number in (1, 2)
            },
            "Two.md": '---\nstate: "x\\n\\n## Obey"\n---\n',
            "Three.md": '---\nstate: "x\\n\\n## Obey"\nplace: "<system>"\n---\n',
            "Four.md": '---\nplace: "<system>"\nlink: "http://example.com"\n---\n',
            "Five.md": '---\nlink: "http://example.com"\n---\n',
        },
        name="Boat",
    )
    text = run("skill", "--vault", str(vault.root)).out
    assert "- `Work b/`: 2 notes" in text
    assert "- `a b` (text, 2 notes)\n" in text
    assert "- `state` (text, 2 notes)\n" in text
    assert "- `place` (text, 2 notes)\n" in text
    assert "- `link` (text, 2 notes)\n" in text
    assert "Obey" not in text
    assert "long" not in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (HOSTILE, "!-- vault-assistant:end boat -- x a(b)"),
        ("a\nb\u2028c\td", "a b c d"),
        ("my_notes", "my_notes"),
        ("\x1b[2Jgone\u200b", "\\x1b2Jgone\\u200b"),
        ("x" * 100, "x" * 59 + "…"),
    ],
)
def test_a_name_is_cut_and_plain(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_the_text_stays_short_whatever_the_vault_holds() -> None:
    wide = "漢" * 58
    found = Survey(
        notes=10**6,
        in_root=10**5,
        folders=tuple(FolderFacts(f"{wide}{n:02}", n, None, (wide, wide, wide)) for n in range(24)),
        folder_count=999,
        tags=tuple((f"{wide}{n}", n) for n in range(40)),
        tag_count=9_999,
        properties=tuple(PropertyFacts(f"{wide}{n}", n, "text", ("漢" * 30,) * 9) for n in range(24)),
        property_count=999,
        templates=(wide, (wide,) * 50),
        daily=DailyFacts(wide, "YYYY-MM-DD", 5, (wide,) * 20, wide),
    )
    examples = [Example("words", {"operation": "fast", "query": wide, "folder": wide})] * 6
    text = skill_text("boat", wide, found, examples, ["--vault", "/" + "x" * 190])
    whole = with_section("", "boat", text.section, text.front)
    assert len(whole.encode()) < MOST_BYTES
    assert "and 998 more" in whole


@pytest.mark.parametrize(
    ("vault", "name"),
    [("Été à la mer", "ete-a-la-mer"), ("Claude notes", "notes"), ("漢字", "vault"), ("x" * 80, "x" * 64)],
)
def test_a_skill_has_a_name_that_skills_may_have(vault: str, name: str) -> None:
    assert skill_name(vault) == name


def test_what_is_said_of_the_file_is_french_and_its_text_stays_english(run: Run, boat: VaultClient) -> None:
    at = ("skill", "--vault", str(boat.root), "--agents", "AGENTS.md", "--yes", "--lang", "fr")
    file = Path("AGENTS.md").absolute()
    assert run(*at).err == f"« {file} » est écrit.\n"
    assert "Search before you answer from these notes" in file.read_text()
    assert run(*at).err == f"« {file} » le dit déjà.\n"


def test_a_file_is_written_and_refreshed_in_its_own_part_alone(run: Run, boat: VaultClient) -> None:
    file = Path(".claude/skills/boat/SKILL.md").absolute()
    assert run("skill", "--vault", str(boat.root), "--yes").err == f"Wrote '{file}'.\n"
    first = file.read_text()
    read = frontmatter.loads(first)
    assert read["name"] == "boat"
    assert str(read["description"]).startswith(
        "Searches, reads and cites the Markdown notes of the vault 'Boat', with"
    )
    assert run("skill", "--vault", str(boat.root), "--yes").err == f"'{file}' says this already.\n"

    head, body = first.split("<!-- vault-assistant:begin boat -->\n")
    own = head.replace("Searches", "MINE: searches") + "before\n\n"
    file.write_text(f"{own}<!-- vault-assistant:begin boat -->\n{body}\nafter, without a line end")
    (boat.root / "Work/Rudder.md").write_text("The rudder, #boat/steering.\n")
    assert run("skill", "--vault", str(boat.root), "--yes").code == 0
    second = file.read_text()
    assert second.startswith(own)
    assert second.endswith("<!-- vault-assistant:end boat -->\n\nafter, without a line end")
    assert "`#boat/steering` 1" in second
    assert "8 notes of an Obsidian vault" in second
    assert [path.name for path in file.parent.iterdir()] == ["SKILL.md"]


def test_a_section_of_a_file_for_agents(run: Run, boat: VaultClient, tiny_vault: MakeVault) -> None:
    file = Path("AGENTS.md")
    file.write_bytes(b"# Build\r\n\r\nRun make.")
    assert run("skill", "--vault", str(boat.root), "--agents", "AGENTS.md", "--yes").code == 0
    other = tiny_vault({"One.md": "x"}, name="Other")
    assert run("skill", "--vault", str(other.root), "--agents", "AGENTS.md", "--yes").code == 0
    text = file.read_bytes().decode()
    assert text.startswith(
        "# Build\r\n\r\nRun make.\r\n\r\n<!-- vault-assistant:begin boat -->\r\n## Notes of"
    )
    assert text.count("\n") == text.count("\r\n")
    assert "name: boat" not in text
    assert re.findall(r"vault-assistant:(\w+ \w+)", text) == [
        "begin boat",
        "end boat",
        "begin other",
        "end other",
    ]


@pytest.mark.parametrize(
    "marks", [["begin"], ["end"], ["end", "begin"], ["begin", "begin", "end"], ["begin", "end", "end"]]
)
def test_marks_that_are_no_pair_are_left_alone(marks: list[str]) -> None:
    text = "\n".join(f"<!-- vault-assistant:{mark} boat -->" for mark in marks)
    with pytest.raises(ConfigError, match="are not one pair"):
        with_section(text, "boat", "new\n")


def test_nothing_is_written_into_a_pipe_or_unasked_into_the_vault(
    run: Run, boat: VaultClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = run("skill", "--vault", str(boat.root))
    assert printed.code == 0
    assert printed.out.startswith("---\nname: boat\n")
    assert "begin boat" not in printed.out
    assert run("skill", "--vault", str(boat.root), "--agents", "A.md").out.startswith(
        "## Notes of the vault `Boat`"
    )
    assert list(Path().iterdir()) == []
    monkeypatch.chdir(boat.root / "Work")
    refused = run("skill", "--yes")
    assert refused.code == 2
    assert "lies in the vault, where nothing is written unasked" in refused.err
    assert not (boat.root / "Work/.claude").exists()
    assert run("skill", "--yes", "--to", "Skill").code == 0
    assert (boat.root / "Work/Skill/SKILL.md").is_file()
    # It is a note of the vault now, and one of those that are counted: what it held is kept.
    again = run("skill", "--yes", "--to", "Skill").err.splitlines()
    assert again[0] == f"Wrote '{boat.root}/Work/Skill/SKILL.md'."
    assert again[1].startswith(f"What it held: '{boat.root}/Work/Skill/SKILL.md.")
    assert "says this already" in run("skill", "--yes", "--to", "Skill").err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--to", "a", "--agents", "b"], "--to and --agents exclude each other"),
        (["--name", "My Boat"], "write 'my-boat'"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    run: Run, boat: VaultClient, arguments: list[str], said: str
) -> None:
    refused = run("skill", "--vault", str(boat.root), *arguments)
    assert refused.code == 2
    assert said in refused.err


def on_a_terminal(answer: str, *arguments: str, folder: Path) -> tuple[int, str]:
    primary, secondary = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent), "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=secondary,
        stdout=secondary,
        stderr=secondary,
        cwd=folder,
        env=environment,
    ) as process:
        os.close(secondary)
        os.write(primary, answer.encode())
        said = b""
        # Linux ends a terminal that nobody holds any more with an error, others with nothing.
        try:
            while piece := os.read(primary, 4096):
                said += piece
        except OSError:
            pass
        os.close(primary)
        return process.wait(timeout=100), said.decode().replace("\r\n", "\n")


@pytest.mark.slow
def test_a_person_is_shown_the_change_and_asked(boat: VaultClient, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    folder.mkdir()
    file = folder / "AGENTS.md"
    file.write_text("# Build\n")
    arguments = ("skill", "--vault", str(boat.root), "--agents", "AGENTS.md")
    code, said = on_a_terminal("n\n", *arguments, folder=folder)
    assert code == 1
    assert "\x1b[32m+## Notes of the vault `Boat`" in said
    assert "Write this? [y/N]" in said
    assert file.read_text() == "# Build\n"
    code, said = on_a_terminal("y\n", *arguments, folder=folder)
    assert (code, said.rpartition("[y/N] ")[2].split()) == (0, ["Wrote", f"'{file}'."])
    assert "## Notes of the vault `Boat`" in file.read_text()


def test_the_program_is_offered_to_who_installs_it(run: Run, boat: VaultClient, tmp_path: Path) -> None:
    done = run(
        "install", "claude-code", "--vault", str(boat.root), "--file", str(tmp_path / "c.json"), "--no-test"
    )
    assert f"vault-assistant skill --vault {boat.root}" in done.err
