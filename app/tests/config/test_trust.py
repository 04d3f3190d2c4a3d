"""The record of what a person accepted, and the file of a folder that is or is not taken."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.config.file import read_config
from app.config.folders import MAX_BYTES
from app.config.settings import load_configuration
from app.config.trust import FILE_NAME, record_path, revoke, standing_of, trust, trusted_folders
from app.errors import ConfigError

OURS = b'{"chunk_chars": 222}'
NOT_TRUSTED = "you have not trusted it; 'vault-assistant setup trust' shows what it would change, and asks"
CHANGED = (
    "it changed since you trusted it; 'vault-assistant setup trust' shows what it would change, and asks"
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "clone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def accept(folder: Path) -> None:
    trust(folder, read_config(folder / "config.json", "folder").accepted)


def used() -> tuple[int, str | None]:
    """The setting that the file sets, and why the file is ignored."""
    found = load_configuration()
    return found.settings.chunk_chars, found.ignored.reason if found.ignored is not None else None


class TestTheRecord:
    def test_it_holds_folder_and_content_and_is_its_owners_alone(
        self, here: Path, own_environment: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("VAULT_ASSISTANT_STATE_DIR", str(here / "state"))
        before = os.umask(0)
        try:
            trust(here, OURS)
        finally:
            os.umask(before)
        path = own_environment / ".local" / "state" / "vault-assistant" / FILE_NAME
        assert record_path() == path
        assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        assert [standing_of(here, data) for data in (OURS, OURS + b" ")] == ["trusted", "changed"]
        assert standing_of(here.parent, OURS) == "unknown"
        assert sorted(each.name for each in path.parent.iterdir()) == [FILE_NAME, "trusted.lock"]

    def test_a_folder_has_one_content_and_is_known_by_every_name(self, here: Path, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(here)
        trust(here, OURS)
        trust(tmp_path / "link" / ".." / "clone", b"{}")
        assert [(each.folder, standing_of(here, b"{}")) for each in trusted_folders()] == [
            (str(here), "trusted")
        ]
        assert standing_of(tmp_path / "link", b"{}") == "trusted"
        assert revoke(tmp_path / "link")
        assert trusted_folders() == ()
        assert not revoke(here)

    @pytest.mark.parametrize(
        ("spoil", "message"),
        [
            (lambda path: path.chmod(0o620), "is not yours alone to write"),
            (lambda path: path.write_text("{"), "is damaged"),
            (lambda path: path.write_text('{"folders": [{"folder": "/"}]}'), "is damaged"),
            (lambda path: path.write_bytes(b" " * (MAX_BYTES + 1)), "is larger than"),
        ],
    )
    def test_a_record_that_cannot_be_believed_trusts_nothing_and_is_not_replaced(
        self, here: Path, spoil: Callable[[Path], object], message: str
    ) -> None:
        (here / "config.json").write_bytes(OURS)
        accept(here)
        assert used() == (222, None)
        spoil(record_path())
        spoilt = record_path().read_bytes()
        chars, reason = used()
        assert chars == 1500
        assert message in (reason or "")
        with pytest.raises(ConfigError, match=message):
            trust(here, OURS)
        assert record_path().read_bytes() == spoilt

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
    def test_a_record_of_another_user_trusts_nothing(self, here: Path) -> None:
        trust(here, OURS)
        os.chown(record_path(), 65534, 65534)
        with pytest.raises(ConfigError, match="is not yours alone to write"):
            standing_of(here, OURS)


class TestTheFileOfAFolder:
    def test_it_is_taken_while_it_is_what_was_accepted(self, here: Path) -> None:
        file = here / "config.json"
        file.write_bytes(OURS)
        assert used() == (1500, NOT_TRUSTED)
        accept(here)
        assert used() == (222, None)
        file.write_bytes(OURS.replace(b"222", b"223"))
        assert used() == (1500, CHANGED)
        file.write_bytes(OURS)
        assert used() == (222, None)
        revoke(here)
        assert used() == (1500, NOT_TRUSTED)

    def test_a_link_is_followed_and_what_it_leads_to_is_what_counts(self, here: Path, tmp_path: Path) -> None:
        (tmp_path / "one.json").write_bytes(OURS)
        (tmp_path / "two.json").write_bytes(b'{"chunk_chars": 999}')
        (here / "config.json").symlink_to("../one.json")
        accept(here)
        assert used() == (222, None)
        (here / "config.json").unlink()
        (here / "config.json").symlink_to("../two.json")
        assert used() == (1500, CHANGED)

    def test_a_path_in_it_that_leads_elsewhere_now_is_a_change(self, here: Path, tmp_path: Path) -> None:
        """An update of the folder could lead the same words to another vault of the person."""
        (here / "notes").mkdir()
        (tmp_path / "private").mkdir()
        (here / "config.json").write_text('{"vault": "notes", "chunk_chars": 222}')
        accept(here)
        assert used() == (222, None)
        (here / "notes").rmdir()
        (here / "notes").symlink_to(tmp_path / "private")
        assert used() == (1500, CHANGED)

    @pytest.mark.parametrize(
        "content",
        [b'{"compilerOptions": {"strict": true}}', b'{"Vault": "/", "VAULT": "/"}'],
    )
    def test_a_file_of_another_program_is_passed_over_in_silence(self, here: Path, content: bytes) -> None:
        (here / "config.json").write_bytes(content)
        assert load_configuration().ignored is None

    @pytest.mark.parametrize(
        ("make", "reason"),
        [
            (lambda path: path.write_bytes(b"\xff\xfe"), "cannot read the configuration '{path}': 'utf-8'"),
            (lambda path: path.write_text("[" * 99_999), "cannot read the configuration '{path}': maximum"),
            (lambda path: path.write_bytes(OURS + b" " * MAX_BYTES), "'{path}' is larger than 1000000 bytes"),
            (lambda path: os.mkfifo(path), "'{path}' is not a regular file"),
            (lambda path: path.symlink_to("/dev/zero"), "'{path}' is not a regular file"),
            (lambda path: path.symlink_to(path.name), "cannot read '{path}': Too many levels"),
        ],
        ids=["no text", "deep", "huge", "FIFO", "device", "loop"],
    )
    def test_what_is_no_configuration_is_only_noted(
        self, here: Path, make: Callable[[Path], Any], reason: str
    ) -> None:
        make(here / "config.json")
        found = load_configuration()
        assert (found.file, found.settings.chunk_chars) == (None, 1500)
        assert found.ignored is not None
        assert not found.ignored.is_ours
        assert found.ignored.reason.startswith(reason.format(path=here / "config.json"))


class TestWhereItMayKeepThings:
    @pytest.fixture
    def project(self, own_environment: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        folder = own_environment / "code" / "garden"
        folder.mkdir(parents=True)
        monkeypatch.chdir(folder)
        return folder

    def loaded(self, project: Path, **values: str) -> Any:
        (project / "config.json").write_text(json.dumps(values))
        accept(project)
        return load_configuration()

    @pytest.mark.parametrize(
        ("name", "place"),
        [
            ("cache_dir", "/var/lib/elsewhere"),
            ("state_dir", "../../../outside"),
            ("cache_dir", "link/kept"),
            ("state_dir", "a\0b"),
        ],
    )
    def test_not_outside_the_persons_own_folders(
        self, project: Path, own_environment: Path, name: str, place: str
    ) -> None:
        (project / "link").symlink_to("/tmp")
        with pytest.raises(ConfigError, match=f"setting '{name}': .* is outside your own folders"):
            self.loaded(project, **{name: place})

    def test_below_home_and_the_systems_places_for_the_person(
        self, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("VAULT_ASSISTANT_CACHE_DIR")
        assert self.loaded(project, cache_dir="kept").settings.cache_folder == project / "kept"
        (tmp_path / "scratch").mkdir()
        place = str(tmp_path / "scratch" / "index")
        with pytest.raises(ConfigError, match="is outside your own folders"):
            self.loaded(project, cache_dir=place)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "scratch"))
        assert str(self.loaded(project, cache_dir=place).settings.cache_folder) == place

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
    def test_not_in_a_folder_of_somebody_else(self, project: Path) -> None:
        (project / "theirs").mkdir()
        os.chown(project / "theirs", 65534, 65534)
        with pytest.raises(ConfigError, match="is outside your own folders"):
            self.loaded(project, cache_dir="theirs/kept")
