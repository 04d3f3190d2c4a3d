"""Keep the default index up to date behind a server, from a thread of its own."""

import atexit
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.config.settings import logger
from app.errors import EngineMissingError, IndexBusyError, VaultError
from app.vault.client import VaultClient

if TYPE_CHECKING:
    from app.search.index.sync import Watcher
    from app.search.searcher import Searcher
    from app.search.vectors.vectors import Semantic

HEAD_START = 0.5
"""Seconds that the server has to itself for its first replies, unless something is searched before."""
BEGIN_SECONDS = 1.0
LOOK_SECONDS = 1.0
"""How long the end of a server may go unnoticed."""
RETRY_SECONDS = 2.0
"""How long it waits before it looks again at a vault that could not be listed."""
MEANING_RETRY_SECONDS = 30.0
"""How long after a failure the model may be asked for again."""
EXIT_SECONDS = 60.0
"""How long the end of the process waits for what is being written."""

LEAST_SECONDS = 2.0
"""So long a work must have gone on before its pace says when it ends."""

_Listing = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Changes:
    """What became of the notes that are shown: those with another text, and whether there are others now."""

    written: tuple[str, ...]
    listed: bool


@dataclass(frozen=True, slots=True)
class Pace:
    """How far a work is, and how quickly it goes: measured from its first step on."""

    done: int
    total: int
    first: int
    began: float = field(default_factory=time.monotonic)
    now: float = field(default_factory=time.monotonic)

    def at(self, done: int, total: int) -> "Pace":
        """Return the pace at a further step; that of a work of its own where fewer are done than before."""
        return Pace(done, total, self.first, self.began) if done >= self.done else Pace(done, total, done)

    @property
    def rate(self) -> float:
        """How many are done in a second; 0 while that cannot be told."""
        past = self.now - self.began
        return (self.done - self.first) / past if past >= LEAST_SECONDS else 0.0

    @property
    def left(self) -> float:
        """How many seconds it will take from here at this pace; 0 while that cannot be told."""
        return (self.total - self.done) / self.rate if self.rate else 0.0


