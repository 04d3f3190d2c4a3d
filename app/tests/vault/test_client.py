"""The vault: what is listed, read, found by name, and reported."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.dependencies import ChatDependencies, VaultNotFoundError
from app.errors import ConflictError, NoteExistsError, NoteNotFoundError, NoteUnreadableError, PathError
from app.tests.conftest import MakeVault
from app.tests.vault.test_paths import HOSTILE
from app.vault.client import VaultClient
from app.vault.obsidian import ObsidianSettings, find_vault
from app.vault.paths import NotePath


def problems(vault: VaultClient) -> dict[str, str]:
    return {problem.path: problem.reason for problem in vault.scan().problems}


def app_json(**values: object) -> dict[str, str]:
    return {".obsidian/app.json": json.dumps(values)}


def test_a_scan_lists_notes_other_files_and_folders_but_nothing_hidden(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(
        {
            "b/Note.md": "12345",
            "A.md": "",
            "b/c/image.png": b"",
            "x.markdown": "",
            "b/board.canvas": "",
            ".hidden.md": "",
            ".obsidian/x.md": "",
            "b/.trash/y.md": "",
        }
    )
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
    "100%25 %s %d.md",
    "dos\\barre.md",
    "  espaces  .md",
    "-rf.md",
    "première\nseconde.md",
    "tab\tbell\x07.md",
    "é" * 126 + ".md",
    "$(touch raté);&|*?[x].md",
    "a [[b]] # c ^d | e.md",
    "[[x]].md",
    "\u202etxet.md",
    "note.md.md",
    "MAJUSCULE.MD",
    "A: plan.md",
    "~draft.md",
    'l\'"une" et l’autre `code`.md',
    "🪲 scarabée 👩‍🔬.md",
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


def test_the_ending_counts_in_any_case(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"MAJUSCULE.MD": "témoin"})
    assert list(vault.scan().notes) == ["MAJUSCULE.MD"]
    assert vault.resolve("majuscule") == "MAJUSCULE.MD"
    assert vault.resolve("MAJUSCULE.md") == "MAJUSCULE.MD"


@pytest.mark.parametrize("name", ["%2e%2e\\x.md", "C:x.md", "%00.md"])
def test_a_name_that_could_not_be_named_back_is_reported(tiny_vault: MakeVault, name: str) -> None:
    vault = tiny_vault({name: "x"})
    assert dict(vault.scan().notes) == {}
    assert list(problems(vault)) == [name]


def test_a_name_that_is_not_utf8_is_reported_and_not_listed(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": ""})
    Path(os.fsdecode(os.fsencode(vault.root) + b"/caf\xe9.md")).write_bytes(b"")
    assert list(vault.scan().notes) == ["A.md"]
    assert problems(vault) == {"caf\\udce9.md": "name is not UTF-8"}


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


def test_of_two_folders_in_two_unicode_forms_one_is_used(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"\u00e9/a.md": "NFC", "e\u0301/b.md": "NFD"})
    assert list(vault.scan().notes) == ["é/a.md"]
    assert list(problems(vault)) == ["é"]


def test_a_note_stored_decomposed_is_written_moved_and_removed_under_its_composed_path(
    tiny_vault: MakeVault,
) -> None:
    vault = tiny_vault({"cafe\u0301.md": "one"})
    path = NotePath("café.md")
    vault.write(path, b"two", expected_hash=vault.read(path).hash)
    assert (vault.root / "cafe\u0301.md").read_text() == "two"
    vault.rename(path, "thé")
    vault.remove("thé")
    assert list(vault.root.iterdir()) == []


def test_folders_nested_without_end_are_reported(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"/".join(["d"] * 210) + "/deep.md": "", "A.md": ""})
    assert list(vault.scan().notes) == ["A.md"]
    assert list(problems(vault)) == ["/".join(["d"] * 201)]


BODY = "# Titre\n\ntémoin\n"


@pytest.mark.parametrize(
    ("data", "text", "newline", "problem"),
    [
        (b"", "", "\n", None),
        (BODY.encode(), BODY, "\n", None),
        (b"\xef\xbb\xbf" + BODY.encode(), BODY, "\n", None),
        (b"\xff\xfe" + BODY.encode("utf-16-le"), BODY, "\n", None),
        (b"\xfe\xff" + BODY.encode("utf-16-be"), BODY, "\n", None),
        (b"a\r\nb\r\n", "a\r\nb\r\n", "\r\n", None),
        (b"a\r\nb\nc\n", "a\r\nb\nc\n", "\n", None),
        (b"a\rb", "a\rb", "\r", None),
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


def test_a_note_larger_than_the_limit_is_not_read(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "x" * 1001, "B.md": "x" * 1000}, max_note_bytes=1000)
    with pytest.raises(NoteUnreadableError, match="too large: 1001 bytes"):
        vault.read("A")
    assert len(vault.read("B").text) == 1000


VAULT = {
    "tasks.md": "",
    "projects/x/tasks.md": "",
    "cuisine/Recette.md": "",
    "a/b/N.md": "",
    "zzzz/N.md": "",
    "Version 2.0.md": "",
    "private/Diary.md": "",
    "private/N.md": "",
    "a/Only.md": "",
    "private/Only.md": "",
    **app_json(userIgnoreFilters=["private/"]),
}


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("tasks", "tasks.md"),
        ("x/tasks", "projects/x/tasks.md"),
        ("Recette", "cuisine/Recette.md"),
        ("recette.MD", "cuisine/Recette.md"),
        ("CUISINE/RECETTE", "cuisine/Recette.md"),
        ("[[Recette]]", "cuisine/Recette.md"),
        ("[[Recette#Pâte|la tarte]]", "cuisine/Recette.md"),
        ("./cuisine/Recette.md", "cuisine/Recette.md"),
        ("/cuisine/Recette.md", "cuisine/Recette.md"),
        ("vault/cuisine/Recette.md", "cuisine/Recette.md"),
        (" Recette ", "cuisine/Recette.md"),
        ("Version 2.0", "Version 2.0.md"),
        ("b/N", "a/b/N.md"),
        ("private/Diary", "private/Diary.md"),
        ("Only", "a/Only.md"),
    ],
)
def test_a_name_finds_the_note_that_obsidian_would_find(tiny_vault: MakeVault, name: str, path: str) -> None:
    assert tiny_vault(VAULT).resolve(name) == path


def test_an_ambiguous_name_lists_its_candidates_but_no_excluded_one(tiny_vault: MakeVault) -> None:
    with pytest.raises(PathError) as raised:
        tiny_vault(VAULT).resolve("N")
    assert str(raised.value) == "'N.md' could be any of 2 notes: 'a/b/N.md', 'zzzz/N.md'. give the whole path"


def test_an_unknown_name_suggests_the_nearest_but_no_excluded_one(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(VAULT)
    with pytest.raises(NoteNotFoundError) as raised:
        vault.resolve("Recete")
    assert str(raised.value) == "no note at 'Recete'. did you mean 'cuisine/Recette.md'?"
    with pytest.raises(NoteNotFoundError) as raised:
        vault.resolve("Diari")
    assert str(raised.value) == "no note at 'Diari'"
    with pytest.raises(NoteNotFoundError, match="folder"):
        vault.resolve("cuisine")


@pytest.mark.parametrize("name", ["/Plan", "./Plan", "/plan.md", "[[/Plan]]", "a/../Plan"])
def test_a_leading_slash_means_the_root_and_no_other_folder(tiny_vault: MakeVault, name: str) -> None:
    vault = tiny_vault({"Projects/Plan.md": ""})
    assert vault.resolve("Plan") == "Projects/Plan.md"
    with pytest.raises(NoteNotFoundError, match=r"did you mean 'Projects/Plan\.md'"):
        vault.resolve(name)
    assert tiny_vault({"Projects/Plan.md": "", "plan.md": ""}, name="other").resolve(name) == "plan.md"
    assert vault.resolve("/projects/plan") == "Projects/Plan.md"


def test_the_prefix_vault_is_kept_where_there_is_such_a_folder(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"vault/A.md": "", "A.md": ""})
    assert vault.resolve("vault/A") == "vault/A.md"


@pytest.mark.parametrize(
    ("filters", "excluded", "shown"),
    [
        (["archives/"], ["archives/a.md", "Archives/b/c.md"], ["archives.md", "x/archives/a.md"]),
        (["archives"], ["archives.md", "archives-2/a.md"], ["x/archives/a.md"]),
        (["Été/"], ["E\u0301te\u0301/a.md"], ["Ete/a.md"]),
        (["/^x\\/.*$/"], ["x/a.md"], ["y/x/a.md"]),
        (["/(?<year>\\d{4})-draft/"], ["n/2024-Draft.md"], ["n/24-draft.md"]),
        (["/^\\p{Lu}/"], ["A.md"], ["1.md"]),
        (["/(?<=^x|^yy)\\/a/"], ["x/a.md", "yy/a.md"], ["y/a.md"]),
        (["", "/"], [], ["a.md"]),
        ("archives/", ["archives/a.md"], ["a.md"]),
    ],
)
def test_excluded_files_are_those_of_obsidian(
    tiny_vault: MakeVault, filters: object, excluded: list[str], shown: list[str]
) -> None:
    vault = tiny_vault(app_json(userIgnoreFilters=filters))
    assert [path for path in [*excluded, *shown] if vault.is_excluded(path)] == excluded


def test_a_changed_exclusion_holds_at_once(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"a/x.md": ""})
    assert not vault.is_excluded("a/x.md")
    (vault.root / ".obsidian").mkdir()
    (vault.root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["a/"]}')
    assert vault.is_excluded("a/x.md")


def test_settings_are_read_tolerantly(tiny_vault: MakeVault) -> None:
    read = tiny_vault(app_json(trashOption="local", newLinkFormat="sideways", other=[1])).obsidian
    assert (read.trash_option, read.new_link_format, read.all_file_types) == ("local", "shortest", False)
    assert read.problems == ()
    assert tiny_vault({"A.md": ""}, name="other").obsidian == ObsidianSettings()


def _fifo(file: Path) -> None:
    os.mkfifo(file)


def _dangling(file: Path) -> None:
    file.symlink_to("gone.json")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda file: file.write_text(""), "Expecting value: line 1 column 1 (char 0)"),
        (lambda file: file.write_text('["a/"]'), "it is not a JSON object"),
        (lambda file: file.write_bytes(b'{"a": "\xff"}'), "'utf-8' codec can't decode byte 0xff"),
        (lambda file: file.write_text("[" * 100_000), "maximum recursion depth exceeded"),
        (lambda file: file.mkdir(), "Is a directory"),
        (_fifo, "it is not a regular file"),
        (_dangling, "No such file"),
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
    assert problem.startswith(".obsidian/app.json cannot be read: ")
    assert problem.endswith("; no note is shown until it can")
    assert reason in problem
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


def test_settings_that_could_not_be_read_for_a_moment_are_read_again(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tiny_vault(app_json(userIgnoreFilters=["a/"]))
    (vault.root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["a/", "b/"]}')

    def fail(path: Path) -> str:
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr("app.vault.obsidian._read_regular", fail)
        assert (vault.is_excluded("a/x.md"), vault.is_excluded("b/x.md")) == (True, False)
    # The file has not changed since.
    assert vault.is_excluded("b/x.md")


def test_settings_that_appear_half_written_hide_every_note_until_they_are_whole(
    tiny_vault: MakeVault,
) -> None:
    vault = tiny_vault({"A.md": "", ".obsidian/x.json": ""})
    file = vault.root / ".obsidian/app.json"
    file.write_text('{"userIgnoreFilters": [')
    assert vault.is_excluded("A.md")
    file.write_text('{"userIgnoreFilters": ["a/"]}')
    assert (vault.is_excluded("A.md"), vault.is_excluded("a/x.md")) == (False, True)


@pytest.mark.parametrize(
    ("filters", "problem"),
    [
        (["a/", "/[/"], "excluded files: the expression /[/ is not understood: expected ']' that closes this '['"),
        (["/(?>a)/"], "expected a group of JavaScript's, which '(?>' does not open"),
        (["/\\p{Nonsense}/"], "a valid regular expression (unknown property)"),
        (["a/", 5], "'userIgnoreFilters' holds 5, which is not a text"),
        ({"a/": True}, "'userIgnoreFilters' is not a list: {\"a/\": true}"),
    ],
)  # fmt: skip
def test_a_filter_that_is_not_understood_hides_every_note(
    tiny_vault: MakeVault, filters: object, problem: str
) -> None:
    vault = tiny_vault({"A.md": "", **app_json(userIgnoreFilters=filters)})
    assert vault.is_excluded("A.md")
    assert problem in vault.obsidian.problems[0]
    assert vault.obsidian.problems[0].endswith("; no note is shown until it is")


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


def test_the_rules_tell_apart_what_excludes_different_notes(tiny_vault: MakeVault) -> None:
    filters: list[object] = [[], ["a/"], ["/a/"], ["/a", "b"], ["/a(/"], "b"]
    vaults = [
        tiny_vault(app_json(userIgnoreFilters=each), name=f"v{number}") for number, each in enumerate(filters)
    ]
    assert len({vault.obsidian.rules for vault in vaults}) == len(filters)


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


def test_there_must_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "none", tmp_path / "file"):
        with pytest.raises(VaultNotFoundError):
            VaultClient(path)


def test_the_vault_is_the_nearest_folder_above_that_obsidian_opened(tmp_path: Path) -> None:
    (tmp_path / "outer/.obsidian").mkdir(parents=True)
    (tmp_path / "outer/inner/.obsidian").mkdir(parents=True)
    (tmp_path / "outer/inner/deep").mkdir()
    assert find_vault(tmp_path / "outer/inner/deep") == tmp_path / "outer/inner"
    assert find_vault(tmp_path / "outer") == tmp_path / "outer"
    assert find_vault(tmp_path) is None


def test_a_vault_reached_through_a_link_is_used_where_it_is(tiny_vault: MakeVault, tmp_path: Path) -> None:
    real = tiny_vault({"A.md": "one"})
    (tmp_path / "shortcut").symlink_to(real.root)
    assert VaultClient(tmp_path / "shortcut").root == real.root


def test_an_embedding_app_allows_writes_unless_it_says_otherwise(tiny_vault: MakeVault) -> None:
    deps = ChatDependencies(vault=tiny_vault({}), trace_id="t")
    assert (deps.writes, deps.approve) == ("allow", None)
