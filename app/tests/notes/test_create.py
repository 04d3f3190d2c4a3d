"""Create: a new note, never over another by accident."""

import pytest

from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents
from app.vault.client import VaultClient


def test_a_note_is_created_with_its_folders_and_hash(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({})
    answer = run(vault, "create", path="Projects/New/Plan", content="# Plan\n")
    assert contents(vault) == {"Projects/New/Plan.md": "# Plan\n"}
    assert answer == f"Done: create 'Projects/New/Plan.md'.\nhash {vault.read('Projects/New/Plan').hash}"


def test_an_existing_note_is_refused(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"A.md": "one"})
    answer = run(vault, "create", path="A", content="two")
    assert answer.startswith("Error: there is a note at 'A.md' already")
    assert contents(vault) == {"A.md": "one"}


def test_a_note_that_differs_only_in_case_is_refused(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"Plan.md": "one"})
    answer = run(vault, "create", path="plan", content="two", overwrite=True)
    assert answer.startswith("Error: there is a note at 'Plan.md' already")
    assert contents(vault) == {"Plan.md": "one"}


def test_an_existing_note_is_replaced_with_overwrite_in_its_own_line_ends(
    tiny_vault: MakeVault, run: Operate
) -> None:
    vault = tiny_vault({"A.md": b"\xef\xbb\xbfone\r\ntwo\r\n"})
    answer = run(vault, "create", path="A", content="1\n2\n", overwrite=True)
    assert answer.startswith("Done: overwrite 'A.md'.")
    assert vault.read_bytes("A") == b"\xef\xbb\xbf1\r\n2\r\n"


def test_overwriting_can_expect_a_hash(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"A.md": "one"})
    answer = run(vault, "create", path="A", content="two", overwrite=True, expected_hash="0" * 32)
    assert answer.startswith("Error: 'A.md' changed since it was read")
    assert run(vault, "create", path="B", content="b", expected_hash="0" * 32).startswith("Error: no note")
    assert contents(vault) == {"A.md": "one"}


def test_folders_that_are_there_keep_their_spelling(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"Été/Notes/A.md": ""})
    run(vault, "create", path="e\u0301te\u0301/notes/new/B", content="b")
    assert sorted(contents(vault)) == ["Été/Notes/A.md", "Été/Notes/new/B.md"]


@pytest.mark.parametrize(
    "path",
    ["../A", "/../A", "a/../../A", "%2e%2e/A", "C:/A", "//host/A", "~/A", ".obsidian/A", "A\0", "x/", " "],
)
def test_nothing_is_created_outside_or_hidden(tiny_vault: MakeVault, run: Operate, path: str) -> None:
    vault = tiny_vault({})
    assert run(vault, "create", path=path, content="a").startswith("Error: ")
    assert contents(vault) == {}
    assert [entry.name for entry in vault.root.parent.iterdir()] == ["vault"]


def test_a_path_of_the_computer_means_the_note_inside_the_vault_or_is_refused(
    tiny_vault: MakeVault, run: Operate
) -> None:
    vault = tiny_vault({"Old/A.md": "one"})
    (vault.root.parent / "link").symlink_to(vault.root)
    linked = VaultClient(vault.root.parent / "link", vault.settings)
    assert run(vault, "create", path=f"{vault.root}/New/B.md", content="b").startswith(
        "Done: create 'New/B.md'"
    )
    assert run(linked, "create", path=f"{vault.root.parent}/link/C.md", content="c").startswith("Done:")
    assert "one" in run(vault, "read", path=f"{vault.root}/Old/A.md")
    assert run(vault, "move", path=f"{vault.root}/C.md", new_path=f"{vault.root}/New/").startswith("Done:")
    assert run(vault, "undo", path=f"{vault.root}/New/C.md").startswith("Done:")
    for path in ("/etc/A.md", f"{vault.root.parent}/other/A.md"):
        top = path.split("/")[1]
        assert run(vault, "create", path=path, content="a") == (
            f"Error: the vault has no folder '{top}', and '{path}' may lie outside of it. "
            f"leave the slash at its beginning out to make '{top}' in the vault"
        )
        assert run(vault, "move", path="C", new_path=path).startswith("Error: the vault has no folder")
    # A slash at the beginning is the vault's root, as in Obsidian's links.
    assert run(vault, "create", path="/D", content="d").startswith("Done: create 'D.md'")
    assert run(vault, "create", path="/old/E", content="e").startswith("Done: create 'Old/E.md'")
    assert contents(vault) == {"C.md": "c", "D.md": "d", "New/B.md": "b", "Old/A.md": "one", "Old/E.md": "e"}


