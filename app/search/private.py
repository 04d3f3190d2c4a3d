"""Files that are this user's alone: made so, checked before they are trusted, and short records in them."""

import json
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

from app.config.folders import replace_file
from app.errors import SearchError
from app.sentences import reason_of
from app.system import own_user

WRITTEN_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses to an index into an error that says what to do."""
    try:
        yield
    except OSError as error:
        raise SearchError(
            "cannot keep an index in '{folder}': {reason}",
            "make room, or name another folder by 'cache_dir'; what was built is kept",
            folder=folder,
            reason=reason_of(error),
        ) from error


def private_folder(path: Path) -> None:
    """Make a folder for this user alone, and those above it that are not there."""
    if not path.is_dir():
        private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def write_record(path: Path, value: object) -> None:
    """Keep a value as JSON beside its sum, in one step."""
    replace_file(path, json.dumps({"value": value, "sum": _sum(value)}, ensure_ascii=False).encode())


def read_record(path: Path) -> Any:  # noqa: ANN401 - what `write_record` was given
    """Read a value back; None where there is no record, or one whose sum does not hold."""
    try:
        return record_in(path.read_bytes())
    except OSError:
        return None


def record_in(data: bytes) -> Any:  # noqa: ANN401 - what `write_record` was given
    """Return the value of a record; None where its sum does not hold."""
    try:
        found = json.loads(data)
        return found["value"] if found["sum"] == _sum(found["value"]) else None
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _sum(value: object) -> int:
    return crc32(json.dumps(value, sort_keys=True).encode())


def is_foreign(path: Path) -> bool:
    """Return whether a folder, or the link to it, is another user's, or may be written by others."""
    own = (path.lstat(), path.stat())
    return any(found.st_uid != own_user() for found in own) or bool(own[1].st_mode & WRITTEN_BY_OTHERS)
