"""Who meets whom: one resident for a vault, for this user, with the same settings, code and surroundings."""

import json
import os
import signal
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import __version__
from app.bootstrap import open_vault
from app.cli.main import main
from app.config.settings import Settings
from app.search.searcher import searcher_for
from app.serving import known
from app.serving import socket as address
from app.serving.known import is_private
from app.serving.resident import MOST_AT_ONCE, Resident
from app.serving.socket import address_of, folder_of
from app.tests.serving.conftest import (
    Process,
    ended,
    found_by_resident,
    indexed,
    said_by_resident,
    write_garden,
)
from app.tests.waiting import wait_until
from app.vault.client import VaultClient

Start = Callable[..., Process]


def is_answered(vault: VaultClient) -> bool:
    found = found_by_resident(vault, operation="fast", query="heating")
    assert found in (None, ["projects/garden/Greenhouse.md"])
    return found is not None


def test_nobody_is_asked_where_nobody_listens(garden: VaultClient) -> None:
    assert not is_answered(garden)
    folder = folder_of(garden.settings)
    assert folder is not None
    assert not folder.exists()


def test_a_resident_answers_while_its_block_lasts(garden: VaultClient) -> None:
    with Resident(garden) as resident:
        assert resident.path == address_of(garden)
        assert is_answered(garden)
        assert said_by_resident(garden, "heating?") is not None
        path = resident.path
    assert path is not None
    assert not path.exists()
    assert not is_answered(garden)


def test_calls_of_tools_are_told_as_they_come(garden: VaultClient) -> None:
    calls: list[str] = []
    with Resident(garden):
        answered = said_by_resident(garden, "Where is the greenhouse heated?", None, calls.append)
    assert answered is not None
    assert json.loads(answered["out"])["model"] == "offline"
    assert any(call.startswith("search") for call in calls), calls