def test_nothing_is_created_through_a_link_that_leads_out(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({})
    outside = vault.root.parent / "outside"
    outside.mkdir()
    (vault.root / "link").symlink_to(outside)
    assert run(vault, "create", path="link/A", content="a").startswith("Error: a symbolic link on")
    assert list(outside.iterdir()) == []


def test_content_must_be_text(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({})
    for content in (5, "a\0b", "\ud800"):
        assert run(vault, "create", path="A", content=content).startswith("Error: 'content' ")
    assert contents(vault) == {}


def test_a_note_too_large_to_be_read_back_is_refused(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({}, max_note_bytes=1000)
    assert run(vault, "create", path="A", content="x" * 1001).startswith(
        "Error: 'A.md' would have 1001 bytes"
    )
    assert contents(vault) == {}


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("Two\nlines", r"the name 'Two\nlines.md' holds a newline (U+000A)"),
        ("New\t/Plan", r"the name 'New\t/Plan.md' holds a tab (U+0009)"),
        ("Bell\x07", r"the name 'Bell\x07.md' holds a control character (U+0007)"),
        ("Next\x85", r"the name 'Next\x85.md' holds a control character (U+0085)"),
        ("Line\u2028", r"the name 'Line\u2028.md' holds a control character (U+2028)"),
    ],
)
def test_a_new_name_with_a_control_character_is_refused(
    tiny_vault: MakeVault, run: Operate, path: str, said: str
) -> None:
    vault = tiny_vault({"A.md": "one"})
    assert run(vault, "create", path=path, content="x") == f"Error: {said}. leave it out"
    assert run(vault, "move", path="A", new_path=path) == f"Error: {said}. leave it out"
    assert contents(vault) == {"A.md": "one"}


def test_a_note_whose_name_has_a_control_character_can_be_replaced_and_renamed(
    tiny_vault: MakeVault, run: Operate
) -> None:
    vault = tiny_vault({"odd\nfolder/Two\nlines.md": "one"})
    path = "odd\nfolder/Two\nlines"
    assert run(vault, "create", path=path, content="two", overwrite=True).startswith("Done:")
    assert run(vault, "create", path="odd\nfolder/B", content="b").startswith("Done:")
    assert run(vault, "move", path=path, new_path="Plain").startswith("Done:")
    assert contents(vault) == {"Plain.md": "two", "odd\nfolder/B.md": "b"}
    assert run(vault, "undo").startswith("Done:")
    assert contents(vault) == {"odd\nfolder/Two\nlines.md": "two", "odd\nfolder/B.md": "b"}


def test_a_new_note_says_which_links_its_name_takes_over(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault(
        {
            "Personnes/Maman.md": "# Maman\n",
            "A.md": "[[Maman]] and [[maman|her]], but [[Personnes/Maman]] stays\n",
            "Personnes/Papa.md": "[[Maman]] is beside it, and means what stands at the root first\n",
            "private/Diary.md": "[[Maman]]\n",
            ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
        }
    )
    shown = list[str]()
    asked = run(
        vault,
        "create",
        path="Maman",
        content="x",
        writes="ask",
        approve=lambda change: shown.append(change.diff),
    )
    said = "('Personnes/Maman.md' has the same name: 3 links that led to it lead to the new note)"
    assert said in shown[0]
    assert asked.startswith("Not done")
    assert said in run(vault, "create", path="Maman", content="x")
    # Neither a name that is free nor one that no link means is worth a word.
    assert "same name" not in run(vault, "create", path="Archive/Maman", content="x")
    assert "same name" not in run(vault, "create", path="B", content="x")
