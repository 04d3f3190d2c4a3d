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


def test_an_existing_note_is_replaced_with_overwrite_in_its_own_line_ends(
    tiny_vault: MakeVault, run: Operate
) -> None:
    vault = tiny_vault({"A.md": b"\xef\xbb\xbfone\r\ntwo\r\n"})
    answer = run(vault, "create", path="A", content="1\n2\n", overwrite=True)
    assert answer.startswith("Done: overwrite 'A.md'.")
    assert vault.read_bytes("A") == b"\xef\xbb\xbf1\r\n2\r\n"


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
        assert run(vault, "create", path=path, content="a").startswith("Error: the vault has no folder")
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


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("Two\nlines", r"the name 'Two\nlines.md' holds a newline (U+000A)"),
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
    asking = {"writes": "ask", "approve": lambda change: shown.append(change.diff)}
    asked = run(vault, "create", path="Maman", content="x", **asking)
    said = "('Personnes/Maman.md' has the same name: 3 links that led to it lead to the new note)"
    assert said in shown[0]
    assert asked.startswith("Not done")
    assert said in run(vault, "create", path="Maman", content="x")
    # Neither a name that is free nor one that no link means is worth a word.
    assert "same name" not in run(vault, "create", path="Archive/Maman", content="x")
    assert "same name" not in run(vault, "create", path="B", content="x")


def test_a_note_that_differs_only_in_case_is_refused(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"Plan.md": "one"})
    answer = run(vault, "create", path="plan", content="two", overwrite=True)
    assert answer.startswith("Error: there is a note at 'Plan.md' already")
    assert contents(vault) == {"Plan.md": "one"}


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ({"operation": "create", "path": "B", "content": "x" * 1001}, "Error: 'B.md' would have 1001 bytes"),
        ({"operation": "create", "path": "B", "content": "\ud800"}, "Error: 'content' "),
        ({"operation": "create", "path": "A", "content": "b", "overwrite": True}, "Error: 'A.md' changed"),
        ({"operation": "delete", "path": "A"}, "Error: 'A.md' changed since it was read"),
        ({"operation": "update", "path": "A", "content": "one", "expected_hash": ""}, "Nothing to do: "),
    ],
)
def test_what_cannot_be_written_changes_nothing(
    tiny_vault: MakeVault, run: Operate, call: dict[str, object], error: str
) -> None:
    vault = tiny_vault({"A.md": "one"}, max_note_bytes=1000)
    before = (vault.root / "A.md").stat().st_mtime_ns
    changed = {"expected_hash": "0" * 32} if call["path"] == "A" else {}
    assert run(vault, **{**changed, **call}).startswith(error)
    assert contents(vault) == {"A.md": "one"}
    assert (vault.root / "A.md").stat().st_mtime_ns == before
