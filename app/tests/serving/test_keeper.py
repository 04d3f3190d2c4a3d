"""The keeper of an index begins when the vault can be read, and not only when it could be at once."""

import errno
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.config.settings import IndexDefinition, IndexSettings
from app.search.searcher import Searcher, searcher_for
from app.search.upkeep import Upkeep
from app.serving import keeper as module
from app.serving.keeper import Changes, Keeper
from app.tests.waiting import wait_until
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
        assert keeper.wait(300)
        assert searcher_for(vault).status().notes == 1
        (vault.root / "Fresh.md").write_text("zephyr")
        assert heard.wait(300)
        assert told == [Changes((), True)]
    finally:
        keeper.close()
        searcher_for(vault).close()


class _Fails:
    """A method of `Upkeep` that fails at its first call, and counts all of them."""

    def __init__(self, error: Exception, method: Callable[..., Any] | None = None) -> None:
        self.calls, self._error, self._method = 0, error, method

    def __get__(self, upkeep: Upkeep, _: type[Upkeep]) -> Callable[..., Any]:
        def called(**given: Any) -> Any:
            self.calls += 1
            if self.calls == 1:
                raise self._error
            return self._method(upkeep, **given) if self._method else None

        return called


class _Model:
    """A model that is ready."""

    def claim(self) -> None: ...

    def release(self) -> None: ...

    def prepare(self, stopped: Callable[[], bool]) -> None: ...


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("watchfiles")
    monkeypatch.setattr(module, "HEAD_START", 0.0)
    monkeypatch.setattr(module, "_can_embed", lambda: True)
    monkeypatch.setattr(Searcher, "vectors", _Model())


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("method", ["update", "embed"])
def test_a_full_disk_does_not_end_the_keeper(
    vault: VaultClient, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    fails = _Fails(FULL, Upkeep.update if method == "update" else None)
    monkeypatch.setattr(Upkeep, "embed", _Fails(FULL))
    monkeypatch.setattr(Upkeep, method, fails)
    keeper = Keeper(vault, with_meaning=True)
    keeper.start()
    try:
        assert keeper.wait(300)
        wait_until(lambda: fails.calls == 1)
        (vault.root / "Fresh.md").write_text("zephyr")
        # The next change is indexed and embedded.
        wait_until(lambda: fails.calls == 2)
        assert keeper._thread.is_alive()
    finally:
        keeper.close()
        searcher_for(vault).close()
