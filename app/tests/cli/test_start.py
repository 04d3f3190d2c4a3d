"""The command alone where nothing is indexed yet, and ``setup``, on a real terminal."""

import json
import stat
from pathlib import Path

import pytest

from app.tests.cli import conftest
from app.tests.cli.session import END, ENTER, ESCAPE, Session
from app.vault.registered import registered_vaults

WORDS_ALONE = '{"notes": {"embedding_model": null}}'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home, with two vaults that Obsidian knows and one that is gone."""
    home = tmp_path / "home"
    for name in ("Notes", "Work"):
        (home / name).mkdir(parents=True)
        (home / name / "Larch.md").write_text(
            "# Larch\n\n## Why the larch came late\n\nThe kiln broke. See [[Larch]].\n\n#boat\n"
        )
    lists = home / ".config/obsidian"
    lists.mkdir(parents=True)
    vaults = {
        "a": {"path": str(home / "Work"), "ts": 5},
        "b": {"path": str(home / "Notes"), "ts": 9, "open": True},
        "c": {"path": str(home / "Gone"), "ts": 12},
        "d": "no entry",
    }
    (lists / "obsidian.json").write_text(json.dumps({"vaults": vaults}))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.delenv("APPDATA", raising=False)
    return home


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_STATE_HOME": str(home / ".state"),
        "VAULT_ASSISTANT_INDEX__INDEXES": WORDS_ALONE,
        "NO_COLOR": "1",
        "LC_ALL": "C",
    }


def test_obsidians_vaults_are_found_wherever_it_was_installed(home: Path) -> None:
    assert registered_vaults() == [home / "Notes", home / "Work"]
    flatpak = home / ".var/app/md.obsidian.Obsidian/config/obsidian"
    flatpak.mkdir(parents=True)
    (home / "Third").mkdir()
    (flatpak / "obsidian.json").write_text(
        json.dumps({"vaults": {"x": {"path": str(home / "Third"), "ts": 11}}})
    )
    assert registered_vaults() == [home / "Third", home / "Notes", home / "Work"]
    for broken in ("{", "[]", '{"vaults": []}', '{"vaults": {"x": {"path": "relative"}}}'):
        (flatpak / "obsidian.json").write_text(broken)
        assert registered_vaults() == [home / "Notes", home / "Work"]


def test_a_folder_of_notes_is_indexed_and_then_picked_from(home: Path, environment: dict[str, str]) -> None:
    with Session(folder=home / "Notes", environment=environment, columns=120) as session:
        session.wait_for("changed last · 1 of 1")
        session.type(ESCAPE)
        assert session.end() == 1
        assert f"'{home / 'Notes'}' holds 1 note that is not indexed yet." in " ".join(session.text.split())


def test_where_there_are_no_notes_it_says_how_to_name_some(home: Path, environment: dict[str, str]) -> None:
    (home / "Empty").mkdir()
    with Session(folder=home / "Empty", environment=environment, columns=200) as session:
        assert session.end() == 2
        assert "error: no vault named" in session.text
        assert "'vault-assistant setup' asks and sets one" in session.text


def test_errors_are_broken_between_words_and_not_beside_signs_of_french(
    home: Path, environment: dict[str, str]
) -> None:
    (home / "Empty").mkdir()
    for columns in (60, 75, 90):
        with Session(
            "--lang", "fr", "list", "tags", folder=home / "Empty", environment=environment, columns=columns
        ) as session:
            assert session.end() == 2
        lines = session.text.splitlines()
        assert any(line.startswith("conseil : « vault-assistant setup » pose la ") for line in lines)
        assert not any(line.endswith("«") or line.startswith(("»", ";", ":")) for line in lines)
        whole = " ".join(session.text.split())
        assert 'mettez "vault" dans « ' in whole
        assert whole.endswith("ou partez d'un dossier qui contient .obsidian/")


def test_setup_asks_writes_indexes_and_searches(home: Path, environment: dict[str, str]) -> None:
    file = home / ".config/vault-assistant/config.json"
    (home / "elsewhere").mkdir()
    with Session("setup", folder=home / "elsewhere", environment=environment, columns=120) as session:
        screen = session.wait_for("[1]:")
        assert f"  1. {home / 'Notes'}\n  2. {home / 'Work'}" in screen
        session.type("7" + ENTER)
        session.wait_for("'7' is no folder.")
        session.type("2" + ENTER)
        session.wait_for("[]:")
        session.type("ollama:qwen3" + ENTER)
        session.wait_for("Write it? [y/N]")
        assert not file.exists()
        session.type("y" + ENTER)
        assert session.end() == 0
        assert "1 note in the index: 1 written, 0 deleted, " in session.screen
        assert "$ vault-assistant 'Why the larch came late'\nLarch" in session.screen
        assert "vault-assistant setup install CLIENT" in session.screen
    assert json.loads(file.read_text()) == {"vault": str(home / "Work"), "model": "ollama:qwen3"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_is_there_stays_unless_the_person_says_so(home: Path, environment: dict[str, str]) -> None:
    file = home / ".config/vault-assistant/config.json"
    file.parent.mkdir(parents=True)
    before = {"writes": "refuse", "vault": str(home / "Work"), "picker_opens": "obsidian"}
    file.write_text(json.dumps(before))
    for answer, code, vault in (("", 1, "Work"), ("y", 0, "Notes")):
        with Session("setup", folder=home, environment=environment, columns=120) as session:
            screen = session.wait_for("[1]:")
            # What is set stands first.
            assert f"  1. {home / 'Work'}" in screen
            session.type("2" + ENTER)
            session.wait_for("[]:")
            session.type(ENTER)
            screen = session.wait_for("Write it? [y/N]")
            assert "is there already; its other settings stay." in " ".join(screen.split("\n"))
            session.type(answer + ENTER)
            assert session.end() == code
        assert json.loads(file.read_text()) == {**before, "vault": str(home / vault)}


def test_an_end_of_answers_writes_nothing(home: Path, environment: dict[str, str]) -> None:
    with Session("setup", folder=home, environment=environment) as session:
        session.wait_for("[1]:")
        session.type(END)
        assert session.end() == 130
    assert not (home / ".config/vault-assistant").exists()


def test_where_nobody_answers_it_says_what_to_write(run: conftest.Run, home: Path) -> None:
    refused = run("setup")
    assert refused.code == 2
    assert refused.err.startswith("error: setup asks, and nobody is there to answer\nhint: write {")
    assert str(home / ".config/vault-assistant/config.json") in refused.err
