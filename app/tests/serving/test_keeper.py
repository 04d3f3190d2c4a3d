"""The keeper of an index begins when the vault can be read, and not only when it could be at once."""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.config.settings import IndexDefinition, IndexSettings
from app.search.searcher import searcher_for
from app.serving import keeper as module
from app.serving.keeper import Changes, Keeper
from app.vault.client import VaultClient

LEXICAL = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=None)})


@pytest.fixture
def vault(tiny_vault: Callable[..., VaultClient]) -> VaultClient:
    return tiny_vault({"Home.md": "# Home\n\nThe heating is electric.\n"}, index=LEXICAL)


@pytest.fixture
def away(vault: VaultClient) -> Path:
    """Where the vault's folder is for now, as with a disk that is not there yet."""
    return vault.root.rename(vault.root.with_name("away"))


@pytest.mark.slow
def test_a_vault_that_comes_late_is_indexed_and_watched(
    vault: VaultClient, away: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("watchfiles")
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.05)
    told: list[Changes] = []
    heard = threading.Event()

    def hear(changes: Changes) -> None:
        told.append(changes)
        heard.set()

    keeper = Keeper(vault)
    keeper.listen(hear)
    caplog.set_level(logging.WARNING)
    keeper.start()
    try:
        # Several looks fail, one is reported, and nobody who asks waits for an index meanwhile.
        assert not keeper.wait(0.5)
        assert not keeper.is_awaited
        assert caplog.messages.count("vault_not_listed") == 1
        away.rename(vault.root)
        assert keeper.wait(60)
        assert searcher_for(vault).status().notes == 1
        time.sleep(2.5)
        (vault.root / "Fresh.md").write_text("zephyr")
        assert heard.wait(60)
        assert told == [Changes((), True)]
    finally:
        keeper.close()
        searcher_for(vault).close()


def test_a_keeper_that_waits_for_its_vault_can_be_ended(vault: VaultClient, away: Path) -> None:
    keeper = Keeper(vault)
    keeper.start()
    keeper.hurry()
    assert not keeper.is_awaited
    keeper.close()
    assert not keeper._thread.is_alive()
    assert away.is_dir()
