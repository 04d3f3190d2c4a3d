"""The vectors of a vault's own images: a log like that of the passages, and a list of what was looked at."""

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.errors import BadRequestError, NoteNotFoundError, NoteUnreadableError, PathError
from app.search.embedding.image_model import MOST_BYTES, ImageEmbedder, is_picture, read_picture
from app.search.index.snapshot import VaultSnapshot
from app.search.index.sync import hidden_as
from app.search.private import read_record, write_record
from app.search.vectors.build import EmbedReport, Progress
from app.search.vectors.faiss_index import Scores
from app.search.vectors.file_format import ROW, LogWriter, disk_errors
from app.search.vectors.store import KeptVectors
from app.vault.client import VaultClient
from app.vault.files import read_file
from app.vault.walk import walked

FOLDER, LIST = "images", "images.json"

BATCH_IMAGES = 8
"""Images that are decoded and embedded together."""

Choose = Callable[[Sequence[str]], Iterable[str]]
"""Keeps the paths that an index lets in."""


@dataclass(frozen=True, slots=True)
class _Looked:
    """A file as it was when it was looked at; ``reason`` says why it has no vector, empty where it has."""

    size: int
    mtime_ns: int
    hash: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FoundImage:
    """An image with its cosine; ``copies`` are paths of files with the same bytes."""

    path: str
    cosine: float
    copies: tuple[str, ...]


