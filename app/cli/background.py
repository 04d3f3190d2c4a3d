"""An index run that goes on without its terminal: begun, written down while it works, found again."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from app.cli.progress import Pace, Progress
from app.errors import VaultError
from app.notices import Language, Notice
from app.search.private import private_folder, read_record, write_record
from app.sentences import Sentence

RECORD, LOCK, LOG = "background.json", "background.lock", "background.log"
"""Files in the folder of an index."""
BEGIN_SECONDS = 20.0
"""How long it may take until the new process has said that it lives."""
LOOK_SECONDS = 0.05
HELD_SECONDS = 2.0
"""How long a run waits for the lock: whoever looks for a run holds it for a moment."""
WRITE_SECONDS, LOG_SECONDS = 1.0, 10.0
"""How often what is done is written down, and said in the log."""


@dataclass(frozen=True, slots=True)
class Background:
    """A process that brings an index up to date: since when, what it does now, and how far that is."""

    pid: int
    since: str
    log: str
    label: str = ""
    done: int = 0
    total: int = 0
    failed: str = ""
    """Why it ended early."""


def running(folder: Path) -> Background | None:
    """Return the process that indexes in the background; None where there is none.

    Args:
        folder: That of the index.
    """
    lock = _lock(folder)
    if not (folder / LOCK).exists():
        return None
    try:
        # The lock dies with its process, whatever ended that.
        lock.acquire(timeout=0)
        lock.release()
        return None
    except Timeout:
        pass
    except OSError:
        # It cannot be opened: another user's folder, or one that is read-only.
        return None
    return _recorded(folder)


def _recorded(folder: Path) -> Background | None:
    try:
        return Background(**(read_record(folder / RECORD) or {}))
    except TypeError:
        return None


def begin(folder: Path, arguments: Sequence[str]) -> Background | None:
    """Begin a run that outlives this process and its terminal; None where it was over at once.

    Args:
        folder: That of the index.
        arguments: The command of the run.

    Raises:
        VaultError: it failed at once; the message says why.
    """
    private_folder(folder)
    log = folder / LOG
    with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "w") as file:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "app.cli.entry", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    ends = time.monotonic() + BEGIN_SECONDS
    while child.poll() is None:
        found = running(folder)
        if found is None or found.pid != child.pid:
            if time.monotonic() < ends:
                time.sleep(LOOK_SECONDS)
                continue
            # On a slow machine it lives, and has not said so yet.
            found = Background(child.pid, _now(), str(log))
        # It is meant to go on; Python would warn that it does.
        child.returncode = 0
        return found
    if child.returncode:
        ended = _recorded(folder)
        reason = ended.failed if ended is not None and ended.pid == child.pid else ""
        raise VaultError(
            Sentence(reason) if reason else Sentence("the run ended with code {code}", code=child.returncode),
            Sentence("its log is '{log}'", log=log),
        )
    return None


class Run:
    """This process, where it is the one that indexes in the background."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._now = Background(os.getpid(), _now(), str(folder / LOG))

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Let others see that this process is at it, until it ends.

        Raises:
            VaultError: another one is.
        """
        lock = _lock(self._folder)
        try:
            lock.acquire(timeout=HELD_SECONDS)
        except Timeout as error:
            raise VaultError("another process indexes in the background already") from error
        try:
            self._write()
            try:
                yield
            except VaultError as error:
                self._now = replace(self._now, failed=str(error))
                self._write()
                raise
            with suppress(OSError):
                (self._folder / RECORD).unlink(missing_ok=True)
        finally:
            lock.release()

    @contextmanager
    def bar(
        self, label: Notice, note: str = "", *, language: Language = "en", before: Notice | None = None
    ) -> Iterator[Progress]:
        """Yield a callback that writes down how far work is; see `app.cli.progress.progress_bar`.

        The log is in the language of whoever began the run, the record in that of `status`.
        """
        pace, written, told = Pace(), 0.0, time.monotonic()

        def progress(done: int, total: int) -> None:
            nonlocal written, told
            pace.count(done, total)
            now, doing = time.monotonic(), label if done or before is None else before
            if now - written >= WRITE_SECONDS:
                written = now
                self._now = replace(self._now, label=doing.said("en"), done=done, total=total)
                self._write()
            if now - told >= LOG_SECONDS:
                told = now
                sys.stderr.write(f"{doing.said(language)}: {done}/{total} · {pace.said(language)}\n")
                sys.stderr.flush()

        yield progress

    def _write(self) -> None:
        write_record(self._folder / RECORD, asdict(self._now))


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


def _lock(folder: Path) -> FileLock:
    return FileLock(folder / LOCK, mode=0o600, is_singleton=False)
