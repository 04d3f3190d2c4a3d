"""Keep the default index up to date behind a server, from a thread of its own."""

import threading

from app.dependencies import logger
from app.errors import EngineMissingError, VaultError
from app.vault.client import VaultClient

HEAD_START = 0.5
"""Seconds that the server has to itself for its first replies, unless something is searched before."""
BEGIN_SECONDS = 1.0


class Keeper:
    """Indexes a vault and then watches it, so that the server can answer at once.

    Vectors are not built ahead: the first search by meaning builds those that are missing.
    """

    def __init__(self, vault: VaultClient) -> None:
        self._vault = vault
        self._thread = threading.Thread(target=self._run, name="vault-keeper", daemon=True)
        self._asked, self._begun = threading.Event(), threading.Event()
        self._step: tuple[int, int] | None = None

    @property
    def step(self) -> tuple[int, int] | None:
        """Notes done and notes to do, while the index is brought up to date."""
        return self._step

    @property
    def is_awaited(self) -> bool:
        """Whether it was started, and has not begun to index yet."""
        return self._thread.is_alive() and not self._begun.is_set()

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def hurry(self) -> None:
        """Begin now, for somebody searches; wait a moment for the first step, which they are told of."""
        self._asked.set()
        self._begun.wait(BEGIN_SECONDS)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the index is up to date; False when that takes longer."""
        self._asked.set()
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        self._asked.wait(HEAD_START)
        try:
            # Imported here, so that the server's first reply does not wait for it.
            from app.search.searcher import searcher_for

            searcher = searcher_for(self._vault)
            try:
                # The watcher stands first, so that no change between the two is missed.
                searcher.watch()
            except EngineMissingError as error:
                logger.info("vault_not_watched", extra={"error": str(error)})
            searcher.update(progress=self._progress)
        except VaultError as error:
            logger.warning("index_not_updated", extra={"error": str(error)})
        except Exception as error:  # noqa: BLE001 - the last resort of this thread
            logger.error("index_not_updated", extra={"error": str(error)}, exc_info=True)
        finally:
            self._step = None
            self._begun.set()

    def _progress(self, done: int, total: int) -> None:
        self._step = (done, total)
        self._begun.set()
