"""Paths that are typed in one folder and mean the same from the vault's root."""

from pathlib import Path

import pytest

from app.vault.here import folder_from, note_from, path_from, scope_from, target_from


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "above" / "vault"
    for name in ("Home.md", "projects/Plan.md", "projects/boat/Keel.md", "people/Ana.md", "boat.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x\n")
    return root


@pytest.mark.parametrize(
    ("folder", "written", "meant"),
    [
        ("projects", "boat/Keel.md", "./projects/boat/Keel.md"),
        ("projects", "../Home.md", "./Home.md"),
        ("projects", "./Gone", "./projects/Gone"),
        ("projects", "people/Ana.md", "people/Ana.md"),
        ("projects", "[[Plan]]", "[[Plan]]"),
        ("projects", "../../../etc/passwd", "../../../etc/passwd"),
        ("..", "vault/Home.md", "./Home.md"),
        ("..", "Home.md", "Home.md"),
    ],
)
def test_a_note_is_meant_from_where_it_was_typed(root: Path, folder: str, written: str, meant: str) -> None:
    assert note_from(root, str((root / folder).resolve()), written) == meant


def test_a_whole_path_leads_into_the_vault_by_any_way(root: Path, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(root)
    assert note_from(root, "/", f"{root}/projects/Plan.md") == "./projects/Plan.md"
    assert note_from(root, "", f"{tmp_path}/way/Home.md") == "./Home.md"
    assert note_from(root, "/", f"{root}x/Home.md") == f"{root}x/Home.md"
    assert note_from(root, "/", "/Home.md") == "/Home.md"


def test_folders_scopes_and_places_to_be_made(root: Path) -> None:
    (root / "archive").mkdir()
    here = str(root / "projects")
    assert [folder_from(root, here, name) for name in (".", "boat", "boat/", "people", "..")] == [
        "./projects", "./projects/boat", "./projects/boat/", "people", "./",
    ]  # fmt: skip
    assert [scope_from(root, here, name) for name in ("Plan", "boat", "project:boat", "**/*.md")] == [
        "./projects/Plan", "./projects/boat", "project:boat", "**/*.md",
    ]  # fmt: skip
    assert [target_from(root, here, name) for name in ("archive", "boat/New", "people/New", "./gone/New")] == [
        "archive", "./projects/boat/New", "people/New", "./projects/gone/New",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("folder", "path", "written"),
    [
        ("", "people/Ana.md", "people/Ana.md"),
        ("projects", "people/Ana.md", "../people/Ana.md"),
        ("..", "people/Ana.md", "vault/people/Ana.md"),
        ("people", "people/-x.md", "./-x.md"),
    ],
)
def test_a_path_is_written_as_it_opens_from_the_folder(
    root: Path, folder: str, path: str, written: str
) -> None:
    assert path_from(root, str((root / folder).resolve()), path) == written
