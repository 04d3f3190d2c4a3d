"""The vectors of a vault's own images, kept as those of the passages, and a list of what was looked at."""

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from app.errors import BadRequestError, NoteNotFoundError, NoteUnreadableError, PathError
from app.search.embedding.image_model import MOST_BYTES, ImageEmbedder, is_picture, read_picture
from app.search.index.snapshot import VaultSnapshot
from app.search.index.sync import hidden_as
from app.search.private import disk_errors, read_record, write_record
from app.search.vectors.build import EmbedReport, Run
from app.search.vectors.faiss_index import Scores
from app.search.vectors.store import KeptVectors
from app.vault.atomic import stat_of
from app.vault.client import VaultClient
from app.vault.files import read_file
from app.vault.walk import walked

FOLDER, LIST = "images", "images.json"

BATCH_IMAGES = 8
"""Images that are decoded and embedded together."""

Choose = Callable[[Sequence[str]], Iterable[str]]
"""Keeps the paths that an index lets in."""


class _Looked(NamedTuple):
    """A file as it was when it was looked at; ``reason`` says why it has no vector, empty where it has."""

    size: int
    mtime_ns: int
    hash: int
    reason: str = ""


class FoundImage(NamedTuple):
    """An image with its cosine; ``copies`` are paths of files with the same bytes."""

    path: str
    cosine: float
    copies: tuple[str, ...]


class KeptImages:
    """Embeds the images of a vault and finds them again; safe to use from many threads and processes.

    Their vectors lie beside those of the passages by the same model. ``choose`` says what the index lets in.
    """

    def __init__(
        self, vault: VaultClient, kept: KeptVectors, embedder: ImageEmbedder, choose: Choose
    ) -> None:
        self._vault, self._embedder, self._choose = vault, embedder, choose
        self.vectors = KeptVectors(kept.folder / FOLDER, kept.model, embedder, lambda _: embedder, kept.exact)
        self._list = self.vectors.folder / LIST
        self._read = lru_cache(maxsize=1)(self._read_list)
        # Whatever hides or lets in a path makes another snapshot.
        self.visible = lru_cache(maxsize=1)(self._visible)
        """Lists the images that a search may show."""

    def _visible(self, snapshot: VaultSnapshot) -> list[str]:
        shown = [
            path for path in snapshot.vault.files if is_picture(path) and not hidden_as(self._vault, path)
        ]
        return list(self._choose(shown)) if shown else []

    def pending(self, snapshot: VaultSnapshot) -> list[str]:
        """List the images that have not been looked at since they changed, or have lost their vectors."""
        looked, known = self._looked(), set(self.vectors.index().hashes.tolist())
        return [
            path
            for path in self.visible(snapshot)
            if (one := looked.get(path)) is None
            or not (one.reason or one.hash in known)
            or _state(self._vault.root, path) not in (None, (one.size, one.mtime_ns))
        ]

    def unreadable(self, snapshot: VaultSnapshot) -> list[tuple[str, str]]:
        """List images that cannot be read, each with the reason."""
        looked = self._looked()
        shown = (path for path in self.visible(snapshot) if path in looked)
        return [(path, looked[path].reason) for path in shown if looked[path].reason]

    def nearest(self, snapshot: VaultSnapshot, vector: Scores, k: int) -> list[FoundImage]:
        """Return the ``k`` images nearest to a vector of length 1, best first, each content once."""
        looked, index = self._looked(), self.vectors.index()
        places: dict[int, list[str]] = {}
        for path in self.visible(snapshot):
            if path in looked and not looked[path].reason:
                places.setdefault(looked[path].hash, []).append(path)
        found = index.search(vector, k, np.isin(index.hashes, list(places))[index.passage_of])
        cosines = index.best_rows(vector, [found[at : at + 1] for at in range(len(found))])[1]
        named = [sorted(places[int(name)]) for name in index.hashes[found]]
        images = [
            FoundImage(paths[0], cosine, tuple(paths[1:]))
            for paths, cosine in zip(named, cosines.tolist(), strict=True)
        ]
        return sorted(images, key=lambda image: (-image.cosine, image.path))

    def embed(self, snapshot: VaultSnapshot, run: Run, *, compact: bool = False) -> EmbedReport:
        """Embed the images that are new or changed; those whose bytes are known are only noted.

        Raises:
            SearchError: the disk refuses; what was built is kept.
        """
        begun = time.monotonic()
        pending = self.pending(snapshot)
        if not pending and not compact:
            return EmbedReport()
        with self.vectors.writing() as is_ours:
            if not is_ours:
                return EmbedReport(remaining=len(pending), busy=True)
            # Another process may have been at it until now.
            pending = self.pending(snapshot)
            looked = dict(self._looked())
            known = set(self.vectors.index().hashes.tolist())
            embedded = done = 0
            for batch in run.batches(pending, BATCH_IMAGES):
                embedded += self._add(batch, looked, known)
                done += len(batch)
            present = looked.keys() & set(snapshot.vault.files)
            with disk_errors(self.vectors.folder):
                write_record(
                    self._list, {path: one for path, one in sorted(looked.items()) if path in present}
                )
        live = np.array([one.hash for one in self._looked().values()], np.int64)
        self.vectors.keep_only(live, always=compact)
        return EmbedReport(embedded=embedded, remaining=len(pending) - done, seconds=time.monotonic() - begun)

    def _add(self, paths: Sequence[str], looked: dict[str, _Looked], known: set[int]) -> int:
        """Look at some images and add the vectors of those whose bytes are not known; say of how many."""
        images = {}
        for path in paths:
            size, mtime_ns = _state(self._vault.root, path) or (0, 0)
            try:
                content = read_file(self._vault.root, path, MOST_BYTES)
                size, mtime_ns = content.stat.st_size, content.stat.st_mtime_ns
                digest = hashlib.blake2b(content.data, digest_size=8).digest()
                name = int.from_bytes(digest, "little", signed=True) or 1
                if name not in known and name not in images:
                    images[name] = read_picture(content.data)
                looked[path] = _Looked(size, mtime_ns, name)
            except (BadRequestError, NoteUnreadableError, PathError) as error:
                looked[path] = _Looked(size, mtime_ns, 0, error.message)
            except NoteNotFoundError:
                # The next look at the vault no longer lists it.
                looked.pop(path, None)
        if images:
            vectors = self._embedder.encode_images(list(images.values()))
            none = np.zeros((0, self.vectors.model.token_dimension), np.int8)
            self.vectors.append([(name, 0, 0, 0) for name in images], list(vectors), [none] * len(images))
            known |= images.keys()
        return len(images)

    def _looked(self) -> dict[str, _Looked]:
        """Read what was looked at; a list that cannot be read is none, and its images are looked at again."""
        try:
            found = self._list.stat()
            return self._read(found.st_mtime_ns, found.st_ino)
        except (OSError, TypeError, AttributeError):
            return {}

    def _read_list(self, *_: int) -> dict[str, _Looked]:
        return {path: _Looked(*row) for path, row in (read_record(self._list) or {}).items()}


def _state(root: Path, path: str) -> tuple[int, int] | None:
    """Give size and modification time of a file, whatever its Unicode form on disk; None where it is gone."""
    try:
        try:
            found = os.lstat(root / path)
        except FileNotFoundError:
            with walked(root, path) as place:
                found = stat_of(place)
    except (OSError, PathError):
        return None
    return found.st_size, found.st_mtime_ns
