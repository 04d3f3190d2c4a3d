"""Where an index lies on disk: its folder outside the vault, its lock, and how it is started anew."""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from app.dependencies import VaultClient, logger
from app.errors import ConfigError, IndexBusyError, IndexCorruptError, SearchError
from app.search.lexical.index import LexicalIndex

LOCK_SECONDS = 10.0

VECTORS, STALE = "vectors", "stale"
"""The folder of vectors, and the mark in it that the index was begun anew."""


def index_folder(vault: VaultClient, name: str) -> Path:
    """Give the folder of one index of one vault.

    Raises:
        ConfigError: it would lie inside the vault.
    """
    cache = vault.settings.cache_folder.absolute()
    if cache.resolve().is_relative_to(vault.root):
        raise ConfigError(
            f"the cache folder '{cache}' lies inside the vault", "name one outside by 'cache_dir'"
        )
    digest = hashlib.blake2b(str(vault.root).encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
    label = "".join(char if char.isalnum() else "-" for char in vault.name)[:40]
    return cache / "vaults" / f"{label}-{digest}" / name


class Store:
    """The files of one index; everything in them can be made again from the vault.

    ``notice`` says that the index could not be opened and was started anew; empty where it could.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notice = ""
        self._lock = FileLock(folder / "update.lock")
        with self._kept():
            # Nothing above is asked for its mode: what lies here may hold the words of every note.
            vaults = folder.parent.parent
            vaults.mkdir(parents=True, exist_ok=True, mode=0o700)
            if vaults.stat().st_mode & 0o077:
                vaults.chmod(0o700)
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.open()

    @contextmanager
    def _kept(self) -> Iterator[None]:
        try:
            yield
        except Timeout:
            raise
        except OSError as error:
            raise SearchError(
                f"cannot keep an index in '{self.folder}': {error.strerror}",
                "name another folder by 'cache_dir'",
            ) from error

    def open(self) -> None:
        """Open the index, or start it anew where it cannot be read."""
        try:
            self.index = LexicalIndex(self.folder / "lexical")
        except IndexCorruptError as error:
            self.recover(error)

    def recover(self, error: IndexCorruptError) -> None:
        """Start the index anew after ``error``, unless another process has done so already.

        Raises:
            IndexBusyError: another process is writing it.
        """
        with self.exclusive(LOCK_SECONDS):
            try:
                if hasattr(self, "index"):
                    self.index.close()
                self.index = LexicalIndex(self.folder / "lexical")
                self.index.snapshot()
            except IndexCorruptError:
                self.discard()
        logger.warning("index_rebuilt", extra={"folder": str(self.folder), "reason": str(error)})
        self.notice = f"the index could not be opened ({error.message}) and was rebuilt"

    def discard(self) -> None:
        """Throw the index away and start an empty one."""
        if hasattr(self, "index"):
            self.index.close()
        shutil.rmtree(self.folder / "lexical", ignore_errors=True)
        if (self.folder / VECTORS).is_dir():
            # What has become private must not stay in them; whoever builds vectors next sees to it.
            (self.folder / VECTORS / STALE).touch()
        self.index = LexicalIndex(self.folder / "lexical")

    @contextmanager
    def exclusive(self, seconds: float) -> Iterator[None]:
        """Keep other processes from writing the index.

        Raises:
            IndexBusyError: another process is writing it, and did not finish within ``seconds``.
        """
        # A thread that holds the lock may take it again; other threads and processes wait.
        try:
            with self._kept():
                self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._lock.acquire(timeout=seconds)
        except Timeout as error:
            raise IndexBusyError(
                "another process is updating the index", "try again when it is done"
            ) from error
        try:
            yield
        finally:
            self._lock.release()

    def size(self) -> int:
        """Count the bytes of all files of the index."""
        return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())

    def close(self) -> None:
        """Close the index."""
        self.index.close()
