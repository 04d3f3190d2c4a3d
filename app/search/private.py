"""Files that are this user's alone: made so, checked before they are trusted, and short records in them."""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

from app.config.folders import replace_file
from app.errors import SearchError
from app.notices import Notice, NoticeKind
from app.sentences import reason_of

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


def foreign_owner(path: Path) -> Notice | None:
    """Say whose a file or folder is, or the link to it, where it is not this user's."""
    for found in (path.lstat(), path.stat()):
        if found.st_uid != os.geteuid():
            return Notice(NoticeKind.FOREIGN_OWNER, path=str(path), owner=found.st_uid)
    return None


def why_foreign(path: Path) -> Notice | None:
    """Say why a file or folder cannot be trusted to be this user's own work; None where it can."""
    if owner := foreign_owner(path):
        return owner
    is_open = path.stat().st_mode & WRITTEN_BY_OTHERS
    return Notice(NoticeKind.FOREIGN_WRITERS, path=str(path)) if is_open else None


def why_foreign_inside(folder: Path) -> Notice | None:
    """Say why a folder and all in it cannot be trusted to be this user's own work; None where it can."""
    for path in (folder, *folder.rglob("*")):
        try:
            if path.is_symlink():
                return Notice(NoticeKind.IS_LINK, path=str(path))
            if reason := why_foreign(path):
                return reason
        except FileNotFoundError:
            # Another process has just removed it.
            continue
    return None
