"""``cat``, ``edit``, ``new`` and ``daily``."""

import json
import os
import stat
import sys
from datetime import date, datetime
from pathlib import Path

import pytest

from app.cli.main import main
from app.config.settings import default_settings
from app.tests.cli.conftest import Run
from app.tests.cli.session import Session, on_terminal
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
    Path(garden, "Templates").mkdir()
    Path(garden, "Templates/Day.md").write_text("# {{title}}\n{{date:D MMMM YYYY}}, {{Date}}\n")
    Path(garden, "Templates/Meeting.md").write_text("{{title}} {{date}} {{time}} {{other}}\n<% tp.x %>\n")
    return folder


def editor(tmp_path: Path, script: str) -> str:
    """An editor that does what a script says with the file it is given."""
    file = tmp_path / "emacs"
    file.write_text(
        f"#!/usr/bin/env python3\nimport sys, pathlib\nfile = pathlib.Path(sys.argv[-1])\n{script}\n"
    )
    file.chmod(0o755)
    return str(file)


def kept_copies() -> list[Path]:
    return [file for file in default_settings().state_folder.rglob("copies/*/*") if file.is_file()]


def test_cat_prints_the_bytes_of_a_note_or_of_a_part(
    capfdbinary: pytest.CaptureFixture[bytes], garden: str
) -> None:
    data = b"\xef\xbb\xbf# Home\r\n\r\nno text: \xff\x1b[31m\r\n"
    Path(garden, "Home.md").write_bytes(data)
    text = b"# A\r\n\r\none ^here\r\n\r\n## B\r\n\r\ntwo\r\n\r\n# C\r\n"
    Path(garden, "C# notes.md").write_bytes(text)
    for name, printed in {
        "Home": data,
        "Home.md": data,
        "[[Home|x]]": data,
        # The longest name that a note has.
        "C# notes": text,
        "C# notes#a#b": b"## B\r\n\r\ntwo\r\n",
        "C# notes#^here": b"one ^here\r\n",
    }.items():
        assert main(["cat", name, "--vault", garden]) == 0
        assert capfdbinary.readouterr().out == printed
    assert main(["cat", "C# notes#D", "--vault", garden]) == 2
    assert b"no heading 'D' in 'C# notes.md'" in capfdbinary.readouterr().err


def test_on_a_terminal_cat_writes_out_what_it_would_obey(garden: str) -> None:
    Path(garden, "Home.md").write_text("# Home\n\x1b[31m" + "long " * 4000, encoding="utf-8")
    shown = on_terminal("--no-pager", "cat", "Home", "--vault", garden)
    assert (shown.code, shown.text) == (0, "# Home\n\\x1b[31m" + "long " * 4000)


