"""The texts that were read from files, kept by the content of the file, compressed, for this user alone."""

import hashlib
import json
import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import zstandard

from app.config.folders import lies_in, replace_file
from app.sentences import data_of, value_of
from app.system import own_user
from app.vault.attachments.kinds import MOST_CHARS, READER, Extracted

_LEVEL = 9
_MOST_PACKED = 8 * MOST_CHARS


class KeptTexts:
    """The texts of the files of one vault; where the cache folder cannot be trusted, nothing is kept.

    Args:
        cache: The user's cache folder.
        root: The vault's folder.
    """

    def __init__(self, cache: Path, root: Path) -> None:
        digest = hashlib.blake2b(os.fsencode(root), digest_size=6).hexdigest()
        self._folder = cache.absolute() / "attachments" / digest
        self._is_trusted = not lies_in(self._folder, root)

    def get(self, content: str, kind: str) -> Extracted | None:
        """Return what was read of a file with some content, by its hash; None where nothing is kept."""
        try:
            file = self._file(content, kind)
            if not self._is_trusted or file.lstat().st_uid != own_user():
                return None
            data = zstandard.ZstdDecompressor().decompress(file.read_bytes(), max_output_size=_MOST_PACKED)
            return Extracted(*value_of(json.loads(data)))
        except (OSError, ValueError, TypeError, zstandard.ZstdError):
            return None

    def put(self, content: str, kind: str, found: Extracted) -> None:
        """Keep what was read of a file; where the disk refuses, it is read again another time."""
        if not self._is_trusted:
            return
        packed = zstandard.ZstdCompressor(level=_LEVEL).compress(json.dumps(data_of(found)).encode())
        with suppress(OSError):
            self._folder.mkdir(parents=True, mode=0o700, exist_ok=True)
            self._folder.chmod(0o700)
            replace_file(self._file(content, kind), packed, confirm=False)

    def keep_only(self, contents: Collection[str]) -> None:
        """Remove the texts of all files but those with some contents, by their hashes."""
        with suppress(OSError):
            for name in os.listdir(self._folder):  # noqa: PTH208 - names alone are needed
                if name.partition("-")[0] not in contents:
                    (self._folder / name).unlink(missing_ok=True)

    def _file(self, content: str, kind: str) -> Path:
        return self._folder / f"{content}-{kind}-{READER}.zst"
