"""The command alone where nothing is indexed yet, and ``setup``, on a real terminal."""

import json
import stat
from pathlib import Path

import pytest

from app.tests.cli import conftest
from app.tests.cli.session import ENTER, ESCAPE, Session
from app.vault.registered import registered_vaults

LARCH = "# Larch\n\n## Why the larch came late\n\nThe kiln broke. See [[Larch]].\n\n#boat\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home, with two vaults that Obsidian knows and one that is gone."""
    home = tmp_path / "home"
    for name in ("Notes", "Work"):
        (home / name).mkdir(parents=True)
        (home / name / "Larch.md").write_text(LARCH)
    lists = home / ".config/obsidian"
    lists.mkdir(parents=True)
    vaults = {
        "a": {"path": str(home / "Work"), "ts": 5},
        "b": {"path": str(home / "Notes"), "ts": 9, "open": True},
        "c": {"path": str(home / "Gone"), "ts": 12},
        "d": "no entry",
    }
    (lists / "obsidian.json").write_text(json.dumps({"vaults": vaults}))
    for name, value in {"HOME": "", "XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".data"}.items():
        monkeypatch.setenv(name, str(home / value))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("APPDATA", raising=False)
    return home


PLAIN = {"NO_COLOR": "1", "LC_ALL": "C"}


def test_obsidians_vaults_are_found_wherever_it_was_installed(home: Path) -> None:
    assert registered_vaults() == [home / "Notes", home / "Work"]
    flatpak = home / ".var/app/md.obsidian.Obsidian/config/obsidian"
    flatpak.mkdir(parents=True)
    (home / "Third").mkdir()
    third = {"vaults": {"x": {"path": str(home / "Third"), "ts": 11}}}
    (flatpak / "obsidian.json").write_text(json.dumps(third))
    assert registered_vaults() == [home / "Third", home / "Notes", home / "Work"]
    for broken in ("{", "[]", '{"vaults": []}', '{"vaults": {"x": {"path": "relative"}}}'):
        (flatpak / "obsidian.json").write_text(broken)
        assert registered_vaults() == [home / "Notes", home / "Work"]


def test_a_folder_of_notes_is_indexed_and_then_picked_from(home: Path) -> None:
    with Session(folder=home / "Notes", environment=PLAIN, columns=120) as session:
        session.wait_for("changed last · 1 of 1")
        session.type(ESCAPE)
        assert session.end() == 1
        assert f"'{home / 'Notes'}' holds 1 note that is not indexed yet." in " ".join(session.text.split())


def test_setup_asks_writes_indexes_and_searches(home: Path) -> None:
    file = home / ".config/vault-assistant/config.json"
    file.parent.mkdir(parents=True)
    # What is there stays, and what is set stands first.
    before = {"writes": "refuse", "vault": str(home / "Work")}
    file.write_text(json.dumps(before))
    for answer, code, after in (
        ("", 1, before),
        ("y", 0, {**before, "vault": str(home / "Notes"), "model": "ollama:qwen3"}),
    ):
        with Session("setup", folder=home, environment=PLAIN, columns=120) as session:
            screen = session.wait_for("[1]:")
            assert f"  1. {home / 'Work'}\n  2. {home / 'Notes'}" in screen
            session.type("7" + ENTER)
            session.wait_for("'7' is no folder.")
            session.type("2" + ENTER)
            session.wait_for("[]:")
            session.type("ollama:qwen3" + ENTER)
            session.wait_for("Write it? [y/N]")
            session.type(answer + ENTER)
            assert session.end() == code
        assert json.loads(file.read_text()) == after
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "1 note in the index: 1 written, 0 deleted, " in session.screen
    assert "$ vault-assistant 'Why the larch came late'\nLarch" in session.screen


def test_where_nobody_answers_it_says_what_to_write(run: conftest.Run, home: Path) -> None:
    refused = run("setup")
    assert refused.code == 2
    assert refused.err.startswith("error: setup asks, and nobody is there to answer\nhint: write {")
    assert str(home / ".config/vault-assistant/config.json") in refused.err