class KeptImages:
    """Embeds the images of a vault and finds them again; safe to use from many threads and processes.

    Args:
        vault: Where the images are read.
        kept: The vectors of the passages by the same model, beside which these lie.
        embedder: The model.
        choose: Which paths the index lets in.
    """

    def __init__(
        self, vault: VaultClient, kept: KeptVectors, embedder: ImageEmbedder, choose: Choose
    ) -> None:
        self._vault, self._embedder, self._choose = vault, embedder, choose
        self._vectors = KeptVectors(
            kept.folder / FOLDER, kept.shape, embedder, lambda many: embedder, kept.exact
        )
        self._list = self._vectors.folder / LIST
        self._visible: tuple[VaultSnapshot, list[str]] | None = None
        self._read: tuple[tuple[int, int], dict[str, _Looked]] | None = None

    def visible(self, snapshot: VaultSnapshot) -> list[str]:
        """List the images that a search may show."""
        # Whatever hides or lets in a path makes another snapshot.
        known = self._visible
        if known is None or known[0] is not snapshot:
            shown = [
                path for path in snapshot.vault.files if is_picture(path) and not hidden_as(self._vault, path)
            ]
            known = self._visible = (snapshot, list(self._choose(shown)) if shown else [])
        return known[1]

    def pending(self, snapshot: VaultSnapshot) -> list[str]:
        """List the images that have not been looked at since they changed, or have lost their vectors."""
        looked, index = self._looked(), self._vectors.index()
        shown = self.visible(snapshot)
        known = index.passages(
            np.array([looked[path].hash if path in looked else 0 for path in shown], np.int64)
        )
        return [
            path
            for path, passage in zip(shown, known.tolist(), strict=True)
            if path not in looked
            or (passage < 0 and not looked[path].reason)
            or _state(self._vault.root, path) not in (None, (looked[path].size, looked[path].mtime_ns))
        ]

    def unreadable(self, snapshot: VaultSnapshot) -> list[tuple[str, str]]:
        """List images that cannot be read, each with the reason."""
        looked = self._looked()
        shown = (path for path in self.visible(snapshot) if path in looked)
        return [(path, looked[path].reason) for path in shown if looked[path].reason]

    def nearest(self, snapshot: VaultSnapshot, vector: Scores, k: int) -> list[FoundImage]:
        """Return the ``k`` images nearest to a vector of length 1, best first, each content once."""
        looked, index = self._looked(), self._vectors.index()
        places: dict[int, list[str]] = {}
        for path in self.visible(snapshot):
            if path in looked and not looked[path].reason:
                places.setdefault(looked[path].hash, []).append(path)
        passages = index.passages(np.array(list(places), np.int64))
        rows = np.zeros(len(index), np.bool_)
        rows[passages[passages >= 0]] = True
        found = index.search(vector, k, rows)
        cosines = index.best_rows(vector, [found[at : at + 1] for at in range(len(found))])[1]
        named = [sorted(places[int(name)]) for name in index.hashes[found]]
        images = [
            FoundImage(paths[0], cosine, tuple(paths[1:]))
            for paths, cosine in zip(named, cosines.tolist(), strict=True)
        ]
        return sorted(images, key=lambda image: (-image.cosine, image.path))

    def mend(self) -> bool:
        """Drop what is damaged; see `KeptVectors.mend`."""
        return self._vectors.mend()

    def embed(
        self,
        snapshot: VaultSnapshot,
        *,
        deadline: float | None = None,
        progress: Progress | None = None,
        stopped: Callable[[], bool] = lambda: False,
        compact: bool = False,
    ) -> EmbedReport:
        """Embed the images that are new or changed; those whose bytes are known are only noted.

        Raises:
            SearchError: the disk refuses; what was built is kept.
        """
        begun = time.monotonic()
        pending = self.pending(snapshot)
        if not pending and not compact:
            return EmbedReport()
        with self._vectors.writing() as writer:
            if writer is None:
                return EmbedReport(remaining=len(pending), busy=True)
            # Another process may have been at it until now.
            pending = self.pending(snapshot)
            looked = dict(self._looked())
            embedded = done = 0
            for at in range(0, len(pending), BATCH_IMAGES):
                if stopped() or (deadline is not None and time.monotonic() > deadline):
                    break
                batch = pending[at : at + BATCH_IMAGES]
                embedded += self._add(writer, batch, looked)
                done += len(batch)
                if progress:
                    progress(done, len(pending))
            present = set(snapshot.vault.files)
            self._write({path: one for path, one in looked.items() if path in present})
        live = np.array([one.hash for one in self._looked().values()], np.int64)
        self._vectors.keep_only(live, always=compact)
        return EmbedReport(embedded=embedded, remaining=len(pending) - done, seconds=time.monotonic() - begun)

    def _add(self, writer: LogWriter, paths: Sequence[str], looked: dict[str, _Looked]) -> int:
        """Look at some images and append the vectors of those that have none; say of how many."""
        index = self._vectors.index()
        images = {}
        for path in paths:
            size, mtime_ns = _state(self._vault.root, path) or (0, 0)
            try:
                content = read_file(self._vault.root, path, MOST_BYTES)
                size, mtime_ns = content.stat.st_size, content.stat.st_mtime_ns
                name = _hash(content.data)
                if name not in images and index.passages(np.array([name], np.int64))[0] < 0:
                    images[name] = read_picture(content.data)
                looked[path] = _Looked(size, mtime_ns, name)
            except (BadRequestError, NoteUnreadableError, PathError) as error:
                looked[path] = _Looked(size, mtime_ns, 0, error.message)
            except NoteNotFoundError:
                # The next look at the vault no longer lists it.
                looked.pop(path, None)
        if not images:
            return 0
        rows = np.array([(name, 0, 1, 0, 0, 0) for name in images], ROW)
        none = np.zeros((0, self._vectors.shape.token_dimension), np.int8)
        vectors = self._embedder.encode_images(list(images.values())).astype(np.float16)
        writer.append(rows, vectors, [none] * len(images))
        return len(images)

    def _looked(self) -> dict[str, _Looked]:
        """Read what was looked at; a list that cannot be read is none, and its images are looked at again."""
        try:
            found = self._list.stat()
            state = (found.st_mtime_ns, found.st_size)
            if self._read is None or self._read[0] != state:
                rows = read_record(self._list) or {}
                self._read = (state, {path: _Looked(*row) for path, row in rows.items()})
        except (OSError, TypeError, AttributeError):
            return {}
        return self._read[1]

    def _write(self, looked: dict[str, _Looked]) -> None:
        rows = {path: [one.size, one.mtime_ns, one.hash, one.reason] for path, one in sorted(looked.items())}
        with disk_errors(self._vectors.folder):
            write_record(self._list, rows)


def _hash(data: bytes) -> int:
    """Name the bytes of a file by 64 bits, never 0."""
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little", signed=True) or 1


def _state(root: Path, path: str) -> tuple[int, int] | None:
    """Give size and modification time of a file, whatever its Unicode form on disk; None where it is gone."""
    try:
        found = os.lstat(root / path)
    except FileNotFoundError:
        try:
            with walked(root, path) as place:
                found = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
        except (OSError, PathError):
            return None
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
