"""``mv``, ``rm``, ``replace`` and ``undo``: short names of writes, and what they say."""

from pathlib import Path

import pytest

from app.tests.cli.conftest import Run
from app.tests.cli.session import INTERRUPT, Session

GREENHOUSE = "projects/garden/Greenhouse.md"
GLASSHOUSE = "projects/garden/Glasshouse.md"


@pytest.fixture
def local_trash(garden: str) -> Path:
    """The vault's own setting to delete into ``.trash/``."""
    file = Path(garden, ".obsidian/app.json")
    file.write_text('{"userIgnoreFilters": ["private/"], "trashOption": "local"}', encoding="utf-8")
    return Path(garden, ".trash")


def test_mv_rewrites_links_and_asks_first(run: Run, garden: str) -> None:
    refused = run("mv", "Greenhouse", "Glasshouse", "--vault", garden)
    assert (refused.code, refused.out) == (2, "")
    asked = refused.err.splitlines()
    assert asked[0] == f"Move '{GREENHOUSE}' to '{GLASSHOUSE}'."
    assert "-See [[Greenhouse]] and [[Missing]]." in asked
    assert asked[-2:] == ["error: nothing was written: nobody is here to approve it", "hint: add --yes"]
    assert Path(garden, GREENHOUSE).exists()
    moved = run("mv", "Greenhouse", "Glasshouse", "--yes", "--vault", garden)
    assert (moved.code, moved.out) == (0, f"Done: move '{GREENHOUSE}' to '{GLASSHOUSE}'.\n")
    assert Path(garden, "Home.md").read_text() == "# Home\n\nSee [[Glasshouse]] and [[Missing]].\n"
    folder = run("mv", "Glasshouse", "attic/", "-y", "--json", "--vault", garden).json
    assert folder["changed"] == [GLASSHOUSE, "attic/Glasshouse.md"]


def test_rm_puts_notes_into_the_trash(run: Run, garden: str, local_trash: Path) -> None:
    # One name that is wrong keeps all of them.
    wrong = run("rm", "Greenhouse", "Nowhere", "--yes", "--vault", garden)
    assert (wrong.code, Path(garden, GREENHOUSE).exists()) == (2, True)
    gone = run("rm", "Home", "serre", "Home", "--yes", "--json", "--vault", garden).json
    assert (gone["done"], gone["changed"]) == (True, ["Home.md", "serre.md"])
    assert sorted(file.name for file in local_trash.iterdir()) == ["Home.md", "serre.md"]
    # One undo takes the command back.
    assert run("undo", "--yes", "--vault", garden).code == 0
    assert Path(garden, "Home.md").exists()
    forever = run("rm", "serre", "--permanent", "-y", "--vault", garden)
    assert forever.out == "Done: delete 'serre.md' for good.\n"
    assert not Path(garden, "serre.md").exists()


def test_the_list_of_writes_has_the_newest_first(run: Run, garden: str, local_trash: Path) -> None:
    empty = run("undo", "--list", "--vault", garden)
    assert (empty.code, empty.out, empty.err) == (1, "", "Nothing was written yet.\n")
    run("new", "Fresh", "--vault", garden)
    run("mv", "Fresh", "Fresher", "--yes", "--vault", garden)
    run("undo", "--yes", "--vault", garden)
    run("rm", "Fresh", "--yes", "--vault", garden)
    rows = [line.split("\t") for line in run("undo", "--list", "--vault", garden).out.splitlines()]
    assert [row[1:] for row in rows] == [
        ["delete", "Fresh.md"],
        ["undo", "Fresh.md"],
        ["move", "Fresh.md -> Fresher.md", "undone"],
        ["create", "Fresh.md"],
    ]
    data = run("undo", "--list", "Fresher", "--json", "--vault", garden).json
    assert [(each["operation"], each["path"]) for each in data["writes"]] == [
        ("undo", "Fresh.md"),
        ("move", "Fresh.md"),
    ]