def test_edit_writes_what_was_saved_and_undo_takes_it_back(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, seen = Path(garden, GREENHOUSE), tmp_path / "seen"
    before = note.read_bytes()
    script = f"pathlib.Path({str(seen)!r}).write_text(repr((sys.argv[1:], file.stat().st_mode)))\n"
    added = "file.write_bytes(file.read_bytes() + b'more\\n')"
    monkeypatch.setenv("VISUAL", f"{editor(tmp_path, script + added)} -R")
    monkeypatch.setenv("EDITOR", "not-this-one")
    done = run("edit", "Greenhouse#Greenhouse", "--vault", garden)
    assert (done.code, done.out, done.err) == (0, f"Done: update '{GREENHOUSE}'.\n", "")
    assert note.read_bytes() == before + b"more\n"
    # The editor had a private copy, at the line of the heading.
    arguments, mode = eval(seen.read_text())
    assert arguments[:2] == ["-R", "+5"]
    assert (Path(arguments[2]).name, stat.S_IMODE(mode)) == ("Greenhouse.md", 0o600)
    assert not Path(arguments[2]).is_relative_to(garden)
    assert kept_copies() == []
    assert run("undo", "--yes", "--vault", garden).code == 0
    assert note.read_bytes() == before
    assert "the vault's settings exclude" in run("edit", "private/Diary", "--vault", garden).err


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
    assert "the note changed while you wrote" in failed.err
    assert f"your text is kept in {kept}; " in failed.err


def test_without_a_terminal_no_editor_is_started_that_needs_one(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "vim")
    refused = run("edit", "Home", "--vault", garden)
    assert (refused.code, "the editor 'vim' needs a terminal" in refused.err) == (2, True)
    # Nothing is made that could not be gone on with.
    assert run("new", "Fresh", "--edit", "--vault", garden).code == 2
    assert not Path(garden, "Fresh.md").exists()


def test_an_editor_that_fails_writes_nothing_and_loses_nothing(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Path(garden, "Home.md").read_bytes()
    for command, said, kept in (
        (editor(tmp_path, "file.write_text('mine\\n'); sys.exit(3)"), "the editor ended with code 3", 1),
        ("false", "hint: Nothing changed in 'Home.md'", 1),
        (str(tmp_path / "none"), "cannot be started: No such file or directory", 1),
        # One that comes back at once may still have the note open.
        ("true", "what you still save there goes to", 2),
    ):
        monkeypatch.setenv("EDITOR", command)
        failed = run("edit", "Home", "--vault", garden)
        assert (failed.code, Path(garden, "Home.md").read_bytes()) == (1 if command == "true" else 2, before)
        assert said in failed.err
        assert len(kept_copies()) == kept
    assert "mine\n" in [file.read_text() for file in kept_copies()]


def test_a_note_is_opened_in_obsidian_or_its_address_printed(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    address = "obsidian://open?vault=garden&file=projects%2Fgarden%2FGreenhouse.md"
    asked = ("edit", "--obsidian", "Greenhouse#The pane", "--vault", garden)
    assert run(*asked).out == address + "%23The%20pane\n"
    opened, opener = tmp_path / "opened", tmp_path / "bin/xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    opener.chmod(0o755)
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setenv("PATH", f"{opener.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    done = run("edit", "--obsidian", "Greenhouse", "--vault", garden).out
    assert (done, opened.read_text()) == (f"Opened '{GREENHOUSE}' in Obsidian.\n", address + "\n")


def test_new_puts_a_note_where_obsidian_would(
    run: Run, garden: str, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(garden)
    for words, place in (
        (["Larch", "for", "the", "keel"], "inbox/Larch for the keel.md\n"),
        (["Plan", "--folder", "projects"], "projects/Plan.md\n"),
        # Blanks are no part of a folder's name.
        (["trips / Call Ana - Sam ?"], "trips/Call Ana - Sam ?.md\n"),
    ):
        assert run("new", *words, "--vault", garden).out == place
    for words, said in (
        (["Plan", "--folder", "projects"], "there is a note at 'projects/Plan.md' already"),
        (["Excluded", "--folder", "private"], "exclude"),
        (["a#b"], "the title 'a#b' holds '#'"),
        # A slash between blanks is no folder of the name that is proposed.
        (["Call: Ana / Sam ?"], "hint: write 'Call Ana - Sam ?': no link leads to a name with"),
    ):
        refused = run("new", *words, "--vault", garden)
        assert (refused.code, said in refused.err) == (2, True)
    (settings / "app.json").write_text('{"newFileLocation": "current"}')
    monkeypatch.chdir(Path(garden, "projects/garden"))
    made = {"path": "projects/garden/Here.md", "created": True}
    assert run("new", "Here", "--vault", garden, "--json").json == made
    assert run("undo", "--yes", "--vault", garden).code == 0
    assert not Path("Here.md").exists()


def test_new_fills_in_a_template(run: Run, garden: str, settings: Path) -> None:
    made = run("new", "Call with Ana", "--template", "meeting", "--vault", garden)
    day, hour = date.today(), datetime.now()
    text = Path(garden, "inbox/Call with Ana.md").read_text(encoding="utf-8")
    assert text == f"Call with Ana {day:%d.%m.%Y} {hour:%H}h {{{{other}}}}\n<% tp.x %>\n"
    assert "'Templates/Meeting.md' holds code of the plugin Templater" in made.err
    unknown = run("new", "X", "--template", "Nothing", "--vault", garden)
    assert unknown.err == "error: no template 'Nothing'\nhint: there are: Day, Meeting\n"
    assert run("new", "Y", "--template", "serre", "--vault", garden).code == 0
    assert Path(garden, "inbox/Y.md").read_bytes() == Path(garden, "serre.md").read_bytes()


def test_daily_finds_or_makes_the_note_of_a_day_by_the_vaults_settings(
    run: Run, garden: str, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(garden)
    monkeypatch.setenv("LC_ALL", "C")
    path = "journal/2025/07/Monday 14.md"
    made = run("daily", "14", "july", "2025", "--yes", "--vault", garden, "--json").json
    assert made == {"path": path, "created": True}
    assert Path(garden, path).read_text() == "# Monday 14\n14 July 2025, 14.07.2025\n"
    assert run("daily", "2025-07-14", "--vault", garden, "--json").json == {"path": path, "created": False}
    assert run("daily", "--vault", garden).out.startswith(f"journal/{date.today():%Y/%m}/")
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    french = "journal/2025/07/mardi 15.md"
    assert run("daily", "15 juillet 2025", "--yes", "--vault", garden).out == french + "\n"
    assert Path(garden, french).read_text() == "# mardi 15\n15 juillet 2025, 15.07.2025\n"
    # A form from which no day can be read, and a template that is gone.
    form = {"folder": "weeks", "format": "gggg-[W]ww", "template": "Gone"}
    (settings / "daily-notes.json").write_text(json.dumps(form))
    weeks = [run("daily", "2025-07-16", "--yes", "--vault", garden) for _ in range(2)]
    assert [each.out for each in weeks] == ["weeks/2025-W29.md\n"] * 2
    assert ["Gone" in each.err for each in weeks] == [True, False]
    several = run("daily", "last week", "--vault", garden)
    assert (several.code, "couvre plus d'un jour" in several.err) == (2, True)


def test_daily_asks_before_it_makes_the_note_of_another_day_than_today(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(garden)
    for day in ("yesterday", "hier", "2999-07-14"):
        refused = run("daily", day, "--vault", garden)
        assert (refused.code, refused.out, refused.err.endswith("hint: add --yes\n")) == (2, "", True)
    assert not Path(garden, "2999-07-14.md").exists()
    assert run("daily", "2999-07-14", "--yes", "--vault", garden).out == "2999-07-14.md\n"
    # What is there is found without a question.
    assert run("daily", "2999-07-14", "--vault", garden).out == "2999-07-14.md\n"
    with Session("daily", "2999-07-15", "--vault", garden) as session:
        session.wait_for("[y/N]")
        session.type("n\r")
        assert session.end() == 1
    assert not Path(garden, "2999-07-15.md").exists()


def test_new_adds_to_a_note_or_makes_one_and_goes_on_in_the_editor(
    run: Run, garden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("new", "Inbox", "--append", "Ask Ana", "--vault", garden).code == 0
    assert run("new", "inbox", "--append", "Ask Ben", "--vault", garden).code == 0
    assert Path(garden, "Inbox.md").read_text() == "Ask Ana\n\nAsk Ben\n"
    monkeypatch.setenv("EDITOR", editor(tmp_path, "file.write_text('written\\n')"))
    assert run("new", "Fresh", "--edit", "--vault", garden).out == "Done: update 'Fresh.md'.\n"
    assert Path(garden, "Fresh.md").read_text() == "written\n"


def test_what_is_typed_is_read_from_where_one_stands(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(garden, "projects/garden"))
    paths = run("find", "greenhouse", "-l", "--vault", garden).out.splitlines()
    assert sorted(paths) == ["../../Home.md", "Greenhouse.md"]
    texts = [Path(garden, name).read_text() for name in ("Home.md", GREENHOUSE)]
    assert run("cat", *sorted(paths), "--vault", garden).out == "".join(texts)
    assert run("list", "recent", "--in", "..", "-l", "--vault", garden).out == "Greenhouse.md\n"
    linked = run("list", "--links", "./Greenhouse", "--vault", garden).out.splitlines()
    assert "../../Home.md:3: See [[Greenhouse]] and [[Missing]]." in linked
    assert run("cat", "./Home", "--vault", garden).code == 2
    assert run("cat", "..", "--vault", garden).err.startswith("error: '..' is a folder, not a note\n")
    outside = run("cat", "../../../etc/passwd", "--vault", garden)
    assert (outside.code, "leads out of the vault" in outside.err) == (2, True)
    assert run("mv", "Greenhouse", "Glass", "--yes", "--vault", garden).code == 0
    assert Path("Glass.md").is_file()
    # A note moves into a folder that is called so.
    assert run("mv", "serre", "projects", "--yes", "--vault", garden).code == 0
    monkeypatch.chdir("/")
    moved = Path(garden, "projects/serre.md")
    assert run("cat", str(moved), "--vault", garden).out == moved.read_text()


def test_a_name_of_several_words_stands_before_several_names(run: Run, garden: str) -> None:
    for name in ("Two words", "Two", "words"):
        Path(garden, f"{name}.md").write_text(f"{name}\n")
    assert run("cat", "Two", "words", "--vault", garden).out == "Two words\n"
    assert run("cat", "words", "Two", "--vault", garden).out == "words\nTwo\n"
    gone = run("cat", "words", "Gone", "--vault", garden)
    assert (gone.code, gone.out, "no note at 'Gone'" in gone.err) == (2, "", True)


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
    assert run("list", "--links", "Prune cake", *at).out.endswith("/Tart.md:4: See [[Far]].\n")
    several = run("cat", "dessert", *at)
    assert several.err.startswith("error: 'dessert' is an alias of 2 notes: 'Far.md', 'Tart.md'\n")
    assert run("cat", "Hidden cake", *at).err == "error: no note at 'Hidden cake'\n"
    # What would be lost is named by its own name.
    assert run("rm", "Prune cake", "--yes", *at).err == "error: no note at 'Prune cake'\n"


def test_parts_of_several_notes_are_read_at_once(run: Run, tiny_vault: MakeVault) -> None:
    root = str(tiny_vault({"A.md": "# One\n\nfirst\n\n# Two words\n\nsecond\n", "B.md": "third\n"}).root)
    said = run("cat", "A#One", "B", "--vault", root).out
    assert "first" in said
    assert "third" in said
    assert "second" not in said
    assert "second" in run("cat", "A#Two", "words", "--vault", root).out


def test_edit_sets_properties_and_ticks_a_task(run: Run, garden: str) -> None:
    asked = run("edit", "Greenhouse", "--set", "status=open", "--vault", garden)
    assert (asked.code, "+status: open" in asked.err) == (2, True)
    done = run("edit", "Greenhouse", "--set", "status=open", "--set", "tags-=garden", "-y", "--vault", garden)
    assert (done.code, done.out) == (0, f"Done: set properties of '{GREENHOUSE}'.\n")
    assert run("edit", "Greenhouse", "--tick", "11", "--yes", "--vault", garden).code == 0
    text = Path(garden, GREENHOUSE).read_text()
    assert text.startswith("---\ntags: [garden/glass]\ncreated: 2025-03-02\nstatus: open\n---\n")
    assert "- [x] mend the pane\n" in text
    both = run("edit", "Home", "--set", "a=1", "--tick", "x", "--vault", garden)
    assert (both.code, "--set and --tick are two changes" in both.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "options", "path", "text"),
    [
        # 2025-07-16 is a Wednesday: weeks begin on a Sunday in English, on a Monday in French and in ISO 8601.
        (("week", "2025-07-16"), (), "W/2025-W29.md", "# 2025-W29 13 Sunday, 14.07.\n"),
        (("week", "2025-07-16"), ("--lang", "fr"), "W/2025-W29.md", "# 2025-W29 14 lundi, 14.07.\n"),
        (("month", "16", "july", "2025"), (), "2025-07.md", ""),
        (("quarter", "2025-08-16"), (), "Q/2025/Q3 07.md", ""),
        (("year", "2024-05-05"), (), "2024.md", ""),
    ],
)
def test_daily_makes_notes_of_longer_times_as_periodic_notes(
    run: Run, garden: str, words: tuple[str, ...], options: tuple[str, ...], path: str, text: str
) -> None:
    plugin = Path(garden, ".obsidian/plugins/periodic-notes/data.json")
    plugin.parent.mkdir(parents=True)
    weekly = {"enabled": True, "folder": "W", "format": "", "template": "T/Week.md"}
    quarter = {"enabled": True, "folder": "Q", "format": "YYYY/[Q]Q MM"}
    plugin.write_text(json.dumps({"weekly": weekly, "quarterly": quarter, "yearly": {"enabled": False}}))
    Path(garden, "T").mkdir()
    Path(garden, "T/Week.md").write_text("# {{title}} {{date:D dddd}}, {{monday:DD.MM.}}\n")
    assert run("daily", *words, "--vault", garden, *options).code == 2
    made = run("daily", *words, "--yes", "--json", "--vault", garden, *options).json
    assert made == {"path": path, "created": True}
    assert Path(garden, path).read_text() == text
    assert run("daily", *words, "--json", "--vault", garden).json == {"path": path, "created": False}
