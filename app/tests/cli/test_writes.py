"""``mv``, ``rm``, ``undo`` and ``log``: short names of writes, and what they say."""

import re
import shutil
from pathlib import Path

import pytest

from app.tests.cli.conftest import Run
from app.tests.cli.session import INTERRUPT, Session
from app.tests.cli.terminal import on_terminal
from app.tests.conftest import MakeVault

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
    gone = run("rm", "Home", "serre", "--yes", "--vault", garden)
    moved = ("Done: moved 'Home.md' to '.trash/Home.md'.", "Done: moved 'serre.md' to '.trash/serre.md'.")
    assert (gone.code, gone.out.splitlines()) == (0, [*moved])
    assert sorted(file.name for file in local_trash.iterdir()) == ["Home.md", "serre.md"]
    # One name that is wrong keeps all of them.
    wrong = run("rm", "Greenhouse", "Nowhere", "--yes", "--vault", garden)
    assert (wrong.code, Path(garden, GREENHOUSE).exists()) == (2, True)
    # One undo takes the command back.
    assert run("undo", "--yes", "--vault", garden).code == 0
    assert Path(garden, "Home.md").exists()
    assert Path(garden, "serre.md").exists()
    again = run("rm", "Home", "serre", "Home", "--yes", "--json", "--vault", garden).json
    assert (again["done"], again["changed"]) == (True, ["Home.md", "serre.md"])
    assert run("undo", "--yes", "--vault", garden).code == 0
    forever = run("rm", "serre", "--permanent", "-y", "--vault", garden)
    assert forever.out == "Done: delete 'serre.md' for good.\n"


def test_undo_says_what_it_takes_back(run: Run, garden: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run("mv", "Greenhouse", "Glasshouse", "--yes", "--vault", garden)
    run("new", "Fresh", "--vault", garden)
    when = r"\d{4}-\d\d-\d\d \d\d:\d\d"
    named = run("undo", "Glasshouse", "--yes", "--vault", garden)
    assert re.fullmatch(rf"Done: take back move '{GREENHOUSE}' \({when}\)\.\n", named.out)
    assert Path(garden, GREENHOUSE).exists()
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    last = run("undo", "--yes", "--vault", garden)
    said = last.out.replace("\xa0", " ").replace("\u202f", " ")
    assert re.fullmatch(rf"Fait : annuler : création de « Fresh\.md » \({when}\)\.\n", said)
    nothing = run("undo", "--yes", "--vault", garden)
    assert (nothing.code, "aucune écriture ne peut être annulée" in nothing.err) == (2, True)


def test_log_lists_writes_newest_first(run: Run, garden: str, local_trash: Path) -> None:
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
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", row[0]) for row in rows)
    data = run("undo", "--list", "--json", "--vault", garden).json
    assert (data["total"], [each["path"] for each in data["writes"]]) == (4, ["Fresh.md"] * 4)
    assert [each["operation"] for each in run("undo", "--list", "Fresher", "--json", "--vault", garden).json["writes"]] == [
        "undo", "move",
    ]  # fmt: skip
    shown = on_terminal("undo", "--list", "--vault", garden, columns=30, environment={"NO_COLOR": "1"}).text
    plain = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "DAY", shown)
    assert plain.splitlines()[:3] == ["DAY  delete", " " * 18 + "Fresh.md", "DAY  undo"]


def test_what_is_excluded_is_not_named_in_the_list(run: Run, garden: str) -> None:
    run("mv", "serre", "Serre/", "--yes", "--vault", garden)
    Path(garden, ".obsidian/app.json").write_text('{"userIgnoreFilters": ["Serre/"]}')
    assert run("undo", "--list", "--vault", garden).out.split("\t")[1:] == [
        "move",
        "serre.md -> an excluded note\n",
    ]
    assert run("undo", "--list", "Serre/serre", "--vault", garden).code == 1


def test_a_text_that_excluded_notes_alone_had_is_not_in_the_list(run: Run, garden: str) -> None:
    Path(garden, "larch.md").write_text("the larch\n")
    assert run("replace", "larch", "oak", "--yes", "--vault", garden).code == 0
    assert run("undo", "--list", "--vault", garden).out.endswith("\treplace\tlarch.md\t\tlarch -> oak\n")
    Path(garden, ".obsidian/app.json").write_text('{"userIgnoreFilters": ["larch.md"]}')
    listed = run("undo", "--list", "--vault", garden).out
    assert listed.split("\t")[1:] == ["replace", "an excluded note\n"]
    assert run("undo", "--list", "--json", "--vault", garden).json["writes"][0]["renamed"] is None