class Keeper:
    """Indexes a vault and then watches it, so that the server can answer at once.

    Args:
        vault: The vault, as the server shows it.
        with_meaning: Whether the model is made ready, and vectors are built, without a search that asks for
            them. Without it `want_meaning` has both done, or the first search by meaning does them.
    """

    def __init__(self, vault: VaultClient, *, with_meaning: bool = False) -> None:
        self._vault, self._with_meaning = vault, with_meaning
        self._thread = threading.Thread(target=self._run, name="vault-keeper", daemon=True)
        self._asked, self._begun = threading.Event(), threading.Event()
        self._claimed, self._current = threading.Event(), threading.Event()
        self._stopped = threading.Event()
        self._listeners: list[Callable[[Changes], None]] = []
        self.pace: Pace | None = None
        """How notes are brought up to date, while they are."""
        self.passages_pace: Pace | None = None
        """How vectors are built, while they are."""
        self._meaning: threading.Thread | None = None
        self._meaning_wanted = threading.Lock()
        self._meaning_failure: VaultError | None = None
        self._meaning_again = 0.0
        self._due = False
        """Whether another process was in the way of something that no further change may bring about."""

    @property
    def is_awaited(self) -> bool:
        """Whether it was started, and has not begun to index yet."""
        return self._thread.is_alive() and not self._begun.is_set()

    def listen(self, listener: Callable[[Changes], None]) -> None:
        """Have a function called, in the keeper's thread, with each change of notes; before it is started."""
        self._listeners.append(listener)

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()
        atexit.register(self.close)

    def hurry(self) -> None:
        """Begin to index now, since somebody searches, and wait up to `BEGIN_SECONDS` for the first step."""
        self._asked.set()
        # Whoever searched before the model is spoken for would wait for it.
        self._claimed.wait()
        self._begun.wait(BEGIN_SECONDS)

    def want_meaning(self) -> bool:
        """Load the model and build vectors in the background; returns at once.

        What failed, as a download that broke off, is tried again, but not before `MEANING_RETRY_SECONDS`
        have passed.

        Returns:
            Whether that is being done, or was: False for a keeper that was not started.
        """
        if self._with_meaning or self._thread.ident is None:
            return self._with_meaning
        with self._meaning_wanted:
            is_due = self._meaning_failure is not None and time.monotonic() >= self._meaning_again
            if self._meaning is None or (is_due and not self._meaning.is_alive()):
                self._meaning_failure = None
                self._meaning = threading.Thread(target=self._give_meaning, name="vault-meaning", daemon=True)
                self._meaning.start()
        return True

    @property
    def gives_meaning(self) -> bool:
        """Whether what `want_meaning` asked for is still being done."""
        return self._meaning is not None and self._meaning.is_alive()

    def check_meaning(self) -> None:
        """Raise why what `want_meaning` asked for could not be done, if it could not.

        Raises:
            VaultError: the model cannot be used, for now.
        """
        if (failure := self._meaning_failure) is not None:
            # A new one each time: an error that is raised again gathers more traceback with each search.
            raise VaultError(failure.message, failure.hint) from failure

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the index is up to date; False when that takes longer."""
        self._asked.set()
        return self._current.wait(seconds)

    def close(self) -> None:
        """Stop after what is being written, and wait for it."""
        atexit.unregister(self.close)
        self._stopped.set()
        self._asked.set()
        self._current.set()
        for thread in (self._thread, self._meaning):
            if thread is not None and thread.is_alive():
                thread.join(EXIT_SECONDS)

    def _run(self) -> None:
        self._asked.wait(HEAD_START)
        try:
            self._keep()
        except Exception as error:  # noqa: BLE001 - the last resort of this thread
            logger.error("index_not_updated", extra={"error": str(error)}, exc_info=True)
        finally:
            self._up_to_date()

    def _keep(self) -> None:
        # Imported here, so that the server's first reply does not wait for it.
        from app.search.searcher import searcher_for

        searcher = searcher_for(self._vault)
        vectors = searcher.vectors if self._with_meaning and _can_embed() else None
        if vectors:
            vectors.claim()
        self._claimed.set()
        try:
            self._begin(searcher, vectors)
        finally:
            if vectors:
                vectors.release()

    def _begin(self, searcher: "Searcher", vectors: "Semantic | None") -> None:
        """Bring the index up to date, then its vectors, and follow the vault from there."""
        from app.search.index.sync import Watcher

        before = self._first_listing()
        if before is None:
            return
        watcher = None
        try:
            # The watchers stand first, so that no change between the two is missed.
            searcher.watch()
            if self._listeners or self._with_meaning:
                # Of what must be told, or embedded; a search looks for what it needs itself.
                watcher = Watcher(self._vault.root)
        except EngineMissingError as error:
            logger.info("vault_not_watched", extra={"error": str(error)})
        try:
            searcher.update(progress=self._progress)
        except (VaultError, OSError) as error:
            self._due = isinstance(error, IndexBusyError)
            logger.warning("index_not_updated", extra={"error": str(error)})
        self._up_to_date()
        if vectors:
            self._give_meaning()
        while watcher and watcher.is_alive() and not self._stopped.is_set():
            if watcher.changed.wait(LOOK_SECONDS) and watcher.take():
                before = self._follow(searcher, watcher, before)

    def _give_meaning(self) -> None:
        """Make the model ready and build vectors, once the index is up to date."""
        from app.search.searcher import searcher_for

        self.wait()
        searcher = searcher_for(self._vault)
        if self._stopped.is_set() or searcher.vectors is None or not _can_embed():
            return
        searcher.vectors.claim()
        failure: VaultError | None = VaultError("search by meaning could not be prepared")
        try:
            searcher.vectors.prepare(self._stopped.is_set)
            searcher.embed(progress=self._embedded, stopped=self._stopped.is_set)
            failure = None
        except (VaultError, OSError) as error:
            self._due |= isinstance(error, IndexBusyError)
            failure = (
                error
                if isinstance(error, VaultError)
                else VaultError("search by meaning could not be prepared: {reason}", reason=error)
            )
            logger.warning("vectors_not_built", extra={"error": str(error)})
        finally:
            # Also after a mistake of the program, which ends this thread: a search must not wait for it.
            self._meaning_again = time.monotonic() + MEANING_RETRY_SECONDS
            self._meaning_failure = failure
            self.passages_pace = None

    def _first_listing(self) -> "_Listing | None":
        """Return the notes there are, as soon as the vault can be listed; None when it is closed before.

        A folder on a disk that comes late, or on another machine, is not there yet when the server starts.
        """
        while not self._stopped.is_set():
            try:
                return self._listing()
            except VaultError as error:
                if not self._begun.is_set():
                    logger.warning("vault_not_listed", extra={"error": str(error)})
            # Whoever searches is told what is wrong by the search, and need not wait for the index.
            self._begun.set()
            self._stopped.wait(RETRY_SECONDS)
        return None

    def _follow(self, searcher: "Searcher", watcher: "Watcher", before: _Listing) -> _Listing:
        """Bring the index up to date with a change, and tell of it; return the notes that there are now."""
        try:
            after = self._listing()
            if after != before or self._due:
                self._due = False
                searcher.update()
                if after != before:
                    self._tell(before, after)
                before = after
                self._embed(searcher)
        except IndexBusyError:
            self._due = True
            watcher.changed.set()
            # Another machine that brings the vault to a database refuses at once, for as long as it takes.
            self._stopped.wait(LOOK_SECONDS)
        except (VaultError, OSError) as error:
            logger.warning("index_not_updated", extra={"error": str(error)})
        return before

    def _tell(self, before: _Listing, after: _Listing) -> None:
        written = tuple(path for path in before.keys() & after.keys() if before[path] != after[path])
        gone = tuple(before.keys() - after.keys())
        for listener in self._listeners:
            listener(Changes((*written, *gone), before.keys() != after.keys()))

    def _listing(self) -> _Listing:
        """Return the notes that may be shown, with what tells one state of them from another."""
        notes = self._vault.scan().notes
        return {
            path: (stat.mtime_ns, stat.size)
            for path, stat in notes.items()
            if not self._vault.is_excluded(path)
        }

    def _embed(self, searcher: "Searcher") -> None:
        """Build the vectors that are missing, where the model is this keeper's business."""
        if not self._with_meaning or searcher.vectors is None or not _can_embed():
            return
        try:
            searcher.embed(progress=self._embedded, stopped=self._stopped.is_set)
        finally:
            self.passages_pace = None

    def _up_to_date(self) -> None:
        self.pace = None
        for event in (self._claimed, self._begun, self._current):
            event.set()

    def _progress(self, done: int, total: int) -> None:
        self.pace = self.pace.at(done, total) if self.pace else Pace(done, total, done)
        self._begun.set()

    def _embedded(self, done: int, total: int) -> None:
        was = self.passages_pace
        self.passages_pace = was.at(done, total) if was else Pace(done, total, done)


def _can_embed() -> bool:
    from app.search.embedding.loading import is_installed

    return is_installed()