def test_only_this_user_may_enter(garden: VaultClient) -> None:
    with Resident(garden) as resident:
        assert resident.path is not None
        assert stat.S_IMODE(resident.path.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(resident.path.stat().st_mode) == 0o600
        resident.path.parent.chmod(0o755)
        assert not is_answered(garden)
        resident.path.parent.chmod(0o700)
        assert is_answered(garden)


def test_nothing_is_offered_in_a_folder_that_others_may_enter(garden: VaultClient) -> None:
    folder = folder_of(garden.settings)
    assert folder is not None
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    with Resident(garden) as resident:
        assert resident.path is None
    assert list(folder.iterdir()) == []


def test_a_link_or_a_file_is_no_private_folder(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    assert is_private(real)
    (tmp_path / "link").symlink_to(real)
    assert not is_private(tmp_path / "link")
    (tmp_path / "file").touch(0o600)
    assert not is_private(tmp_path / "file")
    assert not is_private(tmp_path / "absent")


def test_the_first_resident_stays(garden: VaultClient) -> None:
    first, second, third = Resident(garden), Resident(garden), Resident(garden)
    with first:
        path = first.path
        with second:
            assert second.path is None
            assert is_answered(garden)
        assert is_answered(garden)
    assert not is_answered(garden)
    with third:
        assert third.path == path is not None
        assert is_answered(garden)


def test_a_killed_resident_leaves_nothing_that_keeps_another_from_starting(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = indexed(write_garden(tmp_path / "garden"))
    path = address_of(vault)
    assert path is not None
    killed = start("index", "--watch", "--vault", str(vault.root))
    killed.wait_until(path.exists)
    assert is_answered(vault)
    assert killed.answers() == 1
    ended(killed)
    assert path.is_socket()
    assert not is_answered(vault)
    monkeypatch.setenv("VAULT_ASSISTANT_CHUNK_CHARS", "999")
    with Resident(open_vault(str(vault.root))) as other:
        assert other.path not in (None, path)
        assert not path.exists()
    monkeypatch.delenv("VAULT_ASSISTANT_CHUNK_CHARS")
    with Resident(vault) as resident:
        assert resident.path == path
        assert is_answered(vault)


def test_ctrl_c_ends_a_watcher_cleanly(start: Start, tmp_path: Path) -> None:
    vault = indexed(write_garden(tmp_path / "garden"))
    path = address_of(vault)
    assert path is not None
    watching = start("index", "--watch", "--vault", str(vault.root))
    watching.wait_until(path.exists)
    assert ended(watching, signal.SIGINT) == 130
    assert not path.exists()
    assert "Traceback" not in watching.log.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VAULT_ASSISTANT_CHUNK_CHARS", "999"),
        ("VAULT_ASSISTANT_INDEX__INDEXES", '{"notes": {"embedding_model": null, "exclude": ["x/*"]}}'),
        ("VAULT_ASSISTANT_DEEP__POOL", "40"),
        ("VAULT_ASSISTANT_MODEL", "ollama:qwen3"),
        ("VAULT_ASSISTANT_STATE_DIR", "/tmp/another"),
        ("VAULT_ASSISTANT_RESIDENT", "false"),
        ("TZ", "Pacific/Kiritimati"),
        ("HF_HOME", "/tmp/another"),
    ],
)
def test_a_resident_with_other_settings_is_not_asked(
    garden: VaultClient, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    with Resident(garden):
        assert is_answered(open_vault(str(garden.root)))
        monkeypatch.setenv(name, value)
        assert not is_answered(open_vault(str(garden.root)))


def test_what_decides_no_answer_keeps_nobody_apart(
    garden: VaultClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Resident(garden):
        monkeypatch.setenv("VAULT_ASSISTANT_WRITES", "refuse")
        monkeypatch.setenv("VAULT_ASSISTANT_VAULT", str(garden.root))
        monkeypatch.setenv("VAULT_ASSISTANT_VAULTS", f'{{"mine": {{"path": "{garden.root}"}}}}')
        assert is_answered(open_vault())
        assert is_answered(open_vault("mine"))


def test_a_relative_folder_means_what_it_means_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = write_garden(tmp_path / "garden")
    monkeypatch.setenv("VAULT_ASSISTANT_INDEX__INDEXES", '{"notes": {"embedding_model": "./model"}}')
    seen = {}
    for place in ("one", "two"):
        (tmp_path / place / "model").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / place)
        seen[place] = address_of(open_vault(str(vault)))
    assert seen["one"] != seen["two"]
    monkeypatch.chdir(tmp_path / "one")
    assert address_of(open_vault(str(vault))) == seen["one"]


def test_another_vault_at_the_same_path_is_another(garden: VaultClient, tmp_path: Path) -> None:
    with Resident(garden):
        garden.root.rename(tmp_path / "moved")
        write_garden(garden.root)
        assert not is_answered(open_vault(str(garden.root)))


def test_another_version_of_the_program_is_another(
    garden: VaultClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Resident(garden):
        assert is_answered(garden)
        monkeypatch.setattr(address, "__version__", __version__ + ".post1")
        assert not is_answered(garden)


def test_keys_count_where_a_language_model_may_answer(
    garden: VaultClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(vault: VaultClient, model: str | None = None) -> bool:
        return said_by_resident(vault, "heating?", model) is not None

    with Resident(garden):
        assert asked(garden, "test")
        # Both ends are in this process: the digest that is sent differs, as it would between two.
        monkeypatch.setattr("app.serving.front.surroundings", lambda: "other keys")
        assert asked(garden)
        assert is_answered(garden)
        assert not asked(garden, "test")
    monkeypatch.setenv("VAULT_ASSISTANT_KEYWORD_MODELS", '["test"]')
    configured = open_vault(str(garden.root))
    with Resident(configured):
        assert not is_answered(configured)
        assert not asked(configured)


def test_surroundings_are_the_variables_of_providers(monkeypatch: pytest.MonkeyPatch) -> None:
    before = known.surroundings()
    monkeypatch.setenv("EDITOR", "ed")
    assert known.surroundings() == before
    for name in ("OPENAI_API_KEY", "OLLAMA_BASE_URL", "https_proxy", "AWS_REGION"):
        monkeypatch.setenv(name, "other")
        assert known.surroundings() != before
        before = known.surroundings()


def test_a_path_that_is_too_long_leads_to_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_ASSISTANT_CACHE_DIR", str(tmp_path / ("long" * 25)))
    vault = indexed(write_garden(tmp_path / "garden"))
    with Resident(vault) as resident:
        assert resident.path is not None
        assert resident.path.parent == Path(f"/tmp/vault-assistant-{os.getuid()}")
        assert is_private(resident.path.parent)
        assert is_answered(vault)
        lock = resident.path.with_suffix(".lock")
    lock.unlink(missing_ok=True)


def test_nothing_is_put_into_the_vault(tmp_path: Path) -> None:
    root = write_garden(tmp_path / "garden")
    # As another program may configure it; the command refuses such a place.
    with Resident(VaultClient(root, Settings(cache_dir=root / "cache"))) as resident:
        assert resident.path is None
    assert not (root / "cache").exists()


def test_a_vault_that_is_not_indexed_yet_is_left_to_whoever_asks(tmp_path: Path) -> None:
    vault = open_vault(str(write_garden(tmp_path / "garden")))
    with Resident(vault):
        assert not is_answered(vault)
        assert said_by_resident(vault, "heating?") is None
        indexed(vault.root)
        assert is_answered(vault)


def test_so_many_are_answered_at_once_and_then_again(garden: VaultClient) -> None:
    import socket

    with Resident(garden) as resident:
        idle = [socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) for _ in range(MOST_AT_ONCE)]
        for connection in idle:
            connection.connect(str(resident.path))
        assert not is_answered(garden)
        for connection in idle:
            connection.close()
        end = threading.Event()
        while not is_answered(garden):
            assert not end.wait(0.02)


def test_a_change_is_found_before_the_watcher_tells_of_it(garden: VaultClient) -> None:
    searcher: Any = searcher_for(garden)
    searcher.watch()
    try:
        # Before that it says so by itself.
        wait_until(lambda: searcher._engine._watcher.has_begun)
        with Resident(garden):
            assert is_answered(garden)
            for count in range(5):
                (garden.root / "new.md").write_text(f"The quince{count} is ripe.", encoding="utf-8")
                assert found_by_resident(garden, operation="fast", query=f"quince{count}") == ["new.md"]
                (garden.root / "new.md").write_text(f"The medlar{count} is ripe.", encoding="utf-8")
                answered = said_by_resident(garden, f"medlar{count}")
                assert answered is not None
                assert f"The medlar{count} is ripe." in json.loads(answered["out"])["answer"]
    finally:
        searcher.close()


@pytest.mark.parametrize("how", [(), ("--http", "--port", "0", "--no-token")], ids=["stdio", "http"])
def test_a_server_of_the_whole_vault_answers_too(start: Start, tmp_path: Path, how: tuple[str, ...]) -> None:
    vault = indexed(write_garden(tmp_path / "garden"))
    path = address_of(vault)
    assert path is not None
    serving = start("mcp", "--vault", str(vault.root), *how, ready="")
    serving.wait_until(path.exists)
    assert is_answered(vault)
    assert serving.answers() == 1
    if how:
        serving.wait_until(lambda: "Ctrl-C ends" in serving.log.read_text(encoding="utf-8"))
        ended(serving, signal.SIGINT)
    else:
        serving.process.communicate(timeout=200)
        assert serving.process.returncode == 0
    assert not path.exists()


@pytest.mark.parametrize("less", [("--folder", "projects"), ("--read-only",)], ids=" ".join)
def test_a_server_of_less_has_no_second_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, less: tuple[str, ...]
) -> None:
    vault = indexed(write_garden(tmp_path / "garden"))
    seen: list[bool] = []
    monkeypatch.setattr("app.mcp.stdio.serve_stdio", lambda server: seen.append(is_answered(vault)))
    assert main(["mcp", "--vault", str(vault.root)]) == 0
    assert main(["mcp", "--vault", str(vault.root), *less]) == 0
    assert seen == [True, False]
