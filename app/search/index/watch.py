"""Notice that something in the vault changed, so that a search need not look."""

import threading
from pathlib import Path

from app.errors import EngineMissingError


class Watcher:
    """Watches a folder from its own thread until closed; starts in the state "changed".

    Raises:
        EngineMissingError: the package watchfiles is not installed.
    """

    def __init__(self, root: Path) -> None:
        try:
            import watchfiles
        except ImportError as error:
            raise EngineMissingError(
                "watching needs the package watchfiles",
                "install the extra 'watch': pip install 'vault-assistant[watch]', or '.[watch]' in a clone",
            ) from error
        self._watch, self._root = watchfiles.watch, root
        self._changed, self._stop = threading.Event(), threading.Event()
        self._changed.set()
        self.begun = threading.Event()
        """Whether the system reports what changes from now on."""
        self._thread = threading.Thread(target=self._run, name="vault-watch", daemon=True)
        self._thread.start()

    def take(self) -> bool:
        """Return whether anything changed since the last call.

        Yes before the system reports changes, and once it does no more.
        """
        if self.begun.is_set() and self.is_alive and not self._changed.is_set():
            return False
        # Cleared before the look at the vault: what happens during the look counts for the next one.
        self._changed.clear()
        return True

    def changed(self) -> None:
        """Have the next `take` say yes: a look at the vault was not brought to its end."""
        self._changed.set()

    @property
    def is_alive(self) -> bool:
        """Whether the vault is still being watched."""
        return self._thread.is_alive()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for a change; False when none came in time."""
        return self._changed.wait(seconds)

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        self._thread.join(timeout=2)

    def _run(self) -> None:
        # Settings below .obsidian decide what is hidden, so they count as well.
        for changes in self._watch(
            self._root,
            watch_filter=None,
            debounce=200,
            step=50,
            stop_event=self._stop,
            rust_timeout=500,
            yield_on_timeout=True,
        ):
            # In the first round the watches stand; what happened before is not reported.
            if changes or not self.begun.is_set():
                self._changed.set()
            self.begun.set()
