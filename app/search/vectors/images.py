"""The images of a vault, whose vectors lie among those of the passages."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.errors import BadRequestError, NoteNotFoundError, NoteUnreadableError, PathError, VaultError
from app.search.embedding.image_model import MOST_BYTES, ImageEmbedder, is_picture, read_picture
from app.search.index.chunk import hash_lines
from app.search.index.snapshot import VaultSnapshot
from app.search.index.sync import Run, hidden_as
from app.search.vectors.build import EmbedReport
from app.search.vectors.faiss_index import Scores
from app.search.vectors.store import KeptVectors
from app.vault.client import VaultClient
from app.vault.files import read_file, real_path

if TYPE_CHECKING:
    from PIL.Image import Image

BATCH_IMAGES = 8
"""Images that are decoded and embedded together."""
UNREADABLE = 1
"""Stands in the place of the last line of an image that cannot be read."""

Choose = Callable[[Sequence[str]], Iterable[str]]
"""Keeps the paths that an index lets in."""


class FoundImage(NamedTuple):
    """An image with its cosine."""

    path: str
    cosine: float


class KeptImages:
    """Embeds the images of a vault and finds them again; safe to use from many threads and processes.

    In ``kept`` an image is a passage of one window, which is told by file name, size and time of the image:
    one that only moves is not embedded again. ``choose`` says what the index lets in.
    """

    def __init__(
        self, vault: VaultClient, kept: KeptVectors, embedder: ImageEmbedder, choose: Choose
    ) -> None:
        self._vault, self._kept, self._embedder, self._choose = vault, kept, embedder, choose
        # Whatever hides or lets in a path makes another snapshot.
        self._visible = lru_cache(maxsize=1)(self._find_visible)

    def _find_visible(self, snapshot: VaultSnapshot) -> list[str]:
        """List the images that a search may show."""
        shown = [
            path for path in snapshot.vault.files if is_picture(path) and not hidden_as(self._vault, path)
        ]
        return list(self._choose(shown)) if shown else []

    def named(self, snapshot: VaultSnapshot) -> Mapping[int, list[str]]:
        """Give the images that a search may show by the hashes of their passages."""
        root, found = self._vault.root, dict[int, list[str]]()
        for path in self._visible(snapshot):
            # The next look at the vault no longer lists one that is gone.
            with suppress(OSError, VaultError):
                stat = os.lstat(root / (path if (root / path).exists() else real_path(root, path)))
                text = repr((path.rpartition("/")[2], stat.st_size, stat.st_mtime_ns))
                found.setdefault(hash_lines([text]), []).append(path)
        return found

    def pending(self, snapshot: VaultSnapshot) -> Mapping[int, str]:
        """Give the images that are new or changed, by the hashes of their passages."""
        known = set(self._kept.index().hashes.tolist())
        return {name: paths[0] for name, paths in self.named(snapshot).items() if name not in known}

    def found(self, snapshot: VaultSnapshot, vector: Scores) -> tuple[list[FoundImage], list[str]]:
        """Return all images, those nearest to a vector of length 1 first, and those that cannot be read."""
        named, index = self.named(snapshot), self._kept.index()
        rows = np.flatnonzero(np.isin(index.hashes, list(named)))
        cosines = index.vectors(rows) @ vector if len(rows) else np.zeros(0, np.float32)
        images, unreadable = list[FoundImage](), list[str]()
        for row, cosine in zip(rows.tolist(), cosines.tolist(), strict=True):
            paths = named[int(index.hashes[row])]
            if index.last_line[row] == UNREADABLE:
                unreadable += paths
            else:
                images += [FoundImage(path, cosine) for path in paths]
        return sorted(images, key=lambda image: (-image.cosine, image.path)), sorted(unreadable)

    def embed(self, snapshot: VaultSnapshot, run: Run) -> EmbedReport:
        """Embed the images that are new or changed.

        Raises:
            SearchError: the disk refuses; what was built is kept.
        """
        with self._kept.writing() as is_ours:
            pending, done = self.pending(snapshot), 0
            for batch in run.batches([*pending.items()], BATCH_IMAGES) if is_ours else ():
                pictures = {name: self.read(path) for name, path in batch}
                readable = {name: one for name, one in pictures.items() if not isinstance(one, str)}
                vectors = self._embedder.encode_images([*readable.values()]) if readable else ()
                zeros = np.zeros(self._kept.model.dimension, np.float32)
                known = dict(zip(readable, vectors, strict=True))
                self._kept.append(
                    [(name, 0, 0, 0 if name in known else UNREADABLE) for name in pictures],
                    [known.get(name, zeros) for name in pictures],
                    [np.zeros((0, self._kept.model.token_dimension), np.int8)] * len(pictures),
                )
                done += len(batch)
        return EmbedReport(embedded=done, remaining=len(pending) - done, busy=not is_ours)

    def read(self, path: str) -> "Image | str":
        """Read an image; give the reason where it cannot be."""
        try:
            return read_picture(read_file(self._vault.root, path, MOST_BYTES).data)
        except (BadRequestError, NoteNotFoundError, NoteUnreadableError, PathError) as error:
            return error.message
