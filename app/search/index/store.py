"""Where an index lies on disk: its folder outside the vault, its lock, and how it is started anew."""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.config.settings import logger
from app.errors import ConfigError, IndexBusyError, IndexCorruptError
from app.notices import Notice, NoticeKind
from app.search.lexical.index import LexicalIndex
from app.search.lexical.snapshot import Snapshot
from app.search.private import disk_errors, private_folder
from app.system import own_user
from app.vault.client import VaultClient

LOCK_SECONDS = 10.0

VECTORS, STALE, MADE_WITH = "vectors", "stale", "model.json"
"""The folder of vectors, the mark in it that the index was begun anew, and the record of their model."""


def index_folder(vault: VaultClient, name: str) -> Path:
    """Return the folder of one index of one vault.

    Raises:
        ConfigError: it would lie inside the vault, or in a folder of somebody else.
        SearchError: the disk refuses.
    """
    cache = vault.settings.cache_folder.absolute()
    with disk_errors(cache):
        inside, owner = cache.resolve().is_relative_to(vault.root), 0
        with suppress(FileNotFoundError):
            owner = cache.stat().st_uid
    if inside:
        raise ConfigError(
            "the cache folder '{cache}' lies inside the vault", "name one outside by 'cache_dir'", cache=cache
        )
    if owner not in (0, own_user()):
        # Whoever owns it can put other files in the place of ours at any time. Root can do so anywhere.
        raise ConfigError(
            "the cache folder '{cache}' belongs to another user ({owner})",
            "name one of your own by 'cache_dir'",
            cache=cache,
            owner=owner,
        )
    digest = hashlib.blake2b(str(vault.root).encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
    label = "".join(char if char.isalnum() else "-" for char in vault.name)[:40]
    return cache / "vaults" / f"{label}-{digest}" / name


class Store:
    """The files of one index; everything in them can be made again from the vault.

    ``notices`` are said with the next answer: that the index could not be opened and was started anew.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.notices = folder, list[Notice]()
        with disk_errors(folder):
            # Nothing above is asked for its mode: what lies here may hold the words of every note.
            for above in (folder.parent.parent, folder.parent):
                private_folder(above)
                if above.stat().st_mode & 0o077:
                    above.chmod(0o700)
            private_folder(folder)
            try:
                self.index = self._opened()
            except IndexCorruptError as error:
                self._recover(error)

    def _opened(self) -> LexicalIndex:
        return LexicalIndex(self.folder / "lexical")

    def snapshot(self) -> Snapshot:
        """Return the last commit of the words; the empty one of a new index, where it cannot be read.

        Raises:
            IndexBusyError: it cannot be read, and another process is writing it.
            SearchError: the disk refuses.
        """
        with disk_errors(self.folder):
            try:
                return self.index.snapshot()
            except IndexCorruptError as error:
                self._recover(error)
                return self.index.snapshot()

    def mend(self) -> None:
        """Start the index anew where it is damaged; raises as `snapshot` does."""
        try:
            self.index.check()
        except IndexCorruptError as error:
            self._recover(error)

    def _recover(self, error: IndexCorruptError) -> None:
        """Start the index anew after ``error``, unless another process has done so already."""
        with self.exclusive(LOCK_SECONDS):
            try:
                self.index = self._opened()
                self.index.check()
            except IndexCorruptError:
                self.discard()
        logger.warning("index_rebuilt", extra={"folder": str(self.folder), "reason": str(error)})
        self.notices.append(Notice(NoticeKind.INDEX_REBUILT, reason=error.message))

    def discard(self) -> None:
        """Throw the index away and start an empty one."""
        with suppress(FileNotFoundError):
            shutil.rmtree(self.folder / "lexical")
        self.index = self._opened()
        self.outdate_vectors()

    def outdate_vectors(self) -> None:
        """Have the vectors of texts that are gone dropped by whoever builds vectors next."""
        if (self.folder / VECTORS).is_dir():
            (self.folder / VECTORS / STALE).touch(mode=0o600)

    @contextmanager
    def exclusive(self, seconds: float) -> Iterator[None]:
        """Keep other threads and processes from writing the index; the same thread may ask again.

        Raises:
            IndexBusyError: another one is writing it, and did not finish within ``seconds``.
        """
        # A search in a vault that has not changed writes nothing.
        from filelock import FileLock, Timeout

        with disk_errors(self.folder):
            private_folder(self.folder)
            try:
                lock = FileLock(self.folder / "update.lock", mode=0o600, is_singleton=True)
                with lock.acquire(timeout=seconds):
                    yield
            except Timeout as error:
                raise IndexBusyError(
                    "another process is updating the index", "try again when it is done"
                ) from error

    def size(self) -> int:
        """Count the bytes of all files of the index."""
        with disk_errors(self.folder):
            return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())
