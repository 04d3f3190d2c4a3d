"""A small file in a folder of the user's own is replaced whole, or not at all."""

import os
from pathlib import Path

import pytest

from app.config.folders import create_file, replace_file


def test_a_file_is_replaced_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(b"old")
    file.chmod(0o644)
    replace_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("call", ["fsync", "rename"])
def test_a_failure_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "record.json"
    file.write_bytes(b"old")
    monkeypatch.setattr(*{"fsync": (os, "fsync"), "rename": (Path, "replace")}[call], full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(file, b"new")
    monkeypatch.undo()
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_in_the_place_of_a_new_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(FileExistsError):
        create_file(tmp_path / "link")
    assert not (tmp_path / "target").exists()