def test_what_is_excluded_is_not_named_in_the_list(run: Run, garden: str) -> None:
    hide = Path(garden, ".obsidian/app.json").write_text
    run("mv", "serre", "Serre/", "--yes", "--vault", garden)
    hide('{"userIgnoreFilters": ["Serre/"]}')
    moved = run("undo", "--list", "--vault", garden).out
    assert moved.split("\t")[1:] == ["move", "serre.md -> an excluded note\n"]
    assert run("undo", "--list", "Serre/serre", "--vault", garden).code == 1
    # A text that excluded notes alone had is not there either.
    Path(garden, "larch.md").write_text("the larch\n")
    assert run("replace", "larch", "oak", "--yes", "--vault", garden).code == 0
    listed = run("undo", "--list", "--vault", garden).out
    assert listed.splitlines()[0].endswith("\treplace\tlarch.md\t\tlarch -> oak")
    hide('{"userIgnoreFilters": ["larch.md"]}')
    listed = run("undo", "--list", "--vault", garden).out
    assert listed.splitlines()[0].split("\t")[1:] == ["replace", "an excluded note"]
    assert run("undo", "--list", "--json", "--vault", garden).json["writes"][0]["renamed"] is None


def test_a_tag_is_renamed_and_a_text_replaced_as_one_write(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(garden)
    before = Path(garden, GREENHOUSE).read_text()
    shown = run("replace", "--tag", "garden", "yard", "--dry-run", "--vault", garden)
    assert (shown.code, "+tags: [yard, yard/glass]" in shown.out.splitlines()) == (0, True)
    assert Path(garden, GREENHOUSE).read_text() == before
    done = run("replace", "--tag", "#Garden", "#yard", "--yes", "--vault", garden)
    assert (done.code, done.out) == (0, "Done: rename #Garden to #yard in 1 note.\n")
    assert done.err == "Note: excluded notes are neither read nor changed.\n"
    assert run("list", "--tag", "yard/glass", "-l", "--vault", garden).out == f"{GREENHOUSE}\n"
    replaced = run("replace", "The", "A", "--yes", "--json", "--vault", garden).json
    assert replaced["changed"] == [GREENHOUSE]
    for _ in range(2):
        assert run("undo", "--yes", "--vault", garden).code == 0
    assert Path(garden, GREENHOUSE).read_text() == before
    assert run("replace", "--tag", "none", "yard", "--vault", garden).err == "No note has #none.\n"


def test_a_write_from_within_another_vault_says_which_one_it_is_in(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other" / ".obsidian").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "other")
    made = run("new", "Where am I", "--vault", garden)
    assert f"This is about the vault '{garden}', not about the one of this folder" in made.err
    assert Path(garden, "Where am I.md").exists()
    monkeypatch.chdir(Path(garden, "projects"))
    assert run("new", "Here", "--vault", garden).err == ""


def test_of_several_notes_none_goes_where_one_was_changed_meanwhile(garden: str, local_trash: Path) -> None:
    with Session("rm", "Home", "serre", "--vault", garden, "--no-pager") as session:
        session.wait_for("[y/N]")
        Path(garden, "serre.md").write_text("changed\n")
        session.type("y\r")
        assert session.end() == 2
    assert Path(garden, "Home.md").exists()
    assert "'serre.md' changed meanwhile" in session.text


@pytest.mark.parametrize(("key", "code"), [(INTERRUPT, 130), ("y\r", 0), ("n\r", 1)])
def test_a_change_is_made_on_a_yes_alone(garden: str, key: str, code: int) -> None:
    before = "".join(f"larch {number}\n" for number in range(80))
    Path(garden, "Long.md").write_text(before)
    with Session("replace", "larch", "oak", "--color", "never", "--vault", garden) as session:
        session.wait_for("[y/N]")
        assert "Replace 'larch' by 'oak', 80 times in 1 note." in session.text
        assert "oak 70" in session.text
        assert "\x1b[3" not in session.text
        session.type(key)
        assert session.end() == code
    assert (Path(garden, "Long.md").read_text() == before) == (code != 0)


def test_mv_renames_a_heading(run: Run, garden: str) -> None:
    Path(garden, "Home.md").write_text("See [[Greenhouse#Greenhouse]].\n")
    asked = run("mv", "Greenhouse#Greenhouse", "#Glass", "--vault", garden)
    assert (asked.code, "+See [[Greenhouse#Glass]]." in asked.err) == (2, True)
    done = run("mv", "Greenhouse#Greenhouse", "Greenhouse#Glass", "--yes", "--vault", garden)
    assert done.out == f"Done: rename 'Greenhouse' to 'Glass' in '{GREENHOUSE}'.\n"
    assert Path(garden, "Home.md").read_text() == "See [[Greenhouse#Glass]].\n"