def test_a_tag_is_renamed_and_a_text_replaced_as_one_write(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(garden)
    shown = run("replace", "--tag", "garden", "yard", "--dry-run", "--vault", garden)
    assert (shown.code, "+tags: [yard, yard/glass]" in shown.out.splitlines()) == (0, True)
    assert "tags: [garden, garden/glass]" in Path(garden, GREENHOUSE).read_text()
    done = run("replace", "--tag", "#Garden", "#yard", "--yes", "--vault", garden)
    assert (done.code, done.out) == (0, "Done: rename #Garden to #yard in 1 note.\n")
    assert done.err == "Note: excluded notes are neither read nor changed.\n"
    assert run("list", "--tag", "yard/glass", "-l", "--vault", garden).out == f"{GREENHOUSE}\n"
    replaced = run("replace", "The", "A", "--yes", "--json", "--vault", garden).json
    assert replaced["changed"] == [GREENHOUSE]
    assert [line.split("\t")[1] for line in run("undo", "--list", "--vault", garden).out.splitlines()] == [
        "replace",
        "retag",
    ]
    assert run("undo", "--yes", "--vault", garden).code == 0
    assert run("undo", "--yes", "--vault", garden).code == 0
    assert "tags: [garden, garden/glass]" in Path(garden, GREENHOUSE).read_text()
    assert run("replace", "--tag", "none", "yard", "--vault", garden).err == "No note has #none.\n"


def test_a_write_from_within_another_vault_says_which_one_it_is_in(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other" / ".obsidian").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "other")
    made = run("new", "Where am I", "--vault", garden)
    assert f"This is about the vault '{garden}', not about the one of this folder" in made.err
    assert Path(garden, "Where am I.md").exists()
    assert f"This is about the vault '{garden}'" in run("rm", "Where am I", "-y", "--vault", garden).err
    monkeypatch.chdir(Path(garden, "projects"))
    assert run("new", "Here", "--vault", garden).err == ""


def test_a_long_change_says_once_more_what_it_is_about(run: Run, garden: str) -> None:
    for number in range(12):
        Path(garden, f"N{number}.md").write_text("a pane\n", encoding="utf-8")
    asked = run("replace", "pane", "window", "--vault", garden).err.splitlines()
    assert asked[0].startswith("Replace 'pane' by 'window'")
    assert asked[0] in asked[-4:]


def test_a_task_that_is_begun_is_open_and_one_that_is_cancelled_is_not(run: Run, garden: str) -> None:
    text = "".join(f"- [{sign}] task {number}\n" for number, sign in enumerate(" /xX->?", 1))
    Path(garden, "Tasks.md").write_text(text, encoding="utf-8")
    shown = run("list", "tasks", "--vault", garden).out
    assert [number for number in range(1, 8) if f"task {number}" in shown] == [1, 2, 6, 7]


def test_several_notes_are_asked_about_once(garden: str) -> None:
    with Session("rm", "Home", "serre", "--vault", garden) as session:
        shown = session.wait_for("[y/N]")
        assert all(f"Put '{name}.md' into the system's trash" in shown for name in ("Home", "serre"))
        session.type("n\r")
        assert session.end() == 1
    assert Path(garden, "Home.md").exists()


def test_of_several_notes_none_goes_where_one_was_changed_meanwhile(garden: str, local_trash: Path) -> None:
    with Session("rm", "Home", "serre", "--vault", garden, "--no-pager") as session:
        session.wait_for("[y/N]")
        Path(garden, "serre.md").write_text("changed\n")
        session.type("y\r")
        assert session.end() == 2
    assert Path(garden, "Home.md").exists()
    assert "'serre.md' changed meanwhile" in session.text


def test_a_change_is_shown_without_colours_where_none_are_wanted(garden: str) -> None:
    with Session("replace", "heating", "stove", "--color", "never", "--vault", garden) as session:
        assert "\x1b[3" not in session.wait_for("[y/N]")
        session.type("n\r")
        assert session.end() == 1


def test_a_pager_that_fails_has_shown_nothing(garden: str) -> None:
    Path(garden, "Long.md").write_text("".join(f"larch {number}\n" for number in range(80)))
    with Session("replace", "larch", "oak", "--vault", garden, environment={"PAGER": "false"}) as session:
        assert "oak 70" in session.wait_for("[y/N]")
        session.type("n\r")
        assert session.end() == 1


def test_a_long_change_is_read_page_by_page_and_asked_about_at_its_end(garden: str) -> None:
    before = "".join(f"larch {number}\n" for number in range(80))
    Path(garden, "Long.md").write_text(before)
    # A pager that shows the beginning, and is left there.
    for key, code in (("n\r", 1), (INTERRUPT, 130), ("y\r", 0)):
        with Session(
            "replace", "larch", "oak", "--vault", garden, environment={"PAGER": "head -3"}
        ) as session:
            shown = session.wait_for("[y/N]")
            assert shown.count("Replace 'larch' by 'oak', 80 times in 1 note.") == 2
            assert "oak 70" not in session.text
            session.type(key)
            assert session.end() == code
        assert (Path(garden, "Long.md").read_text() == before) == (code != 0)


@pytest.mark.skipif(shutil.which("less") is None, reason="less is not installed")
def test_a_pager_says_that_a_question_follows(garden: str) -> None:
    Path(garden, "Long.md").write_text("".join(f"larch {number}\n" for number in range(80)))
    asked = ["--lang", "fr", "replace", "larch", "oak", "--vault", garden]
    with Session(*asked, environment={"PAGER": "less"}) as session:
        session.wait_for("q ferme ceci, puis vient la question")
        session.type("q")
        session.wait_for("[o/N]")
        session.type("n\r")
        assert session.end() == 1


@pytest.mark.parametrize("name", ["Leeks #1", "a: b", "plans/a|b", "new: one/Leeks"])
def test_a_name_that_new_refuses_is_refused_by_mv(run: Run, tiny_vault: MakeVault, name: str) -> None:
    root = tiny_vault({"Leeks.md": "x\n", "plans/Old.md": "", "#1/Old.md": ""}).root
    refused = run("mv", "Leeks", name, "--yes", "--vault", str(root))
    assert (refused.code, refused.err.startswith("error: the title '")) == (2, True)
    assert (root / "Leeks.md").exists()


def test_mv_keeps_a_name_and_folders_that_are_there_and_drops_blanks(run: Run, tiny_vault: MakeVault) -> None:
    root = tiny_vault({"a: b.md": "x\n", "#1/Old.md": ""}).root
    assert run("mv", "a: b", "#1/new /a: b", "--yes", "--vault", str(root)).code == 0
    assert (root / "#1/new/a: b.md").exists()
    assert run("mv", "Old", " Leeks ", "--yes", "--vault", str(root)).code == 0
    assert (root / "#1/Leeks.md").exists()
