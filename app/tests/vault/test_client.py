"""The vault: what is listed, read, found by name, and reported."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import ConflictError, NoteExistsError, NoteNotFoundError, NoteUnreadableError, PathError
from app.tests.conftest import MakeVault
from app.tests.vault.test_paths import HOSTILE
from app.vault.client import VaultClient
from app.vault.obsidian import find_vault
from app.vault.paths import NotePath


def problems(vault: VaultClient) -> dict[str, str]:
    return {problem.path: problem.reason for problem in vault.scan().problems}


def app_json(**values: object) -> dict[str, str]:
    return {".obsidian/app.json": json.dumps(values)}


def test_a_scan_lists_notes_other_files_and_folders_but_nothing_hidden(tiny_vault: MakeVault) -> None:
    others = (
        "b/c/image.png",
        "x.markdown",
        "b/board.canvas",
        ".hidden.md",
        ".obsidian/x.md",
        "b/.trash/y.md",
    )
    vault = tiny_vault({"b/Note.md": "12345", "A.md": "", **dict.fromkeys(others, "")})
    scan = vault.scan()
    assert list(scan.notes) == ["A.md", "b/Note.md"]
    assert scan.notes[NotePath("b/Note.md")].size == 5
    stat = (vault.root / "b/Note.md").stat()
    assert scan.notes[NotePath("b/Note.md")].mtime_ns == stat.st_mtime_ns
    assert scan.others == ("b/board.canvas", "b/c/image.png", "x.markdown")
    assert scan.folders == ("b", "b/c")
    assert scan.problems == ()


def test_a_listing_has_a_state_where_its_names_are_plain(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"a.md": "", "x/été.md": ""})
    known = vault.listing().state
    assert known
    (vault.root / "x" / "empty").mkdir()
    (vault.root / ".obsidian").mkdir(exist_ok=True)
    assert vault.listing().state == known
    (vault.root / "x" / "b.png").touch()
    assert vault.listing().state not in ("", known)
    (vault.root / "x" / "b.png").unlink()
    assert vault.listing().state == known
    # What a link leads to is not known from its name.
    (vault.root / "x" / "link.md").symlink_to("été.md")
    assert vault.listing().state == ""


NAMES = [
    *("100%25 %s %d.md", "dos\\barre.md", "  espaces  .md", "-rf.md", "première\nseconde.md", "[[x]].md"),
    *("tab\tbell\x07.md", "é" * 126 + ".md", "$(touch raté);&|*?[x].md", "a [[b]] # c ^d | e.md"),
    *("\u202etxet.md", "note.md.md", "MAJUSCULE.MD", "A: plan.md", "~draft.md", "🪲 scarabée 👩‍🔬.md"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_legitimate_name_is_listed_read_and_resolved(tiny_vault: MakeVault, name: str) -> None:
    vault = tiny_vault({name: "témoin", f"sub/{name}": "sous"})
    scan = vault.scan()
    assert set(scan.notes) == {name, f"sub/{name}"}
    assert scan.problems == ()
    assert vault.read(name).text == "témoin"
    assert vault.resolve(name) == name
    assert vault.resolve(f"sub/{name}") == f"sub/{name}"


@pytest.mark.parametrize("name", ["%2e%2e\\x.md", "C:x.md", "%00.md", "caf\udce9.md"])
def test_a_name_that_could_not_be_named_back_is_reported(tiny_vault: MakeVault, name: str) -> None:
    vault = tiny_vault({"A.md": ""})
    (vault.root / name).write_bytes(b"x")
    assert list(vault.scan().notes) == ["A.md"]
    assert list(problems(vault)) == [name.replace("\udce9", "\\udce9")]


def test_links_fifos_and_twins_are_reported_with_the_reason(tiny_vault: MakeVault, tmp_path: Path) -> None:
    vault = tiny_vault({"real.md": "inside", "Case.md": "", "case.md": ""})
    (tmp_path / "secret.md").write_text("outside")
    root = vault.root
    (root / "in.md").symlink_to("real.md")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "lost.md").symlink_to("nowhere.md")
    (root / "self.md").symlink_to("self.md")
    (root / "up").symlink_to(".")
    (root / "away").symlink_to("..")
    os.mkfifo(root / "pipe.md")
    inside = "symbolic link to a target inside the vault; skipped, the target is listed by itself"
    assert problems(vault) == {
        "in.md": inside,
        "out.md": "symbolic link skipped: a symbolic link on 'out.md' leads outside the vault",
        "lost.md": "symbolic link to nothing; skipped",
        "self.md": "symbolic link skipped: the symbolic links on 'self.md' lead in a circle",
        "up": inside,
        "away": "symbolic link skipped: a symbolic link on 'away' leads outside the vault",
        "pipe.md": "not a regular file",
        "case.md": "differs from 'Case.md' only in case; other disks cannot hold both",
    }
    assert list(vault.scan().notes) == ["Case.md", "case.md", "real.md"]
    assert vault.read("in.md").text == "inside"
    assert vault.resolve("in") == "in.md"
    with pytest.raises(PathError, match="outside"):
        vault.read("out.md")
    with pytest.raises(NoteUnreadableError, match="regular"):
        vault.read("pipe.md")


def test_of_two_unicode_forms_the_composed_one_is_used(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"\u00e9tat.md": "NFC", "e\u0301tat.md": "NFD", "seul/cafe\u0301.md": "NFD"})
    assert list(vault.scan().notes) == ["seul/café.md", "état.md"]
    assert vault.read("e\u0301tat").text == "NFC"
    assert vault.read("seul/café").text == "NFD"
    assert list(problems(vault)) == ["état.md"]


BODY = "# Titre\n\ntémoin\n"


@pytest.mark.parametrize(
    ("data", "text", "newline", "problem"),
    [
        (b"", "", "\n", None),
        (b"\xef\xbb\xbf" + BODY.encode(), BODY, "\n", None),
        (b"\xff\xfe" + BODY.encode("utf-16-le"), BODY, "\n", None),
        (b"a\r\nb\r\n", "a\r\nb\r\n", "\r\n", None),
        (b"a\r\nb\nc\n", "a\r\nb\nc\n", "\n", None),
        (b"t\xe9moin", "t\ufffdmoin", "\n", "not valid UTF-8, first at byte 1; replaced"),
        (b"a\0b", "a\0b", "\n", "holds NUL characters"),
        (b"\xff\xfe\x00\xd8a\x00", "\ufffda", "\n", "not valid UTF-16, first at byte 2; replaced"),
    ],
)
def test_a_note_is_decoded_as_it_is_written(
    tiny_vault: MakeVault, data: bytes, text: str, newline: str, problem: str | None
) -> None:
    vault = tiny_vault({"A.md": data})
    note = vault.read("A")
    assert (note.text, note.newline, note.problems) == (text, newline, (problem,) if problem else ())
    assert (note.size, vault.read_bytes("A.md")) == (len(data), data)


FILES = [
    *("tasks.md", "projects/x/tasks.md", "cuisine/Recette.md", "a/b/N.md", "zzzz/N.md", "Version 2.0.md"),
    *("private/Diary.md", "private/N.md", "a/Only.md", "private/Only.md"),
]
VAULT = {**dict.fromkeys(FILES, ""), **app_json(userIgnoreFilters=["private/"])}


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("x/tasks", "projects/x/tasks.md"),
        ("recette.MD", "cuisine/Recette.md"),
        ("[[Recette]]", "cuisine/Recette.md"),
        ("[[Recette#Pâte|la tarte]]", "cuisine/Recette.md"),
        ("vault/cuisine/Recette.md", "cuisine/Recette.md"),
        ("Version 2.0", "Version 2.0.md"),
        ("b/N", "a/b/N.md"),
        ("private/Diary", "private/Diary.md"),
    ],
)
def test_a_name_finds_the_note_that_obsidian_would_find(tiny_vault: MakeVault, name: str, path: str) -> None:
    assert tiny_vault(VAULT).resolve(name) == path


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("N", "'N.md' could be any of 2 notes: 'a/b/N.md', 'zzzz/N.md'. give the whole path"),
        ("Recete", "no note at 'Recete'. did you mean 'cuisine/Recette.md'?"),
        ("Diari", "no note at 'Diari'"),
    ],
)
def test_a_name_that_finds_no_single_note_suggests_some_but_no_excluded_one(
    tiny_vault: MakeVault, name: str, error: str
) -> None:
    with pytest.raises((PathError, NoteNotFoundError)) as raised:
        tiny_vault(VAULT).resolve(name)
    assert str(raised.value) == error


@pytest.mark.parametrize("name", ["/Plan", "./Plan", "/plan.md", "[[/Plan]]", "a/../Plan"])
def test_a_leading_slash_means_the_root_and_no_other_folder(tiny_vault: MakeVault, name: str) -> None:
    vault = tiny_vault({"Projects/Plan.md": ""})
    assert vault.resolve("Plan") == "Projects/Plan.md"
    with pytest.raises(NoteNotFoundError, match=r"did you mean 'Projects/Plan\.md'"):
        vault.resolve(name)
    assert tiny_vault({"Projects/Plan.md": "", "plan.md": ""}, name="other").resolve(name) == "plan.md"
    assert vault.resolve("/projects/plan") == "Projects/Plan.md"


@pytest.mark.parametrize(
    ("filters", "excluded", "shown"),
    [
        (["archives/"], ["archives/a.md", "Archives/b/c.md"], ["archives.md", "x/archives/a.md"]),
        (["archives"], ["archives.md", "archives-2/a.md"], ["x/archives/a.md"]),
        (["Été/"], ["E\u0301te\u0301/a.md"], ["Ete/a.md"]),
        (["/(?<year>\\d{4})-draft/"], ["n/2024-Draft.md"], ["n/24-draft.md"]),
        (["/^\\p{Lu}/"], ["A.md"], ["1.md"]),
        (["/(?<=^x|^yy)\\/a/"], ["x/a.md", "yy/a.md"], ["y/a.md"]),
    ],
)
def test_excluded_files_are_those_of_obsidian(
    tiny_vault: MakeVault, filters: object, excluded: list[str], shown: list[str]
) -> None:
    vault = tiny_vault(app_json(userIgnoreFilters=filters))
    assert [path for path in [*excluded, *shown] if vault.is_excluded(path)] == excluded


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda file: file.write_text(""), "Expecting value: line 1 column 1 (char 0)"),
        (lambda file: file.write_text('["a/"]'), "it is not a JSON object"),
        (lambda file: file.write_text("[" * 100_000), "maximum recursion depth exceeded"),
        (lambda file: file.mkdir(), "Is a directory"),
        (os.mkfifo, "it is not a regular file"),
        (lambda file: file.write_text('{"userIgnoreFilters": ["a/", "/[/"]}'), "/[/ is not understood"),
        (lambda file: file.write_text('{"userIgnoreFilters": ["/(?>a)/"]}'), "which '(?>' does not open"),
        (lambda file: file.write_text('{"userIgnoreFilters": ["a/", 5]}'), "holds 5, which is not a text"),
    ],
)
def test_settings_that_cannot_be_read_hide_every_note(
    tiny_vault: MakeVault, spoil: Callable[[Path], object], reason: str
) -> None:
    plain = tiny_vault({"A.md": "", ".obsidian/x.json": ""})
    spoil(plain.root / ".obsidian/app.json")
    vault = VaultClient(plain.root)
    assert vault.is_excluded("A.md")
    [problem] = vault.obsidian.problems
    assert reason in problem
    assert "; no note is shown until it " in problem
    assert reason in str(vault.obsidian.hides_all)
    assert vault.obsidian.rules != tiny_vault({"A.md": ""}, name="other").obsidian.rules


def test_what_was_excluded_stays_so_while_the_settings_cannot_be_read(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(app_json(userIgnoreFilters=["a/"], trashOption="local"))
    before = vault.obsidian
    file = vault.root / ".obsidian/app.json"
    whole = file.read_bytes()
    file.write_bytes(whole[:20])
    during = vault.obsidian
    assert (vault.is_excluded("a/x.md"), vault.is_excluded("b/x.md")) == (True, False)
    assert (during.rules, during.trash_option) == (before.rules, "local")
    assert during.problems[0].endswith("; its earlier settings hold until it can")
    file.write_bytes(whole.replace(b"a/", b"b/"))
    assert (vault.is_excluded("a/x.md"), vault.is_excluded("b/x.md")) == (False, True)
    assert not vault.obsidian.problems
    file.unlink()
    assert (vault.is_excluded("a/x.md"), vault.is_excluded("b/x.md")) == (False, True)
    assert vault.obsidian.problems == (
        ".obsidian/app.json is gone; its earlier settings hold until it is back",
    )
    assert not VaultClient(vault.root).is_excluded("b/x.md"), "started anew, there is nothing to hold on to"


def test_a_filter_that_never_ends_hides_every_note(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "", **app_json(userIgnoreFilters=["/(a|aa)+$/"])})
    before = vault.obsidian.rules
    assert not vault.is_excluded("A.md")
    assert vault.is_excluded("a" * 200 + "!.md")
    assert vault.is_excluded("A.md")
    assert vault.obsidian.rules != before
    [problem] = vault.obsidian.problems
    assert problem == vault.obsidian.hides_all
    assert problem.endswith("the expression (a|aa)+$ takes too long; no note is shown until it is simpler")


def test_a_project_vault_leaves_out_its_context_notes_and_inbox(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"overview.md": "", "inbox/x.md": "", "a/overview.md": "", "projects/p/plan.md": ""})
    assert vault.is_project_vault
    assert [path for path in vault.scan().notes if vault.is_left_out(path)] == ["inbox/x.md", "overview.md"]
    assert not tiny_vault({"overview.md": "", "inbox/x.md": ""}, name="other").is_left_out("inbox/x.md")


def test_writing_asks_for_the_state_it_was_read_in(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "one"})
    path = NotePath("A.md")
    before = vault.read(path).hash
    after = vault.write(path, b"two", expected_hash=before)
    assert vault.read(path).hash == after
    with pytest.raises(ConflictError):
        vault.write(path, b"three", expected_hash=before)
    with pytest.raises(NoteExistsError):
        vault.write(path, b"three", create=True)
    vault.write(NotePath("new/deep/B.md"), b"new", create=True)
    assert (vault.read(path).text, vault.read("new/deep/B").text) == ("two", "new")
    assert vault.exists("new/deep/B")
    assert not vault.exists("C")


@pytest.mark.parametrize("path", HOSTILE)
def test_a_hostile_path_neither_reads_nor_writes(tiny_vault: MakeVault, tmp_path: Path, path: str) -> None:
    vault = tiny_vault({"A.md": "one"})
    (tmp_path / "secret.md").write_text("outside")
    hostile = NotePath(path)
    actions: list[Callable[[], object]] = [
        lambda: vault.read(path),
        lambda: vault.read_bytes(path),
        lambda: vault.exists(path),
        lambda: vault.resolve(path),
        lambda: vault.write(hostile, b"mine"),
        lambda: vault.write(hostile, b"mine", create=True),
        lambda: vault.remove(path),
        lambda: vault.rename("A.md", path),
        lambda: vault.rename(path, "B.md"),
    ]
    for action in actions:
        with pytest.raises(PathError):
            action()
    assert (tmp_path / "secret.md").read_text() == "outside"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["secret.md", "vault"]
    assert [entry.name for entry in vault.root.iterdir()] == ["A.md"]


def test_the_vault_is_the_nearest_folder_above_that_obsidian_opened(tmp_path: Path) -> None:
    (tmp_path / "outer/.obsidian").mkdir(parents=True)
    (tmp_path / "outer/inner/.obsidian").mkdir(parents=True)
    (tmp_path / "outer/inner/deep").mkdir()
    assert find_vault(tmp_path / "outer/inner/deep") == tmp_path / "outer/inner"
    assert find_vault(tmp_path / "outer") == tmp_path / "outer"
    assert find_vault(tmp_path) is None
