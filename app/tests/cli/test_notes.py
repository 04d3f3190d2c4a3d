"""``cat``, ``edit``, ``open``, ``new`` and ``daily``."""

import json
import os
import shlex
import stat
import sys
from datetime import date, datetime
from pathlib import Path

import pytest

from app.config.settings import default_settings
from app.tests.cli.conftest import Run
from app.tests.cli.session import Session
from app.tests.cli.terminal import on_terminal
from app.tests.conftest import MakeVault

GREENHOUSE = "projects/garden/Greenhouse.md"


@pytest.fixture
def settings(garden: str) -> Path:
    """The vault's own settings of new notes, templates and daily notes."""
    folder = Path(garden, ".obsidian")
    for name, values in {
        "app": {"newFileLocation": "folder", "newFileFolderPath": "inbox", "userIgnoreFilters": ["private/"]},
        "templates": {"folder": "Templates", "dateFormat": "DD.MM.YYYY", "timeFormat": "HH[h]"},
        "daily-notes": {"folder": "journal", "format": "YYYY/MM/dddd DD", "template": "Templates/Day"},
    }.items():
        (folder / f"{name}.json").write_text(json.dumps(values), encoding="utf-8")
    templates = Path(garden, "Templates")
    templates.mkdir()
    (templates / "Day.md").write_text("# {{title}}\n{{date:D MMMM YYYY}}, {{Date}}\n", encoding="utf-8")
    (templates / "Meeting.md").write_text(
        "{{title}} {{date}} {{time}} {{other}}\n<% tp.x %>\n", encoding="utf-8"
    )
    return folder


def editor(tmp_path: Path, script: str) -> str:
    """An editor that does what a script says with the file it is given."""
    file = tmp_path / "editor.py"
    file.write_text(
        f"#!/usr/bin/env python3\nimport sys, pathlib\nfile = pathlib.Path(sys.argv[-1])\n{script}\n",
        encoding="utf-8",
    )
    file.chmod(0o755)
    return str(file)


def kept_copies() -> list[Path]:
    return [file for file in default_settings().state_folder.rglob("copies/*/*") if file.is_file()]


@pytest.mark.parametrize("name", ["Home", "Home.md", "[[Home|x]]", "./Home"])
def test_cat_prints_the_bytes_of_a_note(
    capfdbinary: pytest.CaptureFixture[bytes], garden: str, name: str
) -> None:
    from app.cli.main import main

    data = b"\xef\xbb\xbf# Home\r\n\r\nno text: \xff\x1b[31m\r\n"
    Path(garden, "Home.md").write_bytes(data)
    assert main(["cat", name, "--vault", garden]) == 0
    assert capfdbinary.readouterr().out == data


def test_cat_prints_a_part_and_the_longest_name_that_a_note_has(
    capfdbinary: pytest.CaptureFixture[bytes], garden: str
) -> None:
    from app.cli.main import main

    text = "# A\r\n\r\none ^here\r\n\r\n## B\r\n\r\ntwo\r\n\r\n# C\r\n"
    Path(garden, "C# notes.md").write_bytes(text.encode())

    def printed(name: str) -> str:
        assert main(["cat", *name.split(" "), "--vault", garden]) == 0
        return capfdbinary.readouterr().out.decode()

    assert printed("C# notes") == text
    assert printed("C# notes#B") == "## B\r\n\r\ntwo\r\n"
    assert printed("C# notes#a#b") == "## B\r\n\r\ntwo\r\n"
    assert printed("C# notes#^here") == "one ^here\r\n"
    assert main(["cat", "C# notes#D", "--vault", garden]) == 2
    assert b"no heading 'D' in 'C# notes.md'" in capfdbinary.readouterr().err


def test_on_a_terminal_cat_writes_out_what_it_would_obey(garden: str) -> None:
    Path(garden, "Home.md").write_text("# Home\n\x1b[31m" + "long " * 4000, encoding="utf-8")
    shown = on_terminal("--no-pager", "cat", "Home", "--vault", garden)
    assert (shown.code, shown.text) == (0, "# Home\n\\x1b[31m" + "long " * 4000)


