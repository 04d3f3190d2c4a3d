"""Delete: to where the vault's settings say, and for good only when that is said."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents
from app.vault.files import set_aside


def trash(option: str) -> dict[str, str]:
    return {".obsidian/app.json": json.dumps({"trashOption": option})}


def test_a_note_goes_to_the_systems_trash(tiny_vault: MakeVault, run: Operate, own_environment: Path) -> None:
    (own_environment / "data").mkdir()
    vault = tiny_vault({"a/N.md": "text", "a/B.md": ""})
    answer = run(vault, "delete", path="N")
    assert answer == "Done: put 'a/N.md' into the system's trash."
    assert contents(vault) == {"a/B.md": ""}
    assert [entry.name for entry in (vault.root / "a").iterdir()] == ["B.md"]


def test_names_in_the_trash_never_collide(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault(trash("local"))
    for text in ("one", "two", "three"):
        run(vault, "create", path="a/N", content=text)
        run(vault, "delete", path="a/N")
    assert contents(vault) == {".trash/a/N.md": "one", ".trash/a/N 1.md": "two", ".trash/a/N 2.md": "three"}


def test_without_a_usable_system_trash_the_vaults_own_is_used(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "gone"))
    monkeypatch.setattr("send2trash.plat_other.HOMETRASH_B", b"/dev/null/Trash", raising=False)
    vault = tiny_vault({"N.md": "text"})
    answer = run(vault, "delete", path="N")
    assert answer == "Done: moved 'N.md' to '.trash/N.md', for the system has no usable trash."
    assert contents(vault) == {".trash/N.md": "text"}


def test_the_answer_names_the_notes_that_link_to_it_but_no_excluded_one(
    tiny_vault: MakeVault, run: Operate
) -> None:
    vault = tiny_vault(
        {
            "N.md": "[[N]]",
            "B.md": "[[n]]",
            "private/P.md": "[[N]]",
            "C.md": "N",
            ".obsidian/app.json": '{"trashOption": "local", "userIgnoreFilters": ["private/"]}',
        }
    )
    answer = run(vault, "delete", path="N")
    assert answer.endswith("(1 other note with links to it ('B.md'))")


def test_a_trash_that_is_a_link_out_of_the_vault_is_not_used(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"N.md": "text", **trash("local")})
    outside = vault.root.parent / "outside"
    outside.mkdir()
    (vault.root / ".trash").symlink_to(outside)
    assert run(vault, "delete", path="N").startswith("Error: a symbolic link on '.trash/N.md' leads outside")
    assert contents(vault) == {"N.md": "text"}
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("option", ["system", "local"])
def test_a_folder_swapped_for_a_link_throws_nothing_away_outside(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    vault = tiny_vault({"a/N.md": "text", **trash(option)})
    outside = vault.root.parent / "outside"
    outside.mkdir()
    (outside / "N.md").write_text("theirs")

    def swapped(*arguments: Any, **named: Any) -> str:
        aside = set_aside(*arguments, **named)
        (vault.root / "a").rename(vault.root / "b")
        (vault.root / "a").symlink_to(outside)
        return aside

    monkeypatch.setattr("app.notes.trash.set_aside", swapped)
    answer = run(vault, "delete", path="N")
    assert "leads outside the vault" in answer
    assert "could not be put back either" in answer
    assert {file.name: file.read_text() for file in outside.iterdir()} == {"N.md": "theirs"}
    assert [file.read_text() for file in (vault.root / "b").rglob("N.md")] == ["text"]


def test_a_note_that_no_trash_takes_is_put_back(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tiny_vault({"a/N.md": "text", ".trash": "in the way"})

    def full(_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr("send2trash.send2trash", full)
    assert run(vault, "delete", path="N").startswith("Error: cannot access '.trash/a/N.md': Not a directory")
    assert contents(vault) == {"a/N.md": "text", ".trash": "in the way"}
    assert [entry.name for entry in (vault.root / "a").iterdir()] == ["N.md"]