def test_edit_writes_what_was_saved_and_undo_takes_it_back(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Path(garden, "Home.md").read_bytes()
    monkeypatch.setenv("EDITOR", editor(tmp_path, "file.write_bytes(file.read_bytes() + b'more\\n')"))
    done = run("edit", "Home", "--vault", garden)
    assert (done.code, done.out, done.err) == (0, "Done: update 'Home.md'.\n", "")
    assert Path(garden, "Home.md").read_bytes() == before + b"more\n"
    assert kept_copies() == []
    assert run("undo", "--yes", "--vault", garden).code == 0
    assert Path(garden, "Home.md").read_bytes() == before


def test_edit_gives_the_editor_a_private_copy_at_the_line_of_a_heading(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    emacs = tmp_path / "emacs"
    Path(
        editor(
            tmp_path,
            f"pathlib.Path({str(seen)!r}).write_text(repr((sys.argv[1:], oct(file.stat().st_mode))))",
        )
    ).rename(emacs)
    monkeypatch.setenv("VISUAL", f"{emacs} -R")
    monkeypatch.setenv("EDITOR", "not-this-one")
    assert run("edit", "Greenhouse#Greenhouse", "--vault", garden).code == 1
    arguments, mode = eval(seen.read_text())
    assert arguments[:2] == ["-R", "+5"]
    assert Path(arguments[2]).name == "Greenhouse.md"
    assert stat.S_IMODE(int(mode, 8)) == 0o600
    assert not Path(arguments[2]).is_relative_to(garden)


def test_a_note_that_changed_meanwhile_is_left_and_the_text_is_kept(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = Path(garden, "Home.md")
    script = f"file.write_text('mine\\n'); pathlib.Path({str(note)!r}).write_text('theirs\\n')"
    monkeypatch.setenv("EDITOR", editor(tmp_path, script))
    failed = run("edit", "Home", "--vault", garden)
    assert (failed.code, failed.out) == (2, "")
    (kept,) = kept_copies()
    assert (note.read_text(), kept.read_text()) == ("theirs\n", "mine\n")
    said, hint, compare, store = failed.err.splitlines()
    assert hint == "hint: the first command shows what differs, the second makes your text the note:"
    assert compare == f"diff {note} {kept}"
    assert (
        said
        == f"error: 'Home.md' was not written: the note changed while you wrote. Your text is kept in {kept}"
    )
    # What it advises is what helps.
    env, visual, _, *command = shlex.split(store)
    assert (env, visual) == ("env", f"VISUAL=cp {kept}")
    monkeypatch.setenv("VISUAL", f"cp {kept}")
    assert run(*command, "--vault", garden).code == 0
    monkeypatch.delenv("VISUAL")
    assert note.read_text() == "mine\n"
    note.write_text("again\n")
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert (
        "la note a changé entre-temps. Le texte est gardé dans" in run("edit", "Home", "--vault", garden).err
    )


def test_without_a_terminal_no_editor_is_started_that_needs_one(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    started = tmp_path / "bin/started"
    vim = tmp_path / "bin/vim"
    vim.write_text(f"#!/bin/sh\ntouch {started}\n")
    vim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{vim.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("EDITOR", "vim")
    refused = run("edit", "Home", "--vault", garden)
    said = "error: the editor 'vim' needs a terminal, and this is none\nhint: name a program by VISUAL"
    assert (refused.code, refused.out, refused.err.startswith(said)) == (2, "", True)
    # Nothing is made that could not be gone on with.
    assert run("new", "Fresh", "--edit", "--vault", garden).code == 2
    assert not Path(garden, "Fresh.md").exists()
    assert not started.exists()
    with Session("edit", "Home", "--vault", garden) as session:
        session.end()
    assert started.exists()


@pytest.mark.parametrize("language", ["C", "fr_FR.UTF-8"])
def test_on_a_terminal_the_commands_that_help_are_not_broken(
    garden: str, tmp_path: Path, language: str
) -> None:
    note = Path(garden, "Home.md")
    script = f"file.write_text('mine\\n'); pathlib.Path({str(note)!r}).write_text('theirs\\n')"
    environment = {"EDITOR": editor(tmp_path, script), "LC_ALL": language}
    with Session("edit", "Home", "--vault", garden, columns=60, environment=environment) as session:
        assert session.end() == 2
    (kept,) = kept_copies()
    # A terminal goes on with a long line by itself, and copies it as one.
    lines = session.text.replace("\r\n", "\n").splitlines()
    assert lines[-2:] == [
        f"diff {note} {kept}",
        f"env 'VISUAL=cp {kept}' vault-assistant edit {note} --vault {garden}",
    ]


def test_an_editor_that_fails_writes_nothing_and_loses_nothing(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Path(garden, "Home.md").read_bytes()
    monkeypatch.setenv("EDITOR", editor(tmp_path, "file.write_text('mine\\n'); sys.exit(3)"))
    failed = run("edit", "Home", "--vault", garden)
    assert (failed.code, Path(garden, "Home.md").read_bytes()) == (2, before)
    assert "the editor ended with code 3" in failed.err
    assert [file.read_text() for file in kept_copies()] == ["mine\n"]
    monkeypatch.setenv("EDITOR", "false")
    assert run("edit", "Home", "--vault", garden).err == (
        "error: the editor ended with code 1\nhint: Nothing changed in 'Home.md'\n"
    )
    monkeypatch.setenv("EDITOR", str(tmp_path / "none"))
    assert "cannot be started: No such file or directory" in run("edit", "Home", "--vault", garden).err
    assert len(kept_copies()) == 1


def test_an_editor_that_comes_back_at_once_may_still_have_the_note_open(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    ended = run("edit", "Home", "--vault", garden)
    assert (ended.code, ended.out) == (1, "Nothing changed in 'Home.md'.\n")
    (copy,) = kept_copies()
    assert f"env 'VISUAL=cp {copy}' vault-assistant edit {Path(garden, 'Home.md')}" in ended.err
    # As another command's copy that goes while this one looks through them.
    (copy.parent.parent / "gone").symlink_to("nowhere")
    assert run("edit", "Home", "--vault", garden).out == "Nothing changed in 'Home.md'.\n"


def test_edit_refuses_an_excluded_note_and_one_that_is_not_there(run: Run, garden: str) -> None:
    assert "the vault's settings exclude" in run("edit", "private/Diary", "--vault", garden).err
    assert run("edit", "Nowhere", "--vault", garden).code == 2


def test_open_prints_the_address_where_nothing_opens_it(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    address = "obsidian://open?vault=garden&file=projects%2Fgarden%2FGreenhouse.md"
    assert run("edit", "--obsidian", "Greenhouse", "--vault", garden).out == address + "\n"
    assert (
        run("edit", "--obsidian", "Greenhouse#The pane", "--vault", garden).out == address + "%23The%20pane\n"
    )
    opened = tmp_path / "opened"
    opener = tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    opener.chmod(0o755)
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setenv("PATH", f"{opener.parent}{os.pathsep}{os.environ['PATH']}")
    assert run("edit", "--obsidian", "Greenhouse", "--vault", garden).out == address + "\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    done = run("edit", "--obsidian", "Greenhouse", "--vault", garden).out
    assert done == f"Opened '{GREENHOUSE}' in Obsidian.\n"
    assert opened.read_text() == address + "\n"


def test_new_adds_to_a_note_that_is_there_and_makes_one_that_is_not(run: Run, garden: str) -> None:
    assert run("new", "Greenhouse", "--append", "More.", "--vault", garden).code == 0
    assert Path(garden, GREENHOUSE).read_text().endswith("\nMore.\n")
    assert run("new", "Inbox", "--append", "Ask Ana", "--vault", garden).code == 0
    assert run("new", "inbox", "--append", "Ask Ben", "--vault", garden).code == 0
    assert run("cat", "Inbox", "--vault", garden).out == "Ask Ana\n\nAsk Ben\n"


def test_new_puts_a_note_where_obsidian_would(
    run: Run, garden: str, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(garden)
    assert run("new", "Larch", "for", "the", "keel", "--vault", garden).out == "inbox/Larch for the keel.md\n"
    assert run("new", "Plan", "--folder", "projects", "--vault", garden).out == "projects/Plan.md\n"
    assert run("new", "a/b/Deep", "--vault", garden).out == "a/b/Deep.md\n"
    again = run("new", "Plan", "--folder", "projects", "--vault", garden)
    assert (again.code, "there is a note at 'projects/Plan.md' already" in again.err) == (2, True)
    assert run("new", "Excluded", "--folder", "private", "--vault", garden).code == 2
    unlinkable = run("new", "a#b", "--vault", garden)
    assert "the title 'a#b' holds '#'" in unlinkable.err
    drive = run("new", "Call: a:b", "--vault", garden).err.splitlines()
    assert drive[0] == "error: the title 'Call: a:b' holds ':'"
    assert drive[1].startswith("hint: write 'Call a b': no link leads to a name with")
    # A slash between blanks is no folder of the name that is proposed, and blanks are no part of a folder's.
    slash = run("new", "Call: Ana / Sam ?", "--vault", garden).err.splitlines()
    assert slash[1].startswith("hint: write 'Call Ana - Sam ?': no link leads to a name with")
    assert run("new", "trips / Call Ana - Sam ?", "--vault", garden).out == "trips/Call Ana - Sam ?.md\n"
    (settings / "app.json").write_text('{"newFileLocation": "current"}')
    monkeypatch.chdir(Path(garden, "projects/garden"))
    assert run("new", "Here", "--vault", garden, "--json").json == {
        "path": "projects/garden/Here.md",
        "created": True,
    }
    assert run("undo", "--yes", "--vault", garden).code == 0
    assert not Path(garden, "projects/garden/Here.md").exists()
    monkeypatch.chdir(settings)
    assert run("new", "Settled", "--vault", garden).out == "../Settled.md\n"


def test_new_fills_in_a_template(run: Run, garden: str, settings: Path) -> None:
    made = run("new", "Call with Ana", "--template", "meeting", "--vault", garden)
    day, hour = date.today(), datetime.now()
    text = Path(garden, "inbox/Call with Ana.md").read_text(encoding="utf-8")
    assert text == f"Call with Ana {day:%d.%m.%Y} {hour:%H}h {{{{other}}}}\n<% tp.x %>\n"
    assert made.err == (
        "Note: 'Templates/Meeting.md' holds code of the plugin Templater, which stays as it is.\n"
    )
    unknown = run("new", "X", "--template", "Nothing", "--vault", garden)
    assert unknown.err == "error: no template 'Nothing'\nhint: there are: Day, Meeting\n"
    for path in Path(garden, "Templates").glob("*.md"):
        path.unlink()
    none = run("new", "X", "--template", "Zzzzz", "--vault", garden)
    assert none.err == "error: no template 'Zzzzz'\nhint: there are none in 'Templates'\n"
    assert run("new", "Y", "--template", "serre", "--vault", garden).code == 0
    assert Path(garden, "inbox/Y.md").read_bytes() == Path(garden, "serre.md").read_bytes()


def test_daily_finds_or_makes_the_note_of_a_day_by_the_vaults_settings(
    run: Run, garden: str, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(garden)
    monkeypatch.setenv("LC_ALL", "C")
    path = "journal/2025/07/Monday 14.md"
    assert run("daily", "14", "july", "2025", "--yes", "--vault", garden, "--json").json == {
        "path": path,
        "created": True,
    }
    assert Path(garden, path).read_text() == "# Monday 14\n14 July 2025, 14.07.2025\n"
    assert run("daily", "2025-07-14", "--vault", garden, "--json").json == {"path": path, "created": False}
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    french = "journal/2025/07/mardi 15.md"
    assert run("daily", "15 juillet 2025", "--yes", "--vault", garden).out == french + "\n"
    assert Path(garden, french).read_text() == "# mardi 15\n15 juillet 2025, 15.07.2025\n"
    today = run("daily", "--vault", garden).out
    assert today.startswith(f"journal/{date.today():%Y/%m}/")
    (settings / "app.json").write_text('{"userIgnoreFilters": ["journal/"]}')
    assert run("daily", "15 juillet 2025", "--vault", garden).out == french + "\n"
    # A form from which no day can be read.
    (settings / "daily-notes.json").write_text('{"folder": "weeks", "format": "gggg-[W]ww"}')
    for _ in range(2):
        assert run("daily", "2025-07-16", "--yes", "--vault", garden).out == "weeks/2025-W29.md\n"
    several = run("daily", "last week", "--vault", garden)
    assert (several.code, "couvre plus d'un jour" in several.err) == (2, True)


def test_daily_asks_before_it_makes_the_note_of_another_day_than_today(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(garden)
    for day in ("yesterday", "tomorrow", "hier", "1999-07-14"):
        refused = run("daily", day, "--vault", garden)
        assert (refused.code, refused.out, refused.err.endswith("hint: add --yes\n")) == (2, "", True)
    refused = run("daily", "2999-07-14", "--vault", garden)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.splitlines()[0] == "Create '2999-07-14.md'."
    assert refused.err.splitlines()[-2:] == [
        "error: nothing was written: nobody is here to approve it",
        "hint: add --yes",
    ]
    assert not Path(garden, "2999-07-14.md").exists()
    assert run("daily", "2999-07-14", "--yes", "--vault", garden).out == "2999-07-14.md\n"
    # What is there is found without a question.
    assert run("daily", "2999-07-14", "--json", "--vault", garden).json == {
        "path": "2999-07-14.md",
        "created": False,
    }
    with Session("daily", "2999-07-15", "--vault", garden) as session:
        session.wait_for("[y/N]")
        session.type("n\r")
        assert session.end() == 1
    assert not Path(garden, "2999-07-15.md").exists()
    with Session("daily", "2999-07-15", "--vault", garden) as session:
        session.wait_for("[y/N]")
        session.type("y\r")
        assert session.end() == 0
    assert Path(garden, "2999-07-15.md").exists()


def test_daily_without_settings_names_the_note_by_the_day(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(garden)
    assert run("daily", "2025-07-14", "--yes", "--vault", garden).out == "2025-07-14.md\n"
    assert Path(garden, "2025-07-14.md").read_bytes() == b""
    Path(garden, ".obsidian/daily-notes.json").write_text('{"template": "Gone"}')
    made = run("daily", "2025-07-15", "--yes", "--vault", garden)
    assert made.err == "Note: the template 'Gone' is not there; the note is made without it.\n"
    assert (made.code, made.out) == (0, "2025-07-15.md\n")


def test_new_goes_on_in_the_editor(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", editor(tmp_path, "file.write_text('written\\n')"))
    assert run("new", "Fresh", "--edit", "--vault", garden).out == "Done: update 'Fresh.md'.\n"
    assert Path(garden, "Fresh.md").read_text() == "written\n"
    assert run("daily", "2025-07-14", "-e", "--yes", "--vault", garden).code == 0
    assert Path(garden, "2025-07-14.md").read_text() == "written\n"


def test_what_is_typed_is_read_from_where_one_stands(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(garden, "projects/garden"))
    paths = run("find", "greenhouse", "-l", "--vault", garden).out.splitlines()
    assert sorted(paths) == ["../../Home.md", "Greenhouse.md"]
    texts = [Path(garden, name).read_text() for name in ("Home.md", "projects/garden/Greenhouse.md")]
    assert run("cat", *sorted(paths), "--vault", garden).out == "".join(texts)
    assert run("find", "greenhouse", "--in", ".", "-l", "--vault", garden).out == "Greenhouse.md\n"
    assert run("list", "recent", "--in", "..", "-l", "--vault", garden).out == "Greenhouse.md\n"
    assert run("list", "tasks", "--vault", garden).out == "Greenhouse.md:10: - [ ] mend the pane\n"
    linked = run("list", "--links", "./Greenhouse", "--vault", garden).out.splitlines()
    assert "../../Home.md:3: See [[Greenhouse]] and [[Missing]]." in linked
    assert run("cat", "./Home", "--vault", garden).code == 2
    outside = run("cat", "../../../etc/passwd", "--vault", garden)
    assert (outside.code, "leads out of the vault" in outside.err) == (2, True)
    assert "'./projects" not in run("mv", "Greenhouse", "Glass", "--yes", "--vault", garden).out
    assert Path("Glass.md").is_file()
    monkeypatch.chdir("/")
    assert run("cat", f"{garden}/serre.md", "--vault", garden).out == Path(garden, "serre.md").read_text()


def test_a_name_of_several_words_stands_before_several_names(run: Run, garden: str) -> None:
    for name in ("Two words", "Two", "words"):
        Path(garden, f"{name}.md").write_text(f"{name}\n")
    assert run("cat", "Two", "words", "--vault", garden).out == "Two words\n"
    assert run("cat", "words", "Two", "--vault", garden).out == "words\nTwo\n"
    gone = run("cat", "words", "Gone", "--vault", garden)
    assert (gone.code, gone.out, "no note at 'Gone'" in gone.err) == (2, "", True)


def test_a_note_moves_into_a_folder_that_is_called_so(run: Run, garden: str) -> None:
    moved = run("mv", "Home", "projects", "--yes", "--vault", garden)
    assert (moved.code, Path(garden, "projects/Home.md").is_file()) == (0, True)
    run("mv", "projects/Home", "projects.md", "--yes", "--vault", garden)
    assert Path(garden, "projects/projects.md").is_file()


def test_a_note_is_found_by_its_alias_where_one_note_has_it(run: Run, tiny_vault: MakeVault) -> None:
    notes = {
        "Far.md": "---\naliases: [Prune cake, Dessert]\n---\n# Far\n\n## Steps\n\nBake it.\n",
        "Tart.md": "---\naliases: [Dessert]\n---\nSee [[Far]].\n",
        "private/Secret.md": "---\naliases: [Hidden cake]\n---\nNo.\n",
        ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    }
    at = ("--vault", str(tiny_vault(notes).root))
    # Without an index nothing is known of aliases.
    assert run("cat", "prune cake", *at).err == "error: no note at 'prune cake'\n"
    run("index", *at)
    shown = run("cat", "prune cake#Steps", *at)
    assert (shown.out, shown.err) == ("## Steps\n\nBake it.\n", "'prune cake' is an alias of 'Far.md'.\n")
    assert run("edit", "--obsidian", "Prune", "cake", *at).out.endswith("file=Far.md\n")
    assert run("list", "--links", "Prune cake", *at).out.endswith("/Tart.md:4: See [[Far]].\n")
    several = run("cat", "dessert", *at)
    assert several.err.startswith("error: 'dessert' is an alias of 2 notes: 'Far.md', 'Tart.md'\n")
    assert run("cat", "Hidden cake", *at).err == "error: no note at 'Hidden cake'\n"
    # What would be lost is named by its own name.
    lost = run("rm", "Prune cake", "--yes", *at)
    assert (lost.code, lost.err) == (2, "error: no note at 'Prune cake'\n")
    asked = run("find", "--why", "prune cake", "bake", *at)
    assert (asked.code, asked.err) == (0, "'prune cake' is an alias of 'Far.md'.\n")
    assert asked.out.startswith("'Far.md' is found at place 1 of ")


def test_a_folder_is_no_note_and_names_none(run: Run, garden: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(garden, "projects"))
    for named in ("./", ".", "../", "garden/"):
        assert run("cat", named).err == (
            f"error: '{named}' is a folder, not a note\nhint: name a note in it\n"
        )


def test_a_new_note_that_exists_is_refused_in_words_of_the_command(run: Run, garden: str) -> None:
    assert run("new", "Home", "--vault", garden).err == (
        "error: there is a note at 'Home.md' already\n"
        "hint: update, append to or overwrite that one, or choose another name\n"
    )


def test_without_a_folder_of_templates_it_is_said_that_there_is_none(run: Run, tiny_vault: MakeVault) -> None:
    vault = str(tiny_vault({"Far.md": "# Far\n"}).root)
    failed = run("new", "X", "--template", "Zzzzz", "--vault", vault)
    assert failed.err == (
        "error: no template 'Zzzzz'\n"
        "hint: the vault's settings name no folder of templates; name a note by its path\n"
    )


def test_new_says_which_links_its_name_takes_over(run: Run, tiny_vault: MakeVault) -> None:
    root = str(tiny_vault({"Personnes/Maman.md": "x\n", "A.md": "[[Maman]]\n"}).root)
    made = run("new", "Maman", "--vault", root)
    assert (made.code, made.out) == (0, f"{root}/Maman.md\n")
    assert (
        made.err
        == "Note: 'Personnes/Maman.md' has the same name: 1 link that led to it leads to the new note.\n"
    )
